/** LRU cache of columns and partial results, in shared memory. */

export interface Cache {
  /** Undefined: not kept. What is kept of a column that a chunk does not have is null. */
  get<Value>(key: string): Value | undefined;
  set(key: string, value: unknown, bytes: number): void;
  /** Forgets what has been kept under keys for which this is true. */
  forget(isIt: (key: string) => boolean): void;
  /** Loads and counts in progress by cache key, so that others wait for them (single flight). */
  readonly underWay: Map<string, Promise<unknown>>;
  /** Bytes in use, keys included roughly. */
  readonly bytes: number;
}

/** Overhead of an entry. */
const ENTRY_BYTES = 200;
/** Precision of the LRU order: an entry may be off by one of this many places. */
const PLACES_OFF = 8;

export function createCache(mostBytes: number): Cache {
  const entries = new Map<string, { value: unknown; bytes: number; movedAt: number }>();
  let used = 0;
  /** How often something was put last in order. */
  let time = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    used -= entry.bytes;
    entries.delete(key);
  }

  return {
    underWay: new Map(),
    get bytes() {
      return used;
    },
    get<Value>(key: string) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // Last in order: last to go. Moving it each time would cost more than all the rest; so it may be some places further ahead.
      if (time - entry.movedAt > entries.size / PLACES_OFF) {
        entries.delete(key);
        entry.movedAt = ++time;
        entries.set(key, entry);
      }
      return entry.value as Value;
    },
    forget(isIt) {
      for (const key of [...entries.keys()]) if (isIt(key)) remove(key);
    },
    set(key, value, bytes) {
      remove(key);
      const size = bytes + ENTRY_BYTES;
      if (size > mostBytes) return;
      entries.set(key, { value, bytes: size, movedAt: ++time });
      used += size;
      for (const oldest of entries.keys()) {
        if (used <= mostBytes) break;
        remove(oldest);
      }
    },
  };
}
