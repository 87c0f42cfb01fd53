/** Deletes events, and what visits and counts say of them: each step leaves everything consistent. */
import type { Client } from 'pg';
import { quarterMs } from '#src/kit/zone.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { eventsChannel } from './append.ts';
import { eventMarks } from './contract.ts';
import { onDroppedDay, refuseDroppedBefore } from './dropped.ts';

/** Rows per step: some ten milliseconds. */
const BATCH = 2_000;

/** Rows deleted by a step. `sessions` are visits without remaining events. */
export interface DeletedEvents {
  gone: number;
  sessions: number;
}

interface Gone {
  ts: number;
  event: number;
  session_id: number | null;
  marks: number;
}

/**
 * Deletes events before a time, in steps, on a connection without timeouts; idempotent.
 *
 * @param mayGoOn called before each further step
 * @throws AppError `conflict` when some of them are in dropped months
 */
export async function deleteBefore(
  client: Client,
  projectId: number,
  before: number,
  mayGoOn: () => boolean,
): Promise<{ events: number; isDone: boolean }> {
  await refuseDroppedBefore(client, projectId, before);
  let events = 0;
  let isDone = false;
  do {
    const { gone } = await deleteSome(client, projectId, sql`ts < ${sql.time(before)}`, BATCH);
    events += gone;
    isDone = gone < BATCH;
  } while (!isDone && mayGoOn());
  if (events > 0) await query(client, sql`select pg_notify(${eventsChannel}, ${String(projectId)})`);
  return { events, isDone };
}

/**
 * Deletes the oldest of certain events, with their part in visits and counts, in one transaction.
 *
 * @param which a condition on rows of `events`
 */
export function deleteSome(client: Client, projectId: number, which: Sql, limit: number): Promise<DeletedEvents> {
  return inTransaction(client, () => deleteOldest(client, projectId, which, limit));
}

async function deleteOldest(client: Client, projectId: number, which: Sql, limit: number): Promise<DeletedEvents> {
  const [span] = await query<{ from: number; to: number; uuids: string[] }>(
    client,
    sql`select min(ts) as from, max(ts) as to, array_agg(uuid) as uuids
          from (select ts, uuid from events
                 where project_id = ${projectId} and ${which}
                 order by ts limit ${limit}) as oldest
        having count(*) > 0`,
  );
  if (!span) return { gone: 0, sessions: 0 };
  const gone = await query<Gone>(
    client,
    sql`delete from events
         where project_id = ${projectId} and ${which}
           and ts >= ${sql.time(span.from)} and ts <= ${sql.time(span.to)} and uuid = any(${span.uuids}::uuid[])
        returning ts, event, session_id, marks`,
  );
  const ids = [...new Set(gone.flatMap((row) => row.session_id ?? []))];
  const sessions = ids.length === 0 ? 0 : await settleSessions(client, projectId, ids);
  await subtractCounts(client, projectId, gone);
  return { gone: gone.length, sessions };
}

/**
 * Visits of which nothing is left go; the others say what is left of them. Gives how many went. Those that begin in a dropped month have events that are not
 * here: who deletes these settles them.
 */
async function settleSessions(client: Client, projectId: number, ids: readonly number[]): Promise<number> {
  const locked = await query<{ id: number }>(
    client,
    sql`select id from sessions
         where project_id = ${projectId} and id = any(${[...ids]}::bigint[])
           and not ${onDroppedDay(sql`sessions.project_id`, sql`first_ts`)}
         order by uuid for update`,
  );
  const mine = sql`s.project_id = ${projectId} and s.id = any(${locked.map(({ id }) => id)}::bigint[])`;
  const left = sql`events e where e.project_id = s.project_id and e.session_id = s.id
                   and e.ts >= s.first_ts and e.ts <= s.last_ts`;
  const ended = await query(
    client,
    sql`delete from sessions s where ${mine} and not exists (select from ${left}) returning s.id`,
  );
  if (ended.length === locked.length) return ended.length;
  const named = (name: string) =>
    sql`(select number from event_names n where n.project_id = s.project_id and n.name = ${name})`;
  const isView = sql`(e.event = ${named('$pageview')} or e.event = ${named('$screen')})`;
  const first = (value: Sql) => sql`(select ${value} from ${left} order by e.ts, e.uuid limit 1)`;
  const view = (value: Sql, order: Sql) =>
    sql`(select ${value} from ${left} and coalesce(${isView}, false) order by e.ts ${order}, e.uuid ${order} limit 1)`;
  const count = (name: string) => sql`(select count(*) from ${left} and e.event = ${named(name)})`;
  const columns: [string, Sql][] = [
    ...['person', 'distinct_id', 'device', 'geo', 'source'].map((name): [string, Sql] => [
      name,
      first(sql`e.${sql.id(name)}`),
    ]),
    ['first_ts', first(sql`e.ts`)],
    ['first_uuid', first(sql`e.uuid`)],
    ['last_ts', sql`(select max(e.ts) from ${left})`],
    ['entry_ts', view(sql`e.ts`, sql`asc`)],
    ['entry_uuid', view(sql`e.uuid`, sql`asc`)],
    ['entry_page', view(sql`e.page`, sql`asc`)],
    ['exit_ts', view(sql`e.ts`, sql`desc`)],
    ['exit_uuid', view(sql`e.uuid`, sql`desc`)],
    ['exit_page', view(sql`e.page`, sql`desc`)],
    ['views', count('$pageview')],
    ['screens', count('$screen')],
    ['autocaptures', count('$autocapture')],
    ['events', sql`(select count(*) from ${left})`],
    ['bot', sql`(select bool_or(e.marks & ${eventMarks.bot} <> 0) from ${left})`],
  ];
  await query(
    client,
    sql`update sessions s
           set ${sql.join(columns.map(([name, value]) => sql`${sql.id(name)} = ${value}`))}
         where ${mine}`,
  );
  return ended.length;
}

async function subtractCounts(client: Client, projectId: number, gone: readonly Gone[]): Promise<void> {
  const counts = new Map<string, { event: number; quarter: string; events: number; bots: number }>();
  for (const { ts, event, marks } of gone) {
    const quarter = new Date(Math.floor(ts / quarterMs) * quarterMs).toISOString();
    const key = `${event} ${quarter}`;
    const count = counts.get(key) ?? { event, quarter, events: 0, bots: 0 };
    if (marks & eventMarks.bot) count.bots++;
    else count.events++;
    counts.set(key, count);
  }
  // In the order in which every writer takes them.
  const rows = [...counts.values()].sort(
    (one, other) => one.event - other.event || (one.quarter < other.quarter ? -1 : 1),
  );
  for (const { event, quarter, events, bots } of rows) {
    await query(
      client,
      sql`update event_counts set events = events - ${events}, bots = bots - ${bots}
           where project_id = ${projectId} and event = ${event} and quarter = ${quarter}::timestamptz`,
    );
  }
  await query(
    client,
    sql`delete from event_counts
         where project_id = ${projectId} and events <= 0 and bots <= 0
           and event = any(${rows.map(({ event }) => event)}::int[])
           and quarter = any(${rows.map(({ quarter }) => quarter)}::timestamptz[])`,
  );
}

export async function inTransaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
