/**
 * Signing key of an installation with the embedded database and without AUTH_SECRET: a file with mode 0600, beside
 * the data and never in it, so that a dump or a backup grants no access.
 */
import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { isMissing } from './embedded/postmaster.ts';
import { withSettings } from './session-settings.ts';

const FILE = 'auth-secret';

export interface AuthKey {
  current: string;
  /** A previous key that still verifies: of restored data. */
  previous: string | undefined;
  path: string;
}

/** Reads the key, or makes it. One that earlier versions kept in the database is moved into the file. */
export async function keptAuthKey(home: string, databaseUrl: string): Promise<AuthKey> {
  const path = join(home, FILE);
  const client = new Client(withSettings(databaseUrl, null));
  client.on('error', () => undefined); // the query rejects with it
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ is: boolean }>(`select to_regclass('secrets') is not null as is`);
    const stored = tables[0]?.is
      ? (await client.query<{ value: string }>(`select value from secrets where name = 'auth'`)).rows[0]?.value
      : undefined;
    let lines = await readLines(path);
    if (lines.length === 0) {
      await writeOnce(path, [stored ?? randomBytes(48).toString('base64url')]);
      lines = await readLines(path);
    }
    if (stored !== undefined && !lines.includes(stored)) {
      await replace(path, [lines[0] as string, stored]);
      lines = await readLines(path);
    }
    // Only now: a crash before this leaves the key in both places, never in none.
    if (stored !== undefined) await client.query(`delete from secrets where name = 'auth' and value = $1`, [stored]);
    await chmod(path, 0o600);
    return { current: lines[0] as string, previous: lines[1], path };
  } finally {
    await client.end();
  }
}

async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (isMissing(error)) return '';
    throw error;
  });
  return text.split('\n').filter((line) => line !== '');
}

/** Appears whole and on disk. Of two processes the first one wins. */
async function writeOnce(path: string, lines: string[]): Promise<void> {
  const unfinished = await write(path, lines);
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function replace(path: string, lines: string[]): Promise<void> {
  const unfinished = await write(path, lines);
  await rename(unfinished, path);
}

async function write(path: string, lines: string[]): Promise<string> {
  const unfinished = `${path}.tmp-${process.pid}-${randomBytes(3).toString('hex')}`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(`${lines.join('\n')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return unfinished;
}
