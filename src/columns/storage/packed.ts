/**
 * Rare properties of a chunk: too many for separate columns, they are packed into few columns by a hash of their names. Each packed
 * column is a list of sections: name, length of the rest, and for each row with the property the distance from
 * the previous row, and the value as JSON. Stored: never change it. Pure.
 */
import type { JsonValue } from '#src/kit/json.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { PropertyBuilder } from './property-builder.ts';

/** Before the number of a packed column. */
const PACKED = 'packed:';
/** Packed columns are about as large as this: one is read for each rare property that a query names. Bytes. */
const COLUMN_BYTES = 32_768;
/** At most 1,024 packed columns. */
const MAX_BITS = 10;

/** A row that has a property, and its value as JSON. */
export interface PackedRow {
  row: number;
  json: string;
}

/** Bits of the hash that divide sections with this total size. */
export function bitsFor(bytes: number): number {
  return Math.min(MAX_BITS, Math.max(0, Math.ceil(Math.log2(bytes / COLUMN_BYTES))));
}

/** FNV-1a of the bytes, mixed: the highest bits select a name's column. */
export function hashOf(name: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ (name[at] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The packed column of a property. @param bits of the chunk */
export function packedColumnOf(name: string, bits: number): string {
  return packedColumnAt(hashOf(Buffer.from(name)), bits);
}

export function packedColumnAt(hash: number, bits: number): string {
  return `${PACKED}${bits === 0 ? 0 : hash >>> (32 - bits)}`;
}

export function isPacked(column: string): boolean {
  return column.startsWith(PACKED);
}

/** Memory that is used again: there may be millions of sections. */
const section = new ByteWriter();

/** Adds a section. @param rows ascending */
export function writeSection(to: ByteWriter, name: Uint8Array, rows: Iterable<PackedRow>): void {
  section.clear();
  let last = 0;
  for (const { row, json } of rows) {
    section.varint(row - last);
    section.text(json);
    last = row;
  }
  to.varint(name.length);
  to.bytes(name);
  to.varint(section.length);
  to.bytes(section.written());
}

/** Extracts a property's column from a packed column; null: no row has it. @param rows of the chunk */
export function unpack(bytes: Uint8Array, name: string, rows: number): Uint8Array<ArrayBuffer> | null {
  const wanted = Buffer.from(name);
  const reader = new ByteReader(bytes);
  while (!reader.isAtEnd) {
    const found = reader.bytes(reader.varint());
    const length = reader.varint();
    if (found.equals(wanted)) return columnOf(reader, length, rows);
    reader.at += length;
  }
  return null;
}

/** The columns of all properties in a packed column. */
export function* unpackAll(
  bytes: Uint8Array,
  rows: number,
): Generator<[name: string, column: Uint8Array<ArrayBuffer>]> {
  const reader = new ByteReader(bytes);
  while (!reader.isAtEnd) {
    const name = reader.text();
    const length = reader.varint();
    yield [name, columnOf(reader, length, rows)];
  }
}

function columnOf(reader: ByteReader, length: number, rows: number): Uint8Array<ArrayBuffer> {
  const end = reader.at + length;
  const builder = new PropertyBuilder();
  let row = 0;
  while (reader.at < end) {
    row += reader.varint();
    builder.add(row, JSON.parse(reader.text()) as JsonValue);
  }
  return builder.finish(rows);
}
