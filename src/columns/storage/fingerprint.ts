/**
 * Fingerprints of rows, independent of order and of the division into chunks: a sum per column over its values
 * by row. Pure.
 */
import { PROPERTY } from './encode.ts';
import { type Column, entriesOf, openColumn } from './format.ts';
import { isPacked, unpackAll } from './packed.ts';
import { QUARTERS, writeQuarters } from './quarters.ts';

type Columns = ReadonlyMap<string, Parameters<typeof openColumn>[0]>;

/** Sum of all properties without a separate column. */
export const RARE_PROPERTIES = 'rare properties';

/**
 * Adds the rows of a chunk.
 * @param row the column that distinguishes rows: `ts` of events, `id` of visits
 * @param names columns with a separate sum: those of all compared chunks, since a property can be rare in one of them
 */
export function addFingerprints(
  sums: Map<string, number>,
  columns: Columns,
  row: 'ts' | 'id',
  names: ReadonlySet<string>,
): void {
  const keys = columns.get(row);
  if (keys === undefined) throw new Error(`a chunk without ${row}`);
  const rowColumn = openColumn(keys);
  for (const [name, bytes] of columns) {
    if (name === QUARTERS) {
      // Not of the rows but of the chunk: right, or not.
      if (Buffer.compare(bytes, writeQuarters(rowColumn)) !== 0) sums.set(name, Number.NaN);
      continue;
    }
    if (isPacked(name)) {
      for (const [property, packed] of unpackAll(bytes, rowColumn.rows)) {
        const own = PROPERTY + property;
        addRows(sums, names.has(own) ? own : RARE_PROPERTIES, own, openColumn(packed), rowColumn);
      }
    } else addRows(sums, name, name, openColumn(bytes), rowColumn);
  }
}

/** @param key of the sum */
function addRows(sums: Map<string, number>, key: string, name: string, column: Column, rowColumn: Column): void {
  const hashes = hashesOf(column, name);
  let sum = sums.get(key) ?? 0;
  for (let at = 0; at < column.rows; at++) {
    const code = column.codes[at] as number;
    const hash = hashes === null ? number(code + column.base) : (hashes[code] as number);
    // Missing values add nothing, so that columns without values can be omitted.
    if (hash !== 0)
      sum = (sum + mixed(number((rowColumn.codes[at] as number) + rowColumn.base), hash)) % 0x20_0000_0000_0000;
  }
  sums.set(key, sum);
}

/** Hashes by dictionary entry; null without a dictionary. */
function hashesOf(column: Column, name: string): number[] | null {
  if (column.numbers) return Array.from(column.numbers, (value) => (value === 0 ? 0 : number(value)));
  if (column.json === null && column.texts === null) return null;
  return entriesOf(column).map((value) =>
    value === undefined ? 0 : text(`${name.slice(PROPERTY.length)} ${JSON.stringify(value)}`),
  );
}

function number(value: number): number {
  return mixed(value >>> 0, Math.floor(value / 0x1_0000_0000) >>> 0);
}

function text(value: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < value.length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193);
  return mixed(hash >>> 0, value.length);
}

/** Two numbers of 32 bits to one above 0. */
function mixed(one: number, other: number): number {
  let hash = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ 0x9e3779b9, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return ((hash ^ (hash >>> 15)) >>> 0) + 1;
}
