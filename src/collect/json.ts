/**
 * The JSON value of a body. Large texts are checked and parsed in parts, between which other requests have their turn. Pure.
 */
import { AppError } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { type CheckToken, readBodyBeginning } from './body-beginning.ts';
import { takeBreath } from './breath.ts';
import { isObject } from './envelope.ts';
import { parseWithExactIds } from './exact-ids.ts';
import { checkJsonBounds, type EventList, endOfString } from './json-bounds.ts';

/** Texts up to this length parse within milliseconds, regardless of content. */
const AT_ONCE_LENGTH = 128 * 1024;
/** Maximum number of `NaN` and `Infinity` replaced in one text or part. */
const MAX_NON_NUMBERS = 100_000;

/**
 * @param checkToken of a large text: called as soon as its token is known, before its events are read
 * @throws AppError `invalid` when it is no JSON, `too_large` when it holds too much, and what `checkToken` throws
 */
export function readJson(text: string, checkToken?: CheckToken): JsonValue | Promise<JsonValue> {
  return text.length > AT_ONCE_LENGTH ? readLarge(text, checkToken) : parseJson(text);
}

async function readLarge(text: string, checkToken: CheckToken | undefined): Promise<JsonValue> {
  await checkBeginning(text, checkToken);
  const list = await checkJsonBounds(text);
  if (list === null) return parseJson(text);
  const value = parseJson(text.slice(0, list.start) + text.slice(list.end));
  const around = isObject(value) ? value : null;
  const events = await readEvents(text, list, (first) => checkToken?.(around, first));
  if (Array.isArray(value)) return events;
  // Named twice, the last one would count.
  if (!isObject(value) || !Array.isArray(value['batch']) || value['batch'].length > 0) throw unreadable();
  value['batch'] = events;
  return value;
}

/** Checks the token at the beginning of a text, when it identifies the project. @throws what `checkToken` throws */
export async function checkBeginning(text: string, checkToken: CheckToken | undefined): Promise<void> {
  const beginning = checkToken === undefined ? null : readBodyBeginning(text);
  if (beginning !== null) await checkToken?.(beginning.envelope, beginning.events);
}

async function readEvents(
  text: string,
  { parts }: EventList,
  checkFirst: (events: readonly JsonValue[]) => Promise<void> | undefined,
): Promise<JsonValue[]> {
  const events: JsonValue[] = [];
  for (const { start, end, elements } of parts) {
    await takeBreath();
    const part = parseJson(`[${text.slice(start, end)}]`);
    if (!Array.isArray(part)) throw unreadable();
    if (part.length === 0 && parts.length === 1) return events;
    // Otherwise a comma stands before nothing.
    if (part.length !== elements) throw unreadable();
    if (events.length === 0) await checkFirst(part);
    for (const event of part) events.push(event);
  }
  return events;
}

/** JSON, and the `NaN` and `Infinity` that some languages write into it, which become null. */
function parseJson(text: string): JsonValue {
  try {
    return parseWithExactIds(text);
  } catch {
    const repaired = withoutNonNumbers(text);
    if (repaired === null) throw unreadable();
    try {
      return parseWithExactIds(repaired);
    } catch {
      throw unreadable();
    }
  }
}

/** The text with bare `NaN`, `Infinity` and `-Infinity` replaced by null; null when there are none. */
function withoutNonNumbers(text: string): string | null {
  if (!text.includes('NaN') && !text.includes('Infinity')) return null;
  const pieces: string[] = [];
  let from = 0; // start of what is not yet in pieces
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    const word = unit === 0x4e ? 'NaN' : unit === 0x49 ? 'Infinity' : null; // N, I
    if (word !== null && text.startsWith(word, at)) {
      const start = at > from && text[at - 1] === '-' ? at - 1 : at;
      if (pieces.length >= 2 * MAX_NON_NUMBERS) return null;
      pieces.push(text.slice(from, start), 'null');
      at += word.length;
      from = at;
    } else {
      at++;
    }
  }
  return pieces.length === 0 ? null : pieces.join('') + text.slice(from);
}

function unreadable(): AppError {
  return new AppError('invalid', 'Invalid request body: can’t be parsed as events.');
}

const QUOTE = 0x22;
