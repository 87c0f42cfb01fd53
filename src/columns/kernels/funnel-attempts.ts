/** The best attempt of each along the steps of a funnel. Pure. */
import type { ActorTimeline } from './by-actor.ts';

/** `ordered`: other events may occur between steps. `strict`: none may. `any`: steps in any order. */
export type FunnelOrder = 'ordered' | 'strict' | 'any';

/** An event that must not occur between two required steps (the first is 1), by its bit. */
export interface Exclusion {
  bit: number;
  after: number;
  before: number;
}

export interface AttemptPlan {
  /** Their bits are 0 and following. */
  steps: number;
  /** Steps (the first is 1) that an attempt may leave out: of `ordered` only, neither the first nor the last. Absent: none. */
  optional?: readonly number[];
  order: FunnelOrder;
  /** From the first step to the last that counts, at most. */
  windowMs: number;
  exclusions: readonly Exclusion[];
}

/** Timeline index of each step; negative: not completed. */
export type Places = Int32Array;

type BestAttempt = (timeline: ActorTimeline) => Places | 'excluded' | null;

/** Creates the search for the best attempt in a timeline; null: never entered. */
export function bestAttempts(plan: AttemptPlan): BestAttempt {
  const needed = neededOf(plan);
  const attemptOf = { ordered: orderedAttempt, strict: strictAttempt, any: anyAttempt }[plan.order];
  return (timeline) => {
    const attempt = attemptOf(needed, timeline);
    if (attempt === null || attempt === 'excluded') return attempt;
    return placesOf(plan, needed, timeline, attempt);
  };
}

/** A plan of what an attempt cannot do without: for each of its steps, the bit. */
interface NeededPlan extends AttemptPlan {
  bits: readonly number[];
}

/** Exclusions lie between steps that are needed, so they are numbered as these are. */
function neededOf(plan: AttemptPlan): NeededPlan {
  const { steps, optional = [], exclusions } = plan;
  const bits = Array.from({ length: steps }, (_, bit) => bit).filter((bit) => !optional.includes(bit + 1));
  return {
    ...plan,
    bits,
    steps: bits.length,
    exclusions: exclusions.map(({ bit, after, before }) => ({
      bit,
      after: bits.indexOf(after - 1) + 1,
      before: bits.indexOf(before - 1) + 1,
    })),
  };
}

/** An optional step counts when it is done after the step before it that was done, and before the next one that is needed. */
function placesOf(
  { steps, windowMs }: AttemptPlan,
  { bits: own }: NeededPlan,
  { times, bits, length }: ActorTimeline,
  attempt: readonly number[],
): Places {
  const places = new Int32Array(steps).fill(-1);
  const end = (times[attempt[0] as number] as number) + windowMs;
  for (let step = 0; step < attempt.length; step++) {
    let at = attempt[step] as number;
    places[own[step] as number] = at;
    const next = attempt[step + 1] ?? length;
    for (let bit = (own[step] as number) + 1; bit < (own[step + 1] ?? 0); bit++) {
      let place = at + 1;
      while (place < next && ((bits[place] as number) & (1 << bit)) === 0) place++;
      if (place >= next || (times[place] as number) > end) continue;
      places[bit] = place;
      at = place;
    }
  }
  return places;
}

/** When an actor last did what an attempt begins with, ms; -Infinity: never. */
export function lastBegin({ order, steps }: AttemptPlan, { length, times, bits }: ActorTimeline): number {
  const begins = order === 'any' ? (1 << steps) - 1 : 1;
  for (let at = length - 1; at >= 0; at--) if (((bits[at] as number) & begins) !== 0) return times[at] as number;
  return Number.NEGATIVE_INFINITY;
}

/** Timeline index of each reached required step; null: never entered. */
type Attempt = number[] | 'excluded' | null;

/** @param levels for each level (1 and following) the beginning of the latest attempt that came so far; below 0: none */
function isExcluded(
  { exclusions, windowMs }: NeededPlan,
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

/** The furthest attempt, ties by the earliest start. A later attempt can reach every step that an earlier one does, so one per level is kept. */
function orderedAttempt(plan: NeededPlan, timeline: ActorTimeline): Attempt {
  const { steps: count, windowMs, bits: own } = plan;
  const { times, bits, length } = timeline;
  const levels = new Int32Array(count + 2).fill(-1);
  let best = 0;
  for (let at = 0; at < length && best < count; at++) {
    if (isExcluded(plan, timeline, at, levels)) return 'excluded';
    for (let step = count; step >= 1; step--) {
      if (((bits[at] as number) & (1 << (own[step - 1] as number))) === 0) continue;
      const begin = step === 1 ? at : (levels[step - 1] as number);
      if (begin < 0 || (times[at] as number) - (times[begin] as number) > windowMs) continue;
      levels[step] = begin;
      if (step > best) best = step;
    }
  }
  if (best === 0) return null;
  return along(plan, timeline, best, firstBegin(plan, timeline, best));
}

/** Start of the first attempt that reaches step `best`. */
function firstBegin({ windowMs, bits: own }: NeededPlan, { times, bits, length }: ActorTimeline, best: number): number {
  // For each step, the earliest completion of all steps from it on, by later events.
  const done = new Float64Array(best + 2).fill(Number.POSITIVE_INFINITY);
  let first = 0;
  for (let at = length - 1; at >= 0; at--) {
    for (let step = 1; step <= best; step++) {
      if (((bits[at] as number) & (1 << (own[step - 1] as number))) === 0) continue;
      done[step] = step === best ? (times[at] as number) : (done[step + 1] as number);
      if (step === 1 && (done[1] as number) - (times[at] as number) <= windowMs) first = at;
    }
  }
  return first;
}

/** Each step as soon as it is done after the one before. */
function along({ bits: own }: NeededPlan, { bits }: ActorTimeline, steps: number, begin: number): number[] {
  const places = [begin];
  for (let at = begin + 1; places.length < steps; at++) {
    if (((bits[at] as number) & (1 << (own[places.length] as number))) !== 0) places.push(at);
  }
  return places;
}

function strictAttempt(plan: NeededPlan, timeline: ActorTimeline): Attempt {
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
function anyAttempt(plan: NeededPlan, timeline: ActorTimeline): Attempt {
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

/** Completed steps, each by a distinct event (bipartite matching). */
class Filled {
  /** By step, the steps that its event could complete; 0: not completed. */
  private readonly by: Int32Array;
  /** Events that could do just this find no place any more. */
  private readonly full = new Set<number>();

  constructor(count: number) {
    this.by = new Int32Array(count);
  }

  /** True when an event that could complete these steps adds one. */
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
