/** Counts visits of a block that hold a view and are no bot's, by when they began or by a value; and finds visits by their fields. Pure. */
import { type Fit, fitTest } from '../fits.ts';
import { type Column, openColumn } from '../format.ts';
import { firstAt } from '../quarters.ts';
import { addByValue, divide, type Value } from './by-value.ts';
import { columnOf } from './count-events.ts';
import { SCRATCH, scratch } from './scratch.ts';
import { type ChunkColumns, keep } from './select.ts';
import { type SessionList, SessionListBuilder, type SessionSet } from './session-set.ts';
import { TallyBuilder, type TallyBytes } from './tally.ts';

export interface SessionPlan {
  by: Value | null;
  withPersons: boolean;
  /** Visits with one thing done and shorter than this are bounces. */
  bounceMs: number;
}

export interface SessionChunk {
  columns: ChunkColumns;
  /** As of events: stretches of time in which visits begin. */
  edges: readonly number[];
  /** Numbers of visits that are told of elsewhere, with what happened since. */
  except: readonly number[];
}

/** Which of the visits that hold a view are counted. */
export interface VisitChoice<List> {
  /** Null: all. */
  only: List | null;
  /** Not these; null: none of them is left out. */
  without: List | null;
  /** Those of bots and of the team too, unless they are among `without`. */
  isMixed: boolean;
}

export function countSessions(plan: SessionPlan, chunk: SessionChunk, choice: VisitChoice<SessionSet>): TallyBytes {
  const { columns, edges } = chunk;
  const rows = visitsWithin(chunk, choice);
  const builder = new TallyBuilder();
  const facts = factsOf(columns, plan.bounceMs);
  if (plan.by !== null) {
    const divided = divide(columns, rows, plan.by);
    const { values, counts, places } = divided;
    const sums = new Sums(values.length);
    if (facts !== null) sums.add(facts, rows, 0, rows.length, places);
    const end = (place: number) => sums.end(builder, place, values[place] as number, counts[place] as number);
    if (plan.withPersons) addByValue(builder, rows, divided, columnOf(columns, 'person'), end);
    else for (let place = 0; place < values.length; place++) end(place);
    return builder.finish();
  }
  const begins = columnOf(columns, 'ts');
  const sums = new Sums(edges.length);
  let at = 0;
  for (let slot = 0; slot < edges.length - 1; slot++) {
    const bound = firstAt(begins, edges[slot + 1] as number);
    const from = at;
    while (at < rows.length && (rows[at] as number) < bound) at++;
    if (facts !== null) sums.add(facts, rows, from, at, slot);
    sums.end(builder, slot, slot, at - from);
  }
  return builder.finish();
}

/** What is added up of visits. */
interface Facts {
  lengths: Column;
  views: Column;
  clicks: Column | null;
  bounceMs: number;
}

function factsOf(columns: ChunkColumns, bounceMs: number): Facts | null {
  const [views, clicks] = [columns['views'], columns['autocaptures']];
  if (views === undefined) return null; // no visit counts
  return {
    ...{ lengths: columnOf(columns, 'length'), views: openColumn(views), bounceMs },
    clicks: clicks === undefined ? null : openColumn(clicks),
  };
}

/** By place. */
class Sums {
  private readonly bounces: Float64Array;
  private readonly ms: Float64Array;
  private readonly views: Float64Array;

  constructor(places: number) {
    this.bounces = new Float64Array(places);
    this.ms = new Float64Array(places);
    this.views = new Float64Array(places);
  }

  /** Adds visits. @param places of each of the rows, or of all */
  add(facts: Facts, rows: Int32Array, from: number, until: number, places: Int32Array | number): void {
    const { lengths, views, clicks, bounceMs } = facts;
    const { codes, base } = lengths;
    const viewCodes = views.codes;
    const viewNumbers = views.numbers as Int32Array;
    const clickCodes = clicks?.codes ?? viewCodes;
    const clickNumbers = clicks === null ? new Int32Array(viewNumbers.length) : (clicks.numbers as Int32Array);
    for (let at = from; at < until; at++) {
      const row = rows[at] as number;
      const place = typeof places === 'number' ? places : (places[at] as number);
      const length = (codes[row] as number) + base;
      const viewed = viewNumbers[viewCodes[row] as number] as number;
      const done = viewed + (clickNumbers[clickCodes[row] as number] as number);
      if (done === 1 && length < bounceMs) this.bounces[place] = (this.bounces[place] as number) + 1;
      this.ms[place] = (this.ms[place] as number) + length;
      this.views[place] = (this.views[place] as number) + viewed;
    }
  }

  end(builder: TallyBuilder, place: number, group: number, count: number): void {
    const [bounces = 0, ms = 0, views = 0] = [this.bounces[place], this.ms[place], this.views[place]];
    builder.end(group, count, bounces, ms, views);
  }
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
  let count = withViews(rows, from, until, openColumn(views));
  const bot = columns['bot'];
  if (bot !== undefined && !isMixed) {
    const { codes, numbers } = openColumn(bot);
    count = keep(rows, count, codes, maskOf(numbers, 0));
  }
  if (only === null && without === null && except.length === 0) return rows.subarray(0, count);
  const ids = columnOf(columns, 'id');
  if (only !== null) count = keepVisits(rows, count, ids, only, true);
  if (without !== null) count = keepVisits(rows, count, ids, without, false);
  if (except.length > 0) count = keepVisits(rows, count, ids, new Set(except), false);
  return rows.subarray(0, count);
}

/** Leaves those visits that are in the set, or those that are not. @returns how many they are */
function keepVisits(
  rows: Int32Array,
  count: number,
  { codes, base }: Column,
  set: Pick<SessionSet, 'has'>,
  areIn: boolean,
): number {
  let left = 0;
  for (let at = 0; at < count; at++) {
    const row = rows[at] as number;
    rows[left] = row;
    if (set.has((codes[row] as number) + base) === areIn) left++;
  }
  return left;
}

/** Begins a list of rows with those that have views. @returns how many they are */
function withViews(rows: Int32Array, from: number, until: number, { codes, numbers }: Column): number {
  const isNone = maskOf(numbers, 0);
  let count = 0;
  for (let row = from; row < until; row++) {
    rows[count] = row;
    count += 1 - (isNone[codes[row] as number] as number);
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
