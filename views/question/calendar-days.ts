/** The days of a calendar's month, and where its keys lead to. Pure. */
import { addDays, wallDate } from '#views/words/zone.ts';

/** The earliest date that can be asked for. */
const FIRST_DATE = '1970-01-01';

/** "2026-11" of "2026-11-20". */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** The same day of a month `count` months later, or the last of that month where it has no such day. */
export function addMonths(date: string, count: number): string {
  const months = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + count;
  const first = (month: number): string =>
    `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
  const last = addDays(first(months + 1), -1);
  return addDays(first(months), Math.min(Number(date.slice(8)), Number(last.slice(8))) - 1);
}

/** The weeks of a month; null before its first day and after its last. */
export function weeksOf(month: string, weekStart: 0 | 1): (string | null)[][] {
  const weeks: (string | null)[][] = [];
  for (let day = weekOf(`${month}-01`, weekStart); monthOf(day) <= month; day = addDays(day, 7)) {
    const start = day;
    weeks.push(
      Array.from({ length: 7 }, (_, place) => addDays(start, place)).map((date) =>
        monthOf(date) === month ? date : null,
      ),
    );
  }
  return weeks;
}

/** The date that a key leads to from this one; null for a key that leads nowhere. */
export function moved(date: string, key: string, options: { byYear: boolean; weekStart: 0 | 1 }): string | null {
  const to = target(date, key, options.byYear ? 12 : 1, options.weekStart);
  return to !== null && to < FIRST_DATE ? FIRST_DATE : to;
}

function target(date: string, key: string, months: number, weekStart: 0 | 1): string | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1);
    case 'ArrowRight':
      return addDays(date, 1);
    case 'ArrowUp':
      return addDays(date, -7);
    case 'ArrowDown':
      return addDays(date, 7);
    case 'PageUp':
      return addMonths(date, -months);
    case 'PageDown':
      return addMonths(date, months);
    case 'Home':
      return weekOf(date, weekStart);
    case 'End':
      return addDays(weekOf(date, weekStart), 6);
    default:
      return null;
  }
}

/** The first day of its week. */
export function weekOf(date: string, weekStart: 0 | 1): string {
  return addDays(date, -((wallDate(date).weekday - weekStart + 7) % 7));
}
