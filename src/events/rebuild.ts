/**
 * Rebuilds visits and counts from the events, for repairs. Safe beside writers: counts are locked while
 * a day is counted, and a visit with a new event is checked again.
 */
import type { Client } from 'pg';
import { dayMs } from '#src/kit/zone.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { eventMarks } from './contract.ts';
import { isDroppedDay, onDroppedDay } from './dropped.ts';

export interface Rebuilt {
  /** Visits that differed from their events. */
  visits: number;
  /** Quarter hours that had another count. */
  counts: number;
}

/** A visit may gain an event while it is being looked at; not each time. */
const MAX_ROUNDS = 5;

/** @param client connected, without time limits */
export async function rebuildDerived(client: Client): Promise<Rebuilt> {
  const done: Rebuilt = { visits: 0, counts: 0 };
  for (const projectId of await projectsWithEvents(client)) {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { wrong, settled } = await settleVisits(client, projectId);
      done.visits += settled;
      if (wrong === settled) break;
    }
    for (const day of await daysOf(client, projectId)) {
      // Its events are not here.
      if (!(await isDroppedDay(client, projectId, day))) done.counts += await countDay(client, projectId, day);
    }
  }
  return done;
}

async function projectsWithEvents(client: Client): Promise<number[]> {
  const rows = await query<{ id: number }>(client, sql`select id from projects order by id`);
  return rows.map(({ id }) => id);
}

const firstFields = ['person', 'distinct_id', 'device', 'geo', 'source'];

/**
 * Rebuilds visits from their events. A visit that started before the oldest event lost events to retention, and is unchanged;
 * `xmin` detects rows that changed after the comparison.
 */
async function settleVisits(client: Client, projectId: number): Promise<{ wrong: number; settled: number }> {
  const named = (...names: string[]) =>
    sql`e.event in (select number from event_names where project_id = ${projectId} and name = any(${names}::text[]))`;
  const views = named('$pageview', '$screen');
  const mine = sql`e.project_id = ${projectId} and e.session_id is not null`;
  const edge = (name: string, columns: Sql, order: Sql, only: Sql) =>
    sql`${sql.id(name)} as (
          select distinct on (e.session_id) e.session_id, ${columns}
            from events e where ${mine} and ${only} order by e.session_id, e.ts ${order}, e.uuid ${order})`;
  const fields: [name: string, value: Sql][] = [
    ...firstFields.map((name): [string, Sql] => [name, sql`f.${sql.id(name)}`]),
    ['first_ts', sql`f.ts`],
    ['first_uuid', sql`f.uuid`],
    ['last_ts', sql`a.last_ts`],
    ...['entry', 'exit'].flatMap((edge): [string, Sql][] =>
      ['ts', 'uuid', 'page'].map((name) => [`${edge}_${name}`, sql`${sql.id(edge)}.${sql.id(name)}`]),
    ),
    ...['views', 'screens', 'autocaptures', 'events'].map((name): [string, Sql] => [name, sql`a.${sql.id(name)}`]),
    ['bot', sql`a.bot`],
  ];
  const has = sql.join(fields.map(([name]) => sql`s.${sql.id(name)}`));
  const says = sql.join(fields.map(([, value]) => value));
  await client.query('begin');
  try {
    await query(
      client,
      sql`create temporary table wrong_visits on commit drop as
          with a as (
            select e.session_id, max(e.ts) as last_ts, count(*)::int as events,
                   (count(*) filter (where ${named('$pageview')}))::int as views,
                   (count(*) filter (where ${named('$screen')}))::int as screens,
                   (count(*) filter (where ${named('$autocapture')}))::int as autocaptures,
                   bool_or(e.marks & ${eventMarks.bot} <> 0) as bot
              from events e where ${mine} group by 1),
          ${edge('f', sql`e.ts, e.uuid, ${sql.join(firstFields.map((name) => sql`e.${sql.id(name)}`))}`, sql`asc`, sql`true`)},
          ${edge('entry', sql`e.ts, e.uuid, e.page`, sql`asc`, views)},
          ${edge('exit', sql`e.ts, e.uuid, e.page`, sql`desc`, views)}
          select s.id, s.uuid as visit, s.xmin::text as version,
                 ${sql.join(fields.map(([name, value]) => sql`${value} as ${sql.id(name)}`))}
            from sessions s
            join a on a.session_id = s.id
            join f on f.session_id = s.id
            left join entry on entry.session_id = s.id
            left join exit on exit.session_id = s.id
           where s.project_id = ${projectId}
             and (s.events <= a.events or s.first_ts >= (select min(ts) from events where project_id = ${projectId}))
             and not ${onDroppedDay(sql`s.project_id`, sql`s.first_ts`)}
             and (${has}) is distinct from (${says})`,
    );
    const [row] = await query<{ wrong: number }>(client, sql`select count(*)::int as wrong from wrong_visits`);
    // In the order in which all writers lock them.
    await query(
      client,
      sql`select from sessions s join wrong_visits w on w.id = s.id
           where s.project_id = ${projectId} order by w.visit for update of s`,
    );
    const settled = await query(
      client,
      sql`update sessions s set ${sql.join(fields.map(([name]) => sql`${sql.id(name)} = w.${sql.id(name)}`))}
            from wrong_visits w
           where s.project_id = ${projectId} and s.id = w.id and s.xmin::text = w.version
          returning s.id`,
    );
    await client.query('commit');
    return { wrong: row?.wrong ?? 0, settled: settled.length };
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is gone, and the transaction with it
    throw error;
  }
}

/** Days, UTC, of which there are events or counts. */
async function daysOf(client: Client, projectId: number): Promise<number[]> {
  const rows = await query<{ day: number }>(
    client,
    sql`select floor(extract(epoch from ts) / 86400)::int as day from events where project_id = ${projectId}
        union
        select floor(extract(epoch from quarter) / 86400)::int from event_counts where project_id = ${projectId}
        order by 1`,
  );
  return rows.map(({ day }) => day);
}

/**
 * Counts are written last in a writer's transaction: under an exclusive lock, all committed events are counted here, and uncommitted ones are
 * added by their writers.
 */
async function countDay(client: Client, projectId: number, day: number): Promise<number> {
  const within = (column: string) =>
    sql`${sql.id(column)} >= ${moment(day)} and ${sql.id(column)} < ${moment(day + 1)}`;
  await client.query('begin');
  try {
    await client.query('lock table event_counts in share row exclusive mode');
    const [row] = await query<{ changed: number }>(
      client,
      sql`with said as (
            select event, to_timestamp(floor(extract(epoch from ts) / 900) * 900) as quarter,
                   (count(*) filter (where marks & ${eventMarks.bot} = 0))::int as events,
                   (count(*) filter (where marks & ${eventMarks.bot} <> 0))::int as bots
              from events where project_id = ${projectId} and ${within('ts')} group by 1, 2),
          gone as (
            delete from event_counts c
             where project_id = ${projectId} and ${within('quarter')}
               and not exists (select from said where said.event = c.event and said.quarter = c.quarter)
            returning 1),
          set as (
            insert into event_counts as c (project_id, event, quarter, events, bots)
            select ${projectId}::int, event, quarter, events, bots from said
            on conflict (project_id, event, quarter) do update set events = excluded.events, bots = excluded.bots
             where (c.events, c.bots) is distinct from (excluded.events, excluded.bots)
            returning 1)
          select ((select count(*) from gone) + (select count(*) from set))::int as changed`,
    );
    await client.query('commit');
    return row?.changed ?? 0;
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is gone, and the transaction with it
    throw error;
  }
}

function moment(day: number): Sql {
  return sql`${new Date(day * dayMs).toISOString()}::timestamptz`;
}
