/** Stretches of time, and how a chunk cuts them. Pure. */

/** Moments at which stretches begin, ascending, and last the one at which the last ends. */
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

/** For each of `starts`, which stretch of `edgesOf` begins there; null for none. */
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
 * The part of the edges that matters to what happened from `minTs` to `maxTs`: the same for two questions that divide that time in the
 * same way. `first` is the number of its first stretch. No edges: nothing of it is asked for.
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

/** The place of the first edge after a moment. */
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
