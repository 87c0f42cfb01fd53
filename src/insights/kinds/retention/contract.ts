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
   * In which period someone begins: in that of their first start ever (if it fulfils the conditions), in that of the first which does, or in
   * each in which they start.
   */
  kind: z._default(z.enum(['firstEver', 'firstMatching', 'recurring']), 'firstEver'),
  /** So many events of a period make a return. */
  minCount: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
  /** A return counts for all periods before it too ("on or after"). */
  rolling: z._default(z.boolean(), false),
  /** Start and return say the same of it; of `recurring` only. */
  breakdown: z.optional(breakdownBy),
  limit: breakdownLimit,
});
export type RetentionInput = z.infer<typeof retentionInput>;

/** Who began in a period (the first is 0) and came back so many periods later; null: all who began in it. */
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
    /** For each period, who began in it, and how many of them came back in it, one later, and so on. */
    cohorts: { size: number; returned: number[] }[];
    /** By periods later, of all who began; and the mean of the cohorts' shares. Null: no cell is complete. */
    mean: (number | null)[];
    simpleMean: (number | null)[];
  }[];
  values: number;
}
