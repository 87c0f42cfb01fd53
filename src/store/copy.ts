/**
 * Bulk loading: rows in PostgreSQL's binary COPY format, sent in one go. No escaping here, no parsing of numbers and times there.
 * @see PostgreSQL manual, COPY, "Binary Format", and "Message Flow", "COPY Operations"
 */
import type { ClientBase, Connection, Submittable } from 'pg';
import { writeInt64, writeTime, writeUuid } from './binary.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const JSONB_VERSION = 1;

/** Rows being written down, one after the other. Each takes `row(columns)` and then one call per column. */
export class CopyRows {
  private bytes: Buffer;
  private at: number;
  /** Rows so far. */
  count = 0;

  constructor(sizeHint: number) {
    this.bytes = Buffer.allocUnsafe(Math.max(sizeHint, 1_024));
    this.at = 5; // type and length of the message that will carry all this
    this.at += SIGNATURE.copy(this.bytes, this.at);
    this.bytes.fill(0, this.at, this.at + 8); // no flags, no extension
    this.at += 8;
  }

  /** Starts a row, and reserves space for it except texts. */
  row(columns: number): void {
    this.count++;
    this.reserve(2 + columns * 20);
    this.at = this.bytes.writeInt16BE(columns, this.at);
  }

  int(value: number | null): void {
    if (value === null) {
      this.absent();
      return;
    }
    this.bytes.writeInt32BE(4, this.at);
    this.at = this.bytes.writeInt32BE(value, this.at + 4);
  }

  smallint(value: number): void {
    this.bytes.writeInt32BE(2, this.at);
    this.at = this.bytes.writeInt16BE(value, this.at + 4);
  }

  bigint(value: number | null): void {
    if (value === null) {
      this.absent();
      return;
    }
    this.bytes.writeInt32BE(8, this.at);
    writeInt64(this.bytes, value, this.at + 4);
    this.at += 12;
  }

  bool(value: boolean): void {
    this.bytes.writeInt32BE(1, this.at);
    this.at = this.bytes.writeUInt8(value ? 1 : 0, this.at + 4);
  }

  /** Milliseconds since 1970. */
  time(ms: number): void {
    this.bytes.writeInt32BE(8, this.at);
    writeTime(this.bytes, ms, this.at + 4);
    this.at += 12;
  }

  uuid(text: string | null): void {
    if (text === null) {
      this.absent();
      return;
    }
    this.bytes.writeInt32BE(16, this.at);
    writeUuid(this.bytes, text, this.at + 4);
    this.at += 20;
  }

  /** JSON text as jsonb. */
  json(text: string | null): void {
    if (text === null) {
      this.absent();
      return;
    }
    this.reserve(text.length * 3 + 5);
    const length = this.bytes.write(text, this.at + 5);
    this.bytes.writeInt32BE(length + 1, this.at);
    this.bytes.writeUInt8(JSONB_VERSION, this.at + 4);
    this.at += 5 + length;
  }

  absent(): void {
    this.at = this.bytes.writeInt32BE(-1, this.at);
  }

  /** The messages that follow the COPY statement, all of them. Nothing may be written after. */
  finish(): Buffer {
    this.reserve(2 + COPY_DONE.length);
    this.at = this.bytes.writeInt16BE(-1, this.at);
    this.bytes.writeUInt8(COPY_DATA, 0);
    this.bytes.writeInt32BE(this.at - 1, 1);
    this.at += COPY_DONE.copy(this.bytes, this.at);
    return this.bytes.subarray(0, this.at);
  }

  /** Room for this many bytes, and for one more row's worth of fixed columns after a text. */
  private reserve(size: number): void {
    if (this.at + size + SLACK <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + size + SLACK));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

const SLACK = 512;

/**
 * Loads rows. `text` is a `copy … from stdin (format binary)`; resolves when the server has taken them all.
 *
 * @param name keeps the statement prepared, where it goes in a message with others
 */
export function copyIn(client: ClientBase, text: string, rows: CopyRows, name?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(text, rows.finish(), (error) => (error ? reject(error) : resolve()), name));
  });
}

/**
 * Sends the statement and its data without waiting for the server to ask for them: it ignores the data should the statement
 * fail. One round trip, and the driver's time limit applies.
 */
export class CopyIn implements Submittable {
  readonly text: string;
  /** The name under which the statement is kept prepared. */
  readonly keptAs: string | undefined;
  /** Everything that follows the statement. */
  readonly messages: Buffer;
  /** The driver puts its time limit around this. */
  callback: (error: Error | null) => void;

  constructor(text: string, messages: Buffer, callback: (error: Error | null) => void, keptAs?: string) {
    this.text = text;
    this.keptAs = keptAs;
    this.messages = messages;
    this.callback = callback;
  }

  submit(connection: Connection): void {
    connection.query(this.text);
    connection.stream.write(this.messages);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleCopyInResponse(): void {
    // The data is on its way already.
  }

  handleCommandComplete(): void {
    // Ready follows.
  }
}
