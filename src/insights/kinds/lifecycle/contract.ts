/** Lifecycle: who is new, stays, comes back or goes dormant in each interval. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import {
  countedPer,
  eventScope,
  type Interval,
  intervals,
  type ResolvedRange,
  rangeInput,
} from '../../query/contract.ts';
import { eventsQuery } from '../../query/people/contract.ts';

export const lifecycleInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  per: countedPer,
  /** Absent: the default of the range. */
  interval: z.optional(z.enum(intervals)),
  /** The event that makes a person active. */
  event: eventsQuery,
});
export type LifecycleInput = z.infer<typeof lifecycleInput>;

/** Persons of a state in an interval (the first is 0). */
export const lifecyclePoint = z.strictObject({
  interval: z.int().check(z.minimum(0)),
  state: z.enum(['new', 'returning', 'resurrecting', 'dormant']),
});
export type LifecyclePoint = z.infer<typeof lifecyclePoint>;

export interface LifecycleResult {
  timeZone: string;
  /** Widened to whole intervals. */
  range: ResolvedRange;
  interval: Interval;
  /** Start of each interval that has begun, ms. */
  starts: number[];
  /** Index of the interval that is still running, or null. */
  running: number | null;
  /** Active persons of each interval with their first event of any kind in it. */
  new: number[];
  /** Active in the interval before too. */
  returning: number[];
  /** Active now, not in the interval before, and not new. */
  resurrecting: number[];
  /** Active in the interval before, not in this one; null while it is running: they may still come. */
  dormant: (number | null)[];
}
