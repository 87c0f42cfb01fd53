/** A bounded memory of what was used lately. Pure. */

export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
  /** An entry that was read or set just now takes so many bytes more than when it was set. */
  grow(bytes: number): void;
}

/** Bounds in bytes, where senders decide how long keys and values are. */
export interface ByteBound<Key, Value> {
  maxBytes: number;
  /** Bytes of an entry, roughly. */
  bytesOf(key: Key, value: Value): number;
  /** Shared size of several caches: each adds its entries and subtracts evicted ones. */
  usage?: { bytes: number };
}

/**
 * Remembers between `size / 2` and `size` entries, those used last; fewer when they take more than `maxBytes`. Two maps: when the young one
 * is full it becomes the old one, and the old one is forgotten; what is found in the old one moves to the young. Cheaper than a list of uses,
 * and nothing is written when a recent entry is read again.
 */
export function createRecent<Key, Value>(size: number, bound?: ByteBound<Key, Value>): Recent<Key, Value> {
  const half = Math.ceil(size / 2);
  const halfBytes = bound === undefined ? Number.POSITIVE_INFINITY : bound.maxBytes / 2;
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  let youngBytes = 0;
  let oldBytes = 0;

  function add(bytes: number): void {
    youngBytes += bytes;
    if (bound?.usage !== undefined) bound.usage.bytes += bytes;
  }

  function turn(): void {
    if (bound?.usage !== undefined) bound.usage.bytes -= oldBytes;
    old = young;
    oldBytes = youngBytes;
    young = new Map();
    youngBytes = 0;
  }

  function set(key: Key, value: Value): void {
    if (young.size >= half && !young.has(key)) turn();
    if (bound !== undefined) {
      const bytes = bound.bytesOf(key, value);
      if (bytes > halfBytes) {
        remove(key);
        return;
      }
      if (youngBytes + bytes > halfBytes) turn();
      add(bytes);
    }
    young.set(key, value);
  }

  function remove(key: Key): void {
    young.delete(key);
    old.delete(key);
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
    delete: remove,
    clear() {
      turn();
      turn();
    },
    grow(bytes) {
      add(bytes);
      if (youngBytes > halfBytes) turn();
    },
  };
}

/** What a function of texts gives, remembered for those that came lately. @param make pure */
export function remembering(
  make: (text: string) => string,
  { size, maxBytes }: { size: number; maxBytes: number },
): (text: string) => string {
  const bytesOf = (text: string, made: string) => 2 * (text.length + made.length);
  const known = createRecent<string, string>(size, { maxBytes, bytesOf });
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

/** The same for names that several owners may have: joining an owner to a name costs more than looking it up. */
export interface RecentOf<Value> {
  get(owner: number, name: string): Value | undefined;
  set(owner: number, name: string, value: Value): void;
  clear(): void;
}

/** One owner's entry under a name; other owners may have one, too. */
interface Owned<Value> {
  readonly owner: number;
  value: Value;
  next: Owned<Value> | null;
}

/** @param size in names */
export function createRecentOf<Value>(size: number, bound?: ByteBound<string, Value>): RecentOf<Value> {
  const names = createRecent<string, Owned<Value>>(size, bound && { ...bound, bytesOf });

  function bytesOf(name: string, first: Owned<Value>): number {
    let bytes = 0;
    for (let each: Owned<Value> | null = first; each !== null; each = each.next)
      bytes += bound?.bytesOf(name, each.value) ?? 0;
    return bytes;
  }

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
      if (own === null) {
        names.set(name, { owner, value, next: first ?? null });
        return;
      }
      if (bound !== undefined) names.grow(Math.max(0, bound.bytesOf(name, value) - bound.bytesOf(name, own.value)));
      own.value = value;
    },
    clear: () => names.clear(),
  };
}
