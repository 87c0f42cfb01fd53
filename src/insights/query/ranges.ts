/**
 * Resolves ranges: presets and dates to times in the project's time zone, and their
 * comparison. "Last N days" are N dates including today, shifted by N for the comparison (docs/decisions/0005). A running
 * range is counted up to now, and its comparison up to the same local time. Pure.
 */
import { AppError, invalid } from '#src/kit/errors.ts';
import { addMonths, dayMs, formatDate, hourMs, parseDate, startOfMonth, weekdayOf, type Zone } from '#src/kit/zone.ts';
import type { Comparison, RangeInput, RangePreset, ResolvedRange } from './contract.ts';

/** Context to resolve a range. */
export interface RangeContext {
  zone: Zone;
  /** 0 Sunday, 1 Monday. */
  weekStart: 0 | 1;
  now: number;
  /** Time of the project's first plausible event, the start of `all_time`; null without one. */
  firstEvent: number | null;
  /** How many events are before that; absent: none. */
  earlyEvents?: number;
  /** The first date that can be asked about; absent: of 1970. */
  firstDay?: number;
}

/** How a comparison lies before its range: whole dates, whole months, or a plain length of time. */
export type Shift = { unit: 'days' | 'months' | 'ms'; by: number };

/** A range, how its "period before" is found (null where there is none), and what it was resolved against. */
export interface RangeWithShift {
  range: ResolvedRange;
  previous: Shift | null;
  context: RangeContext;
}

/** The comparison of a range. */
export interface ResolvedComparison {
  range: ResolvedRange;
  /** Null: neither length nor dates agree, so buckets are compared by their place. */
  shift: Shift | null;
  weekStart: 0 | 1;
}

/** The first date that numbers can be asked about: earlier times were never those of a clock. */
const firstDayOfNumbers = 0;
const lastDay = parseDate('2199-12-31') as number;

/** Resolves a preset or dates. @throws AppError `invalid` (field `range`) for impossible, reversed or future dates. */
export function resolveRange(input: RangeInput, context: RangeContext): RangeWithShift {
  if (typeof input === 'string') return resolvePreset(input, context);
  const from = dayOfInput(input.from, 'range', context.firstDay);
  const to = dayOfInput(input.to, 'range', context.firstDay);
  if (to < from) throw invalid('range', 'The range’s start date is after its end date.');
  if (from > context.zone.dayAt(context.now)) throw invalid('range', 'The range starts in the future.');
  return { range: ofDays(from, to + 1, context), previous: { unit: 'days', by: to + 1 - from }, context };
}

/**
 * The range that `range` is compared with; null without a comparison, or where no such dates exist.
 * @throws AppError `invalid` (field `compare`) for impossible, reversed or future dates
 */
export function resolveComparison(found: RangeWithShift, compare: Comparison, zone: Zone): ResolvedComparison | null {
  if (typeof compare === 'object') return compareDates(found, compare);
  const { range, previous, context } = found;
  if (compare === 'none' || previous === null) return null;
  return shifted(range, compare === 'previous' ? previous : shifts[compare], zone, context);
}

/** 52 weeks before is the same weekday, and the nearest such date to that of a year before. */
const shifts: Record<'year' | 'weekday', Shift> = {
  year: { unit: 'months', by: 12 },
  weekday: { unit: 'days', by: 52 * 7 },
};

/** Custom comparison dates. As many as in the range are treated as a shifted range; others are complete, or up to now. */
function compareDates({ range, context }: RangeWithShift, dates: { from: string; to: string }): ResolvedComparison {
  const [from, to] = [dayOfInput(dates.from, 'compare'), dayOfInput(dates.to, 'compare')];
  if (to < from) throw invalid('compare', 'The comparison’s start date is after its end date.');
  if (from > context.zone.dayAt(context.now)) throw invalid('compare', 'The comparison starts in the future.');
  const { weekStart } = context;
  const isAlike = range.until !== range.to && to - from + 1 === datesIn(range);
  if (!isAlike) return { range: ofDays(from, to + 1, context), shift: null, weekStart };
  const shift: Shift = { unit: 'days', by: (parseDate(range.fromDate) as number) - from };
  const compared = shifted(range, shift, context.zone, context) as ResolvedComparison;
  // Dates that are later than those of the range may not be over.
  const until = Math.min(compared.range.until ?? compared.range.to, context.now);
  return { ...compared, range: { ...compared.range, until: until < compared.range.to ? until : compared.range.until } };
}

function shifted(
  range: ResolvedRange,
  shift: Shift,
  zone: Zone,
  { weekStart }: Pick<RangeContext, 'weekStart'>,
): ResolvedComparison | null {
  const from = shiftEdge(range.from, shift, zone);
  const to = shiftEdge(range.to, shift, zone);
  if (to <= from) return null;
  const until = range.until === null ? null : Math.min(to, shiftMoment(range.until, shift, zone));
  return { range: withDates(from, to, until, zone), shift, weekStart };
}

/** Moves a date back; `exists` is false where the month is too short, and the day is then the first of the next month. */
export function shiftDay(day: number, shift: Shift): { day: number; exists: boolean } {
  if (shift.unit === 'months') return addMonths(day, -shift.by);
  return { day: day - (shift.unit === 'days' ? shift.by : Math.round(shift.by / dayMs)), exists: true };
}

/** Up to where a range is counted. */
export function countedUntil(range: ResolvedRange): number {
  return range.until === null ? range.to : Math.min(range.to, range.until);
}

/** How many dates a range touches. */
export function datesIn(range: ResolvedRange): number {
  return (parseDate(range.toDate) as number) - (parseDate(range.fromDate) as number) + 1;
}

function resolvePreset(preset: RangePreset, context: RangeContext): RangeWithShift {
  const { zone, now, weekStart } = context;
  const today = zone.dayAt(now);
  const lastDays = (count: number): RangeWithShift => days(today - count + 1, today + 1, { unit: 'days', by: count });
  const lastMs = (length: number): RangeWithShift => ({
    range: withDates(now - length, now, now, zone),
    previous: { unit: 'ms', by: length },
    context,
  });
  const days = (from: number, to: number, previous: Shift | null): RangeWithShift => ({
    range: ofDays(from, to, context),
    previous,
    context,
  });
  switch (preset) {
    case 'today':
      return lastDays(1);
    case 'yesterday':
      return days(today - 1, today, { unit: 'days', by: 1 });
    case 'last_30_minutes':
      return lastMs(hourMs / 2);
    case 'last_hour':
      return lastMs(hourMs);
    case 'last_24_hours':
      return lastMs(24 * hourMs);
    case 'last_7_days':
      return lastDays(7);
    case 'last_7_full_days':
      return days(today - 7, today, { unit: 'days', by: 7 });
    case 'last_28_days':
      return lastDays(28);
    case 'last_30_days':
      return lastDays(30);
    case 'last_90_days':
      return lastDays(90);
    case 'this_week': {
      const from = today - ((weekdayOf(today) - weekStart + 7) % 7);
      return days(from, from + 7, { unit: 'days', by: 7 });
    }
    case 'this_month':
      return days(startOfMonth(today), startOfMonth(today, 1), { unit: 'months', by: 1 });
    case 'last_month':
      return days(startOfMonth(today, -1), startOfMonth(today), { unit: 'months', by: 1 });
    case 'this_year': {
      const january = startOfMonth(today, -new Date(today * dayMs).getUTCMonth());
      return days(january, startOfMonth(january, 12), { unit: 'months', by: 12 });
    }
    case 'last_12_months':
      return days(startOfMonth(today, -11), today + 1, { unit: 'months', by: 12 });
    case 'all_time': {
      const { firstEvent, earlyEvents = 0 } = context;
      const first = firstEvent === null ? today : zone.dayAt(Math.min(firstEvent, now));
      const found = days(Math.max(first, firstDayOfNumbers), today + 1, null);
      return earlyEvents === 0 ? found : { ...found, range: { ...found.range, earlyEvents } };
    }
  }
}

function dayOfInput(text: string, field: 'range' | 'compare', firstDay = firstDayOfNumbers): number {
  const day = parseDate(text);
  if (day === null) throw invalid(field, `Invalid date: ${text}.`);
  if (day < firstDay || day > lastDay) throw new AppError('invalid', `Date out of range: ${text}.`, { field });
  return day;
}

function ofDays(fromDay: number, toDay: number, { zone, now }: RangeContext): ResolvedRange {
  const from = zone.startOfDay(fromDay);
  const to = zone.startOfDay(toDay);
  return { from, to, fromDate: formatDate(fromDay), toDate: formatDate(toDay - 1), until: now < to ? now : null };
}

/** Adds the first and last date. @param until end of the data, ms; null: the range's end */
export function withDates(from: number, to: number, until: number | null, zone: Zone): ResolvedRange {
  return { from, to, fromDate: formatDate(zone.dayAt(from)), toDate: formatDate(zone.dayAt(to - 1)), until };
}

/** Shifts an edge of a range: the start of a date to the start of the shifted date, other times to the same local time. */
function shiftEdge(ms: number, shift: Shift, zone: Zone): number {
  const day = zone.dayAt(ms);
  if (shift.unit === 'ms' || zone.startOfDay(day) !== ms) return shiftMoment(ms, shift, zone);
  return zone.startOfDay(shiftDay(day, shift).day);
}

/** Shifts a time to the same local time of the shifted date, or to that date's start when it does not exist. */
function shiftMoment(ms: number, shift: Shift, zone: Zone): number {
  if (shift.unit === 'ms') return ms - shift.by;
  const local = zone.localAt(ms);
  const day = Math.floor(local / dayMs);
  const shifted = shiftDay(day, shift);
  return shifted.exists ? zone.instantOf(shifted.day * dayMs + (local - day * dayMs)) : zone.startOfDay(shifted.day);
}
