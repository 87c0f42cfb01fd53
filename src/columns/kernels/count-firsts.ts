/** With which values actors began: of the first event of each. Pure. */
import { type ActorTimeline, forEachActor, type Share } from './by-actor.ts';
import type { TrendPart } from './count-trend.ts';
import { withKeyPlaces } from './first-keys.ts';
import type { StepsPart } from './list-steps.ts';
import type { Key } from './row-keys.ts';
import { floatsOf, intsOf } from './shared.ts';

export interface FirstsPlan {
  mergedInto: Int32Array | null;
  /** Only those whose first event lies in it, `[from, until)` in ms. */
  from: number;
  until: number;
}

/** How many people began with each key: of those whose first event has the bit of the second kind. */
export function countFirsts({ mergedInto, from, until }: FirstsPlan, firsts: readonly StepsPart[]): Map<Key, number> {
  const { keys, parts } = withKeyPlaces(firsts);
  const counts = new Map<Key, number>();
  forEachActor(parts, mergedInto, (timeline) => {
    const at = timeline.times[0] as number;
    if (!countsFirst(timeline) || at < from || at >= until) return;
    const key = keys[timeline.keys[0] as number] as Key;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return counts;
}

export interface FirstsTrendPlan {
  mergedInto: Int32Array | null;
  /** Starts of stretches, ascending, and the end of the last, ms. */
  edges: readonly number[];
  share: Share;
}

/** Actors by the stretch and key of their first event, each once: of those whose first event has the bit of the second kind. */
export function trendOfFirsts({ mergedInto, edges, share }: FirstsTrendPlan, firsts: readonly StepsPart[]): TrendPart {
  const { keys, parts } = withKeyPlaces(firsts);
  const cells = new Map<number, number[]>();
  forEachActor(
    parts,
    mergedInto,
    (timeline) => {
      const stretch = stretchOf(edges, timeline.times[0] as number);
      if (!countsFirst(timeline) || stretch < 0 || stretch >= edges.length - 1) return;
      const cell = stretch * keys.length + (timeline.keys[0] as number);
      const actors = cells.get(cell);
      if (actors === undefined) cells.set(cell, [timeline.actor]);
      else actors.push(timeline.actor);
    },
    { share },
  );
  const inOrder = [...cells].sort(([one], [other]) => one - other);
  const items = inOrder.flatMap(([, actors]) => actors);
  let end = 0;
  return {
    keys,
    items: floatsOf(items),
    times: intsOf(new Int32Array(items.length).fill(1)),
    stretches: intsOf(inOrder.map(([cell]) => Math.floor(cell / keys.length))),
    keyed: intsOf(inOrder.map(([cell]) => cell % keys.length)),
    counts: intsOf(inOrder.map(([, actors]) => actors.length)),
    ignored: intsOf(new Int32Array(inOrder.length)),
    ends: intsOf(
      inOrder.map(([, actors]) => {
        end += actors.length;
        return end;
      }),
    ),
  };
}

/** The first event is one of the second kind. */
function countsFirst({ bits }: ActorTimeline): boolean {
  return ((bits[0] as number) & 2) !== 0;
}

/** Index of the last edge at or before a time; -1: before all. */
function stretchOf(edges: readonly number[], at: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
