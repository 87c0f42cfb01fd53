/** Steps that make text storable and keep events within bounds. */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { DropReason } from '../contract.ts';
import { type Draft, put, type StepContext } from './draft.ts';

/** Objects and lists inside each other; more is no event of a person's making. */
export const MAX_DEPTH = 128;

/**
 * Drops what is nested too deeply (to write it out again would exhaust the stack) or larger than an event may be. Real clients cut
 * strings at 65,535 characters.
 */
export function dropOversized(draft: Draft, { facts }: StepContext): DropReason | null {
  if (facts.small) return isTooDeep(draft.raw, 0) ? 'too_deep' : null;
  const length = lengthOf(draft.raw, 0);
  if (length < 0) return 'too_deep';
  return length > facts.maxEventLength ? 'too_large' : null;
}

function isTooDeep(value: JsonObject | JsonValue[], depth: number): boolean {
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object' && item !== null && isTooDeep(item, depth + 1)) return true;
    }
    return false;
  }
  for (const name in value) {
    const item = value[name];
    if (typeof item === 'object' && item !== null && isTooDeep(item, depth + 1)) return true;
  }
  return false;
}

/** About the length of the value's JSON; negative when it is too deep. */
function lengthOf(value: JsonValue, depth: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  if (depth > MAX_DEPTH) return -1;
  let total = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      const length = lengthOf(item, depth + 1);
      if (length < 0) return -1;
      total += length + 1;
    }
    return total;
  }
  for (const name in value) {
    const length = lengthOf(value[name] as JsonValue, depth + 1);
    if (length < 0) return -1;
    total += name.length + 4 + length;
  }
  return total;
}

/** PostgreSQL refuses NUL and unpaired surrogates in text and in JSON: both become U+FFFD, in names and in values. */
export function cleanText(draft: Draft, context: StepContext): null {
  if (!context.facts.unclean) return null;
  const cleaned = cleanObject(draft.raw);
  if (cleaned === draft.raw) return null;
  draft.raw = cleaned;
  context.warn('text_cleaned', draft);
  return null;
}

function cleanValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanString(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return cleanObject(value);
  let copy: JsonValue[] | null = null;
  for (let index = 0; index < value.length; index++) {
    const item = value[index] as JsonValue;
    const clean = cleanValue(item);
    if (clean === item) continue;
    copy ??= value.slice();
    copy[index] = clean;
  }
  return copy ?? value;
}

function cleanObject(value: JsonObject): JsonObject {
  const names = Object.keys(value);
  let copy: JsonObject | null = null;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const item = value[name] as JsonValue;
    const cleanName = cleanString(name);
    const cleanItem = cleanValue(item);
    if (copy === null) {
      if (cleanName === name && cleanItem === item) continue;
      copy = {};
      for (const earlier of names.slice(0, index)) put(copy, earlier, value[earlier] as JsonValue);
    }
    put(copy, cleanName, cleanItem);
  }
  return copy ?? value;
}

/** The text without NUL and unpaired surrogates. */
export function cleanString(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed;
}
