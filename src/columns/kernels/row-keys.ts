/** What rows of a chunk are divided by: the text that a property says, in whatever column it is kept. Pure, but for memory that is used again. */

import { textOf } from '../filters/condition-values.ts';
import type { ChunkColumns } from '../storage/format.ts';
import { entriesOf, openColumn } from '../storage/format.ts';
import { SCRATCH, scratch } from './scratch.ts';

/** Where the property may be: by what the numbers in a column stand for (0: nothing), or in a column of its own. */
export type KeyPlace = { column: string; values: Int32Array } | { property: string };

/** The number of a text, as the caller numbers them, or the text itself. 0: nothing is said. */
export type Key = number | string;

export interface KeyedRows {
  keys: Key[];
  /** For each of the rows, which of the keys it has; in memory that is used again. */
  places: Int32Array;
}

/** The first place that says something counts. @param where null: all rows are alike */
export function keysOfRows(columns: ChunkColumns, rows: Int32Array, where: readonly KeyPlace[] | null): KeyedRows {
  const keys: Key[] = [0];
  const known = new Map<Key, number>([[0, 0]]);
  const places = scratch(SCRATCH.places, rows.length).fill(0, 0, rows.length);
  const numberOf = (key: Key): number => {
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, keys.length);
    return keys.push(key) - 1;
  };
  for (const place of where ?? []) {
    const bytes = columns['column' in place ? place.column : place.property];
    if (bytes === undefined) continue;
    const column = openColumn(bytes);
    const meant: readonly Key[] =
      'column' in place
        ? Array.from(column.numbers ?? [], (number) => place.values[number] ?? 0)
        : entriesOf(column).map((value) => (value === undefined || value === null ? 0 : textOf(value) || 0));
    const own = Int32Array.from(meant, numberOf);
    const { codes } = column;
    for (let at = 0; at < rows.length; at++) {
      if (places[at] === 0) places[at] = own[codes[rows[at] as number] as number] as number;
    }
  }
  return { keys, places };
}
