/** What rows of a chunk are divided by: the text that a property says, in whatever column it is kept. Pure, but for memory that is used again. */

import type { JsonValue } from '#src/kit/json.ts';
import { textOf } from '../filters/condition-values.ts';
import type { ChunkColumns } from '../storage/format.ts';
import { type Column, entriesOf, openColumn } from '../storage/format.ts';
import { codesOfText } from '../storage/texts.ts';
import { SCRATCH, scratch } from './scratch.ts';

/** Where the property may be: by what the numbers in a column stand for (0: nothing), or in a column of its own. */
export type KeyPlace =
  | { column: string; values: Int32Array }
  /** `of`: only these texts have keys, from 1 on; all others share the key after them. */
  | { property: string; of?: readonly string[] };

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
  /** For each entry of the dictionary. */
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

/** For each entry its place among the texts, from 1 on; the number after them for all others. Of many entries only those are looked up. */
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
