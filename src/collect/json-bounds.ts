/**
 * Limits of a JSON text, checked before it is parsed: a few megabytes of brackets or of names would hold the process for seconds. Looks at
 * structure only and gives way to other requests between slices. Notes where the list of events lies, so that it can be parsed in parts. Pure.
 */
import { AppError } from '#src/kit/errors.ts';
import { takeBreath } from './breath.ts';

/** Values in one body. A batch of 10,000 browser events has about 700,000. */
const MAX_VALUES = 1_000_000;
/** Names in one event, and in all that lies around the events. An object of a million different names takes seconds to parse, this many 0.2 s. */
const MAX_NAMES = 150_000;
/** Levels of nesting in one body. What one event may have is decided when it is finished. */
const MAX_DEPTH = 250_000;
/** Structural characters looked at before others have their turn: about a millisecond. */
const SLICE = 20_000;
/** A part ends with the event that makes it this long: about a millisecond to parse. */
const PART_LENGTH = 64 * 1024;

/** Position of the list of events in a JSON text: the text itself, or its `batch`. */
export interface EventList {
  /** Indexes after the opening and of the closing bracket. */
  start: number;
  end: number;
  parts: ListPart[];
}

/** Neighbouring elements of the list, between commas. */
export interface ListPart {
  start: number;
  end: number;
  elements: number;
}

/**
 * The list of events in a text; null when there is none.
 *
 * @throws AppError `too_large` when the text holds too many values or names or is nested too deeply, `invalid` when brackets stay open
 */
export async function checkJsonBounds(text: string): Promise<EventList | null> {
  let values = 0;
  let names = 0;
  let namesAround = 0;
  let depth = 0;
  let steps = 0;
  let at = 0;
  /** Latest string of the top-level object, and its latest key. */
  let string = '';
  let key = '';
  let list: EventList | null = null;
  let listDepth = 0;
  let part: ListPart = { start: 0, end: 0, elements: 0 };
  /** True while `at` is in the list. */
  let isInList = false;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    switch (unit) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (depth === 1 && !isInList) string = text.slice(at, Math.min(end, at + KEY_LENGTH));
        at = end - 1;
        break;
      }
      case COLON:
        if (depth === 1 && !isInList) key = string;
        if (isInList ? ++names > MAX_NAMES : ++namesAround > MAX_NAMES) throw tooMuch();
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        values++;
        depth++;
        if (list === null && unit === OPEN_BRACKET && (depth === 1 || (depth === 2 && key === EVENTS_KEY))) {
          list = { start: at + 1, end: -1, parts: [] };
          listDepth = depth;
          isInList = true;
          part = { start: at + 1, end: -1, elements: 1 };
        }
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (isInList && depth === listDepth && list !== null) {
          isInList = false;
          list.end = at;
          list.parts.push({ ...part, end: at });
        }
        depth--;
        break;
      case COMMA:
        values++;
        if (!isInList || depth !== listDepth || list === null) break;
        names = 0;
        if (at - part.start < PART_LENGTH) part.elements++;
        else {
          list.parts.push({ ...part, end: at });
          part = { start: at + 1, end: -1, elements: 1 };
        }
        break;
    }
    if (values > MAX_VALUES || depth > MAX_DEPTH) throw tooMuch();
    at++;
    if (++steps >= SLICE) {
      steps = 0;
      await takeBreath();
    }
  }
  if (depth !== 0) throw new AppError('invalid', 'Invalid request body: can’t be parsed as events.');
  return list;
}

/** Index after the closing quote of the JSON string that opens at `open`. */
export function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) at++;
    else if (unit === QUOTE) return at + 1;
  }
  return text.length;
}

function tooMuch(): AppError {
  return new AppError('too_large', 'Request body has too many values or keys, or is nested too deeply.');
}

const EVENTS_KEY = '"batch"';
/** Longer keys are cut here: enough to differ. */
const KEY_LENGTH = EVENTS_KEY.length + 1;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
