/** Values of breakdowns in words. */
import type { BreakdownBy } from '#src/insights/query/contract.ts';
import { useReading } from '#views/question/filters/reading.ts';
import { shownValue } from '#views/question/filters/wording.ts';
import { filterWords } from '#views/words/filters.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { eventName, isCountry } from './names.ts';

/** A value of a breakdown in words; null: of all that have no row of their own. */
export function useValueText(breakdown: BreakdownBy | undefined): (value: string | null) => string {
  const own = usePart(insightWords);
  const text = usePart(filterWords);
  const reading = useReading();
  const { format } = useWords();
  return (value) => {
    if (value === null) return own.other;
    if (value === '') return own.notSet;
    if (breakdown === undefined) return value;
    if (breakdown.about === 'name') return eventName(value, own);
    return isCountry(breakdown) ? format.country(value) : shownValue(breakdown, value, text, reading);
  };
}
