/** The hours of a project's clock, by weekday: time is divided date by date, and a date whose clocks do not change takes one look at the zone. Pure. */
import { dayMs, hourMs, weekdayOf, type Zone } from '#src/kit/zone.ts';

export const HOURS = 24;

/** One hour of the clock of a date, `[from, until)` in ms. */
export interface ClockHour {
  from: number;
  until: number;
  /** Days since 1970. */
  date: number;
  /** Number of the weekday times 24, and the hour. */
  cell: number;
}

/** The hours of the dates that a time touches, ascending, cut at its ends. An hour that is repeated is one, one that is skipped is absent. */
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

/** When the hours of a date begin. */
function startsOf(day: number, zone: Zone): number[] {
  const [start, end] = [zone.startOfDay(day), zone.startOfDay(day + 1)];
  const hours = Array.from({ length: HOURS }, (_, hour) => hour);
  if (end - start === dayMs && zone.localAt(start) === day * dayMs) return hours.map((hour) => start + hour * hourMs);
  const starts: number[] = [];
  for (const hour of hours) {
    const at = Math.max(zone.instantOf(day * dayMs + hour * hourMs), start);
    // A skipped hour begins where the next one begins: one start for both.
    if (at < end && at > (starts.at(-1) ?? Number.NEGATIVE_INFINITY)) starts.push(at);
  }
  return starts;
}
