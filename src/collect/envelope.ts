/**
 * Parses a decoded request: raw events, project token and time of sending. Supports
 * all formats of clients: envelope, bare array, bare object, the legacy `engage` object, and the newer server
 * capture. Pure. @see docs/wire.md
 */
import { AppError } from '#src/kit/errors.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { parseTime } from './steps/time.ts';

/** Events as one request brought them. */
export interface RawBatch {
  /** Accepted form, not yet known to belong to a project. */
  token: string;
  events: JsonValue[];
  /** The client's time of sending, ms; null when absent. */
  sentAt: number | null;
  /** Part of a migration of old data: its times are exact and it stays out of what is live. */
  historical: boolean;
}

export interface EnvelopeHints {
  /** Token given outside the body: query string or bearer header. */
  token?: string | undefined;
  /** `_` or `sent_at` of the query string, ms. */
  sentAtMs?: string | undefined;
  /** `/engage/`: an object without a name sets person properties. */
  isEngage?: boolean;
}

/**
 * @throws invalid when there are no events in it, unauthenticated when it has no usable token or several
 */
export function openEnvelope(value: JsonValue, hints: EnvelopeHints): RawBatch {
  if (Array.isArray(value)) {
    refuseEmpty(value);
    if (hints.isEngage) nameSets(value);
    return {
      token: tokenOf(null, value, hints),
      events: value,
      sentAt: sentAtOf(null, hints),
      historical: false,
    };
  }
  if (!isObject(value)) throw new AppError('invalid', 'No event in the request body.');
  const batch = value['batch'];
  if (Array.isArray(batch)) {
    refuseEmpty(batch);
    if (hints.isEngage) nameSets(batch);
    return {
      token: tokenOf(value, batch, hints),
      events: batch,
      sentAt: sentAtOf(value, hints),
      historical: value['historical_migration'] === true,
    };
  }
  const events = [value];
  if (hints.isEngage) nameSets(events);
  return { token: tokenOf(null, events, hints), events, sentAt: sentAtOf(value, hints), historical: false };
}

/** Objects without an event name set person properties. */
function nameSets(events: JsonValue[]): void {
  for (const event of events) {
    if (isObject(event) && (event['event'] ?? '') === '') event['event'] = '$set';
  }
}

/**
 * Converts an event of the newer server capture, with options and session beside its properties, into the usual form.
 *
 * @param lib `name/version` from the `PostHog-Sdk-Info` header
 */
export function fromServerCapture(event: JsonValue, lib: string | undefined): JsonValue {
  if (!isObject(event)) return event;
  const options = isObject(event['options']) ? event['options'] : {};
  const properties: JsonObject = isObject(event['properties']) ? event['properties'] : {};
  for (const [option, property] of SERVER_OPTIONS) {
    const set = options[option];
    if (set !== undefined) properties[property] = set;
  }
  for (const [field, property] of [
    ['session_id', '$session_id'],
    ['window_id', '$window_id'],
  ] as const) {
    const set = event[field];
    if (typeof set === 'string') properties[property] = set;
  }
  const [name, version] = lib?.split('/', 2) ?? [];
  if (name) properties['$lib'] ??= name;
  if (version) properties['$lib_version'] ??= version;
  event['properties'] = properties;
  return event;
}

const SERVER_OPTIONS = [
  ['cookieless_mode', '$cookieless_mode'],
  ['disable_skew_correction', '$ignore_sent_at'],
  ['process_person_profile', '$process_person_profile'],
  ['product_tour_id', '$product_tour_id'],
] as const;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A token in the form that may be looked up. @throws unauthenticated */
export function acceptableToken(text: JsonValue | undefined): string {
  const token = typeof text === 'string' ? text.trim() : '';
  if (!TOKEN.test(token)) throw new AppError('unauthenticated', 'Missing or malformed project token.');
  if (PERSONAL_KEY.test(token)) {
    throw new AppError('unauthenticated', 'This is a personal API key. Send events with the public project token.');
  }
  return token;
}

export function unknownToken(): AppError {
  return new AppError('unauthenticated', 'Unknown project token.');
}

const TOKEN = /^[\x21-\x7e]{1,64}$/;
const PERSONAL_KEY = /^(?:phx_|lnk_)/;

/** The envelope's token, else the one given outside the body, else the one that all events name. @throws unauthenticated */
export function tokenOf(
  envelope: JsonObject | null,
  events: readonly JsonValue[],
  hints: Pick<EnvelopeHints, 'token'>,
): string {
  const given = envelopeToken(envelope) ?? hints.token;
  if (given !== undefined && given !== null && given !== '') return acceptableToken(given);
  let found: JsonValue | undefined;
  for (const event of events) {
    if (!isObject(event)) continue;
    const named = eventToken(event);
    if (named === undefined || named === found) continue;
    if (found !== undefined) throw severalTokens();
    found = named;
  }
  return acceptableToken(found);
}

/** When both names are present they must be equal, so that the first one read identifies the project. */
function envelopeToken(envelope: JsonObject | null): JsonValue | undefined {
  const token = envelope?.['token'] ?? undefined;
  const key = envelope?.['api_key'] ?? undefined;
  if (token === undefined || key === undefined || token === key) return token ?? key;
  throw severalTokens();
}

function severalTokens(): AppError {
  return new AppError('unauthenticated', 'A request can contain only one project token.');
}

function eventToken(event: JsonObject): JsonValue | undefined {
  const own = event['token'] ?? event['$token'] ?? event['api_key'];
  if (own !== undefined && own !== null) return own;
  const properties = event['properties'];
  return isObject(properties) ? (properties['token'] ?? undefined) : undefined;
}

/** Years up to this are not believed of a time in the query string: clients once sent seconds there. */
const QUERY_TIME_FROM_MS = Date.UTC(2021, 0, 1);

function sentAtOf(envelope: JsonObject | null, hints: EnvelopeHints): number | null {
  const stated = envelope?.['sent_at'];
  if (typeof stated === 'string') {
    const ms = parseTime(stated);
    if (ms !== null) return Math.floor(ms);
  } else if (typeof stated === 'number' && stated >= QUERY_TIME_FROM_MS) {
    return Math.floor(stated);
  }
  const ms = Number(hints.sentAtMs);
  return Number.isFinite(ms) && ms >= QUERY_TIME_FROM_MS ? Math.floor(ms) : null;
}

function refuseEmpty(events: JsonValue[]): void {
  if (events.length === 0) throw new AppError('invalid', 'Empty batch.');
}
