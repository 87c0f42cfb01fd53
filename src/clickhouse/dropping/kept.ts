/** What ClickHouse has to keep: events of months that PostgreSQL does not have any more. */
import type { DayOfEvents } from '#src/events/dropped-changes.ts';
import { AppError } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import { type Queryable, query, Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';

/** Visits, or persons, of a change. */
const AT_ONCE = 5_000;
const EVENTS = 'events';

const eventsOf = ({ database }: Pick<ClickhouseConnection, 'database'>): Sql => new Sql([`${database}.${EVENTS}`], []);

/**
 * A condition of ClickHouse: true of dropped events. Null: there are none.
 * @param table in the names of columns, with a point
 * @param ofProject null: of all
 */
export async function keptEvents(
  on: Queryable,
  table: 'events.' | '' = 'events.',
  ofProject: number | null = null,
): Promise<Sql | null> {
  const chosen = ofProject === null ? sql`true` : sql`project_id = ${ofProject}`;
  const spans = await query<{ project: number; first: number; last: number }>(
    on,
    sql`select project_id as project, min(day) as first, max(day) as last
          from (select project_id, day, day - (row_number() over (partition by project_id order by day))::int as run
                  from dropped_days where ${chosen}) as days
         group by project_id, run
         order by 1, 2`,
  );
  if (spans.length === 0) return null;
  const [projectId, ts] = [new Sql([`${table}project_id`], []), new Sql([`${table}ts`], [])];
  const conditions = spans.map(
    ({ project, first, last }) =>
      sql`(${projectId} = ${project} and ${ts} >= ${first * dayMs} and ${ts} < ${(last + 1) * dayMs})`,
  );
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** Changes that bring visits of dropped events again, and delete once more who was erased from them. */
export async function noteKept(on: Queryable): Promise<void> {
  await query(
    on,
    sql`insert into clickhouse_changes (kind, project_id, numbers)
        select 'sessions', project_id, array_agg(id)
          from (select s.project_id, s.id,
                       row_number() over (partition by s.project_id order by s.id) / ${AT_ONCE}::int as piece
                  from sessions as s
                 where exists (select from dropped_days as dropped
                                where dropped.project_id = s.project_id
                                  and dropped.day = floor(extract(epoch from s.first_ts) / 86400)::int)) as visits
         group by project_id, piece`,
  );
  await query(
    on,
    sql`insert into clickhouse_changes (kind, project_id, numbers)
        select 'persons', project_id, persons::bigint[] from dropped_erasures order by id`,
  );
}

/** Dropped days of which ClickHouse has other events than it should, with their numbers there. */
export async function otherDays(on: Queryable, house: ClickhouseConnection): Promise<DayOfEvents[]> {
  const kept = await keptEvents(on);
  if (kept === null) return [];
  const [wanted, found] = await Promise.all([
    query<DayOfEvents>(on, sql`select project_id as project, day, rows from dropped_days order by 1, 2`),
    house.query<DayOfEvents>(
      sql`select events.project_id as project, toInt32(intDiv(ts, ${dayMs})) as day, count() as rows
            from ${eventsOf(house)} as events where ${kept} group by 1, 2`,
    ),
  ]);
  const rows = new Map(found.map((each) => [`${each.project} ${each.day}`, each.rows]));
  return wanted.flatMap(({ project, day, rows: expected }) => {
    const there = rows.get(`${project} ${day}`) ?? 0;
    return there === expected ? [] : [{ project, day, rows: there }];
  });
}

/** @param projects null: all @throws AppError `conflict` when ClickHouse alone has events of one of them */
export async function refuseLeaving(on: Queryable, projects: readonly number[] | null): Promise<void> {
  const chosen = projects === null ? sql`true` : sql`project_id = any(${[...projects]}::int[])`;
  const [kept] = await query<{ project: number }>(
    on,
    sql`select project_id as project from dropped_days where ${chosen} order by 1 limit 1`,
  );
  if (kept === undefined) return;
  throw new AppError(
    'conflict',
    `Events of project ${kept.project} are in ClickHouse alone. It has to go on running there.`,
  );
}
