/**
 * Arms of an experiment: who was exposed to which, and the moments of what each person did after it and before. Pure.
 * Sums of products are all that statistics need: of means, ratios, and their adjustment by values of before.
 */

import type { StepsPart } from './list-steps.ts';
import type { ValuesPart } from './list-values.ts';
import { currentOf } from './merges.ts';
import { Places } from './places.ts';

/** How a metric is made of lists of events, by their places in `values`. */
export type ArmMetricPlan =
  /** Persons who do all of these, one after another. */
  | { kind: 'steps'; of: readonly number[] }
  /** Sums of each person; with two they are for a ratio. */
  | { kind: 'sums'; of: readonly number[] };

export interface ArmsPlan {
  mergedInto: Int32Array | null;
  /** Bits of exposures, from 0. */
  arms: number;
  /** By part of the exposures, the segment of each of its keys (below 0: none); null: there are no segments. */
  segmentOf: readonly Int32Array[] | null;
  segments: number;
  metrics: readonly ArmMetricPlan[];
  /** For so long after the first exposure, and before it. */
  windowMs: number;
  preMs: number;
}

/** Moments of the values of persons: `y` after the exposure, `x` before; `u` and `w` the same of the second list. */
export interface Moments {
  people: number;
  /** Persons whose `y` is not zero. */
  active: number;
  /** Sums of y, u, x, w. */
  sums: number[];
  /** Sums of the products of each two of them, row by row: 4 times 4. */
  products: number[];
}

export interface ArmsFound {
  /** Persons who were exposed to several arms. They are in nothing else. */
  several: number;
  /** By segment (the last: all), arm and metric. */
  moments: Moments[][][];
  /** By metric, the currency that most amounts are in, and how many events are in others; null without amounts. */
  currencies: ({ currency: string; others: number } | null)[];
}

const NOT_EXPOSED = 0;

/** Exposed persons by place. */
interface Exposed {
  /** Bits of the arms. */
  bits: Int32Array;
  /** Time of the first exposure, ms. */
  first: Float64Array;
  segment: Int32Array;
  /** The place of any person; below 0: not exposed. */
  known(person: number): number;
}

export function findArms(plan: ArmsPlan, exposures: readonly StepsPart[], values: readonly ValuesPart[][]): ArmsFound {
  const exposed = findExposed(plan, exposures);
  const { bits, segment } = exposed;
  const main = values.map(mainCurrency);
  let several = 0;
  const armOf = bits.map((own) => {
    if (own === NOT_EXPOSED) return -1;
    if ((own & (own - 1)) === 0) return 31 - Math.clz32(own);
    several++;
    return -1;
  });
  const moments = Array.from({ length: plan.segments + 1 }, () =>
    Array.from({ length: plan.arms }, () => plan.metrics.map(emptyMoments)),
  );
  for (const [number, metric] of plan.metrics.entries()) {
    const lists = metric.of.map((list) => ({ parts: values[list] ?? [], currency: main[list]?.currency ?? null }));
    const columns = metric.kind === 'steps' ? stepsDone(plan, exposed, lists) : sumsOf(plan, exposed, lists);
    for (let place = 0; place < armOf.length; place++) {
      const arm = armOf[place] as number;
      if (arm < 0) continue;
      add(moments[plan.segments]?.[arm]?.[number] as Moments, columns, place);
      const own = segment[place] as number;
      if (own >= 0) add(moments[own]?.[arm]?.[number] as Moments, columns, place);
    }
  }
  const currencies = plan.metrics.map(({ kind, of }) => (kind === 'sums' ? (main[of[0] as number] ?? null) : null));
  return { several, moments, currencies };
}

function findExposed({ mergedInto, segmentOf }: ArmsPlan, parts: readonly StepsPart[]): Exposed {
  const places = new Places(
    parts.map(({ actors }) => actors),
    mergedInto,
  );
  const bits = new Int32Array(places.length);
  const first = new Float64Array(places.length).fill(Number.POSITIVE_INFINITY);
  const segment = new Int32Array(places.length).fill(-1);
  for (const [number, part] of parts.entries()) {
    const segments = segmentOf?.[number];
    for (let at = 0; at < part.actors.length; at++) {
      const place = places.of(part.actors[at] as number);
      const time = part.base + (part.times[at] as number);
      bits[place] = (bits[place] as number) | (part.bits[at] as number);
      if (time >= (first[place] as number)) continue;
      first[place] = time;
      if (segments !== undefined) segment[place] = segments[part.keyed?.[at] ?? 0] as number;
    }
  }
  return { bits, first, segment, known: knownIn(places, bits, mergedInto) };
}

interface List {
  parts: readonly ValuesPart[];
  /** Amounts in others are left out; null: there are no amounts. */
  currency: string | null;
}

/** Calls with each event of an exposed person. @param call `since`: ms after the first exposure */
function forEachValue(
  { first, known }: Exposed,
  { parts, currency }: List,
  call: (place: number, since: number, value: number) => void,
): void {
  for (const part of parts) {
    const counted = currency === null ? -1 : part.currencies.indexOf(currency);
    for (let at = 0; at < part.persons.length; at++) {
      if (currency !== null && part.currencyOf[at] !== counted) continue;
      const place = known(part.persons[at] as number);
      if (place < 0) continue;
      call(place, (part.times[at] as number) - (first[place] as number), part.values[at] as number);
    }
  }
}

/** The place of a person who may not be exposed at all; below 0: they are not. */
function knownIn(places: Places, bits: Int32Array, mergedInto: Int32Array | null): (person: number) => number {
  let most = 0;
  for (let place = 0; place < bits.length; place++) {
    if (bits[place] !== NOT_EXPOSED) most = Math.max(most, places.numberAt(place));
  }
  const byPerson = new Int32Array(most + 1).fill(-1);
  for (let place = 0; place < bits.length; place++) {
    if (bits[place] !== NOT_EXPOSED) byPerson[places.numberAt(place)] = place;
  }
  return (person) => byPerson[currentOf(mergedInto, person)] ?? -1;
}

/** Columns y, u, x, w by place. */
type Columns = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

function emptyColumns({ bits }: Exposed): Columns {
  const column = () => new Float64Array(bits.length);
  return [column(), column(), column(), column()];
}

function sumsOf({ windowMs, preMs }: ArmsPlan, exposed: Exposed, lists: readonly List[]): Columns {
  const columns = emptyColumns(exposed);
  for (const [number, list] of lists.entries()) {
    const [after, before] = [columns[number], columns[number + 2]] as [Float64Array, Float64Array];
    forEachValue(exposed, list, (place, since, value) => {
      if (since >= 0 && since <= windowMs) after[place] = (after[place] as number) + value;
      else if (since < 0 && since >= -preMs) before[place] = (before[place] as number) + value;
    });
  }
  return columns;
}

/** y is 1 for those who did all steps in this order. */
function stepsDone({ windowMs }: ArmsPlan, exposed: Exposed, lists: readonly List[]): Columns {
  const columns = emptyColumns(exposed);
  const found: { place: number; since: number; step: number }[] = [];
  for (const [step, list] of lists.entries()) {
    forEachValue(exposed, list, (place, since) => {
      if (since >= 0 && since <= windowMs) found.push({ place, since, step });
    });
  }
  // Later steps first: one event is not two steps.
  found.sort((one, other) => one.since - other.since || other.step - one.step);
  const done = new Int32Array(exposed.bits.length);
  for (const { place, step } of found) if (done[place] === step) done[place] = step + 1;
  const [y] = columns;
  for (let place = 0; place < done.length; place++) y[place] = done[place] === lists.length ? 1 : 0;
  return columns;
}

/** Of the amounts; null without any. */
function mainCurrency(parts: readonly ValuesPart[]): { currency: string; others: number } | null {
  const counts = new Map<string, number>();
  for (const { currencies, currencyOf } of parts) {
    for (const at of currencyOf) {
      const currency = currencies[at] as string;
      counts.set(currency, (counts.get(currency) ?? 0) + 1);
    }
  }
  const [most, ...others] = [...counts].sort(
    ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
  );
  if (most === undefined) return null;
  return { currency: most[0], others: others.reduce((sum, [, count]) => sum + count, 0) };
}

function emptyMoments(): Moments {
  return { people: 0, active: 0, sums: [0, 0, 0, 0], products: new Array<number>(16).fill(0) };
}

function add(moments: Moments, columns: Columns, place: number): void {
  moments.people++;
  if (columns[0][place] !== 0) moments.active++;
  for (let one = 0; one < 4; one++) {
    const value = columns[one]?.[place] as number;
    if (value === 0) continue;
    moments.sums[one] = (moments.sums[one] as number) + value;
    for (let other = 0; other < 4; other++) {
      const at = one * 4 + other;
      moments.products[at] = (moments.products[at] as number) + value * (columns[other]?.[place] as number);
    }
  }
}
