/** How an answer is drawn: nothing of it is asked of the server. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';

export const chartNames = [
  'line',
  'area',
  'bar',
  'stacked',
  'percent',
  'number',
  'pie',
  'heatmap',
  'map',
  'table',
] as const;
export type ChartName = (typeof chartNames)[number];

export const display = z.object({
  /** Absent: the first that the kind offers. */
  chart: z.optional(z.enum(chartNames)),
  /** Each point is the sum of all up to it. */
  cumulative: z.optional(z.boolean()),
  /** Each point is the mean of so many, up to it. */
  average: z.optional(z.int().check(z.minimum(2), z.maximum(90))),
  /** Values of retention cells; absent: shares of the cohort. */
  cells: z.optional(z.enum(['cohort', 'previous', 'people'])),
  /** View of a funnel; absent: its steps. */
  funnel: z.optional(z.enum(['steps', 'entry', 'times'])),
  /** Rows of the answer that are drawn, by series and value; absent: the largest. */
  rows: z.optional(z.array(z.string().check(z.maxLength(500))).check(z.maxLength(100))),
});
export type Display = z.infer<typeof display>;
