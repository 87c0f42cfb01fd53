/**
 * Filters the rows of an event chunk: each condition is evaluated once per dictionary entry, then looked up for the
 * remaining rows. Pure, except for reused memory.
 */

import { type Fit, fitTest } from '../filters/fits.ts';
import type { ChunkColumns, ColumnBytes } from '../storage/format.ts';
import { type Codes, type Column, entriesOf, openColumn, type Sparse, sparseOf } from '../storage/format.ts';
import { codesOfText, type Texts } from '../storage/texts.ts';
import { bitsBefore, ranksOf } from './bits.ts';
import { SCRATCH } from './scratch.ts';
import type { SessionSet } from './session-set.ts';

/** Condition on rows. */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  /** The number in this column is one of those that are 1 in `mask`; numbers beyond it are not. */
  | { column: string; mask: Uint8Array }
  /** The property in this column fits. */
  | { column: string; fit: Fit }
  /** The visit is one of those lists' number `sessions`. */
  | { sessions: number };

type Leaf = Extract<Condition, { mask: Uint8Array } | { fit: Fit } | { sessions: number }>;

/** Columns and sets that conditions use. */
export interface Held {
  columns: ChunkColumns;
  /** The lists of visits that conditions name by number. */
  sets: readonly SessionSet[];
}

/**
 * Leaves of the first `count` numbers of rows in `rows` those that the condition keeps, in their order.
 * @returns how many they are
 */
export function narrow(held: Held, rows: Int32Array, count: number, condition: Condition): number {
  if ('all' in condition) return condition.all.reduce((left, each) => narrow(held, rows, left, each), count);
  if ('any' in condition) {
    // Mostly a property is in one place only.
    const [first, ...others] = condition.any.filter((each) => !isAbsent(held, each));
    if (first === undefined) return 0;
    if (others.length === 0) return narrow(held, rows, count, first);
  }
  if ('any' in condition || 'not' in condition) return compact(rows, count, flagsOf(held, rows, count, condition));
  const column = columnOf(held, condition);
  if (column === null) return 0;
  if ('sessions' in condition && count < (column.numbers?.length ?? 0))
    return keepVisits(rows, count, column, held.sets[condition.sessions]);
  return keep(rows, count, column.codes, entryMask(column, condition, held.sets));
}

/** Keeps rows with a visit in the set; with fewer rows than visits, each row is looked up. */
function keepVisits(rows: Int32Array, count: number, { codes, numbers }: Column, set: SessionSet | undefined): number {
  if (set === undefined || numbers === null) return 0;
  let left = 0;
  for (let at = 0; at < count; at++) {
    const row = rows[at] as number;
    const id = numbers[codes[row] as number] as number;
    rows[left] = row;
    left += id !== 0 && set.has(id) ? 1 : 0;
  }
  return left;
}

/** Keeps rows with a 1 in the mask. */
export function keep(rows: Int32Array, count: number, codes: Codes, mask: Uint8Array): number {
  let left = 0;
  for (let at = 0; at < count; at++) {
    const row = rows[at] as number;
    rows[left] = row;
    left += mask[codes[row] as number] as number;
  }
  return left;
}

/** As `keep`, for a column with one common value: only the other rows are looked up. */
export function keepMarked(bytes: ColumnBytes, rows: Int32Array, count: number, mask: Uint8Array): number {
  const sparse = sparseOf(bytes);
  if (sparse === null || mask[sparse.common] === 0) return keep(rows, count, openColumn(bytes).codes, mask);
  return keepUnless(rows, count, sparse, ranksOf(sparse.words, SCRATCH.marked), mask);
}

/** @param ranks how many of the others stand before each word */
function keepUnless(
  rows: Int32Array,
  count: number,
  { words, others }: Sparse,
  ranks: Int32Array,
  mask: Uint8Array,
): number {
  let left = 0;
  for (let at = 0; at < count; at++) {
    const row = rows[at] as number;
    const word = words[row >> 5] as number;
    rows[left] = row;
    if (((word >>> (row & 31)) & 1) === 0) left++;
    else left += mask[others[(ranks[row >> 5] as number) + bitsBefore(word, row)] as number] as number;
  }
  return left;
}

function compact(rows: Int32Array, count: number, flags: Uint8Array): number {
  let left = 0;
  for (let at = 0; at < count; at++) {
    rows[left] = rows[at] as number;
    left += flags[at] as number;
  }
  return left;
}

/** 1 for each of the rows that is kept. */
function flagsOf(held: Held, rows: Int32Array, count: number, condition: Condition): Uint8Array {
  if ('not' in condition) {
    const flags = flagsOf(held, rows, count, condition.not);
    for (let at = 0; at < count; at++) flags[at] = 1 - (flags[at] as number);
    return flags;
  }
  if ('all' in condition) {
    const flags = new Uint8Array(count).fill(1);
    for (const each of condition.all) {
      const own = flagsOf(held, rows, count, each);
      for (let at = 0; at < count; at++) flags[at] = (flags[at] as number) & (own[at] as number);
    }
    return flags;
  }
  const flags = new Uint8Array(count);
  if ('any' in condition) {
    for (const each of condition.any) {
      if (isAbsent(held, each)) continue;
      const own = flagsOf(held, rows, count, each);
      for (let at = 0; at < count; at++) flags[at] = (flags[at] as number) | (own[at] as number);
    }
    return flags;
  }
  const column = columnOf(held, condition);
  if (column === null) return flags;
  const { codes } = column;
  const mask = entryMask(column, condition, held.sets);
  for (let at = 0; at < count; at++) flags[at] = mask[codes[rows[at] as number] as number] as number;
  return flags;
}

/** No row of the chunk has a value. */
function isAbsent({ columns }: Held, condition: Condition): boolean {
  return 'column' in condition && columns[condition.column] === undefined;
}

/** The column that a condition is about; null: no row has a value. */
function columnOf({ columns }: Held, condition: Leaf): Column | null {
  const bytes = columns['sessions' in condition ? 'session' : condition.column];
  return bytes === undefined ? null : openColumn(bytes);
}

/** Looks up the wanted texts without reading the others. */
function maskOfTexts(texts: Texts, wanted: readonly string[]): Uint8Array {
  const mask = new Uint8Array(texts.ends.length + 1);
  for (const text of wanted) for (const code of codesOfText(texts, text)) mask[code] = 1;
  return mask;
}

function entryMask(column: Column, condition: Leaf, sets: readonly SessionSet[]): Uint8Array {
  if ('fit' in condition) {
    const { fit } = condition;
    if (column.texts !== null && 'equals' in fit) return maskOfTexts(column.texts, fit.equals);
    const test = fitTest(fit);
    const entries = entriesOf(column);
    const mask = new Uint8Array(entries.length);
    for (let entry = 0; entry < mask.length; entry++) mask[entry] = test(entries[entry]) ? 1 : 0;
    return mask;
  }
  const numbers = column.numbers ?? new Int32Array(0);
  const mask = new Uint8Array(numbers.length);
  if ('mask' in condition) {
    const wanted = condition.mask;
    for (let entry = 0; entry < mask.length; entry++) {
      const number = numbers[entry] as number;
      mask[entry] = number < wanted.length ? (wanted[number] as number) : 0;
    }
    return mask;
  }
  const set = sets[condition.sessions];
  if (set === undefined) return mask;
  for (let entry = 0; entry < mask.length; entry++) {
    const id = numbers[entry] as number;
    mask[entry] = id !== 0 && set.has(id) ? 1 : 0;
  }
  return mask;
}
