/**
 * Finds the postmaster of a data folder. A stale pid file may name a reused process id
 * (usual in containers), and PostgreSQL then refuses to start. This check detects that.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Process number in a lock file of PostgreSQL; null when there is no such file. */
export async function readPid(lockFile: string): Promise<number | null> {
  try {
    const pid = Number.parseInt(await readFile(lockFile, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** True while a process with that number runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  return isTaken(pid) && processStat(pid)?.state !== 'Z';
}

/** True while the id belongs to any process, also to an unreaped zombie (usual in containers without an init). */
function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Start time of the process in a platform-specific unit: detects a reused process id. */
export function startMark(pid: number): string {
  return processStat(pid)?.started ?? '';
}

/** True when the process is a postmaster of this data folder; null when that cannot be determined. */
export function isPostmasterOf(pid: number, dataDir: string): boolean | null {
  const command = commandOf(pid);
  if (command === null) return null;
  const [program = '', ...rest] = command;
  return basename(program).startsWith('postgres') && rest.join(' ').includes(dataDir);
}

/**
 * Removes lock files whose process is certainly not a postmaster of this folder. A file that changed in between belongs to a
 * postmaster that has just started, and is put back.
 */
export async function removeStaleLocks(dataDir: string, socketDir: string, port: number): Promise<string[]> {
  const removed: string[] = [];
  for (const lockFile of [join(dataDir, 'postmaster.pid'), join(socketDir, `.s.PGSQL.${port}.lock`)]) {
    const pid = await readPid(lockFile);
    // A free number is left to PostgreSQL. It takes a zombie for a running server; that its children may still hold the
    // shared memory it finds out by the memory's key, which depends on the data folder alone.
    if (pid === null || !isTaken(pid)) continue;
    if (isAlive(pid) && isPostmasterOf(pid, dataDir) !== false) continue;
    const aside = `${lockFile}.stale-${process.pid}`;
    try {
      await rename(lockFile, aside);
    } catch (error) {
      if (isMissing(error)) continue;
      throw error;
    }
    if ((await readPid(aside)) === pid) {
      await rm(aside);
      removed.push(lockFile);
    } else {
      await rename(aside, lockFile);
    }
  }
  return removed;
}

/**
 * Orphaned backends of a killed postmaster in this folder, where the platform can list them. They exit on their own, unless one waits
 * for a lock of a process that has already exited.
 */
export function orphansOf(dataDir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && linkOf(`/proc/${name}/cwd`) === dataDir)
    .map(Number);
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // gone meanwhile, or hidden from us
  }
}

/** True for the error of a file that is not there. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** The command line of a process, or null where the platform does not say. */
function commandOf(pid: number): string[] | null {
  if (process.platform === 'linux') {
    try {
      const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return text === '' ? null : text.split('\0'); // empty while a process ends
    } catch {
      return null; // gone meanwhile, or hidden from us: either way nothing is known of it
    }
  }
  if (process.platform === 'win32') return null;
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ');
  } catch {
    return null; // ps ends with 1 when the process has just gone; the caller looks again
  }
}

function processStat(pid: number): { state: string; started: string } | null {
  if (process.platform !== 'linux') return null;
  try {
    // The second field is the program's name in parentheses and may hold anything.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return null; // gone meanwhile, or hidden from us: either way nothing is known of it
  }
}
