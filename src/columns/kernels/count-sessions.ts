/** Counts visits of a block that hold a view and are no bot's, by when they began or by a value; and finds visits by their fields. Pure. */

import { type Fit, fitTest } from '../filters/fits.ts';
import type { ChunkColumns, ColumnBytes } from '../storage/format.ts';
import { type Column, exceptionsOf, numbersOf, openColumn, rowsOf } from '../storage/format.ts';
import { firstAt } from '../storage/quarters.ts';
import type { Slabs } from '../storage/slabs.ts';
import { countByValue, placesOf, type Value } from './by-value.ts';
import { columnOf, placeIn } from './count-events.ts';
import { SCRATCH, scratch } from './scratch.ts';
import { keep } from './select.ts';
import { type SessionList, SessionListBuilder, SessionSet } from './session-set.ts';
import { TallyBuilder, type TallyBytes } from './tally.ts';
import { wide, wideFloats } from './wide.ts';

export interface SessionPlan {
  by: Value | null;
  /** Bounces, lengths and views are wanted too, besides how many visits there are. By value only; without one, they always are. */
  withLengths: boolean;
  /** Visits with one thing done and shorter than this are bounces. */
  bounceMs: number;
}

export interface SessionChunk {
  columns: ChunkColumns;
  /** As for events: buckets of the visits' start. */
  edges: readonly number[];
  /** Numbers of visits that are listed elsewhere, with what happened since. */
  except: readonly number[];
}

/** Selection of the visits with a view. */
export interface VisitChoice<List> {
  /** Null: all. */
  only: List | null;
  /** Excluded visits; null: none. */
  without: List | null;
  /** Includes visits of bots and internal traffic, except those in `without`. */
  isMixed: boolean;
}

/** @param memory for the results */
export function countSessions(
  plan: SessionPlan,
  chunk: SessionChunk,
  choice: VisitChoice<SessionSet>,
  memory?: Slabs,
): TallyBytes {
  const { columns, edges } = chunk;
  const rows = visitsWithin(chunk, choice);
  const builder = new TallyBuilder();
  if (plan.by !== null && !plan.withLengths) {
    countByValue(builder, columns, rows, plan.by, false);
    return builder.finish(memory);
  }
  const facts = factsOf(columns, plan.bounceMs);
  if (facts === null) return builder.finish(memory); // no visit counts
  if (plan.by !== null) {
    const { values, codes, placeOf } = valuesOf(columns, plan.by);
    const sums = new Sums(values.length);
    sums.addEach(facts, rows, codes, placeOf);
    for (let place = 0; place < values.length; place++) sums.end(builder, place, values[place] as number);
    return builder.finish(memory);
  }
  const begins = columnOf(columns, 'ts');
  const sums = new Sums(edges.length);
  let at = 0;
  for (let slot = 0; slot < edges.length - 1; slot++) {
    const bound = firstAt(begins, edges[slot + 1] as number);
    const from = at;
    while (at < rows.length && (rows[at] as number) < bound) at++;
    sums.add(facts, rows, from, at, slot);
    sums.end(builder, slot, slot);
  }
  return builder.finish(memory);
}

/** Summed columns of visits. Codes are in reused memory. */
interface Facts {
  lengths: Float64Array;
  /** Added to each length. */
  least: number;
  views: Int32Array;
  viewNumbers: Int32Array;
  clicks: Int32Array;
  clickNumbers: Int32Array;
  bounceMs: number;
}

/** Null: no visit has a view. */
function factsOf(columns: ChunkColumns, bounceMs: number): Facts | null {
  if (columns['views'] === undefined) return null;
  const length = columnOf(columns, 'length');
  const ofViews = openColumn(columns['views']);
  const ofClicks = columns['autocaptures'] && openColumn(columns['autocaptures']);
  const [views, viewNumbers] = [wide(ofViews.codes, SCRATCH.views), ofViews.numbers as Int32Array];
  return {
    lengths: wideFloats(length.codes),
    least: length.base,
    views,
    viewNumbers,
    bounceMs,
    clicks: ofClicks ? wide(ofClicks.codes, SCRATCH.clicks) : views,
    clickNumbers: ofClicks ? (ofClicks.numbers as Int32Array) : new Int32Array(viewNumbers.length),
  };
}

/** The value of each visit, by its code. */
function valuesOf(columns: ChunkColumns, { column, values: meaning }: Value) {
  const bytes = columns[column];
  const { codes, numbers } = bytes === undefined ? columnOf(columns, 'views') : openColumn(bytes);
  const { values, places } = placesOf(numbers, bytes === undefined ? NONE : meaning);
  return { values, codes: wide(codes, SCRATCH.codes), placeOf: places };
}

const NONE = new Int32Array(0);

/** Sums by value index. */
class Sums {
  private readonly counts: Int32Array;
  private readonly bounces: Int32Array;
  private readonly ms: Float64Array;
  private readonly views: Float64Array;

  constructor(places: number) {
    this.counts = new Int32Array(places);
    this.bounces = new Int32Array(places);
    this.ms = new Float64Array(places);
    this.views = new Float64Array(places);
  }

  /** Adds a range of rows to one value. */
  add(facts: Facts, rows: Int32Array, from: number, until: number, place: number): void {
    const { lengths, least, views, viewNumbers, clicks, clickNumbers, bounceMs } = facts;
    let [bounced, ms, viewed] = [0, 0, 0];
    for (let at = from; at < until; at++) {
      const row = rows[at] as number;
      const length = (lengths[row] as number) + least;
      const own = viewNumbers[views[row] as number] as number;
      bounced += isBounce(own + (clickNumbers[clicks[row] as number] as number), length, bounceMs);
      ms += length;
      viewed += own;
    }
    this.counts[place] = until - from;
    this.bounces[place] = bounced;
    this.ms[place] = ms;
    this.views[place] = viewed;
  }

  /** Adds each visit to the place that there is for its code. */
  addEach(facts: Facts, rows: Int32Array, codes: Int32Array, placeOf: Int32Array): void {
    const { lengths, least, views, viewNumbers, clicks, clickNumbers, bounceMs } = facts;
    const { counts, bounces, ms, views: viewed } = this;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      const place = placeOf[codes[row] as number] as number;
      const length = (lengths[row] as number) + least;
      const own = viewNumbers[views[row] as number] as number;
      const done = own + (clickNumbers[clicks[row] as number] as number);
      bounces[place] = (bounces[place] as number) + isBounce(done, length, bounceMs);
      counts[place] = (counts[place] as number) + 1;
      ms[place] = (ms[place] as number) + length;
      viewed[place] = (viewed[place] as number) + own;
    }
  }

  end(builder: TallyBuilder, place: number, group: number): void {
    const { counts, bounces, ms, views } = this;
    builder.end(group, counts[place] as number, bounces[place], ms[place], views[place]);
  }
}

/** 1 for a bounce. Branch-free, because the outcome is unpredictable. */
function isBounce(done: number, length: number, bounceMs: number): number {
  return Number(done === 1) & Number(length < bounceMs);
}

/** Rows of the visits that count, in order of their begin; in memory that is used again. */
export function visitsWithin(
  { columns, edges, except }: SessionChunk,
  { only, without, isMixed }: VisitChoice<SessionSet>,
): Int32Array {
  const begins = columnOf(columns, 'ts');
  const views = columns['views'];
  if (views === undefined || edges.length < 2) return new Int32Array(0);
  const from = firstAt(begins, edges[0] as number);
  const until = firstAt(begins, edges.at(-1) as number);
  const rows = scratch(SCRATCH.visits, until - from);
  const bots = isMixed ? undefined : columns['bot'];
  const apart = bots && apartOf(bots);
  let count = withViews(rows, from, until, openColumn(views), apart ?? NONE);
  if (bots && !apart) count = keep(rows, count, openColumn(bots).codes, maskOf(numbersOf(bots), 0));
  if (only === null && without === null && except.length === 0) return rows.subarray(0, count);
  const ids = columnOf(columns, 'id');
  if (only !== null) count = keepVisits(rows, count, ids, only, true);
  if (without !== null) count = keepVisits(rows, count, ids, without, false);
  if (except.length > 0) count = keepVisits(rows, count, ids, new Set(except), false);
  return rows.subarray(0, count);
}

/** The rows that are not 0, in order, where most are: to list what lies between them is to have left them out. Null: many are not. */
function apartOf(bytes: ColumnBytes): Int32Array | null {
  const few = exceptionsOf(bytes, scratch(SCRATCH.marked, rowsOf(bytes)));
  if (few === null) return null;
  const isZero = maskOf(numbersOf(bytes), 0);
  return isZero[few.common] === 0 ? null : few.rows.filter((_, at) => isZero[few.codes[at] as number] === 0);
}

/** Leaves those visits that are in the set, or those that are not. @returns how many they are */
function keepVisits(
  rows: Int32Array,
  count: number,
  { codes, base }: Column,
  set: SessionSet | ReadonlySet<number>,
  areIn: boolean,
): number {
  // A block's visits lie within some thousand numbers.
  if (set instanceof SessionSet && codes instanceof Uint16Array) {
    const { words, at } = set.bitsFrom(base, 0x1_0000);
    return keepByBits(rows, count, codes, words, at, areIn ? 0 : 1);
  }
  let left = 0;
  for (let at = 0; at < count; at++) {
    const row = rows[at] as number;
    rows[left] = row;
    if (set.has((codes[row] as number) + base) === areIn) left++;
  }
  return left;
}

/** Keeps codes with a bit other than `unwanted`. @param first the bit of code 0 */
function keepByBits(
  rows: Int32Array,
  count: number,
  codes: Uint16Array,
  words: Int32Array,
  first: number,
  unwanted: number,
): number {
  let left = 0;
  for (let at = 0; at < count; at++) {
    const row = rows[at] as number;
    const bit = (codes[row] as number) + first;
    rows[left] = row;
    left += (((words[bit >> 5] as number) >>> (bit & 31)) & 1) ^ unwanted;
  }
  return left;
}

/** Lists the rows with views. @param apart excluded rows, ascending @returns their number */
function withViews(
  rows: Int32Array,
  from: number,
  until: number,
  { codes, numbers }: Column,
  apart: Int32Array,
): number {
  const isNone = maskOf(numbers, 0);
  const [views, ends] = [wide(codes, SCRATCH.views), apart.length];
  let count = 0;
  let row = from;
  for (let at = placeIn(apart, from); at <= ends && row < until; at++) {
    const end = at < ends ? Math.min(apart[at] as number, until) : until;
    for (; row < end; row++) {
      rows[count] = row;
      count += 1 - (isNone[views[row] as number] as number);
    }
    row++;
  }
  return count;
}

/** 1 for each entry that is this number. */
function maskOf(numbers: Column['numbers'], wanted: number): Uint8Array {
  const mask = new Uint8Array(numbers?.length ?? 0);
  for (let entry = 0; entry < mask.length; entry++) mask[entry] = numbers?.[entry] === wanted ? 1 : 0;
  return mask;
}

/** How a field of visits is asked about: by number (`mask`), by the number itself, or, of plain numbers, divided by `per`. */
export type SessionTest =
  | { column: string; mask: Uint8Array }
  | { column: string; fit: Fit }
  | { column: string; fit: Fit; per: number };

/** The visits of which the test is true. */
export function findSessions(
  test: SessionTest,
  { columns, except }: Pick<SessionChunk, 'columns' | 'except'>,
): SessionList {
  const ids = columnOf(columns, 'id');
  const bytes = columns[test.column];
  const column = bytes === undefined ? null : openColumn(bytes);
  const fits = fitsOf(test);
  const left = new Set(except);
  const found = new SessionListBuilder();
  const isIn = column?.numbers ? Uint8Array.from(column.numbers, (value) => (fits(value) ? 1 : 0)) : null;
  const isNone = fits(0);
  for (let row = 0; row < ids.rows; row++) {
    let isFound = isNone;
    if (isIn !== null) isFound = isIn[column?.codes[row] as number] === 1;
    else if (column !== null) isFound = fits((column.codes[row] as number) + column.base);
    if (!isFound) continue;
    const id = (ids.codes[row] as number) + ids.base;
    if (left.size === 0 || !left.has(id)) found.add(id);
  }
  return found.finish();
}

function fitsOf(test: SessionTest): (value: number) => boolean {
  if ('mask' in test) return (value) => test.mask[value] === 1;
  const fits = fitTest(test.fit);
  const per = 'per' in test ? test.per : 1;
  return (value) => fits(value / per);
}
