/** Results by COPY in PostgreSQL's binary form, which the driver's own decoding (of texts) would spoil. */
import { type ClientBase, type Connection, escapeLiteral, type Submittable } from 'pg';
import { CopiedStream, type TakeRow } from './copied-stream.ts';
import type { Sql } from './sql.ts';

type Piece = Uint8Array<ArrayBuffer>;

/** The whole result of a query in COPY's binary format. Values are written into the text, since COPY takes no parameters. */
export async function copyOut(client: ClientBase, fragment: Sql): Promise<Piece> {
  const pieces = await copyOutPieces(client, fragment);
  return pieces.length === 1 ? (pieces[0] as Piece) : Buffer.concat(pieces);
}

/** The same as separate chunks, at least one: concatenating many megabytes is left to a worker thread. */
export function copyOutPieces(client: ClientBase, fragment: Sql): Promise<Piece[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyOut(textOf(fragment), (error, pieces) => (error ? reject(error) : resolve(pieces as Piece[]))),
    );
  });
}

/** Receives complete rows in separate chunks. The first starts with COPY's header, the last ends with its trailer. */
export type TakeStep = (pieces: Piece[], isLast: boolean) => Promise<void>;

/** Bytes of a step, besides its last row. */
const STEP_BYTES = 2 * 1024 * 1024;
/** Steps that wait for `take` before the connection is not read any further. */
const MAX_STEPS_WAITING = 2;

/**
 * The same in steps with backpressure, so that memory does not grow with the result.
 * An error of `take` is thrown after all rows have arrived; later rows are skipped.
 * @param stepBytes instead of `STEP_BYTES`
 */
export function copyOutSteps(client: ClientBase, fragment: Sql, take: TakeStep, stepBytes = STEP_BYTES): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyOutSteps(textOf(fragment), take, stepBytes, (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  });
}

/**
 * The same, row by row, with the last field of each straight to where it is wanted. What `take` throws is thrown when all have come.
 * @param shortFields how many come before the last one, 4 kB in all at most
 */
export function copyOutInto(client: ClientBase, fragment: Sql, shortFields: number, take: TakeRow): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyInto(textOf(fragment), shortFields, take, (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  });
}

/** True for these queries; the driver wraps their `callback` with its timeout. */
export function isCopyOut(asked: string | object): asked is { callback: CopyOut['callback'] } {
  return asked instanceof CopyOut || asked instanceof CopyOutSteps || asked instanceof CopyInto;
}

/** As `CopyOut`, reading the connection's stream directly while rows arrive. */
class CopyInto implements Submittable {
  private readonly text: string;
  private readonly shortFields: number;
  private readonly take: TakeRow;
  private copied: CopiedStream | null = null;
  callback: (error: Error | null) => void;

  constructor(text: string, shortFields: number, take: TakeRow, callback: CopyInto['callback']) {
    this.text = text;
    this.shortFields = shortFields;
    this.take = take;
    this.callback = callback;
  }

  submit(connection: Connection): void {
    this.copied = new CopiedStream(connection.stream, this.shortFields, this.take);
    connection.query(this.text);
  }

  handleError(error: Error): void {
    this.copied?.release();
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.copied?.release();
    this.callback(this.copied?.failure ?? null);
  }

  handleCommandComplete(): void {
    // Ready follows.
  }
}

/** Bytes of the first piece of what is copied; each is twice as large as the one before, until ... */
const FIRST_PIECE = 16_384;
/** … it has this size: larger allocations block the main thread for some ms. */
const LARGEST_PIECE = 1_048_576;

/** Messages put together in pieces. */
class Pieces {
  private full: Piece[] = [];
  private piece: Piece | null = null;
  private used = 0;
  private size = FIRST_PIECE;
  /** Bytes in all. */
  length = 0;

  /** Copies the message: it is the driver's own, and overwritten by the next one. */
  add(message: Uint8Array): void {
    this.length += message.length;
    let left = message;
    for (;;) {
      this.piece ??= new Uint8Array(this.size);
      const room = this.piece.length - this.used;
      const part = left.subarray(0, room);
      this.piece.set(part, this.used);
      this.used += part.length;
      if (left.length <= room) return;
      left = left.subarray(room);
      this.full.push(this.piece);
      this.size = Math.min(this.size * 2, LARGEST_PIECE);
      this.piece = null;
      this.used = 0;
    }
  }

  /** All chunks, at least one. */
  takeAll(): Piece[] {
    const all = [...this.full, (this.piece ?? new Uint8Array(0)).subarray(0, this.used)];
    this.full = [];
    this.piece = null;
    this.used = 0;
    this.length = 0;
    return all;
  }
}

/** Takes the rows as they come. The package's stream does not end the driver's time limit, which then breaks what comes after. */
class CopyOut implements Submittable {
  private readonly text: string;
  private readonly pieces = new Pieces();
  callback: (error: Error | null, pieces?: Piece[]) => void;

  constructor(text: string, callback: CopyOut['callback']) {
    this.text = text;
    this.callback = callback;
  }

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.pieces.add(chunk);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.pieces.takeAll());
  }

  handleCommandComplete(): void {
    // Ready follows.
  }
}

/** As `CopyOut`, in steps. Each message is a row. */
class CopyOutSteps implements Submittable {
  private readonly text: string;
  private readonly take: TakeStep;
  private readonly stepBytes: number;
  private readonly pieces = new Pieces();
  private stream: Connection['stream'] | null = null;
  private taking: Promise<void> = Promise.resolve();
  private waiting = 0;
  private failure: Error | null = null;
  callback: (error: Error | null) => void;

  constructor(text: string, take: TakeStep, stepBytes: number, callback: CopyOutSteps['callback']) {
    this.text = text;
    this.take = take;
    this.stepBytes = stepBytes;
    this.callback = callback;
  }

  submit(connection: Connection): void {
    this.stream = connection.stream;
    connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.failure !== null) return;
    this.pieces.add(chunk);
    if (this.pieces.length >= this.stepBytes) this.hand(false);
  }

  handleError(error: Error): void {
    this.failure ??= error;
    void this.taking.then(() => this.callback(error));
  }

  handleReadyForQuery(): void {
    if (this.failure === null) this.hand(true);
    void this.taking.then(() => this.callback(this.failure));
  }

  handleCommandComplete(): void {
    // Ready follows.
  }

  private hand(isLast: boolean): void {
    const step = this.pieces.takeAll();
    this.waiting++;
    // The connection may be another's by the time that the last step is taken.
    if (this.waiting >= MAX_STEPS_WAITING && !isLast) this.stream?.pause();
    this.taking = this.taking
      .then(() => (this.failure === null ? this.take(step, isLast) : undefined))
      .catch((error: Error) => {
        this.failure ??= error;
      })
      .then(() => {
        this.waiting--;
        if (!isLast) this.stream?.resume();
      });
  }
}

function textOf(fragment: Sql): string {
  return `copy (${inline(fragment)}) to stdout (format binary)`;
}

/** The text of a fragment with its values in it. */
function inline({ parts, values }: Sql): string {
  return parts.reduce((before, part, at) => `${before}${literal(values[at - 1])}${part}`);
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' && Number.isFinite(value)) return `(${value})`;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return escapeLiteral(value);
  if (Array.isArray(value)) return escapeLiteral(`{${value.map(element).join(',')}}`);
  throw new TypeError('a value that cannot be written into a statement');
}

function element(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  throw new TypeError('a list that cannot be written into a statement');
}
