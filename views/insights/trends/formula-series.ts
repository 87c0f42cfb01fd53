/** Series of trends together with the formulas that name them: what moves keeps its meaning. Pure. */
import type { FormulaAsked, TrendsInput } from '#src/insights/kinds/trends/contract.ts';
import { parseFormula, renamedFormula, seriesOfFormula } from '#src/kit/formula/values.ts';
import type { Own } from '../insight.ts';

type TrendsOwn = Own<'trends'>;
type Series = TrendsInput['series'][number];

/** The same query with other series. @param placeOf where a series is then; null: it is gone, with the formulas that name it */
export function withSeries(
  own: TrendsOwn,
  series: readonly Series[],
  placeOf: (at: number) => number | null,
): TrendsOwn {
  const { formulas = [] } = own;
  const left = formulas
    .filter(({ formula }) => namedIn(formula).every((at) => placeOf(at) !== null))
    .map((each) => ({ ...each, formula: renamedFormula(each.formula, (at) => placeOf(at) ?? at) }));
  return withFormulas({ ...own, series: [...series] }, left);
}

/** The same query with other formulas: without any, all series are shown. */
export function withFormulas(own: TrendsOwn, formulas: readonly FormulaAsked[]): TrendsOwn {
  if (formulas.length > 0) return { ...own, formulas: [...formulas] };
  const { formulas: _, ...others } = own;
  return { ...others, series: own.series.map(shown) };
}

/** With one formula more: the first takes the place of the series in the answer. */
export function withNewFormula(own: TrendsOwn): TrendsOwn {
  const { formulas = [], series } = own;
  const formula = series.length > 1 ? 'A / B' : 'A * 100';
  const next = withFormulas(own, [...formulas, { formula }]);
  return formulas.length > 0 ? next : { ...next, series: series.map((each) => ({ ...each, hidden: true })) };
}

/** Where the item at `at` is once another was moved. */
export function placeAfterMove(at: number, from: number, to: number): number {
  if (at === from) return to;
  const left = at > from ? at - 1 : at;
  return left >= to ? left + 1 : left;
}

export function shown({ hidden: _, ...series }: Series): Series {
  return series;
}

function namedIn(formula: string): number[] {
  const parsed = parseFormula(formula);
  return 'error' in parsed ? [] : seriesOfFormula(parsed.formula);
}
