/**
 * How a column of a chunk is written down: one value per row, mostly as the number of an entry of a dictionary. Little-endian and
 * aligned, so that stored bytes are read in place. Missing values are 0 in columns of numbers, entry 0 in columns of properties.
 *
 * Header of 24 bytes: form, rows, entries of the dictionary, bytes of the dictionary (int32 each), base (float64). Then the dictionary,
 * padded to eights, then the codes.
 */
import type { JsonValue } from '#src/kit/json.ts';

/** What the codes mean. Stored: never change one. */
const forms = { ints: 1, floats: 2, json: 3, offsets: 4, values: 5 } as const;
const HEADER = 24;

export type Codes = Uint8Array | Uint16Array | Uint32Array | Float64Array;
type Bytes = Uint8Array<ArrayBuffer> | Uint8Array<SharedArrayBuffer>;

/** A column of numbers by dictionary, of properties by dictionary, or of plain numbers from a base on. */
export interface Column {
  rows: number;
  codes: Codes;
  /** Numbers that the codes stand for; null for properties and plain numbers. */
  numbers: Int32Array | Float64Array | null;
  /** Values of a property as a JSON list; its entry 0 stands for "not there". */
  json: Bytes | null;
  /** What is added to the codes of plain numbers. */
  base: number;
}

/** Reads a column in place. @param bytes begin at a multiple of eight in their buffer */
export function openColumn(bytes: Bytes): Column {
  const { buffer, byteOffset: start } = bytes;
  const [form = 0, rows = 0, entries = 0, size = 0] = new Int32Array(buffer, start, 4);
  const [base = 0] = new Float64Array(buffer, start + 16, 1);
  const column: Column = { rows, codes: new Uint8Array(0), numbers: null, json: null, base };
  const dictionary = start + HEADER;
  if (form === forms.ints) column.numbers = new Int32Array(buffer, dictionary, entries);
  if (form === forms.floats) column.numbers = new Float64Array(buffer, dictionary, entries);
  if (form === forms.json) column.json = new Uint8Array(buffer as ArrayBuffer, dictionary, size);
  const at = dictionary + padded(size);
  if (form === forms.values) column.codes = new Float64Array(buffer, at, rows);
  else if (form === forms.offsets) column.codes = new Uint32Array(buffer, at, rows);
  else if (entries <= 0x100) column.codes = new Uint8Array(buffer, at, rows);
  else if (entries <= 0x10000) column.codes = new Uint16Array(buffer, at, rows);
  else column.codes = new Uint32Array(buffer, at, rows);
  return column;
}

/** The values of a property that the codes stand for; undefined for "not there". */
export function entriesOf(column: Column): (JsonValue | undefined)[] {
  if (column.json === null) return [];
  // A copy: text cannot be read from memory that threads share.
  const values = JSON.parse(new TextDecoder().decode(column.json.slice())) as (JsonValue | undefined)[];
  values[0] = undefined;
  return values;
}

/** Writes a column of numbers by dictionary. @param codes as many as rows */
export function writeNumbers(numbers: readonly number[], codes: Uint32Array): Uint8Array<ArrayBuffer> {
  const small = numbers.every((value) => value === (value | 0));
  const form = small ? forms.ints : forms.floats;
  const { bytes, dictionary } = begin(form, codes, numbers.length, numbers.length * (small ? 4 : 8), 0);
  if (small) new Int32Array(bytes.buffer, dictionary, numbers.length).set(numbers);
  else new Float64Array(bytes.buffer, dictionary, numbers.length).set(numbers);
  return bytes;
}

/** Writes a column of a property. @param values without the entry 0 */
export function writeProperty(values: readonly JsonValue[], codes: Uint32Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify([null, ...values]));
  const { bytes, dictionary } = begin(forms.json, codes, values.length + 1, text.length, 0);
  bytes.set(text, dictionary);
  return bytes;
}

/** Writes a column of plain numbers, from the least of them on. */
export function writePlain(values: Float64Array): Uint8Array<ArrayBuffer> {
  let [least = 0] = values;
  let most = least;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const fits = most - least <= 0xffff_ffff;
  const codes = fits ? new Uint32Array(values.length) : new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) codes[row] = (values[row] as number) - least;
  return begin(fits ? forms.offsets : forms.values, codes, 0, 0, least).bytes;
}

function begin(form: number, codes: Uint32Array | Float64Array, entries: number, size: number, base: number) {
  const width =
    form === forms.values ? 8 : form === forms.offsets ? 4 : entries <= 0x100 ? 1 : entries <= 0x10000 ? 2 : 4;
  const at = HEADER + padded(size);
  const bytes = new Uint8Array(at + codes.length * width);
  new Int32Array(bytes.buffer, 0, 4).set([form, codes.length, entries, size]);
  new Float64Array(bytes.buffer, 16, 1)[0] = base;
  if (width === 8) new Float64Array(bytes.buffer, at, codes.length).set(codes);
  else if (width === 4) new Uint32Array(bytes.buffer, at, codes.length).set(codes);
  else if (width === 2) new Uint16Array(bytes.buffer, at, codes.length).set(codes);
  else new Uint8Array(bytes.buffer, at, codes.length).set(codes);
  return { bytes, dictionary: HEADER };
}

function padded(size: number): number {
  return Math.ceil(size / 8) * 8;
}
