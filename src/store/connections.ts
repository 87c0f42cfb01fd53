/**
 * How many connections to PostgreSQL a process may open, and how many of them each part of it gets. Small plans allow 20 for everybody, and
 * the server refuses what is beyond (53300): so no pool is larger than its share.
 */
import type { Config } from '#src/config.ts';
import type { Log } from '#src/kit/log.ts';
import { openDirect } from './db.ts';

/** What a process is for: `web` runs the recurring jobs as well. */
export type ConnectionUse = 'web' | 'webWithoutJobs' | 'worker';

/** Sizes of pools (of the thread that collects, and of the one that draws), and how many jobs run at a time. */
export interface ConnectionShares {
  mainDb: number;
  mainWrite: number;
  mainSessions: number;
  screensDb: number;
  screensWrite: number;
  screensSessions: number;
  jobs: number;
}

type Part = keyof ConnectionShares;

export function connectionUse({ JOBS }: Pick<Config, 'JOBS'>, role: 'web' | 'worker'): ConnectionUse {
  if (role === 'worker') return 'worker';
  return JOBS === 'web' ? 'web' : 'webWithoutJobs';
}

/** Sizes of the pools of one thread. */
export function sizesOf(shares: ConnectionShares, thread: 'main' | 'screens') {
  return { db: shares[`${thread}Db`], write: shares[`${thread}Write`], sessions: shares[`${thread}Sessions`] };
}

/** A job takes a place in its pool, and may open a connection of its own. */
const PER_JOB = 2;
/** The runner's listener and its spare, and the connection of the locks. */
const OF_JOBS = 3;
/** Each thread hears of new events over one. */
const LISTENERS: Record<ConnectionUse, number> = { web: 2, webWithoutJobs: 2, worker: 1 };

const MAX_SHARES: ConnectionShares = {
  mainDb: 10,
  mainWrite: 4,
  mainSessions: 4,
  screensDb: 10,
  screensWrite: 4,
  screensSessions: 4,
  jobs: 3,
};
const MIN_SHARES: ConnectionShares = {
  mainDb: 1,
  mainWrite: 2,
  mainSessions: 1,
  screensDb: 3,
  screensWrite: 1,
  screensSessions: 1,
  jobs: 1,
};
/** It neither draws nor asks who is signed in. */
const MIN_SHARES_OF_WORKER = {
  ...MIN_SHARES,
  mainWrite: 1,
  mainSessions: 0,
  screensDb: 0,
  screensWrite: 0,
  screensSessions: 0,
};
/** Who gets the next one: those first whose users wait. */
const ORDER: readonly Part[] = [
  'screensDb',
  'mainWrite',
  'screensSessions',
  'mainDb',
  'jobs',
  'mainSessions',
  'screensWrite',
];

/** Everything that these shares come to. */
export function connectionsOf(shares: ConnectionShares, use: ConnectionUse): number {
  const { jobs, ...pools } = shares;
  const pooled = Object.values(pools).reduce((sum, size) => sum + size, 0);
  return LISTENERS[use] + pooled + (jobs === 0 ? 0 : OF_JOBS + PER_JOB * jobs);
}

/** The fewest connections that such a process works with. */
export function leastConnections(use: ConnectionUse): number {
  return connectionsOf(leastOf(use), use);
}

/** @param budget connections of the whole process; below the least it gets the least */
export function shareConnections(budget: number, use: ConnectionUse): ConnectionShares {
  const least = leastOf(use);
  const shares = { ...least };
  let left = budget - connectionsOf(shares, use);
  for (let hasGiven = true; hasGiven; ) {
    hasGiven = false;
    for (const part of ORDER) {
      const cost = part === 'jobs' ? PER_JOB : 1;
      // What such a process does not need at all stays at nothing.
      if (least[part] === 0 || shares[part] === MAX_SHARES[part] || cost > left) continue;
      shares[part] += 1;
      left -= cost;
      hasGiven = true;
    }
  }
  return shares;
}

function leastOf(use: ConnectionUse): ConnectionShares {
  if (use === 'worker') return MIN_SHARES_OF_WORKER;
  return use === 'web' ? MIN_SHARES : { ...MIN_SHARES, jobs: 0 };
}

/** Of what the server allows: somebody looks at it with psql, and a release starts while the process before it ends. */
const PART_OF_ALLOWED = 0.8;
/** With several processes each takes this much. */
const PART_BESIDE_OTHERS = 0.4;

/**
 * The settings with the connections of this process: those that are given, else a part of what the server allows this role. Without a
 * limit while the server cannot be asked.
 */
export async function withBudget(config: Config, role: 'web' | 'worker', log: Pick<Log, 'warn'>): Promise<Config> {
  const use = connectionUse(config, role);
  const least = leastConnections(use);
  const given = config.DATABASE_CONNECTIONS;
  if (given !== undefined) {
    if (given < least) log.warn(`DATABASE_CONNECTIONS is ${given}: this process needs ${least}, and takes them`);
    return config;
  }
  // An outage is logged where work needs the database; here it only means that there is no limit to keep to.
  const allowed = await allowedConnections(config).catch(() => null);
  if (allowed === null) return config;
  const budget = Math.floor(allowed * (use === 'web' ? PART_OF_ALLOWED : PART_BESIDE_OTHERS));
  return { ...config, DATABASE_CONNECTIONS: Math.max(least, budget) };
}

/** What the server, the database and the role allow; poolers answer for the server behind them. */
async function allowedConnections(
  config: Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>,
): Promise<number | null> {
  const client = openDirect(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ allowed: number }>(`
      select least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
                   nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) as allowed
        from pg_database d, pg_roles r
       where d.datname = current_database() and r.rolname = current_user`);
    return rows[0]?.allowed ?? null;
  } finally {
    await client.end().catch(() => undefined);
  }
}
