/** Dates and times in one language. The time zone is always given, so server and browser write the same text. Pure. */
import type { Words } from './en.ts';
import { EN_DASH, NBSP, two } from './signs.ts';
import { dateIn, offsetName, type WallTime, wallDate, wallTime } from './zone.ts';

/** The formatters of dates and times in a language. */
export function createDateFormat(writing: Words['writing']) {
  const monthOf = (wall: WallTime): string => writing.months[wall.month - 1] ?? '';
  const dayMonth = (wall: WallTime, year: number | null): string =>
    `${wall.day}${NBSP}${monthOf(wall)}${year === null || year === wall.year ? '' : `${NBSP}${wall.year}`}`;

  /** "12 Nov"; with its year when that is not `year`. */
  function day(date: string, year: number | null = null): string {
    return dayMonth(wallDate(date), year);
  }

  /** "24 Oct – 20 Nov", "1 – 20 Nov", "20 Nov"; years only where one differs from `year`. */
  function range(from: string, to: string, year: number | null = null): string {
    const first = wallDate(from);
    const last = wallDate(to);
    if (from === to) return dayMonth(last, year);
    const showYear = year !== null && (first.year !== year || last.year !== year);
    const end = dayMonth(last, showYear ? 0 : null);
    if (first.year === last.year && first.month === last.month) return `${first.day}${NBSP}${EN_DASH} ${end}`;
    const start = dayMonth(first, showYear && first.year !== last.year ? 0 : null);
    return `${start}${NBSP}${EN_DASH} ${end}`;
  }

  /** The dates from one moment to another: "9 – 15 Nov". */
  function span(from: number, to: number, timeZone: string): string {
    return range(dateIn(from, timeZone), dateIn(to, timeZone));
  }

  /** "Thu 12 Nov". */
  function weekdayDay(ms: number, timeZone: string): string {
    const wall = wallTime(ms, timeZone);
    return `${writing.weekdays[wall.weekday]} ${dayMonth(wall, null)}`;
  }

  /** "14:32". */
  function time(ms: number, timeZone: string): string {
    const wall = wallTime(ms, timeZone);
    return `${two(wall.hour)}:${two(wall.minute)}`;
  }

  /** "14:32:08". */
  function clock(ms: number, timeZone: string): string {
    return `${time(ms, timeZone)}:${two(wallTime(ms, timeZone).second)}`;
  }

  /** "Thu 12 Nov, 14:32". */
  function dayTime(ms: number, timeZone: string): string {
    return `${weekdayDay(ms, timeZone)}, ${time(ms, timeZone)}`;
  }

  /** "12 Nov, 14:32". */
  function dayMoment(ms: number, timeZone: string): string {
    return `${dayMonth(wallTime(ms, timeZone), null)}, ${time(ms, timeZone)}`;
  }

  /** "Nov 2026", "nov de 2026". */
  function monthYear(ms: number, timeZone: string): string {
    const wall = wallTime(ms, timeZone);
    return writing.monthYear(monthOf(wall), wall.year);
  }

  /** "America/Sao_Paulo (UTC−3)"; a zone that is called after its offset, alone. */
  function zone(ms: number, timeZone: string): string {
    const offset = offsetName(ms, timeZone);
    return offset === timeZone ? offset : `${timeZone} (${offset})`;
  }

  return { day, range, span, weekdayDay, time, clock, dayTime, dayMoment, monthYear, zone };
}
