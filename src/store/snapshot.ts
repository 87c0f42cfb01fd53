/**
 * Reading much at once: several statements that see the database at one moment, and results by COPY in PostgreSQL's binary form,
 * which the driver's own decoding (of texts) would spoil.
 */
import type { Knex } from 'knex';
import { type ClientBase, type Connection, escapeLiteral, type Submittable } from 'pg';
import type { AppError } from '#src/kit/errors.ts';
import { CopiedStream, type TakeRow } from './copied-stream.ts';
import { asAppError } from './db.ts';
import { unlessFrozen } from './frozen.ts';
import { query, type Sql, sql } from './sql.ts';

/** A knex connection that is not to be used again is marked so. */
type PooledClient = ClientBase & { __knex__disposed?: unknown };

/**
 * Runs `work` on one connection of the screens' pool, in a transaction that reads one snapshot.
 * @throws AppError as `asAppError` makes it
 */
export async function readSnapshot<Result>(db: Knex, work: (client: ClientBase) => Promise<Result>): Promise<Result> {
  const client = await acquire(db);
  const transaction = async () => {
    await client.query(BEGIN);
    const result = await work(client);
    await client.query('commit');
    return result;
  };
  try {
    const result = await unlessFrozen(db, transaction());
    await db.client.releaseConnection(client);
    return result;
  } catch (error) {
    const failure = asAppError(error);
    await giveBack(db, client, failure);
    throw failure;
  }
}

/** Another connection that sees what a snapshot's sees. */
export interface SecondReader {
  client: ClientBase;
  /** Never rejects. */
  end(): Promise<void>;
}

/**
 * A second connection for a snapshot, to read two things at once; null when there is none to spare. It must have ended before the
 * snapshot's own does.
 * @param client the snapshot's
 * @throws whatever spoils the snapshot's own connection
 */
export async function openSecondReader(db: Knex, client: ClientBase): Promise<SecondReader | null> {
  const pool: Tarn = db.client.pool;
  if (pool.numUsed() + pool.numPendingAcquires() + KEPT_FOR_OTHERS >= pool.max) return null;
  const [exported] = await query<{ name: string }>(client, sql`select pg_export_snapshot() as name`);
  const other = await acquire(db).catch(() => null);
  if (other === null) return null; // PostgreSQL has its own limit
  try {
    await other.query(BEGIN);
    await other.query(`set transaction snapshot ${escapeLiteral(exported?.name ?? '')}`);
  } catch (error) {
    await giveBack(db, other, asAppError(error));
    return null;
  }
  return { client: inTurn(other), end: () => giveBack(db, other, null) };
}

const BEGIN = 'begin transaction isolation level repeatable read read only';

/** Connections of the pool that a second one is not taken from. */
const KEPT_FOR_OTHERS = 4;

/** What is asked of knex's pool. */
interface Tarn {
  max: number;
  numUsed(): number;
  numPendingAcquires(): number;
}

async function acquire(db: Knex): Promise<PooledClient> {
  try {
    return (await db.client.acquireConnection()) as PooledClient;
  } catch (error) {
    throw asAppError(error);
  }
}

/** Ends the transaction, which changed nothing. @param failure why, null when all went well */
async function giveBack(db: Knex, client: PooledClient, failure: AppError | null): Promise<void> {
  // A connection on which nothing comes back any more would not answer a rollback either.
  const isRolledBack = failure?.code !== 'unavailable' && (await client.query('rollback').then(isDone, isNotDone));
  if (!isRolledBack) client.__knex__disposed = failure ?? true;
  await db.client.releaseConnection(client);
}

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;

/** Of connections that several ask at once, how to be the only one. */
const turns = new WeakMap<ClientBase, <Result>(work: () => Promise<Result>) => Promise<Result>>();

/**
 * Has the connection to itself when all that was asked before has been answered: what is to be asked can be decided then.
 * @param work is given the connection to ask on
 */
export function takeTurn<Result>(client: ClientBase, work: (own: ClientBase) => Promise<Result>): Promise<Result> {
  const take = turns.get(client);
  return take === undefined ? work(client) : take(() => work(Object.getPrototypeOf(client) as ClientBase));
}

/** The same connection, for statements that several ask at once: each is sent when the one before has been answered. */
export function inTurn(client: ClientBase): ClientBase {
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (asked: string | object, ...values: unknown[]) => {
    const send = client.query.bind(client) as (...input: unknown[]) => unknown;
    const answer = last.then(() => {
      if (!isCopy(asked)) return send(asked, ...values);
      const { promise, resolve } = Promise.withResolvers<void>();
      const told = asked.callback;
      asked.callback = (...said) => {
        resolve();
        told(...said);
      };
      send(asked);
      return promise;
    });
    last = answer.then(isDone, isNotDone);
    return isCopy(asked) ? asked : answer;
  };
  const shared = Object.assign(Object.create(client) as ClientBase, { query: inOrder });
  turns.set(shared, (work) => {
    const done = last.then(work);
    last = done.then(isDone, isNotDone);
    return done;
  });
  return shared;
}

function isCopy(asked: string | object): asked is { callback: CopyOut['callback'] } {
  return asked instanceof CopyOut || asked instanceof CopyInto;
}

/** The whole result of a query in COPY's binary format. Values are written into the text, since COPY takes no parameters. */
export async function copyOut(client: ClientBase, fragment: Sql): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = await copyOutPieces(client, fragment);
  return pieces.length === 1 ? (pieces[0] as Uint8Array<ArrayBuffer>) : Buffer.concat(pieces);
}

/** The same in pieces, each in memory of its own, at least one: putting many megabytes together is for a thread that has the time. */
export function copyOutPieces(client: ClientBase, fragment: Sql): Promise<Uint8Array<ArrayBuffer>[]> {
  return new Promise((resolve, reject) => {
    const text = `copy (${inline(fragment)}) to stdout (format binary)`;
    client.query(
      new CopyOut(text, (error, pieces) => (error ? reject(error) : resolve(pieces as Uint8Array<ArrayBuffer>[]))),
    );
  });
}

/**
 * The same, row by row, with the last field of each straight to where it is wanted. What `take` throws is thrown when all have come.
 * @param shortFields how many come before the last one, 4 kB in all at most
 */
export function copyOutInto(client: ClientBase, fragment: Sql, shortFields: number, take: TakeRow): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = `copy (${inline(fragment)}) to stdout (format binary)`;
    client.query(
      new CopyInto(text, shortFields, take, (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  });
}

/** As `CopyOut`, with the stream of the connection taken over while rows come. */
class CopyInto implements Submittable {
  private readonly text: string;
  private readonly shortFields: number;
  private readonly take: TakeRow;
  private copied: CopiedStream | null = null;
  /** The driver puts its time limit around this. */
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
/** ... it is as large as this: getting more at once from the system takes the main thread some ms. */
const LARGEST_PIECE = 1_048_576;

/** Takes the rows as they come. The package's stream does not end the driver's time limit, which then breaks what comes after. */
class CopyOut implements Submittable {
  private readonly text: string;
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  private piece = new Uint8Array(FIRST_PIECE);
  private length = 0;
  /** The driver puts its time limit around this. */
  callback: (error: Error | null, pieces?: Uint8Array<ArrayBuffer>[]) => void;

  constructor(text: string, callback: CopyOut['callback']) {
    this.text = text;
    this.callback = callback;
  }

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  /** The chunk is the driver's own, and overwritten by the next one. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    let left = chunk;
    for (let room = this.piece.length - this.length; left.length > room; room = this.piece.length) {
      this.piece.set(left.subarray(0, room), this.length);
      left = left.subarray(room);
      this.full.push(this.piece);
      this.piece = new Uint8Array(Math.min(this.piece.length * 2, LARGEST_PIECE));
      this.length = 0;
    }
    this.piece.set(left, this.length);
    this.length += left.length;
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null, [...this.full, this.piece.subarray(0, this.length)]);
  }

  handleCommandComplete(): void {
    // Ready follows.
  }
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
