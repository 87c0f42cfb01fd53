/** Questions and answers about what happened. Read by the browser, so zod/mini only. Answers are JSON-safe: times are epoch ms. */
import * as z from 'zod/mini';
import type { FilterSubject, Filters, Traffic } from '#src/columns/contract.ts';
import { rowId } from '#src/kit/row.ts';
import type { OverviewGoal } from './goals/contract.ts';
import { sortColumns } from './kinds/breakdown/rows/contract.ts';
import { whichEvents } from './query/people/contract.ts';
import { isoDate, type RangeInput, type RangePreset, rangeInput, rangePresets } from './query/range/contract.ts';

export type { RangeInput, RangePreset };
export { rangeInput, rangePresets };

export const comparisons = ['previous', 'year', 'weekday', 'none'] as const;
export type NamedComparison = (typeof comparisons)[number];

/**
 * `previous`: as long, just before. `year`: the same dates a year before. `weekday`: a year before, the same weekdays (52 weeks). Or dates,
 * both included: as many as in the range are compared date by date, others bucket by bucket as far as they go.
 */
export const comparison = z.union([z.enum(comparisons), z.object({ from: isoDate, to: isoDate })]);
export type Comparison = z.infer<typeof comparison>;

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

/** Of what a rate of conversions is a share: of visitors, those who reached the goal; of visits, those in which it was reached. */
export const goalPers = ['visitor', 'visit'] as const;
export type GoalPer = (typeof goalPers)[number];
/** Absent: of visitors. */
export const goalPer = z.optional(z.enum(goalPers));

export const overviewInput = z.object({
  project: z.string().check(z.minLength(1), z.maxLength(64)),
  range: rangeInput,
  compare: comparison,
  /** Absent: the default of the range (at most 2 days hour, 90 days day, 12 months week, else month). */
  interval: z.optional(z.enum(intervals)),
  /**
   * Without an interval, while the project's first event is less than a day old: by hours, from the date of that event on, and compared with
   * nothing. For ranges that are not over and may be divided into hours.
   */
  firstDay: z.optional(z.boolean()),
  ...whichEvents,
  /** Number of a goal of the project: the answer tells of it too. */
  goal: z.optional(rowId),
  per: goalPer,
});
export type OverviewInput = z.infer<typeof overviewInput>;

/** Whether an answer would tell something of persons: by filters, everything of them can be found out piece by piece. */
export function asksAboutPersons(asked: Filters | undefined): boolean {
  return asked?.of.some((each) => ('of' in each ? asksAboutPersons(each) : tellsOfPersons(each))) ?? false;
}

/** Properties of events that say who it was. */
const namesOfPersons = new Set([
  ...['$ip', '$user_id', '$device_id', '$anon_distinct_id', '$alias', 'distinct_id', '$distinct_id', '$groups'],
  // What was said of them with an event, and what tells one visit from another.
  ...['$set', '$set_once', '$unset', '$session_id', '$window_id', '$initial_person_info'],
]);

/** Whether values of this property tell one person from another. */
export function tellsOfPersons({ about, name }: { about: FilterSubject; name: string }): boolean {
  return about === 'person' || (about === 'event' && namesOfPersons.has(name));
}

export const overviewMetrics = ['visitors', 'visits', 'views', 'viewsPerVisit', 'bounceRate', 'visitDuration'] as const;
export type OverviewMetric = (typeof overviewMetrics)[number];

/** A range with its edges: [from, to) in ms; dates are the project's. */
export interface ResolvedRange {
  from: number;
  to: number;
  fromDate: string;
  toDate: string;
  /** Set when the range is not over: the moment up to which it is counted (its comparison up to the same wall clock time). */
  until: number | null;
}

export interface MetricValue {
  /** Counts; viewsPerVisit as a mean; bounceRate as a share 0..1; visitDuration in seconds. Null: nothing to divide by. */
  value: number | null;
  /** The same for the comparison range; null without one or nothing to divide by. */
  before: number | null;
  /** Ratios: numerator and denominator of `value`. */
  parts?: { numerator: number; denominator: number };
  /** Of visitDuration: the middle one. */
  median?: number | null;
}

/**
 * What makes a number another than it seems. `visitorDays`: there are several dates, and visitors may be among them who were counted
 * without storage on their device, each of whose days is another visitor. `noClicks`, `noLeaves`: pages were viewed, and no click was
 * recorded, or no leaving of a page, so that visits count as bounces that are none.
 */
export const caveats = ['visitorDays', 'noClicks', 'noLeaves'] as const;
export type Caveat = (typeof caveats)[number];

export interface Overview {
  timeZone: string;
  range: ResolvedRange;
  comparison: ResolvedRange | null;
  interval: Interval;
  /** Which intervals the range allows. */
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
  /** Left out of every number above: page views by bots, and of the team's own. */
  excluded: Record<Traffic, number>;
  /** In every number above, since they were asked for. */
  included: Record<Traffic, number>;
  caveats: Caveat[];
  /** Properties of the filters that hardly any event has: rows are read for them, which takes longer. */
  rare: string[];
  /** The goal that was asked for; null without one. */
  goal: OverviewGoal | null;
}

/**
 * By what tables are made. `page`: views by path. `event`: events of any name. `outbound`: autocaptured clicks on links to other hosts, by
 * where they led. All others: visits, by what is known of the visit as a whole (src/columns/filters/visit-fields.ts).
 */
export const breakdownDimensions = [
  ...(['page', 'entryPage', 'exitPage', 'outbound'] as const),
  ...(['channel', 'referringDomain', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'] as const),
  ...(['country', 'language', 'timeZone'] as const),
  ...(['deviceType', 'browser', 'system', 'screenSize'] as const),
  'event',
] as const;
export type BreakdownDimension = (typeof breakdownDimensions)[number];

/** Rows of a table that are given at once. */
export const MOST_ROWS = 1_000;

/** Of a table with more rows than are given at once. */
export const breakdownOrder = z.object({
  sort: z.enum(sortColumns),
  reversed: z.boolean(),
  /** Only rows whose value holds this, without regard to case; '': all. */
  find: z.string().check(z.maxLength(200)),
  /** From 1 on; each has `limit` rows. */
  page: z.int().check(z.minimum(1), z.maximum(100_000)),
});
export type BreakdownOrder = z.infer<typeof breakdownOrder>;

export const breakdownInput = z.object({
  project: z.string().check(z.minLength(1), z.maxLength(64)),
  range: rangeInput,
  compare: comparison,
  dimension: z.enum(breakdownDimensions),
  ...whichEvents,
  limit: z._default(z.int().check(z.minimum(1), z.maximum(MOST_ROWS)), 8),
  /** With the further columns that the dimension has. */
  more: z.optional(z.boolean()),
  /** Number of a goal of the project: of pages and visits, the further columns tell what was reached of it too. */
  goal: z.optional(rowId),
  /** Absent: the commonest. */
  order: z.optional(breakdownOrder),
});
export type BreakdownInput = z.infer<typeof breakdownInput>;

/**
 * After the first four, which every table has, those of `more`. Of `page`: visits that were entered with the page (`entries`) and how many
 * of them were bounces, visits that ended with it (`exits`), and of the views that are known to have ended in the range the mean seconds
 * (`timeOnPage`, at most 30 minutes each) and the mean share of the page that was seen (`scrollDepth`, 0..1); null without any. Filters on
 * pages hold for the one that was viewed, other conditions on events for the end. Of visits: how many were bounces, and the length of all in seconds.
 * With a goal, of `page`: events that reach it there (`conversions`), and how many of the row's visitors did so (`converters`); of visits: in how
 * many it was reached (`converted`). Last, where pages of several hosts are in the range, the page's `host` ('' = none): there each has rows of its own.
 */
export const breakdownColumns = [
  'value',
  'visitors',
  'count',
  'before',
  'entries',
  'bounced',
  'exits',
  'timeOnPage',
  'scrollDepth',
  'seconds',
  'conversions',
  'converters',
  'converted',
  'host',
] as const;
export type BreakdownColumn = (typeof breakdownColumns)[number];

/** A table by one dimension. Rows sorted by count, then value, unless another order was asked for. */
export interface Breakdown {
  dimension: BreakdownDimension;
  cols: BreakdownColumn[];
  /** value ('' = none), visitors, count (views, events or visits), count of the comparison range (null without one), and further columns. */
  rows: [string, number, number, number | null, ...(number | string | null)[]][];
  /** Sum of `count` over all values. */
  total: number;
  /** How many values hold what is looked for: all without it. */
  found: number;
  /** How many values are not in `rows`, and their summed count. */
  others: { values: number; count: number };
  /** As of `Overview`. */
  rare: string[];
}
