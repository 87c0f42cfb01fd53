/**
 * Folders of the spool: one per process below a common root, claimed by an exclusive `owner` file. Files of a dead owner are
 * moved into the folder of the process that finds them, one atomic rename at a time, so that two finders never take the same file.
 *
 * On the same machine liveness is exact (process id and its start time, within one pid namespace, with /proc).
 * Elsewhere, such as containers that share a volume, the owner file's age decides. When a sleeping owner is considered dead,
 * it notices after its next write that its file is gone and refuses those requests: nothing acknowledged is lost.
 */
import type * as nodeFs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { Log } from '#src/kit/log.ts';

export interface FolderDeps {
  fs: typeof nodeFs;
  log: Log;
  clock: Clock;
}

export interface SpoolFolder {
  readonly path: string;
  /** Its name: no other folder has it. */
  readonly id: string;
  /** Names of the latest adopted folders. */
  readonly taken: readonly string[];
  /** A path for a new spool file; names sort in the order they were asked for. */
  nextFile(): string;
  /** Moves the spool files of dead owners here, oldest first. */
  adopt(): Promise<AdoptedFile[]>;
  /**
   * Renames a file so that it is kept but no longer read by this process; one with records of a newer version is read again by the process that takes
   * the folder over. Resolves to the new path.
   */
  setAside(path: string, why: 'damaged' | 'newer'): Promise<string>;
  /** Updates the heartbeat for other machines. */
  beat(): Promise<void>;
  /** Makes a created, renamed or deleted name durable. */
  sync(): Promise<void>;
  /** Gives the folder up: removed when empty, else left for the next start. */
  release(): Promise<void>;
}

export interface AdoptedFile {
  path: string;
  /** The last file of its owner: it may end in the middle of a record. */
  isLast: boolean;
}

interface Owner {
  pid: number;
  /** Machine, boot and pid namespace: within one of these a process id can be checked. */
  place: string;
  /** Start time of the process in clock ticks, where available; detects a reused process id. */
  started: string;
}

const OWNER = 'owner';
const SPOOL_FILE = /\.spool(?:\.newer)?$/;
/** How long an owner elsewhere may be silent. It beats every 10 s. */
const SILENT_MS = 60_000;
const MAX_TAKEN = 100;

/** Creates and claims this process's folder below `root`. */
export async function claimFolder({ fs, log, clock }: FolderDeps, root: string): Promise<SpoolFolder> {
  const files = fs.promises;
  const id = uuidV7(clock.now());
  const path = join(root, id);
  await files.mkdir(root, { recursive: true, mode: 0o700 });
  const owner = await describeProcess(fs, process.pid);

  // Created under a name that is never adopted, then renamed: a folder is never visible without its owner file.
  const unborn = join(root, `.${id}`);
  await files.mkdir(unborn, { mode: 0o700 });
  await files.writeFile(join(unborn, OWNER), JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
  await files.rename(unborn, path);
  await syncFolder(fs, root);

  let made = 0;
  const taken: string[] = [];
  const nextFile = () => join(path, `${String(++made).padStart(8, '0')}.spool`);

  async function isAlive(folder: string): Promise<boolean> {
    const claim = join(root, folder, OWNER);
    const text = await unlessMissing(files.readFile(claim, 'utf8'));
    if (text === null) return false;
    const other = parseOwner(text);
    if (other?.place === owner.place && other.started !== '') {
      return (await describeProcess(fs, other.pid)).started === other.started;
    }
    const stat = await unlessMissing(files.stat(claim));
    return stat !== null && clock.now() - stat.mtimeMs < SILENT_MS;
  }

  /** @param adopted gets each file as it is moved: what fails afterwards must not hide it */
  async function adoptFrom(folder: string, adopted: AdoptedFile[]): Promise<void> {
    const from = join(root, folder);
    const before = adopted.length;
    const names = ((await unlessMissing(files.readdir(from))) ?? []).filter((name) => SPOOL_FILE.test(name)).sort();
    for (const name of names) {
      const path = nextFile();
      const moved = await unlessMissing(files.rename(join(from, name), path).then(() => true));
      if (moved) adopted.push({ path, isLast: name === names.at(-1) });
    }
    const moved = adopted.length - before;
    if (moved > 0) {
      await syncFolder(fs, path);
      taken.push(folder);
      if (taken.length > MAX_TAKEN) taken.shift();
      log.info({ folder: from, files: moved }, 'took over spool files of a stopped process');
    }
    await removeEmpty(from);
  }

  /** A folder that still holds something (a file set aside) stays, without its claim. */
  async function removeEmpty(folder: string): Promise<void> {
    await unlessMissing(files.unlink(join(folder, OWNER)));
    try {
      await files.rmdir(folder);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error;
    }
  }

  return {
    path,
    id,
    taken,
    nextFile,
    async adopt() {
      const entries = await files.readdir(root, { withFileTypes: true });
      const adopted: AdoptedFile[] = [];
      for (const { name } of entries
        .filter((entry) => entry.isDirectory())
        .sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (name === id || name.startsWith('.')) continue;
        try {
          if (!(await isAlive(name))) await adoptFrom(name, adopted);
        } catch (error) {
          // A disk's own folder (lost+found), or another user's. The others are read all the same.
          log.error({ err: error, folder: join(root, name) }, 'failed to take over a spool subfolder');
        }
      }
      return adopted;
    },
    async setAside(file, why) {
      const aside = `${file}.${why}`;
      await files.rename(file, aside);
      return aside;
    },
    async beat() {
      const seconds = clock.now() / 1000;
      await files.utimes(join(path, OWNER), seconds, seconds);
    },
    sync: () => syncFolder(fs, path),
    release: () => removeEmpty(path),
  };
}

/** A created or renamed name is durable only after its folder was synced. */
async function syncFolder(fs: typeof nodeFs, path: string): Promise<void> {
  // Windows opens no folders, and writes their entries through by itself.
  if (process.platform === 'win32') return;
  const folder = await fs.promises.open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function describeProcess(fs: typeof nodeFs, pid: number): Promise<Owner> {
  const [boot, space, stat] = await Promise.all([
    fs.promises.readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    fs.promises.readlink('/proc/self/ns/pid').catch(() => ''),
    fs.promises.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
  ]);
  // The second field is the program's name in brackets and may hold spaces; then come the state and, 19 later, the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isGone = fields[0] === 'Z' || fields[0] === 'X';
  const started = isGone ? '' : (fields[19] ?? '');
  return { pid, place: `${hostname()} ${boot.trim()} ${space}`, started };
}

function parseOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Partial<Owner>;
    if (typeof owner.pid !== 'number' || typeof owner.place !== 'string' || typeof owner.started !== 'string')
      return null;
    return { pid: owner.pid, place: owner.place, started: owner.started };
  } catch {
    // Not ours, or torn when its writer died: the file's age decides.
    return null;
  }
}

/** The result, or null when the file or folder is not there (any more). */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The system's code for an error, such as ENOENT; '' when it has none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
