/**
 * Connecting to a server that has no connections left (53300): another process is starting or ending, and places come free within moments.
 * So this waits and tries again, within a limit, and keeps count for the log and *Status*.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Pool, type PoolClient } from 'pg';
import { type Clock, systemClock } from '#src/kit/clock.ts';
import type { Log } from '#src/kit/log.ts';

const NO_CONNECTIONS_LEFT = '53300';

/** Pools of the driver wait this long for the server to have one left: less than they wait in all. */
const REQUEST_WAIT_MS = 1_500;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;
/** A shortage is logged once, and again when it comes back after this time. */
const QUIET_MS = 60_000;

/** Connections that the server refused to this process. */
export interface RefusedConnections {
  note(error: unknown): void;
  stats(): { times: number; lastAt: number | null };
}

type Refused = Pick<RefusedConnections, 'note'>;

/** Counts refusals and logs each shortage once. */
export function watchRefusedConnections(
  log: Pick<Log, 'warn'>,
  clock: Pick<Clock, 'now' | 'elapsed'> = systemClock,
): RefusedConnections {
  let times = 0;
  let lastAt: number | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    note(error) {
      times++;
      lastAt = clock.now();
      const isNew = clock.elapsed() - lastMs > QUIET_MS;
      lastMs = clock.elapsed();
      if (!isNew) return;
      const reason = (error as Error).message;
      log.warn({ reason }, 'the database has no connections left (53300); waiting. Check DATABASE_CONNECTIONS');
    },
    stats: () => ({ times, lastAt }),
  };
}

/**
 * The connection that `connect` makes, as soon as the server has one left.
 * @throws what `connect` does; the refusal once the time is up
 */
export async function waitWhileFull<Result>(
  connect: () => Promise<Result>,
  refused?: Refused,
  limitMs = REQUEST_WAIT_MS,
): Promise<Result> {
  const until = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await connect();
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== NO_CONNECTIONS_LEFT) throw error;
      refused?.note(error);
      if (performance.now() + pauseMs > until) throw error;
    }
    await sleep(pauseMs);
  }
}

/** A pool of the driver that waits. A pooled connection that is released meanwhile is used. */
export class WaitingPool extends Pool {
  /** Set after the driver's constructor, which connects nothing. */
  refused: Refused | undefined;

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    const connected = waitWhileFull(() => super.connect(), this.refused);
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void;

/** Makes the pool of knex wait too, for `limitMs`. */
export function waitInKnex(db: Knex, refused: Refused, limitMs: number): Knex {
  const { client } = db;
  const connect: () => Promise<unknown> = client.acquireRawConnection.bind(client);
  client.acquireRawConnection = () => waitWhileFull(connect, refused, limitMs);
  return db;
}
