/**
 * When recurring work is due. Slots of the wall clock, looked at in steps of the elapsed time: a clock that jumps, ahead or back, is one
 * run too many and never a wait for the moment that it showed.
 */
import type { JobInterval } from './contract.ts';

const MINUTE = 60_000;
/** Hours and days (UTC) begin off the round ones, when everybody's timers fire. */
const SLOTS: Record<JobInterval, { every: number; after: number }> = {
  minute: { every: MINUTE, after: 0 },
  hour: { every: 60 * MINUTE, after: 7 * MINUTE },
  day: { every: 24 * 60 * MINUTE, after: (3 * 60 + 23) * MINUTE },
};

/** The number of the minute, hour or day that a time lies in. */
export function slotOf(every: JobInterval, ms: number): number {
  return Math.floor((ms - SLOTS[every].after) / SLOTS[every].every);
}

/** Until the next minute begins. */
export function untilNextMinute(nowMs: number): number {
  return MINUTE - (((nowMs % MINUTE) + MINUTE) % MINUTE);
}
