/** Started by another user, Luneta says whose the data is and what to do; it begins no empty database beside it and takes nothing. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { refuseDataOfOthers } from '#src/store/embedded/data-owner.ts';

/** Owner of the files. Root hands them to an account; other users own them. */
const real = process.getuid?.() ?? 0;
const SERVICE = real === 0 ? 4_711 : real;
const name = real === 0 ? 'the user with the number 4711' : userInfo().username;
const POSTGRES = { name: 'postgres', uid: 4_712, gid: 4_712 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'luneta-owner-'));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

function makeData(home: string, mode = 0o700): string {
  const path = join(folder, home);
  for (const each of [path, join(path, 'postgres-18')]) {
    mkdirSync(each, { recursive: true });
    chmodSync(each, mode);
    if (real === 0) chownSync(each, SERVICE, SERVICE);
  }
  return path;
}

function as(uid: number): void {
  jest.spyOn(process, 'getuid').mockReturnValue(uid);
}

const state = (path: string) =>
  readdirSync(path, { recursive: true }).map((each) => statSync(join(path, String(each))).uid);

/** What was said; null when the start may go on. Nothing is made, and nothing given away. */
async function said(chosen: string, elsewhere: string[] = [], account: typeof POSTGRES | null = null) {
  const before = state(folder);
  const message = await refuseDataOfOthers({ chosen, elsewhere, account }).then(
    () => null,
    (error: Error) => error.message,
  );
  expect(state(folder)).toEqual(before);
  return message;
}

it('allows the creator of the data, and a start without data', async () => {
  const home = makeData('.luneta');
  as(SERVICE);
  expect(await said(home, [home, join(folder, 'nothing')])).toBeNull();
  as(999);
  expect(await said(join(folder, 'new'), [join(folder, 'nothing')])).toBeNull();
});

it('sends another user to the one who started it', async () => {
  const home = makeData('.luneta', 0o755);
  as(999);
  expect(await said(home)).toBe(
    `Luneta has its data in ${home}, started by ${name}. Start it as ${name}, or set DATABASE_URL to your own PostgreSQL server.`,
  );
});

it('takes nothing from a service account when root starts it', async () => {
  const home = makeData('.luneta');
  as(0);
  expect(await said(home, [], POSTGRES)).toContain(`Start it as ${name}, or`);
});

it('lets root go on with what its account owns', async () => {
  const home = makeData('.luneta');
  as(0);
  expect(await said(home, [], { ...POSTGRES, uid: SERVICE })).toBeNull();
});

it('begins no empty database beside the data', async () => {
  const home = makeData('.luneta', 0o755);
  const chosen = join(folder, 'home/.local/share/luneta/x');
  as(999);
  const message = await said(chosen, [join(folder, 'nothing'), home]);
  expect(message).toContain(`Luneta has its data in ${home}, started by ${name}.`);
  expect(message).toMatch(/Starting as the user with the number 999 would begin an empty one in \S+luneta\/x\./);
});

it('says how to get files back that were given away', async () => {
  const home = makeData('.luneta', 0o755);
  if (real === 0) chownSync(home, 999, 999);
  as(real === 0 ? 999 : SERVICE);
  const message = await said(home);
  // Only root can give files away.
  if (real === 0) expect(message).toContain(`sudo chown -R 999 ${home}`);
  else expect(message).toBeNull();
});
