/** Funnels. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { groupSubjects } from '#src/columns/values.ts';
import {
  breakdownBy,
  breakdownLimit,
  comparison,
  eventScope,
  type Interval,
  intervals,
  type PropertyCoverage,
  type ResolvedRange,
  rangeInput,
} from '../../query/contract.ts';
import { type EventsQuery, eventsQuery } from '../../query/people/contract.ts';
import { MAX_POINT_TEXT } from '../../query/values.ts';

const windowUnits = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
};

const MAX_STEPS = 10;
const stepNumber = z.int().check(z.minimum(1), z.maximum(MAX_STEPS));

/**
 * Attribution of the breakdown value: of the first or last step; `all`: a separate entry for each value that all steps share; or each value
 * of a chosen step (the first is 1).
 */
export const attribution = z.union([z.enum(['first', 'last', 'all']), z.strictObject({ step: stepNumber })]);
export type Attribution = z.infer<typeof attribution>;

export const funnelInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  compare: z._default(comparison, 'none'),
  /** Interval of entry; absent: the default of the range. */
  interval: z.optional(z.enum(intervals)),
  steps: z.array(eventsQuery).check(z.minLength(2), z.maxLength(MAX_STEPS)),
  /** Steps (the first is 1) that are shown and need not be done; of the order `ordered`, neither the first nor the last. */
  optionalSteps: z._default(z.array(stepNumber).check(z.maxLength(MAX_STEPS)), []),
  /** `ordered`: other events may occur between steps. `strict`: none may. `any`: steps in any order. */
  order: z._default(z.enum(['ordered', 'strict', 'any']), 'ordered'),
  /** The longest time from the first step to the last; a month has 30 days. */
  conversionWindow: z._default(
    z.strictObject({
      count: z.int().check(z.minimum(1), z.maximum(10_000)),
      unit: z.enum(['second', 'minute', 'hour', 'day', 'week', 'month']),
    }),
    { count: 14, unit: 'day' },
  ),
  /** Events that must not occur between two steps (the first is 1): people with one are excluded. */
  exclusions: z._default(
    z.array(z.strictObject({ event: eventsQuery, afterStep: z.int(), beforeStep: z.int() })).check(z.maxLength(5)),
    [],
  ),
  per: z._default(z.enum(['persons', 'visits', ...groupSubjects]), 'persons'),
  breakdown: z.optional(breakdownBy),
  attribution: z._default(attribution, 'first'),
  limit: breakdownLimit,
});
export type FunnelInput = z.infer<typeof funnelInput>;

/**
 * People who reached a step (the first is 1), or (`dropped`) only the previous required one; of a breakdown value,
 * or of all without one. `interval`: the interval of entry. `time`: the interval of the time to convert (null: longer than all).
 */
export const funnelPoint = z.strictObject({
  step: z.int().check(z.minimum(1)),
  dropped: z._default(z.boolean(), false),
  value: z.optional(z.nullable(z.string().check(z.maxLength(MAX_POINT_TEXT)))),
  interval: z.optional(z.int().check(z.minimum(0))),
  time: z.optional(z.nullable(z.int().check(z.minimum(0)))),
});
export type FunnelPoint = z.infer<typeof funnelPoint>;

/** The events that a funnel names. */
export function eventsOfFunnel({ steps, exclusions }: Pick<FunnelInput, 'steps' | 'exclusions'>): EventsQuery[] {
  return [...steps, ...exclusions.map(({ event }) => event)];
}

export function windowMs({ count, unit }: FunnelInput['conversionWindow']): number {
  return count * windowUnits[unit];
}

export interface FunnelResultRow {
  /** '' for a missing value. Null: all values without a row, or no breakdown. */
  value: string | null;
  steps: {
    /** People who completed it; for required steps, who came at least this far. */
    count: number;
    /** The same by interval of entry. */
    points: number[];
    /** The same of the comparison; null without one. */
    previous: number | null;
    /** Share of people who entered, and of those with the previous required step; null without any. */
    conversionFromStart: number | null;
    conversionFromPrevious: number | null;
    /** Duration from the previous required step; null for the first step, and without people. */
    meanSecondsToConvert: number | null;
    medianSecondsToConvert: number | null;
  }[];
  /** From the first step to the last. */
  meanSecondsToConvert: number | null;
  medianSecondsToConvert: number | null;
}

export interface FunnelResult {
  timeZone: string;
  range: ResolvedRange;
  comparison: ResolvedRange | null;
  interval: Interval;
  /** Start of each interval, ms. */
  starts: number[];
  /** Index of the first interval whose entries can still convert, or null. */
  openFrom: number | null;
  total: FunnelResultRow;
  /** Histogram of the time to convert: the first interval starts at 0. Null without conversions. */
  times: { widthSeconds: number; counts: number[]; longer: number } | null;
  /** Rows by breakdown value; empty without a breakdown. */
  rows: FunnelResultRow[];
  values: number;
  /** Of events of the first step. */
  coverage: PropertyCoverage[];
  /** People excluded by exclusions. */
  excluded: number;
  /** People without conversion whose conversion window is still open. */
  open: number;
}
