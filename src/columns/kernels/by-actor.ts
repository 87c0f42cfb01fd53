/** Merges chunks into one timeline per actor, in chronological order. Pure. */
import type { StepsPart } from './list-steps.ts';
import { Places } from './places.ts';

/** Events of one actor in chronological order; ties in the order of storage. */
export interface ActorTimeline {
  length: number;
  times: Float64Array;
  bits: Int32Array;
  /** Keys as numbered by the caller; 0 without any. */
  keys: Int32Array;
  /** For visits, the person of each event as in the rows; empty when parts do not have it. */
  persons: Int32Array;
  /** The number of who it is, after merges. */
  actor: number;
}

export interface KeyedPart {
  part: StepsPart;
  /** Number of each of the part's keys; null: 0 for all. */
  keyOf: Int32Array | null;
}

/** A share of the actors with a part of the events: `at` of `of`, from 0. Over all shares, every actor occurs once. */
export interface Share {
  at: number;
  of: number;
}

/** Maximum number of events sorted at once. */
const MAX_AT_ONCE = 1 << 20;

/**
 * @param parts in the order of storage
 * @param mergedInto by person number, the person it was merged into; null: actors are no persons, or there are no merges
 * @param some `mostAtOnce`: overrides `MAX_AT_ONCE`; `share`: absent for all actors
 */
export function forEachActor(
  parts: readonly KeyedPart[],
  mergedInto: Int32Array | null,
  call: (timeline: ActorTimeline) => void,
  some: { mostAtOnce?: number | undefined; share?: Share | undefined } = {},
): void {
  const { mostAtOnce = MAX_AT_ONCE, share = { at: 0, of: 1 } } = some;
  const { numbers, counts, places } = numbered(parts, mergedInto);
  const [begin, end] = rangeOf(
    counts,
    numbers.reduce((sum, own) => sum + own.length, 0),
    share,
  );
  for (let first = begin; first < end; ) {
    let last = first;
    let sum = 0;
    while (last < end && (sum === 0 || sum + (counts[last] as number) <= mostAtOnce)) {
      sum += counts[last] as number;
      last++;
    }
    coursesOf(parts, numbers, counts.subarray(first, last), { first, sum, places }, call);
    first = last;
  }
}

/** The first of a share, and the first after it: shares have about the same number of events. */
function rangeOf(counts: Int32Array, all: number, { at, of }: Share): [number, number] {
  if (of === 1) return [0, counts.length];
  const firstFrom = (events: number) => {
    let sum = 0;
    let first = 0;
    while (first < counts.length && sum < events) sum += counts[first++] as number;
    return first;
  };
  return [firstFrom((all * at) / of), at + 1 === of ? counts.length : firstFrom((all * (at + 1)) / of)];
}

/** Numbers the actors: the actor of each event, and the number of events of each. */
function numbered(parts: readonly KeyedPart[], mergedInto: Int32Array | null) {
  const lists = parts.map(({ part }) => part.actors);
  const places = new Places(lists, mergedInto);
  const counts = new Int32Array(places.length);
  const numbers = lists.map((actors) => {
    const own = new Int32Array(actors.length);
    for (let at = 0; at < actors.length; at++) {
      const place = places.of(actors[at] as number);
      own[at] = place;
      counts[place] = (counts[place] as number) + 1;
    }
    return own;
  });
  return { numbers, counts, places };
}

/** Timelines of the actors from `first` on, as many as there are counts. */
function coursesOf(
  parts: readonly KeyedPart[],
  numbers: readonly Int32Array[],
  counts: Int32Array,
  { first, sum, places }: { first: number; sum: number; places: Places },
  call: (timeline: ActorTimeline) => void,
): void {
  const all = {
    times: new Float64Array(sum),
    bits: new Int32Array(sum),
    keys: new Int32Array(sum),
    persons: new Int32Array(parts.some(({ part }) => part.persons !== undefined) ? sum : 0),
  };
  const next = new Int32Array(counts.length);
  for (let own = 1; own < next.length; own++) next[own] = (next[own - 1] as number) + (counts[own - 1] as number);
  for (const [place, { part, keyOf }] of parts.entries()) {
    const own = numbers[place] as Int32Array;
    for (let at = 0; at < own.length; at++) {
      const actor = (own[at] as number) - first;
      if (actor < 0 || actor >= counts.length) continue;
      const to = next[actor] as number;
      next[actor] = to + 1;
      all.times[to] = part.base + (part.times[at] as number);
      all.bits[to] = part.bits[at] as number;
      if (part.persons !== undefined) all.persons[to] = part.persons[at] as number;
      if (keyOf !== null && part.keyed !== null) all.keys[to] = keyOf[part.keyed[at] as number] as number;
    }
  }
  let from = 0;
  for (let own = 0; own < counts.length; own++) {
    const until = next[own] as number;
    if (until > from) {
      const times = all.times.subarray(from, until);
      const bits = all.bits.subarray(from, until);
      const keys = all.keys.subarray(from, until);
      const persons = all.persons.subarray(from, until);
      putInOrder(times, [bits, keys, persons]);
      call({ length: until - from, times, bits, keys, persons, actor: places.numberAt(first + own) });
    }
    from = until;
  }
}

/** Stable sort by time. */
function putInOrder(times: Float64Array, others: readonly Int32Array[]): void {
  let isInOrder = true;
  for (let at = 1; at < times.length && isInOrder; at++) isInOrder = (times[at - 1] as number) <= (times[at] as number);
  if (isInOrder) return;
  const order = Array.from(times, (_, at) => at).sort(
    (one, other) => (times[one] as number) - (times[other] as number),
  );
  for (const list of [times, ...others]) {
    if (list.length === 0) continue;
    const before = list.slice();
    order.forEach((old, at) => {
      list[at] = before[old] as number;
    });
  }
}
