/**
 * Detects a start by another user than before, which would create an empty database beside the existing one, or
 * change the owner of its files. The start is refused, and nothing is touched.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '../../kit/errors.ts';
import type { Account } from './account.ts';

export interface OwnerCheck {
  /** Data folder of this start. */
  chosen: string;
  /** Data folders of starts by other users. */
  elsewhere: readonly string[];
  account: Account | null;
}

interface Data {
  home: string;
  /** User id of that start. */
  starter: number;
  /** User id that owns the database files; null when not readable. */
  owner: number | null;
}

/** @throws AppError `unavailable`, with the user to start as, or the command that gives the files to this one */
export async function refuseDataOfOthers({ chosen, elsewhere, account }: OwnerCheck): Promise<void> {
  if (process.getuid === undefined) return;
  const us = process.getuid();
  const here = await findData(chosen);
  if (here !== null) {
    const ours = account === null ? [us] : [account.uid, us];
    if (here.owner !== null && ours.includes(here.owner) && (here.starter === us || account !== null)) return;
    throw await refusal(here, us);
  }
  for (const other of elsewhere) {
    const data = other === chosen ? null : await findData(other);
    if (data !== null) throw await refusal(data, us, chosen);
  }
}

/** Null when there is none, or none that can be seen. */
async function findData(home: string): Promise<Data | null> {
  const folder = await stat(home).catch(() => null);
  if (folder === null || !folder.isDirectory()) return null;
  const names = await readdir(home).catch(() => null);
  // Closed to us: made by another user, for this purpose.
  if (names === null) return { home, starter: folder.uid, owner: null };
  const name = names.find((each) => /^postgres-\d+$/.test(each));
  const data = name === undefined ? null : await stat(join(home, name)).catch(() => null);
  return data === null ? null : { home, starter: folder.uid, owner: data.uid };
}

async function refusal({ home, starter, owner }: Data, us: number, chosen?: string): Promise<Error> {
  const names = await userNames();
  const nameOf = (uid: number) => names.get(uid) ?? `the user with the number ${uid}`;
  // The folder is ours and what is in it is not: someone else was given the files meanwhile.
  if (starter === us && owner !== null) {
    return unavailable(
      `The data in ${home} belongs to ${nameOf(owner)}: give it back with "sudo chown -R ${names.get(us) ?? us} ${home}", then start again.`,
    );
  }
  const beside = chosen === undefined ? '' : ` Starting as ${nameOf(us)} would begin an empty one in ${chosen}.`;
  return unavailable(
    `Luneta has its data in ${home}, started by ${nameOf(starter)}.${beside} Start it as ${nameOf(starter)}, or set DATABASE_URL to your own PostgreSQL server.`,
  );
}

/** The data folders below the homes of all users, as far as they can be seen: that of a user who could not write beside the program. */
export async function homesOfUsers(below: string): Promise<string[]> {
  const lines = (await readPasswd()).map((line) => line.split(':')[5] ?? '');
  return [...new Set(lines.filter((home) => home.length > 1))].map((home) => join(home, below));
}

async function userNames(): Promise<Map<number, string>> {
  return new Map(
    (await readPasswd()).flatMap((line) => {
      const [name = '', , uid = ''] = line.split(':');
      return name === '' || uid === '' ? [] : [[Number(uid), name] as const];
    }),
  );
}

async function readPasswd(): Promise<string[]> {
  return (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').reverse();
}
