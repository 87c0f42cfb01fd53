/**
 * Backup and restore without pg_dump, which the embedded PostgreSQL lacks: every table by COPY, from one
 * snapshot, into one file (format: backup-file.ts), and from it into an empty database. Reads all tables, owns none. graphile-worker's
 * schema is excluded: jobs are scheduled again at the next start.
 */
import { createWriteStream, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Config } from '../config.ts';
import type { Clock } from '../kit/clock.ts';
import { AppError, invalid } from '../kit/errors.ts';
import type { Log } from '../kit/log.ts';
import { type BackupHeader, END_OF_ROWS, openBackup } from './backup-file.ts';
import { isDataError, migrate, openDirect } from './db.ts';
import { migrationSource } from './migrations.ts';

export interface BackupOptions {
  config: Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>;
  log: Log;
  clock: Clock;
  /** Called after each table. */
  onTable?(table: string, rows: number): void;
}

/** Credentials are excluded: sign-in sessions, and the key of an installation without AUTH_SECRET. */
const LEFT_OUT = new Map([
  ['sign_in_sessions', 'false'],
  ['secrets', `name <> 'auth'`],
]);

/** Fixed formats, so that values restore equally regardless of the server's settings. */
const FORMATS = `set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set intervalstyle = 'iso_8601'; set extra_float_digits = 3`;

/**
 * Writes everything into `file`, which appears only when it is whole and on disk.
 *
 * @throws AppError invalid when a folder or a device is there, which would be replaced
 * @returns rows per table
 */
export async function backup(file: string, { config, clock, onTable }: BackupOptions): Promise<Record<string, number>> {
  refuseOthersThanFiles(file);
  const unfinished = `${file}.unfinished`;
  const client = openDirect(config);
  await client.connect();
  try {
    await client.query(FORMATS);
    await beginSnapshot(client);
    const tables = await tablesInOrder(client);
    const gzip = createGzip({ level: 6 });
    const target = createWriteStream(unfinished, { mode: 0o600 });
    gzip.on('error', (error) => target.destroy(error));
    target.on('error', (error) => gzip.destroy(error));
    const written = finished(gzip.pipe(target));
    written.catch(() => undefined); // seen below, or by the write that fails with it
    const header: BackupHeader = {
      luneta: 'backup',
      version: 1,
      madeAt: clock.now(),
      migrations: await migrationsOf(client),
      partitions: await partitionsOf(client),
      sequences: await sequencesOf(client),
    };
    await write(gzip, `${JSON.stringify(header)}\n`);
    const rows: Record<string, number> = {};
    for (const table of tables) {
      const columns = await columnsOf(client, table);
      await write(gzip, `${JSON.stringify({ table, columns })}\n`);
      const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
      // A query, since COPY of a partitioned table itself is not allowed.
      const source = `${client.escapeIdentifier(table)} where ${LEFT_OUT.get(table) ?? 'true'}`;
      const copy = client.query(copyTo(`copy (select ${list} from ${source}) to stdout`));
      for await (const piece of copy) await write(gzip, piece as Buffer);
      await write(gzip, END_OF_ROWS);
      rows[table] = copy.rowCount;
      onTable?.(table, copy.rowCount);
    }
    gzip.end(`${JSON.stringify({ end: true, rows })}\n`);
    await written;
    await syncFile(unfinished);
    await rename(unfinished, file);
    return rows;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await client.end();
  }
}

/** Months of events are dropped by `truncate`, which empties them in earlier snapshots, too: the lock comes first, and holds it off until the end. */
async function beginSnapshot(client: Client): Promise<void> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('events') is not null as known`);
  await client.query('begin transaction isolation level repeatable read read only');
  if (rows[0]?.known) await client.query('lock table events in access share mode');
}

function refuseOthersThanFiles(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw invalid('file', `${path} exists and is not a regular file. Choose another name.`);
  }
}

/**
 * Fills an empty database from `file`, in one transaction, and brings it to the newest schema.
 *
 * @throws AppError conflict when the database holds data; invalid when the file is not a whole backup
 * @returns rows per table
 */
export async function restore(file: string, { config, log, onTable }: BackupOptions): Promise<Record<string, number>> {
  const reader = openBackup(file);
  const client = openDirect(config);
  try {
    const header = await reader.header();
    await client.connect();
    await refuseData(client, header.migrations);
    await migrate(config, log, await sourceOf(header.migrations, file));
    await client.query(FORMATS);
    await client.query('begin');
    await makePartitions(client, header.partitions);
    const tables = (await tablesInOrder(client)).map((table) => client.escapeIdentifier(table));
    await client.query(`truncate ${tables.join(', ')} restart identity cascade`);
    const rows: Record<string, number> = {};
    for (;;) {
      const step = await reader.next();
      if ('end' in step) {
        refuseOtherCounts(step.rows, rows, file);
        break;
      }
      const columns = step.columns.map((column) => client.escapeIdentifier(column)).join(', ');
      const copy = client.query(copyFrom(`copy ${client.escapeIdentifier(step.table)} (${columns}) from stdin`));
      const done = finished(copy);
      done.catch(() => undefined); // seen below, or by the write that fails with it
      for await (const piece of reader.rows()) await write(copy, piece);
      copy.end();
      await done;
      rows[step.table] = copy.rowCount;
      onTable?.(step.table, copy.rowCount);
    }
    for (const { name, last } of header.sequences) await client.query('select setval($1::regclass, $2)', [name, last]);
    // A backup of an earlier version may hold some.
    await client.query('delete from sign_in_sessions');
    await client.query('commit');
    await migrate(config, log);
    return rows;
  } catch (error) {
    if (!isDataError(error)) throw error;
    throw new AppError('invalid', `Backup file ${file} is corrupt. Nothing was restored.`, {
      field: 'file',
      cause: error,
    });
  } finally {
    reader.close();
    await client.end();
  }
}

function write(stream: NodeJS.WritableStream, piece: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

/** The name must not outlive a power cut that the content did not survive. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A database that was migrated and never used is empty too; a restore that failed leaves one. */
async function refuseData(client: Client, migrations: string[]): Promise<void> {
  const { rows } = await client.query<{ tables: number; migrated: boolean }>(
    `select count(*)::int as tables, to_regclass('projects') is not null as migrated from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  if (rows[0]?.tables === 0) return;
  if (rows[0]?.migrated) {
    const { rowCount } = await client.query('select from projects limit 1');
    const isOlder = (await migrationsOf(client)).every((name) => migrations.includes(name));
    if (rowCount === 0 && isOlder) return;
  }
  throw new AppError(
    'conflict',
    'The database is not empty. Restore into an empty database: change DATABASE_URL, or move the embedded database’s ' +
      'data folder away.',
  );
}

/** The migrations that the backup was made with, which must all be known here. */
async function sourceOf(names: string[], file: string): Promise<typeof migrationSource> {
  const known = await migrationSource.getMigrations([]);
  const chosen = known.filter(({ name }) => names.includes(name));
  if (chosen.length !== names.length) {
    throw new AppError('invalid', `${file} was created by a newer version of Luneta. Restore it with that version.`, {
      field: 'file',
    });
  }
  return { ...migrationSource, getMigrations: async () => [...chosen] };
}

/** The bound is SQL text out of a file, so only its known forms pass. */
async function makePartitions(client: Client, partitions: BackupHeader['partitions']): Promise<void> {
  for (const { name, parent, bound } of partitions) {
    if (!/^(DEFAULT|FOR VALUES (FROM \('[^'\\]*'\) TO \('[^'\\]*'\)|IN \((\d+|'[^'\\]*')\)))$/.test(bound)) {
      throw new AppError('invalid', `The backup contains an invalid partition: ${name}.`, { field: 'file' });
    }
    const [table, whole] = [name, parent].map((text) => client.escapeIdentifier(text));
    await client.query(`create table if not exists ${table} partition of ${whole} ${bound}`);
  }
}

function refuseOtherCounts(expected: Record<string, number>, found: Record<string, number>, file: string): void {
  const wrong = Object.keys(expected).filter((table) => expected[table] !== found[table]);
  if (wrong.length === 0) return;
  throw new AppError(
    'invalid',
    `Backup file ${file} is corrupt: rows are missing in ${wrong.join(', ')}. Nothing was restored.`,
    {
      field: 'file',
    },
  );
}

/** Tables, each after those that it refers to. Partitions come with their parents. */
async function tablesInOrder(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'knex_%'
      order by relname`,
  );
  const { rows: references } = await client.query<{ source: string; target: string }>(
    `select s.relname as source, t.relname as target
       from pg_constraint c join pg_class s on s.oid = c.conrelid join pg_class t on t.oid = c.confrelid
      where c.contype = 'f' and s.oid <> t.oid`,
  );
  const ordered: string[] = [];
  const visit = (name: string) => {
    if (ordered.includes(name)) return;
    for (const { source, target } of references) if (source === name) visit(target);
    ordered.push(name);
  };
  for (const { name } of tables) visit(name);
  return ordered;
}

async function columnsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum`,
    [client.escapeIdentifier(table)],
  );
  return rows.map(({ name }) => name);
}

async function migrationsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from knex_migrations order by id');
  return rows.map(({ name }) => name);
}

async function partitionsOf(client: Client): Promise<BackupHeader['partitions']> {
  const { rows } = await client.query<BackupHeader['partitions'][number]>(
    `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      order by c.relname`,
  );
  return rows;
}

async function sequencesOf(client: Client): Promise<BackupHeader['sequences']> {
  const { rows } = await client.query<{ name: string; last: number }>(
    `select quote_ident(sequencename) as name, last_value as last from pg_sequences
      where schemaname = 'public' and last_value is not null and sequencename not like 'knex_%' order by 1`,
  );
  return rows;
}
