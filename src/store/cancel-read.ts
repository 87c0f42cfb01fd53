/**
 * Ends a statement for whose rows nobody waits any more: another connection has PostgreSQL cancel what the backend is at. The connection of the
 * statement has to be left alone until PostgreSQL has answered that, so that a cancellation never meets what is asked on it later.
 */
import type { Knex } from 'knex';
import { Client, type ClientBase, type ClientConfig } from 'pg';
import { Cancelled } from '#src/kit/cancelled.ts';
import { createTurns } from '#src/kit/turns.ts';
import { sqlState } from './db.ts';

/** Time limit of the connection, and of the statement on it. Without an answer the statement goes on to its end. */
const ANSWER_MS = 2_000;

/** One at a time: each takes a connection beside those of the pool, all of which may be taken by what is to be cancelled. */
const turns = createTurns({ longMs: 2 * ANSWER_MS });

export interface Cancellable {
  db: Knex;
  /** Number of the server's process behind the connection, known only within a transaction where a pooler is between. */
  backend: number;
  signal: AbortSignal;
}

/**
 * Reads on a connection that is in a transaction, and on which nothing else is asked meanwhile. Settles once no cancellation is under way.
 * @throws Cancelled when the signal ended it, or had fired before
 */
export async function readCancellably<Result>(
  client: ClientBase,
  { db, backend, signal }: Cancellable,
  read: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw new Cancelled();
  let isOver = false;
  let cancelling: Promise<void> | null = null;
  const cancel = () => {
    cancelling = turns.take(() => (isOver ? Promise.resolve() : cancelBackend(db, backend)));
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await read(client);
  } catch (error) {
    throw signal.aborted && sqlState(error) === '57014' ? new Cancelled() : error;
  } finally {
    isOver = true;
    signal.removeEventListener('abort', cancel);
    await cancelling;
  }
}

/** Never rejects. */
async function cancelBackend(db: Knex, backend: number): Promise<void> {
  const client = new Client({
    ...(db.client.config.connection as ClientConfig),
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined); // connect and query reject with it
  try {
    await client.connect();
    await client.query('select pg_cancel_backend($1)', [backend]);
  } catch {
    // The statement ends by its own time limit.
  } finally {
    client.end().catch(() => undefined);
  }
}
