/** Questions that follow people over time: trends, funnels, retention, paths. Read by the browser, so zod/mini only. Answers are JSON-safe: times are epoch ms. */
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
} from '../../contract.ts';
import {
  criteriaOf,
  type EventsAsked,
  eventsAsked,
  type PeopleAsked,
  peopleAsked,
  tellsWhoTheyAre,
} from '../people/contract.ts';

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
  /** Whose events count; absent: everybody's. */
  people: z.optional(peopleAsked),
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

const windowUnits = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
};

export const funnelInput = z.strictObject({
  ...scope,
  steps: z.array(eventsAsked).check(z.minLength(2), z.maxLength(10)),
  /** `ordered`: anything may lie between two steps. `strict`: nothing. `any`: in whatever order. */
  order: z._default(z.enum(['ordered', 'strict', 'any']), 'ordered'),
  /** The longest time from the first step to the last; a month has 30 days. */
  window: z._default(
    z.strictObject({
      count: z.int().check(z.minimum(1), z.maximum(10_000)),
      unit: z.enum(['second', 'minute', 'hour', 'day', 'week', 'month']),
    }),
    { count: 14, unit: 'day' },
  ),
  /** What must not happen after one step and before a later one (the first is 1): who does it is left out. */
  exclusions: z._default(
    z.array(z.strictObject({ of: eventsAsked, after: z.int(), before: z.int() })).check(z.maxLength(5)),
    [],
  ),
  per: z._default(z.enum(['persons', 'visits']), 'persons'),
  /** Of what the first step says. */
  breakdown: z.optional(breakdownBy),
  most,
});
export type FunnelInput = z.infer<typeof funnelInput>;

export function windowMs({ count, unit }: FunnelInput['window']): number {
  return count * windowUnits[unit];
}

export interface FunnelAnswerRow {
  /** '' when the first step says nothing of it. Null: of all values that have no row of their own, or without a breakdown. */
  value: string | null;
  steps: {
    /** Who came at least so far. */
    count: number;
    /** Of those who began, and of those who did the step before; null: there are none. */
    ofFirst: number | null;
    ofBefore: number | null;
    /** How long it took from the step before; null of the first, and when nobody came so far. */
    meanSeconds: number | null;
    medianSeconds: number | null;
  }[];
  /** From the first step to the last. */
  meanSeconds: number | null;
  medianSeconds: number | null;
}

export interface FunnelAnswer {
  timeZone: string;
  range: ResolvedRange;
  total: FunnelAnswerRow;
  /** By value; none without a breakdown. */
  rows: FunnelAnswerRow[];
  values: number;
  /** Left out by exclusions. */
  excluded: number;
  /** Who did not come to the end, and whose window is open still. */
  open: number;
}

export const MOST_PERIODS = 100;

export const retentionInput = z.strictObject({
  ...scope,
  period: z._default(z.enum(intervals), 'day'),
  start: eventsAsked,
  back: eventsAsked,
  /**
   * In which period somebody begins: in that of their first start ever (if it fulfils the conditions), in that of the first which does, or in
   * each in which they start.
   */
  kind: z._default(z.enum(['firstEver', 'firstMatching', 'recurring']), 'firstEver'),
  /** So many events of a period make a return. */
  least: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
  /** A return counts for all periods before it too ("on or after"). */
  rolling: z._default(z.boolean(), false),
  /** Start and return say the same of it; of `recurring` only. */
  breakdown: z.optional(breakdownBy),
  most,
});
export type RetentionInput = z.infer<typeof retentionInput>;

export interface RetentionAnswer {
  timeZone: string;
  /** Widened to whole periods. */
  range: ResolvedRange;
  period: Interval;
  /** Start of each period that has begun, ms. */
  starts: number[];
  /** Index of the period that is still running, or null: its cells are not complete, and in no mean. */
  running: number | null;
  rows: {
    value: string;
    /** For each period, who began in it, and how many of them came back in it, one later, and so on. */
    cohorts: { size: number; returned: number[] }[];
    /** By periods later, of all who began; and the mean of the cohorts' shares. Null: no cell is complete. */
    mean: (number | null)[];
    simpleMean: (number | null)[];
  }[];
  values: number;
}

/** A name, in which `*` stands for anything. */
const stepPattern = lineOf(1000);

export const pathsInput = z.strictObject({
  ...scope,
  /** Pages and screens, events of one's own, or both. */
  of: z._default(z.enum(['pages', 'events', 'all']), 'pages'),
  /** So many steps of each path. */
  length: z._default(z.int().check(z.minimum(3), z.maximum(20)), 5),
  start: z.optional(lineOf(1000)),
  end: z.optional(lineOf(1000)),
  /** What fits one of these is one step, named as it is. */
  groups: z._default(z.array(stepPattern).check(z.maxLength(100)), []),
  /** As if it had not happened. */
  exclude: z._default(z.array(stepPattern).check(z.maxLength(100)), []),
  /** As long without a step ends a path. */
  pauseMinutes: z._default(z.int().check(z.minimum(1), z.maximum(1440)), 30),
  /** Transitions that are told of, the commonest first, and which of them. */
  most: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 50),
  least: z._default(z.int().check(z.minimum(1)), 1),
  atMost: z.optional(z.int().check(z.minimum(1))),
});
export type PathsInput = z.infer<typeof pathsInput>;

export interface PathsAnswer {
  timeZone: string;
  range: ResolvedRange;
  /** How many paths there are. */
  paths: number;
  /** Transitions, not people. `step`: of the first of both, from 1 on. Null: steps in the middle that are not told of. */
  edges: { step: number; from: string | null; to: string | null; count: number; meanSeconds: number }[];
  /** Those beyond `most`, and their transitions. */
  others: { edges: number; count: number };
}

/** What of a question may tell of persons. */
export interface Telling {
  filters?: Filters | undefined;
  series?: readonly { of: EventsAsked; measure: TrendMeasure }[] | undefined;
  steps?: readonly EventsAsked[] | undefined;
  exclusions?: readonly { of: EventsAsked }[] | undefined;
  /** Of paths: the name of a step. */
  start?: EventsAsked | string | undefined;
  back?: EventsAsked | undefined;
  people?: PeopleAsked | undefined;
  breakdown?: z.infer<typeof breakdownBy> | undefined;
}

/** Whether the answer would tell something of persons. */
export function tellsOfSome(question: Telling): boolean {
  const { filters, people, breakdown, series = [] } = question;
  if (asksAboutPersons(filters)) return true;
  if (breakdown !== undefined && breakdown.about !== 'name' && tellsOfPersons(breakdown)) return true;
  // The largest of all numbers is one that somebody has.
  const summedUp = series.flatMap(({ measure }) => (isOfProperty(measure) ? [measure.property] : []));
  if (summedUp.some((name) => tellsOfPersons({ about: 'event', name }))) return true;
  if (people !== undefined && tellsWhoTheyAre(people)) return true;
  const rules = eventsIn(question).flatMap((each) => ('goal' in each ? [] : 'any' in each ? each.any : [each]));
  return rules.some((rule) => asksAboutPersons(rule.filters));
}

function isOfProperty(measure: TrendMeasure): measure is Extract<TrendMeasure, { property: string }> {
  return typeof measure === 'object' && 'property' in measure;
}

/** All events that a question names. */
export function eventsIn({ series = [], steps = [], exclusions = [], start, back, people }: Telling): EventsAsked[] {
  return [
    ...[...series, ...exclusions].map(({ of }) => of),
    ...[...steps, start, back].filter((each) => typeof each === 'object'),
    ...(people === undefined ? [] : criteriaOf(people)).flatMap((each) => ('did' in each ? each.did : [])),
  ];
}
