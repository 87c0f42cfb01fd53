/**
 * One data folder of PostgreSQL: created by initdb under another name and then renamed, so that an incomplete one is never used; started in
 * its own session, so that Ctrl-C in the terminal reaches us and not it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '../../kit/errors.ts';
import type { Account } from './account.ts';
import { majorVersion, program } from './binaries.ts';
import { explainFailure } from './failures.ts';
import { giveTo, type Place } from './place.ts';
import { isAlive, isMissing } from './postmaster.ts';

/** The superuser that initdb makes; only this program signs in as it. */
export const ROLE = 'luneta';

/** A fresh data folder takes 39 MB, and PostgreSQL writes ahead. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export interface Cluster {
  dataDir: string;
  place: Place;
  account: Account | null;
  /** Unix socket in a private folder, or loopback with a password (Windows has no usable sockets). */
  endpoint: { kind: 'socket'; port: number } | { kind: 'loopback'; port: number; password: string };
  /** True when this call made the data folder. */
  isNew: boolean;
}

/** Finds or creates the data folder. Concurrent processes get the same one. */
export async function openCluster(
  place: Place,
  account: Account | null,
  kind: 'socket' | 'loopback',
  port: number,
): Promise<Cluster> {
  const version = majorVersion(place.bin, place.env);
  const dataDir = join(place.home, `postgres-${version}`);
  const exists = await isDirectory(dataDir);
  if (!exists) {
    await refuseOtherVersion(place.home, version);
    await makeDataFolder(dataDir, place, account);
  }
  await giveTo(dataDir, account);
  await chmod(dataDir, 0o700);
  const password = kind === 'loopback' ? await readFile(join(place.home, 'password'), 'utf8') : '';
  return {
    dataDir,
    place,
    account,
    endpoint: kind === 'socket' ? { kind, port } : { kind, port, password },
    isNew: !exists,
  };
}

/** Starts the postmaster and returns immediately. */
export async function spawnPostmaster(cluster: Cluster, settings: Record<string, string>): Promise<ChildProcess> {
  const { place, account, dataDir, endpoint } = cluster;
  await limitLog(place.logFile);
  const log = await open(place.logFile, 'a', 0o600);
  try {
    // One that an earlier version made is open to all.
    if (process.platform !== 'win32') await log.chmod(0o600);
    const given: Record<string, string> = {
      ...memorySettings(),
      listen_addresses: endpoint.kind === 'socket' ? '' : '127.0.0.1',
      unix_socket_directories: endpoint.kind === 'socket' ? place.run : '',
      unix_socket_permissions: '0700',
      port: String(endpoint.port),
      synchronous_commit: 'on',
      max_connections: '100',
      max_wal_size: '2GB',
      jit: 'off',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...settings,
    };
    return spawn(
      join(place.bin, program('postgres')),
      ['-D', dataDir, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        detached: true,
        cwd: '/',
        stdio: ['ignore', log.fd, log.fd],
        ...(account && { uid: account.uid, gid: account.gid }),
        ...(process.platform !== 'win32' && { env: place.env }),
      },
    );
  } finally {
    await log.close();
  }
}

/** The last lines that PostgreSQL wrote. */
export async function logTail(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch((error) => {
    if (isMissing(error)) return '';
    throw error;
  });
  return text.slice(-4000);
}

async function makeDataFolder(dataDir: string, place: Place, account: Account | null): Promise<void> {
  await removeLeftovers(place.home);
  const { bavail, bsize } = await statfs(place.home);
  if (bavail * bsize < MIN_FREE_BYTES) {
    throw unavailable(`Disk full at ${place.home}. Free at least 200 MB and start again.`);
  }
  const mark = `tmp-${process.pid}-${randomBytes(3).toString('hex')}`;
  const unfinished = `${dataDir}.${mark}`;
  const passwordFile = join(place.home, 'password');
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await giveTo(unfinished, account);
  // initdb runs under the account and reads the password from a file that only the account can open.
  const handed = `${passwordFile}.${mark}`;
  await writeFile(handed, await readFile(passwordFile), { mode: 0o600 });
  await giveTo(handed, account);
  try {
    await runInitdb(unfinished, handed, place, account);
    await rename(unfinished, dataDir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    const isMadeMeanwhile = await isDirectory(dataDir);
    if (!isMadeMeanwhile) throw error;
  } finally {
    await rm(handed, { force: true });
  }
}

/** Text sorts by code point and nothing depends on the ICU that the package brings. */
function runInitdb(dataDir: string, passwordFile: string, place: Place, account: Account | null): Promise<void> {
  const builtin = majorVersion(place.bin, place.env) >= 17;
  const locale = builtin
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C.UTF-8'];
  const authentication = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`];
  const options = ['-D', dataDir, '-U', ROLE, '--encoding=UTF8', '--no-instructions', ...locale, ...authentication];
  return new Promise((resolve, reject) => {
    execFile(
      join(place.bin, program('initdb')),
      options,
      {
        cwd: '/',
        ...(account && { uid: account.uid, gid: account.gid }),
        ...(process.platform !== 'win32' && { env: place.env }),
      },
      (error, stdout, stderr) =>
        error ? reject(explainFailure(`${stdout}\n${stderr}`, place.home, error)) : resolve(),
    );
  });
}

async function refuseOtherVersion(home: string, version: number): Promise<void> {
  const other = (await readdir(home)).find((name) => /^postgres-\d+$/.test(name));
  if (!other) return;
  throw unavailable(
    `${join(home, other)} was created by a different PostgreSQL version (this release uses ${version}). ` +
      'Go back to the previous Luneta release, run "npm run backup", then restore the file with this release.',
  );
}

async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = /\.tmp-(\d+)-\w+$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(home, name), { recursive: true, force: true });
  }
}

/** An eighth of the memory we may use, within reason: PostgreSQL relies on the system's file cache for the rest. */
function memorySettings(): Record<string, string> {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const sharedMb = Math.round(Math.min(1024, Math.max(64, memory / 8 / 1024 / 1024)));
  return { shared_buffers: `${sharedMb}MB`, effective_cache_size: `${sharedMb * 4}MB` };
}

async function limitLog(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    ({ size }) => size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    (error) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}
