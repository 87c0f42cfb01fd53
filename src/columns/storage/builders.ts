/** Columns being gathered row by row; each gives its bytes at the end. Pure. */
import type { JsonValue } from '#src/kit/json.ts';
import { writeNumbers, writePlain, writeProperty } from './format.ts';

/** Numbers by dictionary, 0 for "none". */
export class NumberBuilder {
  private codes = new Uint32Array(1024);
  private readonly known = new Map<number, number>();
  private readonly numbers: number[] = [];
  private rows = 0;
  private lastValue = Number.NaN;
  private lastCode = 0;

  add(value: number): void {
    if (value !== this.lastValue) {
      let code = this.known.get(value);
      if (code === undefined) {
        code = this.numbers.length;
        this.numbers.push(value);
        this.known.set(value, code);
      }
      this.lastValue = value;
      this.lastCode = code;
    }
    if (this.rows === this.codes.length) this.codes = grown(this.codes, Uint32Array);
    this.codes[this.rows++] = this.lastCode;
  }

  /** Null for a column of nothing but 0: it need not be there. */
  finish(): Uint8Array<ArrayBuffer> | null {
    if (this.numbers.length === 1 && this.numbers[0] === 0) return null;
    return writeNumbers(this.numbers, this.codes.subarray(0, this.rows));
  }
}

/** Plain numbers: times, lengths, ids. */
export class PlainBuilder {
  private values = new Float64Array(1024);
  private rows = 0;

  add(value: number): void {
    if (this.rows === this.values.length) this.values = grown(this.values, Float64Array);
    this.values[this.rows++] = value;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return writePlain(this.values.subarray(0, this.rows));
  }
}

/** A dictionary may take this much and so much for each row: beyond, its column would be larger than the rows. */
const FREE_BYTES = 65_536;
const BYTES_PER_ROW = 12;

/** A property; rows that lack it are not told. */
export class PropertyBuilder {
  private codes = new Uint32Array(64);
  private readonly known = new Map<JsonValue, number>();
  private readonly values: JsonValue[] = [];
  private rows = 0;
  private bytes = 0;
  /** Rows that have it. */
  count = 0;

  add(row: number, value: JsonValue): void {
    while (row >= this.codes.length) this.codes = grown(this.codes, Uint32Array);
    // Objects are the same when they are written the same.
    const key = typeof value === 'object' && value !== null ? `\0${JSON.stringify(value)}` : value;
    let code = this.known.get(key);
    if (code === undefined) {
      this.values.push(value);
      code = this.values.length;
      this.known.set(key, code);
      this.bytes += typeof key === 'string' ? key.length + 3 : 8;
    }
    this.codes[row] = code;
    this.rows = row + 1;
    this.count++;
  }

  /** Hardly two rows say the same. */
  get isTooVaried(): boolean {
    return this.bytes > FREE_BYTES + BYTES_PER_ROW * this.rows;
  }

  /** @param rows of the chunk */
  finish(rows: number): Uint8Array<ArrayBuffer> {
    while (rows > this.codes.length) this.codes = grown(this.codes, Uint32Array);
    return writeProperty(this.values, this.codes.subarray(0, rows));
  }
}

function grown<Codes extends Uint32Array | Float64Array>(codes: Codes, type: new (length: number) => Codes): Codes {
  const larger = new type(codes.length * 2);
  larger.set(codes);
  return larger;
}
