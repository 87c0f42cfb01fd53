/** A role, as another's PostgreSQL may have it, whose defaults lose what is acknowledged, end every statement, or read otherwise. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { Pool } from 'pg';
import request from 'supertest';
import { createLog } from '#src/kit/log.ts';
import { jobConnection, migrate, openDb, openDirect, openSessionPool, openWritePool } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import { createDatabase } from '#test/kit/database.ts';
import { testConfig } from '#test/kit/deps.ts';
import { withClient } from '#test/kit/server.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const HOSTILE: Record<string, string[]> = {
  synchronous_commit: ['off', 'local'],
  statement_timeout: ['20ms', '1ms'],
  lock_timeout: ['1ms', '20ms'],
  idle_in_transaction_session_timeout: ['1ms', '20ms'],
  idle_session_timeout: ['20ms', '50ms'],
  default_transaction_read_only: ['on'],
  default_transaction_isolation: ['serializable', 'repeatable read'],
  timezone: ['Pacific/Kiritimati', 'America/St_Johns'],
  datestyle: ['German', 'SQL, DMY', 'Postgres, MDY'],
  intervalstyle: ['iso_8601', 'sql_standard'],
  search_path: ['pg_catalog', 'nowhere'],
  bytea_output: ['escape'],
  extra_float_digits: ['-10'],
};
/** Of every connection. */
const WANTED = {
  synchronous_commit: 'on',
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read committed',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  search_path: 'public',
  bytea_output: 'hex',
  extra_float_digits: '1',
  idle_session_timeout: '0',
};
const limits = (ms: number) => ({
  statement_timeout: String(ms),
  lock_timeout: String(ms),
  idle_in_transaction_session_timeout: String(2 * ms),
});
const log = createLog('silent');

/** Each kind of connection, with its longest statement in milliseconds, and that behind a pooler. */
const KINDS: Record<string, { open(config: Addresses): Opened; ms: number; pooledMs: number }> = {
  screens: { open: (config) => knexOf(openDb(config, log)), ms: 10_000, pooledMs: 10_000 },
  collection: { open: (config) => poolOf(openWritePool(config, log)), ms: 5_000, pooledMs: 10_000 },
  'sign-in sessions': { open: (config) => poolOf(openSessionPool(config, log)), ms: 2_000, pooledMs: 10_000 },
  jobs: { open: (config) => poolOf(new Pool(jobConnection(config))), ms: 0, pooledMs: 0 },
  'migrations, backup, erasure, notices': { open: directOf, ms: 0, pooledMs: 0 },
};

type Addresses = Parameters<typeof openDirect>[0];
interface Opened {
  settings(): Promise<Record<string, string>>;
  close(): Promise<unknown>;
}

const names = [...Object.keys(WANTED), ...Object.keys(limits(0))];
const asked = sql`select name, setting from pg_settings where name = any(${names})`;
const asRecord = (rows: { name: string; setting: string }[]) =>
  Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));

function knexOf(db: Knex): Opened {
  return { settings: async () => asRecord(await query(db, asked)), close: () => db.destroy() };
}

function poolOf(pool: Pool): Opened {
  return { settings: async () => asRecord(await query(pool, asked)), close: () => pool.end() };
}

function directOf(config: Addresses): Opened {
  const client = openDirect(config);
  const connected = client.connect();
  return {
    async settings() {
      await connected;
      return asRecord(await query(client, asked));
    },
    close: () => client.end(),
  };
}

/** A database that the role owns; the role has each setting at a value of its list, by chance. */
async function hostile(): Promise<{ url: string; drop(): Promise<void> }> {
  const database = await createDatabase({ migrated: false });
  const role = `luneta_hostile_${randomBytes(4).toString('hex')}`;
  const address = new URL(database.url);
  const name = decodeURIComponent(address.pathname.slice(1));
  await withClient(database.url, async (client) => {
    await client.query(`create role ${role} login superuser password 'test'`);
    await client.query(`alter database ${client.escapeIdentifier(name)} owner to ${role}`);
    for (const [setting, values] of Object.entries(HOSTILE)) {
      const value = values[randomBytes(1).readUInt8() % values.length] as string;
      await client.query(`alter role ${role} set ${setting} = ${client.escapeLiteral(value)}`);
    }
  });
  if (address.searchParams.has('user')) address.searchParams.set('user', role);
  else Object.assign(address, { username: role, password: 'test' });
  return {
    url: address.href,
    async drop() {
      await withClient(database.url, (client) =>
        client.query(`alter database ${client.escapeIdentifier(name)} owner to current_user`),
      );
      await database.drop();
      await withClient(process.env['LUNETA_TEST_ADMIN_URL'] as string, (client) => client.query(`drop role ${role}`));
    },
  };
}

let database: Awaited<ReturnType<typeof hostile>>;
beforeAll(async () => {
  database = await hostile();
  await migrate(testConfig(database.url), log);
});
const whole = useWholeApp({
  get url() {
    return database.url;
  },
  async query(text, values) {
    const client = openDirect({ DATABASE_URL: database.url });
    await client.connect();
    return (await client.query(text, values).finally(() => client.end())).rows;
  },
  truncate: async () => undefined,
});
afterAll(() => database.drop());

it('stores what is posted', async () => {
  const { db } = whole.parts.rooms.deps;
  const [project] = await query<{ token: string }>(
    db,
    sql`select token from project_tokens where project_id = ${whole.project}`,
  );
  const batch = Array.from({ length: 40 }, (_, index) => ({
    event: 'posted',
    distinct_id: `visitor-${index}`,
    properties: {},
  }));
  await request(whole.app).post('/ingest/batch/').send({ api_key: project?.token, batch }).expect(200);
  const [stored] = await query(db, sql`select count(*) as events from events where project_id = ${whole.project}`);
  expect(stored).toEqual({ events: 40 });
});

it.each(Object.entries(KINDS))('%s: sets what the role says otherwise', async (_kind, { open, ms, pooledMs }) => {
  const odd = new URL(database.url);
  odd.searchParams.set('options', '-c synchronous_commit=off -c application_name=kept');
  const pooled = new URL(database.url);
  pooled.searchParams.set('application_name', 'direct');
  const cases: [Addresses, number][] = [
    [{ DATABASE_URL: database.url }, ms],
    [{ DATABASE_URL: odd.href }, ms],
    [{ DATABASE_URL: database.url, DIRECT_DATABASE_URL: pooled.href }, pooledMs],
  ];
  for (const [config, limit] of cases) {
    const opened = open(config);
    expect(await opened.settings()).toEqual({ ...WANTED, ...limits(limit) });
    await opened.close();
  }
});
