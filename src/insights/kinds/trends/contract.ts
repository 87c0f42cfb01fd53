/** Trends: series of events by interval. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { COHORT, groupSubjects, isGroupSubject } from '#src/columns/values.ts';
import { formulaMessage, MAX_FORMULA, parseFormula } from '#src/kit/formula/values.ts';
import { lineOf } from '#src/kit/line.ts';
import {
  breakdownLimit,
  comparison,
  countedPer,
  eventScope,
  type PropertyCoverage,
  type ResolvedRange,
  rangeInput,
  type TrendInterval,
  trendIntervals,
} from '../../query/contract.ts';
import { eventsQuery } from '../../query/people/contract.ts';
import { MAX_POINT_TEXT } from '../../query/values.ts';

export const MAX_SERIES = 10;

const quantiles = { median: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 } as const;
const summings = ['mean', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;

/** The quantile that a name stands for; null for what is none. */
export function quantileOf(name: string): number | null {
  return Object.hasOwn(quantiles, name) ? quantiles[name as keyof typeof quantiles] : null;
}

/** Persons active in so many days, up to the end of each interval. */
export const activeDays = { dau: 1, wau: 7, mau: 30 } as const;

/** Persons whose first event it is: the first ever, which has to match the conditions of the series, or the first that matches them. */
export const firstMeasures = { firstEver: 'ever', firstMatching: 'matching' } as const;

/** A group type: how many of its groups have an event. */
const measures = [
  'events',
  'persons',
  'visits',
  'dau',
  'wau',
  'mau',
  'firstEver',
  'firstMatching',
  ...groupSubjects,
] as const;
type NamedMeasure = (typeof measures)[number];

/** Names before the first release of the API: still read. */
const formerMeasures: ReadonlyMap<unknown, NamedMeasure> = new Map([
  ['dailyActive', 'dau'],
  ['weeklyActive', 'wau'],
  ['monthlyActive', 'mau'],
]);

const namedMeasure = z.pipe(
  z.transform((given: unknown) => formerMeasures.get(given) ?? given),
  z.enum(measures),
) as unknown as z.ZodMiniType<NamedMeasure, NamedMeasure>;

/** Events, persons, visits or groups with one, persons active in a number of days, events of each person, or what the numbers of a property come to. */
export const trendMeasure = z.union([
  namedMeasure,
  z.strictObject({ eventsPerPerson: z.enum(summings) }),
  z.strictObject({ property: lineOf(400), as: z.enum(['sum', ...summings]) }),
]);
export type TrendMeasure = z.infer<typeof trendMeasure>;

/** True for measures that can count groups instead of persons (`per`): those active in some days, first events, and events of each. */
export function takesGroups(measure: TrendMeasure): boolean {
  if (typeof measure === 'object') return 'eventsPerPerson' in measure;
  return measure in activeDays || measure in firstMeasures;
}

export const MAX_FORMULAS = 5;
export const MAX_FORMULA_NAME = 100;

const formulaText = z.string().check(z.trim(), z.maxLength(MAX_FORMULA), (given) => {
  const parsed = parseFormula(given.value);
  if ('error' in parsed) {
    given.issues.push({ code: 'custom', input: given.value, message: formulaMessage(parsed.error) });
  }
});

/** Counted from the numbers of the series: `A / B`. Letters are the series in their order, `A` is the first. */
const formulaAsked = z.strictObject({
  formula: formulaText,
  /** Absent: the formula itself is its name. */
  name: z.optional(lineOf(MAX_FORMULA_NAME)),
  /** How screens write it; absent: as a number. */
  format: z.optional(z.enum(['number', 'percent'])),
});
export type FormulaAsked = z.infer<typeof formulaAsked>;

export const MAX_BREAKDOWNS = 3;
export const MAX_BINS = 50;

/** Intervals of numbers: where they begin, or how many of the same width or with about as many events. */
const bins = z.union([
  z.strictObject({ edges: z.array(z.number()).check(z.minLength(1), z.maxLength(MAX_BINS), ascending) }),
  z.strictObject({
    count: z.int().check(z.minimum(2), z.maximum(MAX_BINS)),
    by: z._default(z.enum(['width', 'quantile']), 'width'),
  }),
]);
export type Bins = z.infer<typeof bins>;

function ascending({ value, issues }: z.core.ParsePayload<number[]>): void {
  if (value.some((edge, at) => edge <= (value[at - 1] ?? Number.NEGATIVE_INFINITY))) {
    issues.push({ code: 'custom', input: value, message: 'Put the edges in ascending order, each once.' });
  }
}

/** One of the properties that events are broken down by. The cohort that is named: whether persons are in it. */
const breakdownPart = z.union([
  z.strictObject({ about: z.literal('event'), name: lineOf(400), bins: z.optional(bins) }),
  z.strictObject({ about: z.literal('person'), name: z.literal(COHORT), values: z.tuple([lineOf(200)]) }),
  z.strictObject({ about: z.literal('person'), name: lineOf(400), bins: z.optional(bins) }),
  z.strictObject({ about: z.enum(['session', ...groupSubjects]), name: lineOf(400), bins: z.optional(bins) }),
  z.strictObject({ about: z.literal('name') }),
]);
export type BreakdownPart = z.infer<typeof breakdownPart>;

const trendsBreakdown = z.union([
  breakdownPart,
  z.array(breakdownPart).check(z.minLength(1), z.maxLength(MAX_BREAKDOWNS)),
]);

/** The properties that trends are broken down by, in their order. */
export function breakdownParts({ breakdown }: Pick<TrendsInput, 'breakdown'>): BreakdownPart[] {
  if (breakdown === undefined) return [];
  return Array.isArray(breakdown) ? breakdown : [breakdown];
}

/** The values of a row, one for each property of the breakdown. @param count how many properties there are */
export function rowValues(value: string, count: number): string[] {
  return count > 1 ? (JSON.parse(value) as string[]) : [value];
}

const trendSeries = z
  .strictObject({
    event: eventsQuery,
    measure: z._default(trendMeasure, 'events'),
    /** Who is active, begins or has events, of measures about persons. Absent: persons. */
    per: countedPer,
    /** Only formulas use it: the result has no rows of it. */
    hidden: z.optional(z.boolean()),
  })
  .check(({ value: { measure, per }, issues }) => {
    if (!isGroupSubject(per) || takesGroups(measure)) return;
    const message = `This measure does not count groups. Use the measure ${per} for unique groups.`;
    issues.push({ code: 'custom', input: per, path: ['per'], message });
  });

export const trendsInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  compare: z._default(comparison, 'none'),
  /** Absent: the default of the range. */
  interval: z.optional(z.enum(trendIntervals)),
  series: z.array(trendSeries).check(z.minLength(1), z.maxLength(MAX_SERIES)),
  formulas: z.optional(z.array(formulaAsked).check(z.maxLength(MAX_FORMULAS))),
  breakdown: z.optional(trendsBreakdown),
  limit: breakdownLimit,
  /**
   * Each point is of all from the beginning of the range up to the end of its interval: people and visits are one each in it. Active users keep
   * their days.
   */
  cumulative: z.optional(z.boolean()),
  /** Adds the figures of each row by weekday and hour, over the whole range. */
  weeklyHeatmap: z.optional(z.boolean()),
});
export type TrendsInput = z.infer<typeof trendsInput>;
export type TrendSeries = TrendsInput['series'][number];

/** Dates of a range that is divided by weekday and hour, at most. */
export const MAX_HEATMAP_DATES = 400;

/**
 * A point of a series: of a row by its value (`''` without a breakdown, null for all others), in an interval (null: over the whole range),
 * or in an hour of the week.
 */
export const trendsPoint = z.strictObject({
  series: z.int().check(z.minimum(0), z.maximum(MAX_SERIES - 1)),
  value: z._default(z.nullable(z.string().check(z.maxLength(MAX_POINT_TEXT))), ''),
  interval: z._default(z.nullable(z.int().check(z.minimum(0))), null),
  /** Only with `weeklyHeatmap`, in the place of an interval. 0 is Sunday. */
  cell: z.optional(
    z.strictObject({
      weekday: z.int().check(z.minimum(0), z.maximum(6)),
      hour: z.int().check(z.minimum(0), z.maximum(23)),
    }),
  ),
});
export type TrendsPoint = z.infer<typeof trendsPoint>;

/** Values by interval; null: in the future, before the project's first event, or no data. */
export type Points = (number | null)[];

export interface TrendsResultRow {
  /** '' for a missing value; of several properties, the list of their values as JSON. Null: all values without a row. */
  value: string | null;
  /** Over the whole range, in which persons and visits are one each; of the active ones, that of the last interval. */
  total: number | null;
  points: Points;
  /** Value of the comparison; null without one. */
  previous: number | null;
  comparisonPoints: Points | null;
  /**
   * By weekday (0 Sunday) and hour of the project's time zone, over all weeks of the range: persons and visits are one each in a cell.
   * Null: not asked for; in it: no such hour in the range, or no data.
   */
  cells: Points[] | null;
  /** Of a property: events with a value that is no number. */
  ignored: number;
}

export interface TrendsResult {
  timeZone: string;
  range: ResolvedRange;
  comparison: ResolvedRange | null;
  interval: TrendInterval;
  /** Start of each interval, ms; and of what each is compared with. */
  starts: number[];
  comparisonStarts: number[];
  /** Index of the interval that is still running, or null. */
  running: number | null;
  /** In the order of the question. Without a breakdown each has one row, hidden ones have none. */
  series: { rows: TrendsResultRow[]; values: number }[];
  /** Of properties of the breakdown, over all series, then of measures. */
  coverage: PropertyCoverage[];
  /** Of each property of the breakdown, where the intervals of its numbers begin; null: it has none. */
  edges: (number[] | null)[];
  /** Of what the cells of rows are: on how many dates each hour was; null: not asked for. */
  weeklyHeatmap: { weekStart: 0 | 1; dates: number[]; datesByHour: number[][] } | null;
  /** In the order of the question. With a breakdown, and any formula, all series have rows of the same values. */
  formulas: { name: string; rows: TrendsResultRow[] }[];
}
