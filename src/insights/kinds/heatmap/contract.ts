/** When people are there: weekdays by hours. Read by the browser, so zod/mini only. */

import * as z from 'zod/mini';
import { eventScope, type ResolvedRange, rangeInput } from '../../query/contract.ts';

export const heatmapInput = z.object({
  range: rangeInput,
  ...eventScope,
});
export type HeatmapInput = z.infer<typeof heatmapInput>;

/**
 * For each weekday (0 Sunday) its 24 hours of the project's clock: persons with a view in that hour of that weekday, each once however many
 * weeks the range has, and views. An hour that clocks repeat is counted once with the other, one that they skip not at all.
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
