/**
 * Wall clock of a time zone: instants to local dates and back, on days of 23, 24 or 25 hours and in zones with odd
 * offsets. Dates are counted as days since 1970-01-01, local times as if they were UTC. Pure.
 */

export const dayMs = 86_400_000;
/** Days and hours of all time zones begin on one. */
export const quarterMs = 900_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;

export interface Zone {
  readonly name: string;
  /** Local time at `ms`, as the ms of a UTC clock that shows the same. */
  localAt(ms: number): number;
  /**
   * The first instant at which the wall clock shows `local` or, where clocks skip over it, the instant of the skip.
   * A time that happens twice gives the earlier.
   */
  instantOf(local: number): number;
  /** The local date at `ms`, in days since 1970-01-01. */
  dayAt(ms: number): number;
  /** The first instant of a local date; not always midnight: some zones skip it. */
  startOfDay(day: number): number;
}

/** Tools for one IANA zone; the same object for the same name. @throws RangeError for a name that is no zone. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const made = makeZone(name);
  zones.set(name, made);
  return made;
}

/** The day number of `YYYY-MM-DD`, or null where there is no such date. */
export function parseDate(text: string): number | null {
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || formatDate(ms / dayMs) !== text) return null;
  return ms / dayMs;
}

/** `YYYY-MM-DD` of a day number. */
export function formatDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** 0 Sunday to 6 Saturday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The first day of the month `months` after that of `day`. */
export function startOfMonth(day: number, months = 0): number {
  const date = new Date(day * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / dayMs;
}

/** The same day of the month `months` later. Where that month is too short: the first day after it, and `exists` is false. */
export function addMonths(day: number, months: number): { day: number; exists: boolean } {
  const dayOfMonth = new Date(day * dayMs).getUTCDate();
  const first = startOfMonth(day, months);
  const next = startOfMonth(day, months + 1);
  const exists = first + dayOfMonth - 1 < next;
  return { day: exists ? first + dayOfMonth - 1 : next, exists };
}

/** `GMT-03:00`, with seconds before clocks were set by zones; `GMT` alone for none. */
const LONG_OFFSET = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?/;

/** Days that a zone remembers the offsets of. */
const mostDays = 5_000;

/** One entry per IANA name, some 600 at most: names that are no zone throw before they are kept. */
const zones = new Map<string, Zone>();

function makeZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', hour: 'numeric' });

  /** Offset by UTC day; null on days with a clock change. */
  const offsets = new Map<number, number | null>();

  /** Asking the platform takes some microseconds, and a question asks thousands of times. */
  function offsetAt(ms: number): number {
    const day = Math.floor(ms / dayMs);
    let known = offsets.get(day);
    if (known === undefined) {
      const [first, last] = [exactOffset(day * dayMs), exactOffset((day + 1) * dayMs - 1)];
      known = first === last ? first : null;
      if (offsets.size >= mostDays) offsets.clear();
      offsets.set(day, known);
    }
    return known ?? exactOffset(ms);
  }

  function exactOffset(ms: number): number {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = LONG_OFFSET.exec(format.format(ms)) ?? [];
    const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000;
    return sign === '-' ? -size : size;
  }

  function instantOf(local: number): number {
    const before = offsetAt(local - dayMs);
    const after = offsetAt(local + dayMs);
    if (offsetAt(local - before) === before) return local - before;
    if (before === after || offsetAt(local - after) === after) return local - after;
    // In a gap: search for the clock change, which is between the two readings.
    let low = local - after;
    let high = local - before;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  return {
    name,
    localAt: (ms) => ms + offsetAt(ms),
    instantOf,
    dayAt: (ms) => Math.floor((ms + offsetAt(ms)) / dayMs),
    startOfDay: (day) => instantOf(day * dayMs),
  };
}
