/**
 * Index of the quarters of hours in an event chunk. Edges of days and hours are quarters in every time zone, so most queries do not need
 * the time of each row, a third of the data that they would read. Pure.
 */

import { quarterMs } from '#src/kit/zone.ts';
import type { ChunkColumns } from './format.ts';
import { type Column, openColumn, writePlain } from './format.ts';

/** The column: times of the first and last row, then the first row of each quarter from that of the first row on. */
export const QUARTERS = 'quarters';
const HEAD = 2;

/** @param ts the column of times, in order */
export function writeQuarters(ts: Column): Uint8Array<ArrayBuffer> {
  const { codes, base, rows } = ts;
  const [first, last] = [base + (codes[0] as number), base + (codes[rows - 1] as number)];
  const places: number[] = [];
  for (let quarter = Math.floor(first / quarterMs); quarter * quarterMs <= last; quarter++)
    places.push(firstAt(ts, quarter * quarterMs));
  return writePlain(Float64Array.from([first, last, ...places]));
}

/** The first row at or after a time; null: not on a quarter. @param rows of the chunk */
function placeIn({ codes, base }: Column, rows: number, moment: number): number | null {
  const first = (codes[0] as number) + base;
  if (moment <= first) return 0;
  if (moment > (codes[1] as number) + base) return rows;
  if (moment % quarterMs !== 0) return null;
  return (codes[HEAD + moment / quarterMs - Math.floor(first / quarterMs)] as number) + base;
}

/** The times that are not on a quarter. */
export function oddMoments(moments: readonly number[]): number[] {
  return moments.filter((moment) => moment % quarterMs !== 0);
}

/** True when the chunk's times need not be loaded. @param odd requested times that are not on a quarter */
export function coversMoments(bytes: ChunkColumns[string], odd: readonly number[]): boolean {
  if (bytes === undefined) return false;
  const column = openColumn(bytes);
  return odd.every((moment) => placeIn(column, 0, moment) !== null);
}

/** The first row at or after each time. @param rows of the chunk */
export function placesAt(columns: ChunkColumns, rows: number, moments: readonly number[]): number[] {
  const [bytes, times] = [columns[QUARTERS], columns['ts']];
  const quarters = bytes === undefined ? null : openColumn(bytes);
  const ts = times === undefined ? null : openColumn(times);
  return moments.map((moment) => {
    const place = quarters && placeIn(quarters, rows, moment);
    if (place !== null) return place;
    if (ts === null) throw new Error('a chunk without the requested times');
    return firstAt(ts, moment);
  });
}

/** The first row at or after a time, in a sorted column. */
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
