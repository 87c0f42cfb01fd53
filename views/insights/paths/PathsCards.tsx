/** The query of paths: where they start and end, of what steps they are, and what is cleaned up or left out. */
import { type FormEvent, useState } from 'react';
import { stepBefore } from '#src/columns/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { insightWords } from '#views/words/insights.ts';
import { pathsWords } from '#views/words/paths.ts';
import { pointPeopleWords } from '#views/words/point-people.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { CountedPeopleRow, withPer } from '../CountedRow.tsx';
import type { Own } from '../insight.ts';
import type { CardsProps } from '../kind-view.ts';
import { NumberLine } from '../NumberLine.tsx';
import { eventsName, type GoalName } from '../names.ts';
import { OptionRow, QueryPart } from '../OptionRow.tsx';
import css from '../Query.module.css';

const MAX_TEXT = 1000;
const MAX_PATTERNS = 100;

export function PathsCards({ goals, insight, onChange }: CardsProps<'paths'>) {
  const own = usePart(pathsWords);
  const asked = insight.own;
  const setPoint = (key: 'startPoint' | 'endPoint', value: string): void => {
    const { [key]: _, ...without } = asked;
    onChange(value === '' ? without : { ...without, [key]: value });
  };
  return (
    <>
      {asked.after && (
        <AfterFunnel
          goals={goals}
          after={asked.after}
          onRemove={() => {
            const { after: _, ...without } = asked;
            onChange(without);
          }}
        />
      )}
      <QueryPart title={own.from}>
        <PointField
          key={asked.startPoint ?? ''}
          label={own.from}
          value={asked.startPoint ?? ''}
          placeholder={own.anyStart}
          onChange={(value) => setPoint('startPoint', value)}
        />
      </QueryPart>
      <QueryPart title={own.to}>
        <PointField
          key={asked.endPoint ?? ''}
          label={own.to}
          value={asked.endPoint ?? ''}
          placeholder={own.anyEnd}
          onChange={(value) => setPoint('endPoint', value)}
        />
      </QueryPart>
      <QueryPart title={own.show}>
        {asked.after === undefined && (
          <CountedPeopleRow per={asked.per} onChange={(per) => onChange(withPer(asked, per))} />
        )}
        <OptionRow
          label={own.stepType}
          value={asked.stepType}
          options={(['pages', 'events', 'all'] as const).map((value) => ({ value, text: own.stepTypes[value] }))}
          onChange={(stepType) => onChange({ ...asked, stepType })}
        />
        <NumberLine
          label={own.length}
          value={asked.length}
          min={3}
          max={20}
          onChange={(length) => onChange({ ...asked, length })}
        />
        <NumberLine
          label={own.limit}
          value={asked.limit}
          min={1}
          max={1000}
          onChange={(limit) => onChange({ ...asked, limit })}
        />
        <NumberLine
          label={own.minCount}
          value={asked.minCount}
          min={1}
          max={1_000_000}
          onChange={(minCount) => onChange({ ...asked, minCount })}
        />
        <NumberLine
          label={own.timeout}
          value={asked.sessionTimeoutMinutes}
          min={1}
          max={1440}
          onChange={(sessionTimeoutMinutes) => onChange({ ...asked, sessionTimeoutMinutes })}
        />
      </QueryPart>
      <Patterns
        title={own.groups}
        hint={own.groupsHint}
        patterns={asked.groups}
        onChange={(groups) => onChange({ ...asked, groups })}
      />
      <Patterns
        title={own.exclude}
        hint={own.excludeHint}
        patterns={asked.exclude}
        onChange={(exclude) => onChange({ ...asked, exclude })}
      />
    </>
  );
}

interface AfterFunnelProps {
  goals: readonly GoalName[];
  after: NonNullable<Own<'paths'>['after']>;
  onRemove(): void;
}

/** The step of a funnel that paths begin at: it comes from the funnel, and can be taken away here. */
function AfterFunnel({ goals, after: { funnel, point }, onRemove }: AfterFunnelProps) {
  const own = usePart(pathsWords);
  const panel = usePart(pointPeopleWords);
  const shared = usePart(insightWords);
  const { format } = useWords();
  const at = point.dropped ? stepBefore(point.step, funnel.optionalSteps) : point.step;
  const name = eventsName(funnel.steps[at - 1] ?? { event: null }, goals, shared);
  const text = point.dropped ? panel.dropped(format.number(at), name) : panel.reached(format.number(at), name);
  return (
    <QueryPart title={own.after}>
      <p className={css['option']}>
        <span>{text}</span>
        <button type="button" className={css['icon']} aria-label={own.removeAfter} onClick={onRemove}>
          <Icon name="x" small />
        </button>
      </p>
    </QueryPart>
  );
}

interface PointFieldProps {
  label: string;
  value: string;
  placeholder: string;
  onChange(value: string): void;
}

/** A page or event, taken when the field is left or Enter is pressed. */
function PointField({ label, value, placeholder, onChange }: PointFieldProps) {
  const [typed, setTyped] = useState(value);
  const finish = (): void => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <input
      className="input mono"
      aria-label={label}
      placeholder={placeholder}
      maxLength={MAX_TEXT}
      autoCapitalize="none"
      spellCheck={false}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
    />
  );
}

interface PatternsProps {
  title: string;
  hint: string;
  patterns: readonly string[];
  onChange(patterns: string[]): void;
}

function Patterns({ title, hint, patterns, onChange }: PatternsProps) {
  const own = usePart(pathsWords);
  const [typed, setTyped] = useState('');
  function add(event: FormEvent): void {
    event.preventDefault();
    const pattern = typed.trim();
    if (pattern === '' || patterns.includes(pattern) || patterns.length >= MAX_PATTERNS) return;
    setTyped('');
    onChange([...patterns, pattern]);
  }
  return (
    <QueryPart title={title}>
      <ul className={css['rows']}>
        {patterns.map((pattern) => (
          <li key={pattern} className={css['option']}>
            <span className="mono clip">{pattern}</span>
            <button
              type="button"
              className={css['icon']}
              aria-label={own.remove(pattern)}
              onClick={() => onChange(patterns.filter((each) => each !== pattern))}
            >
              <Icon name="x" small />
            </button>
          </li>
        ))}
      </ul>
      <form className={css['pair']} onSubmit={add}>
        <input
          className="input mono"
          aria-label={`${title}: ${own.pattern}`}
          placeholder={hint}
          title={hint}
          maxLength={MAX_TEXT}
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" small kind="quiet" icon="plus" iconOnly>
          {own.add}
        </Button>
      </form>
    </QueryPart>
  );
}
