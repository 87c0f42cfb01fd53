/** Funnels. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { breakdownBy, breakdownLimit, eventScope, type ResolvedRange, rangeInput } from '../../query/contract.ts';
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

export const funnelInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  steps: z.array(eventsQuery).check(z.minLength(2), z.maxLength(10)),
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
  /** Of what the first step says. */
  breakdown: z.optional(breakdownBy),
  limit: breakdownLimit,
});
export type FunnelInput = z.infer<typeof funnelInput>;

/** Who came to a step (the first is 1), or (`dropped`) did the step before and not this one; of a value of the breakdown, or without one of everybody. */
export const funnelPoint = z.strictObject({
  step: z.int().check(z.minimum(1)),
  dropped: z._default(z.boolean(), false),
  value: z.optional(z.nullable(z.string().check(z.maxLength(MAX_POINT_TEXT)))),
});
export type FunnelPoint = z.infer<typeof funnelPoint>;

export function windowMs({ count, unit }: FunnelInput['conversionWindow']): number {
  return count * windowUnits[unit];
}

export interface FunnelResultRow {
  /** '' when the first step says nothing of it. Null: of all values that have no row of their own, or without a breakdown. */
  value: string | null;
  steps: {
    /** Who came at least so far. */
    count: number;
    /** Of those who began, and of those who did the step before; null: there are none. */
    conversionFromStart: number | null;
    conversionFromPrevious: number | null;
    /** How long it took from the step before; null of the first, and when nobody came so far. */
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
  total: FunnelResultRow;
  /** By value; none without a breakdown. */
  rows: FunnelResultRow[];
  values: number;
  /** Left out by exclusions. */
  excluded: number;
  /** Who did not come to the end, and whose window is open still. */
  open: number;
}
