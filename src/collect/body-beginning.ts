/**
 * Finds the project of a large body from its first bytes, so that an unknown token costs no parsing. Pure.
 */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { endOfString } from './json-bounds.ts';

/**
 * Called with what is known of a body: what lies around its events (null: the body is a list), and the first of them.
 *
 * @throws AppError `unauthenticated` when the token is missing or belongs to no project
 */
export type CheckToken = (envelope: JsonObject | null, events: readonly JsonValue[]) => Promise<void>;

export interface BodyBeginning {
  envelope: JsonObject | null;
  events: JsonValue[];
}

/** Characters looked at. */
export const BEGINNING_LENGTH = 64 * 1024;

/**
 * The token at the beginning of a text, when it identifies the project regardless of the rest: before the list of events, or of the first event
 * of a bare list. Null otherwise.
 */
export function readBodyBeginning(whole: string): BodyBeginning | null {
  const text = whole.slice(0, BEGINNING_LENGTH).trimStart();
  if (text.startsWith('[')) {
    const event = parsed(text.slice(1, endOfValue(text, 1)));
    const decides = hasText(event, EVENT_NAMES) || hasText(event?.['properties'], ['token']);
    return decides ? { envelope: null, events: [event as JsonObject] } : null;
  }
  const list = text.startsWith('{') ? startOfBatch(text) : -1;
  if (list === -1) return null;
  const envelope = parsed(`${text.slice(0, list)}[]}`);
  return hasText(envelope, ENVELOPE_NAMES) ? { envelope: envelope as JsonObject, events: [] } : null;
}

/** Index of the bracket that opens the list named `batch` in the object that the text begins; -1: not found. */
function startOfBatch(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && text.startsWith(BATCH, at)) {
        BATCH_LIST.lastIndex = end;
        if (BATCH_LIST.test(text)) return BATCH_LIST.lastIndex - 1;
      }
      at = end - 1;
    } else if (unit === '{' || unit === '[') depth++;
    else if (unit === '}' || unit === ']') depth--;
  }
  return -1;
}

const BATCH = '"batch"';
const BATCH_LIST = /\s{0,9}:\s{0,9}\[/y;

/** Index after the object or list at `from`, leading blanks skipped; the end of the text when it is incomplete. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') at = endOfString(text, at) - 1;
    else if (unit === '{' || unit === '[') depth++;
    else if (unit === '}' || unit === ']') {
      depth--;
      if (depth <= 0) return at + 1;
    }
  }
  return text.length;
}

/** The object in a text; null for anything else. */
function parsed(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function hasText(value: JsonValue | undefined, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return names.some((name) => typeof value[name] === 'string' && value[name] !== '');
}

/** Names of a token. @see ./envelope.ts */
const ENVELOPE_NAMES = ['token', 'api_key'];
const EVENT_NAMES = ['token', '$token', 'api_key'];
