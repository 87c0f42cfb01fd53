/**
 * The project-dependent parts of a condition: dates and decimal separators. A value is an absolute time when it has `Z` or an offset, else a local time;
 * a condition compares both, in the project's time zone. Pure: threads, the main thread and the SQL (date-sql.ts) must agree.
 */
import { invalid } from '#src/kit/errors.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { dayMs, type Zone, zoneOf } from '#src/kit/zone.ts';
import type { FilterCondition } from '../contract.ts';
import { DATE_TIME } from '../values.ts';
import { singleOf } from './condition-values.ts';
import {
  type FilterOperator,
  isFilterOperator,
  type OperatorTaking,
  readsNumbers,
  rowOf,
  takesOf,
} from './operators.ts';

/** The boundary between before and after: an absolute time, ms, and for local times the ms of a UTC clock that shows the same. */
export interface Bound {
  at: number;
  wall: number;
}

/**
 * A condition with its date resolved in a time zone, and the decimal separator (absent: a point). Clients cannot send
 * either: they are set here.
 */
export type PlacedCondition = FilterCondition & { bound?: Bound; decimal?: DecimalSeparator };

/** Project settings that conditions depend on. */
export interface Locale {
  zone: Zone;
  decimal: DecimalSeparator;
}

interface ProjectOfLocale {
  timeZone: string;
  settings: { decimalSeparator?: DecimalSeparator | undefined };
}

export function localeOf({ timeZone, settings }: ProjectOfLocale): Locale {
  return { zone: zoneOf(timeZone), decimal: settings.decimalSeparator ?? 'point' };
}

/** For validating conditions of any project. */
export const anyLocale: Locale = { zone: zoneOf('UTC'), decimal: 'point' };

type DatedCondition = FilterCondition & { operator: OperatorTaking<'date'> };

const dateTime = new RegExp(DATE_TIME);
const pieces = /^(.{10})(?:.(..:..)(?::(..)(?:[.](\d+))?)?(?:(Z)|([+-])(..):?(..))?)?$/;

interface Read {
  /** Null: only what clocks showed. */
  at: number | null;
  wall: number;
  isDate: boolean;
}

/** Null for what is no date. Of fractions of seconds, three digits count. */
export function readDateTime(text: string): Read | null {
  if (!dateTime.test(text)) return null;
  const [, date, time, seconds = '00', fraction = '', utc, sign, hours, minutes] = pieces.exec(text) ?? [];
  const ms = fraction.padEnd(3, '0').slice(0, 3);
  const wall = Date.parse(`${date}T${time ?? '00:00'}:${seconds}.${ms}Z`);
  const ahead = (sign === '-' ? -60_000 : 60_000) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  return { at: utc === undefined && sign === undefined ? null : wall - ahead, wall, isDate: time === undefined };
}

/** True when a text is before the bound; null when it is no date. */
export function isBefore(text: string, { at, wall }: Bound): boolean | null {
  const read = readDateTime(text);
  if (read === null) return null;
  return read.at === null ? read.wall < wall : read.at < at;
}

/** @throws for a condition without a resolved bound */
export function boundOf({ name, bound }: PlacedCondition): Bound {
  if (bound === undefined) throw new Error(`the date of the filter on ${name} has no time zone`);
  return bound;
}

/** True when a query has a condition on a date or number. */
export function dependsOnLocale(asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null || ArrayBuffer.isView(asked)) return false;
  const operator = operatorIn(asked);
  if (operator !== null && (takesOf(operator) === 'date' || readsNumbers(operator))) return true;
  return Object.values(asked).some(dependsOnLocale);
}

/** The same question, with its conditions placed. @throws AppError `invalid` for a value that is no date */
export function placeConditions<Query>(asked: Query, locale: Locale): Query {
  return dependsOnLocale(asked) ? (placed(asked, locale) as Query) : asked;
}

function placed(asked: unknown, locale: Locale): unknown {
  if (!dependsOnLocale(asked)) return asked;
  if (Array.isArray(asked)) return asked.map((each) => placed(each, locale));
  const operator = operatorIn(asked as object);
  if (operator !== null && takesOf(operator) === 'date') {
    const condition = asked as DatedCondition;
    return { ...condition, bound: placedBound(condition, locale.zone) };
  }
  if (operator !== null) {
    const condition = asked as PlacedCondition;
    return locale.decimal === 'point' ? condition : { ...condition, decimal: locale.decimal };
  }
  return Object.fromEntries(Object.entries(asked as object).map(([name, each]) => [name, placed(each, locale)]));
}

/** Null for what is no condition. */
function operatorIn(asked: object): FilterOperator | null {
  if (!('operator' in asked && 'values' in asked)) return null;
  const operator = String(asked.operator);
  return isFilterOperator(operator) ? operator : null;
}

/** First time with a four-digit year in PostgreSQL and clients, with a day of margin. */
const FIRST = Date.UTC(1000, 0, 1);
const LAST = Date.UTC(9999, 0, 1);

function placedBound({ name, operator, values }: DatedCondition, zone: Zone): Bound {
  const read = readDateTime(String(singleOf({ name, values })));
  if (read === null || read.wall < FIRST || read.wall >= LAST) {
    const message = `The filter on "${name}" needs a date (2026-11-30) or a time (2026-11-30T14:00).`;
    throw invalid('filters', message);
  }
  const isBeyond = rowOf<'date'>(operator).endOfDay;
  if (read.isDate) {
    const day = read.wall / dayMs + (isBeyond ? 1 : 0);
    return { at: zone.startOfDay(day), wall: day * dayMs };
  }
  const more = isBeyond ? 1 : 0;
  // Local time of the bound itself: a later clock change does not matter.
  if (read.at !== null) return { at: read.at + more, wall: zone.localAt(read.at) + more };
  const at = zone.instantOf(read.wall);
  const isShown = zone.localAt(at) === read.wall;
  // Skipped local times are before the first time after the gap.
  return { at: isShown ? at + more : at, wall: read.wall + more };
}
