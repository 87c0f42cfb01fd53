/**
 * Real PostgreSQL for a test file: `const database = useDatabase();` at the top of it (or of a describe) gives it a fresh clone of
 * the migrated template, emptied again after each test.
 */
import { Pool, type PoolClient, type QueryResultRow } from 'pg';
import { dropDatabase, urlOfDatabase, withClient } from './server.ts';

export interface TestDatabase {
  /** Known once the file's `beforeAll` has run. */
  readonly url: string;
  query<Row extends QueryResultRow = QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Empties every table and puts back what the migrations wrote. */
  truncate(): Promise<void>;
}

/**
 * @param options.between what happens after each test: `truncate` (default), or `nothing` for files whose tests build on each other
 */
export function useDatabase(options: { between?: 'truncate' | 'nothing' } = {}): TestDatabase {
  const name = databaseName();
  const url = () => urlOfDatabase(adminUrl(), name);
  let contents: Contents;
  // Connecting costs more than what most tests ask.
  let pool = new Pool();
  const database: TestDatabase = {
    get url() {
      return url();
    },
    query: async (text, values) => (await pool.query(text, values)).rows,
    truncate: () => withPooled(pool, (client) => empty(client, contents)),
  };
  beforeAll(async () => {
    await cloneTemplate(name);
    pool = new Pool({ connectionString: url(), max: 20, connectionTimeoutMillis: 10_000 });
    pool.on('error', () => undefined); // the server of a test may be killed: the next query connects again
    contents = await withPooled(pool, readContents);
  });
  if (options.between !== 'nothing') afterEach(() => database.truncate());
  afterAll(async () => {
    await pool.end();
    if (process.env['KEEP_DB'] !== '1') await dropDatabase(adminUrl(), name);
  });
  return database;
}

/** A database of one test's own, for tests of starting and migrating. It goes with the run. */
export async function createDatabase(options: { migrated: boolean }): Promise<{ url: string; drop(): Promise<void> }> {
  const name = databaseName();
  if (options.migrated) await cloneTemplate(name);
  else await withClient(adminUrl(), (client) => client.query(`create database ${client.escapeIdentifier(name)}`));
  return { url: urlOfDatabase(adminUrl(), name), drop: () => dropDatabase(adminUrl(), name) };
}

/** What emptying a database needs to know of it. */
interface Contents {
  /** All tables but knex's own; partitions come with their parents. */
  tables: string[];
  /** Rows that the migrations themselves wrote, as statements. */
  seeds: string[];
  /** Only a superuser may, as we are on our own server. */
  mayPassOverTriggers: boolean;
}

let made = 0;

function databaseName(): string {
  made += 1;
  return `luneta_test_${setting('LUNETA_TEST_RUN')}_${process.pid}_${process.env['JEST_WORKER_ID']}_${made}`;
}

function adminUrl(): string {
  return setting('LUNETA_TEST_ADMIN_URL');
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`Name this file *.int.test.ts or *.browser.test.ts: only those get a database (no ${name}).`);
  return value;
}

async function cloneTemplate(name: string): Promise<void> {
  await withClient(adminUrl(), async (client) => {
    const [clone, template] = [name, setting('LUNETA_TEST_TEMPLATE')].map((text) => client.escapeIdentifier(text));
    await client.query(`drop database if exists ${clone} with (force)`);
    // Copying files is half of the work of writing each page into the log as well.
    await client.query(`create database ${clone} template ${template} strategy file_copy`);
  });
}

async function readContents(client: PoolClient): Promise<Contents> {
  const tables = await tablesOf(client);
  const each = tables.map((table, at) => `select ${at} as at, (select json_agg(t)::text from ${table} t) as rows`);
  const { rows } = await client.query<{ at: number; rows: string | null }>(`${each.join(' union all ')} order by 1`);
  const seeds = rows.flatMap(({ at, rows: written }) => {
    const table = tables[at];
    if (written === null) return [];
    const json = client.escapeLiteral(written);
    return [`insert into ${table} select * from json_populate_recordset(null::${table}, ${json})`];
  });
  return { tables, seeds, mayPassOverTriggers: await mayPassOverTriggers(client) };
}

/** Waits for whoever still writes, as `truncate` would. In one statement of many: half of what it took was going to and fro. */
async function empty(client: PoolClient, { tables, seeds, mayPassOverTriggers }: Contents): Promise<void> {
  const emptied = mayPassOverTriggers
    ? [`lock table ${tables} in share row exclusive mode`, EMPTY_WRITTEN]
    : [`truncate ${tables} restart identity cascade`];
  try {
    await client.query(['begin', ...emptied, ...seeds, 'commit'].join(';\n'));
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * What `truncate … restart identity` of everything would leave, for a hundredth of the work: a test writes to few tables, and few
 * rows. What has pages was written to; a large table is truncated all the same.
 */
const EMPTY_WRITTEN = `
  do $$
  declare written record;
  begin
    set local session_replication_role = replica;
    for written in
      select c.oid::regclass as name, pg_relation_size(c.oid) > 1048576 as large
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind = 'r' and c.relname not like 'knex_%' and pg_relation_size(c.oid) > 0
    loop
      if written.large then
        execute format('truncate %s cascade', written.name);
      else
        execute format('delete from only %s', written.name);
      end if;
    end loop;
    perform setval(s.seqrelid, s.seqstart, false)
       from pg_sequence s
       join pg_class c on c.oid = s.seqrelid
       join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relname not like 'knex_%' and pg_sequence_last_value(s.seqrelid) is not null;
  end $$`;

async function mayPassOverTriggers(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    'select rolsuper as may from pg_roles where rolname = current_user',
  );
  return rows[0]?.may === true;
}

async function withPooled<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

async function tablesOf(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'knex_%'
      order by 1`,
  );
  return rows.map(({ name }) => name);
}
