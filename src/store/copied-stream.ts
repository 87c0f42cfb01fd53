/**
 * Parses COPY messages from the connection's bytes: the driver would copy each message first, which
 * for large values takes as long as receiving them. Everything but rows is passed to the driver. Pure, except for the stream's listeners.
 */
import type { EventEmitter } from 'node:events';

/** The message that holds a row, and how long the beginning of each message is: its kind, and its length without that. */
const COPY_DATA = 0x64;
const HEADER = 5;
/** Signature, flags and the length of what follows them, which is nothing: before the first row. */
const COPY_HEADER = 19;
/** Number of fields; below zero at the end. */
const FIELDS = 2;

/**
 * Provides the buffer for the last field of a row, which may be long; the fields before it are short.
 * @param fields the short fields, each with a length prefix
 * @param length of the last field, bytes; negative: null
 * @returns a buffer of that length; unused for null
 */
export type TakeRow = (fields: Buffer, length: number) => Uint8Array;

type Listener = (piece: Buffer) => void;

/** Reads rows from a stream until it is released; what the driver listened with gets all other messages. */
export class CopiedStream {
  private readonly stream: EventEmitter;
  private readonly drivers: Listener[];
  private readonly take: TakeRow;
  private readonly shortFields: number;
  private readonly own: Listener = (piece) => this.read(piece);
  private readonly header = Buffer.alloc(HEADER);
  private headed = 0;
  /** Bytes of the message that are still to come. */
  private left = 0;
  private isRow = false;
  private isFirst = true;
  /** Start of a row, until the buffer of the last field is known. */
  private readonly begin = Buffer.alloc(4096);
  private begun = 0;
  private into: Uint8Array | null = null;
  private at = 0;
  private isOver = false;
  private isReading = false;
  private isGivenBack = false;
  /** The error of `take`: the rest is skipped. */
  failure: Error | null = null;

  /** @param shortFields how many fields come before the last one */
  constructor(stream: EventEmitter, shortFields: number, take: TakeRow) {
    this.stream = stream;
    this.shortFields = shortFields;
    this.take = take;
    this.drivers = stream.listeners('data') as Listener[];
    stream.on('data', this.own);
    for (const listener of this.drivers) stream.off('data', listener);
  }

  /** Gives the stream back to the driver, when the message that is under way has been read. */
  release(): void {
    this.isOver = true;
    if (!this.isReading && this.isBetween) this.giveBack();
  }

  private get isBetween(): boolean {
    return this.left === 0 && this.headed === 0;
  }

  private giveBack(): void {
    if (this.isGivenBack) return;
    this.isGivenBack = true;
    for (const listener of this.drivers) this.stream.on('data', listener);
    this.stream.off('data', this.own);
  }

  private read(piece: Buffer): void {
    this.isReading = true;
    let at = 0;
    try {
      while (at < piece.length && !(this.isOver && this.isBetween)) at = this.readPart(piece, at);
    } finally {
      this.isReading = false;
    }
    if (!this.isOver || !this.isBetween) return;
    this.giveBack();
    if (at < piece.length) this.pass(piece.subarray(at));
  }

  /** A header, and what there is of its message. @returns where it goes on */
  private readPart(piece: Buffer, at: number): number {
    const from = this.left === 0 ? this.readHeader(piece, at) : at;
    const end = Math.min(from + this.left, piece.length);
    if (end === from) return end;
    const part = piece.subarray(from, end);
    this.left -= part.length;
    if (this.isRow) this.readRow(part);
    else this.pass(part);
    return end;
  }

  /** @returns where the message goes on */
  private readHeader(piece: Buffer, at: number): number {
    const taken = Math.min(HEADER - this.headed, piece.length - at);
    piece.copy(this.header, this.headed, at, at + taken);
    this.headed += taken;
    if (this.headed < HEADER) return at + taken;
    this.headed = 0;
    this.left = this.header.readInt32BE(1) - 4;
    this.isRow = this.header[0] === COPY_DATA;
    this.begun = 0;
    this.into = null;
    if (!this.isRow) this.pass(Buffer.from(this.header));
    return at + taken;
  }

  private pass(part: Buffer): void {
    for (const listener of this.drivers) listener(part);
  }

  private readRow(part: Buffer): void {
    let { into } = this;
    let from = 0;
    if (into === null && this.failure === null) {
      from = Math.min(this.begin.length - this.begun, part.length);
      part.copy(this.begin, this.begun, 0, from);
      this.begun += from;
      const beyond = this.tryBegin();
      into = this.into;
      if (into !== null) {
        into.set(this.begin.subarray(beyond, this.begun));
        this.at = this.begun - beyond;
      }
    }
    if (into !== null && from < part.length) {
      into.set(from === 0 ? part : part.subarray(from), this.at);
      this.at += part.length - from;
    }
    if (this.left === 0) this.isFirst = false;
  }

  /** Requests the last field's buffer once all fields before it have arrived. @returns the offset of the last field */
  private tryBegin(): number {
    const { begin, begun } = this;
    const first = this.isFirst ? COPY_HEADER : 0;
    let at = first + FIELDS;
    if (begun < at || begin.readInt16BE(first) < 0) return 0;
    for (let field = 0; field < this.shortFields; field++) {
      if (begun < at + 4) return 0;
      at += 4 + Math.max(begin.readInt32BE(at), 0);
    }
    if (begun < at + 4) return 0;
    const length = begin.readInt32BE(at);
    try {
      this.into = this.take(begin.subarray(first + FIELDS, at), length);
    } catch (error) {
      this.failure = error as Error;
    }
    return at + 4;
  }
}
