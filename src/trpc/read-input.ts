/**
 * Inputs of calls, as superjson writes them in the browser. Strangers send them too, so superjson itself does not read them: its paths may be of any
 * length and lead anywhere. Inputs are JSON by contract, and the one annotation they need is that of members given as `undefined`. One pass without
 * recursion bounds depth and count before anything else looks at the value.
 */
import { TRPCError } from '@trpc/server';

/** Levels; filters, the deepest of our inputs, have about twelve. */
export const MAX_INPUT_DEPTH = 32;
/** Values of all levels together. */
export const MAX_INPUT_VALUES = 20_000;
/** Members given as `undefined`. */
export const MAX_ANNOTATIONS = 200;
/** Characters of the path to one. */
export const MAX_PATH_LENGTH = 256;

/** superjson refuses to write them as well. */
const PROTOTYPE_NAMES = new Set(['__proto__', 'prototype', 'constructor']);

/** @throws TRPCError `BAD_REQUEST` for what superjson would not have made of an input of ours */
export function readInput(sent: unknown): unknown {
  if (!isRecord(sent) || !hasOnly(sent, ['json', 'meta'])) throw refused();
  const { json, meta } = sent;
  if (!isBounded(json)) throw refused();
  if (meta === undefined) return json;
  if (!isRecord(meta) || !hasOnly(meta, ['values', 'v']) || (meta['v'] ?? 1) !== 1) throw refused();
  const { values } = meta;
  if (isUndefined(values)) {
    if (json !== null && json !== undefined) throw refused();
    return undefined;
  }
  if (!isRecord(values)) throw refused();
  let left = MAX_ANNOTATIONS;
  for (const path in values) {
    if (left-- <= 0 || path.length > MAX_PATH_LENGTH || !isUndefined(values[path])) throw refused();
    setUndefined(json, path);
  }
  return json;
}

function refused(): TRPCError {
  return new TRPCError({ code: 'BAD_REQUEST' });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: Record<string, unknown>, names: readonly string[]): boolean {
  for (const name in value) if (!names.includes(name)) return false;
  return true;
}

/** Breadth first, so that input that is too deep or too large costs no more than the limits. */
function isBounded(json: unknown): boolean {
  let level = [json];
  let left = MAX_INPUT_VALUES;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_INPUT_DEPTH) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const record = value as Record<string, unknown>;
      for (const name in record) {
        if (left-- <= 0 || PROTOTYPE_NAMES.has(name)) return false;
        next.push(record[name]);
      }
    }
    level = next;
  }
  return true;
}

function isUndefined(annotation: unknown): boolean {
  return Array.isArray(annotation) && annotation.length === 1 && annotation[0] === 'undefined';
}

/** superjson writes such a member as null. @throws TRPCError when the path leads to anything else */
function setUndefined(json: unknown, path: string): void {
  const names = namesOf(path);
  const last = names.pop();
  let parent = json;
  for (const name of names) parent = memberOf(parent, name);
  if (last === undefined || memberOf(parent, last) !== null) throw refused();
  (parent as Record<string, unknown>)[last] = undefined;
}

function memberOf(parent: unknown, name: string): unknown {
  const isThere = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name);
  if (!isThere) throw refused();
  return (parent as Record<string, unknown>)[name];
}

/** Names joined by dots; dots and backslashes within one stand behind a backslash. */
function namesOf(path: string): string[] {
  const names = [''];
  for (const [piece] of path.matchAll(/\\.|[^\\]|\\$/gsu)) {
    if (piece === '.') names.push('');
    else names[names.length - 1] += piece.replace(/^\\/, '');
  }
  return names;
}
