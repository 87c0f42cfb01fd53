/** A bounded memory of what was used lately. Pure. */

export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/**
 * Remembers between `size / 2` and `size` entries, those used last. Two maps: when the young one is full it becomes the old one, and the
 * old one is forgotten; what is found in the old one moves to the young. Cheaper than a list of uses, and nothing is
 * written when a recent entry is read again.
 */
export function createRecent<Key, Value>(size: number): Recent<Key, Value> {
  const half = Math.ceil(size / 2);
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    if (young.size >= half && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    set,
    get(key) {
      const recent = young.get(key);
      if (recent !== undefined) return recent;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young = new Map();
      old = new Map();
    },
  };
}
