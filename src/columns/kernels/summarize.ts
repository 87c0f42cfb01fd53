/** What many numbers come to, by key and over all: how many, their sum, how many keep within limits, and an exact quantile. Pure. */
import type { Collected } from './collect.ts';

export interface SummaryPlan {
  /** Which part of the numbers is at most the quantile, 0 to 1; null: it is not wanted. */
  quantile: number | null;
  /** For each of these, how many numbers are at most it. */
  limits: readonly number[];
  /** Whether it is wanted by key, too. */
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
  const lists = new Map<number | string, Float64Array[]>();
  for (const { keys, ends, values } of parts) {
    keys.forEach((key, at) => {
      const own = values.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
      const list = lists.get(key);
      if (list) list.push(own);
      else lists.set(key, [own]);
    });
  }
  return {
    total: summaryOf(
      plan,
      0,
      parts.map(({ values }) => values),
    ),
    byKey: !plan.keys ? [] : [...lists].map(([key, own]) => summaryOf(plan, key, own)),
  };
}

function summaryOf({ quantile, limits }: SummaryPlan, key: number | string, lists: readonly Float64Array[]): Summary {
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let count = 0;
  for (const list of lists) {
    all.set(list, count);
    count += list.length;
  }
  const within = limits.map(() => 0);
  let sum = 0;
  for (const value of all) {
    sum += value;
    for (let at = 0; at < limits.length; at++)
      if (value <= (limits[at] as number)) within[at] = (within[at] as number) + 1;
  }
  return { key, count, sum, within, quantile: quantile === null || count === 0 ? null : quantileOf(all, quantile) };
}

/** Puts the numbers into another order. */
export function quantileOf(values: Float64Array, share: number): number {
  const place = share * (values.length - 1);
  const below = Math.floor(place);
  const lower = nth(values, below);
  if (place === below) return lower;
  // What comes after the place is not smaller: the least of it is the next.
  let upper = Number.POSITIVE_INFINITY;
  for (let at = below + 1; at < values.length; at++) upper = Math.min(upper, values[at] as number);
  return lower + (upper - lower) * (place - below);
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
