/** SQL of what filters can be about. */
import { personTextSql } from '#src/columns/filters/filter-sql.ts';
import { DATE_TIME } from '#src/columns/values.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { FilterProperty } from './contract.ts';

const MAX_NAMES = 2_000;
/** Maximum persons scanned for property names. */
const MAX_PERSONS = 5_000;

/** Properties of events that are not hidden, those seen last first. */
export function eventProperties(on: Queryable, projectId: number): Promise<Pick<FilterProperty, 'name' | 'type'>[]> {
  return query(
    on,
    sql`select name, value_type as type from property_names as known
         where project_id = ${projectId}
           and not exists (
             select from definition_notes
              where project_id = known.project_id and kind = 'property' and name = known.name and hidden)
         order by last_seen desc, name collate "C"
         limit ${MAX_NAMES}`,
  );
}

/** Properties of the persons that came last, the commonest first. Who leaves a date empty does not make it something else. */
export function personProperties(on: Queryable, projectId: number): Promise<Pick<FilterProperty, 'name' | 'type'>[]> {
  return query(
    on,
    sql`select one.key as name,
               case min(jsonb_typeof(one.value))
                 when 'array' then 'list'
                 when 'string' then
                   case when bool_and(one.value #>> '{}' ~ ${DATE_TIME}) filter (where one.value <> '""')
                        then 'datetime' else 'string' end
                 else min(jsonb_typeof(one.value)) end as type
          from (
            select properties from persons
             where project_id = ${projectId} and not merged and properties <> '{}'
             order by number desc
             limit ${MAX_PERSONS}
          ) as last, jsonb_each(last.properties) as one
         where jsonb_typeof(one.value) <> 'null'
         group by 1
         order by count(*) desc, one.key collate "C"
         limit ${MAX_NAMES}`,
  );
}

export interface PersonValuesQuery {
  projectId: number;
  reading: ReadingRules;
  name: string;
  /** Only values with this in it, without regard to case and accents; '': all. */
  search: string;
}

/** How many persons say what, the commonest first; one more than `most` when there are more. */
export function personValues(
  on: Queryable,
  { projectId, reading, name, search }: PersonValuesQuery,
  most: number,
): Promise<{ value: string; count: number }[]> {
  const value = personTextSql({ projectId, reading }, name);
  const wanted: Sql = search === '' ? sql.empty : sql`and position(search_key(${search}) in search_key(${value})) > 0`;
  return query(
    on,
    sql`select ${value} as value, count(*)::int as count from persons
         where project_id = ${projectId} and not merged and ${value} is not null ${wanted}
         group by 1
         order by 2 desc, 1
         limit ${most + 1}`,
  );
}

/** Properties of the groups of a project that were described last, by type, the commonest first. */
export function groupProperties(
  on: Queryable,
  projectId: number,
): Promise<(Pick<FilterProperty, 'name' | 'type'> & { group: number })[]> {
  return query(
    on,
    sql`select one.type_index as group, one.key as name,
               case min(jsonb_typeof(one.value))
                 when 'array' then 'list'
                 when 'string' then
                   case when bool_and(one.value #>> '{}' ~ ${DATE_TIME}) filter (where one.value <> '""')
                        then 'datetime' else 'string' end
                 else min(jsonb_typeof(one.value)) end as type
          from (
            select last.type_index, property.key, property.value
              from (
                select type_index, properties from groups
                 where project_id = ${projectId} and properties <> '{}'
                 order by created_at desc
                 limit ${MAX_PERSONS}
              ) as last, jsonb_each(last.properties) as property
          ) as one
         where jsonb_typeof(one.value) <> 'null'
         group by 1, 2
         order by 1, count(*) desc, one.key collate "C"
         limit ${MAX_NAMES}`,
  );
}

/** Numbers of the group types of a project. */
export async function groupTypes(on: Queryable, projectId: number): Promise<number[]> {
  const rows = await query<{ type: number }>(
    on,
    sql`select type_index as type from group_types where project_id = ${projectId} order by 1`,
  );
  return rows.map(({ type }) => type);
}

/** How many groups say what, the commonest first; of the key (null) each once; one more than `most` when there are more. */
export function groupValues(
  on: Queryable,
  { projectId, type, name, search }: { projectId: number; type: number; name: string | null; search: string },
  most: number,
): Promise<{ value: string; count: number }[]> {
  const value = name === null ? sql`key` : sql`(properties ->> ${name})`;
  const wanted: Sql = search === '' ? sql.empty : sql`and position(search_key(${search}) in search_key(${value})) > 0`;
  return query(
    on,
    sql`select ${value} as value, count(*)::int as count from groups
         where project_id = ${projectId} and type_index = ${type}::smallint and ${value} is not null ${wanted}
         group by 1
         order by 2 desc, 1
         limit ${most + 1}`,
  );
}

export async function hasCohorts(on: Queryable, projectId: number): Promise<boolean> {
  const rows = await query(on, sql`select from cohorts where project_id = ${projectId} limit 1`);
  return rows.length > 0;
}

/** Names of cohorts with their size. */
export function cohortNames(
  on: Queryable,
  projectId: number,
  search: string,
  most: number,
): Promise<{ value: string; count: number }[]> {
  return query(
    on,
    sql`select name as value, cardinality(people) as count from cohorts
         where project_id = ${projectId} and position(search_key(${search}) in search_key(name)) > 0
         order by lower(name)
         limit ${most + 1}`,
  );
}
