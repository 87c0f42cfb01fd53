/**
 * Cache of PostgreSQL's pattern matches, which depend only on pattern and text. Goals match
 * the same elements every time. Pure, except for the cache.
 */

/** Results by text, for one pattern. */
export type KnownMatches = Map<string, boolean>;

const MAX_SIZE = 16_000_000;
/** Overhead of an entry besides its characters. */
const ENTRY = 100;

let patterns = new Map<string, KnownMatches>();
let size = 0;

/** @param key identifies the pattern and how it is matched */
export function knownMatches(key: string): KnownMatches {
  let known = patterns.get(key);
  if (known === undefined) {
    known = new Map();
    patterns.set(key, known);
    size += key.length + ENTRY;
  }
  return known;
}

/** Remembers of these texts whether the pattern was found. When it becomes too much, everything is forgotten. */
export function noteMatches(known: KnownMatches, texts: readonly string[], found: ReadonlySet<string>): void {
  for (const text of texts) {
    known.set(text, found.has(text));
    size += text.length + ENTRY;
  }
  if (size < MAX_SIZE) return;
  patterns = new Map();
  size = 0;
}
