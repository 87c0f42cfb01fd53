/** Hours of the project's time zone, by weekday. Time is divided by date, and a date without a clock change needs one time zone look-up. Pure. */
import { dayMs, hourMs, weekdayOf, type Zone } from '#src/kit/zone.ts';

export const HOURS = 24;
export const WEEKDAYS = 7;

/** One hour of the clock of a date, `[from, until)` in ms. */
export interface ClockHour {
  from: number;
  until: number;
  /** Days since 1970. */
  date: number;
  /** Number of the weekday times 24, and the hour. */
  cell: number;
}

/** Hours within `[from, until)`, ascending, clipped. A repeated hour occurs once, a skipped one never. */
export function* clockHours(from: number, until: number, zone: Zone): Generator<ClockHour> {
  // Clocks that are put back over midnight show the date before once more: it belongs to the first hour of the next.
  const last = zone.dayAt(until - 1) + 1;
  for (let day = zone.dayAt(from); day <= last; day++) {
    const starts = startsOf(day, zone);
    const end = zone.startOfDay(day + 1);
    for (const [at, start] of starts.entries()) {
      const hour = { from: Math.max(start, from), until: Math.min(starts[at + 1] ?? end, until) };
      if (hour.from >= hour.until) continue;
      const ofDay = starts.length === HOURS ? at : Math.floor((zone.localAt(start) - day * dayMs) / hourMs);
      yield { ...hour, date: day, cell: weekdayOf(day) * HOURS + ofDay };
    }
  }
}

/** Values of cells as 7 weekdays (Sunday first) of 24 hours. */
export function byWeekday<Value>(cells: readonly Value[]): Value[][] {
  return Array.from({ length: WEEKDAYS }, (_, day) => cells.slice(day * HOURS, (day + 1) * HOURS));
}

/** When the hours of a date begin. */
function startsOf(day: number, zone: Zone): number[] {
  const [start, end] = [zone.startOfDay(day), zone.startOfDay(day + 1)];
  const hours = Array.from({ length: HOURS }, (_, hour) => hour);
  if (end - start === dayMs && zone.localAt(start) === day * dayMs) return hours.map((hour) => start + hour * hourMs);
  const starts: number[] = [];
  for (const hour of hours) {
    const at = Math.max(zone.instantOf(day * dayMs + hour * hourMs), start);
    // A skipped hour has the start of the next one.
    if (at < end && at > (starts.at(-1) ?? Number.NEGATIVE_INFINITY)) starts.push(at);
  }
  return starts;
}
