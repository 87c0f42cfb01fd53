/** The days from an annotation on, compared with as many before it. Pure. */
import { addDays, daysBetween } from '#views/words/zone.ts';
import type { Dates } from '../dates.ts';

/** Days on each side at most. */
const MAX_DAYS = 28;
const WEEK = 7;

export interface Around {
  range: Dates;
  compare: Dates;
}

/** Whole weeks where there are any, so that both sides have the same weekdays; null: its day has not come. */
export function aroundOf(day: string, today: string): Around | null {
  const passed = daysBetween(day, today) + 1;
  if (passed < 1) return null;
  const days = Math.min(MAX_DAYS, passed < WEEK ? passed : passed - (passed % WEEK));
  return {
    range: { from: day, to: addDays(day, days - 1) },
    compare: { from: addDays(day, -days), to: addDays(day, -1) },
  };
}
