/** How far each came along the steps of a funnel, in their best attempt, and how long it took. Pure. */
import { type ActorTimeline, forEachActor, type Share } from './by-actor.ts';
import type { StepsPart } from './list-steps.ts';
import type { Key } from './row-keys.ts';

/** `ordered`: anything may lie between two steps. `strict`: nothing. `any`: in whatever order. */
export type FunnelOrder = 'ordered' | 'strict' | 'any';

/** What must not happen between two steps (the first is 1): its bit is this one. */
export interface Exclusion {
  bit: number;
  after: number;
  before: number;
}

export interface FunnelPlan {
  /** Their bits are 0 and following. */
  steps: number;
  order: FunnelOrder;
  /** From the first step to the last that counts, at most. */
  windowMs: number;
  exclusions: readonly Exclusion[];
  mergedInto: Int32Array | null;
  /** Up to when events are known. */
  until: number;
  /** Absent: everybody. */
  share?: Share;
  /** Also who came how far. */
  listsPeople?: boolean;
}

/** By value of the first step of the best attempt. */
export interface FunnelRow {
  key: Key;
  /** How many came to each step, and no further. */
  ended: number[];
  /** For each step after the first, how long it took from the one before, in ms: of all who came to it. */
  took: Float64Array[];
  /** From the first step to the last, of all who came there. */
  totalMs: Float64Array;
}

export interface FunnelFound {
  rows: FunnelRow[];
  /** Left out, because they did what they must not. */
  excluded: number;
  /** Of those who did not come to the end: who still can, after `until`. */
  open: number;
  /** Empty unless they are asked for. */
  people: FunnelPerson[];
}

/** Someone who began; of a funnel of visits, who made the first step of one. */
export interface FunnelPerson {
  person: number;
  /** Of the first step. */
  key: Key;
  /** So many steps were done. */
  reached: number;
}

export function findFunnel(plan: FunnelPlan, parts: readonly StepsPart[]): FunnelFound {
  const keys: Key[] = [];
  const known = new Map<Key, number>();
  const timelines = parts.map((part) => ({
    part,
    keyOf: Int32Array.from(part.keys, (key) => {
      const place = known.get(key) ?? keys.push(key) - 1;
      known.set(key, place);
      return place;
    }),
  }));
  const rows = new Map<number, { ended: number[]; took: number[][]; totalMs: number[] }>();
  const found = { excluded: 0, open: 0 };
  const people: FunnelPerson[] = [];
  const attemptOf = { ordered: orderedAttempt, strict: strictAttempt, any: anyAttempt }[plan.order];
  const note = (timeline: ActorTimeline) => {
    const attempt = attemptOf(plan, timeline);
    if (attempt === 'excluded') found.excluded++;
    if (attempt === null || attempt === 'excluded') return;
    const first = attempt[0] as number;
    const key = timeline.keys[first] as number;
    if (plan.listsPeople) {
      const person = timeline.persons[first] ?? timeline.actor;
      people.push({ person, key: keys[key] as Key, reached: attempt.length });
    }
    let row = rows.get(key);
    if (row === undefined) {
      row = { ended: steps(plan, () => 0), took: steps(plan, () => []).slice(1), totalMs: [] };
      rows.set(key, row);
    }
    row.ended[attempt.length - 1] = (row.ended[attempt.length - 1] as number) + 1;
    const times = attempt.map((at) => timeline.times[at] as number);
    for (let step = 1; step < times.length; step++) {
      row.took[step - 1]?.push((times[step] as number) - (times[step - 1] as number));
    }
    if (times.length === plan.steps) row.totalMs.push((times.at(-1) as number) - (times[0] as number));
    else if (isOpen(plan, timeline)) found.open++;
  };
  forEachActor(timelines, plan.mergedInto, note, { share: plan.share });
  return {
    ...found,
    people,
    rows: [...rows].map(([key, { ended, took, totalMs }]) => ({
      key: keys[key] as Key,
      ended,
      took: took.map((list) => Float64Array.from(list)),
      totalMs: Float64Array.from(totalMs),
    })),
  };
}

function steps<Value>({ steps: count }: FunnelPlan, make: () => Value): Value[] {
  return Array.from({ length: count }, make);
}

/** Places in the timeline of each step that was reached; null: nobody began. */
type Attempt = number[] | 'excluded' | null;

/** Someone began so late that the window is open still. */
function isOpen({ order, steps: count, windowMs, until }: FunnelPlan, { length, times, bits }: ActorTimeline): boolean {
  const begins = order === 'any' ? (1 << count) - 1 : 1;
  for (let at = length - 1; at >= 0; at--) {
    if (((bits[at] as number) & begins) !== 0) return (times[at] as number) + windowMs > until;
  }
  return false;
}

/** @param levels for each level (1 and following) the beginning of the latest attempt that came so far; below 0: none */
function isExcluded(
  { exclusions, windowMs }: FunnelPlan,
  timeline: ActorTimeline,
  at: number,
  levels: Int32Array,
): boolean {
  for (const { bit, after, before } of exclusions) {
    if (((timeline.bits[at] as number) & (1 << bit)) === 0) continue;
    for (let level = after; level < before; level++) {
      const begin = levels[level] as number;
      if (begin < 0 || levels[level + 1] === begin) continue;
      if ((timeline.times[at] as number) - (timeline.times[begin] as number) <= windowMs) return true;
    }
  }
  return false;
}

/** The furthest attempt, of several the one that began first. A later attempt reaches whatever is reached after, so one per level is kept. */
function orderedAttempt(plan: FunnelPlan, timeline: ActorTimeline): Attempt {
  const { steps: count, windowMs } = plan;
  const { times, bits, length } = timeline;
  const levels = new Int32Array(count + 2).fill(-1);
  let best = 0;
  for (let at = 0; at < length && best < count; at++) {
    if (isExcluded(plan, timeline, at, levels)) return 'excluded';
    for (let step = count; step >= 1; step--) {
      if (((bits[at] as number) & (1 << (step - 1))) === 0) continue;
      const begin = step === 1 ? at : (levels[step - 1] as number);
      if (begin < 0 || (times[at] as number) - (times[begin] as number) > windowMs) continue;
      levels[step] = begin;
      if (step > best) best = step;
    }
  }
  if (best === 0) return null;
  return along(timeline, best, firstBegin(plan, timeline, best));
}

/** Where the first attempt begins that comes as far as `best`. */
function firstBegin({ windowMs }: FunnelPlan, { times, bits, length }: ActorTimeline, best: number): number {
  // For each step, when all from it on are done at the earliest, by what comes after.
  const done = new Float64Array(best + 2).fill(Number.POSITIVE_INFINITY);
  let first = 0;
  for (let at = length - 1; at >= 0; at--) {
    for (let step = 1; step <= best; step++) {
      if (((bits[at] as number) & (1 << (step - 1))) === 0) continue;
      done[step] = step === best ? (times[at] as number) : (done[step + 1] as number);
      if (step === 1 && (done[1] as number) - (times[at] as number) <= windowMs) first = at;
    }
  }
  return first;
}

/** Each step as soon as it is done after the one before. */
function along({ bits }: ActorTimeline, steps: number, begin: number): number[] {
  const places = [begin];
  for (let at = begin + 1; places.length < steps; at++) {
    if (((bits[at] as number) & (1 << places.length)) !== 0) places.push(at);
  }
  return places;
}

function strictAttempt(plan: FunnelPlan, timeline: ActorTimeline): Attempt {
  const { steps: count, windowMs } = plan;
  const { times, bits, length } = timeline;
  const reachedFrom = (begin: number): number => {
    let step = 1;
    for (let at = begin + 1; step < count && at < length; at++, step++) {
      if (((bits[at] as number) & (1 << step)) === 0) break;
      if ((times[at] as number) - (times[begin] as number) > windowMs) break;
    }
    return step;
  };
  let [best, first] = [0, 0];
  for (let begin = 0; begin < length && best < count; begin++) {
    if (((bits[begin] as number) & 1) === 0) continue;
    const reached = reachedFrom(begin);
    if (reached > best) [best, first] = [reached, begin];
  }
  if (best === 0) return null;
  const end = best === count ? first + count - 1 : length - 1;
  const levels = new Int32Array(count + 2);
  for (let begin = 0; begin < end && plan.exclusions.length > 0; begin++) {
    if (((bits[begin] as number) & 1) === 0) continue;
    const reached = reachedFrom(begin);
    for (let level = 1; level <= reached && begin + level <= end; level++) {
      levels.fill(-1).fill(begin, 1, level + 1);
      if (isExcluded(plan, timeline, begin + level, levels)) return 'excluded';
    }
  }
  return Array.from({ length: best }, (_, step) => first + step);
}

/** A step for each event at most: anyone who does one thing twice has done one step, unless it is asked for twice. */
function anyAttempt(plan: FunnelPlan, timeline: ActorTimeline): Attempt {
  const { steps: count, windowMs } = plan;
  const { times, bits, length } = timeline;
  const all = (1 << count) - 1;
  let best: number[] = [];
  for (let begin = 0; begin < length && best.length < count; begin++) {
    if (((bits[begin] as number) & all) === 0) continue;
    const filled = new Filled(count);
    const places: number[] = [];
    for (let at = begin; at < length && places.length < count; at++) {
      if ((times[at] as number) - (times[begin] as number) > windowMs) break;
      if (filled.takes((bits[at] as number) & all)) places.push(at);
    }
    if (places.length > best.length) best = places;
  }
  if (best.length === 0) return null;
  const end = best.length === count ? (best.at(-1) as number) : length - 1;
  const levels = new Int32Array(count + 2).fill(-1);
  for (let at = 0; at <= end && plan.exclusions.length > 0; at++) {
    if (isExcluded(plan, timeline, at, levels)) return 'excluded';
    if (((bits[at] as number) & all) !== 0) levels[1] = at;
  }
  return best;
}

/** Steps that are done, each by an event of its own. */
class Filled {
  /** By step, which steps its event could have done; 0: it is not done. */
  private readonly by: Int32Array;
  /** Events that could do just this find no place any more. */
  private readonly full = new Set<number>();

  constructor(count: number) {
    this.by = new Int32Array(count);
  }

  /** Whether an event that could do these steps does one more. */
  takes(bits: number): boolean {
    if (bits === 0 || this.full.has(bits)) return false;
    if (this.place(bits, new Set())) return true;
    this.full.add(bits);
    return false;
  }

  private place(bits: number, tried: Set<number>): boolean {
    for (let step = 0; step < this.by.length; step++) {
      if ((bits & (1 << step)) === 0 || tried.has(step)) continue;
      tried.add(step);
      const before = this.by[step] as number;
      if (before !== 0 && !this.place(before, tried)) continue;
      this.by[step] = bits;
      return true;
    }
    return false;
  }
}
