/** Counts events of a chunk, by stretches of time or by a value; bots and the team's own apart. Pure. */
import { type Column, openColumn } from '../format.ts';
import { type ChunkColumns, type Condition, maskOf, select } from './select.ts';
import type { SessionSet } from './session-set.ts';
import { TallyBuilder, type TallyBytes } from './tally.ts';

/** What is counted, the same for all chunks of a question. */
export interface EventPlan {
  /** Numbers of the events' names; null: any. */
  names: readonly number[] | null;
  where: Condition | null;
  /** Count by what the number in this column stands for, instead of by stretches of time; 0: none of the values. */
  by: { column: string; values: Int32Array } | null;
  /** Also tell which visits hold one that is kept, whenever it was. */
  listsSessions: boolean;
  /** Bits of `marks`: left out, and left out because they are the team's own. */
  botMark: number;
  internalMark: number;
}

export interface EventChunk {
  columns: ChunkColumns;
  /** The first stretch begins at the first edge, the last ends at the last one; in ms, ascending. */
  edges: readonly number[];
}

export interface EventCount {
  tally: TallyBytes;
  /** Numbers of visits, each once. */
  sessions: Float64Array<SharedArrayBuffer> | null;
}

export function countEvents(plan: EventPlan, { columns, edges }: EventChunk, sets: readonly SessionSet[]): EventCount {
  const times = columnOf(columns, 'ts');
  const isKept = kept(plan, columns, times.rows, sets);
  const left = leftOut(columns, plan);
  const builder = new TallyBuilder();
  const from = firstAt(times, edges[0] ?? 0);
  if (plan.by === null) {
    countByTime(
      builder,
      columns,
      isKept,
      left,
      edges.map((edge) => firstAt(times, edge)),
    );
  } else if (edges.length > 1) {
    countByValue(builder, columns, isKept, left, plan.by, from, firstAt(times, edges.at(-1) as number));
  }
  return { tally: builder.finish(), sessions: plan.listsSessions ? sessionsOf(columns, isKept) : null };
}

/** 1 for each row that has one of the names and fulfils the condition. */
export function kept(
  plan: Pick<EventPlan, 'names' | 'where'>,
  columns: ChunkColumns,
  rows: number,
  sets: readonly SessionSet[],
): Uint8Array {
  const isKept = plan.where === null ? new Uint8Array(rows).fill(1) : select(columns, rows, plan.where, sets);
  const { names: wanted } = plan;
  if (wanted === null) return isKept;
  const names = columnOf(columns, 'event');
  const isNamed = maskOf(names, (name) => wanted.includes(name));
  const { codes } = names;
  for (let row = 0; row < rows; row++)
    isKept[row] = (isKept[row] as number) & (isNamed[codes[row] as number] as number);
  return isKept;
}

/** What is left out of numbers about people: 1 a bot's, 2 the team's own. */
export interface LeftOut {
  codes: Column['codes'];
  mask: Uint8Array;
}

/** Null when there is nothing to leave out. */
export function leftOut(
  columns: ChunkColumns,
  { botMark, internalMark }: Pick<EventPlan, 'botMark' | 'internalMark'>,
): LeftOut | null {
  const bytes = columns['marks'];
  if (bytes === undefined) return null;
  const { codes, numbers } = openColumn(bytes);
  const mask = Uint8Array.from(numbers ?? [], (marks) => {
    if ((marks & botMark) === 0) return 0;
    return (marks & internalMark) === 0 ? 1 : 2;
  });
  return mask.some((reason) => reason !== 0) ? { codes, mask } : null;
}

/** @param rows where each stretch begins, and where the last one ends */
function countByTime(
  builder: TallyBuilder,
  columns: ChunkColumns,
  isKept: Uint8Array,
  left: LeftOut | null,
  rows: readonly number[],
): void {
  const persons = columnOf(columns, 'person');
  const { codes } = persons;
  const numbers = persons.numbers as Int32Array;
  const seen = new Int32Array(numbers.length);
  for (let slot = 0; slot < rows.length - 1; slot++) {
    let count = 0;
    let byBots = 0;
    let internal = 0;
    for (let row = rows[slot] as number; row < (rows[slot + 1] as number); row++) {
      if (isKept[row] === 0) continue;
      const reason = left === null ? 0 : left.mask[left.codes[row] as number];
      if (reason !== 0) {
        if (reason === 1) byBots++;
        else internal++;
        continue;
      }
      count++;
      const code = codes[row] as number;
      if (seen[code] === slot + 1) continue;
      seen[code] = slot + 1;
      builder.person(numbers[code] as number);
    }
    builder.end(slot, count, byBots, internal);
  }
}

function countByValue(
  builder: TallyBuilder,
  columns: ChunkColumns,
  isKept: Uint8Array,
  left: LeftOut | null,
  by: NonNullable<EventPlan['by']>,
  from: number,
  until: number,
): void {
  const persons = columnOf(columns, 'person');
  const numbers = persons.numbers as Int32Array;
  const bytes = columns[by.column];
  const column = bytes === undefined ? null : openColumn(bytes);
  // Entries that stand for the same value count together.
  const places = new Map<number, number>();
  const placeOf = Int32Array.from(column?.numbers ?? [0], (number) => {
    const value = by.values[number] ?? 0;
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  });
  const counts = new Int32Array(places.size);
  const rows: number[] = [];
  for (let row = from; row < until; row++) {
    if (isKept[row] === 0 || (left !== null && left.mask[left.codes[row] as number] !== 0)) continue;
    rows.push(row);
    const place = placeOf[column === null ? 0 : (column.codes[row] as number)] as number;
    counts[place] = (counts[place] as number) + 1;
  }
  // Persons of each value side by side, then each once.
  const ends = new Int32Array(places.size);
  let sum = 0;
  for (let place = 0; place < ends.length; place++) {
    ends[place] = sum;
    sum += counts[place] as number;
  }
  const ordered = new Int32Array(sum);
  for (const row of rows) {
    const place = placeOf[column === null ? 0 : (column.codes[row] as number)] as number;
    ordered[ends[place] as number] = persons.codes[row] as number;
    ends[place] = (ends[place] as number) + 1;
  }
  const seen = new Int32Array(numbers.length);
  let at = 0;
  for (const [value, place] of places) {
    for (; at < (ends[place] as number); at++) {
      const code = ordered[at] as number;
      if (seen[code] === place + 1) continue;
      seen[code] = place + 1;
      builder.person(numbers[code] as number);
    }
    builder.end(value, counts[place] as number);
  }
}

function sessionsOf(columns: ChunkColumns, isKept: Uint8Array): Float64Array<SharedArrayBuffer> {
  const bytes = columns['session'];
  if (bytes === undefined) return new Float64Array(new SharedArrayBuffer(0));
  const { codes, numbers } = openColumn(bytes);
  const seen = new Uint8Array(numbers?.length ?? 0);
  for (let row = 0; row < isKept.length; row++) if (isKept[row] === 1) seen[codes[row] as number] = 1;
  const found = Array.from(numbers ?? []).filter((id, code) => seen[code] === 1 && id !== 0);
  const list = new Float64Array(new SharedArrayBuffer(found.length * 8));
  list.set(found);
  return list;
}

export function columnOf(columns: ChunkColumns, name: string): Column {
  const bytes = columns[name];
  if (bytes === undefined) throw new Error(`a chunk without ${name}`);
  return openColumn(bytes);
}

/** The first row at or after a moment, in a column of times in order. */
export function firstAt({ codes, base, rows }: Column, moment: number): number {
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((codes[middle] as number) + base < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
