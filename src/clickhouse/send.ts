/** Sends rows to ClickHouse: events with their visits, and changes of rows that were copied before. */
import { Readable } from 'node:stream';
import type { Client } from 'pg';
import { type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from './connection.ts';
import { type EventsRead, type RowsRead, readRows } from './reading.ts';
import { type Change, changesById, rowsBetween, type ShippingState } from './state.ts';
import { eventRows, onCluster, overrideRows, sessionRows, storedTable, type TableName, tables } from './tables.ts';
import { plain } from './target.ts';
import { numberSet } from './text.ts';

export interface SendParts {
  client: Client;
  house: ClickhouseConnection;
}

type Sent = ShippingState & { target: string };

/** Sends events and visits while they are read. Repeating it changes nothing. @returns copied events */
export async function sendEvents(house: ClickhouseConnection, state: Sent, read: EventsRead): Promise<number> {
  const inserts = await Promise.allSettled([insert(house, state, read.events), insert(house, state, read.sessions)]);
  await read.ended;
  const [events] = inserts.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  return events ?? 0;
}

/** Applies changes, from one snapshot. Repeating it changes nothing. */
export async function sendChanges(parts: SendParts, state: Sent, ids: readonly number[]): Promise<void> {
  const { client } = parts;
  await client.query('begin transaction isolation level repeatable read read only');
  try {
    await applyChanges(parts, state, await changesById(client, ids));
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is lost, and the transaction with it
    throw error;
  }
}

async function copy({ client, house }: SendParts, state: Sent, table: TableName, rows: Sql): Promise<void> {
  await insert(house, state, readRows(client, table, rows));
}

/** Without rows there is no insert. @returns rows */
async function insert(
  house: ClickhouseConnection,
  state: Sent,
  { table, stream, any, all }: RowsRead,
): Promise<number> {
  if (!(await any)) return 0;
  try {
    await house.insert(table, Object.keys(tables[table].columns), stream, tokenOf(state, table));
  } catch (error) {
    stream.destroy();
    await all; // why they can't be read says more
    throw error;
  }
  return all;
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
async function applyChanges(parts: SendParts, state: Sent, changes: readonly Change[]): Promise<void> {
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
