/** Consistent reads: several statements in one snapshot, on one connection or two. */
import type { Knex } from 'knex';
import { type ClientBase, escapeLiteral } from 'pg';
import { Cancelled } from '#src/kit/cancelled.ts';
import { AppError } from '#src/kit/errors.ts';
import { readCancellably } from './cancel-read.ts';
import { isCopyOut } from './copy-out.ts';
import { asAppError } from './db.ts';
import { unlessFrozen } from './frozen.ts';
import { query, sql } from './sql.ts';

/** A knex connection that is not to be used again is marked so. */
type PooledClient = ClientBase & { __knex__disposed?: unknown };

/** Of a connection in a transaction whose reads may be cancelled. */
interface Ending {
  db: Knex;
  signal: AbortSignal;
  /** Asked for once. */
  backend: Promise<number> | null;
}

const endings = new WeakMap<ClientBase, Ending>();

/**
 * Runs `work` on one connection of the screens' pool, in a transaction that reads one snapshot.
 * @param signal fires when nobody waits for the result any more: see `readUntilEnd`
 * @throws AppError as `asAppError` makes it; Cancelled
 */
export async function readSnapshot<Result>(
  db: Knex,
  work: (client: ClientBase) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  if (signal?.aborted) throw new Cancelled();
  const client = await acquire(db);
  /** The work has given up by itself, such as on events that are not here: its connection is as good as before. */
  let isRefused = false;
  const transaction = async () => {
    await client.query(BEGIN);
    if (signal !== undefined) endings.set(client, { db, signal, backend: null });
    const result = await work(client).catch((error: unknown) => {
      isRefused = error instanceof AppError && error.cause === undefined;
      throw error;
    });
    endings.delete(client);
    await client.query('commit');
    return result;
  };
  try {
    const result = await unlessFrozen(db, transaction());
    await db.client.releaseConnection(client);
    return result;
  } catch (error) {
    const failure = asAppError(error);
    endings.delete(client);
    await giveBack(db, client, isRefused ? null : failure);
    throw failure;
  }
}

/**
 * Reads rows in a snapshot for those alone who wait for it: once its signal has fired, the statement is cancelled, and no other begins. The read gets the
 * connection to itself. Without a signal it goes to its end.
 * @throws Cancelled
 */
export function readUntilEnd<Result>(client: ClientBase, read: (own: ClientBase) => Promise<Result>): Promise<Result> {
  return takeTurn(client, async (own) => {
    const ending = endings.get(own);
    if (ending === undefined) return read(own);
    const { db, signal } = ending;
    if (signal.aborted) throw new Cancelled();
    ending.backend ??= backendOf(own);
    return readCancellably(own, { db, signal, backend: await ending.backend }, read);
  });
}

async function backendOf(client: ClientBase): Promise<number> {
  const [row] = await query<{ pid: number }>(client, sql`select pg_backend_pid() as pid`);
  return (row as { pid: number }).pid;
}

/** Another connection that sees what a snapshot's sees. */
export interface SecondReader {
  client: ClientBase;
  /** Never rejects. */
  end(): Promise<void>;
}

/**
 * A second connection in the same snapshot, for parallel reads; null when none is free. It must end before the
 * snapshot's own connection.
 * @param client the snapshot's connection
 * @throws errors that break the snapshot's own connection
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

/** The part of knex's pool that is used here. */
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

/** Rolls back the read-only transaction and releases the connection. @param failure null on success */
async function giveBack(db: Knex, client: PooledClient, failure: AppError | null): Promise<void> {
  // A connection on which nothing comes back any more would not answer a rollback either.
  const isRolledBack = failure?.code !== 'unavailable' && (await client.query('rollback').then(isDone, isNotDone));
  if (!isRolledBack) client.__knex__disposed = failure ?? true;
  await db.client.releaseConnection(client);
}

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;

/** Queues of connections that several callers share. */
const turns = new WeakMap<ClientBase, <Result>(work: () => Promise<Result>) => Promise<Result>>();

/**
 * Has the connection to itself when all that was asked before has been answered: what is to be asked can be decided then.
 * @param work is given the connection to ask on
 */
export function takeTurn<Result>(client: ClientBase, work: (own: ClientBase) => Promise<Result>): Promise<Result> {
  const take = turns.get(client);
  return take === undefined ? work(client) : take(() => takeTurn(Object.getPrototypeOf(client) as ClientBase, work));
}

/** The same connection for concurrent callers: each statement is sent after the previous response. */
export function inTurn(client: ClientBase): ClientBase {
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (asked: string | object, ...values: unknown[]) => {
    const send = client.query.bind(client) as (...input: unknown[]) => unknown;
    const answer = last.then(() => {
      if (!isCopyOut(asked)) return send(asked, ...values);
      const { promise, resolve } = Promise.withResolvers<void>();
      const callback = asked.callback;
      asked.callback = (...results) => {
        resolve();
        callback(...results);
      };
      send(asked);
      return promise;
    });
    last = answer.then(isDone, isNotDone);
    return isCopyOut(asked) ? asked : answer;
  };
  const shared = Object.assign(Object.create(client) as ClientBase, { query: inOrder });
  turns.set(shared, (work) => {
    const done = last.then(work);
    last = done.then(isDone, isNotDone);
    return done;
  });
  return shared;
}
