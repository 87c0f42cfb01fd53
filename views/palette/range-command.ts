/** A range that was typed, as something to do: the Overview of that range, else as it is asked now. Pure. */
import type { Today } from '#views/question/dates.ts';
import { datesOf } from '#views/question/dates.ts';
import { addressOf, readQuestion } from '#views/question/question.ts';
import { datesText, rangeName } from '#views/question/range-text.ts';
import { type DateOrder, readTyped } from '#views/question/typed-range.ts';
import type { Words } from '#views/words/en.ts';
import type { Format } from '#views/words/format.ts';

export interface RangeScene {
  now: Today;
  order: DateOrder;
  /** Path of the Overview. */
  path: string;
  /** Query string of the Overview; '' on other screens. */
  search: string;
  words: Words;
  format: Format;
}

/** "Last 7 days, 20 – 26 Nov" and its address; null: what was typed is no range. */
export function rangeCommand(typed: string, scene: RangeScene): { text: string; href: string } | null {
  const { now, order, path, search, words, format } = scene;
  const range = typed.trim() === '' ? null : readTyped(typed, now, order);
  if (range === null) return null;
  const dates = datesOf(range, now);
  const parts = [rangeName(range, words), dates && datesText(dates, now, format)];
  return {
    text: parts.filter(Boolean).join(', '),
    // An interval chosen for one range rarely suits another.
    href: addressOf(path, { ...readQuestion(new URLSearchParams(search)), range, interval: null }),
  };
}
