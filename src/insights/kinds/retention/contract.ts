/** Retention. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import {
  breakdownBy,
  breakdownLimit,
  countedPer,
  eventScope,
  type Interval,
  intervals,
  type PropertyCoverage,
  type ResolvedRange,
  rangeInput,
} from '../../query/contract.ts';
import { eventsQuery } from '../../query/people/contract.ts';
import { MAX_POINT_TEXT } from '../../query/values.ts';

/** Brackets of an answer have so many periods at most. */
const MAX_LATER = 99;

export const retentionInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  per: countedPer,
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
  /**
   * Columns of several periods, by the last period of each, ascending. `[0, 3, 7]` is 0, 1 to 3 and 4 to 7.
   */
  brackets: z.optional(
    z.array(z.int().check(z.minimum(0), z.maximum(MAX_LATER))).check(
      z.minLength(1),
      z.maxLength(20),
      z.refine((ends) => ends.every((end, at) => at === 0 || end > (ends[at - 1] as number)), 'Must be ascending.'),
    ),
  ),
  /** Breakdown by a value that start and return events share. */
  breakdown: z.optional(breakdownBy),
  limit: breakdownLimit,
});
export type RetentionInput = z.infer<typeof retentionInput>;

/** People who started in a period (the first is 0) and returned in a column (`period`, the first is 0); null: the whole cohort. */
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
  /** How many periods after the beginning each column of cells begins and ends, both included. */
  columns: { from: number; to: number }[];
  /** Index of the period that is still running, or null: its cells are not complete, and in no mean. */
  running: number | null;
  rows: {
    value: string;
    /** For each period, who began in it, and how many of them came back, by columns that have begun. */
    cohorts: { size: number; returned: number[] }[];
    /** By columns, of all who began; and the mean of the cohorts' shares. Null: no cell is complete. */
    mean: (number | null)[];
    simpleMean: (number | null)[];
  }[];
  values: number;
  /** Of start events. */
  coverage: PropertyCoverage[];
}
