/** A line for each hour of the week, from the day on which the project's weeks begin. */
import * as z from 'zod/mini';
import { type Cell, defineFile, tableRows, weekdaysFrom } from '../../query/file.ts';
import type { HeatmapInput, HeatmapResult } from './contract.ts';

export const heatmapFile = defineFile<HeatmapInput, HeatmapResult, object>({
  options: z.strictObject({}),
  name: () => 'hours',
  rows: (result) => tableRows(['weekday', 'hour', 'visitors', 'views', 'dates'], rowsOf(result)),
});

function* rowsOf({ visitors, views, datesByHour, weekStart }: HeatmapResult): Generator<Cell[]> {
  for (const [weekday, day] of weekdaysFrom(weekStart)) {
    for (const [hour, count] of (visitors[day] ?? []).entries()) {
      yield [weekday, hour, count, views[day]?.[hour] ?? 0, datesByHour[day]?.[hour] ?? 0];
    }
  }
}
