/** On how many dates each hour of the week was. Weeks in which clocks do not change are counted whole, so decades take milliseconds. Pure. */
import { dayMs, weekdayOf, type Zone } from '#src/kit/zone.ts';
import { clockHours, HOURS } from './clock-hours.ts';

const WEEK = 7;

export interface DateCounts {
  /** By weekday: number of started dates. */
  dates: number[];
  /** By cell: number of dates whose hour ended after the first event. */
  datesByCell: number[];
}

/**
 * @param range `[from, to)` in ms, of which what is before `until` has begun
 * @param first time of the first event, ms
 */
export function countDates(range: { from: number; to: number; until: number }, first: number, zone: Zone): DateCounts {
  const dates = Array.from({ length: WEEK }, () => 0);
  const datesByCell = Array.from({ length: WEEK * HOURS }, () => 0);
  let weeks = 0;
  let weeksWithEvents = 0;
  const firstDay = first >= range.to ? Number.POSITIVE_INFINITY : zone.dayAt(first);
  const [begin, end] = [zone.dayAt(range.from), zone.dayAt(range.until - 1)];
  for (let day = begin; day <= end; ) {
    // Dates at the edges, and those around the first event, are counted by the hour.
    const isInside = day > begin && day + WEEK <= end && (firstDay < day || firstDay >= day + WEEK);
    if (isInside && isOrdinary(day, zone)) {
      weeks++;
      if (firstDay < day) weeksWithEvents++;
      day += WEEK;
    } else {
      countHours(day);
      day++;
    }
  }
  return {
    dates: dates.map((count) => count + weeks),
    datesByCell: datesByCell.map((count) => count + weeksWithEvents),
  };

  function countHours(day: number): void {
    const from = Math.max(zone.startOfDay(day), range.from);
    const weekday = weekdayOf(day);
    let isCounted = false;
    for (const hour of clockHours(from, Math.min(zone.startOfDay(day + 1), range.to), zone)) {
      if (hour.from >= range.until) return;
      if (!isCounted) dates[weekday] = (dates[weekday] as number) + 1;
      isCounted = true;
      if (hour.until > first) datesByCell[hour.cell] = (datesByCell[hour.cell] as number) + 1;
    }
  }
}

/** True when the week from a date on has 168 hours, from midnight to midnight. */
function isOrdinary(day: number, zone: Zone): boolean {
  const start = zone.startOfDay(day);
  const end = zone.startOfDay(day + WEEK);
  return end - start === WEEK * dayMs && zone.localAt(start) === day * dayMs;
}
