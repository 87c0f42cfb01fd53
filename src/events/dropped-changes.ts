/**
 * What changes here when a month is dropped, when ClickHouse has lost some of it, and when people are erased from it. A door of this room.
 */
import { hostname } from 'node:os';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { closeMonth, forgetEmptyMonths, onDroppedDay, partitionOfMonth } from './dropped.ts';

/** A month, UTC: YYYY-MM and ms. */
interface Month {
  name: string;
  from: number;
  until: number;
}

/** Days since 1970 (UTC) of events; a third of the time that numbers of seconds take. */
const DAY = sql`((ts at time zone 'UTC')::date - date '1970-01-01')`;

/** Notes what a month had, in the transaction that empties it: it reads all of its events, so nobody is to wait for it. @returns events of the month */
export async function noteDropped(client: Client, month: Month): Promise<number> {
  const events = sql`events where ts >= ${sql.time(month.from)} and ts < ${sql.time(month.until)}`;
  const [row] = await query<{ rows: number }>(
    client,
    sql`with days as (
          insert into dropped_days (project_id, day, rows)
          select project_id, ${DAY}, count(*)::int from ${events} group by 1, 2
          returning rows)
        select coalesce(sum(rows), 0)::float8 as rows from days`,
  );
  await query(
    client,
    sql`insert into dropped_persons as seen (project_id, person, last_ts)
        select project_id, person, max(ts) from ${events} group by 1, 2
        on conflict (project_id, person) do update set last_ts = greatest(seen.last_ts, excluded.last_ts)`,
  );
  return row?.rows ?? 0;
}

/** Empties a month, and has it refuse events. */
export async function emptyMonth(
  client: Client,
  month: Month,
  { rows, bytes, now }: { rows: number; bytes: number; now: number },
): Promise<void> {
  await query(
    client,
    sql`insert into dropped_months (month, at, by_whom, rows, bytes)
        values (${`${month.name}-01`}::date, ${sql.time(now)}, ${hostname()}, ${rows}, ${bytes})`,
  );
  await query(client, sql`truncate ${sql.id(partitionOfMonth(month.name))}`);
  await closeMonth(client, month.name);
}

export interface DayOfEvents {
  project: number;
  day: number;
  rows: number;
}

/** Notes which months ClickHouse does not have as it should. @returns these months, YYYY-MM */
export async function noteLost(on: Queryable, others: readonly DayOfEvents[], now: number): Promise<string[]> {
  const days = [...new Set(others.map(({ day }) => day))];
  const rows = await query<{ month: string }>(
    on,
    sql`with lost as (
          select distinct date_trunc('month', date '1970-01-01' + day)::date as month from unnest(${days}::int[]) as known (day)),
        noted as (
          update dropped_months
             set lost_at = case when month in (select month from lost) then coalesce(lost_at, ${sql.time(now)}) end
           where (lost_at is not null) <> (month in (select month from lost)))
        select to_char(month, 'YYYY-MM') as month from lost order by lost.month`,
  );
  return rows.map(({ month }) => month);
}

/** Takes what ClickHouse has of dropped months as all there is; columns are made of that again. In a transaction. */
export async function acceptDays(on: Queryable, others: readonly DayOfEvents[]): Promise<void> {
  await query(
    on,
    sql`with found as (
          select * from jsonb_to_recordset(${JSON.stringify(others)}::jsonb) as found (project int, day int, rows int)),
        noted as (
          update dropped_days as kept set rows = found.rows from found
           where kept.project_id = found.project and kept.day = found.day and found.rows > 0),
        gone as (
          delete from dropped_days as kept using found
           where kept.project_id = found.project and kept.day = found.day and found.rows = 0)
        select mark_days_of_events(project, array_agg(day))::text as marked from found group by project`,
  );
  await query(on, sql`update dropped_months set lost_at = null`);
}

/** What is left of a visit without them. */
export interface LeftOfVisit {
  id: number;
  /** 0: nothing. */
  events: number;
  [column: string]: unknown;
}

export interface CountOfQuarter {
  event: number;
  quarter: number;
  events: number;
  bots: number;
}

/** Visits that are changed at a time. */
const VISITS = 5_000;

/** Who is erased from dropped months, and what ClickHouse says of their events. */
export interface ErasedFromDropped {
  projectId: number;
  persons: readonly number[];
  /** Their events by day. */
  days: readonly { day: number; rows: number }[];
  visits: readonly LeftOfVisit[];
  counts: readonly CountOfQuarter[];
}

/** In a transaction. @returns how many visits nothing is left of */
export async function noteErasedFromDropped(on: Knex.Transaction, erased: ErasedFromDropped): Promise<number> {
  const { projectId, visits, counts } = erased;
  const gone = await settleVisits(on, projectId, visits);
  await subtractCounts(on, projectId, counts);
  await noteErased(on, erased);
  return gone;
}

/** Those that begin on dropped days; others are settled with the events that are stored. @returns how many visits nothing is left of */
async function settleVisits(on: Knex.Transaction, projectId: number, visits: readonly LeftOfVisit[]): Promise<number> {
  let ended = 0;
  for (let at = 0; at < visits.length; at += VISITS) {
    const some = visits.slice(at, at + VISITS);
    const gone = await query(
      on,
      sql`delete from sessions as s where s.project_id = ${projectId}
             and s.id = any(${some.filter(({ events }) => events === 0).map(({ id }) => id)}::bigint[])
             and ${onDroppedDay(sql`s.project_id`, sql`s.first_ts`)} returning s.id`,
    );
    ended += gone.length;
    const left = some.filter(({ events }) => events > 0);
    if (left.length === 0) continue;
    const time = (name: string): Sql => sql`to_timestamp(${sql.id(`v.${name}`)} / 1000.0)`;
    const view = (value: Sql): Sql => sql`case when v.seen > 0 then ${value} end`;
    await query(
      on,
      sql`update sessions as s
             set person = v.of_person, distinct_id = v.of_distinct_id, device = nullif(v.of_device, 0), geo = nullif(v.of_geo, 0),
                 source = nullif(v.of_source, 0), first_ts = ${time('begins')}, first_uuid = v.begins_with,
                 last_ts = ${time('ends')}, entry_ts = ${view(time('enters'))}, entry_uuid = ${view(sql`v.enters_with`)},
                 entry_page = ${view(sql`nullif(v.enters_page, 0)`)}, exit_ts = ${view(time('leaves'))},
                 exit_uuid = ${view(sql`v.leaves_with`)}, exit_page = ${view(sql`nullif(v.leaves_page, 0)`)},
                 views = v.of_views, screens = v.of_screens, autocaptures = v.of_autocaptures, events = v.events, bot = v.of_bots = 1
            from jsonb_to_recordset(${JSON.stringify(left)}::jsonb) as v (
                   id bigint, events int, of_person int, of_distinct_id int, of_device int, of_geo int, of_source int,
                   begins float8, begins_with uuid, ends float8, seen int, enters float8, enters_with uuid, enters_page int,
                   leaves float8, leaves_with uuid, leaves_page int, of_views int, of_screens int, of_autocaptures int, of_bots int)
           where s.project_id = ${projectId} and s.id = v.id and ${onDroppedDay(sql`s.project_id`, sql`s.first_ts`)}`,
    );
    const ids = left.map(({ id }) => id);
    // Changes of visits come with their events elsewhere, and are not noted.
    await query(on, sql`select mark_visits(${projectId}::int, ${ids}::bigint[])::text as marked`);
  }
  return ended;
}

async function subtractCounts(
  on: Knex.Transaction,
  projectId: number,
  counts: readonly CountOfQuarter[],
): Promise<void> {
  await query(
    on,
    sql`update event_counts as c set events = c.events - gone.events, bots = c.bots - gone.bots
          from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as gone (event int, quarter float8, events int, bots int)
         where c.project_id = ${projectId} and c.event = gone.event and c.quarter = to_timestamp(gone.quarter / 1000.0)`,
  );
  await query(
    on,
    sql`delete from event_counts as c
         using jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as gone (event int, quarter float8)
         where c.project_id = ${projectId} and c.event = gone.event and c.quarter = to_timestamp(gone.quarter / 1000.0)
           and c.events <= 0 and c.bots <= 0`,
  );
}

async function noteErased(
  on: Knex.Transaction,
  { projectId, persons, days }: Pick<ErasedFromDropped, 'projectId' | 'persons' | 'days'>,
): Promise<void> {
  await query(
    on,
    sql`update dropped_days as kept set rows = kept.rows - gone.rows
          from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as gone (day int, rows int)
         where kept.project_id = ${projectId} and kept.day = gone.day`,
  );
  await query(
    on,
    sql`select mark_days_of_events(${projectId}::int, ${days.map(({ day }) => day)}::int[])::text as marked`,
  );
  await query(on, sql`delete from dropped_days where project_id = ${projectId} and rows <= 0`);
  await query(
    on,
    sql`delete from dropped_persons where project_id = ${projectId} and person = any(${[...persons]}::int[])`,
  );
  await query(
    on,
    sql`select note_dropped_for_clickhouse('persons', ${projectId}::int, null, ${[...persons]}::bigint[])::text as noted`,
  );
  await query(
    on,
    sql`insert into dropped_erasures (project_id, persons) values (${projectId}, ${[...persons]}::int[])`,
  );
  await forgetEmptyMonths(on);
}
