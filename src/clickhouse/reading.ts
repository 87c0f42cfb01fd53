/** Rows of PostgreSQL on their way to ClickHouse, read by COPY: straight through, or ahead of their turn. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Sql, sql } from '#src/store/sql.ts';
import { mapsFromJson } from './map-text.ts';
import { rowsBetween, type Sending, type ShippingState } from './state.ts';
import { copyText } from './statements.ts';
import { eventRows, sessionRows, type TableName } from './tables.ts';

export interface RowsRead {
  table: TableName;
  /** In tab-separated form, as ClickHouse reads them. Destroyed: the rest is read from PostgreSQL and dropped. */
  stream: PassThrough;
  /** Whether there are any, as soon as that is known. */
  any: Promise<boolean>;
  /** How many, when all are read: the connection can be used again. Rejects when they can't be; `stream` then has an error. */
  all: Promise<number>;
}

/** Bytes of rows that nobody has taken yet. Beyond them PostgreSQL waits: an insert of usual events has 30 MB. */
const MAX_WAITING = 64 * 1024 * 1024;

/** Begins to read rows of a table. Errors need not be heard. */
export function readRows(client: Client, table: TableName, rows: Sql): RowsRead {
  const stream = new PassThrough({ highWaterMark: MAX_WAITING });
  // Where no insert has begun nobody else listens, and an error that nobody hears ends the process.
  stream.on('error', () => undefined);
  const { promise: any, resolve, reject } = Promise.withResolvers<boolean>();
  const all = pump(client, rows, {
    stream,
    map: table === 'events' ? mapsFromJson() : null,
    onRows: () => resolve(true),
  });
  all.then(() => resolve(false), reject);
  any.catch(() => undefined);
  return { table, stream, any, all };
}

interface Pump {
  stream: PassThrough;
  map: ((chunk: Buffer) => Buffer) | null;
  onRows(): void;
}

async function pump(client: Client, rows: Sql, { stream, map, onRows }: Pump): Promise<number> {
  const out = client.query(copyTo(copyText(rows)));
  const closed = once(stream, 'close').catch(() => undefined);
  try {
    for await (const bytes of out) {
      if (stream.destroyed) continue;
      onRows();
      if (!stream.write(map === null ? bytes : map(bytes))) await Promise.race([drained(stream), closed]);
    }
  } catch (error) {
    // Half of the rows must not look like all of them.
    stream.destroy(error as Error);
    throw error;
  }
  stream.end();
  return out.rowCount;
}

async function drained(stream: PassThrough): Promise<void> {
  await once(stream, 'drain').catch(() => undefined); // it is destroyed
}

/** The events of an insert and their visits, from one snapshot. */
export interface EventsRead {
  events: RowsRead;
  sessions: RowsRead;
  /** When all are read, or can't be. */
  ended: Promise<unknown>;
}

/** Begins to read what is to be sent, on a connection that does nothing else. */
export async function readEvents(
  client: Client,
  { shipped, position, number }: ShippingState,
  { until, last }: Extract<Sending, { what: 'events' }>,
): Promise<EventsRead> {
  const where = sql`events.epoch > ${shipped} and events.epoch <= ${until} and ${rowsBetween(position, last)}`;
  await client.query('begin transaction isolation level repeatable read read only');
  const events = readRows(client, 'events', eventRows(sql`events where ${where}`, number + 1));
  const sessions = readRows(client, 'sessions', sessionRows(visitsOf(where), number + 1));
  const ended = Promise.allSettled([events.all, sessions.all]).then(
    () => client.query('commit').catch(() => undefined), // the connection is lost, and the transaction with it
  );
  return { events, sessions, ended };
}

/** Visits that hold some of these events: each is looked up, however many others there are. */
function visitsOf(where: Sql): Sql {
  return sql`(select distinct events.project_id, session_id from events where session_id is not null and ${where}) as touched
    cross join lateral (
      select * from sessions where sessions.project_id = touched.project_id and id = touched.session_id offset 0) as sessions`;
}
