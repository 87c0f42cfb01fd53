/**
 * Real PostgreSQL for a test file: `const database = useDatabase();` at the top of it (or of a describe) gives it a fresh clone of
 * the migrated template, emptied again after each test.
 */
import type { QueryResultRow } from 'pg';
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
  let seeds: Seed[] = [];
  const database: TestDatabase = {
    get url() {
      return url();
    },
    query: (text, values) => withClient(url(), async (client) => (await client.query(text, values)).rows),
    truncate: () => truncateAll(url(), seeds),
  };
  beforeAll(async () => {
    await cloneTemplate(name);
    seeds = await readSeeds(url());
  });
  if (options.between !== 'nothing') afterEach(() => database.truncate());
  afterAll(async () => {
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

/** Rows that the migrations themselves wrote into a table. */
interface Seed {
  table: string;
  rows: string;
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
    await client.query(`create database ${clone} template ${template}`);
  });
}

async function readSeeds(url: string): Promise<Seed[]> {
  return withClient(url, async (client) => {
    const seeds: Seed[] = [];
    for (const table of await tablesOf(client)) {
      const { rows } = await client.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${table} t`);
      if (rows[0]?.rows) seeds.push({ table, rows: rows[0].rows });
    }
    return seeds;
  });
}

async function truncateAll(url: string, seeds: Seed[]): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('begin');
    await client.query(`truncate ${(await tablesOf(client)).join(', ')} restart identity cascade`);
    for (const { table, rows } of seeds) {
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [rows]);
    }
    await client.query('commit');
  });
}

/** All tables but knex's own; partitions come with their parents. */
async function tablesOf(client: { query(text: string): Promise<{ rows: { name: string }[] }> }): Promise<string[]> {
  const { rows } = await client.query(
    `select c.oid::regclass::text as name
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'knex_%'
      order by 1`,
  );
  return rows.map(({ name }) => name);
}
