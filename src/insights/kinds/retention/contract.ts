/** Retention. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import {
  breakdownBy,
  breakdownLimit,
  eventScope,
  type Interval,
  intervals,
  type ResolvedRange,
  rangeInput,
} from '../../query/contract.ts';
import { eventsQuery } from '../../query/people/contract.ts';
import { MAX_POINT_TEXT } from '../../query/values.ts';

export const retentionInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  period: z._default(z.enum(intervals), 'day'),
  startEvent: eventsQuery,
  returningEvent: eventsQuery,
  /**
   * Cohort of a person: the period of their first start ever (if it matches the conditions), of the first matching start, or
   * every period with a start.
   */
  kind: z._default(z.enum(['firstEver', 'firstMatching', 'recurring']), 'firstEver'),
  /** So many events of a period make a return. */
  minCount: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
  /** A return counts for all periods before it too ("on or after"). */
  rolling: z._default(z.boolean(), false),
  /** Breakdown by a value that start and return share; `recurring` only. */
  breakdown: z.optional(breakdownBy),
  limit: breakdownLimit,
});
export type RetentionInput = z.infer<typeof retentionInput>;

/** People who started in a period (the first is 0) and returned that many periods later; null: the whole cohort. */
export const retentionPoint = z.strictObject({
  cohort: z.int().check(z.minimum(0)),
  period: z._default(z.nullable(z.int().check(z.minimum(0))), null),
  value: z._default(z.string().check(z.maxLength(MAX_POINT_TEXT)), ''),
});
export type RetentionPoint = z.infer<typeof retentionPoint>;

export interface RetentionResult {
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
    /** Cohorts by period: size, and returned people in the same period, one later, and so on. */
    cohorts: { size: number; returned: number[] }[];
    /** By periods later: share of all started people, and mean of the cohorts' shares. Null: no complete cell. */
    mean: (number | null)[];
    simpleMean: (number | null)[];
  }[];
  values: number;
}
