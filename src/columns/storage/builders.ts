/** Columns of numbers, gathered row by row; each gives its bytes at the end. Pure. */
import { writeNumbers, writePlain } from './format.ts';

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

/** A copy of twice the length. */
export function grown<Codes extends Uint32Array | Float64Array>(
  codes: Codes,
  type: new (length: number) => Codes,
): Codes {
  const larger = new type(codes.length * 2);
  larger.set(codes);
  return larger;
}
