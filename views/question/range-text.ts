/** Ranges and dates in words. Pure. */
import type { RangeInput } from '#src/insights/contract.ts';
import type { Words } from '#views/words/en.ts';
import type { Format } from '#views/words/format.ts';
import type { Dates, Today } from './dates.ts';

/** "Last 28 days"; null for dates, which name themselves. */
export function rangeName(range: RangeInput, words: Words): string | null {
  return typeof range === 'string' ? words.range.presets[range] : null;
}

/** "24 Oct – 20 Nov", with years when they are not this one. */
export function datesText({ from, to }: Dates, { today }: Pick<Today, 'today'>, format: Format): string {
  return format.range(from, to, Number(today.slice(0, 4)));
}
