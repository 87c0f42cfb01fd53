/** Counts events of a chunk, by stretches of time or by a value; bots and internal traffic apart. Pure. */

import type { Traffic } from '../contract.ts';
import type { ChunkColumns, ColumnBytes } from '../storage/format.ts';
import { type Column, numbersOf, openColumn, rowsOf } from '../storage/format.ts';
import { placesAt } from '../storage/quarters.ts';
import type { Slabs } from '../storage/slabs.ts';
import { countByValue, type Value } from './by-value.ts';
import { SCRATCH, scratch } from './scratch.ts';
import { type Condition, keep, keepMarked, narrow } from './select.ts';
import { type SessionList, SessionListBuilder, type SessionSet } from './session-set.ts';
import { TallyBuilder, type TallyBytes } from './tally.ts';

/** The plan of counting, the same for all chunks of a query. */
export interface EventPlan {
  /** Numbers of the events' names; null: any. */
  names: readonly number[] | null;
  where: Condition | null;
  /** Count by this instead of by stretches of time. */
  by: Value | null;
  /** With `by`: also list persons, as without `by`. */
  withPersons?: boolean | undefined;
  /** Also tell which visits hold one that is kept, whenever it was. */
  listsSessions: boolean;
  /** Bits of `marks`: excluded, and excluded as internal traffic. */
  botMark: number;
  internalMark: number;
  /** Included traffic. */
  include: readonly Traffic[];
}

export interface EventChunk {
  columns: ChunkColumns;
  /** Bucket boundaries, ms, ascending. */
  edges: readonly number[];
}

export interface EventCount {
  tally: TallyBytes;
  /** The visits that hold one. */
  sessions: SessionList | null;
}

/** @param memory for the results */
export function countEvents(
  plan: EventPlan,
  { columns, edges }: EventChunk,
  sets: readonly SessionSet[],
  memory?: Slabs,
): EventCount {
  const all = rowsIn(columns);
  const bounds = placesAt(columns, all, edges);
  const [from, until] = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
  const rows = keptRows(plan, columns, sets, plan.listsSessions ? 0 : from, plan.listsSessions ? all : until);
  const sessions = plan.listsSessions ? sessionsOf(columns, rows) : null;
  const builder = new TallyBuilder();
  if (edges.length > 1) {
    if (plan.by === null) countByTime(builder, columns, rows, leftOut(columns, plan), bounds);
    else {
      const within = rowsBetween(rows, from, until);
      const counted = within.subarray(0, narrowToCounted(columns, plan, within, within.length));
      countByValue(builder, columns, counted, plan.by, plan.withPersons !== false);
    }
  }
  return { tally: builder.finish(memory), sessions };
}

/** The conditions on rows. */
type Kept = Pick<EventPlan, 'names' | 'where'>;

/** 1 for each row that has one of the names and fulfils the condition. */
export function kept(plan: Kept, columns: ChunkColumns, rows: number, sets: readonly SessionSet[]): Uint8Array {
  const isKept = new Uint8Array(rows);
  for (const row of keptRows(plan, columns, sets, 0, rows)) isKept[row] = 1;
  return isKept;
}

/** The rows from `from` to before `until` that have one of the names and fulfil the condition; in memory that is used again. */
export function keptRows(
  { names, where }: Kept,
  columns: ChunkColumns,
  sets: readonly SessionSet[],
  from: number,
  until: number,
): Int32Array {
  const rows = scratch(SCRATCH.rows, until - from);
  const count =
    names === null ? listAll(rows, from, until) : listNamed(rows, from, until, columnOf(columns, 'event'), names);
  return rows.subarray(0, where === null ? count : narrow({ columns, sets }, rows, count, where));
}

/** @returns their number. A separate function, as every loop over rows: otherwise the surrounding code is recompiled with it */
function listAll(rows: Int32Array, from: number, until: number): number {
  let count = 0;
  for (let row = from; row < until; row++) rows[count++] = row;
  return count;
}

function listNamed(rows: Int32Array, from: number, until: number, column: Column, names: readonly number[]): number {
  const { codes } = column;
  const isNamed = named(column, names);
  let count = 0;
  for (let row = from; row < until; row++) {
    rows[count] = row;
    count += isNamed[codes[row] as number] as number;
  }
  return count;
}

/** Leaves of the first `count` rows those that have one of the names and fulfil the condition. @returns how many they are */
export function narrowToKept(
  { names, where }: Kept,
  columns: ChunkColumns,
  sets: readonly SessionSet[],
  rows: Int32Array,
  count: number,
): number {
  let left = count;
  if (names !== null) {
    const column = columnOf(columns, 'event');
    left = keep(rows, left, column.codes, named(column, names));
  }
  return where === null ? left : narrow({ columns, sets }, rows, left, where);
}

function named({ numbers }: Column, names: readonly number[]): Uint8Array {
  const mask = new Uint8Array(numbers?.length ?? 0);
  for (let entry = 0; entry < mask.length; entry++) mask[entry] = names.includes(numbers?.[entry] as number) ? 1 : 0;
  return mask;
}

/** The ascending rows within `[from, until)`. */
function rowsBetween(rows: Int32Array, from: number, until: number): Int32Array {
  return rows.subarray(placeIn(rows, from), placeIn(rows, until));
}

export function placeIn(rows: Int32Array, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as number) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Excluded kinds by code: 1 bot, 2 internal traffic; and 1 in `mask` for codes that are excluded. */
export interface LeftOut {
  codes: Column['codes'];
  reasons: Uint8Array;
  mask: Uint8Array;
}

type Choice = Pick<EventPlan, 'botMark' | 'internalMark' | 'include'>;

/** Null when there is nothing to leave out. */
export function leftOut(columns: ChunkColumns, plan: Choice): LeftOut | null {
  const bytes = columns['marks'];
  const reasons = bytes && whyLeftOut(bytes, plan);
  return reasons ? { codes: openColumn(bytes).codes, ...reasons } : null;
}

/** Reasons by code of the column. */
function whyLeftOut(bytes: ColumnBytes, { botMark, internalMark, include }: Choice): Omit<LeftOut, 'codes'> | null {
  const reasons = Uint8Array.from(numbersOf(bytes) ?? [], (marks) => {
    if ((marks & botMark) === 0) return 0;
    return (marks & internalMark) === 0 ? 1 : 2;
  });
  if (reasons.every((reason) => reason === 0)) return null;
  const isLeft = [0, include.includes('bots') ? 0 : 1, include.includes('internal') ? 0 : 1];
  return { reasons, mask: reasons.map((reason) => isLeft[reason] as number) };
}

/** Narrows the first `count` rows, which ascend, to included ones. @returns their number */
export function narrowToCounted(columns: ChunkColumns, plan: Choice, rows: Int32Array, count: number): number {
  const bytes = columns['marks'];
  const reasons = bytes && whyLeftOut(bytes, plan);
  if (!reasons) return count;
  const isIn = reasons.mask.map((isLeft) => 1 - isLeft);
  return keepMarked(bytes, rows, count, isIn);
}

/** @param bounds first row of each bucket, and the end of the last */
function countByTime(
  builder: TallyBuilder,
  columns: ChunkColumns,
  rows: Int32Array,
  left: LeftOut | null,
  bounds: readonly number[],
): void {
  const persons = columnOf(columns, 'person');
  const { codes } = persons;
  const numbers = persons.numbers as Int32Array;
  const seen = new Int32Array(numbers.length);
  const reasons = left?.reasons ?? null;
  const isLeft = left?.mask ?? null;
  const marks = left?.codes ?? codes;
  let at = placeIn(rows, bounds[0] ?? 0);
  for (let slot = 0; slot < bounds.length - 1; slot++) {
    const end = placeIn(rows, bounds[slot + 1] as number);
    const round = slot + 1;
    let count = 0;
    let byBots = 0;
    let internal = 0;
    let people = 0;
    const found = scratch(SCRATCH.people, end - at);
    for (; at < end; at++) {
      const row = rows[at] as number;
      if (reasons !== null && isLeft !== null) {
        const mark = marks[row] as number;
        const reason = reasons[mark];
        if (reason === 1) byBots++;
        else if (reason === 2) internal++;
        if (isLeft[mark] === 1) continue;
      }
      count++;
      const code = codes[row] as number;
      if (seen[code] === round) continue;
      seen[code] = round;
      found[people++] = numbers[code] as number;
    }
    builder.persons(found, 0, people);
    builder.end(slot, count, byBots, internal);
  }
}

function sessionsOf(columns: ChunkColumns, rows: Int32Array): SessionList {
  const builder = new SessionListBuilder();
  const bytes = columns['session'];
  if (bytes === undefined) return builder.finish();
  const { codes, numbers } = openColumn(bytes);
  const seen = new Uint8Array(numbers?.length ?? 0);
  for (let at = 0; at < rows.length; at++) seen[codes[rows[at] as number] as number] = 1;
  for (let entry = 0; entry < seen.length; entry++) {
    const id = numbers?.[entry] as number;
    if (seen[entry] === 1 && id !== 0) builder.add(id);
  }
  return builder.finish();
}

/** How many rows a chunk of events has. */
export function rowsIn({ event, ts }: ChunkColumns): number {
  const column = event ?? ts;
  if (column === undefined) throw new Error('a chunk without event and ts');
  return rowsOf(column);
}

export function columnOf(columns: ChunkColumns, name: string): Column {
  const bytes = columns[name];
  if (bytes === undefined) throw new Error(`a chunk without ${name}`);
  return openColumn(bytes);
}
