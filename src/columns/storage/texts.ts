/**
 * Dictionaries with many entries, searched by hash, so that a look-up reads no other texts, and entries of several chunks are
 * compared by hash. Entries are sorted by hash: first halves of the hashes (uint32), second halves,
 * end offsets of the texts (uint32, doubled, plus 1 for JSON), then the texts in UTF-8. Stored: never change it. Pure.
 */
import type { JsonValue } from '#src/kit/json.ts';

/** Dictionaries with fewer entries are read as a whole sooner than looked up. */
export const MANY_TEXTS = 4_096;
/** Bytes of an entry besides its text. */
const ENTRY_BYTES = 12;

type Bytes = Uint8Array<ArrayBuffer> | Uint8Array<SharedArrayBuffer>;

/** Entry 0 of the dictionary means "missing"; the entries here start with 1. */
export interface Texts {
  /** Ascending. */
  first: Uint32Array;
  second: Uint32Array;
  ends: Uint32Array;
  text: Bytes;
}

/** Two independent halves of 32 bits. */
export function hashesOfText(text: string): [first: number, second: number] {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  const mixedOne = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  const mixedOther =
    Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(mixedOne ^ (mixedOne >>> 13), 0xc2b2ae35);
  return [mixedOne >>> 0, mixedOther >>> 0];
}

/** @param values each as JSON @returns the dictionary, and for each code (0 is "not there") the one that it has in it */
export function writeTexts(values: readonly string[]): { bytes: Uint8Array<ArrayBuffer>; codes: Uint32Array } {
  const texts = values.map((json) => (isText(json) ? (JSON.parse(json) as string) : json));
  const hashes = texts.map(hashesOfText);
  const order = orderOf(hashes);
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const bytes = new Uint8Array(values.length * ENTRY_BYTES + length);
  const { first, second, ends, text } = textsIn(bytes, values.length);
  const target = Buffer.from(text.buffer as ArrayBuffer, text.byteOffset, text.byteLength);
  const codes = new Uint32Array(values.length + 1);
  let end = 0;
  for (let entry = 0; entry < order.length; entry++) {
    const value = order[entry] as number;
    [first[entry], second[entry]] = hashes[value] as [number, number];
    end += target.write(texts[value] as string, end);
    ends[entry] = end * 2 + (isText(values[value] as string) ? 0 : 1);
    codes[value + 1] = entry + 1;
  }
  return { bytes, codes };
}

function isText(json: string): boolean {
  return json.startsWith('"');
}

/** Numbers of the values, by the first halves of their hashes. */
function orderOf(hashes: readonly [number, number][]): Uint32Array {
  const keys = new BigUint64Array(hashes.length);
  const halves = new Uint32Array(keys.buffer);
  for (let at = 0; at < hashes.length; at++) {
    halves[at * 2] = at;
    halves[at * 2 + 1] = (hashes[at] as [number, number])[0];
  }
  keys.sort();
  return Uint32Array.from({ length: hashes.length }, (_, at) => halves[at * 2] as number);
}

/** @param bytes of the dictionary, which begin at a multiple of four in their buffer */
export function textsIn({ buffer, byteOffset, byteLength }: Bytes, entries: number): Texts {
  const list = (place: number) => new Uint32Array(buffer, byteOffset + place * entries * 4, entries);
  const at = entries * ENTRY_BYTES;
  return {
    first: list(0),
    second: list(1),
    ends: list(2),
    text: new Uint8Array(buffer as ArrayBuffer, byteOffset + at, byteLength - at),
  };
}

/** Codes of the entries with this text: there may be one that is a text and one that is not. */
export function codesOfText(texts: Texts, wanted: string): number[] {
  const [first, second] = hashesOfText(wanted);
  const found: number[] = [];
  for (let entry = firstNotBelow(texts.first, first); texts.first[entry] === first; entry++)
    if (texts.second[entry] === second && textAt(texts, entry + 1) === wanted) found.push(entry + 1);
  return found;
}

/** The first entry with an equal or greater hash. */
export function firstNotBelow(hashes: Uint32Array, hash: number): number {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text of an entry, by its code. */
export function textAt(texts: Texts, code: number): string {
  return decoder.decode(textBytesAt(texts, code));
}

/** A copy of its bytes: text cannot be read from memory that threads share. */
export function textBytesAt({ ends, text }: Texts, code: number): Uint8Array {
  const begin = code === 1 ? 0 : (ends[code - 2] as number) >>> 1;
  return text.slice(begin, (ends[code - 1] as number) >>> 1);
}

/** The value of an entry, by its code. */
export function valueAt(texts: Texts, code: number): JsonValue {
  const text = textAt(texts, code);
  return ((texts.ends[code - 1] as number) & 1) === 1 ? (JSON.parse(text) as JsonValue) : text;
}

/** All of them; undefined for "not there". */
export function allValues(texts: Texts): (JsonValue | undefined)[] {
  const values: (JsonValue | undefined)[] = [undefined];
  for (let code = 1; code <= texts.ends.length; code++) values.push(valueAt(texts, code));
  return values;
}

const decoder = new TextDecoder();
