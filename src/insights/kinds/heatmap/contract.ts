/** When people are there: weekdays by hours. Read by the browser, so zod/mini only. */

import * as z from 'zod/mini';
import { eventScope, type ResolvedRange, rangeInput } from '../../query/contract.ts';

export const heatmapInput = z.object({
  range: rangeInput,
  ...eventScope,
});
export type HeatmapInput = z.infer<typeof heatmapInput>;

/**
 * For each weekday (0 Sunday) its 24 hours in the project's time zone: distinct persons with a view in that hour over all
 * weeks of the range, and views. A repeated hour (clock change) is merged with the other, a skipped hour has no counts.
 */
export interface HeatmapResult {
  timeZone: string;
  weekStart: 0 | 1;
  range: ResolvedRange;
  visitors: number[][];
  views: number[][];
  /** How many dates of each weekday were counted. */
  dates: number[];
  /** On how many dates each of the hours had begun, and was not over before the first event; 0 where there is nothing that could be counted. */
  datesByHour: number[][];
}
