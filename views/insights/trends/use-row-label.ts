/** Labels of the rows of trends. */
import { insightWords } from '#views/words/insights.ts';
import { usePart } from '#views/words/words.tsx';
import type { InsightOf } from '../insight.ts';
import { eventsName, type GoalName } from '../names.ts';
import type { TrendsRow } from './rows.ts';
import { useBreakdownText } from './use-breakdown-text.ts';

export function useRowLabel({ own: asked }: InsightOf<'trends'>, goals: readonly GoalName[]) {
  const own = usePart(insightWords);
  const valueText = useBreakdownText(asked.breakdown);
  const { formulas = [] } = asked;
  const isOne = asked.series.length === 1 && formulas.length === 0;
  return ({ series, isFormula, value }: Pick<TrendsRow, 'series' | 'isFormula' | 'value'>): string => {
    if (isFormula) {
      const { name: given, formula } = formulas[series] ?? { formula: '' };
      const name = given ?? formula;
      if (asked.breakdown === undefined) return name;
      const isAlone = formulas.length === 1 && asked.series.every(({ hidden }) => hidden === true);
      return isAlone ? valueText(value) : `${name} · ${valueText(value)}`;
    }
    const name =
      asked.breakdown === undefined
        ? eventsName(asked.series[series]?.event ?? { event: null }, goals, own)
        : valueText(value);
    return isOne ? name : `${own.letters[series] ?? ''} ${name}`;
  };
}
