/** The column of one property, gathered row by row. Pure. */
import type { JsonValue } from '#src/kit/json.ts';
import { grown } from './builders.ts';
import { areFew, writeProperty, writeRareProperty } from './format.ts';

/** Bytes of memory that a builder takes without rows, and that an entry of its dictionary takes besides its text. */
const EMPTY_BYTES = 700;
const ENTRY_BYTES = 64;
/** Marks the JSON of an object or list among the keys of a dictionary: stored texts never hold this character. */
const JSON_MARK = '\0';

/**
 * Memory grows with the rows that have the property, not with the rows of the chunk: a number and a code for each of those rows, and
 * only when they are more than half of all, a code for every row.
 */
export class PropertyBuilder {
  /** Code of each row from 1 on, 0 without a value; null: as pairs. */
  private dense: Uint32Array | null = null;
  private pairRows = new Uint32Array(4);
  private pairCodes = new Uint32Array(4);
  private readonly known = new Map<JsonValue, number>();
  private rows = 0;
  /** Rows that have it. */
  count = 0;
  /** Bytes that it takes while it is built, roughly. */
  memory = EMPTY_BYTES;

  add(row: number, value: JsonValue): void {
    const code = this.codeOf(value);
    this.rows = row + 1;
    if (this.dense === null && this.count >= this.pairRows.length) this.makeRoom();
    if (this.dense === null) {
      this.pairRows[this.count] = row;
      this.pairCodes[this.count] = code;
    } else {
      while (row >= this.dense.length) this.resize(grown(this.dense, Uint32Array));
      this.dense[row] = code;
    }
    this.count++;
  }

  /** The rows that have it, in order, with their values as JSON. */
  *entries(): Generator<{ row: number; json: string }> {
    const values = Array.from(this.known.keys(), jsonOf);
    const jsonAt = (code: number) => values[code - 1] as string;
    if (this.dense === null) {
      for (let at = 0; at < this.count; at++)
        yield { row: this.pairRows[at] as number, json: jsonAt(this.pairCodes[at] as number) };
      return;
    }
    for (let row = 0; row < this.rows; row++) {
      const code = this.dense[row] as number;
      if (code !== 0) yield { row, json: jsonAt(code) };
    }
  }

  /** @param rows of the chunk */
  finish(rows: number): Uint8Array<ArrayBuffer> {
    const values = Array.from(this.known.keys(), jsonOf);
    if (this.dense === null && areFew(this.count, rows)) {
      return writeRareProperty(values, rows, {
        rows: this.pairRows.subarray(0, this.count),
        codes: this.pairCodes.subarray(0, this.count),
      });
    }
    return writeProperty(values, this.dense === null ? this.spread(rows) : exactly(this.dense, rows));
  }

  private codeOf(value: JsonValue): number {
    const key = typeof value === 'object' && value !== null ? JSON_MARK + JSON.stringify(value) : value;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const code = this.known.size + 1;
    this.known.set(key, code);
    const length = typeof key === 'string' ? key.length : 0;
    this.memory += 2 * length + ENTRY_BYTES;
    return code;
  }

  /** Reserves space for one more row. */
  private makeRoom(): void {
    if (this.count * 2 > this.rows && this.count >= 64) {
      this.resize(this.spread(this.rows));
      return;
    }
    this.memory += this.pairRows.byteLength * 2;
    this.pairRows = grown(this.pairRows, Uint32Array);
    this.pairCodes = grown(this.pairCodes, Uint32Array);
  }

  private resize(dense: Uint32Array): void {
    this.memory += dense.byteLength - (this.dense ?? this.pairRows).byteLength * (this.dense === null ? 2 : 1);
    this.dense = dense;
    this.pairRows = NO_ROWS;
    this.pairCodes = NO_ROWS;
  }

  private spread(rows: number): Uint32Array {
    const codes = new Uint32Array(rows);
    for (let at = 0; at < this.count; at++) codes[this.pairRows[at] as number] = this.pairCodes[at] as number;
    return codes;
  }
}

const NO_ROWS = new Uint32Array(0);

function exactly(codes: Uint32Array, rows: number): Uint32Array {
  if (rows <= codes.length) return codes.subarray(0, rows);
  const all = new Uint32Array(rows);
  all.set(codes);
  return all;
}

function jsonOf(key: JsonValue): string {
  return typeof key === 'string' && key.startsWith(JSON_MARK) ? key.slice(JSON_MARK.length) : JSON.stringify(key);
}
