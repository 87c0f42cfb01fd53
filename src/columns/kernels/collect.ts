/** Collects the numbers of a property by key, or durations of visits, without bots and internal traffic. Pure. */

import type { JsonValue } from '#src/kit/json.ts';
import type { ChunkColumns, ColumnBytes } from '../storage/format.ts';
import { entriesOf, exceptionsOf, openColumn, rowsOf, valuesOf } from '../storage/format.ts';
import { placesAt } from '../storage/quarters.ts';
import { Slabs } from '../storage/slabs.ts';
import { divide, type Value } from './by-value.ts';
import {
  columnOf,
  type EventChunk,
  type EventPlan,
  narrowToCounted,
  narrowToKept,
  placeIn,
  rowsIn,
} from './count-events.ts';
import { type SessionChunk, type VisitChoice, visitsWithin } from './count-sessions.ts';
import { SCRATCH, scratch } from './scratch.ts';
import type { SessionSet } from './session-set.ts';
import { floatsOf } from './shared.ts';

export interface CollectPlan extends Pick<EventPlan, 'names' | 'where' | 'botMark' | 'internalMark' | 'include'> {
  /** The column of the property. */
  column: string;
  /** Larger numbers are capped to this; null: no cap. */
  most: number | null;
  /** Key: by the value of a column, or by a property's text with an optional prefix `beside` (`keyBeside`); null: one key for all. */
  by: Value | { property: string; beside?: Value } | null;
}

/** Numbers by key, those of the first key first. */
export interface Collected {
  /** Numbers of texts, or texts. */
  keys: (number | string)[];
  /** End offset of each key's numbers. */
  ends: number[];
  values: Float64Array<SharedArrayBuffer>;
}

/** Skips negative numbers and other values. @param memory of the results */
export function collect(
  plan: CollectPlan,
  { columns, edges }: EventChunk,
  sets: readonly SessionSet[],
  memory: Slabs = new Slabs(),
): Collected {
  const bytes = columns[plan.column];
  if (bytes === undefined || edges.length < 2) return { keys: [], ends: [], values: floatsOf([]) };
  const { numbers, isMeasured } = measured(valuesOf(bytes), plan.most);
  const [from = 0, until = 0] = placesAt(columns, rowsIn(columns), [edges[0] as number, edges.at(-1) as number]);
  const measuredRows = measuredRowsOf(bytes, isMeasured, from, until);
  const rows = scratch(SCRATCH.rows, measuredRows.rows.length);
  rows.set(measuredRows.rows);
  const kept = narrowToKept(plan, columns, sets, rows, measuredRows.rows.length);
  const found = rows.subarray(0, narrowToCounted(columns, plan, rows, kept));
  const { keys, counts, places } = keysOf(plan.by, columns, found);
  // Next write offset of each key; at the end its end offset.
  const ends = new Int32Array(keys.length);
  for (let key = 1; key < ends.length; key++) ends[key] = (ends[key - 1] as number) + (counts[key - 1] as number);
  const values = memory.floats('', found.length);
  for (let at = 0, next = 0; at < found.length; at++) {
    while (measuredRows.rows[next] !== found[at]) next++;
    const key = places[at] as number;
    values[ends[key] as number] = numbers[measuredRows.codes[next++] as number] as number;
    ends[key] = (ends[key] as number) + 1;
  }
  const isThere = (_: unknown, key: number) => (counts[key] as number) > 0;
  return { keys: keys.filter(isThere), ends: [...ends].filter(isThere), values };
}

/** Rows with a number, and their codes: mostly few, so the others are not visited. In reused memory. */
function measuredRowsOf(
  bytes: ColumnBytes,
  isMeasured: Uint8Array,
  from: number,
  until: number,
): { rows: Int32Array; codes: Int32Array } {
  const rows = scratch(SCRATCH.numbers, rowsOf(bytes));
  const exceptions = exceptionsOf(bytes, rows);
  const codes = scratch(SCRATCH.visits, rows.length);
  let count = 0;
  if (exceptions !== null && isMeasured[exceptions.common] === 0) {
    const { rows: others, codes: own } = exceptions;
    const end = placeIn(others, until);
    for (let at = placeIn(others, from); at < end; at++) {
      rows[count] = others[at] as number;
      const code = own[at] as number;
      codes[count] = code;
      count += isMeasured[code] as number;
    }
  } else {
    const { codes: all } = openColumn(bytes);
    for (let row = from; row < until; row++) {
      rows[count] = row;
      const code = all[row] as number;
      codes[count] = code;
      count += isMeasured[code] as number;
    }
  }
  return { rows: rows.subarray(0, count), codes };
}

/** Number of each dictionary entry, and 1 where it is numeric. */
function measured(entries: readonly (JsonValue | undefined)[], most: number | null) {
  const numbers = new Float64Array(entries.length);
  const isMeasured = new Uint8Array(entries.length);
  for (let entry = 0; entry < entries.length; entry++) {
    const value = entries[entry];
    if (typeof value !== 'number' || value < 0) continue;
    numbers[entry] = most === null ? value : Math.min(value, most);
    isMeasured[entry] = 1;
  }
  return { numbers, isMeasured };
}

interface Keyed {
  keys: (number | string)[];
  counts: ArrayLike<number>;
  /** Key index of each row. */
  places: ArrayLike<number>;
}

function keysOf(by: CollectPlan['by'], columns: ChunkColumns, rows: Int32Array): Keyed {
  if (by !== null && 'values' in by) {
    const { values, counts, places } = divide(columns, rows, by);
    return { keys: values, counts, places };
  }
  if (by?.beside !== undefined)
    return besideOf(by.beside, keysOf({ property: by.property }, columns, rows), columns, rows);
  const bytes = by === null ? undefined : columns[by.property];
  if (bytes === undefined) {
    return { keys: [by === null ? 0 : ''], counts: [rows.length], places: new Int32Array(rows.length) };
  }
  const column = openColumn(bytes);
  const known = new Map<string, number>();
  const placeOf = entriesOf(column).map((value) => {
    const text = typeof value === 'string' ? value : '';
    const place = known.get(text) ?? known.size;
    known.set(text, place);
    return place;
  });
  const counts = new Int32Array(known.size);
  const places = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const place = placeOf[column.codes[rows[at] as number] as number] as number;
    places[at] = place;
    counts[place] = (counts[place] as number) + 1;
  }
  return { keys: [...known.keys()], counts, places };
}

/** The number that a value stands for, and the text of a property, as one key. */
export function keyBeside(number: number, text: string): string {
  return `${number} ${text}`;
}

export function partsOfKey(key: string): [number: number, text: string] {
  const end = key.indexOf(' ');
  return [Number(key.slice(0, end)), key.slice(end + 1)];
}

/** So many pairs have a place in a list. */
const FEW_PAIRS = 1 << 18;

/** The same rows by what stands beside their keys as well. */
function besideOf(beside: Value, own: Keyed, columns: ChunkColumns, rows: Int32Array): Keyed {
  const { values, places: others } = divide(columns, rows, beside);
  const pairs = own.keys.length * values.length;
  const few = pairs <= FEW_PAIRS ? new Int32Array(pairs) : null;
  const many = new Map<number, number>();
  const keys: string[] = [];
  const counts: number[] = [];
  const places = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const [key, other] = [own.places[at] as number, others[at] as number];
    const pair = key * values.length + other;
    // From 1 on.
    let place = few === null ? many.get(pair) : few[pair];
    if (!place) {
      place = keys.push(keyBeside(values[other] as number, String(own.keys[key])));
      if (few === null) many.set(pair, place);
      else few[pair] = place;
      counts.push(0);
    }
    places[at] = place - 1;
    counts[place - 1] = (counts[place - 1] as number) + 1;
  }
  return { keys, counts, places };
}

/** The lengths of visits in ms, under one key. @param memory for the results */
export function collectLengths(chunk: SessionChunk, choice: VisitChoice<SessionSet>, memory = new Slabs()): Collected {
  const rows = visitsWithin(chunk, choice);
  const lengths = columnOf(chunk.columns, 'length');
  const values = memory.floats('', rows.length);
  for (let at = 0; at < rows.length; at++) values[at] = (lengths.codes[rows[at] as number] as number) + lengths.base;
  return { keys: [0], ends: [rows.length], values };
}
