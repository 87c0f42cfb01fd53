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

function* rowsOf({ series, starts, interval, range, timeZone }: TrendsResult, isCompared: boolean): Generator<Cell[]> {
  const intervals = { zone: zoneOf(timeZone), interval, starts, to: range.to };
  for (const [at, { rows }] of series.entries()) {
    for (const { value, points, comparisonPoints } of rows) {
      for (const [index, point] of points.entries()) {
        const previous = comparisonPoints?.[index] ?? null;
        yield [
          at + 1,
          value ?? '(other)',
          ...edgesOf(intervals, index),
          exact(point),
          ...(isCompared ? [exact(previous)] : []),
        ];
      }
    }
  }
}
