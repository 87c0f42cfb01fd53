/** Labels of the rows of trends, in the words of the reader. */
import { insightWords } from '#views/words/insights.ts';
import { usePart } from '#views/words/words.tsx';
import type { InsightOf } from '../insight.ts';
import type { GoalName } from '../names.ts';
import { rowLabelBy } from './row-label.ts';
import { useBreakdownText } from './use-breakdown-text.ts';

export function useRowLabel({ own: asked }: InsightOf<'trends'>, goals: readonly GoalName[]) {
  const own = usePart(insightWords);
  return rowLabelBy(asked, { goals, own, valueText: useBreakdownText(asked.breakdown) });
}
