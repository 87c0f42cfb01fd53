/**
 * Dates of a range as the reader sees them before the answer is there, and the ranges beside it. The server decides what is counted (src/insights/ranges.ts); a test holds the two together. Pure.
 */
import type { RangeInput, RangePreset } from '#src/insights/contract.ts';
import { rangePresets } from '#src/kit/values.ts';
import { addDays, daysBetween, wallDate } from '#views/words/zone.ts';

/** First and last date, both included. */
export interface Dates {
  from: string;
  to: string;
}

export interface Today {
  /** The project's date now. */
  today: string;
  /** 0 Sunday, 1 Monday. */
  weekStart: 0 | 1;
}

/** The dates of a range; null where only the server knows them. */
export function datesOf(range: RangeInput, { today, weekStart }: Today): Dates | null {
  if (typeof range !== 'string') return range;
  const lastDays = (count: number): Dates => ({ from: addDays(today, 1 - count), to: today });
  switch (range) {
    case 'today':
      return lastDays(1);
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    // Shortly after midnight also the date before, which only the server knows.
    case 'last_30_minutes':
    case 'last_hour':
      return null;
    case 'last_24_hours':
      return { from: addDays(today, -1), to: today };
    case 'last_7_days':
      return lastDays(7);
    case 'last_7_full_days':
      return { from: addDays(today, -7), to: addDays(today, -1) };
    case 'last_28_days':
      return lastDays(28);
    case 'last_30_days':
      return lastDays(30);
    case 'last_90_days':
      return lastDays(90);
    case 'this_week': {
      const from = addDays(today, -((wallDate(today).weekday - weekStart + 7) % 7));
      return { from, to: addDays(from, 6) };
    }
    case 'this_month':
      return { from: monthStart(today, 0), to: addDays(monthStart(today, 1), -1) };
    case 'last_month':
      return { from: monthStart(today, -1), to: addDays(monthStart(today, 0), -1) };
    case 'this_year':
      return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` };
    case 'last_12_months':
      return { from: monthStart(today, -11), to: today };
    case 'all_time':
      return null;
  }
}

/** The range as long as this one just before it, or just after; null where there is none. */
export function neighbour(range: RangeInput, direction: 'earlier' | 'later', now: Today): RangeInput | null {
  const dates = datesOf(range, now);
  if (dates === null || range === 'last_24_hours') return null;
  const months = wholeMonths(dates);
  const sign = direction === 'earlier' ? -1 : 1;
  const moved =
    months === null
      ? shiftedByDays(dates, sign * (daysBetween(dates.from, dates.to) + 1))
      : {
          from: monthStart(dates.from, sign * months),
          to: addDays(monthStart(dates.from, sign * months + months), -1),
        };
  if (moved.from > now.today || moved.from < '1970-01-01') return null;
  return presetOf(moved, now) ?? moved;
}

/** The preset that means these dates today, so that a range keeps its name when one comes back to it. */
export function presetOf(dates: Dates, now: Today): RangePreset | null {
  const named = rangePresets.find((preset) => {
    // Not defined by dates.
    if (preset === 'last_24_hours') return false;
    const its = datesOf(preset, now);
    return its?.from === dates.from && its.to === dates.to;
  });
  return named ?? null;
}

function shiftedByDays({ from, to }: Dates, days: number): Dates {
  return { from: addDays(from, days), to: addDays(to, days) };
}

/** How many calendar months the dates are, exactly; null when they are none. */
function wholeMonths({ from, to }: Dates): number | null {
  if (!from.endsWith('-01')) return null;
  const end = addDays(to, 1);
  if (!end.endsWith('-01')) return null;
  const months = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  return months(end) - months(from);
}

function monthStart(date: string, shift: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + shift;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
