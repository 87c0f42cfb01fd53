/** Gathers the numbers that a property says, by a value, or the lengths of visits; bots and the team's own are left out. Pure. */
import type { JsonValue } from '#src/kit/json.ts';
import { entriesOf, openColumn } from '../format.ts';
import { columnOf, type EventChunk, type EventPlan, firstAt, kept, leftOut } from './count-events.ts';
import { type SessionChunk, visitsWithin } from './count-sessions.ts';
import type { ChunkColumns } from './select.ts';
import type { SessionSet } from './session-set.ts';

export interface CollectPlan extends Pick<EventPlan, 'names' | 'where' | 'botMark' | 'internalMark'> {
  /** The column of the property. */
  column: string;
  /** What is more counts as this; null: nothing does. */
  most: number | null;
  /** By what the number in a column stands for, or by the text of a property; null: all together. */
  by: { column: string; values: Int32Array } | { property: string } | null;
}

/** Numbers by key, those of the first key first. */
export interface Collected {
  /** Numbers of texts, or texts. */
  keys: (number | string)[];
  /** Where the numbers of each key end. */
  ends: number[];
  values: Float64Array<SharedArrayBuffer>;
}

/** Numbers below zero, and whatever is no number, are not measured and left out. */
export function collect(plan: CollectPlan, { columns, edges }: EventChunk, sets: readonly SessionSet[]): Collected {
  const bytes = columns[plan.column];
  if (bytes === undefined || edges.length < 2) return { keys: [], ends: [], values: shared([]) };
  const column = openColumn(bytes);
  const numbers = entriesOf(column).map((value) => measured(value, plan.most));
  const times = columnOf(columns, 'ts');
  const isKept = kept(plan, columns, times.rows, sets);
  const left = leftOut(columns, plan);
  const keyOf = keysOf(plan.by, columns);
  const until = firstAt(times, edges.at(-1) as number);
  const lists = new Map<number | string, number[]>();
  for (let row = firstAt(times, edges[0] as number); row < until; row++) {
    if (isKept[row] === 0 || (left !== null && left.mask[left.codes[row] as number] !== 0)) continue;
    const number = numbers[column.codes[row] as number] ?? null;
    if (number === null) continue;
    const key = keyOf(row);
    const list = lists.get(key);
    if (list) list.push(number);
    else lists.set(key, [number]);
  }
  const ends: number[] = [];
  for (const list of lists.values()) ends.push((ends.at(-1) ?? 0) + list.length);
  return { keys: [...lists.keys()], ends, values: shared([...lists.values()].flat()) };
}

function measured(value: JsonValue | undefined, most: number | null): number | null {
  if (typeof value !== 'number' || value < 0) return null;
  return most === null ? value : Math.min(value, most);
}

function keysOf(by: CollectPlan['by'], columns: ChunkColumns): (row: number) => number | string {
  if (by === null) return () => 0;
  const bytes = columns['property' in by ? by.property : by.column];
  if (bytes === undefined) return 'property' in by ? () => '' : () => by.values[0] ?? 0;
  const column = openColumn(bytes);
  if ('property' in by) {
    const texts = entriesOf(column).map((value) => (typeof value === 'string' ? value : ''));
    return (row) => texts[column.codes[row] as number] as string;
  }
  const keys = Array.from(column.numbers ?? [], (number) => by.values[number] ?? 0);
  return (row) => keys[column.codes[row] as number] as number;
}

/** The lengths of visits in ms, under one key. @param only visits that are counted; null: all */
export function collectLengths(chunk: SessionChunk, only: SessionSet | null): Collected {
  const rows = visitsWithin(chunk, only);
  const lengths = columnOf(chunk.columns, 'length');
  const values = shared(rows);
  for (let at = 0; at < rows.length; at++) values[at] = (lengths.codes[rows[at] as number] as number) + lengths.base;
  return { keys: [0], ends: [rows.length], values };
}

function shared(values: ArrayLike<number>): Float64Array<SharedArrayBuffer> {
  const list = new Float64Array(new SharedArrayBuffer(values.length * 8));
  list.set(values);
  return list;
}
