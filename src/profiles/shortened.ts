/** Properties of persons as lists show them: not all of many, and of long values the beginning. Pure. */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';

/** Properties of a person that are listed, and characters of a value. */
const MAX_PROPERTIES = 100;
const MAX_VALUE = 400;

export function shortened(properties: JsonObject): Record<string, JsonValue> {
  const entries = Object.entries(properties).slice(0, MAX_PROPERTIES);
  return Object.fromEntries(entries.map(([name, value]) => [name, shortValue(value)]));
}

function shortValue(value: JsonValue): JsonValue {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_VALUE ? value : `${text.slice(0, MAX_VALUE)}…`;
}
