/** Chance that is the same each time: a seeded generator (sfc32) and the draws that the sample shop needs. Pure. */

export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** An item by its weight. */
  weighted<Item>(items: readonly (readonly [item: Item, weight: number])[]): Item;
  /** Log-normal around a median; `spread` is the deviation of the logarithm. */
  around(median: number, spread: number): number;
  /** A UUIDv7 of this time. */
  uuid(ms: number): string;
}

export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];

  function bits(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  }

  const next = (): number => bits() / 2 ** 32;
  const hex = (digits: number): string => bits().toString(16).padStart(8, '0').slice(0, digits);
  for (let round = 0; round < 12; round++) bits();

  return {
    next,
    int: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    weighted(items) {
      let at = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of items) {
        at -= weight;
        if (at < 0) return item;
      }
      return (items.at(-1) as (typeof items)[number])[0];
    },
    around(median, spread) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(spread * normal);
    },
    uuid(ms) {
      const time = Math.floor(ms).toString(16).padStart(12, '0');
      const variant = ((bits() & 0x3f) | 0x80).toString(16);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(2)}-${hex(8)}${hex(4)}`;
    },
  };
}
