/** Stretches of time, and how a chunk cuts them. Pure. */

/** Start times of buckets, ascending, followed by the end of the last. */
export type Edges = readonly number[];

interface Divided {
  from: number;
  until: number;
  /** Moments at which stretches begin; they may lie outside. */
  starts: readonly number[];
}

/** All edges of a span: its own and those of its stretches within. */
export function edgesOf({ from, until, starts }: Divided): Edges {
  return [from, ...starts.filter((start) => start > from && start < until), until];
}

/** For each of `starts`, the index of the bucket of `edgesOf` that starts there; null for none. */
export function placesOf(span: Divided): (number | null)[] {
  const edges = edgesOf(span);
  const places = new Map(edges.map((edge, place) => [edge, place]));
  return span.starts.map((start, at) => {
    const begin = Math.max(start, span.from);
    const end = Math.min(span.starts[at + 1] ?? span.until, span.until);
    return begin < end ? (places.get(begin) as number) : null;
  });
}

/**
 * The edges that matter from `minTs` to `maxTs`: equal for queries with the same buckets in that
 * time, so that they share a cache key. `first` is the index of the first bucket. No edges: nothing is counted.
 */
export function cut(edges: Edges, minTs: number, maxTs: number): { edges: number[]; first: number } {
  if (edges.length < 2 || (edges.at(-1) as number) <= minTs || (edges[0] as number) > maxTs)
    return { edges: [], first: 0 };
  const first = Math.max(placeAfter(edges, minTs) - 1, 0);
  const local = [Math.max(edges[first] as number, minTs)];
  for (let place = first + 1; place < edges.length; place++) {
    const edge = edges[place] as number;
    local.push(Math.min(edge, maxTs + 1));
    if (edge > maxTs) break;
  }
  return { edges: local, first };
}

/** Index of the first edge after a time. */
function placeAfter(edges: Edges, moment: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] as number) <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
