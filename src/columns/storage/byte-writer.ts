/** Bytes written one after the other, in memory that grows. Numbers take a byte for each seven bits. Pure. */

const FIRST_SIZE = 256;
const MAX_VARINT = 5;
/** UTF-8 takes at most so many bytes for a character of JavaScript. */
const MAX_CHARACTER = 3;

export class ByteWriter {
  private memory = Buffer.allocUnsafe(FIRST_SIZE);
  length = 0;

  /** A number of 32 bits. */
  uint32(value: number): void {
    this.reserve(4);
    this.length = this.memory.writeUInt32LE(value, this.length);
  }

  /** A number of up to 32 bits, in one to five bytes. */
  varint(value: number): void {
    this.reserve(MAX_VARINT);
    let rest = value;
    while (rest >= 0x80) {
      this.memory[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.memory[this.length++] = rest;
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.memory.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** A text after the number of its bytes. */
  text(text: string): void {
    this.reserve(MAX_VARINT + text.length * MAX_CHARACTER);
    this.varint(Buffer.byteLength(text));
    this.length += this.memory.write(text, this.length);
  }

  /** The written bytes, without a copy: valid until the next write. */
  written(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  /** Resets the writer and keeps its memory. */
  clear(): void {
    this.length = 0;
  }

  /** A copy of what was written. */
  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.written());
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.memory.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.memory.length * 2, this.length + bytes));
    this.memory.copy(larger, 0, 0, this.length);
    this.memory = larger;
  }
}

/** Reads what was written. @param bytes in memory of one thread: text cannot be read from memory that threads share */
export class ByteReader {
  private readonly memory: Buffer;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.memory = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.memory.length;
  }

  uint32(): number {
    this.at += 4;
    return this.memory.readUInt32LE(this.at - 4);
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.memory[this.at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  /** So many bytes, in place. */
  bytes(length: number): Buffer {
    this.at += length;
    return this.memory.subarray(this.at - length, this.at);
  }

  /** Passes over a text. */
  skip(): void {
    const length = this.varint();
    this.at += length;
  }

  text(): string {
    return this.bytes(this.varint()).toString();
  }
}
