/** Compares by bytes, as PostgreSQL's collation "C". */
export function byBytes(one: string, other: string): number {
  if (one === other) return 0;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * The first `most` in the order of their counts, from the largest; ties are in the order of `compare`, which is only asked about those that
 * may be among them.
 */
export function largest<Item>(
  items: readonly Item[],
  most: number,
  countOf: (item: Item) => number,
  compare: (one: Item, other: Item) => number,
): Item[] {
  const counts = Float64Array.from(items, countOf).sort();
  const least = counts[Math.max(counts.length - most, 0)] ?? Number.NEGATIVE_INFINITY;
  return items
    .filter((item) => countOf(item) >= least)
    .sort((one, other) => countOf(other) - countOf(one) || compare(one, other))
    .slice(0, most);
}
