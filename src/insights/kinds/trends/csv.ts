/** A line for each series, value and interval. */
import * as z from 'zod/mini';
import { zoneOf } from '#src/kit/zone.ts';
import { type Cell, defineFile, edgesOf, exact, tableRows, weekdaysFrom } from '../../query/file.ts';
import { breakdownParts, rowValues, type TrendsInput, type TrendsResult, type TrendsResultRow } from './contract.ts';

export const trendsFile = defineFile<TrendsInput, TrendsResult, object>({
  options: z.strictObject({}),
  rows(result, { input }) {
    const isCompared = result.comparison !== null;
    const count = Math.max(breakdownParts(input).length, 1);
    const values = Array.from({ length: count }, (_, at) => (at === 0 ? 'value' : `value ${at + 1}`));
    if (result.weeklyHeatmap !== null) {
      return tableRows(['series', ...values, 'weekday', 'hour', 'value', 'dates'], cellRows(result, count));
    }
    const head = ['series', ...values, 'from', 'to', 'points', ...(isCompared ? ['previous'] : [])];
    return tableRows(head, rowsOf(result, count, isCompared));
  },
});

function* rowsOf(result: TrendsResult, count: number, isCompared: boolean): Generator<Cell[]> {
  const { starts, interval, range, timeZone } = result;
  const intervals = { zone: zoneOf(timeZone), interval, starts, to: range.to };
  for (const { name, rows } of namedRows(result)) {
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

function namedRows({ series, formulas }: TrendsResult): { name: Cell; rows: TrendsResultRow[] }[] {
  return [
    ...series.map(({ rows }, at) => ({ name: at + 1, rows })),
    ...formulas.map(({ name, rows }) => ({ name, rows })),
  ];
}

/** A line for each hour of the week, from the day on which the project's weeks begin. */
function* cellRows(result: TrendsResult, count: number): Generator<Cell[]> {
  const { weekStart = 0, datesByHour = [] } = result.weeklyHeatmap ?? {};
  for (const { name, rows } of namedRows(result)) {
    for (const { value, cells } of rows) {
      for (const [weekday, day] of weekdaysFrom(weekStart)) {
        for (const [hour, figure] of (cells?.[day] ?? []).entries()) {
          yield [name, ...cellsOf(value, count), weekday, hour, exact(figure), datesByHour[day]?.[hour] ?? 0];
        }
      }
    }
  }
}

/** A cell for each property of the breakdown. */
function cellsOf(value: string | null, count: number): string[] {
  if (value !== null) return rowValues(value, count);
  return ['(other)', ...Array.from({ length: count - 1 }, () => '')];
}
