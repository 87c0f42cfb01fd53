/**
 * Home folder of the embedded PostgreSQL. Beside the program (`.luneta/`) when its account can access that; else, as in a
 * clone inside root's private home, under /var/lib/luneta, with a copy of the binaries; else in the user's data folder.
 */
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { unavailable } from '../../kit/errors.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { homesOfUsers, refuseDataOfOthers } from './data-owner.ts';
import { isMissing } from './postmaster.ts';

/** Fallback for accounts that cannot access the program's folder. */
const SYSTEM_HOME = '/var/lib/luneta';

export interface Place {
  /** Holds everything below. */
  home: string;
  /** Programs that the account can run. */
  bin: string;
  /** Folder of the unix socket, private to the account. */
  run: string;
  /** PostgreSQL's log. */
  logFile: string;
  /** Environment of its processes. */
  env: NodeJS.ProcessEnv;
}

/** Makes the folders, gives them to the account and makes the programs reachable. Doing it again changes nothing. */
export async function preparePlace(
  root: string,
  binaries: Binaries,
  account: Account | null,
  wanted: { home?: string | undefined; folder?: string | undefined } = {},
): Promise<Place> {
  const chosen = join(wanted.home ?? (await chooseHome(root, account)), wanted.folder ?? '');
  const elsewhere = wanted.home === undefined ? await otherHomes(root, wanted.folder) : [];
  await refuseDataOfOthers({ chosen, elsewhere, account });
  await mkdir(chosen, { recursive: true });
  // One spelling for one folder: a running server is recognised by the path it was started with.
  const home = await realpath(chosen);
  // Another account has to pass through, to the folders that are its own; it need not see what else is here.
  await chmod(home, account ? 0o711 : 0o700);
  // A restrictive umask would make the folder inaccessible.
  if (account && dirname(home) === SYSTEM_HOME) await chmod(SYSTEM_HOME, 0o711);
  const native = binaries.native && (await reachableNative(binaries.native, account));
  const libraries = native === null ? [] : [await makeLinks(home, native, binaries.links), join(native, 'lib')];
  return {
    home,
    bin: native === null ? binaries.bin : join(native, 'bin'),
    run: await makeSocketFolder(home, account),
    logFile: join(home, 'postgres.log'),
    env: processEnvironment(libraries),
  };
}

/** Changes the owner of a folder to the account, recursively when it had another owner. */
export async function giveTo(path: string, account: Account | null): Promise<void> {
  if (!account) return;
  const { uid, gid } = await lstat(path);
  if (uid === account.uid && gid === account.gid) return;
  await chown(path, account.uid, account.gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const entry of await readdir(path)) await giveTo(join(path, entry), account);
}

/** Everywhere where a start by another user may have put its data. */
async function otherHomes(root: string, folder = ''): Promise<string[]> {
  const below = join('.local/share/luneta', shortHash(root));
  const homes = [join(root, '.luneta'), join(SYSTEM_HOME, shortHash(root)), ...(await homesOfUsers(below))];
  return homes.map((home) => join(home, folder));
}

async function chooseHome(root: string, account: Account | null): Promise<string> {
  const beside = join(root, '.luneta');
  if (account) {
    return (await canReach(root, account)) ? beside : join(SYSTEM_HOME, shortHash(root));
  }
  return (await isWritable(root)) ? beside : join(homedir(), '.local/share/luneta', shortHash(root));
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** True when the account may enter every folder on the way to `path`, and read and enter or run `path` itself. */
async function canReach(path: string, account: Account): Promise<boolean> {
  const wanted = resolve(path);
  for (let at = wanted; ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    const needed = at === wanted ? 0o5 : 0o1;
    if (((mode >> shift) & needed) !== needed) return false;
    if (at === dirname(at)) return true;
  }
}

/** The package's programs, or a copy of them where the account can run them. */
async function reachableNative(native: string, account: Account | null): Promise<string> {
  if (!account || (await canReach(join(native, 'bin', 'postgres'), account))) return native;
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as { version: string };
  const copy = join(SYSTEM_HOME, `programs-${version}`);
  const exists = await stat(copy).catch(ignoreMissing);
  if (exists) return copy;
  const unfinished = `${copy}.tmp-${process.pid}-${randomBytes(3).toString('hex')}`;
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await openToAll(unfinished);
  await rename(unfinished, copy).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    return rm(unfinished, { recursive: true }); // another process was faster
  });
  return copy;
}

async function openToAll(path: string): Promise<void> {
  const entry = await lstat(path);
  if (entry.isSymbolicLink()) return;
  await chmod(path, entry.isDirectory() || entry.mode & 0o100 ? 0o755 : 0o644);
  if (!entry.isDirectory()) return;
  for (const name of await readdir(path)) await openToAll(join(path, name));
}

/** Creates missing or wrong links. Replaced atomically, because another process may be loading by them. */
async function makeLinks(home: string, native: string, links: Binaries['links']): Promise<string> {
  const folder = join(home, 'lib');
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  for (const { name, file } of links) {
    const link = join(folder, name);
    const target = join(native, 'lib', file);
    if ((await readlink(link).catch(ignoreMissing)) === target) continue;
    const made = `${link}.tmp-${process.pid}-${randomBytes(3).toString('hex')}`;
    await symlink(target, made);
    await rename(made, link);
  }
  return folder;
}

/** The socket's path must stay below about 100 bytes, so a deep home gets a short one in the temporary folder. */
async function makeSocketFolder(home: string, account: Account | null): Promise<string> {
  const beside = join(home, 'run');
  const run = beside.length <= 80 ? beside : join(tmpdir(), `luneta-${shortHash(home)}`);
  await mkdir(run, { mode: 0o700 }).catch(ignoreExisting);
  const { uid } = await lstat(run);
  const ours = process.getuid?.() ?? uid;
  if (uid !== ours && uid !== account?.uid) {
    throw unavailable(`${run} belongs to another user. Remove it, or set DATABASE_URL.`);
  }
  await chmod(run, 0o700);
  await giveTo(run, account);
  return run;
}

/** Only the variables that PostgreSQL needs: our environment has secrets. */
function processEnvironment(libraries: string[]): NodeJS.ProcessEnv {
  if (process.platform === 'win32') return {};
  const search = libraries.join(':');
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(search === '' ? {} : { LD_LIBRARY_PATH: search, DYLD_LIBRARY_PATH: search }),
  };
}

function shortHash(text: string): string {
  const name = basename(text).replace(/[^\w-]/g, '') || 'luneta';
  return `${name}-${createHash('sha256').update(resolve(text)).digest('hex').slice(0, 10)}`;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function ignoreMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
