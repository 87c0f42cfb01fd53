/** Reads rows in PostgreSQL's binary COPY format, field by field, in place. @see PostgreSQL manual, COPY, "Binary Format" */

const SIGNATURE_BYTES = 11;
/** Times are counted in microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** The fields of one row, or of several on end. */
export class CopiedFields {
  protected readonly view: DataView;
  protected at = 0;
  private readonly bytes: Uint8Array;
  /** Length of the field that is read next; below 0: null. */
  private length = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A boolean or whole number of any width; null is 0. */
  number(): number {
    const at = this.field();
    switch (this.length) {
      case 4:
        return this.view.getInt32(at);
      case 8:
        return this.view.getInt32(at) * 0x1_0000_0000 + this.view.getUint32(at + 4);
      case 2:
        return this.view.getInt16(at);
      case 1:
        return this.view.getUint8(at);
      default:
        return 0;
    }
  }

  /** A time in ms since 1970. */
  time(): number {
    return this.number() / 1000 + POSTGRES_EPOCH_MS;
  }

  /** The bytes of a value, in place; null is null. */
  raw(): Uint8Array | null {
    const at = this.field();
    return this.length < 0 ? null : this.bytes.subarray(at, at + this.length);
  }

  /** The text of a jsonb value, or of a text. @param skip bytes before it: one for jsonb */
  text(skip = 0): string | null {
    const bytes = this.raw();
    return bytes === null ? null : decoder.decode(bytes.subarray(skip));
  }

  /** The numbers of an int4[] without nulls; null is none. */
  numbers(): Int32Array {
    const at = this.field();
    const [dimensions, header] = [this.length < 0 ? 0 : this.view.getInt32(at), 20];
    const list = new Int32Array(dimensions === 0 ? 0 : this.view.getInt32(at + 12));
    for (let place = 0; place < list.length; place++) list[place] = this.view.getInt32(at + header + place * 8 + 4);
    return list;
  }

  private field(): number {
    this.length = this.view.getInt32(this.at);
    const at = this.at + 4;
    this.at = at + Math.max(this.length, 0);
    return at;
  }
}

/** A whole COPY, or whole rows of one. */
export class CopiedRows extends CopiedFields {
  /** @param hasHeader false: rows that follow others */
  constructor(bytes: Uint8Array, hasHeader = true) {
    super(bytes);
    if (!hasHeader) return;
    this.at = SIGNATURE_BYTES + 4;
    this.at += 4 + this.view.getInt32(this.at);
  }

  /** Goes to the next row; false after the last. Every field of a row has to be read. */
  next(): boolean {
    if (this.at >= this.view.byteLength) return false;
    const fields = this.view.getInt16(this.at);
    this.at += 2;
    return fields >= 0;
  }
}

const decoder = new TextDecoder();
