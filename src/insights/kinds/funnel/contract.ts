/** Funnels. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import {
  breakdownBy,
  breakdownLimit,
  comparison,
  eventScope,
  type Interval,
  intervals,
  type ResolvedRange,
  rangeInput,
} from '../../query/contract.ts';
import { eventsQuery } from '../../query/people/contract.ts';
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
 * Whose value an entry has: that of its first or its last step; for each value an entry of its own, of steps that all say it; or, of a chosen
 * step (the first is 1), for each value that it says.
 */
export const attribution = z.union([z.enum(['first', 'last', 'all']), z.strictObject({ step: stepNumber })]);
export type Attribution = z.infer<typeof attribution>;

export const funnelInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  compare: z._default(comparison, 'none'),
  /** Of entry; absent: the default of the range. */
  interval: z.optional(z.enum(intervals)),
  steps: z.array(eventsQuery).check(z.minLength(2), z.maxLength(MAX_STEPS)),
  /** Steps (the first is 1) that are shown and need not be done; of the order `ordered`, neither the first nor the last. */
  optionalSteps: z._default(z.array(stepNumber).check(z.maxLength(MAX_STEPS)), []),
  /** `ordered`: anything may lie between two steps. `strict`: nothing. `any`: in whatever order. */
  order: z._default(z.enum(['ordered', 'strict', 'any']), 'ordered'),
  /** The longest time from the first step to the last; a month has 30 days. */
  conversionWindow: z._default(
    z.strictObject({
      count: z.int().check(z.minimum(1), z.maximum(10_000)),
      unit: z.enum(['second', 'minute', 'hour', 'day', 'week', 'month']),
    }),
    { count: 14, unit: 'day' },
  ),
  /** What must not happen after one step and before a later one (the first is 1): who does it is left out. */
  exclusions: z._default(
    z.array(z.strictObject({ event: eventsQuery, afterStep: z.int(), beforeStep: z.int() })).check(z.maxLength(5)),
    [],
  ),
  per: z._default(z.enum(['persons', 'visits']), 'persons'),
  breakdown: z.optional(breakdownBy),
  attribution: z._default(attribution, 'first'),
  limit: breakdownLimit,
});
export type FunnelInput = z.infer<typeof funnelInput>;

/**
 * Who came to a step (the first is 1), or (`dropped`) to the one before that is not optional, and not to this one; of a value of the breakdown,
 * or without one of everybody. `interval`: who entered in this one. `time`: who took so long to the last step (null: longer than all intervals).
 */
export const funnelPoint = z.strictObject({
  step: z.int().check(z.minimum(1)),
  dropped: z._default(z.boolean(), false),
  value: z.optional(z.nullable(z.string().check(z.maxLength(MAX_POINT_TEXT)))),
  interval: z.optional(z.int().check(z.minimum(0))),
  time: z.optional(z.nullable(z.int().check(z.minimum(0)))),
});
export type FunnelPoint = z.infer<typeof funnelPoint>;

export function windowMs({ count, unit }: FunnelInput['conversionWindow']): number {
  return count * windowUnits[unit];
}

export interface FunnelResultRow {
  /** '' when nothing is said of it. Null: of all values that have no row of their own, or without a breakdown. */
  value: string | null;
  steps: {
    /** Who did it; of a step that is not optional, who came at least so far. */
    count: number;
    /** The same by interval of entry. */
    points: number[];
    /** The same of the comparison; null without one. */
    previous: number | null;
    /** Of those who began, and of those who did the step before that is not optional; null: there are none. */
    conversionFromStart: number | null;
    conversionFromPrevious: number | null;
    /** How long it took from the step before that is not optional; null of the first, and when nobody came so far. */
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
  /** How many took how long from the first step to the last: the first interval begins at 0. Null: nobody converted. */
  times: { widthSeconds: number; counts: number[]; longer: number } | null;
  /** By value; none without a breakdown. */
  rows: FunnelResultRow[];
  values: number;
  /** Left out by exclusions. */
  excluded: number;
  /** Who did not come to the end, and whose window is open still. */
  open: number;
}
