/** Breakdown keys of a chunk's rows: the text of a property, in any storage. Pure, except for reused memory. */

import type { JsonValue } from '#src/kit/json.ts';
import { textOf } from '../filters/condition-values.ts';
import type { ChunkColumns } from '../storage/format.ts';
import { type Column, entriesOf, openColumn } from '../storage/format.ts';
import { codesOfText } from '../storage/texts.ts';
import { SCRATCH, scratch } from './scratch.ts';

/** Storage of the property: a column of numbers with their meaning (0: missing), or its own column. */
export type KeyPlace =
  | { column: string; values: Int32Array }
  /** `of`: only these texts have keys, from 1 on; all others share the key after them. */
  | { property: string; of?: readonly string[] };

/** The number of a text by the caller's numbering, or the text itself. 0: missing. */
export type Key = number | string;

export interface KeyedRows {
  keys: Key[];
  /** Key index of each row; in reused memory. */
  places: Int32Array;
}

/** The first storage with a value counts. @param where null: one key for all rows */
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
  /** Keys by dictionary entry. */
  const ownOf = (column: Column, { of }: { of?: readonly string[] }): Int32Array =>
    of === undefined
      ? Int32Array.from(entriesOf(column), (value) => numberOf(keyOf(value)))
      : Int32Array.from(placesAmong(column, of), numberOf);
  for (const place of where ?? []) {
    const bytes = columns['column' in place ? place.column : place.property];
    if (bytes === undefined) continue;
    const column = openColumn(bytes);
    const own = 'column' in place ? Int32Array.from(meantBy(column, place.values), numberOf) : ownOf(column, place);
    const { codes } = column;
    for (let at = 0; at < rows.length; at++) {
      if (places[at] === 0) places[at] = own[codes[rows[at] as number] as number] as number;
    }
  }
  return { keys, places };
}

function meantBy({ numbers }: Column, values: Int32Array): number[] {
  return Array.from(numbers ?? [], (number) => values[number] ?? 0);
}

function keyOf(value: JsonValue | undefined): Key {
  return value === undefined || value === null ? 0 : textOf(value) || 0;
}

/** Index of each entry among the texts, from 1; the number after them for all others. Large dictionaries are searched for the texts. */
function placesAmong(column: Column, texts: readonly string[]): Int32Array {
  if (column.texts === null) {
    const places = new Map<Key, number>(texts.map((text, at) => [text, at + 1]));
    return Int32Array.from(entriesOf(column), (value) => {
      const key = keyOf(value);
      return key === 0 ? 0 : (places.get(key) ?? texts.length + 1);
    });
  }
  const places = new Int32Array(column.entries).fill(texts.length + 1);
  for (const [at, text] of texts.entries()) for (const code of codesOfText(column.texts, text)) places[code] = at + 1;
  places[0] = 0;
  for (const code of codesOfText(column.texts, '')) places[code] = 0;
  return places;
}
