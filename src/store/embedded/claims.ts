/**
 * Reference count of processes that use the embedded PostgreSQL (the server, a backup beside it, a test run): one small file each. The
 * last one to leave stops it. Claims of dead processes are ignored.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, isMissing, startMark } from './postmaster.ts';

export interface Claim {
  /** Gives the claim back; true when no other process holds one. */
  release(): Promise<boolean>;
}

let made = 0;

/** Notes that this process uses what lives in `home`. */
export async function claim(home: string): Promise<Claim> {
  const folder = join(home, 'users');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  made += 1;
  const file = join(folder, `${process.pid}.${made}`);
  await writeFile(file, startMark(process.pid));
  return {
    async release() {
      await rm(file, { force: true });
      return !(await hasLiveClaims(folder));
    },
  };
}

async function hasLiveClaims(folder: string): Promise<boolean> {
  let live = false;
  for (const name of await readdir(folder)) {
    const pid = Number.parseInt(name, 10);
    const mark = await readFile(join(folder, name), 'utf8').catch((error) => {
      if (isMissing(error)) return null; // released meanwhile
      throw error;
    });
    if (mark === null) continue;
    if (isAlive(pid) && startMark(pid) === mark) live = true;
    else await rm(join(folder, name), { force: true });
  }
  return live;
}
