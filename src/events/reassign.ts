/**
 * Moves the events of a split distinct id to its new person. In short
 * steps that do not block ingestion; each leaves events and visits consistent, so the work can be interrupted and repeated.
 */
import type { Client } from 'pg';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { eventsChannel } from './append.ts';
import { type EventSpan, eventMarks, type FinishedEvent, type GroupKind, groupKinds } from './contract.ts';
import { type WholeEvent, wholeEvents } from './event-detail.ts';

const PAGE = 1_000;
/** Rows per step: some ten milliseconds. */
const BATCH = 2_000;
const groupNames = Object.keys(groupKinds) as GroupKind[];
const identifying = new Set(['$identify', '$create_alias', '$merge_dangerously']);

function within({ from, until }: EventSpan): Sql {
  const begin = from === undefined ? sql.empty : sql`and ts >= ${sql.time(from)}`;
  return sql`${begin} ${until === undefined ? sql.empty : sql`and ts < ${sql.time(until)}`}`;
}

/** Events of persons with a profile, in chronological order, as finished events; merges are already applied. */
export async function* eventsOfPersons(
  on: Queryable,
  projectId: number,
  persons: readonly number[],
  span: EventSpan = {},
): AsyncGenerator<FinishedEvent, void> {
  let after: { ts: number; uuid: string } | null = null;
  for (;;) {
    const later: Sql =
      after === null
        ? sql.empty
        : sql`and ts >= ${sql.time(after.ts)} and (ts, uuid) > (${sql.time(after.ts)}, ${after.uuid}::uuid)`;
    const page: WholeEvent[] = await query<WholeEvent>(
      on,
      sql`${wholeEvents(sql`
        select * from events
         where project_id = ${projectId} and person = any(${[...persons]}::int[])
           and marks & ${eventMarks.personless} = 0 ${within(span)} ${later}
         order by ts, uuid limit ${PAGE}`)} order by ts, uuid`,
    );
    for (const row of page) yield toldEvent(projectId, row);
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = { ts: last.ts, uuid: last.uuid };
  }
}

function toldEvent(projectId: number, row: WholeEvent): FinishedEvent {
  const { $set, $set_once: setOnce, $unset, ...properties } = row.properties ?? {};
  const groups: FinishedEvent['groups'] = {};
  groupNames.forEach((name, place) => {
    const group = row.groups[place];
    if (group) groups[name] = group;
  });
  const { uuid, event, distinctId, ts, receivedAt, session, marks } = row;
  return {
    projectId,
    uuid,
    event,
    distinctId,
    ts,
    receivedAt,
    session,
    marks,
    groups,
    properties,
    person: {
      process: true,
      set: objectOf($set),
      setOnce: objectOf(setOnce),
      unset: Array.isArray($unset) ? $unset.filter((name) => typeof name === 'string') : [],
      identify: identifying.has(event),
      merge: null,
    },
  };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Times of the first event of an id of these persons, and of their others. */
export async function firstEvents(
  on: Queryable,
  projectId: number,
  persons: readonly number[],
  idNumber: number,
  span: EventSpan = {},
): Promise<{ own: number | null; others: number | null }> {
  const [row] = await query<{ own: number | null; others: number | null }>(
    on,
    sql`select min(ts) filter (where distinct_id = ${idNumber}) as own, min(ts) filter (where distinct_id <> ${idNumber}) as others
          from events where project_id = ${projectId} and person = any(${[...persons]}::int[]) ${within(span)}`,
  );
  return row as { own: number | null; others: number | null };
}

/** How many events these persons have; no further than `most`. */
export async function countEvents(
  on: Queryable,
  projectId: number,
  persons: readonly number[],
  { most, ...span }: EventSpan & { most?: number },
): Promise<number> {
  const theirs = sql`events where project_id = ${projectId} and person = any(${[...persons]}::int[]) ${within(span)}`;
  const counted = most === undefined ? theirs : sql`(select from ${theirs} limit ${most}) as counted`;
  const [row] = await query<{ n: number }>(on, sql`select count(*)::int as n from ${counted}`);
  return row?.n ?? 0;
}

export interface Reassign {
  projectId: number;
  /** Number of the distinct id. */
  idNumber: number;
  /** Persons that may have its events. */
  from: readonly number[];
  to: number;
  signal?: AbortSignal | undefined;
}

/** Gives how many were moved. */
export async function reassignEvents(client: Client, asked: Reassign): Promise<number> {
  const { projectId, idNumber, from, to, signal } = asked;
  const theirs = sql`project_id = ${projectId} and person = any(${[...from]}::int[]) and distinct_id = ${idNumber}`;
  let moved = 0;
  let since = sql.empty;
  for (;;) {
    signal?.throwIfAborted();
    await client.query('begin');
    try {
      const [span] = await query<{ first: number; last: number; uuids: string[] }>(
        client,
        sql`select min(ts) as first, max(ts) as last, array_agg(uuid) as uuids
              from (select ts, uuid from events where ${theirs} ${since} order by ts limit ${BATCH}) as oldest
            having count(*) > 0`,
      );
      if (span === undefined) {
        await client.query('commit');
        break;
      }
      // Over the whole table, so that its triggers mark what columns say otherwise.
      const rows = await query<{ session_id: number | null }>(
        client,
        sql`update events set person = ${to}
             where ${theirs} and ts >= ${sql.time(span.first)} and ts <= ${sql.time(span.last)} and uuid = any(${span.uuids}::uuid[])
            returning session_id`,
      );
      await reassignVisits(client, asked, [...new Set(rows.flatMap((row) => row.session_id ?? []))]);
      await client.query('commit');
      moved += rows.length;
      if (span.uuids.length < BATCH) break;
      since = sql`and ts >= ${sql.time(span.last)}`;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }
  if (moved > 0) await query(client, sql`select pg_notify(${eventsChannel}, ${String(projectId)})`);
  return moved;
}

/** Sets the person of visits by their first event. In the transaction that marks the visits of the events. */
async function reassignVisits(
  client: Client,
  { projectId, idNumber, from, to }: Reassign,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  // In the order in which every writer takes them.
  const locked = await query<{ id: number }>(
    client,
    sql`select id from sessions
         where project_id = ${projectId} and id = any(${[...ids]}::bigint[]) and distinct_id = ${idNumber}
           and person = any(${[...from]}::int[])
         order by uuid for update`,
  );
  await query(
    client,
    sql`update sessions set person = ${to}
         where project_id = ${projectId} and id = any(${locked.map(({ id }) => id)}::bigint[])
           and distinct_id = ${idNumber} and person = any(${[...from]}::int[])`,
  );
}
