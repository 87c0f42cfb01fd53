/** The overview: figures of a range, compared, and by interval. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import type { Traffic } from '#src/columns/contract.ts';
import { rowId } from '#src/kit/row.ts';
import type { GoalFigure } from '../../goals/contract.ts';
import {
  comparison,
  eventScope,
  type GoalPer,
  goalPer,
  type Interval,
  intervals,
  type MetricValue,
  type ResolvedRange,
  rangeInput,
} from '../../query/contract.ts';
import { overviewMetrics } from './values.ts';

export const overviewInput = z.object({
  range: rangeInput,
  compare: comparison,
  /** Absent: the default of the range (at most 2 days hour, 90 days day, 12 months week, else month). */
  interval: z.optional(z.enum(intervals)),
  /**
   * Without an interval, while the project's first event is less than a day old: by hours, from the date of that event on, and compared with
   * nothing. For ranges that are not over and may be divided into hours.
   */
  firstDay: z.optional(z.boolean()),
  ...eventScope,
  /** Id of a goal of the project, to include its figures. */
  goal: z.optional(rowId),
  per: goalPer,
});
export type OverviewInput = z.infer<typeof overviewInput>;

export { overviewMetrics };
export type OverviewMetric = (typeof overviewMetrics)[number];

/**
 * Caveats of a number. `visitorDays`: the range has several dates and possibly cookieless visitors, who
 * count as new visitors each day. `noClicks`, `noLeaves`: no clicks or page leaves were
 * recorded, so that the bounce rate may be too high.
 */
export const caveats = ['visitorDays', 'noClicks', 'noLeaves'] as const;
export type Caveat = (typeof caveats)[number];

export interface Overview {
  timeZone: string;
  range: ResolvedRange;
  comparison: ResolvedRange | null;
  interval: Interval;
  /** Intervals that the range allows. */
  allowedIntervals: Interval[];
  metrics: Record<OverviewMetric, MetricValue>;
  /** Start of each interval, ms. */
  starts: number[];
  /** Index of the interval that is still running, or null. */
  running: number | null;
  /** Null: before the project's first event, not begun yet, nothing to divide by, or (compared) a date or hour that did not exist. */
  series: Record<OverviewMetric, (number | null)[]>;
  /** Start of what each interval is compared with: the same hour or date of the shifted calendar. */
  comparisonStarts: number[];
  comparisonSeries: Record<OverviewMetric, (number | null)[]> | null;
  /** Excluded from every number above: page views by bots, and of internal traffic. */
  excluded: Record<Traffic, number>;
  /** In every number above, since they were asked for. */
  included: Record<Traffic, number>;
  caveats: Caveat[];
  /** The goal that was asked for; null without one. */
  goal: OverviewGoal | null;
}

/** Values by interval, as in the series of the overview. */
type Course = (number | null)[];

/** The chosen goal on the overview: what was reached, and its course. */
export interface OverviewGoal extends GoalFigure {
  id: number;
  name: string;
  per: GoalPer;
  series: { conversions: Course; conversionRate: Course };
  comparisonSeries: { conversions: Course; conversionRate: Course } | null;
  /** Series by currency, in the order of `revenue`. */
  revenueSeries: { currency: string; series: Course; comparisonSeries: Course | null }[];
}
