/** Fills DuckDB with the events, visits and persons of a project, everything in columns of three tables. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import * as plain from '../questions-sql.ts';
import type { Duckdb } from './duckdb.ts';

/** @param home folder for files in between */
export async function fillDuckdb(
  duckdb: Duckdb,
  { url, project, home }: { url: string; project: number; home: string },
) {
  // The last table that is created: without it, the preparation was interrupted.
  const isFilled = (await duckdb.rows("select 1 as one from duckdb_tables() where table_name = 'events'")).length > 0;
  await duckdb.run('set threads = 2');
  if (isFilled) return;
  const raw = new Client({ connectionString: url });
  await raw.connect();
  await raw.query("set timezone = 'UTC'");
  for (const [table, query, types] of [
    ['persons', plain.exportPersonsSql(project), '{}'],
    ['sessions', plain.exportSessionsSql(project), "{'first_ts': 'TIMESTAMPTZ', 'last_ts': 'TIMESTAMPTZ'}"],
    ['events', plain.exportSql(project), "{'ts': 'TIMESTAMPTZ', 'session_id': 'BIGINT'}"],
  ] as const) {
    const csv = join(home, `${table}.csv`);
    const { text, values } = query.toPg();
    const written = text.replace(/\$(\d+)/g, (_, place) => String(values[Number(place) - 1]));
    await pipeline(raw.query(copyTo(`copy (${written}) to stdout (format csv, header)`)), createWriteStream(csv));
    await duckdb.run(
      `create or replace table ${table} as select * from read_csv('${csv}', header = true, sample_size = -1${types === '{}' ? '' : `, types = ${types}`})`,
    );
    await rm(csv);
  }
  await raw.end();
}
