/** A line for each series, value and interval. */
import * as z from 'zod/mini';
import { zoneOf } from '#src/kit/zone.ts';
import { type Cell, defineFile, edgesOf, exact, tableRows } from '../../query/file.ts';
import type { TrendsInput, TrendsResult } from './contract.ts';

export const trendsFile = defineFile<TrendsInput, TrendsResult, object>({
  options: z.strictObject({}),
  rows(result) {
    const isCompared = result.comparison !== null;
    const head = ['series', 'value', 'from', 'to', 'points', ...(isCompared ? ['previous'] : [])];
    return tableRows(head, rowsOf(result, isCompared));
  },
});

function* rowsOf(result: TrendsResult, isCompared: boolean): Generator<Cell[]> {
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
          value ?? '(other)',
          ...edgesOf(intervals, index),
          exact(point),
          ...(isCompared ? [exact(previous)] : []),
        ];
      }
    }
  }
}
