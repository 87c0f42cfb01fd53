/** Values of breakdowns in words. */
import type { BreakdownBy } from '#src/insights/query/contract.ts';
import { useReading } from '#views/question/filters/reading.ts';
import { shownValue } from '#views/question/filters/wording.ts';
import { type FilterWords, filterWords } from '#views/words/filters.ts';
import { type InsightWords, insightWords } from '#views/words/insights.ts';
import type { Reading } from '#views/words/value-text.ts';
import { usePart } from '#views/words/words.tsx';
import { eventName, isCountry } from './names.ts';

/** A value of a breakdown in words; null: of all that have no row of their own. */
export function useValueText(breakdown: BreakdownBy | undefined): ValueText {
  return valueTextBy(breakdown, { own: usePart(insightWords), text: usePart(filterWords), reading: useReading() });
}

type ValueText = (value: string | null) => string;

/** The same in given words. Pure. */
export function valueTextBy(
  breakdown: BreakdownBy | undefined,
  { own, text, reading }: { own: InsightWords; text: FilterWords; reading: Reading },
): ValueText {
  return (value) => {
    if (value === null) return own.other;
    if (value === '') return own.notSet;
    if (breakdown === undefined) return value;
    if (breakdown.about === 'name') return eventName(value, own);
    return isCountry(breakdown) ? reading.format.country(value) : shownValue(breakdown, value, text, reading);
  };
}
