/**
 * A server that stopped answering without closing anything (a frozen machine, a lost route) holds each question until its time
 * limit, 10 s and more. Readers of a screen should know sooner: a query that takes long is given up when a fresh
 * connection gets no answer either. One that is merely slow goes on.
 */
import type { Knex } from 'knex';
import { Client, type ClientConfig } from 'pg';
import { unavailable } from '#src/kit/errors.ts';
import { sqlState } from './db.ts';

const PATIENCE_MS = 2000;
const PROBE_MS = 2000;

/** One probe at a time and pool, however many questions wait. */
const probes = new WeakMap<object, Promise<boolean>>();

/** The answer of `work`. @throws unavailable, within some 4 s, when the server does not answer at all */
export async function unlessFrozen<Result>(db: Knex, work: PromiseLike<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const frozen = new Promise<never>((_, reject) => {
    const look = async () => {
      const isAlive = await probe(db);
      if (isOver) return;
      if (isAlive) timer = setTimeout(look, PATIENCE_MS);
      else reject(unavailable('Database unavailable. Try again in a moment.'));
    };
    timer = setTimeout(look, PATIENCE_MS);
  });
  const answer = Promise.resolve(work);
  answer.catch(() => undefined); // what an abandoned question comes to is of no interest any more
  try {
    return await Promise.race([answer, frozen]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

function probe(db: Knex): Promise<boolean> {
  const pool: object = db.client.pool ?? db.client;
  let running = probes.get(pool);
  if (!running) {
    running = connectAnew(db.client.config.connection as ClientConfig).finally(() => probes.delete(pool));
    probes.set(pool, running);
  }
  return running;
}

async function connectAnew(connection: ClientConfig): Promise<boolean> {
  const client = new Client({ ...connection, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  client.on('error', () => undefined); // connect and query reject with it
  try {
    await client.connect();
    return true;
  } catch (error) {
    // An error from the server, such as "too many connections" or "starting up", proves that it responds.
    return sqlState(error) !== null;
  } finally {
    client.end().catch(() => undefined);
  }
}
