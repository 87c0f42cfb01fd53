/** SQL of cohorts. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';

export interface CohortRow {
  id: number;
  name: string;
  formerNames: string[];
  description: string;
  definition: unknown;
  source: unknown;
  size: number;
  computedAt: number;
  computedMs: number;
  problem: string | null;
  createdBy: string | null;
}

const columns = sql`
  id, name, former_names as "formerNames", description, definition, source, cardinality(people) as size,
  computed_at as "computedAt", computed_ms as "computedMs", problem,
  (select u.name from users u where u.id = cohorts.created_by) as "createdBy"`;

export function cohortsOf(on: Queryable, projectId: number): Promise<CohortRow[]> {
  return query(on, sql`select ${columns} from cohorts where project_id = ${projectId} order by lower(name)`);
}

export async function cohortOf(on: Queryable, projectId: number, id: number): Promise<CohortRow | null> {
  const [row] = await query<CohortRow>(
    on,
    sql`select ${columns} from cohorts where project_id = ${projectId} and id = ${id}`,
  );
  return row ?? null;
}

export interface NewCohort {
  name: string;
  description: string;
  definition: object | null;
  source: object | null;
  people: readonly number[];
  computedMs: number;
  createdBy: number;
  now: number;
}

/** Null when there are too many. @throws a violation of a unique index when the name is taken */
export async function insertCohort(
  on: Queryable,
  projectId: number,
  cohort: NewCohort,
  most: number,
): Promise<{ id: number } | null> {
  const { name, description, definition, source, people, computedMs, createdBy, now } = cohort;
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into cohorts (project_id, created_by, name, description, definition, source, people, computed_at, computed_ms, created_at, changed_at)
        select ${projectId}::int, ${createdBy}::int, ${name}::text, ${description}::text, ${json(definition)}, ${json(source)},
               ${[...people]}::int[], ${sql.time(now)}, ${computedMs}::int, ${sql.time(now)}, ${sql.time(now)}
         where (select count(*) from cohorts where project_id = ${projectId}) < ${most}
           and not exists (select from cohorts where project_id = ${projectId} and lower(${name}::text) = any(former_names))
        returning id`,
  );
  return row ?? null;
}

/** True when another cohort had this name before. */
export async function isFormerName(on: Queryable, projectId: number, name: string, except: number): Promise<boolean> {
  const rows = await query(
    on,
    sql`select from cohorts
         where project_id = ${projectId} and id <> ${except} and lower(${name}::text) = any(former_names)`,
  );
  return rows.length > 0;
}

/** Filters with the name that it had go on to mean it. @throws a violation of a unique index when the name is taken */
export async function changeCohort(
  on: Queryable,
  projectId: number,
  id: number,
  { name, description, definition, now }: Pick<NewCohort, 'name' | 'description' | 'definition' | 'now'>,
): Promise<void> {
  await query(
    on,
    sql`update cohorts
           set former_names = array(
                 select distinct former from unnest(former_names || lower(name)) as former where former <> lower(${name}::text)),
               name = ${name}, description = ${description}, changed_at = ${sql.time(now)},
               definition = coalesce(${json(definition)}, definition)
         where project_id = ${projectId} and id = ${id}`,
  );
}

export async function deleteCohort(on: Queryable, projectId: number, id: number): Promise<void> {
  await query(
    on,
    sql`with gone as (delete from cohort_sizes where project_id = ${projectId} and cohort = ${id})
        delete from cohorts where project_id = ${projectId} and id = ${id}`,
  );
}

/** Keeps the people of a cohort, and how many they are on this day. */
export async function keepPeople(
  on: Queryable,
  projectId: number,
  id: number,
  { people, computedMs, now }: Pick<NewCohort, 'people' | 'computedMs' | 'now'>,
): Promise<void> {
  await query(
    on,
    sql`with changed as (
          update cohorts set people = ${[...people]}::int[], computed_at = ${sql.time(now)}, computed_ms = ${computedMs}, problem = null
           where project_id = ${projectId} and id = ${id}
          returning id, cardinality(people) as size)
        insert into cohort_sizes (project_id, cohort, day, size)
        select ${projectId}::int, id, (${sql.time(now)} at time zone 'utc')::date, size from changed
        on conflict (project_id, cohort, day) do update set size = excluded.size`,
  );
}

export async function noteProblem(on: Queryable, id: number, problem: string): Promise<void> {
  await query(on, sql`update cohorts set problem = ${problem} where id = ${id}`);
}

/** Dynamic cohorts computed before this time, oldest first. */
export function dueCohorts(on: Queryable, before: number): Promise<{ id: number; projectId: number }[]> {
  return query(
    on,
    sql`select id, project_id as "projectId" from cohorts
         where definition is not null and computed_at < ${sql.time(before)} order by computed_at limit 1000`,
  );
}

export interface SizeRow {
  cohort: number;
  day: string;
  size: number;
}

export function sizesOf(on: Queryable, projectId: number, since: number): Promise<SizeRow[]> {
  return query(
    on,
    sql`select cohort, to_char(day, 'YYYY-MM-DD') as day, size from cohort_sizes
         where project_id = ${projectId} and day >= (${sql.time(since)} at time zone 'utc')::date order by day`,
  );
}

/** Current persons with these values: distinct ids, person ids, or email addresses in any case. */
export function matchedPeople(
  on: Queryable,
  projectId: number,
  values: readonly string[],
): Promise<{ value: string; person: number }[]> {
  const given = sql`unnest(${[...values]}::text[]) as given (value)`;
  return query(
    on,
    sql`select found.value, coalesce(past.new_person, found.person) as person
          from (
            select value, person from ${given}
              join distinct_ids on project_id = ${projectId} and distinct_id = value
            union
            select value, number from ${given}
              join persons on project_id = ${projectId} and uuid::text = lower(value)
            union
            select value, number from ${given}
              join persons on project_id = ${projectId} and email_key = lower(value) and not merged
             where position('@' in value) > 0
          ) as found
          left join person_overrides as past on past.project_id = ${projectId} and past.old_person = found.person`,
  );
}

/** All persons of a project except these. */
export async function everybodyBut(on: Queryable, projectId: number, numbers: readonly number[]): Promise<number[]> {
  const [row] = await query<{ people: number[] }>(
    on,
    sql`select coalesce(array_agg(number), '{}') as people from persons
         where project_id = ${projectId} and not merged and number <> all(${[...numbers]}::int[])`,
  );
  return row?.people ?? [];
}

/** Distinct current persons among these numbers. */
export async function presentPeople(on: Queryable, projectId: number, numbers: readonly number[]): Promise<number[]> {
  const [row] = await query<{ people: number[] }>(
    on,
    sql`select coalesce(array_agg(number), '{}') as people from persons
         where project_id = ${projectId} and not merged and number = any(${[...numbers]}::int[])`,
  );
  return row?.people ?? [];
}

/** Removes persons from all cohorts of a project. @returns how many cohorts had one */
export async function removePeople(on: Queryable, projectId: number, persons: readonly number[]): Promise<number> {
  const rows = await query(
    on,
    sql`update cohorts set people = array(select number from unnest(people) as number where number <> all(${[...persons]}::int[]))
         where project_id = ${projectId} and people && ${[...persons]}::int[] returning id`,
  );
  return rows.length;
}

/** Applies merges to fixed lists, and lets go of persons who are deleted. */
export async function tidyLists(on: Queryable): Promise<void> {
  await query(
    on,
    sql`update cohorts set people = coalesce(now.people, '{}')
          from (
            select c.id, array_agg(distinct p.number) filter (where p.number is not null) as people
              from cohorts c
             cross join unnest(c.people) as member
              left join person_overrides o on o.project_id = c.project_id and o.old_person = member
              left join persons p
                on p.project_id = c.project_id and p.number = coalesce(o.new_person, member) and not p.merged
             where c.definition is null
             group by c.id
          ) as now
         where now.id = cohorts.id and cardinality(coalesce(now.people, '{}')) <> cardinality(cohorts.people)`,
  );
}

/** Names of shared segments with their definitions. */
export function sharedSegments(on: Queryable, projectId: number): Promise<{ name: string; definition: unknown }[]> {
  return query(
    on,
    sql`select name, definition from segments where project_id = ${projectId} and shared order by lower(name)`,
  );
}

/** Keys of flags whose conditions name cohorts, with the ids of these. */
export function flagsWithCohorts(on: Queryable, projectId: number): Promise<{ key: string; cohorts: number[] }[]> {
  return query(
    on,
    sql`select key, array_agg(distinct (property ->> 'value')::int) as cohorts
          from flags
         cross join jsonb_path_query(definition, '$.filters.groups[*].properties[*] ? (@.type == "cohort")') as property
         where project_id = ${projectId}
         group by key order by key`,
  );
}

function json(value: object | null): Sql {
  return sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
}
