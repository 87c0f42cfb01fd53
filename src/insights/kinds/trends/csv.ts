/** A line for each series, value and interval. */
import * as z from 'zod/mini';
import { zoneOf } from '#src/kit/zone.ts';
import { type Cell, defineFile, edgesOf, exact, tableRows } from '../../query/file.ts';
import { breakdownParts, rowValues, type TrendsInput, type TrendsResult } from './contract.ts';

export const trendsFile = defineFile<TrendsInput, TrendsResult, object>({
  options: z.strictObject({}),
  rows(result, { input }) {
    const isCompared = result.comparison !== null;
    const count = Math.max(breakdownParts(input).length, 1);
    const values = Array.from({ length: count }, (_, at) => (at === 0 ? 'value' : `value ${at + 1}`));
    const head = ['series', ...values, 'from', 'to', 'points', ...(isCompared ? ['previous'] : [])];
    return tableRows(head, rowsOf(result, count, isCompared));
  },
});

function* rowsOf(result: TrendsResult, count: number, isCompared: boolean): Generator<Cell[]> {
  const { series, formulas, starts, interval, range, timeZone } = result;
  const intervals = { zone: zoneOf(timeZone), interval, starts, to: range.to };
  const named = [
    ...series.map(({ rows }, at) => ({ name: at + 1, rows })),
    ...formulas.map(({ name, rows }) => ({ name, rows })),
  ];
  for (const { name, rows } of named) {
    for (const { value, points, comparisonPoints } of rows) {
      for (const [index, point] of points.entries()) {
        const previous = comparisonPoints?.[index] ?? null;
        yield [
          name,
          ...cellsOf(value, count),
          ...edgesOf(intervals, index),
          exact(point),
          ...(isCompared ? [exact(previous)] : []),
        ];
      }
    }
  }
}

/** A cell for each property of the breakdown. */
function cellsOf(value: string | null, count: number): string[] {
  if (value !== null) return rowValues(value, count);
  return ['(other)', ...Array.from({ length: count - 1 }, () => '')];
}
