/** What is known of someone behind a number. All values come from clients and are shown as text. */
import type { JsonValue } from '#src/kit/json.ts';
import { missing } from '#views/words/format.ts';
import { pointPeopleWords } from '#views/words/point-people.ts';
import { usePart } from '#views/words/words.tsx';
import css from './PeoplePanel.module.css';

interface PersonPropertiesProps {
  id: string;
  properties: Readonly<Record<string, JsonValue>>;
}

export function PersonProperties({ id, properties }: PersonPropertiesProps) {
  const own = usePart(pointPeopleWords);
  const entries = Object.entries(properties).sort(byName);
  if (entries.length === 0) {
    return (
      <p id={id} className={css['noProperties']}>
        {own.noProperties}
      </p>
    );
  }
  return (
    <dl id={id} className={css['properties']}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt className="mono">{name}</dt>
          <dd>{textOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the project's own code says comes before what clients add themselves. */
function byName([one]: [string, JsonValue], [other]: [string, JsonValue]): number {
  const [isAdded, isOtherAdded] = [one, other].map((name) => name.startsWith('$'));
  return Number(isAdded) - Number(isOtherAdded) || one.localeCompare(other);
}

function textOf(value: JsonValue): string {
  if (value === null || value === '') return missing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
