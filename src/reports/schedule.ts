/** When reports are due, and which finished period they show. Pure. */
import { dayMs, formatDate, hourMs, startOfMonth, weekdayOf, type Zone, zoneOf } from '#src/kit/zone.ts';
import type { ReportDates, ReportFrequency, ReportSchedule } from './values.ts';

/** A due time that is older is skipped: less than a period, so that never two are sent at once. */
export const MAX_DELAY_MS: Readonly<Record<ReportFrequency, number>> = {
  daily: 12 * hourMs,
  weekly: 3 * dayMs,
  monthly: 7 * dayMs,
};
/** Due times that are looked back at, to say which were skipped. */
const LOOK_BACK: Readonly<Record<ReportFrequency, number>> = { daily: 14, weekly: 8, monthly: 3 };
const PERIOD_DAYS: Readonly<Record<ReportFrequency, number>> = { daily: 1, weekly: 7, monthly: 31 };

/** The last due times up to `now` and after `since`, the oldest first. */
export function dueTimes(
  schedule: ReportSchedule,
  timeZone: string,
  { since, now }: { since: number; now: number },
): number[] {
  const zone = zoneOf(timeZone);
  const { frequency } = schedule;
  const first = zone.dayAt(now) - LOOK_BACK[frequency] * PERIOD_DAYS[frequency];
  const times = new Set<number>();
  // A day more: zones may skip one.
  for (let day = first; day <= zone.dayAt(now) + 1; day += 1) {
    if (!isDueOn(schedule, day)) continue;
    const due = dueOn(schedule, zone, day);
    if (due > since && due <= now) times.add(due);
  }
  return [...times];
}

/** The next due time after `now`. */
export function nextDue(schedule: ReportSchedule, timeZone: string, now: number): number {
  const zone = zoneOf(timeZone);
  for (let day = zone.dayAt(now) - 1; ; day += 1) {
    if (!isDueOn(schedule, day)) continue;
    const due = dueOn(schedule, zone, day);
    if (due > now) return due;
  }
}

function isDueOn({ frequency, weekday }: ReportSchedule, day: number): boolean {
  if (frequency === 'daily') return true;
  return frequency === 'weekly' ? weekdayOf(day) === weekday : startOfMonth(day) === day;
}

/** An hour that clocks skip is due when they do; of one that they repeat, the first. */
function dueOn({ hour }: ReportSchedule, zone: Zone, day: number): number {
  return zone.instantOf(day * dayMs + hour * hourMs);
}

/** The last finished day, week or month of the project at a due time, and the one before. */
export function periodAt(
  frequency: ReportFrequency,
  due: number,
  { timeZone, weekStart }: { timeZone: string; weekStart: 0 | 1 },
): { dates: ReportDates; previous: ReportDates } {
  const today = zoneOf(timeZone).dayAt(due);
  const starts = startsBefore(frequency, today, weekStart);
  const [begin, last, end] = starts;
  return { dates: datesOf(last, end), previous: datesOf(begin, last) };
}

/** Start of the period before the last finished one, of that one, and of the one that runs; in days. */
function startsBefore(frequency: ReportFrequency, today: number, weekStart: 0 | 1): [number, number, number] {
  if (frequency === 'daily') return [today - 2, today - 1, today];
  if (frequency === 'monthly') return [startOfMonth(today, -2), startOfMonth(today, -1), startOfMonth(today)];
  const start = today - ((weekdayOf(today) - weekStart + 7) % 7);
  return [start - 14, start - 7, start];
}

function datesOf(from: number, end: number): ReportDates {
  return { from: formatDate(from), to: formatDate(end - 1) };
}
