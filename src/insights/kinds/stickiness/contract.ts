/** Stickiness: in how many intervals persons were active. Read by the browser, so zod/mini only. */
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

export const stickinessInput = z.strictObject({
  range: rangeInput,
  ...eventScope,
  per: countedPer,
  interval: z._default(z.enum(intervals), 'day'),
  /** The event that makes a person active. */
  event: eventsQuery,
  /** So many events in an interval make a person active in it. */
  minCount: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
  /** Persons active in so many intervals or more, instead of in exactly so many. */
  cumulative: z._default(z.boolean(), false),
});
export type StickinessInput = z.infer<typeof stickinessInput>;

/** Persons active in so many intervals (or more, as the chart shows it). */
export const stickinessPoint = z.strictObject({ intervals: z.int().check(z.minimum(1)) });
export type StickinessPoint = z.infer<typeof stickinessPoint>;

export interface StickinessResult {
  timeZone: string;
  range: ResolvedRange;
  interval: Interval;
  /** Start of each interval that has begun, ms. */
  starts: number[];
  /** Index of the interval that is still running, or null. */
  running: number | null;
  /** Persons active in one interval, in two, and so on. */
  people: number[];
  /** Persons active in any. */
  total: number;
}
