/**
 * Erases persons from dropped months: ClickHouse says which days, visits and counts have events of theirs. What is made of these here changes in one
 * transaction, with a note for whoever copies to delete the events there.
 */
import type { Knex } from 'knex';
import { forgetEmptyMonths } from '#src/events/dropped.ts';
import { dayMs, quarterMs } from '#src/kit/zone.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';
import { plain } from '../target.ts';
import { numberSet } from '../text.ts';

interface EraseParts {
  db: Knex;
  house: ClickhouseConnection;
  /** Events before it were dropped, ms. */
  until: number;
}

/** What is left of a visit without them. */
interface LeftOfVisit {
  id: number;
  /** 0: nothing. */
  events: number;
  [column: string]: unknown;
}

interface CountOfQuarter {
  event: number;
  quarter: number;
  events: number;
  bots: number;
}

/** Visits with events of theirs, at a time. */
const VISITS = 5_000;

/** Not to be repeated before the note is applied. */
export async function eraseDropped(
  parts: EraseParts,
  projectId: number,
  persons: readonly number[],
): Promise<{ events: number; sessions: number }> {
  const { db, house, until } = parts;
  const events = plain(`${house.database}.events`);
  const theirs = sql`project_id = ${projectId} and person in ${numberSet(persons)}`;
  const days = await house.query<{ day: number; rows: number }>(
    sql`select toInt32(intDiv(ts, ${dayMs})) as day, count() as rows from ${events} as events
         where ${theirs} and ts < ${until} group by 1 order by 1`,
  );
  const visits = await visitsLeft(parts, projectId, persons);
  if (days.length === 0 && visits.length === 0) return { events: 0, sessions: 0 };
  const counts = await house.query<CountOfQuarter>(
    sql`select event, intDiv(ts, ${quarterMs}) * ${quarterMs} as quarter, countIf(bitAnd(marks, 1) = 0) as events,
               countIf(bitAnd(marks, 1) = 1) as bots
          from ${events} as events where ${theirs} and ts < ${until} group by 1, 2 order by 1, 2`,
  );
  const ended = await db.transaction(async (transaction) => {
    const gone = await settleVisits(transaction, projectId, visits);
    await subtractCounts(transaction, projectId, counts);
    await noteErased(transaction, { projectId, persons, days });
    return gone;
  });
  return { events: days.reduce((sum, { rows }) => sum + rows, 0), sessions: ended };
}

/** Of visits that begin in a dropped month, and have events of theirs anywhere. */
async function visitsLeft(
  { db, house, until }: EraseParts,
  projectId: number,
  persons: readonly number[],
): Promise<LeftOfVisit[]> {
  const events = plain(`${house.database}.events`);
  const names = await query<{ name: string; number: number }>(
    db,
    sql`select name, number from event_names
         where project_id = ${projectId} and name in ('$pageview', '$screen', '$autocapture')`,
  );
  const named = (...some: string[]) =>
    sql`event in ${numberSet(names.filter(({ name }) => some.includes(name)).map(({ number }) => number))}`;
  const first = (column: Sql, of: Sql) => sql`argMinIf(${column}, place, ${of})`;
  const last = (column: Sql, of: Sql) => sql`argMaxIf(${column}, place, ${of})`;
  const [isLeft, isView] = [sql`isLeft`, sql`isLeft and isView`];
  return house.query<LeftOfVisit>(
    sql`select session_id as id, countIf(isLeft) as events, ${first(sql`person`, isLeft)} as of_person,
               ${first(sql`distinct_id`, isLeft)} as of_distinct_id, ${first(sql`device`, isLeft)} as of_device,
               ${first(sql`geo`, isLeft)} as of_geo, ${first(sql`source`, isLeft)} as of_source,
               minIf(ts, isLeft) as begins, ${first(sql`toString(uuid)`, isLeft)} as begins_with, maxIf(ts, isLeft) as ends,
               countIf(${isView}) as seen, minIf(ts, ${isView}) as enters, ${first(sql`toString(uuid)`, isView)} as enters_with,
               ${first(sql`page`, isView)} as enters_page, maxIf(ts, ${isView}) as leaves,
               ${last(sql`toString(uuid)`, isView)} as leaves_with, ${last(sql`page`, isView)} as leaves_page,
               countIf(isLeft and ${named('$pageview')}) as of_views, countIf(isLeft and ${named('$screen')}) as of_screens,
               countIf(isLeft and ${named('$autocapture')}) as of_autocaptures, maxIf(bitAnd(marks, 1), isLeft) as of_bots
          from (select *, (ts, toString(uuid)) as place, person not in ${numberSet(persons)} as isLeft,
                       ${named('$pageview', '$screen')} as isView
                  from ${events} as events
                 where project_id = ${projectId} and session_id in (
                   select session_id from ${events} as events
                    where project_id = ${projectId} and person in ${numberSet(persons)} and session_id <> 0)) as events
         group by session_id having min(ts) < ${until} order by session_id`,
  );
}

/** @returns how many visits nothing is left of */
async function settleVisits(on: Knex.Transaction, projectId: number, visits: readonly LeftOfVisit[]): Promise<number> {
  let ended = 0;
  for (let at = 0; at < visits.length; at += VISITS) {
    const some = visits.slice(at, at + VISITS);
    const gone = await query(
      on,
      sql`delete from sessions where project_id = ${projectId}
             and id = any(${some.filter(({ events }) => events === 0).map(({ id }) => id)}::bigint[]) returning id`,
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
           where s.project_id = ${projectId} and s.id = v.id`,
    );
    const ids = left.map(({ id }) => id);
    // Changes of visits come with their events elsewhere, and are not noted.
    await query(
      on,
      sql`insert into clickhouse_changes (kind, project_id, numbers) values ('sessions', ${projectId}, ${ids}::bigint[])`,
    );
    await query(
      on,
      sql`insert into stale_units (project_id, kind, unit)
          select distinct ${projectId}::int, 2, (id / 8192)::int from unnest(${ids}::bigint[]) as changed (id)`,
    );
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
  {
    projectId,
    persons,
    days,
  }: { projectId: number; persons: readonly number[]; days: readonly { day: number; rows: number }[] },
): Promise<void> {
  await query(
    on,
    sql`update dropped_days as kept set rows = kept.rows - gone.rows
          from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as gone (day int, rows int)
         where kept.project_id = ${projectId} and kept.day = gone.day`,
  );
  await query(
    on,
    sql`insert into stale_units (project_id, kind, unit)
        select ${projectId}::int, 1, day from unnest(${days.map(({ day }) => day)}::int[]) as changed (day)`,
  );
  await query(on, sql`delete from dropped_days where project_id = ${projectId} and rows <= 0`);
  await forgetEmptyMonths(on);
  await query(
    on,
    sql`delete from dropped_persons where project_id = ${projectId} and person = any(${[...persons]}::int[])`,
  );
  await query(
    on,
    sql`insert into clickhouse_changes (kind, project_id, numbers)
        values ('persons', ${projectId}, ${[...persons]}::bigint[])`,
  );
  await query(
    on,
    sql`insert into dropped_erasures (project_id, persons) values (${projectId}, ${[...persons]}::int[])`,
  );
}
