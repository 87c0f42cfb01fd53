/**
 * Due times of jobs: wall clock slots, checked by elapsed time. A clock jump in either direction causes at most one
 * extra run, and never a long wait.
 */
import type { JobInterval } from './contract.ts';

const MINUTE = 60_000;
/** Hourly and daily slots (UTC) are off the full hour, when many other timers fire. */
const SLOTS: Record<JobInterval, { every: number; after: number }> = {
  minute: { every: MINUTE, after: 0 },
  hour: { every: 60 * MINUTE, after: 7 * MINUTE },
  day: { every: 24 * 60 * MINUTE, after: (3 * 60 + 23) * MINUTE },
};

/** The number of the minute, hour or day that a time lies in. */
export function slotOf(every: JobInterval, ms: number): number {
  return Math.floor((ms - SLOTS[every].after) / SLOTS[every].every);
}

/** Milliseconds until the next minute. */
export function untilNextMinute(nowMs: number): number {
  return MINUTE - (((nowMs % MINUTE) + MINUTE) % MINUTE);
}
