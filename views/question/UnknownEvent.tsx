/** Under the name of an event that has never been received: mostly it is misspelt, so names that are spelled alike are offered. */

import { useSettled } from '#views/kit/use-settled.ts';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { unknownEventWords } from '#views/words/unknown-events.ts';
import { usePart } from '#views/words/words.tsx';
import { DidYouMean } from './DidYouMean.tsx';
import css from './UnknownEvent.module.css';

const AFTER_MS = 500;

/** Received names that are spelled like this one; null while it is typed, and for one that has been received. */
export function useSimilarNames(project: string, event: string): string[] | null {
  const trpc = useTrpc();
  const settled = useSettled(event, AFTER_MS);
  const { data } = useKnown({
    ...trpc.insights.unknownEvents.queryOptions({ project, events: [{ event: settled }] }),
    enabled: settled !== '',
    retry: false,
  });
  const [unknown] = data ?? [];
  return settled === event && unknown ? unknown.suggestions : null;
}

export interface UnknownEventProps {
  suggestions: readonly string[];
  onChoose(name: string): void;
}

export function UnknownEvent({ suggestions, onChoose }: UnknownEventProps) {
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
