/**
 * How a column of a chunk is written down: one value per row, mostly as the number of an entry of a dictionary. Little-endian and
 * aligned, so that stored bytes are read in place. Missing values are 0 in columns of numbers, entry 0 in columns of properties.
 *
 * Header of 24 bytes: form, rows, entries of the dictionary, bytes of the dictionary (int32 each), base (float64). Then the dictionary,
 * padded to eights, then the codes. Where most rows have the same code, that is the base, and instead of all codes come a bit for each
 * row, 1 where it has another one, padded to eights, and those others. Where nearly all rows have it, the others come as pairs: how many
 * they are, their rows (int32 each), padded to eights, and their codes.
 */
import type { JsonValue } from '#src/kit/json.ts';
import { allValues, MANY_TEXTS, type Texts, textsIn, writeTexts } from './texts.ts';

/** Column formats. Stored: never change one. */
const forms = { ints: 1, floats: 2, json: 3, offsets: 4, values: 5, shorts: 6, texts: 7 } as const;
/** Added to a form with a dictionary: most rows have the same code. */
const SPARSE = 16;
/** The same, with the others as pairs of row and code. */
const PAIRS = 32;
/** Columns of fewer rows are stored row by row. */
const MIN_SPARSE_ROWS = 64;
/** Pairs are written when fewer than one row in so many differs: a row number takes as much as so many bits. */
const PAIRS_SHARE = 32;
/** Codes are stored row by row when more than one in so many differs from the commonest: to spread them takes time whenever they are read. */
const SPARSE_SHARE = 4;
const HEADER = 24;

export type Codes = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Bytes of a column, in memory of one thread or of all. */
export type ColumnBytes = Uint8Array<ArrayBuffer> | Uint8Array<SharedArrayBuffer>;

/** Columns of a chunk by name; absent: no row has a value. */
export type ChunkColumns = Readonly<Record<string, ColumnBytes | undefined>>;

/** A column of numbers by dictionary, of properties by dictionary, or of plain numbers from a base on. */
export interface Column {
  rows: number;
  codes: Codes;
  /** How many entries its dictionary has; 0 without one. */
  entries: number;
  /** Numbers that the codes stand for; null for properties and plain numbers. */
  numbers: Int32Array | Float64Array | null;
  /** Values of a property as a JSON list; its entry 0 stands for "not there". */
  json: ColumnBytes | null;
  /** The same of many values, which are found by their hashes. */
  texts: Texts | null;
  /** Added to the codes of plain numbers. */
  base: number;
}

/** The values of a property, without a look at what the rows say. */
export function valuesOf(bytes: ColumnBytes): (JsonValue | undefined)[] {
  return entriesOf(dictionaryIn(bytes));
}

/** Reads a column in place. @param bytes begin at a multiple of eight in their buffer */
export function openColumn(bytes: ColumnBytes): Column {
  const { buffer, byteOffset: start } = bytes;
  const [stored = 0, rows = 0, entries = 0, size = 0] = new Int32Array(buffer, start, 4);
  const [base = 0] = new Float64Array(buffer, start + 16, 1);
  const form = formOf(stored);
  const column = {
    rows,
    entries,
    codes: new Uint8Array(0) as Codes,
    numbers: numbersOf(bytes),
    ...dictionaryIn(bytes),
    base,
  };
  const at = start + HEADER + padded(size);
  if (stored >= SPARSE) {
    column.codes = spread(bytes, rows, entries, base);
    column.base = 0;
  } else if (form === forms.values) column.codes = new Float64Array(buffer, at, rows);
  else if (form === forms.offsets) column.codes = new Uint32Array(buffer, at, rows);
  else if (form === forms.shorts) column.codes = new Uint16Array(buffer, at, rows);
  else column.codes = new (codesFor(entries))(buffer as ArrayBuffer, at, rows);
  return column;
}

/** How many rows there are, without a look at anything else. */
export function rowsOf({ buffer, byteOffset }: ColumnBytes): number {
  return new Int32Array(buffer, byteOffset, 2)[1] as number;
}

/** The numbers that the codes stand for, without a look at the codes; null for properties and plain numbers. */
export function numbersOf({ buffer, byteOffset: start }: ColumnBytes): Column['numbers'] {
  const [stored = 0, , entries = 0] = new Int32Array(buffer, start, 3);
  const form = formOf(stored);
  if (form === forms.ints) return new Int32Array(buffer, start + HEADER, entries);
  return form === forms.floats ? new Float64Array(buffer, start + HEADER, entries) : null;
}

/** The values of a property, unread. */
function dictionaryIn({ buffer, byteOffset: start }: ColumnBytes): Pick<Column, 'json' | 'texts'> {
  const [stored = 0, , entries = 0, size = 0] = new Int32Array(buffer, start, 4);
  const form = formOf(stored);
  const bytes = new Uint8Array(buffer as ArrayBuffer, start + HEADER, size);
  return {
    json: form === forms.json ? bytes : null,
    texts: form === forms.texts ? textsIn(bytes, entries - 1) : null,
  };
}

function formOf(stored: number): number {
  return stored % SPARSE;
}

function codesFor(entries: number): typeof Uint8Array | typeof Uint16Array | typeof Uint32Array {
  if (entries <= 0x100) return Uint8Array;
  return entries <= 0x10000 ? Uint16Array : Uint32Array;
}

/** A column of which most rows say the same. */
export interface Sparse {
  /** The code of most rows. */
  common: number;
  /** A bit for each row, 1 for the others. */
  words: Int32Array;
  /** The codes of those, in order. */
  others: Codes;
}

/** Null: codes are stored row by row. */
export function sparseOf(bytes: ColumnBytes): Sparse | null {
  const { buffer, byteOffset: start } = bytes;
  const [stored = 0, rows = 0, entries = 0, size = 0] = new Int32Array(buffer, start, 4);
  if (stored < SPARSE) return null;
  const [common = 0] = new Float64Array(buffer, start + 16, 1);
  const at = start + HEADER + padded(size);
  if (stored < PAIRS) return { common, ...bitsIn(bytes, at, rows, entries) };
  const pairs = pairsIn(bytes, at, entries);
  const words = new Int32Array(Math.ceil(rows / 32));
  for (const row of pairs.rows) words[row >> 5] = (words[row >> 5] as number) | (1 << (row & 31));
  return { common, words, others: pairs.codes };
}

/** Rows with another value than the common one, and their codes. */
export interface Exceptions {
  /** The code of all other rows. */
  common: number;
  /** In order, so many. */
  rows: Int32Array;
  codes: Codes;
}

/** Null: codes are stored row by row. @param into where the rows are put, large enough for all of the column */
export function exceptionsOf(bytes: ColumnBytes, into: Int32Array): Exceptions | null {
  const { buffer, byteOffset: start } = bytes;
  const [stored = 0, rows = 0, entries = 0, size = 0] = new Int32Array(buffer, start, 4);
  if (stored < SPARSE) return null;
  const [common = 0] = new Float64Array(buffer, start + 16, 1);
  const at = start + HEADER + padded(size);
  if (stored >= PAIRS) {
    const pairs = pairsIn(bytes, at, entries);
    into.set(pairs.rows);
    return { common, rows: into.subarray(0, pairs.rows.length), codes: pairs.codes };
  }
  const { words, others } = bitsIn(bytes, at, rows, entries);
  let next = 0;
  for (let word = 0; word < words.length; word++) {
    for (let bits = words[word] as number; bits !== 0; bits &= bits - 1)
      into[next++] = (word << 5) + 31 - Math.clz32(bits & -bits);
  }
  return { common, rows: into.subarray(0, next), codes: others };
}

/** @param at where the bits begin */
function bitsIn({ buffer, byteOffset, byteLength }: ColumnBytes, at: number, rows: number, entries: number) {
  const type = codesFor(entries);
  const words = new Int32Array(buffer, at, Math.ceil(rows / 32));
  const from = at + padded(words.byteLength);
  const length = (byteOffset + byteLength - from) / type.BYTES_PER_ELEMENT;
  return { words, others: new type(buffer as ArrayBuffer, from, length) };
}

/** @param at where the number of pairs stands */
function pairsIn({ buffer }: ColumnBytes, at: number, entries: number) {
  const [count = 0] = new Int32Array(buffer, at, 1);
  const rows = new Int32Array(buffer, at + 4, count);
  const codes = new (codesFor(entries))(buffer as ArrayBuffer, at + padded(4 + rows.byteLength), count);
  return { rows, codes };
}

/** The codes of all rows. */
function spread(bytes: ColumnBytes, rows: number, entries: number, common: number): Codes {
  const codes = new (codesFor(entries))(rows);
  if (common !== 0) codes.fill(common);
  const { buffer, byteOffset: start } = bytes;
  const [stored = 0, , , size = 0] = new Int32Array(buffer, start, 4);
  const at = start + HEADER + padded(size);
  if (stored >= PAIRS) {
    const pairs = pairsIn(bytes, at, entries);
    for (let each = 0; each < pairs.rows.length; each++)
      codes[pairs.rows[each] as number] = pairs.codes[each] as number;
    return codes;
  }
  const { words, others } = bitsIn(bytes, at, rows, entries);
  let next = 0;
  for (let word = 0; word < words.length; word++) {
    for (let bits = words[word] as number; bits !== 0; bits &= bits - 1) {
      codes[(word << 5) + 31 - Math.clz32(bits & -bits)] = others[next++] as number;
    }
  }
  return codes;
}

/** The values of a property that the codes stand for; undefined for "not there". */
export function entriesOf({ json, texts }: Pick<Column, 'json' | 'texts'>): (JsonValue | undefined)[] {
  if (texts !== null) return allValues(texts);
  return json === null ? [] : parsed(json);
}

function parsed(json: ColumnBytes): (JsonValue | undefined)[] {
  // A copy: text cannot be read from memory that threads share.
  const values = JSON.parse(new TextDecoder().decode(json.slice())) as (JsonValue | undefined)[];
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

/**
 * The column with a number for each entry of its dictionary instead of the value; in memory that all threads see.
 * @param numbers as many as entries
 */
export function withNumbers(column: ColumnBytes, numbers: Int32Array): Uint8Array<SharedArrayBuffer> {
  const { buffer, byteOffset: start, byteLength } = column;
  const [stored = 0, rows = 0, entries = 0, size = 0] = new Int32Array(buffer, start, 4);
  const codes = new Uint8Array(
    buffer as ArrayBuffer,
    start + HEADER + padded(size),
    byteLength - HEADER - padded(size),
  );
  const at = HEADER + padded(entries * 4);
  const bytes = new Uint8Array(new SharedArrayBuffer(at + codes.length));
  bytes.set(new Uint8Array(buffer as ArrayBuffer, start, HEADER));
  new Int32Array(bytes.buffer, 0, 4).set([stored - formOf(stored) + forms.ints, rows, entries, entries * 4]);
  new Int32Array(bytes.buffer, HEADER, entries).set(numbers);
  bytes.set(codes, at);
  return bytes;
}

/** Writes a column of a property. @param values each as JSON, without the entry 0 */
export function writeProperty(values: readonly string[], codes: Uint32Array): Uint8Array<ArrayBuffer> {
  const { form, text, codeOf } = dictionaryOf(values);
  const own = codeOf === null ? codes : codes.map((code) => codeOf[code] as number);
  const { bytes, dictionary } = begin(form, own, values.length + 1, text.length, 0);
  bytes.set(text, dictionary);
  return bytes;
}

/** True when a property is rare enough for `writeRareProperty`. @param rows of the chunk */
export function areFew(count: number, rows: number): boolean {
  return rows >= MIN_SPARSE_ROWS && count * PAIRS_SHARE < rows;
}

/** The same for few rows, without visiting the others. @param rows of the chunk @param present rows with the property, ascending, and their codes */
export function writeRareProperty(
  values: readonly string[],
  rows: number,
  present: { rows: Uint32Array; codes: Uint32Array },
): Uint8Array<ArrayBuffer> {
  const { form, text, codeOf } = dictionaryOf(values);
  const codes = codeOf === null ? present.codes : present.codes.map((code) => codeOf[code] as number);
  const differing = { common: 0, rows: present.rows, codes };
  const { bytes, dictionary } = beginSparse(form, differing, rows, values.length + 1, text.length);
  bytes.set(text, dictionary);
  return bytes;
}

/** With what codes become in it; null: they stay. */
function dictionaryOf(values: readonly string[]) {
  if (values.length >= MANY_TEXTS) {
    const { bytes: text, codes: codeOf } = writeTexts(values);
    return { form: forms.texts, text, codeOf };
  }
  const text = new TextEncoder().encode(`[null${values.length > 0 ? ',' : ''}${values.join(',')}]`);
  return { form: forms.json, text, codeOf: null };
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
  const form = !fits ? forms.values : most - least <= 0xffff ? forms.shorts : forms.offsets;
  return begin(form, codes, 0, 0, least).bytes;
}

function begin(form: number, codes: Uint32Array | Float64Array, entries: number, size: number, base: number) {
  const hasDictionary = form < forms.offsets || form === forms.texts;
  const sparse = hasDictionary ? sparselyOf(codes as Uint32Array, entries) : null;
  if (sparse !== null) return beginSparse(form, sparse, codes.length, entries, size);
  const at = HEADER + padded(size);
  const type = typeOf(form, entries);
  const bytes = new Uint8Array(at + codes.length * type.BYTES_PER_ELEMENT);
  writeHeader(bytes, [form, codes.length, entries, size], base);
  new type(bytes.buffer, at, codes.length).set(codes);
  return { bytes, dictionary: HEADER };
}

/** The commonest code, and the rows that have another with theirs. */
interface Differing {
  common: number;
  rows: Uint32Array;
  codes: Uint32Array;
}

function beginSparse(
  form: number,
  { common, rows: differing, codes }: Differing,
  rows: number,
  entries: number,
  size: number,
) {
  const at = HEADER + padded(size);
  const type = codesFor(entries);
  const arePairs = areFew(differing.length, rows);
  const places = arePairs ? new Uint32Array([differing.length, ...differing]) : bitsOf(differing, rows);
  const bytes = new Uint8Array(at + padded(places.byteLength) + codes.length * type.BYTES_PER_ELEMENT);
  writeHeader(bytes, [form + (arePairs ? PAIRS : SPARSE), rows, entries, size], common);
  new Uint32Array(bytes.buffer, at, places.length).set(places);
  new type(bytes.buffer, at + padded(places.byteLength), codes.length).set(codes);
  return { bytes, dictionary: HEADER };
}

function writeHeader(bytes: Uint8Array<ArrayBuffer>, header: readonly number[], base: number): void {
  new Int32Array(bytes.buffer, 0, 4).set(header);
  new Float64Array(bytes.buffer, 16, 1)[0] = base;
}

function bitsOf(places: Uint32Array, rows: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(rows / 32));
  for (const row of places) bits[row >> 5] = (bits[row >> 5] as number) | (1 << (row & 31));
  return bits;
}

function typeOf(form: number, entries: number) {
  if (form === forms.values) return Float64Array;
  if (form === forms.offsets) return Uint32Array;
  return form === forms.shorts ? Uint16Array : codesFor(entries);
}

/** Null: too many rows have another code than the commonest. */
function sparselyOf(codes: Uint32Array, entries: number): Differing | null {
  const counts = new Uint32Array(entries);
  for (let row = 0; row < codes.length; row++)
    counts[codes[row] as number] = (counts[codes[row] as number] as number) + 1;
  let common = 0;
  for (let entry = 1; entry < entries; entry++)
    if ((counts[entry] as number) > (counts[common] as number)) common = entry;
  const count = codes.length - (counts[common] as number);
  if (count * SPARSE_SHARE > codes.length || codes.length < MIN_SPARSE_ROWS) return null;
  const rows = new Uint32Array(count);
  const others = new Uint32Array(count);
  let next = 0;
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code === common) continue;
    rows[next] = row;
    others[next++] = code;
  }
  return { common, rows, codes: others };
}

function padded(size: number): number {
  return Math.ceil(size / 8) * 8;
}
