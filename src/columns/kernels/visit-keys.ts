/** What the visit of each row of a chunk says of a field, as one more column of values. Pure. */
import type { ChunkColumns, ColumnBytes } from '../storage/format.ts';
import { openColumn, writeProperty } from '../storage/format.ts';
import { ByVisitNumber } from './by-visit-number.ts';
import { rowsIn } from './count-events.ts';
import type { VisitPiece } from './visit-values.ts';

export interface VisitKeysPlan {
  pieces: readonly VisitPiece[];
  /** Meaning of the numbers in the column of values, and their texts (of number 0 also of a visit without a number); or parts of one of a plain number. */
  of: { meaning: Int32Array; texts: readonly string[] } | { per: number };
}

/** A column for each chunk, in memory that all threads see. Entry 0 is "not there": an event without a visit, or a visit that says nothing. */
export function visitKeys(plan: VisitKeysPlan, chunks: readonly { columns: ChunkColumns }[]): ColumnBytes[] {
  const { valueAtVisit, values } = valuesByVisit(plan);
  return chunks.map(({ columns }) => {
    const rows = rowsIn(columns);
    const own: string[] = [];
    const codes = new Uint32Array(rows);
    const visits = columns['session'];
    if (visits !== undefined) {
      const column = openColumn(visits);
      const known = new Map<number, number>([[0, 0]]);
      const codeOf = Uint32Array.from(column.numbers ?? [], (visit) => {
        const value = visit === 0 ? 0 : valueAtVisit(visit);
        const code = known.get(value) ?? own.push(values[value] as string);
        known.set(value, code);
        return code;
      });
      for (let row = 0; row < rows; row++) codes[row] = codeOf[column.codes[row] as number] as number;
    }
    const bytes = writeProperty(own, codes);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return shared;
  });
}

/** Values as JSON, the first of which stands for none, and the place of each visit's value. */
function valuesByVisit({ pieces, of }: VisitKeysPlan): { values: string[]; valueAtVisit: (visit: number) => number } {
  const values = ['""'];
  const known = new Map<string, number>([['""', 0]]);
  const placeOf = (json: string): number => {
    const place = known.get(json) ?? values.push(json) - 1;
    known.set(json, place);
    return place;
  };
  const places = new ByVisitNumber(0);
  for (const piece of pieces) {
    const ids = openColumn(piece.ids);
    const left = new Set(piece.except);
    const valueAt = readerOf(piece, of, placeOf);
    for (let row = 0; row < ids.rows; row++) {
      const visit = (ids.codes[row] as number) + ids.base;
      if (left.size === 0 || !left.has(visit)) places.set(visit, valueAt(row));
    }
  }
  return { values, valueAtVisit: (visit) => places.of(visit) };
}

function readerOf({ values }: VisitPiece, of: VisitKeysPlan['of'], placeOf: (json: string) => number) {
  const column = values === undefined ? null : openColumn(values);
  if ('per' in of) {
    if (column === null) return () => placeOf('0');
    const { codes, base, numbers } = column;
    const numberAt = (row: number) =>
      numbers === null ? (codes[row] as number) + base : numbers[codes[row] as number];
    return (row: number) => placeOf(String((numberAt(row) as number) / of.per));
  }
  const { meaning, texts } = of;
  const jsonOf = (number: number) =>
    JSON.stringify(texts[number < meaning.length ? (meaning[number] as number) : 0] ?? '');
  const said = Int32Array.from(column?.numbers ?? [0], (number) => placeOf(jsonOf(number)));
  return (row: number) => said[column === null ? 0 : (column.codes[row] as number)] as number;
}
