/** Takes parameters that hold secrets out of addresses, before anything else reads them: what is not stored cannot leak. */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { escaped } from '#src/kit/patterns/values.ts';
import type { Draft, StepContext } from './draft.ts';

/** Takes what the project lists out of the query and the fragment of every address in the event, wherever that stands. */
export function stripParameters(draft: Draft, { project }: StepContext): null {
  const pattern = patternOf(project.settings.strippedParameters);
  if (pattern !== null) draft.raw = strippedObject(draft.raw, pattern);
  return null;
}

/** An address without the parameters that a project lists. */
export function strippedAddress(text: string, names: readonly string[]): string {
  const pattern = patternOf(names);
  return pattern === null ? text : strippedText(text, pattern);
}

/** Keyed by the list, the same object while a project is cached. */
const patterns = new WeakMap<readonly string[], RegExp>();

function patternOf(names: readonly string[]): RegExp | null {
  if (names.length === 0) return null;
  const known = patterns.get(names);
  if (known !== undefined) return known;
  // In elements of a page an `&` may be written as one of HTML.
  const pattern = new RegExp(`(&amp;|[?&#;])(?:${names.map(escaped).join('|')})=[^&#;"'\\s]*`, 'gi');
  patterns.set(names, pattern);
  return pattern;
}

function strippedText(text: string, pattern: RegExp): string {
  if (!text.includes('=')) return text;
  const left = text.replace(pattern, (_, sign: string) => (sign === '?' || sign === '#' ? sign : ''));
  if (left === text) return text;
  // Repairs the separators around removed parameters.
  return left.replaceAll(/([?#])(?:&amp;|&)/g, '$1').replaceAll(/[?](?=[#"'\s]|$)|#(?=["'\s]|$)/g, '');
}

function strippedValue(value: JsonValue, pattern: RegExp): JsonValue {
  if (typeof value === 'string') return strippedText(value, pattern);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? strippedList(value, pattern) : strippedObject(value, pattern);
}

/** Returns the same object when nothing changes. */
function strippedObject(object: JsonObject, pattern: RegExp): JsonObject {
  let copy: JsonObject | null = null;
  for (const name in object) {
    const value = object[name] as JsonValue;
    const left = strippedValue(value, pattern);
    if (left === value) continue;
    copy ??= { ...object };
    copy[name] = left;
  }
  return copy ?? object;
}

function strippedList(list: JsonValue[], pattern: RegExp): JsonValue[] {
  let copy: JsonValue[] | null = null;
  for (let at = 0; at < list.length; at++) {
    const value = list[at] as JsonValue;
    const left = strippedValue(value, pattern);
    if (left === value) continue;
    copy ??= [...list];
    copy[at] = left;
  }
  return copy ?? list;
}
