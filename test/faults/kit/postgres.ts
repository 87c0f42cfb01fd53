/** A PostgreSQL of the fault tests' own, with the settings of a real one, that can be stopped, killed and frozen. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { postgresAccount } from '#src/store/embedded/account.ts';
import { findBinaries } from '#src/store/embedded/binaries.ts';
import { openCluster, ROLE, spawnPostmaster } from '#src/store/embedded/cluster.ts';
import { addressOf } from '#src/store/embedded/embedded.ts';
import { preparePlace } from '#src/store/embedded/place.ts';
import { ours } from './children.ts';

export interface Postgres {
  readonly port: number;
  urlOf(database: string, host?: string, port?: number): string;
  createDatabase(name: string): Promise<void>;
  start(): Promise<void>;
  /** SIGINT: connections are ended, the server stops. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** SIGSTOP: no socket closes and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** CPU seconds of all its processes, the ended ones included. */
  cpuSeconds(): number;
}

/** How `npm start` reaches the PostgreSQL beside it. */
export const asStarted = process.platform === 'win32' ? 'loopback' : 'socket';

/**
 * @param settings besides those that all have
 * @param kind on loopback a fault can stand between
 */
export async function openPostgres(
  root: string,
  home: string,
  port: number,
  settings: Record<string, string> = {},
  kind: 'socket' | 'loopback' = 'loopback',
): Promise<Postgres> {
  const account = await postgresAccount();
  const place = await preparePlace(root, findBinaries(root, process.env['PATH']), account, { home });
  const cluster = await openCluster(place, account, kind, port);
  const password = cluster.endpoint.kind === 'loopback' ? cluster.endpoint.password : '';
  let child: ChildProcess | null = null;

  const urlOf = (database: string, host = '127.0.0.1', atPort = port) =>
    kind === 'socket'
      ? addressOf(cluster, database)
      : `postgres://${ROLE}:${encodeURIComponent(password)}@${host}:${atPort}/${database}`;

  async function start(): Promise<void> {
    child = ours(await spawnPostmaster(cluster, { shared_buffers: '256MB', max_connections: '200', ...settings }));
    const spawned = child;
    let hasEnded = false;
    spawned.once('exit', () => {
      hasEnded = true;
    });
    for (const since = performance.now(); performance.now() - since < 30_000; ) {
      if (hasEnded) throw new Error(`PostgreSQL ended: ${readFileSync(place.logFile, 'utf8').slice(-2000)}`);
      if (await answers()) return;
      await sleep(50);
    }
    throw new Error('PostgreSQL did not answer within 30 s');
  }

  async function answers(): Promise<boolean> {
    const client = new Client({ connectionString: urlOf('postgres'), connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      // It starts or recovers: the caller asks again, within its limit.
      return false;
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  const processes = () => (child?.pid ? [child.pid, ...childrenOf(child.pid)] : []);
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of processes()) trySignal(pid, signal);
  };

  return {
    port,
    urlOf,
    async createDatabase(name) {
      const client = new Client({ connectionString: urlOf('postgres') });
      await client.connect();
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`create database ${name}`);
      await client.end();
    },
    start,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    cpuSeconds: () => (child?.pid ? cpuSecondsOf(child.pid, true) : 0) + childrenCpu(processes().slice(1)),
  };
}

function childrenCpu(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + cpuSecondsOf(pid, false), 0);
}

/** PostgreSQL's children lead groups of their own, so the group of the parent does not hold them. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.[1] === String(parent));
}

const TICKS_PER_SECOND = 100;

/** @param withEnded children that ended and were waited for count as well */
export function cpuSecondsOf(pid: number, withEnded: boolean): number {
  const fields = statOf(pid);
  if (!fields) return 0;
  const ticks = fields.slice(11, withEnded ? 15 : 13).reduce((sum, value) => sum + Number(value), 0);
  return ticks / TICKS_PER_SECOND;
}

/** Fields of /proc/PID/stat from the state on: state, parent, … utime (11), stime, cutime, cstime. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // The process ended between listing and reading.
    return null;
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
