/**
 * The limit that intake is compared with: COPY of the very rows that were stored into a table without indexes or partitions, over
 * one connection. Once with writing the rows down in the format of COPY, which any client has to, and once with what was
 * written down before, which is the server alone.
 */
import type { PoolClient } from 'pg';
import { CopyRows, copyIn } from '#src/store/copy.ts';

/** A row as the driver reads it: times in ms, numbers, texts, JSON. */
type Row = Record<string, unknown>;

export interface BareCopy {
  /** Copies all rows once, written down on the way. */
  written(): Promise<void>;
  /** The same with rows that were written down before. */
  ready(): Promise<void>;
  /** Rows in one go. */
  rows: number;
}

/**
 * Reads stored events and makes the bare table.
 * @param client of a write pool; its statement limit is taken off
 */
export async function openBareCopy(client: PoolClient, wanted: number, batchSize: number): Promise<BareCopy> {
  await client.query('set statement_timeout = 0; drop table if exists bare; create table bare (like events)');
  const { rows: all } = await client.query<Row>(`select * from events order by received_at desc limit ${wanted}`);
  const batches: Row[][] = [];
  for (let at = 0; at < all.length; at += batchSize) batches.push(all.slice(at, at + batchSize));
  const columns = Object.keys(all[0] ?? {});
  const text = `copy bare (${columns.join(', ')}) from stdin (format binary)`;
  const prepared = batches.map((batch) => {
    const bytes = writeDown(batch, columns).finish();
    return { finish: () => bytes } as CopyRows;
  });
  return {
    rows: all.length,
    async written() {
      for (const batch of batches) await copyIn(client, text, writeDown(batch, columns));
    },
    async ready() {
      for (const rows of prepared) await copyIn(client, text, rows);
    },
  };
}

function writeDown(batch: Row[], columns: string[]): CopyRows {
  const rows = new CopyRows(batch.length * 320);
  for (const row of batch) {
    rows.row(columns.length);
    for (const column of columns) write(rows, column, row[column]);
  }
  return rows;
}

const uuidColumns = new Set(['uuid', 'window_id', 'device_id']);

function write(rows: CopyRows, column: string, value: unknown): void {
  if (column === 'ts' || column === 'received_at') rows.time(value as number);
  else if (column === 'session_id') rows.bigint(value as number | null);
  else if (uuidColumns.has(column)) rows.uuid(value as string | null);
  else if (column === 'marks') rows.smallint(value as number);
  else if (column === 'properties') rows.json(value === null ? null : JSON.stringify(value));
  else rows.int(value as number | null);
}
