/**
 * Erases persons from dropped months: ClickHouse says which days, visits and counts have events of theirs. What is made of these here changes in one
 * transaction, with a note to delete the events there.
 */
import type { Knex } from 'knex';
import { type CountOfQuarter, type LeftOfVisit, noteErasedFromDropped } from '#src/events/dropped-changes.ts';
import { busy } from '#src/kit/errors.ts';
import { dayMs, quarterMs } from '#src/kit/zone.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';
import { isChanging, readState } from '../state.ts';
import { plain } from '../target.ts';
import { numberSet } from '../text.ts';
import { keptEvents } from './kept.ts';

interface EraseParts {
  db: Knex;
  house: ClickhouseConnection;
  /** Events before it were dropped, ms. */
  until: number;
}

/** @throws AppError `busy` while an earlier note is applied, and when what ClickHouse has changes meanwhile */
export async function eraseDropped(
  parts: EraseParts,
  projectId: number,
  persons: readonly number[],
): Promise<{ events: number; sessions: number }> {
  const { db, house } = parts;
  const seen = await readCopyOfDropped(db, projectId);
  const kept = await keptEvents(db, 'events.', projectId);
  if (kept === null) return { events: 0, sessions: 0 };
  const events = plain(`${house.database}.events`);
  const theirs = sql`project_id = ${projectId} and person in ${numberSet(persons)} and ${kept}`;
  const days = await house.query<{ day: number; rows: number }>(
    sql`select toInt32(intDiv(ts, ${dayMs})) as day, count() as rows from ${events} as events
         where ${theirs} group by 1 order by 1`,
  );
  const visits = await visitsLeft(parts, projectId, persons);
  if (days.length === 0 && visits.length === 0) return { events: 0, sessions: 0 };
  const counts = await house.query<CountOfQuarter>(
    sql`select event, intDiv(ts, ${quarterMs}) * ${quarterMs} as quarter, countIf(bitAnd(marks, 1) = 0) as events,
               countIf(bitAnd(marks, 1) = 1) as bots
          from ${events} as events where ${theirs} group by 1, 2 order by 1, 2`,
  );
  const ended = await db.transaction(async (transaction) => {
    await query(transaction, sql`lock table dropped_days in share row exclusive mode`);
    const isAsSeen =
      seen !== null &&
      seen === (await readCopyOfDropped(transaction, projectId)) &&
      !(await isChanging(transaction, projectId)) &&
      !(await isWaiting(transaction, projectId, visits));
    if (!isAsSeen) throw busy('Earlier changes are still being applied in ClickHouse.', 60);
    return noteErasedFromDropped(transaction, { projectId, persons, days, visits, counts });
  });
  return { events: days.reduce((sum, { rows }) => sum + rows, 0), sessions: ended };
}

/** Has another value after the tables were filled again, and after an erasure. Null: they are being filled. */
async function readCopyOfDropped(on: Queryable, projectId: number): Promise<string | null> {
  const [found] = await query<{ copy: string }>(
    on,
    sql`select concat_ws(' ', target, (select max(id) from dropped_erasures where project_id = ${projectId})) as copy
          from clickhouse_state where caught_up_at is not null`,
  );
  return found?.copy ?? null;
}

/** True when some of these visits have events that are not copied yet. */
async function isWaiting(on: Queryable, projectId: number, visits: readonly LeftOfVisit[]): Promise<boolean> {
  const { shipped } = await readState(on);
  const waiting = await query(
    on,
    sql`select 1 as one from events
         where epoch > ${shipped} and project_id = ${projectId} and session_id = any(${visits.map(({ id }) => id)}::bigint[])
         limit 1`,
  );
  return waiting.length > 0;
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
