/**
 * Steps that decide when the event happened: the client's clock is corrected by the difference between its idea of when it
 * sent the request and ours, and times that cannot be are replaced by the receipt time, visibly.
 */
import { eventMarks } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { dayMs, hourMs } from '#src/kit/zone.ts';
import type { DropReason } from '../contract.ts';
import { clockOffset } from './device-clock.ts';
import type { Draft, StepContext, StepProject } from './draft.ts';

/** A day off minus an hour: what is further ahead is a wrong clock, not a time zone. */
const MAX_AHEAD_MS = 23 * hourMs;
const LATE_MS = 30 * dayMs;
/** 0001-01-01T00:00:00Z; PostgreSQL and people agree from here on. */
const YEAR_1_MS = -62_135_596_800_000;

/**
 * In this order: `offset` (age in ms), `timestamp` corrected by `sent_at`, `timestamp` as it is (history, or no `sent_at`), receipt. Events of
 * one device are corrected alike.
 */
export function putTime(draft: Draft, context: StepContext): null {
  const { raw, sent } = draft;
  const { receivedAt, sentAt, historical } = context.facts;
  const offset = raw['offset'];
  let ts: number;
  let isCorrected = false;
  if (typeof offset === 'number' && Number.isFinite(offset)) {
    ts = receivedAt - offset;
    draft.clientTs = (sentAt ?? receivedAt) - offset;
    isCorrected = sentAt !== null;
  } else {
    const stated = raw['timestamp'];
    const parsed = stated === undefined || stated === null ? null : parseTime(stated);
    if (parsed === null) {
      ts = receivedAt;
      draft.clientTs = sentAt ?? receivedAt;
      if (stated !== undefined && stated !== null) clamp(draft, context, 'bad_time');
    } else {
      draft.clientTs = parsed;
      isCorrected = sentAt !== null && !historical && sent['$ignore_sent_at'] !== true;
      ts = parsed;
    }
  }
  draft.receipt = receivedAt;
  if (isCorrected && sentAt !== null) {
    const measured = receivedAt - sentAt;
    const used = clockOffset(context.cache.clocks, sent, measured);
    ts = draft.clientTs + used;
    draft.receipt = receivedAt + Math.max(0, used - measured);
  }
  if (!(ts <= receivedAt + MAX_AHEAD_MS)) {
    ts = receivedAt;
    clamp(draft, context, 'clock_ahead');
  } else if (!(ts >= YEAR_1_MS)) {
    ts = receivedAt;
    clamp(draft, context, 'bad_time');
  } else if (receivedAt - ts > LATE_MS && !historical) {
    draft.marks |= eventMarks.late;
    context.warn('late', draft);
  }
  draft.ts = Math.floor(ts);
  return null;
}

/** The sub-millisecond part of an event's time, ms below 1. */
export function beyondMs({ raw, marks }: Draft): number {
  const { timestamp: stated, offset } = raw;
  if (marks & eventMarks.clamped || (typeof offset === 'number' && Number.isFinite(offset))) return 0;
  if (typeof stated === 'number' || (typeof stated === 'string' && EPOCH.test(stated))) {
    const ms = fromEpoch(Number(stated)) ?? 0;
    return Math.min(Math.round((ms - Math.floor(ms)) * 1000), 999) / 1000;
  }
  const digits = typeof stated === 'string' ? MICROSECONDS.exec(stated)?.[1] : undefined;
  return digits === undefined ? 0 : Number(digits.padEnd(3, '0')) / 1000;
}

const MICROSECONDS = /[.,]\d{3}(\d{1,3})/;

function clamp(draft: Draft, context: StepContext, reason: 'bad_time' | 'clock_ahead'): void {
  draft.marks |= eventMarks.clamped;
  context.warn(reason, draft, JSON.stringify(draft.raw['timestamp'] ?? draft.raw['offset'])?.slice(0, 60));
}

/** Drops events that are older than the project's retention. */
export function dropExpired(draft: Draft, { project, facts }: StepContext): DropReason | null {
  const days = project.settings.retentionDays;
  return days !== null && draft.ts < facts.receivedAt - days * dayMs ? 'expired' : null;
}

/** Drops events of months whose events PostgreSQL has dropped, and of all before: a part of them would look like all. */
export function dropOfDroppedMonth({ ts }: Draft, { project }: StepContext): DropReason | null {
  return isOfDroppedMonth(ts, project) ? 'dropped_month' : null;
}

export function isOfDroppedMonth(ts: number, { closedUntil }: Pick<StepProject, 'closedUntil'>): boolean {
  return closedUntil !== null && ts < closedUntil;
}

/**
 * Milliseconds since 1970 of a time as clients write it: RFC 3339 (also with a space, `+03`, without zone = UTC, date only),
 * RFC 2822, seconds or milliseconds since 1970 as a number or digits. Null for anything else.
 */
export function parseTime(value: JsonValue): number | null {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return null;
  if (value.length === 24 && value.charCodeAt(23) === 0x5a /* Z */) {
    const ms = Date.parse(value); // the form that every current client sends
    if (!Number.isNaN(ms)) return ms;
  }
  const text = value.trim();
  const iso = ISO.exec(text);
  if (iso) return fromIso(iso);
  if (EPOCH.test(text)) return fromEpoch(Number(text));
  if (text.length <= 64 && RFC_2822.test(text)) {
    const ms = Date.parse(text);
    return Number.isNaN(ms) ? null : ms;
  }
  return null;
}

const EPOCH = /^\s*-?\d{1,17}(?:\.\d+)?\s*$/;
const ISO =
  /^([+-]\d{6}|\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?)?\s*(?:(Z|UTC|GMT)|([+-])(\d\d):?(\d\d)?)?$/i;
const RFC_2822 =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun),?\s+)?\d{1,2}\s+[a-z]{3}\s+\d{4}\s+\d\d:\d\d(?::\d\d)?\s+(?:[a-z]{1,4}|[+-]\d{4})(?:\s*\([^)]*\))?$/i;

function fromIso(parts: RegExpExecArray): number | null {
  const [, year, month, day, hour, minute, second, fraction, , sign, zoneHours, zoneMinutes] = parts;
  const date = new Date(0);
  const [y, m, d] = [Number(year), Number(month), Number(day ?? 1)];
  date.setUTCFullYear(y, m - 1, d);
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return null; // 31 February
  const [h, min, s] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)];
  if (h > 24 || min > 59 || s > 60) return null;
  date.setUTCHours(h, min, s, fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000));
  const shiftMinutes =
    sign === undefined ? 0 : Number(`${sign}1`) * (Number(zoneHours) * 60 + Number(zoneMinutes ?? 0));
  return date.getTime() - shiftMinutes * 60_000;
}

/** Seconds or milliseconds, by magnitude (100,000,000,000 s is the year 5138). */
function fromEpoch(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return Math.abs(value) < 1e11 ? value * 1000 : value;
}
