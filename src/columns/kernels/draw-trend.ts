/**
 * The figures of a trend from what its chunks say: for each row (a value that is shown, all others together, or all events) and each
 * window of time one figure. Windows may overlap: persons of the last seven days, each day. Persons are united after merges. Pure.
 */
import { DecimalSum, withoutNoise } from '#src/kit/numbers/decimals.ts';
import type { TrendPart } from './count-trend.ts';
import { Places } from './places.ts';
import type { Key } from './row-keys.ts';
import { quantileOf } from './summarize.ts';

/** Aggregation of numbers; `quantile`: interpolated, as `percentile_cont` of SQL. */
export type Summing = 'sum' | 'mean' | 'min' | 'max' | { quantile: number };

/** `distinct`: number of persons or visits. `each`: aggregation of events per person or visit. `said`: aggregation of property values. */
export type Figure = 'count' | 'distinct' | { each: Summing } | { said: Summing };

/** Stretches from the first to before the second. */
export type Window = readonly [number, number];

export interface DrawPlan {
  figure: Figure;
  /** By person number, the person it was merged into; null: items are no persons, or there are no merges. */
  mergedInto: Int32Array | null;
  /** Starts and ends both ascend. */
  windows: readonly Window[];
  total: Window;
  /** Cells of stretches that belong together, such as one hour of one weekday; null: none are asked for. */
  cells: CellPlan | null;
  /** Row of each key; null: one row for all events. */
  rowOf: ReadonlyMap<Key, number> | null;
  rows: number;
  /** The row of all other keys. */
  other: number;
}

export interface CellPlan {
  count: number;
  /** Cell of each stretch; -1: of none. */
  cellOf: Int32Array;
}

export interface DrawnRow {
  /** Null: no data to aggregate. */
  total: number | null;
  course: (number | null)[];
  /** Figure of each cell; null without cells. */
  cells: (number | null)[] | null;
  /** Events of the whole that say something else than a number. */
  ignored: number;
}

/** @param parts each with what is added to the numbers of its stretches */
export function drawTrend(plan: DrawPlan, parts: readonly { part: TrendPart; shift: number }[]): DrawnRow[] {
  const cells = cellsByRow(plan, parts);
  const actors = new Actors(plan, parts);
  const figureOf = figureFor(plan, actors);
  return cells.map((own) => {
    const figureIn = (window: Window) => figureOf(within(own, window));
    return {
      course:
        plan.figure === 'distinct' && overlap(plan.windows)
          ? slide(plan.windows, actors, own)
          : plan.windows.map(figureIn),
      cells: plan.cells && together(own, plan.cells).map(figureOf),
      total: figureIn(plan.total),
      ignored: within(own, plan.total).reduce((sum, { part, at }) => sum + (part.ignored[at] as number), 0),
    };
  });
}

interface Cell {
  part: TrendPart;
  at: number;
}

/** By row, then by bucket. */
type RowCells = Cell[][];

/** What parts have in each row and stretch. */
export function cellsByRow({ rowOf, rows, other }: DrawPlan, parts: readonly { part: TrendPart; shift: number }[]) {
  const cells: RowCells[] = Array.from({ length: rows }, () => []);
  for (const { part, shift } of parts) {
    const rowOfKey = part.keys.map((key) => (rowOf === null ? 0 : (rowOf.get(key) ?? other)));
    for (let at = 0; at < part.counts.length; at++) {
      const own = cells[rowOfKey[part.keyed[at] as number] as number];
      const stretch = (part.stretches[at] as number) + shift;
      const there = own?.[stretch];
      if (there !== undefined) there.push({ part, at });
      else if (own !== undefined) own[stretch] = [{ part, at }];
    }
  }
  return cells;
}

function within(own: RowCells, [from, until]: Window): Cell[] {
  const cells: Cell[] = [];
  for (let stretch = from; stretch < until; stretch++) for (const cell of own[stretch] ?? []) cells.push(cell);
  return cells;
}

/** What the stretches of each cell have. */
function together(own: RowCells, { count, cellOf }: CellPlan): Cell[][] {
  const found: Cell[][] = Array.from({ length: count }, () => []);
  own.forEach((some, stretch) => {
    const cell = cellOf[stretch] ?? -1;
    if (cell >= 0) found[cell]?.push(...some);
  });
  return found;
}

function figureFor({ figure }: DrawPlan, actors: Actors): (cells: readonly Cell[]) => number | null {
  if (figure === 'count') {
    return (cells) => cells.reduce((sum, { part, at }) => sum + (part.counts[at] as number), 0);
  }
  if (figure === 'distinct') return (cells) => actors.distinct(cells);
  if ('each' in figure) return (cells) => summed(figure.each, [actors.eventsOfEach(cells)]);
  return (cells) => summed(figure.said, cells.map(itemsOf));
}

function itemsOf({ part, at }: Cell): Float64Array {
  return part.items.subarray(at === 0 ? 0 : part.ends[at - 1], part.ends[at]);
}

/** Sums are of decimals, so they are exact. Null: there are none, but for a sum. */
export function summed(as: Summing, lists: readonly Float64Array[]): number | null {
  const there = lists.filter(({ length }) => length > 0);
  if (there.length === 0) return as === 'sum' ? 0 : null;
  if (typeof as === 'object') return withoutNoise(quantileOf(there, as.quantile, Number.POSITIVE_INFINITY));
  if (as === 'min' || as === 'max') return extremeOf(there, as);
  const sum = wholeSum(there) ?? decimalSum(there);
  return as === 'sum' ? sum : withoutNoise(sum / there.reduce((count, { length }) => count + length, 0));
}

function extremeOf(lists: readonly Float64Array[], as: 'min' | 'max'): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) {
      const value = list[at] as number;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return as === 'min' ? least : most;
}

/** The sum of whole numbers, which is exact while it stays safe; null: it does not, or there are others. */
function wholeSum(lists: readonly Float64Array[]): number | null {
  let sum = 0;
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) {
      const value = list[at] as number;
      sum += value;
      if (!Number.isInteger(value) || sum > Number.MAX_SAFE_INTEGER || sum < Number.MIN_SAFE_INTEGER) return null;
    }
  }
  return sum;
}

function decimalSum(lists: readonly Float64Array[]): number {
  const sum = new DecimalSum();
  for (const list of lists) for (let at = 0; at < list.length; at++) sum.add(list[at] as number);
  return sum.value;
}

/** True when a window begins before the one before it ends. */
function overlap(windows: readonly Window[]): boolean {
  return windows.some(([from], at) => at > 0 && from < (windows[at - 1] as Window)[1]);
}

/** How many are distinguished in each window, where windows overlap: who comes is added, who goes is taken away. */
function slide(windows: readonly Window[], actors: Actors, own: RowCells): number[] {
  let [first, end] = [0, 0];
  const found = windows.map(([from, until]) => {
    if (until <= from) return 0;
    if (from > end) {
      for (; first < end; first++) actors.remove(own[first] ?? []);
      first = from;
      end = from;
    }
    for (; end < until; end++) actors.add(own[end] ?? []);
    for (; first < from; first++) actors.remove(own[first] ?? []);
    return actors.count;
  });
  for (; first < end; first++) actors.remove(own[first] ?? []);
  return found;
}

/** Persons or visits, and how often each was added. */
class Actors {
  count = 0;
  private readonly times: Int32Array;
  /** Of each item of a part, where it stands in the lists. */
  private readonly placesOf = new Map<TrendPart, Int32Array>();
  /** Number of the last call of `distinct` that counted each. */
  private readonly calledAt: Int32Array;
  private calls = 0;

  constructor({ figure, mergedInto }: DrawPlan, parts: readonly { part: TrendPart }[]) {
    const isNeeded = figure === 'distinct' || (typeof figure === 'object' && 'each' in figure);
    const needed = isNeeded ? parts.map(({ part }) => part) : [];
    const places = new Places(
      needed.map(({ items }) => items),
      mergedInto,
    );
    this.times = new Int32Array(isNeeded ? places.length : 0);
    this.calledAt = new Int32Array(figure === 'distinct' ? places.length : 0);
    for (const part of needed) this.placesOf.set(part, places.ofAll(part.items));
  }

  add(cells: readonly Cell[]): void {
    for (const cell of cells) {
      const places = this.placesIn(cell);
      for (let at = 0; at < places.length; at++) {
        const place = places[at] as number;
        const before = this.times[place] as number;
        if (before === 0) this.count++;
        this.times[place] = before + 1;
      }
    }
  }

  remove(cells: readonly Cell[]): void {
    for (const cell of cells) {
      const places = this.placesIn(cell);
      for (let at = 0; at < places.length; at++) {
        const place = places[at] as number;
        const left = (this.times[place] as number) - 1;
        if (left === 0) this.count--;
        this.times[place] = left;
      }
    }
  }

  distinct(cells: readonly Cell[]): number {
    const { calledAt } = this;
    this.calls++;
    let found = 0;
    for (const cell of cells) {
      const places = this.placesIn(cell);
      for (let at = 0; at < places.length; at++) {
        const place = places[at] as number;
        if (calledAt[place] === this.calls) continue;
        calledAt[place] = this.calls;
        found++;
      }
    }
    return found;
  }

  /** Number of events of each person or visit. */
  eventsOfEach(cells: readonly Cell[]): Float64Array {
    const { times } = this;
    const most = cells.reduce((sum, cell) => sum + this.placesIn(cell).length, 0);
    const there = new Int32Array(Math.min(most, times.length));
    let found = 0;
    for (const cell of cells) {
      const places = this.placesIn(cell);
      const events = partOf(cell, cell.part.times);
      for (let at = 0; at < places.length; at++) {
        const place = places[at] as number;
        const before = times[place] as number;
        if (before === 0) there[found++] = place;
        times[place] = before + (events[at] as number);
      }
    }
    const each = new Float64Array(found);
    for (let at = 0; at < found; at++) {
      each[at] = times[there[at] as number] as number;
      times[there[at] as number] = 0;
    }
    return each;
  }

  private placesIn(cell: Cell): Int32Array {
    return partOf(cell, this.placesOf.get(cell.part) as Int32Array);
  }
}

/** What a list with something for each item of a part has of a cell. */
function partOf({ part, at }: Cell, list: Int32Array): Int32Array {
  return list.subarray(at === 0 ? 0 : part.ends[at - 1], part.ends[at]);
}
