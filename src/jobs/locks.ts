/**
 * Session advisory locks: they say which process runs a job, and which processes live. They vanish with the connection, so that a
 * killed process holds nothing back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, QueryResult, QueryResultRow } from 'pg';
import type { Config } from '#src/config.ts';
import { isLate } from '#src/kit/late.ts';
import type { Log } from '#src/kit/log.ts';
import { openDirect } from '#src/store/db.ts';

export interface Locks {
  open(): Promise<void>;
  /** Resolves when the connection is lost, and every lock with it. */
  lost(): Promise<Error>;
  /** False when the job runs already, here or elsewhere. */
  tryTake(name: string): Promise<boolean>;
  giveBack(name: string): Promise<void>;
  /** Marks a group of workers as living for as long as this connection does. */
  declareAlive(workers: string): Promise<void>;
  /** Releases jobs of dead workers. */
  recover(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

/** First halves of the lock numbers; any fixed numbers will do. */
const JOB = 711_301;
const WORKERS = 711_302;
/** Workers that took a job earlier than this have declared themselves alive, or are dead. */
const SETTLED_MS = 5000;
const PROBE_EVERY_MS = 15_000;
const PROBE_LIMIT_MS = 5_000;

export function createLocks({
  config,
  log,
}: {
  config: Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>;
  log: Log;
}): Locks {
  const client: Client = openDirect(config);
  /** A session may take its own lock again, so what runs here is remembered here. */
  const taken = new Set<string>();
  const closing = new AbortController();
  const lost = new Promise<Error>((resolve) => {
    client.on('error', ({ message }) => resolve(new Error(`lock connection failed: ${message}`)));
    client.on('end', () => resolve(new Error('lock connection closed')));
    closing.signal.addEventListener('abort', () => resolve(new Error('locks released')));
  });

  /** Jobs that run side by side ask here one after the other: a connection does one thing at a time. */
  let turn: Promise<unknown> = Promise.resolve();
  function ask<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<Row>> {
    const answer = turn.then(() => client.query<Row>(text, values));
    turn = answer.catch(() => undefined);
    return answer;
  }

  async function tryLock(space: number, name: string): Promise<boolean> {
    const { rows } = await ask<{ ok: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as ok', [space, name]);
    return rows[0]?.ok === true;
  }

  async function unlock(space: number, name: string): Promise<void> {
    await ask('select pg_advisory_unlock($1, hashtext($2))', [space, name]);
  }

  /** A connection that a firewall forgot stays silent for ever. */
  async function untilSilent(): Promise<Error> {
    const options = { ref: false, signal: closing.signal };
    while (await sleep(PROBE_EVERY_MS, true, options).catch(() => false)) {
      const answered = ask('select', []).then(
        () => true,
        () => false,
      );
      if ((await isLate(answered, PROBE_LIMIT_MS)) || !(await answered))
        return new Error('database not responding on the lock connection');
    }
    return lost;
  }

  return {
    async open() {
      await client.connect();
    },
    lost: () => Promise.race([lost, untilSilent()]),
    async tryTake(name) {
      if (taken.has(name)) return false;
      taken.add(name);
      try {
        if (await tryLock(JOB, name)) return true;
      } catch (error) {
        taken.delete(name);
        throw error;
      }
      taken.delete(name);
      return false;
    },
    async giveBack(name) {
      taken.delete(name);
      await unlock(JOB, name);
    },
    async declareAlive(workers) {
      taken.add(workers);
      await ask('select pg_advisory_lock($1, hashtext($2))', [WORKERS, workers]);
    },
    async recover(nowMs) {
      const { rows } = await ask<{ workers: string }>(
        'select distinct locked_by as workers from graphile_worker.jobs where locked_at < $1',
        [new Date(nowMs - SETTLED_MS)],
      );
      for (const { workers } of rows) {
        if (taken.has(workers) || !(await tryLock(WORKERS, workers))) continue;
        await ask('select graphile_worker.force_unlock_workers($1::text[])', [[workers]]);
        await unlock(WORKERS, workers);
        log.warn({ workers }, 'jobs of a stopped process released');
      }
    },
    async close() {
      closing.abort();
      await client.end();
    },
  };
}
