/** The SQL of how many people are listed, and of the numbers of one of them. */
import type { Knex } from 'knex';
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';
import type { PeopleQuery } from './contract.ts';
import { anyOf, type ListParts, whomOf } from './people-list.ts';

/** Explains how many people fit. */
export async function explainPeople(
  { db, ...parts }: Pick<ListParts, 'db' | 'readerOf' | 'cohortName'>,
  projectId: ProjectId,
  asked: Omit<PeopleQuery, 'after'>,
  at: number,
): Promise<ScreenExplanation<'people'>> {
  const { found } = await whomOf(parts, projectId, asked);
  const statement = sql`
        select count(*) as people
        from persons
        where ${anyOf(projectId, found)}`;
  const [others] = await query<{ withoutProfile: number; merged: number }>(
    db,
    sql`select (select count(*) from persons
                 where project_id = ${projectId} and not merged and not has_profile)::float8 as "withoutProfile",
               (select count(*) from person_overrides where project_id = ${projectId})::float8 as merged`,
  );
  const { withoutProfile = 0, merged = 0 } = others ?? {};
  return {
    at,
    parts: [{ of: 'people', sql: sqlText(statement) }],
    left: [
      ...(asked.everybody ? [] : [{ what: 'withoutProfile' as const, count: withoutProfile }]),
      { what: 'merged', count: merged },
    ],
    elsewhere: [],
  };
}

/** The person, and all numbers they ever had. */
function knownSql(projectId: ProjectId, uuid: string): Sql {
  return sql`with current as (
        select number, created_at from persons
        where project_id = ${projectId} and uuid = ${uuid}::uuid
        ), known as (
        select number from current
        union all
        select old_person from person_overrides
        where project_id = ${projectId} and new_person = (select number from current)
        )`;
}

/** Explains the numbers of a person. @param persons all numbers they ever had */
export async function explainPerson(
  db: Knex,
  projectId: ProjectId,
  { uuid, persons }: { uuid: string; persons: readonly number[] },
  at: number,
): Promise<ScreenExplanation<'person'>> {
  const theirs = sql`project_id = ${projectId} and person in (select number from known)`;
  const hasView = sql`views + screens > 0`;
  const statement = sql`
        ${knownSql(projectId, uuid)}
        select
          (select created_at from current) as "firstSeen",
          (select max(ts) from events where ${theirs}) as "lastSeen",
          (select count(*) from sessions where ${theirs} and ${hasView}) as visits,
          (select count(*) from events where ${theirs} and event in (${views(projectId)})) as views,
          (select count(*) from events where ${theirs}) as events`;
  const visits = sql`
        ${knownSql(projectId, uuid)}
        select uuid, first_ts, last_ts, extract(epoch from last_ts - first_ts) as seconds, views + screens as views, events
        from sessions
        where ${theirs}
        order by last_ts desc, uuid desc
        limit 100`;
  const ids = sql`
        select distinct_id, joined_at
        from distinct_ids
        where project_id = ${projectId}
          and person = (select number from persons where project_id = ${projectId} and uuid = ${uuid}::uuid)
        order by joined_at is not null, number`;
  const [others] = await query<{ count: number }>(
    db,
    sql`select count(*)::float8 as count from sessions
         where project_id = ${projectId} and person = any(${[...persons]}::int[]) and not (${hasView})`,
  );
  return {
    at,
    parts: [
      { of: 'person', sql: sqlText(statement) },
      { of: 'visits', sql: sqlText(visits) },
      { of: 'ids', sql: sqlText(ids) },
    ],
    left: [{ what: 'visitsWithoutView', count: others?.count ?? 0 }],
    elsewhere: [],
  };
}

function views(projectId: ProjectId): Sql {
  return sql`select number from event_names where project_id = ${projectId} and name in ('$pageview', '$screen')`;
}
