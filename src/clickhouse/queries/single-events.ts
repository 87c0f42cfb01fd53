/** Single events in ClickHouse, page by page in the order of PostgreSQL: by time, of one moment by uuid. */
import type { Knex } from 'knex';
import type { ChosenEvents, EventPlace, HistoryQuery } from '#src/events/history.ts';
import { noReadingRules } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';
import { NO_UUID } from '../tables.ts';
import { querySet } from '../text.ts';
import { filtersSql, MAX_NUMBERS } from './conditions.ts';
import { fromEvents, inDays, type QueryParts, type Span, tableSql, Unsupported } from './events.ts';
import { namesSql, ownNamesSql } from './scope.ts';

/** Events of a span that fulfil a condition. With `after` and without a place the newest come first, with `before` the oldest. */
export interface PastQuery
  extends Pick<HistoryQuery, 'event' | 'persons' | 'distinctId' | 'after' | 'before' | 'limit'>,
    Span {
  chosen: ChosenEvents | undefined;
}

/** No event is before it, ms. */
export const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');

/** Without filters the time is searched in steps: the next ones are mostly near. With them who asks does. */
const FIRST_STEP_MS = 3_600_000;
const LONGER = 8;

/** A row of `events` in ClickHouse. */
export interface CopiedEvent {
  ts: number;
  received_at: number;
  session_id: number;
  uuid: string;
  window_id: string;
  device_id: string;
  /** Values as JSON. */
  properties: Record<string, string>;
  [number: string]: unknown;
}

/** Columns with the numbers of property groups. */
const groups = ['page', 'device', 'source', 'geo', 'flags', 'elements'] as const;
const columns = sql.join(
  [
    ...['ts', 'received_at', 'session_id', 'uuid', 'window_id', 'device_id', 'project_id', 'person', 'distinct_id'],
    ...['event', ...groups, 'epoch', 'marks', 'properties'],
  ].map((name) => sql`${sql.id(`events.${name}`)} as ${sql.id(name)}`),
);

/** The next events, at most `limit`. @throws Unsupported for too many persons or values */
export async function findPage(
  db: Knex,
  house: ClickhouseConnection,
  projectId: number,
  asked: PastQuery,
): Promise<CopiedEvent[]> {
  const { after, before, limit, chosen } = asked;
  const reading = chosen?.reading ?? noReadingRules;
  const parts: QueryParts = { db, house, projectId, reading, ofRows: true, conditions: new Map() };
  const isNewestFirst = before === undefined;
  const rows: CopiedEvent[] = [];
  let step = chosen?.filters === undefined ? FIRST_STEP_MS : Number.POSITIVE_INFINITY;
  let from = before === undefined ? asked.from : Math.max(asked.from, before.ts);
  let until = after === undefined ? asked.until : Math.min(asked.until, after.ts + 1);
  while (from < until && rows.length < limit) {
    const span = isNewestFirst
      ? { from: Math.max(from, until - step), until }
      : { from, until: Math.min(until, from + step) };
    rows.push(...(await findIn(parts, asked, span, limit - rows.length)));
    if (isNewestFirst) until = span.from;
    else from = span.until;
    step *= LONGER;
  }
  return rows;
}

async function findIn(parts: QueryParts, asked: PastQuery, span: Span, limit: number): Promise<CopiedEvent[]> {
  const { after, before } = asked;
  const conditions = await conditionsOf(parts, asked, span);
  // As PostgreSQL orders uuids.
  const place = sql`(events.ts, toString(events.uuid))`;
  if (after !== undefined) conditions.push(sql`${place} < (${after.ts}, ${after.uuid})`);
  if (before !== undefined) conditions.push(sql`${place} > (${before.ts}, ${before.uuid})`);
  const direction = before === undefined ? sql`desc` : sql`asc`;
  const order = sql`order by events.ts ${direction}, toString(events.uuid) ${direction}`;
  // Of all others only what decides is read.
  const kept = sql.join([sql`1`, ...conditions], sql` and `);
  const from =
    asked.chosen?.filters === undefined ? sql`${fromSpan(parts, span)} and ${kept}` : fromEvents(parts, span, kept);
  const found = sql`select events.ts, events.uuid ${from} ${order} limit ${limit}`;
  return parts.house.query<CopiedEvent>(
    sql`select ${columns} ${fromSpan(parts, span)} and (events.ts, events.uuid) in (${found}) ${order}`,
  );
}

function fromSpan(parts: Pick<QueryParts, 'house' | 'projectId'>, span: Span): Sql {
  return sql`from ${tableSql(parts, 'events')} as events
    where events.project_id = ${parts.projectId} and ts >= ${span.from} and ts < ${span.until} and ${inDays(span)}`;
}

/** The event at a place; null: there is none. */
export async function findOne(
  house: ClickhouseConnection,
  projectId: number,
  { ts, uuid }: EventPlace,
): Promise<CopiedEvent | null> {
  const [row] = await house.query<CopiedEvent>(
    sql`select ${columns} ${fromSpan({ house, projectId }, { from: ts, until: ts + 1 })}
           and events.uuid = toUUID(${uuid.toLowerCase()}) limit 1`,
  );
  return row ?? null;
}

async function conditionsOf(parts: QueryParts, asked: PastQuery, span: Span): Promise<Sql[]> {
  const { event, persons, distinctId, chosen } = asked;
  const { names = [], ofOwnNames, filters, whose } = chosen ?? {};
  const found = await Promise.all([
    event !== undefined && namesSql(parts, [event]),
    names.length > 0 && namesSql(parts, names),
    ofOwnNames === true && ownNamesSql(parts),
    persons !== undefined && personsSql(persons, false),
    distinctId !== undefined && sql`events.distinct_id = ${distinctId}`,
    filters !== undefined && filtersSql(parts, filters, span),
    whose !== undefined && personsSql(whose.numbers, whose.isExcept),
  ]);
  return found.filter((condition) => condition !== false);
}

function personsSql(numbers: readonly number[], isExcept: boolean): Sql {
  if (numbers.length > MAX_NUMBERS) throw new Unsupported('too many persons');
  return sql`events.person ${isExcept ? sql`not in` : sql`in`} ${querySet(numbers)}`;
}

/** A query that gives the rows in PostgreSQL, as `events` has them. */
export function asRows(found: readonly CopiedEvent[]): Sql {
  const lines = found.map(({ properties, ...row }) => {
    const own = Object.entries(properties).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
    const stored = {
      ...row,
      ...Object.fromEntries(groups.map((name) => [name, row[name] === 0 ? null : row[name]])),
      ts: new Date(row.ts).toISOString(),
      received_at: new Date(row.received_at).toISOString(),
      session_id: row.session_id === 0 ? null : row.session_id,
      window_id: row.window_id === NO_UUID ? null : row.window_id,
      device_id: row.device_id === NO_UUID ? null : row.device_id,
    };
    // Values are JSON already, and stay as they are.
    return `${JSON.stringify(stored).slice(0, -1)},"properties":{${own.join(',')}}}`;
  });
  return sql`
    select * from jsonb_to_recordset(${`[${lines.join(',')}]`}::jsonb) as events (
      ts timestamptz, received_at timestamptz, session_id bigint, uuid uuid, window_id uuid, device_id uuid, project_id int,
      person int, distinct_id int, event int, page int, device int, source int, geo int, flags int, elements int,
      epoch int, marks smallint, properties jsonb)`;
}
