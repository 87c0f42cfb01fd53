/**
 * The PostgreSQL of a test run. With DATABASE_URL set it is that server, on which databases of our own are made and dropped and
 * the named one is never written; else one embedded server, shared by runs that overlap.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadConfig } from '#src/config.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { migrate } from '#src/store/db.ts';
import { startEmbedded } from '#src/store/embedded/embedded.ts';

/** Nothing in a test database needs to survive a crash of the machine. */
const fast = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '256MB',
  autovacuum: 'off',
};

export interface TestServer {
  /** Address through which databases are made. */
  adminUrl: string;
  /** Name of the migrated database that others are cloned from. */
  template: string;
  stop(): Promise<void>;
}

/** Starts or finds the server and makes the template. */
export async function startTestServer(root: string): Promise<TestServer> {
  const given = process.env['DIRECT_DATABASE_URL'] || process.env['DATABASE_URL'];
  const log = createLog('warn');
  if (given) {
    const template = await makeTemplate(given, `luneta_template_${process.pid}`);
    return { adminUrl: given, template, stop: () => dropDatabase(given, template) };
  }
  const embedded = await startEmbedded({ root, folder: 'test', log, clock: systemClock, settings: fast });
  // The letter distinguishes a hash, which may be digits alone, from the id of a process, whose databases are removed with it.
  const template = await makeTemplate(embedded.url, `luneta_template_h${schemaHash(root)}`);
  return { adminUrl: embedded.url, template, stop: () => embedded.stop() };
}

/** Runs `work` with a client of its own. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Address of another database of the same server. */
export function urlOfDatabase(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`update pg_database set datistemplate = false where datname = $1 and datistemplate`, [name]);
    await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
  });
}

/** The mark of a finished template is its flag: one that was interrupted is made again. */
async function makeTemplate(adminUrl: string, name: string): Promise<string> {
  await withClient(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock(761204, hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (rowCount === 1) return;
    const identifier = client.escapeIdentifier(name);
    await client.query(`drop database if exists ${identifier} with (force)`);
    await client.query(`create database ${identifier}`);
    const config = loadConfig({ DATABASE_URL: urlOfDatabase(adminUrl, name), PUBLIC_APP_URL: 'http://localhost:3000' });
    await migrate(config, createLog('warn'));
    await client.query(`alter database ${identifier} with is_template true`);
  });
  return name;
}

function schemaHash(root: string): string {
  const folder = join(root, 'src/store/migrations');
  const others = ['src/store/migrations.ts', 'src/store/db.ts'].map((path) => join(root, path));
  const files = [...readdirSync(folder).map((name) => join(folder, name)), ...others];
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
