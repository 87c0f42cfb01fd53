/**
 * Our own supervisor of a PostgreSQL that came with the installation, for machines that have none. It outlives us when we are
 * killed and is found again; when it is killed, it is started again; it is stopped by the last process that uses it.
 */
import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Clock } from '../../kit/clock.ts';
import { unavailable } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { withSettings } from '../session-settings.ts';
import { postgresAccount } from './account.ts';
import { findBinaries, program } from './binaries.ts';
import { claim } from './claims.ts';
import { type Cluster, logTail, openCluster, ROLE, spawnPostmaster } from './cluster.ts';
import { explainFailure } from './failures.ts';
import { preparePlace } from './place.ts';
import { isAlive, isPostmasterOf, orphansOf, readPid, removeStaleLocks } from './postmaster.ts';

/** Recovery after a crash replays the log first; a large one takes its time. */
const START_LIMIT_MS = 5 * 60_000;
/** Children of a killed postmaster take well under a second to leave. */
const ORPHAN_LIMIT_MS = 5000;
const FAST_STOP_MS = 10_000;
const IMMEDIATE_STOP_MS = 10_000;
const WATCH_MS = 250;
const RESTARTS_PER_MINUTE = 5;

export interface EmbeddedOptions {
  /** The folder of the program: its node_modules holds the binaries, its .luneta the data. */
  root: string;
  log: Log;
  clock: Clock;
  /** Puts everything elsewhere. */
  home?: string;
  /** Subfolder with a separate server, as for tests. */
  folder?: string;
  /** PATH, where a PostgreSQL of the system is looked for when the installation brings none. */
  path?: string;
  /** How to listen; a unix socket wherever there are any. */
  kind?: 'socket' | 'loopback';
  /** Names the socket, or is the loopback port. */
  port?: number;
  /** The database to make. */
  database?: string;
  /** Further settings of the server. */
  settings?: Record<string, string>;
}

export interface Embedded {
  /** Address of the database. */
  url: string;
  /** Address of another database of the same server. */
  urlOf(database: string): string;
  home: string;
  /** State at the start: nothing, a data folder, or a running server. */
  found: 'nothing' | 'data' | 'server';
  /** Process number of the postmaster now. */
  pid(): Promise<number | null>;
  /** Leaves; stops the server unless another process uses it. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL, or joins the running one, and keeps it running.
 *
 * @throws AppError unavailable, with a message that says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, clock, settings = {}, database = 'luneta', port = 5432 } = options;
  const kind = options.kind ?? (process.platform === 'win32' ? 'loopback' : 'socket');
  const account = await postgresAccount();
  const place = await preparePlace(options.root, findBinaries(options.root, options.path), account, {
    home: options.home,
    folder: options.folder,
  });
  const ownClaim = await claim(place.home);
  const leaving = new AbortController();
  let watching: Promise<void> = Promise.resolve();

  async function leave(): Promise<void> {
    leaving.abort();
    await watching;
    const isLast = await ownClaim.release();
    if (isLast) await stopServer(cluster, log);
  }

  const cluster = await openCluster(place, account, kind, port).catch(async (error) => {
    await ownClaim.release();
    throw error;
  });
  const urlOf = (name: string) => addressOf(cluster, name);
  try {
    const found = await ensureRunning(cluster, settings, log);
    await ensureDatabase(cluster, database);
    watching = watch(cluster, settings, log, clock, leaving.signal);
    return {
      url: urlOf(database),
      urlOf,
      home: place.home,
      found: cluster.isNew ? 'nothing' : found,
      pid: () => readPid(join(cluster.dataDir, 'postmaster.pid')),
      stop: leave,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Returns once the server answers: the one that runs already, or a new one. */
async function ensureRunning(cluster: Cluster, settings: Record<string, string>, log: Log): Promise<'server' | 'data'> {
  const began = performance.now();
  const deadline = began + START_LIMIT_MS;
  const { dataDir, place, endpoint } = cluster;
  while (performance.now() < deadline) {
    if (await answers(cluster)) return 'server';
    const pid = await readPid(join(dataDir, 'postmaster.pid'));
    if (pid !== null && isAlive(pid) && isPostmasterOf(pid, dataDir)) {
      await sleep(50); // starting, recovering or stopping: it will answer or go
      continue;
    }
    for (const file of await removeStaleLocks(dataDir, place.run, endpoint.port)) {
      log.warn({ file }, 'removed a stale PostgreSQL lock file');
    }
    const child = await spawnPostmaster(cluster, settings);
    const outcome = await untilReady(cluster, child, deadline);
    if (outcome === 'ready') return 'data';
    const tail = await logTail(place.logFile);
    // Another process of ours was faster, or children of a killed postmaster are still leaving: look again.
    const reason = lastFatal(tail);
    if (!/lock file .* already exists|pre-existing shared memory block/.test(reason)) {
      throw explainFailure(reason, place.home, outcome);
    }
    if (/pre-existing shared memory block/.test(reason) && performance.now() - began > ORPHAN_LIMIT_MS) {
      for (const orphan of orphansOf(dataDir)) {
        log.warn({ pid: orphan }, 'orphaned PostgreSQL process still running; terminating it');
        process.kill(orphan, 'SIGKILL');
      }
    }
    await sleep(200);
  }
  throw unavailable(`PostgreSQL didn’t start within 5 minutes. See ${place.logFile}.`);
}

async function untilReady(cluster: Cluster, child: ChildProcess, deadline: number): Promise<'ready' | Error> {
  let ended: Error | null = null;
  child.once('error', (error) => {
    ended = error;
  });
  child.once('exit', (code, signal) => {
    ended = new Error(`postgres exited with ${signal ?? code}`);
  });
  child.unref();
  for (let waitMs = 20; ended === null && performance.now() < deadline; waitMs = Math.min(250, waitMs * 1.3)) {
    if (await answers(cluster)) return 'ready';
    await sleep(waitMs);
  }
  return ended ?? new Error('postgres did not become ready');
}

/** Starts the server again whenever it is gone, at most five times in a minute, until we leave. Does not keep the process alive. */
async function watch(
  cluster: Cluster,
  settings: Record<string, string>,
  log: Log,
  clock: Clock,
  leaving: AbortSignal,
): Promise<void> {
  const pidFile = join(cluster.dataDir, 'postmaster.pid');
  let pid = await readPid(pidFile);
  let restarts: number[] = [];
  while (await pause(WATCH_MS, leaving)) {
    if (pid !== null && isAlive(pid)) {
      if (hasSocket(cluster)) continue;
      // The socket was deleted: the server is unreachable and does not create another.
      log.warn({ pid }, 'PostgreSQL socket missing; restarting PostgreSQL');
      await stopServer(cluster, log);
    }
    restarts = restarts.filter((at) => at > clock.elapsed() - 60_000);
    if (restarts.length >= RESTARTS_PER_MINUTE) continue;
    restarts.push(clock.elapsed());
    log.warn({ restart: restarts.length }, 'PostgreSQL exited; restarting');
    if (!(await pause(100 * 2 ** (restarts.length - 1) - 100, leaving))) return;
    try {
      await ensureRunning(cluster, settings, log);
      pid = await readPid(pidFile);
      log.info({ pid }, 'PostgreSQL is back');
    } catch (error) {
      log.error({ err: error }, 'failed to restart PostgreSQL');
    }
  }
}

function hasSocket({ endpoint, place }: Cluster): boolean {
  return endpoint.kind !== 'socket' || existsSync(join(place.run, `.s.PGSQL.${endpoint.port}`));
}

/** Waits; false when `signal` ended the wait. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { ref: false, signal }).catch(() => false);
}

async function stopServer(cluster: Cluster, log: Log): Promise<void> {
  const pid = await readPid(join(cluster.dataDir, 'postmaster.pid'));
  if (pid === null || !isAlive(pid) || isPostmasterOf(pid, cluster.dataDir) === false) return;
  await signalStop(cluster, pid, 'SIGINT'); // fast shutdown: disconnects sessions, writes a checkpoint
  if (await isGone(pid, FAST_STOP_MS)) return;
  log.warn({ pid }, 'PostgreSQL is slow to stop; terminating without a checkpoint');
  await signalStop(cluster, pid, 'SIGQUIT');
  if (!(await isGone(pid, IMMEDIATE_STOP_MS))) log.error({ pid }, 'PostgreSQL did not stop');
}

/** Windows has no such signals; PostgreSQL brings a program for it. */
async function signalStop({ place, dataDir }: Cluster, pid: number, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (process.platform !== 'win32') {
    process.kill(pid, signal);
    return;
  }
  const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
  await new Promise<void>((resolve) => {
    execFile(join(place.bin, program('pg_ctl')), ['stop', '-W', '-D', dataDir, '-m', mode], () => resolve());
  });
}

async function isGone(pid: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (!isAlive(pid)) return true;
    await sleep(25);
  }
  return !isAlive(pid);
}

/** True when a server answers at our address and its data is ours. */
async function answers(cluster: Cluster): Promise<boolean> {
  const client = new Client({
    ...withSettings(addressOf(cluster, 'postgres'), 2000),
    connectionTimeoutMillis: 2000,
    query_timeout: 2000,
  });
  client.on('error', () => undefined); // the query rejects with it
  try {
    await client.connect();
    const { rows } = await client.query<{ dir: string }>(`select current_setting('data_directory') as dir`);
    return rows[0]?.dir === cluster.dataDir;
  } catch {
    return false; // not there, not ready or going away: the caller finds out which
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(cluster: Cluster, name: string): Promise<void> {
  const client = new Client({
    ...withSettings(addressOf(cluster, 'postgres'), null),
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // 42P04, 23505: another process made it in this very moment
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await client.end();
  }
}

/** Address of one of its databases. */
export function addressOf({ endpoint, place }: Cluster, database: string): string {
  if (endpoint.kind === 'loopback') {
    return `postgresql://${ROLE}:${endpoint.password}@127.0.0.1:${endpoint.port}/${encodeURIComponent(database)}`;
  }
  const query = new URLSearchParams({ host: place.run, port: String(endpoint.port), user: ROLE });
  return `postgresql:///${encodeURIComponent(database)}?${query}`;
}

function lastFatal(tail: string): string {
  const lines = tail.split('\n').filter((line) => /FATAL|PANIC|error while loading|could not/.test(line));
  return lines.at(-1) ?? tail;
}
