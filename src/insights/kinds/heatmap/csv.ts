/** A line for each hour of the week, from the day on which the project's weeks begin. */
import * as z from 'zod/mini';
import { type Cell, defineFile, tableRows } from '../../query/file.ts';
import type { HeatmapInput, HeatmapResult } from './contract.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const heatmapFile = defineFile<HeatmapInput, HeatmapResult, object>({
  options: z.strictObject({}),
  name: () => 'hours',
  rows: (result) => tableRows(['weekday', 'hour', 'visitors', 'views', 'dates'], rowsOf(result)),
});

function* rowsOf({ visitors, views, datesByHour, weekStart }: HeatmapResult): Generator<Cell[]> {
  for (let place = 0; place < weekdays.length; place++) {
    const day = (place + weekStart) % weekdays.length;
    for (const [hour, count] of (visitors[day] ?? []).entries()) {
      yield [weekdays[day] as string, hour, count, views[day]?.[hour] ?? 0, datesByHour[day]?.[hour] ?? 0];
    }
  }
}
