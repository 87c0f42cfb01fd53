/**
 * Numbers that are summarized once and kept, for others to be added to: beside the sums the numbers around the quantile are kept, in order,
 * so that it is found exactly again when what came since is little. Pure.
 */
import type { Collected } from './collect.ts';
import { floatsOf } from './shared.ts';
import { between, listsOf, type Summaries, type Summary, type SummaryPlan, summaryOf } from './summarize.ts';

/** A summary, and the numbers around its quantile in order. */
interface Held {
  summary: Summary;
  /** How many numbers stand before them. */
  before: number;
  around: Float64Array;
}

export interface SummaryBase {
  total: Held;
  byKey: Held[];
}

/** So many numbers are kept on each side of the quantile. */
const AROUND = 4096;

export function summaryBase(plan: SummaryPlan, parts: readonly Collected[]): SummaryBase {
  const hold = (key: number | string, lists: readonly Float64Array[]): Held => {
    const summary = summaryOf({ ...plan, quantile: null }, key, lists);
    if (plan.quantile === null || summary.count === 0) return { summary, before: 0, around: floatsOf([]) };
    const place = plan.quantile * (summary.count - 1);
    const [below, above] = [Math.floor(place), Math.ceil(place)];
    const before = Math.max(0, below - AROUND);
    const last = Math.min(summary.count - 1, below + 1 + AROUND);
    const around = floatsOf(inOrder(lists, summary.count, before, last));
    const [lower, upper] = [around[below - before] as number, around[above - before] as number];
    return { summary: { ...summary, quantile: lower + (upper - lower) * (place - below) }, before, around };
  };
  return {
    total: hold(
      0,
      parts.map(({ values }) => values),
    ),
    byKey: plan.keys ? [...listsOf(parts)].map(([key, lists]) => hold(key, lists)) : [],
  };
}

export function summariesOf({ total, byKey }: SummaryBase): Summaries {
  return { total: total.summary, byKey: byKey.map(({ summary }) => summary) };
}

export function bytesOfSummaries({ total, byKey }: SummaryBase): number {
  return [total, ...byKey].reduce((sum, { around }) => sum + around.byteLength + 200, 0);
}

/** The same as summarizing all parts at once. @param parts the parts of the base @param fresh the parts to add */
export function summarizeOnto(
  plan: SummaryPlan,
  base: SummaryBase,
  parts: readonly Collected[],
  fresh: readonly Collected[],
): Summaries {
  const added = fresh.map(({ values }) => values);
  const known = parts.map(({ values }) => values);
  const total = onto(plan, base.total, added) ?? summaryOf(plan, 0, [...known, ...added]);
  if (!plan.keys) return { total, byKey: [] };
  const lists = listsOf(fresh);
  let all: Map<number | string, Float64Array[]> | null = null;
  const byKey = base.byKey.map((held) => {
    const { key } = held.summary;
    const own = lists.get(key);
    if (own === undefined) return held.summary;
    lists.delete(key);
    const found = onto(plan, held, own);
    if (found !== null) return found;
    all ??= listsOf(parts);
    return summaryOf(plan, key, [...(all.get(key) ?? []), ...own]);
  });
  for (const [key, own] of lists) byKey.push(summaryOf(plan, key, own));
  return { total, byKey };
}

/** Null: the quantile is not among the numbers that were kept. */
function onto(plan: SummaryPlan, held: Held, lists: readonly Float64Array[]): Summary | null {
  const own = summaryOf({ ...plan, quantile: null }, held.summary.key, lists);
  const count = held.summary.count + own.count;
  const quantile = plan.quantile === null || count === 0 ? null : quantileOnto(held, lists, own.count, plan.quantile);
  if (quantile === undefined) return null;
  return {
    key: own.key,
    count,
    quantile,
    sum: held.summary.sum + own.sum,
    within: own.within.map((more, limit) => (held.summary.within[limit] as number) + more),
  };
}

/** Undefined when it is not among the numbers that were kept. */
function quantileOnto(
  { summary, before, around }: Held,
  lists: readonly Float64Array[],
  added: number,
  share: number,
): number | undefined {
  const fresh = inOrder(lists, added, 0, added - 1);
  const place = share * (summary.count + added - 1);
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  // The fresh numbers within the kept window; when the window is at either end, also those beyond it.
  const from = before === 0 ? 0 : placeOf(fresh, around[0] as number, false);
  const until =
    before + around.length === summary.count ? added : placeOf(fresh, around[around.length - 1] as number, true);
  const among = new Float64Array(around.length + until - from);
  among.set(around);
  among.set(fresh.subarray(from, until), around.length);
  among.sort();
  const [lower, upper] = [among[below - before - from], among[above - before - from]];
  return lower === undefined || upper === undefined ? undefined : lower + (upper - lower) * (place - below);
}

/** How many of the numbers, which ascend, are less; or, `withEqual`, not more. */
function placeOf(values: Float64Array, value: number, withEqual: boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = values[middle] as number;
    if (other < value || (withEqual && other === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** With fewer, all are put into order. */
const FEW = 16_384;

/** The numbers that would stand from one place to another if all were in order. */
function inOrder(lists: readonly Float64Array[], count: number, one: number, other: number): Float64Array {
  if (count > FEW && other - one + 1 < count) return between(lists, one, other);
  const all = new Float64Array(count);
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all.sort().subarray(one, other + 1);
}
