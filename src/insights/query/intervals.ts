/**
 * How a range is divided: minutes, clock hours, dates, weeks and months of the project's zone. An hour that the clocks skip is
 * absent, one that they repeat is one bucket of two hours. The first and the last bucket are cut at the range's edges. Pure.
 */

import { invalid } from '#src/kit/errors.ts';
import { dayMs, hourMs, minuteMs, startOfMonth, weekdayOf, type Zone } from '#src/kit/zone.ts';
import { type Interval, intervals, type ResolvedRange, type TrendInterval } from './contract.ts';
import { countedUntil, datesIn, type RangeContext, type ResolvedComparison, shiftDay } from './ranges.ts';
import { MAX_MINUTES } from './values.ts';

/** Time zone and first day of the week. */
type Clock = Pick<RangeContext, 'zone' | 'weekStart'>;

/** A bucket, `[from, to)` in ms; empty when `from` equals `to`. */
export interface Bucket {
  from: number;
  to: number;
}

/** Most dates for which an interval is offered, and fewest: beyond, a chart shows hair or a single point. */
const offered: Record<Interval, { least: number; most: number }> = {
  hour: { least: 1, most: 31 },
  day: { least: 2, most: 732 },
  week: { least: 8, most: 3660 },
  month: { least: 32, most: Number.POSITIVE_INFINITY },
};

/** Allowed intervals of a range, finest first; at least one. A range that ends within a date has hours only. */
export function allowedIntervals(range: ResolvedRange): Interval[] {
  if (range.until === range.to) return ['hour'];
  const dates = datesIn(range);
  return intervals.filter((interval) => dates >= offered[interval].least && dates <= offered[interval].most);
}

/**
 * The interval that is used: the asked one, also where a chart would not offer it, or else the default of the range. That one is always
 * offered.
 */
export function chooseInterval(range: ResolvedRange, asked: Interval | undefined): Interval {
  const dates = datesIn(range);
  if (asked !== undefined) return asked;
  if (dates <= 2 || range.until === range.to) return 'hour';
  if (dates <= 90) return 'day';
  return dates <= 366 ? 'week' : 'month';
}

/** The same for answers that can have minutes: they are the default of up to two hours. */
export function chooseTrendInterval(range: ResolvedRange, asked: TrendInterval | undefined): TrendInterval {
  if (asked === 'minute') return asked;
  return asked === undefined && range.to - range.from <= 2 * hourMs ? 'minute' : chooseInterval(range, asked);
}

/** Most buckets of an answer: more is no chart, and would let a long calendar make it slow. */
export const MAX_BUCKETS = 1000;

/**
 * The buckets of a range, in order and without gaps between them.
 * @throws AppError `invalid` (field `range`) for more than `MAX_BUCKETS`, of minutes more than `MAX_MINUTES`
 */
export function divide(range: ResolvedRange, interval: TrendInterval, context: Clock): Bucket[] {
  const most = interval === 'minute' ? MAX_MINUTES : MAX_BUCKETS;
  const starts = firstOf(bucketStarts(range, interval, context), most + 1);
  if (starts.length > most) {
    throw invalid(
      'range',
      `The range has more than ${most} buckets (${interval}). Choose a shorter range or a longer interval.`,
    );
  }
  return bucketsOf(starts, range);
}

/** When the buckets of a range begin, ascending. One by one, so that too many of them are not made before they are refused. */
export function bucketStarts(range: ResolvedRange, interval: TrendInterval, context: Clock): Iterable<number> {
  if (interval === 'minute') return minuteStarts(range);
  return interval === 'hour' ? hourStarts(range, context.zone) : dateStarts(range, interval, context);
}

/** @returns at most so many of the values */
export function firstOf<Value>(values: Iterable<Value>, most: number): Value[] {
  const taken: Value[] = [];
  for (const value of values) {
    if (taken.push(value) >= most) break;
  }
  return taken;
}

function bucketsOf(starts: readonly number[], range: ResolvedRange): Bucket[] {
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? range.to }));
}

/**
 * The comparison's bucket for each bucket of the range: the same minute, hour or date of
 * the shifted calendar, empty when it does not exist (a skipped hour, 29 February). Custom comparison dates
 * have their own buckets, paired in order.
 */
export function divideComparison(
  buckets: Bucket[],
  interval: TrendInterval,
  comparison: ResolvedComparison,
  zone: Zone,
): Bucket[] {
  const { range, shift, weekStart } = comparison;
  if (shift === null) {
    const starts = firstOf(bucketStarts(range, interval, { zone, weekStart }), buckets.length + 1);
    return bucketsOf(starts, range).slice(0, buckets.length);
  }
  const clip = (from: number, to: number): Bucket => {
    const start = Math.min(Math.max(from, range.from), range.to);
    return { from: start, to: Math.max(start, Math.min(to, range.to)) };
  };
  return buckets.map((bucket) => {
    if (shift.unit === 'ms') return clip(bucket.from - shift.by, bucket.to - shift.by);
    const local = zone.localAt(bucket.from);
    const { day, exists } = shiftDay(Math.floor(local / dayMs), shift);
    if (interval === 'hour' || interval === 'minute') {
      if (!exists) return clip(zone.startOfDay(day), zone.startOfDay(day));
      const length = interval === 'hour' ? hourMs : minuteMs;
      const start = day * dayMs + Math.floor((((local % dayMs) + dayMs) % dayMs) / length) * length;
      return clip(zone.instantOf(start), zone.instantOf(start + length));
    }
    const from = zone.startOfDay(day);
    const next = zone.dayAt(bucket.to);
    // A range that ends within a date is compared with a range that also does.
    const to = zone.startOfDay(next) === bucket.to ? zone.startOfDay(shiftDay(next, shift).day) : range.to;
    return clip(from, interval === 'day' ? Math.min(to, zone.startOfDay(day + 1)) : to);
  });
}

/** Index of the bucket that is still running, or null. */
export function runningIndex(buckets: Bucket[], range: ResolvedRange): number | null {
  if (range.until === null) return null;
  const until = countedUntil(range);
  return buckets.findLastIndex((bucket) => bucket.from <= until);
}

/** Clocks are set by whole minutes. A minute that they repeat is two buckets. */
function* minuteStarts({ from, to }: ResolvedRange): Generator<number> {
  yield from;
  for (let start = (Math.floor(from / minuteMs) + 1) * minuteMs; start < to; start += minuteMs) yield start;
}

function* hourStarts(range: ResolvedRange, zone: Zone): Generator<number> {
  let last = range.from;
  yield last;
  let hour = Math.floor(zone.localAt(range.from) / hourMs) * hourMs;
  for (;;) {
    hour += hourMs;
    const start = zone.instantOf(hour);
    if (start >= range.to) return;
    // A skipped hour has the start of the next one.
    if (start > last) yield start;
    last = Math.max(last, start);
  }
}

function* dateStarts(
  range: ResolvedRange,
  interval: Exclude<Interval, 'hour'>,
  { zone, weekStart }: Clock,
): Generator<number> {
  let last = range.from;
  yield last;
  let day = zone.dayAt(range.from);
  for (;;) {
    if (interval === 'day') day += 1;
    else if (interval === 'week') day += 7 - ((weekdayOf(day) - weekStart + 7) % 7);
    else day = startOfMonth(day, 1);
    const start = zone.startOfDay(day);
    if (start >= range.to) return;
    // A skipped date (a time zone that crossed the date line) has the start of the next one.
    if (start > last) yield start;
    last = Math.max(last, start);
  }
}
