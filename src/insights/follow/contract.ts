/** Questions that follow people over time: trends. Read by the browser, so zod/mini only. Answers are JSON-safe: times are epoch ms. */
import * as z from 'zod/mini';
import { type Filters, filters, includedTraffic } from '#src/columns/contract.ts';
import { lineOf } from '#src/kit/line.ts';
import {
  asksAboutPersons,
  comparison,
  type Interval,
  intervals,
  type ResolvedRange,
  rangeInput,
  tellsOfPersons,
} from '../contract.ts';

/** Events of a name (null: of any) that fulfil the conditions. */
export const eventRule = z.strictObject({ event: z.nullable(lineOf(400)), filters: z.optional(filters) });
export type EventRuleInput = z.infer<typeof eventRule>;

/** Events of one kind, of one of several kinds, or those that reach a goal of the project. */
export const eventsAsked = z.union([
  eventRule,
  z.strictObject({ any: z.array(eventRule).check(z.minLength(1), z.maxLength(20)) }),
  z.strictObject({ goal: z.int() }),
]);
export type EventsAsked = z.infer<typeof eventsAsked>;

/** By a property of the events, by a present property of the persons, or by the events' name. */
export const breakdownBy = z.union([
  z.strictObject({ about: z.enum(['event', 'person']), name: lineOf(400) }),
  z.strictObject({ about: z.literal('name') }),
]);

/** What all these questions have. */
const scope = {
  range: rangeInput,
  /** Absent: everything but bots and the team's own. What they leave out is as if it had not happened. */
  filters: z.optional(filters),
  /** What is not left out. */
  include: z.optional(includedTraffic),
};

export const MOST_SERIES = 10;
/** Values that have rows of their own. */
const most = z._default(z.int().check(z.minimum(1), z.maximum(100)), 25);

const quantiles = { median: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 } as const;
const summings = ['mean', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;

/** The quantile that a name stands for; null for what is none. */
export function quantileOf(name: string): number | null {
  return Object.hasOwn(quantiles, name) ? quantiles[name as keyof typeof quantiles] : null;
}

/** Persons active in so many days, up to the end of each interval. */
export const activeDays = { dailyActive: 1, weeklyActive: 7, monthlyActive: 30 } as const;

/** Events, persons or visits with one, persons active in a number of days, events of each person, or what the numbers of a property come to. */
export const trendMeasure = z.union([
  z.enum(['events', 'persons', 'visits', 'dailyActive', 'weeklyActive', 'monthlyActive']),
  z.strictObject({ eventsPerPerson: z.enum(summings) }),
  z.strictObject({ property: lineOf(400), as: z.enum(['sum', ...summings]) }),
]);
export type TrendMeasure = z.infer<typeof trendMeasure>;

export const trendsInput = z.strictObject({
  ...scope,
  compare: z._default(comparison, 'none'),
  /** Absent: the default of the range. */
  interval: z.optional(z.enum(intervals)),
  series: z
    .array(z.strictObject({ of: eventsAsked, measure: z._default(trendMeasure, 'events') }))
    .check(z.minLength(1), z.maxLength(MOST_SERIES)),
  breakdown: z.optional(breakdownBy),
  most,
});
export type TrendsInput = z.infer<typeof trendsInput>;

/** By interval; null: not begun yet, before the project's first event, or nothing that it could be said of. */
export type Course = (number | null)[];

export interface TrendAnswerRow {
  /** '' of events that say nothing of it. Null: all values that have no row of their own. */
  value: string | null;
  /** Over the whole range, in which persons and visits are one each; of the active ones, that of the last interval. */
  total: number | null;
  course: Course;
  /** Of the comparison; null without one. */
  before: number | null;
  comparisonCourse: Course | null;
  /** Of a property: events that say something else than a number. */
  ignored: number;
}

export interface Trends {
  timeZone: string;
  range: ResolvedRange;
  comparison: ResolvedRange | null;
  interval: Interval;
  /** Start of each interval, ms; and of what each is compared with. */
  starts: number[];
  comparisonStarts: number[];
  /** Index of the interval that is still running, or null. */
  running: number | null;
  /** In the order of the question. Without a breakdown each has one row. */
  series: { rows: TrendAnswerRow[]; values: number }[];
}

/** What of a question may tell of persons. */
export interface Telling {
  filters?: Filters | undefined;
  events: readonly EventsAsked[];
  breakdown?: z.infer<typeof breakdownBy> | undefined;
}

/** Whether the answer would tell something of persons. */
export function tellsOfSome({ filters, events, breakdown }: Telling): boolean {
  if (asksAboutPersons(filters)) return true;
  if (breakdown !== undefined && breakdown.about !== 'name' && tellsOfPersons(breakdown)) return true;
  const rules = events.flatMap((each) => ('goal' in each ? [] : 'any' in each ? each.any : [each]));
  return rules.some((rule) => asksAboutPersons(rule.filters));
}
