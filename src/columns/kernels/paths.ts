/** Transitions between steps: timelines of actors, split at long pauses, and counts of transitions. Pure. */
import { type ActorTimeline, forEachActor, type Share } from './by-actor.ts';
import type { StepsPart } from './list-steps.ts';
import { type Picked, Picking } from './picked.ts';

export interface PathsPlan {
  mergedInto: Int32Array | null;
  /** A pause of this length ends a path, ms. */
  pauseMs: number;
  /** So many steps of a path are listed. */
  most: number;
  /** Paths are listed from the first of this step on; null: from their beginning. */
  start: number | null;
  /** And up to the first of this one after it; then the last steps are listed. Null: to their end. */
  end: number | null;
  /** How many different steps there are. */
  nodes: number;
  /** Node for skipped steps between the start and end of a path. */
  gap: number;
  /** Absent: all actors. */
  share?: Share;
  /** Only paths of these persons (ascending, as they are now), each from this time (ms) on up to a pause. Absent: all paths. */
  after?: { people: Int32Array; since: Float64Array };
  /** The transition or node whose people are listed. */
  pick?: { step: number; from: number; to: number } | { step: number; node: number };
}

/** Each step once per place in the path: from which, to which. */
export interface PathEdge {
  /** Position of the transition's source, from 1. */
  step: number;
  from: number;
  to: number;
  count: number;
  /** How many different actors did it. */
  people: number;
  /** How long it took from one to the other, all together. */
  ms: number;
}

export interface PathsCounts {
  edges: PathEdge[];
  /** Number of paths. */
  paths: number;
  /** Empty without `pick`; with counts per person. */
  picked: Picked;
}

/** @param nodesOf for each part, by its keys, the number of the step; below 0: it is none */
export function findPaths(plan: PathsPlan, parts: readonly StepsPart[], nodesOf: readonly Int32Array[]): PathsCounts {
  const { pauseMs, nodes, gap } = plan;
  const edges = new Map<number, PathEdge>();
  const picking = new Picking(null);
  let paths = 0;
  let person = 0;
  /** By transition, the last actor who was counted: actors come one after the other. */
  const lastOf = new Map<number, number>();
  const keyed = parts.map((part, at) => ({ part, keyOf: nodesOf[at] as Int32Array }));
  forEachActor(keyed, plan.mergedInto, plan.after === undefined ? noteAll : noteAfter(plan.after), {
    share: plan.share,
  });
  return { edges: [...edges.values()], paths, picked: picking.picked };

  function noteAll(timeline: ActorTimeline): void {
    note(timeline, null);
  }

  function noteAfter({ people, since }: NonNullable<PathsPlan['after']>): (timeline: ActorTimeline) => void {
    return (timeline) => {
      for (let at = firstOf(people, timeline.actor); people[at] === timeline.actor; at++) {
        note(timeline, since[at] as number);
      }
    };
  }

  /** @param since only the path that begins there; null: all paths */
  function note({ length, times, keys, actor }: ActorTimeline, since: number | null): void {
    person = actor;
    // Indexes in the timeline. Consecutive equal steps count once, at the time of the first.
    let path: number[] = [];
    let before = since ?? Number.NEGATIVE_INFINITY;
    for (let place = 0; place < length; place++) {
      const node = keys[place] as number;
      const at = times[place] as number;
      if (node < 0 || (since !== null && at < since)) continue;
      if (at - before >= pauseMs) {
        if (since !== null) break;
        tell(path, times, keys);
        path = [];
      }
      before = at;
      if (path.length === 0 || keys[path.at(-1) as number] !== node) path.push(place);
    }
    tell(path, times, keys);
  }

  function tell(path: readonly number[], times: Float64Array, keys: Int32Array): void {
    const { places, gapAt } = shownOf(plan, path, keys);
    if (places.length === 0) return;
    paths++;
    if (plan.pick && isPicked(plan, plan.pick, { places, gapAt }, keys)) picking.add(person);
    for (let step = 1; step < places.length; step++) {
      const [one, other] = [places[step - 1] as number, places[step] as number];
      const from = step - 1 === gapAt ? gap : (keys[one] as number);
      const to = step === gapAt ? gap : (keys[other] as number);
      const key = (step * nodes + from) * nodes + to;
      let edge = edges.get(key);
      if (edge === undefined) {
        edge = { step, from, to, count: 0, people: 0, ms: 0 };
        edges.set(key, edge);
      }
      edge.count++;
      if (lastOf.get(key) !== person) edge.people++;
      lastOf.set(key, person);
      edge.ms += (times[other] as number) - (times[one] as number);
    }
  }
}

/** Place of the first of equal numbers, or where it would be. */
function firstOf(ascending: Int32Array, number: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Shown = ReturnType<typeof shownOf>;

function isPicked(
  { gap }: PathsPlan,
  pick: NonNullable<PathsPlan['pick']>,
  { places, gapAt }: Shown,
  keys: Int32Array,
): boolean {
  const nodeAt = (step: number) => {
    const place = places[step - 1];
    if (place === undefined) return null;
    return step - 1 === gapAt ? gap : keys[place];
  };
  if ('node' in pick) return nodeAt(pick.step) === pick.node;
  return nodeAt(pick.step) === pick.from && nodeAt(pick.step + 1) === pick.to;
}

/** The shown part of a path, and the index of its gap; negative: none. */
function shownOf({ start, end, most }: PathsPlan, path: readonly number[], keys: Int32Array) {
  const first = start === null ? 0 : path.findIndex((place) => keys[place] === start);
  if (first < 0) return NOTHING;
  if (end === null) return { places: path.slice(first, first + most), gapAt: -1 };
  const last = path.findIndex((place, at) => at >= first && keys[place] === end);
  if (last < 0) return NOTHING;
  const whole = path.slice(first, last + 1);
  if (whole.length <= most) return { places: whole, gapAt: -1 };
  if (start === null) return { places: whole.slice(-most), gapAt: -1 };
  const after = Math.floor((most - 1) / 2);
  const before = most - 1 - after;
  return { places: [...whole.slice(0, before + 1), ...whole.slice(whole.length - after)], gapAt: before };
}

const NOTHING = { places: [] as number[], gapAt: -1 };
