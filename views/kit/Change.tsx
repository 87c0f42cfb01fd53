/** How a value moved: arrow, sign and number together, coloured by good or bad, not by up or down. */
import type { ChangeKind } from '#views/words/format-change.ts';
import { useWords } from '#views/words/words.tsx';
import css from './Change.module.css';
import { classNames } from './class-names.ts';

export interface ChangeProps {
  value: number | null;
  before: number | null;
  kind: ChangeKind;
  /** The good direction; null for none. */
  good: 'up' | 'down' | null;
  /** Number of events, when the value does not show it: see `change`. */
  events?: number | undefined;
}

export function Change({ value, before, kind, good, events }: ChangeProps) {
  const { format } = useWords();
  const change = format.change(value, before, kind, events);
  if (!change) return null;
  const { direction, text } = change;
  const tone = direction === null || good === null ? null : direction === good ? css['good'] : css['bad'];
  return (
    <span className={classNames(css['change'], 'num', tone)}>
      {direction && (
        <svg viewBox="0 0 8 8" aria-hidden="true">
          <path d={direction === 'up' ? 'M4 1l3.5 6h-7z' : 'M4 7L.5 1h7z'} />
        </svg>
      )}
      {text}
    </span>
  );
}
