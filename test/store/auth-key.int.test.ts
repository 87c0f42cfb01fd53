/** The key of an installation without AUTH_SECRET: a file beside its data, and never a row. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptAuthKey } from '#src/store/auth-key.ts';
import { createDatabase, useDatabase } from '#test/kit/database.ts';

const database = useDatabase();
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'luneta-key-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const stored = () => database.query(`select value from secrets where name = 'auth'`);
const store = (value: string) =>
  database.query(`insert into secrets (name, value, created_at) values ('auth', $1, '2026-01-01Z')`, [value]);

it('is made once, also by several at a time and before there are tables', async () => {
  const empty = await createDatabase({ migrated: false });
  const made = await Promise.all([1, 2, 3].map(() => keptAuthKey(home, empty.url)));
  expect(new Set(made.map(({ current }) => current)).size).toBe(1);
  expect(made[0]?.current).toMatch(/^[\w-]{64}$/);
  expect(await keptAuthKey(home, database.url)).toEqual(made[0]);
  expect(await stored()).toEqual([]);
  await empty.drop();
});

it('moves out of the database, into a file of its owner alone', async () => {
  const key = 'k'.repeat(64);
  await store(key);
  const { current, previous, path } = await keptAuthKey(home, database.url);
  expect([current, previous]).toEqual([key, undefined]);
  expect(readFileSync(path, 'utf8')).toBe(`${key}\n`);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await stored()).toEqual([]);
});

it('still reads what data signed that came with another key', async () => {
  writeFileSync(join(home, 'auth-secret'), `${'n'.repeat(64)}\n`);
  const older = 'o'.repeat(64);
  await store(older);
  expect(await keptAuthKey(home, database.url)).toMatchObject({ current: 'n'.repeat(64), previous: older });
  expect(await stored()).toEqual([]);
});
