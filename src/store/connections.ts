/**
 * Connection limit of a process, divided among its pools. Small plans allow 20 connections in total, and
 * the server refuses more (53300): so no pool exceeds its share.
 */
import type { Config } from '#src/config.ts';
import type { Log } from '#src/kit/log.ts';
import { openDirect } from './db.ts';

/** Role of a process: `web` also runs the background jobs. */
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

/** A job uses a slot of its pool, and may open one more connection. */
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
/** Order of allocation: pools that users wait for come first. */
const ORDER: readonly Part[] = [
  'screensDb',
  'mainWrite',
  'screensSessions',
  'mainDb',
  'jobs',
  'mainSessions',
  'screensWrite',
];

/** Where events are copied to ClickHouse, that takes two for as long as the process lives: what is being sent, and what comes next. */
export function copyingConnections(
  { CLICKHOUSE_URL: url }: Pick<Config, 'CLICKHOUSE_URL'>,
  use: ConnectionUse,
): number {
  return url === undefined || use === 'webWithoutJobs' ? 0 : 2;
}

/** Everything that these shares come to. */
export function connectionsOf(shares: ConnectionShares, use: ConnectionUse): number {
  const { jobs, ...pools } = shares;
  const pooled = Object.values(pools).reduce((sum, size) => sum + size, 0);
  return LISTENERS[use] + pooled + (jobs === 0 ? 0 : OF_JOBS + PER_JOB * jobs);
}

/** The fewest connections that such a process works with. */
export function minConnections(use: ConnectionUse): number {
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
      // Pools that such a process does not need stay at zero.
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

/** Part of the server's limit to use: administrators connect with psql, and a new release starts before the old process ends. */
const PART_OF_ALLOWED = 0.8;
/** With several processes each takes this much. */
const PART_BESIDE_OTHERS = 0.4;

/** Connections that the server allows this process's role. */
interface Allowance {
  /** The lowest limit of server, database and role. */
  allowed: number;
  /** Remaining beside connections of others. */
  free: number;
}

/** The budget of a process for which none is set. */
export function defaultBudget({ allowed, free }: Allowance, use: ConnectionUse): number {
  const share = Math.floor(allowed * (use === 'web' ? PART_OF_ALLOWED : PART_BESIDE_OTHERS));
  return Math.max(minConnections(use), Math.min(share, free));
}

/**
 * The settings with the connections of this process: those that are given, else a part of what the server allows this role. Without a
 * limit while the server cannot be asked.
 */
export async function withBudget(config: Config, role: 'web' | 'worker', log: Pick<Log, 'warn'>): Promise<Config> {
  const use = connectionUse(config, role);
  const beside = copyingConnections(config, use);
  const least = minConnections(use) + beside;
  const given = config.DATABASE_CONNECTIONS;
  if (given !== undefined && given < least) {
    log.warn(`DATABASE_CONNECTIONS is ${given}: this process needs ${least}, and takes them`);
  }
  // An outage is logged where work needs the database; here it only means that there is no limit to keep to.
  const allowance = await readAllowance(config).catch(() => null);
  if (allowance === null) return config;
  const budget = given ?? defaultBudget(allowance, use) + beside;
  // However many it may have, it opens no more than its pools hold.
  const needed = connectionsOf(shareConnections(budget - beside, use), use) + beside;
  const { allowed, free } = allowance;
  if (needed > free) {
    log.warn(
      `This process may open ${needed} connections to PostgreSQL: of ${allowed} that its role may have, ${free} are free`,
    );
  }
  return { ...config, DATABASE_CONNECTIONS: needed };
}

/**
 * Limits of server, database and role; poolers answer for the server behind them. Our own connections, known by
 * application name, are not counted: those of the previous release will end.
 */
async function readAllowance(config: Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>): Promise<Allowance | null> {
  const client = openDirect(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Allowance>(`
      with others as (
        select datid, usesysid from pg_stat_activity
         where datid is not null and coalesce(backend_type, 'client backend') = 'client backend'
           and coalesce(application_name, '') not like 'luneta%'),
      server as (
        select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                 - coalesce(current_setting('reserved_connections', true)::int, 0) as allowed)
      select least(server.allowed, nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) as allowed,
             least(server.allowed - (select count(*) from others),
                   nullif(d.datconnlimit, -1) - (select count(*) from others where datid = d.oid),
                   nullif(r.rolconnlimit, -1) - (select count(*) from others where usesysid = r.oid))::int as free
        from pg_database d, pg_roles r, server
       where d.datname = current_database() and r.rolname = current_user`);
    return rows[0] ?? null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The process's connections, without the one that copies to ClickHouse. */
export function sharesOf(config: Config, role: 'web' | 'worker'): ConnectionShares {
  const use = connectionUse(config, role);
  const budget = config.DATABASE_CONNECTIONS ?? Number.POSITIVE_INFINITY;
  return shareConnections(budget - copyingConnections(config, use), use);
}
