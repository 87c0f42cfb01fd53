/** Reads a range from what someone typed, in either language. Pure. */
import type { RangeInput, RangePreset } from '#src/insights/contract.ts';
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

/**
 * A range from what someone typed: "last 10 days", "10/11", "1/10 to 31/10", "2026-11-01 - 2026-11-10". Days come before
 * months, in both languages; a date without its year is the last such date that is not in the future. Null when it is none.
 */
export function readTyped(text: string, now: Today): RangeInput | null {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
  for (const [pattern, preset] of NAMED) if (pattern.test(plain)) return preset;
  for (const [pattern, days] of COUNTED) {
    const count = pattern.exec(plain)?.[1];
    if (count === undefined) continue;
    const total = days(Number(count));
    if (total < 1 || total > 4_000) return null;
    const dates = { from: addDays(now.today, 1 - total), to: now.today };
    return presetOf(dates, now) ?? dates;
  }
  const parts = plain.split(/\s*(?: to | a | ate | until | - |\u2013)\s*/);
  if (parts.length > 2) return null;
  const dates = parts.map((part) => readDate(part, now.today));
  const [from, to = from] = dates;
  if (from === null || to === null || from === undefined || to === undefined) return null;
  if (from > now.today && to > now.today) return null;
  return from <= to ? { from, to } : { from: to, to: from };
}

function readDate(text: string, today: string): string | null {
  if (isDate(text)) return text;
  const match = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}|\d{2}))?$/.exec(text);
  if (!match) return null;
  const [, day = '', month = '', year] = match;
  const monthDay = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (year !== undefined) return existing(`${year.length === 2 ? `20${year}` : year}-${monthDay}`);
  const thisYear = Number(today.slice(0, 4));
  const date = existing(`${thisYear}-${monthDay}`);
  return date !== null && date > today ? existing(`${thisYear - 1}-${monthDay}`) : date;
}

function existing(date: string): string | null {
  return isDate(date) ? date : null;
}
