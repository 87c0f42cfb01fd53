/** Which intervals of an alert are finished, and which were not evaluated yet. Pure. */
import { dayMs, hourMs, weekdayOf, type Zone } from '#src/kit/zone.ts';
import type { AlertInterval } from './values.ts';

/** Time zone and first day of the week. */
export interface Calendar {
  zone: Zone;
  weekStart: 0 | 1;
}

/** `[from, to)` in ms. */
export interface Span {
  from: number;
  to: number;
}

const MINUTE_MS = 60_000;
/** Events of an interval arrive until then. */
const SETTLE_MS = 5 * MINUTE_MS;
/** Alerts are spread over so many minutes after that. */
const SPREAD_MINUTES: Record<AlertInterval, number> = { hour: 10, day: 30, week: 30 };
/** How far back intervals are evaluated that an outage missed. */
const CATCH_UP: Record<AlertInterval, number> = { hour: 48, day: 7, week: 2 };

/** The interval of the calendar that a time is in. An hour that clocks repeat is one of two hours. */
export function intervalAt(interval: AlertInterval, ms: number, { zone, weekStart }: Calendar): Span {
  if (interval === 'hour') {
    const local = Math.floor(zone.localAt(ms) / hourMs) * hourMs;
    const from = zone.instantOf(local);
    return { from, to: laterThan(from, (step) => zone.instantOf(local + step * hourMs)) };
  }
  const today = zone.dayAt(ms);
  const length = interval === 'day' ? 1 : 7;
  const first = interval === 'day' ? today : today - ((weekdayOf(today) - weekStart + 7) % 7);
  const from = zone.startOfDay(first);
  return { from, to: laterThan(from, (step) => zone.startOfDay(first + step * length)) };
}

/** The first of the following starts that is later: an hour or date that clocks skip has the start of the next. */
function laterThan(from: number, startOf: (step: number) => number): number {
  for (let step = 1; ; step += 1) {
    const start = startOf(step);
    if (start > from) return start;
  }
}

/** So many intervals up to the one that ends at `end`, the oldest first. */
export function intervalsBefore(interval: AlertInterval, end: number, count: number, calendar: Calendar): Span[] {
  const spans: Span[] = [];
  for (let to = end; spans.length < count; to = spans[0]?.from ?? end) {
    spans.unshift(intervalAt(interval, to - 1, calendar));
  }
  return spans;
}

/** Ms after the end of an interval at which an alert is evaluated. */
export function delayOf(id: number, interval: AlertInterval): number {
  return SETTLE_MS + (id % SPREAD_MINUTES[interval]) * MINUTE_MS;
}

/** The last interval that is finished, and late enough to be evaluated. */
export function lastFinished(
  { id, interval }: { id: number; interval: AlertInterval },
  now: number,
  calendar: Calendar,
): Span {
  const current = intervalAt(interval, now - delayOf(id, interval), calendar);
  return intervalAt(interval, current.from - 1, calendar);
}

/** Intervals to evaluate, the oldest first. @param since nothing that ended before is evaluated @param done starts of evaluated ones */
export function missingIntervals(
  alert: { id: number; interval: AlertInterval; since: number },
  done: ReadonlySet<number>,
  now: number,
  calendar: Calendar,
): Span[] {
  const { to } = lastFinished(alert, now, calendar);
  return intervalsBefore(alert.interval, to, CATCH_UP[alert.interval], calendar).filter(
    (span) => span.to >= alert.since && !done.has(span.from),
  );
}

/** Starts that an interval is compared with: the same weekday, and hour, of the four weeks before. Of weeks: the four before. */
export function sameSlots(interval: AlertInterval, from: number, { zone }: Calendar): number[] {
  const local = zone.localAt(from);
  const day = Math.floor(local / dayMs);
  return [1, 2, 3, 4].map((weeks) =>
    interval === 'hour' ? zone.instantOf(local - weeks * 7 * dayMs) : zone.startOfDay(day - weeks * 7),
  );
}
