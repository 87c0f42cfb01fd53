/**
 * Ids sent as numbers that a number of JavaScript cannot hold (snowflakes, of 18 digits): rounded, several people would become one. They are read
 * as the text that was sent. Any other number keeps the digits that JSON.parse gives it. Pure.
 */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { isObject } from './envelope.ts';

/** The value of a JSON text, with exact ids. @throws SyntaxError */
export function parseWithExactIds(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue;
  return isRounded(value) ? (JSON.parse(text.replace(LONG_ID, '"$1"$2"$3"')) as JsonValue) : value;
}

/**
 * The text is changed and parsed again, at any depth: a tenth of the time of a reviver that reads every value's source. Inside
 * a string the quotes around such a name are escaped, so only property names match.
 */
const LONG_ID = /(?<!\\)"(\$?distinct_id|\$anon_distinct_id|alias)"(\s*:\s*)(-?\d{16,})(?=[\s,}])/g;

function isRounded(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasRoundedId);
  if (!isObject(value)) return false;
  const { batch } = value;
  return Array.isArray(batch) ? batch.some(hasRoundedId) : hasRoundedId(value);
}

function hasRoundedId(event: JsonValue): boolean {
  if (!isObject(event)) return false;
  if (isUnsafe(event['distinct_id']) || isUnsafe(event['$distinct_id'])) return true;
  const { properties } = event;
  return isObject(properties) && hasRoundedIn(properties);
}

function hasRoundedIn(properties: JsonObject): boolean {
  return (
    isUnsafe(properties['distinct_id']) ||
    isUnsafe(properties['$distinct_id']) ||
    isUnsafe(properties['$anon_distinct_id']) ||
    isUnsafe(properties['alias'])
  );
}

function isUnsafe(id: JsonValue | undefined): boolean {
  return typeof id === 'number' && !(Math.abs(id) <= Number.MAX_SAFE_INTEGER);
}
