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

/** The same for names that several owners may have: joining an owner to a name costs more than looking it up. */
export interface RecentOf<Value> {
  get(owner: number, name: string): Value | undefined;
  set(owner: number, name: string, value: Value): void;
  clear(): void;
}

/** What one owner has under a name; others may have something under it too. */
interface Owned<Value> {
  readonly owner: number;
  value: Value;
  next: Owned<Value> | null;
}

/** @param size in names */
export function createRecentOf<Value>(size: number): RecentOf<Value> {
  const names = createRecent<string, Owned<Value>>(size);

  function find(first: Owned<Value> | undefined, owner: number): Owned<Value> | null {
    let each = first ?? null;
    while (each !== null && each.owner !== owner) each = each.next;
    return each;
  }

  return {
    get: (owner, name) => find(names.get(name), owner)?.value,
    set(owner, name, value) {
      const first = names.get(name);
      const own = find(first, owner);
      if (own === null) names.set(name, { owner, value, next: first ?? null });
      else own.value = value;
    },
    clear: () => names.clear(),
  };
}
