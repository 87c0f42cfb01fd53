/** Reads a range from what someone typed, in either language. Pure. */
import type { RangeInput, RangePreset } from '#src/insights/contract.ts';
import { searchable } from '#src/kit/search/values.ts';
import { addDays } from '#views/words/zone.ts';
import { addMonths, weekOf } from './calendar-days.ts';
import { type Dates, presetOf, type Today } from './dates.ts';
import { isDate } from './question.ts';

/** Optional word before a count. */
const LAST = '(?:last |past |(?:n?[ao]s )?ultim[ao]s? )?';

const COUNTED: [RegExp, (count: number, now: Today) => Dates][] = [
  [new RegExp(`^${LAST}(\\d{1,4}) ?(?:d|days?|dias?)$`), (count, now) => lastDays(count, now)],
  [new RegExp(`^${LAST}(\\d{1,3}) ?(?:w|weeks?|semanas?)$`), (count, now) => lastDays(count * 7, now)],
  [new RegExp(`^${LAST}(\\d{1,3}) ?(?:m|months?|mes|meses)$`), (count, now) => lastMonths(count, now)],
  [new RegExp(`^${LAST}(\\d{1,2}) ?(?:y|years?|anos?)$`), (count, now) => lastMonths(count * 12, now)],
];

const NAMED: [RegExp, RangePreset | ((now: Today) => Dates)][] = [
  [/^(?:today|hoje)$/, 'today'],
  [new RegExp(`^${LAST}7 (?:full days|dias completos)$`), 'last_7_full_days'],
  [/^(?:yesterday|ontem)$/, 'yesterday'],
  [new RegExp(`^${LAST}30 ?(?:min|minutes|minutos)$`), 'last_30_minutes'],
  [/^(?:last|past|(?:n?a )?ultima) (?:hour|hora)$/, 'last_hour'],
  [new RegExp(`^${LAST}24 ?(?:h|hours|horas)$`), 'last_24_hours'],
  [/^(?:this week|esta semana)$/, 'this_week'],
  [named('week', 'semana'), lastWeek],
  [/^(?:this month|este mes)$/, 'this_month'],
  [named('month', 'mes'), 'last_month'],
  [/^(?:this quarter|este trimestre)$/, (now) => monthsFrom(quarterStart(now.today), 3)],
  [named('quarter', 'trimestre'), (now) => monthsFrom(addMonths(quarterStart(now.today), -3), 3)],
  [/^(?:this year|este ano)$/, 'this_year'],
  [named('year', 'ano'), (now) => monthsFrom(`${Number(now.today.slice(0, 4)) - 1}-01-01`, 12)],
  [/^(?:all(?: time)?|tudo|desde o inicio|todo o periodo)$/, 'all_time'],
];

/** "last week", "semana passada", "na última semana": the calendar's, before the one that is now. */
function named(english: string, portuguese: string): RegExp {
  return new RegExp(
    `^(?:(?:last|past|previous) ${english}|(?:n?[ao] )?(?:${portuguese} (?:passad[ao]|anterior)|ultim[ao] ${portuguese}))$`,
  );
}

/** In both languages, without accents; three letters of one are enough. */
const MONTHS = [
  ['january', 'janeiro'],
  ['february', 'fevereiro'],
  ['march', 'marco'],
  ['april', 'abril'],
  ['may', 'maio'],
  ['june', 'junho'],
  ['july', 'julho'],
  ['august', 'agosto'],
  ['september', 'setembro'],
  ['october', 'outubro'],
  ['november', 'novembro'],
  ['december', 'dezembro'],
];

/** A leap day comes back within so many years. */
const MAX_YEARS = 8;

/** Order of day and month in "10/11". */
export type DateOrder = 'dayFirst' | 'monthFirst';

/**
 * A range from what someone typed: "last week", "last 10 days", "últimos 3 meses", "10/11", "1/10-31/10", "28 Oct – 24 Nov", "1 a 20 de novembro",
 * "2026-11-01 - 2026-11-10". Numbers alone are read in the order of the language, or in the other where they make sense in no other way. A date
 * without its year is the last such date that is not in the future; the second of two is the next after the first, or both are turned round where
 * they go backwards and would end in the future. Null when it is none.
 */
export function readTyped(text: string, now: Today, order: DateOrder): RangeInput | null {
  const plain = plainText(text);
  for (const [pattern, range] of NAMED) {
    if (pattern.test(plain)) return typeof range === 'string' ? range : shown(range(now), now);
  }
  for (const [pattern, dates] of COUNTED) {
    const count = Number(pattern.exec(plain)?.[1] ?? Number.NaN);
    if (!Number.isNaN(count)) return count === 0 ? null : shown(dates(count, now), now);
  }
  const parts = plain
    // Its hyphens would divide it.
    .replace(/(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)/g, (date) => writtenDay(date, order))
    .split(/\s*(?: to | a | ate | until |-|\u2013)\s*/);
  if (parts.length > 2) return null;
  const other = order === 'dayFirst' ? 'monthFirst' : 'dayFirst';
  return readDates(parts, order, now) ?? readDates(parts, other, now);
}

/** One date with its year, in numbers or with the month's name; null for anything else. */
export function readDay(text: string, order: DateOrder): string | null {
  const plain = plainText(text);
  if (isDate(plain)) return plain;
  const other = order === 'dayFirst' ? 'monthFirst' : 'dayFirst';
  for (const each of [order, other] as const) {
    const date = readDate(plain, each);
    const found = date === null || date.year === '' ? null : dateOf(date, date.year);
    if (found !== null) return found;
  }
  return null;
}

/** "11/30/2026", "30/11/2026". */
export function writtenDay(date: string, order: DateOrder): string {
  const [year, month, day] = date.split('-');
  return order === 'dayFirst' ? `${day}/${month}/${year}` : `${month}/${day}/${year}`;
}

function plainText(text: string): string {
  return searchable(text).replace(/\s+/g, ' ').trim();
}

function readDates(parts: readonly string[], order: DateOrder, now: Today): Dates | null {
  const [first, last = first] = parts.map((part) => readDate(part, order));
  if (!first || !last) return null;
  if (first.month === '') return datesFrom({ ...last, day: first.day }, last, now.today);
  // "Nov 1 – 20": the day of the same month.
  return datesFrom(first, last.month === '' ? { ...last, month: first.month } : last, now.today);
}

/** As a preset when one matches today; null before the first allowed date. */
function shown(dates: Dates, now: Today): RangeInput | null {
  if (dates.from < '1970-01-01') return null;
  return presetOf(dates, now) ?? dates;
}

function lastDays(count: number, { today }: Today): Dates {
  return { from: addDays(today, 1 - count), to: today };
}

/** The month that is now is the last of them, as far as it has come. */
function lastMonths(count: number, { today }: Today): Dates {
  return { from: `${addMonths(today, 1 - count).slice(0, 7)}-01`, to: today };
}

function lastWeek({ today, weekStart }: Today): Dates {
  const from = addDays(weekOf(today, weekStart), -7);
  return { from, to: addDays(from, 6) };
}

function monthsFrom(from: string, count: number): Dates {
  return { from, to: addDays(addMonths(from, count), -1) };
}

function quarterStart(today: string): string {
  return `${addMonths(today, -((Number(today.slice(5, 7)) - 1) % 3)).slice(0, 7)}-01`;
}

/** Parts as typed, zero-padded; '' for missing ones. */
interface Written {
  day: string;
  month: string;
  year: string;
}

const NUMBERS = /^(\d{1,2})(?:[/.](\d{1,2})(?:[/.](\d{4}|\d{2}))?)?$/;
const DAY_MONTH = /^(\d{1,2})(?:st|nd|rd|th|o)?(?: de| of)? ([a-z]{3,})\.?(?:,?(?: de)? (\d{4}))?$/;
const MONTH_DAY = /^([a-z]{3,})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/;

function readDate(text: string, order: DateOrder): Written | null {
  const named = DAY_MONTH.exec(text) ?? MONTH_DAY.exec(text);
  if (named !== null) {
    const [, first = '', second = '', year = ''] = named;
    const [day, name] = /^\d/.test(first) ? [first, second] : [second, first];
    const month = monthOf(name);
    return month === null ? null : asWritten(day, month, year);
  }
  const numbers = NUMBERS.exec(text);
  if (numbers === null) return null;
  const [, first = '', second = '', year = ''] = numbers;
  const full = year.length === 2 ? `20${year}` : year;
  // A single number is a day, with the month of the other date.
  return order === 'dayFirst' || second === '' ? asWritten(first, second, full) : asWritten(second, first, full);
}

function asWritten(day: string, month: string, year: string): Written {
  return { day: day.padStart(2, '0'), month: month === '' ? '' : month.padStart(2, '0'), year };
}

function monthOf(name: string): string | null {
  const place = MONTHS.findIndex((names) => names.some((each) => each.startsWith(name)));
  return place === -1 ? null : String(place + 1);
}

function datesFrom(first: Written, last: Written, today: string): { from: string; to: string } | null {
  const end = last.year === '' ? null : dateOf(last, last.year);
  const from = first.year === '' ? nearest(first, end ?? today, -1) : dateOf(first, first.year);
  const to = end ?? (last.year === '' && from !== null ? nearest(last, from, 1) : null);
  if (from === null || to === null || (from > today && to > today)) return null;
  if (from > to) return { from: to, to: from };
  const turned = last.year === '' && to > today && to.slice(5) < from.slice(5) ? nearest(last, from, -1) : null;
  return turned !== null && length(turned, from) < length(from, to) ? { from: turned, to: from } : { from, to };
}

/** The last such date up to `date` (`way` -1), or the first from it on (1). */
function nearest(written: Written, date: string, way: 1 | -1): string | null {
  for (let years = 0; years <= MAX_YEARS; years++) {
    const found = dateOf(written, String(Number(date.slice(0, 4)) + years * way));
    if (found !== null && (way === 1 ? found >= date : found <= date)) return found;
  }
  return null;
}

function dateOf({ day, month }: Written, year: string): string | null {
  const date = `${year}-${month}-${day}`;
  return isDate(date) ? date : null;
}

function length(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}
