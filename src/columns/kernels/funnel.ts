/** How many came how far along the steps of a funnel, each in their best attempt, when they began, and how long it took. Pure. */
import { type ActorTimeline, forEachActor, type Share } from './by-actor.ts';
import { type AttemptPlan, bestAttempts, lastBegin, type Places } from './funnel-attempts.ts';
import type { StepsPart } from './list-steps.ts';
import type { Key } from './row-keys.ts';

/**
 * Breakdown value of an attempt. `first` and `last`: of its first and last completed step. `all`: an attempt for each value, of steps that all
 * have it. A step (the first is 1): an attempt for each value of this step; none without it.
 */
export type Attribution = 'first' | 'last' | 'all' | { step: number };

export interface FunnelPlan extends AttemptPlan {
  /** Absent: actors are no persons, or there are no merges. */
  mergedInto?: Int32Array | null;
  /** Start times of the entry intervals, ms; absent: one interval. */
  edges?: readonly number[];
  /** Absent: by the first step. */
  attribution?: Attribution;
  /** Absent: all actors. */
  share?: Share;
  /** Also who came how far. */
  listsPeople?: boolean;
}

/** Attempts with the same breakdown value. */
export interface FunnelRow {
  key: Key;
  /** By attempt: a bit for each completed step, and the interval of entry. */
  done: Int32Array;
  intervals: Int32Array;
  /** For each step after the first: durations from the previous required step, ms, of all who completed it. */
  took: Float64Array[];
  /** From the first step to the last, of all who came there. */
  totalMs: Float64Array;
  /** By attempt: whose it is, after merges. */
  actors: Float64Array;
  /** Empty unless they are asked for. */
  people: FunnelPerson[];
}

export interface FunnelFound {
  rows: FunnelRow[];
  /** All attempts, of any value; null: `rows` contain each exactly once. */
  whole: FunnelRow | null;
  /** Excluded, because of an exclusion event. */
  excluded: Float64Array;
  /** Actors without conversion, and when each last began, ms. */
  unconverted: { actors: Float64Array; began: Float64Array };
}

/** Someone who began; of a funnel of visits, who made the first step of one. */
export interface FunnelPerson {
  person: number;
  /** A bit for each step that was done. */
  done: number;
  /** Interval of entry. */
  interval: number;
  /** When each step was done, ms; below 0: it was not. */
  times: number[];
}

/** Key of a missing breakdown value. */
const NOTHING: Key = 0;

export function findFunnel(plan: FunnelPlan, parts: readonly StepsPart[]): FunnelFound {
  const keys: Key[] = [];
  const known = new Map<Key, number>();
  const placeOf = (key: Key): number => {
    const place = known.get(key) ?? keys.push(key) - 1;
    known.set(key, place);
    return place;
  };
  const timelines = parts.map((part) => ({ part, keyOf: Int32Array.from(part.keys, placeOf) }));
  const nothing = placeOf(NOTHING);
  const { attribution = 'first' } = plan;
  const isSevered = attribution === 'all' || typeof attribution === 'object';
  const rows = new Map<number, Row>();
  const whole = isSevered ? new Row(plan) : null;
  const excluded: number[] = [];
  const unconverted = { actors: [] as number[], began: [] as number[] };
  const rowOf = (place: number): Row => {
    const row = rows.get(place) ?? new Row(plan);
    rows.set(place, row);
    return row;
  };
  const attemptOf = bestAttempts(plan);
  // Exclusions are decided once, by all events of the actor.
  const attemptOfValue = bestAttempts({ ...plan, exclusions: [] });
  const note = (timeline: ActorTimeline) => {
    const places = attemptOf(timeline);
    if (places === 'excluded') excluded.push(timeline.actor);
    if (places === null || places === 'excluded') return;
    if ((places[plan.steps - 1] as number) < 0) {
      unconverted.actors.push(timeline.actor);
      unconverted.began.push(lastBegin(plan, timeline));
    }
    if (!isSevered) {
      const at = attribution === 'first' ? (places[0] as number) : Math.max(...places);
      return rowOf(timeline.keys[at] as number).add(timeline, places);
    }
    whole?.add(timeline, places);
    const step = typeof attribution === 'object' ? attribution.step - 1 : null;
    if (step !== null && (places[step] as number) < 0) return rowOf(nothing).add(timeline, places);
    for (const value of valuesOf(plan, timeline, step)) {
      const own = saying(plan, timeline, value, step);
      const attempt = attemptOfValue(own);
      if (attempt === null || attempt === 'excluded') continue;
      if (step === null || (attempt[step] as number) >= 0) rowOf(value).add(own, attempt);
    }
  };
  forEachActor(timelines, plan.mergedInto ?? null, note, { share: plan.share });
  return {
    excluded: Float64Array.from(excluded),
    unconverted: { actors: Float64Array.from(unconverted.actors), began: Float64Array.from(unconverted.began) },
    whole: whole?.as(NOTHING) ?? null,
    rows: [...rows].map(([place, row]) => row.as(keys[place] as Key)),
  };
}

/** Breakdown values of an actor's events that match the step, or any step (null). */
function valuesOf({ steps }: FunnelPlan, { bits, keys, length }: ActorTimeline, step: number | null): Set<number> {
  const wanted = step === null ? (1 << steps) - 1 : 1 << step;
  const values = new Set<number>();
  for (let at = 0; at < length; at++) if (((bits[at] as number) & wanted) !== 0) values.add(keys[at] as number);
  return values;
}

/** The timeline in which only events with the value match the step, or any step (null). */
function saying({ steps }: FunnelPlan, timeline: ActorTimeline, value: number, step: number | null): ActorTimeline {
  const wanted = step === null ? (1 << steps) - 1 : 1 << step;
  const bits = timeline.bits.slice(0, timeline.length);
  for (let at = 0; at < bits.length; at++) {
    if (timeline.keys[at] !== value) bits[at] = (bits[at] as number) & ~wanted;
  }
  return { ...timeline, bits };
}

/** Attempts that are counted together. */
class Row {
  private readonly plan: FunnelPlan;
  private readonly edges: readonly number[];
  private readonly needed: boolean[];
  private readonly done: number[] = [];
  private readonly intervals: number[] = [];
  private readonly took: number[][];
  private readonly totalMs: number[] = [];
  private readonly actors: number[] = [];
  private readonly people: FunnelPerson[] = [];

  constructor(plan: FunnelPlan) {
    const { steps, edges = [], optional = [] } = plan;
    this.plan = plan;
    this.edges = edges;
    this.needed = Array.from({ length: steps }, (_, step) => !optional.includes(step + 1));
    this.took = Array.from({ length: steps - 1 }, () => []);
  }

  /** @param places of the steps in the timeline */
  add({ times, persons, actor }: ActorTimeline, places: Places): void {
    const { steps, listsPeople } = this.plan;
    const first = places[0] as number;
    const began = times[first] as number;
    const interval = Math.max(lastUpTo(this.edges, began), 0);
    let done = 0;
    let before = began;
    for (let step = 0; step < steps; step++) {
      const place = places[step] as number;
      if (place < 0) continue;
      done |= 1 << step;
      const at = times[place] as number;
      if (step > 0) this.took[step - 1]?.push(at - before);
      if (this.needed[step]) before = at;
    }
    this.done.push(done);
    this.actors.push(actor);
    this.intervals.push(interval);
    const last = places[steps - 1] as number;
    if (last >= 0) this.totalMs.push((times[last] as number) - began);
    if (!listsPeople) return;
    const whens = Array.from(places, (place) => (place < 0 ? -1 : (times[place] as number)));
    this.people.push({ person: persons[first] ?? actor, done, interval, times: whens });
  }

  as(key: Key): FunnelRow {
    return {
      key,
      done: Int32Array.from(this.done),
      intervals: Int32Array.from(this.intervals),
      took: this.took.map((list) => Float64Array.from(list)),
      totalMs: Float64Array.from(this.totalMs),
      actors: Float64Array.from(this.actors),
      people: this.people,
    };
  }
}

/** Place of the last of these moments that is not after this one; below 0: all are. */
function lastUpTo(moments: readonly number[], moment: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if ((moments[half] as number) <= moment) low = half + 1;
    else high = half;
  }
  return low - 1;
}
