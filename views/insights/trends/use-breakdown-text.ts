/** Values of a breakdown of trends in the words of the reader. */
import type { TrendsInput } from '#src/insights/kinds/trends/contract.ts';
import { useReading } from '#views/question/filters/reading.ts';
import { filterWords } from '#views/words/filters.ts';
import { insightWords } from '#views/words/insights.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart } from '#views/words/words.tsx';
import { breakdownTextBy } from './breakdown-text.ts';

export function useBreakdownText(breakdown: TrendsInput['breakdown']): (value: string | null) => string {
  const shared = usePart(insightWords);
  const own = usePart(trendsWords);
  const text = usePart(filterWords);
  return breakdownTextBy(breakdown, { shared, own, text, reading: useReading() });
}
