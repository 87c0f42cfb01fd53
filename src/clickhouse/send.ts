/** Copies rows: events up to an epoch or a row with their visits, and changes of rows that were copied before. */
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from './connection.ts';
import { type Change, changesById, rowsBetween, type Sending, type ShippingState } from './state.ts';
import { copyText } from './statements.ts';
import { eventRows, onCluster, overrideRows, sessionRows, storedTable, type TableName, tables } from './tables.ts';
import { plain } from './target.ts';
import { numberSet } from './text.ts';

export interface SendParts {
  client: Client;
  house: ClickhouseConnection;
}

type Sent = ShippingState & { target: string; sending: Sending };

/** Sends what the state says is being sent, from one snapshot. Repeating it changes nothing. @returns copied events */
export async function send(parts: SendParts, state: Sent): Promise<number> {
  const { client } = parts;
  await client.query('begin transaction isolation level repeatable read read only');
  try {
    const rows = await (state.sending.what === 'events'
      ? sendEvents(parts, state, state.sending)
      : sendChanges(parts, state, await changesById(client, state.sending.ids)));
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is lost, and the transaction with it
    throw error;
  }
}

async function sendEvents(
  parts: SendParts,
  state: Sent,
  { until, last }: Extract<Sending, { what: 'events' }>,
): Promise<number> {
  const { shipped, position, number } = state;
  const where = sql`events.epoch > ${shipped} and events.epoch <= ${until} and ${rowsBetween(position, last)}`;
  const events = await read(parts, state, 'events', eventRows(sql`events where ${where}`, number + 1));
  try {
    // While ClickHouse takes the events.
    await copy(parts, state, 'sessions', sessionRows(visitsOf(where), number + 1));
  } finally {
    await events.arrived;
  }
  return events.rows;
}

/** Visits that hold some of these events: each is looked up, however many others there are. */
function visitsOf(where: Sql): Sql {
  return sql`(select distinct events.project_id, session_id from events where session_id is not null and ${where}) as touched
    cross join lateral (
      select * from sessions where sessions.project_id = touched.project_id and id = touched.session_id offset 0) as sessions`;
}

async function copy(parts: SendParts, state: Sent, table: TableName, rows: Sql): Promise<void> {
  await (await read(parts, state, table, rows)).arrived;
}

interface Read {
  rows: number;
  /** When ClickHouse has them. Rejects otherwise, which need not be heard. */
  arrived: Promise<void>;
}

/** Sends rows in tab-separated form, straight from one server to the other. @returns when all are read */
async function read({ client, house }: SendParts, state: Sent, table: TableName, rows: Sql): Promise<Read> {
  const out = client.query(copyTo(copyText(rows)));
  const through = new PassThrough();
  // Where no insert has begun nobody else listens, and an error that nobody hears ends the process.
  through.on('error', () => undefined);
  let failure: unknown;
  let inserted: Promise<void> | null = null;
  const insert = () =>
    house.insert(table, Object.keys(tables[table].columns), through, tokenOf(state, table)).catch((error) => {
      failure = error;
      through.destroy();
    });
  try {
    // All rows are read, also after a failure, so that the connection can be used again. Without rows there is no insert.
    for await (const bytes of out) {
      if (failure !== undefined) continue;
      inserted ??= insert();
      if (!through.write(bytes)) await Promise.race([once(through, 'drain'), inserted]);
    }
  } catch (error) {
    // Half of the rows must not look like all of them.
    through.destroy(error as Error);
    await inserted;
    throw error;
  }
  if (inserted === null) return { rows: 0, arrived: Promise.resolve() };
  if (failure === undefined) through.end();
  const arrived = inserted.then(() => {
    if (failure !== undefined) throw failure;
  });
  arrived.catch(() => undefined); // who waits for it hears it
  return { rows: out.rowCount, arrived };
}

/** Another one for each refill, insert and table. */
function tokenOf({ target, number }: Sent, table: TableName): string {
  return `${target} ${number + 1} ${table}`;
}

/** Rows of `uuids` in one statement of ClickHouse. */
const UUIDS = 20_000;

/**
 * Applies changes: what was copied before this number goes, and what is stored now comes in its place, with this number. Rows of epochs that are not
 * copied yet come with them.
 */
async function sendChanges(parts: SendParts, state: Sent, changes: readonly Change[]): Promise<number> {
  const { house } = parts;
  const version = state.number + 1;
  for (const { numbers } of changes.filter(({ kind }) => kind === 'project')) {
    for (const table of ['events', 'sessions', 'person_overrides'] as const) {
      await remove(house, table, sql`project_id in ${numberSet(numbers.map(Number))}`);
    }
  }
  for (const { since, until } of changes.filter(({ kind }) => kind === 'span')) {
    if (since === null || until === null) continue;
    await remove(house, 'events', sql`ts >= ${since} and ts < ${until} and version < ${version}`);
  }
  for (const { project_id: project, numbers } of changes.filter(({ kind }) => kind === 'persons')) {
    await remove(house, 'events', sql`project_id = ${project} and person in ${numberSet(numbers.map(Number))}`);
  }
  for (const { project_id: project, until } of changes.filter(({ kind }) => kind === 'before')) {
    if (until !== null) await remove(house, 'events', sql`project_id = ${project} and ts < ${until}`);
  }
  const byProject = new Map<number, Change[]>();
  for (const change of changes) {
    if (change.project_id === 0) continue;
    byProject.set(change.project_id, [...(byProject.get(change.project_id) ?? []), change]);
  }
  const events: Sql[] = [];
  const sessions: Sql[] = [];
  const overrides: Sql[] = [];
  const gone: Record<'sessions' | 'person_overrides', string[]> = { sessions: [], person_overrides: [] };
  for (const [project, own] of byProject) {
    const ofKind = (kind: Change['kind']) => own.filter((change) => change.kind === kind);
    const changed = ofKind('events');
    for (const piece of pieces(changed)) {
      const inPiece = sql`project_id = ${project} and ts >= ${Math.floor(piece.since)} and ts <= ${Math.ceil(piece.until)}`;
      await remove(house, 'events', sql`${inPiece} and uuid in (${sql.join(piece.uuids)}) and version < ${version}`);
      events.push(
        sql`(events.project_id = ${project} and events.ts >= ${sql.time(piece.since)} and events.ts <= ${sql.time(piece.until + 1)}
             and events.uuid = any(${piece.uuids}::uuid[]))`,
      );
    }
    const visits = [...changed, ...ofKind('sessions')].flatMap(({ numbers }) => numbers.map(Number));
    if (visits.length > 0) {
      sessions.push(sql`(project_id = ${project} and id = any(${visits}::bigint[]))`);
      gone.sessions.push(...(await missing(parts, 'sessions', project, visits)));
    }
    const persons = ofKind('overrides').flatMap(({ numbers }) => numbers.map(Number));
    if (persons.length > 0) {
      overrides.push(sql`(project_id = ${project} and old_person = any(${persons}::int[]))`);
      gone.person_overrides.push(...(await missing(parts, 'person_overrides', project, persons)));
    }
  }
  if (events.length > 0) {
    const where = sql`(${sql.join(events, sql` or `)}) and ${isShipped(state)}`;
    await copy(parts, state, 'events', eventRows(sql`(select * from events where ${where}) as events`, version));
  }
  if (sessions.length > 0) {
    const where = sql.join(sessions, sql` or `);
    await copy(parts, state, 'sessions', sessionRows(sql`sessions where ${where}`, version));
  }
  if (overrides.length > 0) {
    await copy(parts, state, 'person_overrides', overrideRows(sql.join(overrides, sql` or `), version));
  }
  await bury(parts, state, 'sessions', gone.sessions);
  await bury(parts, state, 'person_overrides', gone.person_overrides);
  return 0;
}

/** True of the rows of epochs, and of the part of one, that were copied. */
function isShipped({ shipped, position }: ShippingState): Sql {
  if (position === null) return sql`events.epoch <= ${shipped}`;
  return sql`(events.epoch <= ${shipped} or (events.epoch = ${shipped + 1} and ${rowsBetween(null, position)}))`;
}

function* pieces(changes: readonly Change[]): Generator<{ since: number; until: number; uuids: string[] }> {
  let [since, until] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let uuids: string[] = [];
  for (const change of changes) {
    since = Math.min(since, change.since ?? since);
    until = Math.max(until, change.until ?? until);
    uuids.push(...change.uuids);
    if (uuids.length < UUIDS) continue;
    yield { since, until, uuids };
    [since, until, uuids] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, []];
  }
  if (uuids.length > 0) yield { since, until, uuids };
}

async function remove(house: ClickhouseConnection, table: TableName, where: Sql): Promise<void> {
  const name = plain(`${house.database}.${storedTable(table, house)}${onCluster(house)}`);
  await house.run(sql`delete from ${name} where ${where}`);
}

const keys = { sessions: 'id', person_overrides: 'old_person' } as const;
type Replacing = keyof typeof keys;

/** Rows that are no more, as they are sent. */
async function missing(
  { client }: SendParts,
  table: Replacing,
  project: number,
  numbers: readonly number[],
): Promise<string[]> {
  const key = keys[table];
  const { rows } = await client.query<{ number: number }>(
    `select distinct asked.number from unnest($1::bigint[]) as asked (number)
      where not exists (select from ${table} where project_id = $2 and ${key} = asked.number)`,
    [numbers, project],
  );
  return rows.map(({ number }) => `${project}\t${number}`);
}

/** Replaces rows by none. */
async function bury({ house }: SendParts, state: Sent, table: Replacing, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  const lines = rows.map((row) => `${row}\t${state.number + 1}\t1\n`).join('');
  const values = Readable.from([lines], { objectMode: false });
  await house.insert(table, ['project_id', keys[table], 'version', 'deleted'], values, `${tokenOf(state, table)} gone`);
}
