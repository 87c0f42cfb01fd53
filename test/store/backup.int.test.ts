import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fixedClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { type BackupOptions, backup, restore } from '#src/store/backup.ts';
import { migrationSource } from '#src/store/migrations.ts';
import { createDatabase, useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, testConfig } from '#test/kit/deps.ts';
import { withClient } from '#test/kit/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'luneta-backup-'));
const file = join(folder, 'luneta.gz');
afterAll(() => rmSync(folder, { recursive: true }));

function options(url: string): BackupOptions {
  return { config: testConfig(url), log: createLog('silent'), clock: fixedClock(TEST_TIME) };
}

/** A megabyte of rows, which comes in many pieces. */
const EVENTS = 4_000;

/** Text that COPY has to escape, and a backslash-dot that could be taken for the end of a table. */
const hard = ['\\.', 'tab\tnewline\ncarriage\r', '\\N', 'ação 🔭', '', '"quoted"'];

describe('backup and restore', () => {
  const database = useDatabase({ between: 'nothing' });

  beforeAll(async () => {
    await withClient(database.url, async (client) => {
      await client.query(
        `create table events_2026_11 partition of events for values from ('2026-11-01Z') to ('2026-12-01Z')`,
      );
      await client.query('create table event_uuids_w2968 partition of event_uuids for values in (2968)');
      await client.query(
        `insert into projects (name, settings, created_at) select t, jsonb_build_object('x', t), '2026-01-01Z' from unnest($1::text[]) t`,
        [hard],
      );
      await client.query(`insert into project_tokens values ('lnt_1', 1, null, '2026-01-01Z')`);
      await client.query(
        `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, epoch, marks, properties)
         select '2026-11-19Z'::timestamptz + n * interval '1 second', '2026-11-19Z', gen_random_uuid(), 1, n, n, 1, 1, 0,
                jsonb_build_object('text', repeat(md5(n::text), 4), 'n', n / 3.0)
           from generate_series(1, ${EVENTS}) n`,
      );
      await client.query(`insert into event_uuids select 1, uuid, 2968 from events`);
      await client.query('update ingest_epochs set current = 7');
      await client.query(`insert into secrets (name, value, created_at) values ('auth', 'the key', '2026-01-01Z')`);
      await client.query(`insert into sign_in_sessions (sid, sess, expire) values ('a sign-in', '{}', '2027-01-01Z')`);
    });
    await backup(file, options(database.url));
  });

  it('does not replace what is no file', async () => {
    const place = join(folder, 'a folder');
    mkdirSync(place);
    await expect(backup(place, options(database.url))).rejects.toMatchObject({ code: 'invalid', field: 'file' });
    expect(statSync(place).isDirectory()).toBe(true);
    expect(existsSync(`${place}.unfinished`)).toBe(false);
  });

  it('gives back every row, partition and number', async () => {
    const target = await createDatabase({ migrated: false });
    const rows = await restore(file, options(target.url));
    expect(rows).toMatchObject({
      projects: 6,
      project_tokens: 1,
      events: EVENTS,
      event_uuids: EVENTS,
      ingest_epochs: 1,
    });
    for (const question of [
      'select * from projects order by id',
      'select * from ingest_epochs',
      'select tableoid::regclass::text as partition, md5(string_agg(e::text, chr(10) order by ts)) from events e group by 1',
      'select count(*), md5(string_agg(uuid::text, chr(10) order by uuid)) from event_uuids',
    ]) {
      expect(await withClient(target.url, async (client) => (await client.query(question)).rows)).toEqual(
        await database.query(question),
      );
    }
    const [next] = await withClient(target.url, async (client) => {
      const { rows } = await client.query(
        `insert into projects (name, created_at) values ('next', '2026-01-01Z') returning id`,
      );
      return rows;
    });
    expect(next).toEqual({ id: 7 });
    await target.drop();
  });

  it('signs nobody in, and is for its owner alone', () => {
    const text = gunzipSync(readFileSync(file)).toString();
    expect(text).not.toContain('the key');
    expect(text).not.toContain('a sign-in');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is a text that says what it is', async () => {
    const migrations = await migrationSource.getMigrations([]);
    const [first, second] = gunzipSync(readFileSync(file)).toString().split('\n', 2) as [string, string];
    expect(JSON.parse(first)).toMatchObject({
      luneta: 'backup',
      version: 1,
      madeAt: TEST_TIME,
      migrations: migrations.map((migration) => migrationSource.getMigrationName(migration)),
    });
    expect(JSON.parse(second)).toHaveProperty('table');
  });

  it('refuses a database that holds tables', async () => {
    await expect(restore(file, options(database.url))).rejects.toMatchObject({ code: 'conflict' });
  });

  /** All into one database, which each must leave as it found it. */
  describe('a file', () => {
    let target: Awaited<ReturnType<typeof createDatabase>>;
    beforeAll(async () => {
      target = await createDatabase({ migrated: false });
    });
    afterAll(() => target.drop());

    it.each([
      // Refused before there is a table.
      [
        'comes from a newer version',
        () => gzipSync(gunzipSync(readFileSync(file)).toString().replace('0001-foundation', '9999-future')),
      ],
      ['is something else', () => gzipSync('{"hello":"world"}\n')],
      ['is not even compressed', () => Buffer.from('hello')],
      ['is cut off inside the compression', () => readFileSync(file).subarray(0, 50_000)],
      ['is cut off inside a table', () => gzipSync(gunzipSync(readFileSync(file)).subarray(0, 200_000))],
      ['lost its last line', () => gzipSync(withoutLastLine(gunzipSync(readFileSync(file))))],
      [
        'lost rows',
        () =>
          gzipSync(
            gunzipSync(readFileSync(file))
              .toString()
              .replace(/\n1\t[^\n]*lnt_1[^\n]*|\nlnt_1[^\n]*/, ''),
          ),
      ],
      [
        'holds a row that is none',
        () => gzipSync(gunzipSync(readFileSync(file)).toString().replace('lnt_1', 'lnt_1\t')),
      ],
      [
        'names another partition',
        () => gzipSync(gunzipSync(readFileSync(file)).toString().replace('IN (2968)', 'IN (2968); drop table events')),
      ],
    ])('that %s is refused, and restores nothing', async (_, damaged) => {
      const path = join(folder, 'damaged.gz');
      writeFileSync(path, damaged());
      await expect(restore(path, options(target.url))).rejects.toMatchObject({ name: 'AppError', code: 'invalid' });
      const held = await withClient(target.url, async (client) => {
        const { rows } = await client.query(`select to_regclass('events') is not null as tables`);
        if (!rows[0].tables) return [];
        return (
          await client.query('select from projects union all select from events union all select from event_uuids')
        ).rows;
      });
      expect(held).toEqual([]);
    });

    it('that is whole is restored after all of them', async () => {
      expect(await restore(file, options(target.url))).toMatchObject({ events: EVENTS });
    });
  });

  it('says so when there is no such file', async () => {
    const target = await createDatabase({ migrated: false });
    await expect(restore(join(folder, 'none.gz'), options(target.url))).rejects.toThrow(/File not found: .*none\.gz/);
    await target.drop();
  });
});

function withoutLastLine(text: Buffer): Buffer {
  return text.subarray(0, text.lastIndexOf('\n', text.length - 2) + 1);
}
