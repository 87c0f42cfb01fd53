/** Summaries of numbers, by key and in total: count, sum, counts within limits, and an exact quantile. Pure. */
import type { Collected } from './collect.ts';

export interface SummaryPlan {
  /** The quantile, 0 to 1; null: none. */
  quantile: number | null;
  /** Limits for which the numbers at most that large are counted. */
  limits: readonly number[];
  /** Also summarize by key. */
  keys: boolean;
}

export interface Summary {
  key: number | string;
  count: number;
  sum: number;
  within: number[];
  /** Between two of the numbers in proportion, as `percentile_cont` of SQL; null: there are none, or it is not wanted. */
  quantile: number | null;
}

export interface Summaries {
  total: Summary;
  byKey: Summary[];
}

export function summarize(plan: SummaryPlan, parts: readonly Collected[]): Summaries {
  const lists = listsOf(parts);
  return {
    total: summaryOf(
      plan,
      0,
      parts.map(({ values }) => values),
    ),
    byKey: !plan.keys ? [] : [...lists].map(([key, own]) => summaryOf(plan, key, own)),
  };
}

/** Lists of numbers by key. */
export function listsOf(parts: readonly Collected[]): Map<number | string, Float64Array[]> {
  const lists = new Map<number | string, Float64Array[]>();
  for (const { keys, ends, values } of parts) {
    keys.forEach((key, at) => {
      const own = values.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
      const list = lists.get(key);
      if (list) list.push(own);
      else lists.set(key, [own]);
    });
  }
  return lists;
}

export function summaryOf(
  { quantile, limits }: SummaryPlan,
  key: number | string,
  lists: readonly Float64Array[],
): Summary {
  const count = lists.reduce((all, list) => all + list.length, 0);
  const within = limits.map(() => 0);
  let sum = 0;
  for (const list of lists) {
    sum += sumOf(list);
    for (let place = 0; place < limits.length; place += 2) {
      const [one = 0, other = one] = limits.slice(place, place + 2);
      const [first, second] = atMost(list, one, other);
      within[place] = (within[place] as number) + first;
      if (place + 1 < limits.length) within[place + 1] = (within[place + 1] as number) + second;
    }
  }
  return { key, count, sum, within, quantile: quantile === null || count === 0 ? null : quantileOf(lists, quantile) };
}

function sumOf(list: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < list.length; at++) sum += list[at] as number;
  return sum;
}

/** How many numbers are at most each of two limits. Branch-free, because the outcome is unpredictable. */
function atMost(list: Float64Array, one: number, other: number): [number, number] {
  let [first, second] = [0, 0];
  for (let at = 0; at < list.length; at++) {
    const number = list[at] as number;
    first = (first + Number(number <= one)) | 0;
    second = (second + Number(number <= other)) | 0;
  }
  return [first, second];
}

/** With fewer, they are copied and looked through. */
const FEW = 16_384;

/** @param lists of numbers that are not below zero, at least one in all @param few below so many, they are copied */
export function quantileOf(lists: readonly Float64Array[], share: number, few = FEW): number {
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  const place = share * (count - 1);
  const below = Math.floor(place);
  const above = Math.ceil(place);
  const [lower, upper] = count < few ? inOrder(lists, below, above) : byClasses(lists, below, above);
  return lower + (upper - lower) * (place - below);
}

/** The numbers that would stand at two places if all were in order. */
function inOrder(lists: readonly Float64Array[], one: number, other: number): [number, number] {
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  const lower = nth(all, one);
  return [lower, other === one ? lower : nth(all, other)];
}

/** The number that would stand at `place` if all were in order; smaller ones come to stand before it, larger ones after it. */
function nth(values: Float64Array, place: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = middleOf(values[low] as number, values[(low + high) >>> 1] as number, values[high] as number);
    // Smaller, equal, larger: many numbers are the same.
    let smaller = low;
    let larger = high;
    let at = low;
    while (at <= larger) {
      const value = values[at] as number;
      if (value < pivot) swap(values, at++, smaller++);
      else if (value > pivot) swap(values, at, larger--);
      else at++;
    }
    if (place < smaller) high = smaller - 1;
    else if (place > larger) low = larger + 1;
    else return pivot;
  }
  return values[low] as number;
}

function middleOf(one: number, two: number, three: number): number {
  return Math.max(Math.min(one, two), Math.min(Math.max(one, two), three));
}

function swap(values: Float64Array, one: number, other: number): void {
  const kept = values[one] as number;
  values[one] = values[other] as number;
  values[other] = kept;
}

/** The high bits of a non-negative double (exponent and leading mantissa) are in numeric order, so they serve as classes. */
const CLASS_SHIFT = 15;
const CLASSES = 1 << 16;

/** The same as `inOrder`: only those of the classes in which the places lie are put into order. */
function byClasses(lists: readonly Float64Array[], one: number, other: number): [number, number] {
  const [lower, ...more] = between(lists, one, other);
  return [lower as number, more.at(-1) ?? (lower as number)];
}

/** The numbers that would stand from one place to another if all were in order. */
export function between(lists: readonly Float64Array[], one: number, other: number): Float64Array {
  const sizes = new Uint32Array(CLASSES);
  const halves = lists.map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length * 2));
  for (const half of halves) {
    for (let at = 1; at < half.length; at += 2) {
      const own = ((half[at] as number) >>> CLASS_SHIFT) & (CLASSES - 1);
      sizes[own] = (sizes[own] as number) + 1;
    }
  }
  let before = 0;
  let first = 0;
  for (; before + (sizes[first] as number) <= one; first++) before += sizes[first] as number;
  let last = first;
  let until = before + (sizes[first] as number);
  while (until <= other) until += sizes[++last] as number;
  const some = new Float64Array(until - before);
  let count = 0;
  for (const [place, half] of halves.entries()) {
    for (let at = 1; at < half.length; at += 2) {
      const own = ((half[at] as number) >>> CLASS_SHIFT) & (CLASSES - 1);
      if (own >= first && own <= last) some[count++] = lists[place]?.[at >> 1] as number;
    }
  }
  return some.sort().subarray(one - before, other - before + 1);
}
