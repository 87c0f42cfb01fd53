/** Formulas of trends: checked before anything is counted, evaluated row by row. Pure. */
import { invalid } from '#src/kit/errors.ts';
import { evaluateFormula, type Formula, formulaMessage, parseFormula } from '#src/kit/formula/values.ts';
import { withoutNoise } from '#src/kit/numbers/decimals.ts';
import type { Points, TrendsInput, TrendsResultRow } from './contract.ts';

export interface ReadFormula {
  name: string;
  formula: Formula;
}

/** @throws AppError `invalid` for a formula that names no series, and when nothing would be shown */
export function readFormulas({ formulas = [], series }: Pick<TrendsInput, 'formulas' | 'series'>): ReadFormula[] {
  if (formulas.length === 0 && series.every(({ hidden }) => hidden === true)) {
    throw invalid('series', 'All series are hidden. Show a series or add a formula.');
  }
  return formulas.map(({ formula: text, name = text }, at) => {
    const parsed = parseFormula(text, series.length);
    if ('error' in parsed) throw invalid(`formulas.${at}.formula`, formulaMessage(parsed.error));
    return { name, formula: parsed.formula };
  });
}

/** The rows of a formula. @param series rows of each series, all of the same values */
export function formulaRows(formula: Formula, series: readonly (readonly TrendsResultRow[])[]): TrendsResultRow[] {
  const [first = []] = series;
  return first.map(({ value, points, comparisonPoints, cells }, at) => {
    const evaluated = (numberOf: (row: TrendsResultRow) => number | null | undefined): number | null => {
      const found = evaluateFormula(formula, (place) => {
        const row = series[place]?.[at];
        return row === undefined ? null : (numberOf(row) ?? null);
      });
      return found === null ? null : withoutNoise(found);
    };
    const along = (all: Points, pointsOf: (row: TrendsResultRow) => Points | null): Points =>
      all.map((_, index) => evaluated((row) => pointsOf(row)?.[index]));
    return {
      value,
      total: evaluated((row) => row.total),
      points: along(points, (row) => row.points),
      previous: comparisonPoints === null ? null : evaluated((row) => row.previous),
      comparisonPoints: comparisonPoints && along(comparisonPoints, (row) => row.comparisonPoints),
      cells: cells === null ? null : cells.map((hours, day) => along(hours, (row) => row.cells?.[day] ?? null)),
      ignored: 0,
    };
  });
}
