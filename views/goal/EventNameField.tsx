/** The name of an event that a goal counts. Names that have never been received are said so: mostly they are misspelt. */
import { useQuery } from '@tanstack/react-query';
import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';
import { ComboboxField } from '#views/kit/ComboboxField.tsx';
import { useSettled } from '#views/kit/use-settled.ts';
import { DidYouMean } from '#views/question/DidYouMean.tsx';
import { useTrpc } from '#views/trpc.ts';
import { goalWords } from '#views/words/goals.ts';
import { unknownEventWords } from '#views/words/unknown-events.ts';
import { usePart } from '#views/words/words.tsx';
import css from './GoalForm.module.css';
import { useKnown } from './use-known.ts';

const AFTER_MS = 500;

export interface EventNameFieldProps {
  reference: string;
  name: string;
  value: string;
  hint?: string;
  error: string | undefined;
  onChange(value: string): void;
}

export function EventNameField({ reference, name, value, hint, error, onChange }: EventNameFieldProps) {
  const own = usePart(goalWords);
  const suggestions = useSuggestions(reference, value.trim());
  return (
    <ComboboxField
      label={own.event}
      mono
      name={name}
      hint={suggestions === null ? hint : <Unknown suggestions={suggestions} onChoose={onChange} />}
      error={error}
      value={value}
      maxLength={MAX_STORED_NAME_LENGTH}
      options={useKnown(reference).events}
      onChange={onChange}
    />
  );
}

/** Names like this one; null while it is written, and for one that has been received. */
function useSuggestions(project: string, event: string): string[] | null {
  const trpc = useTrpc();
  const asked = useSettled(event, AFTER_MS);
  const { data } = useQuery({
    ...trpc.insights.unknownEvents.queryOptions({ project, events: [{ event: asked }] }),
    enabled: asked !== '',
    retry: false,
  });
  const [unknown] = data ?? [];
  return asked === event && unknown ? unknown.suggestions : null;
}

function Unknown({ suggestions, onChoose }: { suggestions: string[]; onChoose(name: string): void }) {
  const text = usePart(unknownEventWords);
  return (
    <span role="status" className={css['unknown']}>
      {text.unknown}
      <DidYouMean names={suggestions}>
        {(name) => (
          <button type="button" className="mono" aria-label={text.use(name)} onClick={() => onChoose(name)}>
            {name}
          </button>
        )}
      </DidYouMean>
    </span>
  );
}
