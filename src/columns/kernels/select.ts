/** Which rows of a chunk of events a filter keeps: each condition is decided once per entry of a dictionary, then looked up per row. Pure. */
import type { ColumnBytes } from '../encode.ts';
import { type Fit, fitTest } from '../fits.ts';
import { type Column, entriesOf, openColumn } from '../format.ts';
import type { SessionSet } from './session-set.ts';

/** Columns of a chunk by name; absent: no row has a value. */
export type ChunkColumns = Readonly<Record<string, ColumnBytes | undefined>>;

/** What rows must be like. */
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

/** 1 for each row that is kept. @param sessions the lists of visits that conditions name by number */
export function select(
  columns: ChunkColumns,
  rows: number,
  condition: Condition,
  sessions: readonly SessionSet[],
): Uint8Array {
  if ('not' in condition) return inverted(select(columns, rows, condition.not, sessions));
  if ('all' in condition) return joined(columns, rows, condition.all, sessions, true);
  if ('any' in condition) return joined(columns, rows, condition.any, sessions, false);
  const kept = new Uint8Array(rows);
  const bytes = columns['sessions' in condition ? 'session' : condition.column];
  if (bytes === undefined) return kept;
  const column = openColumn(bytes);
  lookUp(kept, column, entryMask(column, condition, sessions));
  return kept;
}

/** 1 for each entry of the column's dictionary whose number `test` is true of. */
export function maskOf(column: Column, test: (value: number) => boolean): Uint8Array {
  return Uint8Array.from(column.numbers ?? [], (value) => (test(value) ? 1 : 0));
}

function entryMask(
  column: Column,
  condition: Extract<Condition, { mask: Uint8Array } | { fit: Fit } | { sessions: number }>,
  sessions: readonly SessionSet[],
): Uint8Array {
  if ('fit' in condition) {
    const test = fitTest(condition.fit);
    return Uint8Array.from(entriesOf(column), (value) => (test(value) ? 1 : 0));
  }
  if ('mask' in condition) return maskOf(column, (value) => condition.mask[value] === 1);
  const set = sessions[condition.sessions];
  return maskOf(column, (id) => id !== 0 && set?.has(id) === true);
}

function lookUp(kept: Uint8Array, { codes }: Column, mask: Uint8Array): void {
  for (let row = 0; row < kept.length; row++) kept[row] = mask[codes[row] as number] as number;
}

function joined(
  columns: ChunkColumns,
  rows: number,
  conditions: readonly Condition[],
  sessions: readonly SessionSet[],
  isAll: boolean,
): Uint8Array {
  const [first, ...others] = conditions;
  if (first === undefined) return new Uint8Array(rows).fill(1);
  const kept = select(columns, rows, first, sessions);
  for (const other of others) {
    const more = select(columns, rows, other, sessions);
    if (isAll) for (let row = 0; row < rows; row++) kept[row] = (kept[row] as number) & (more[row] as number);
    else for (let row = 0; row < rows; row++) kept[row] = (kept[row] as number) | (more[row] as number);
  }
  return kept;
}

function inverted(kept: Uint8Array): Uint8Array {
  for (let row = 0; row < kept.length; row++) kept[row] = 1 - (kept[row] as number);
  return kept;
}
