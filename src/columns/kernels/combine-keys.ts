/**
 * What each row of a chunk says of several properties together, or of numbers by intervals, as one more column of texts: a list as JSON, or of
 * a single property its text. Pure.
 */
import type { JsonValue } from '#src/kit/json.ts';
import { type DecimalSeparator, numberOf } from '#src/kit/numbers/values.ts';
import { textOf } from '../filters/condition-values.ts';
import { type ChunkColumns, type ColumnBytes, entriesOf, openColumn, writeProperty } from '../storage/format.ts';
import { type EventChunk, rowsIn } from './count-events.ts';
import type { KeyPlace } from './row-keys.ts';

/** One of the properties. The first place that says something counts. */
export interface CombinedPart {
  places: readonly KeyPlace[];
  /** What the numbers of places stand for; 0 is nothing. */
  texts: readonly string[];
  /** Where intervals of its numbers begin, ascending; null: its texts are taken as they are. */
  edges: readonly number[] | null;
  /** Texts of columns of their own are read by the project's rules later: they are lists of one. */
  isReadLater: boolean;
}

export interface CombinePlan {
  parts: readonly CombinedPart[];
  decimal: DecimalSeparator;
}

/** An interval of numbers as a text: `<10`, `10..20`, `>=20`. */
export function binText(edges: readonly number[], value: number): string {
  const at = edges.findIndex((edge) => value < edge);
  if (at === 0) return `<${edges[0]}`;
  return at === -1 ? `>=${edges.at(-1)}` : `${edges[at - 1]}..${edges[at]}`;
}

/** Each text once, as JSON, with its place for each row. */
interface SaidBy {
  codes: Uint32Array;
  texts: string[];
}

export function combineKeys({ parts, decimal }: CombinePlan, { columns }: Pick<EventChunk, 'columns'>): ColumnBytes {
  const rows = rowsIn(columns);
  const said = parts.map((part) => saidIn(part, decimal, columns, rows));
  const [first, ...others] = said as [SaidBy, ...SaidBy[]];
  if (others.length === 0) return written(first.codes, first.texts);
  const joined = others.reduce(pair, first);
  return written(
    joined.codes,
    joined.texts.map((list) => JSON.stringify(`[${list}]`)),
  );
}

/** In memory that all threads see. Entry 0 of the column is "not there": nothing is said. */
function written(codes: Uint32Array, texts: readonly string[]): ColumnBytes {
  const places = new Map<string, number>([['""', 0]]);
  const values: string[] = [];
  const own = texts.map((text) => {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, values.push(text));
    return values.length;
  });
  const bytes = writeProperty(
    values,
    codes.map((code) => own[code] as number),
  );
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function saidIn(part: CombinedPart, decimal: DecimalSeparator, columns: ChunkColumns, rows: number): SaidBy {
  const texts = ['""'];
  const known = new Map<string, number>([['""', 0]]);
  const codes = new Uint32Array(rows);
  const placeOf = (json: string): number => {
    const found = known.get(json);
    if (found !== undefined) return found;
    known.set(json, texts.length);
    return texts.push(json) - 1;
  };
  for (const place of part.places) {
    const bytes = columns['column' in place ? place.column : place.property];
    if (bytes === undefined) continue;
    const column = openColumn(bytes);
    const own =
      'column' in place
        ? Int32Array.from(column.numbers ?? [], (number) =>
            placeOf(jsonOf(part, decimal, part.texts[place.values[number] ?? 0], false)),
          )
        : Int32Array.from(entriesOf(column), (value) => placeOf(jsonOf(part, decimal, value, part.isReadLater)));
    for (let row = 0; row < rows; row++) {
      if (codes[row] === 0) codes[row] = own[column.codes[row] as number] as number;
    }
  }
  return { codes, texts };
}

function jsonOf(
  { edges }: CombinedPart,
  decimal: DecimalSeparator,
  value: JsonValue | undefined,
  isReadLater: boolean,
): string {
  if (value === undefined || value === null) return '""';
  if (edges !== null) {
    const number = numberOf(value, decimal);
    return Number.isNaN(number) ? '""' : JSON.stringify(binText(edges, number));
  }
  const text = textOf(value);
  return isReadLater && text !== '' ? JSON.stringify([text]) : JSON.stringify(text);
}

/** Tables of so many places are faster than maps, and small. */
const MAX_TABLE = 1 << 20;

function pair(one: SaidBy, other: SaidBy): SaidBy {
  const width = other.texts.length;
  const size = one.texts.length * width;
  const table = size <= MAX_TABLE ? new Uint32Array(size) : null;
  const map = new Map<number, number>();
  const texts: string[] = [];
  const codes = new Uint32Array(one.codes.length);
  for (let row = 0; row < codes.length; row++) {
    const [first, second] = [one.codes[row] as number, other.codes[row] as number];
    const both = first * width + second;
    let next = (table === null ? map.get(both) : table[both]) ?? 0;
    if (next === 0) {
      next = texts.push(`${one.texts[first]},${other.texts[second]}`);
      if (table === null) map.set(both, next);
      else table[both] = next;
    }
    codes[row] = next - 1;
  }
  return { codes, texts };
}
