/** Labels of the rows of trends. Pure. */
import type { InsightWords } from '#views/words/insights.ts';
import type { InsightOf } from '../insight.ts';
import { eventsName, type GoalName } from '../names.ts';
import type { TrendsRow } from './rows.ts';

type LabelledRow = Pick<TrendsRow, 'series' | 'isFormula' | 'value'>;

/** The label of a row. Pure. @param valueText of the breakdown */
export function rowLabelBy(
  asked: Pick<InsightOf<'trends'>['own'], 'series' | 'formulas' | 'breakdown'>,
  { goals, own, valueText }: { goals: readonly GoalName[]; own: InsightWords; valueText(value: string | null): string },
): (row: LabelledRow) => string {
  const { formulas = [] } = asked;
  const isOne = asked.series.length === 1 && formulas.length === 0;
  return ({ series, isFormula, value }) => {
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
