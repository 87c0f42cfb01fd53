/** Ranges of whole hours, dates, weeks or months in the project's zone. Pure. */
import { invalid } from '#src/kit/errors.ts';
import { hourMs, startOfMonth, weekdayOf } from '#src/kit/zone.ts';
import type { Begun } from './begin.ts';
import type { Interval, ResolvedRange } from './contract.ts';
import { bucketStarts, firstOf } from './intervals.ts';
import { countedUntil, withDates } from './ranges.ts';

/** A bit of each is kept for each person. */
export const MAX_PERIODS = 100;

type Calendar = Pick<Begun, 'zone' | 'context'>;

/** Start of the period of a time, or of the one `later` periods after it. */
export function startOfPeriod(moment: number, period: Interval, { zone, context }: Calendar, later = 0): number {
  if (period === 'hour') return zone.instantOf((Math.floor(zone.localAt(moment) / hourMs) + later) * hourMs);
  const day = zone.dayAt(moment);
  if (period === 'day') return zone.startOfDay(day + later);
  if (period === 'month') return zone.startOfDay(startOfMonth(day, later));
  return zone.startOfDay(day - ((weekdayOf(day) - context.weekStart + 7) % 7) + 7 * later);
}

/** Extends a range to whole periods. */
export function toWholePeriods(begun: Pick<Begun, 'found'> & Calendar, period: Interval): ResolvedRange {
  const { from, to } = begun.found.range;
  const start = startOfPeriod(from, period, begun);
  const end = startOfPeriod(to - 1, period, begun, 1);
  const { now } = begun.context;
  return { ...begun.found.range, ...withDates(start, end, now < end ? now : null, begun.zone) };
}

/** Starts of the periods of a range that have begun, ms. @throws AppError `invalid` for more than `MAX_PERIODS` */
export function periodStarts(
  range: ResolvedRange,
  period: Interval,
  context: Begun['context'],
  field: string,
): number[] {
  const until = countedUntil(range);
  const begins = bucketStarts({ ...range, to: until }, period, context);
  const starts = firstOf(begins, MAX_PERIODS + 1).filter((from) => from < until);
  if (starts.length > MAX_PERIODS)
    throw invalid(field, `At most ${MAX_PERIODS} periods. Choose a shorter range or a longer period.`);
  return starts;
}
