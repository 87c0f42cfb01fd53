/**
 * Limits of a JSON text, checked before it is parsed: a few megabytes of brackets would hold the process for seconds. Looks at
 * structure only and gives way to other requests between slices. Pure.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#src/kit/errors.ts';

/** Values in one body. A batch of 10,000 browser events has about 700,000. */
const MAX_VALUES = 1_000_000;
/** Levels of nesting in one body. What one event may have is decided when it is finished. */
const MAX_DEPTH = 250_000;
/** Shorter texts parse within milliseconds, whatever they hold. */
const CHECKED_LENGTH = 128 * 1024;
/** Structural characters looked at before others have their turn: a few milliseconds. */
const SLICE = 50_000;

/** @throws AppError `too_large` when the text holds too many values or is nested too deeply */
export function checkJsonBounds(text: string): Promise<void> | undefined {
  return text.length > CHECKED_LENGTH ? checkInSlices(text) : undefined;
}

async function checkInSlices(text: string): Promise<void> {
  let values = 0;
  let depth = 0;
  let steps = 0;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      steps++;
    } else {
      if (unit === COMMA || unit === OPEN_BRACE || unit === OPEN_BRACKET) values++;
      if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++;
      else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--;
      if (values > MAX_VALUES || depth > MAX_DEPTH) {
        throw new AppError('too_large', 'The body holds too many values or is nested too deeply.');
      }
      at++;
    }
    if (++steps >= SLICE) {
      steps = 0;
      await nextTurn();
    }
  }
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

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
