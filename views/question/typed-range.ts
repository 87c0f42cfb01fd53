/** Reads a range from what someone typed, in either language. Pure. */
import type { RangeInput, RangePreset } from '#src/insights/contract.ts';
import { searchable } from '#src/kit/search/values.ts';
import { addDays } from '#views/words/zone.ts';
import { presetOf, type Today } from './dates.ts';
import { isDate } from './question.ts';

const COUNTED: [RegExp, (count: number) => number][] = [
  [/^(?:last|past|ultimos?|ultimas?)?\s*(\d{1,4})\s*(?:d|days?|dias?)$/, (count) => count],
  [/^(?:last|past|ultimos?|ultimas?)?\s*(\d{1,3})\s*(?:w|weeks?|semanas?)$/, (count) => count * 7],
];

const NAMED: [RegExp, RangePreset][] = [
  [/^(?:today|hoje)$/, 'today'],
  [/^(?:last |past |ultimos )?7 (?:full days|dias completos)$/, 'last_7_full_days'],
  [/^(?:yesterday|ontem)$/, 'yesterday'],
  [/^(?:last |past |ultimas )?24 ?(?:h|hours|horas)$/, 'last_24_hours'],
  [/^(?:this week|esta semana)$/, 'this_week'],
  [/^(?:this month|este mes)$/, 'this_month'],
  [/^(?:last month|mes passado)$/, 'last_month'],
  [/^(?:this year|este ano)$/, 'this_year'],
  [/^(?:last |past |ultimos )?12 (?:months|meses)$/, 'last_12_months'],
  [/^(?:all(?: time)?|tudo|desde o inicio)$/, 'all_time'],
];

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

/**
 * A range from what someone typed: "last 10 days", "10/11", "1/10-31/10", "28 Oct – 24 Nov", "1 a 20 de novembro", "2026-11-01 - 2026-11-10". Days
 * come before months, in both languages. A date without its year is the last such date that is not in the future; the second of two is the next
 * after the first, or both are turned round where they go backwards and would end in the future. Null when it is none.
 */
export function readTyped(text: string, now: Today): RangeInput | null {
  const plain = searchable(text).replace(/\s+/g, ' ').trim();
  for (const [pattern, preset] of NAMED) if (pattern.test(plain)) return preset;
  for (const [pattern, days] of COUNTED) {
    const count = pattern.exec(plain)?.[1];
    if (count === undefined) continue;
    const total = days(Number(count));
    if (total < 1 || total > 4_000) return null;
    const dates = { from: addDays(now.today, 1 - total), to: now.today };
    return presetOf(dates, now) ?? dates;
  }
  const parts = plain
    .replace(/(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)/g, '$3.$2.$1')
    .split(/\s*(?: to | a | ate | until |-|\u2013)\s*/);
  if (parts.length > 2) return null;
  const [first, last = first] = parts.map(readDate);
  return first && last ? datesFrom(first.month === '' ? { ...last, day: first.day } : first, last, now.today) : null;
}

/** As it was written, in as many digits as dates have; what was not said is ''. */
interface Written {
  day: string;
  month: string;
  year: string;
}

function readDate(text: string): Written | null {
  const match =
    /^(\d{1,2})(?:[/.](\d{1,2})(?:[/.](\d{4}|\d{2}))?|(?: de)? ([a-z]{3,})\.?(?:,?(?: de)? (\d{4}))?)?$/.exec(text);
  if (!match) return null;
  const [, day = '', number, shortYear = '', name, year = shortYear] = match;
  const month = name === undefined ? number : monthOf(name);
  if (month === null) return null;
  return {
    day: day.padStart(2, '0'),
    month: month?.padStart(2, '0') ?? '',
    year: year.length === 2 ? `20${year}` : year,
  };
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
