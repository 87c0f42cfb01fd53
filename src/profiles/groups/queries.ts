/** SQL of groups as they are looked at. */
import type { JsonObject } from '#src/kit/json.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';

export interface StoredGroup {
  key: string;
  label: string | null;
}

/** Described groups, and whether their key or name has this in it; '': all do. */
export function storedGroups(
  on: Queryable,
  projectId: number,
  type: number,
  search: string,
): Promise<(StoredGroup & { fits: boolean })[]> {
  return query(
    on,
    sql`select key, case jsonb_typeof(properties -> 'name') when 'string' then properties ->> 'name' end as label,
               position(search_key(${search}) in search_key(concat_ws(' ', key, properties ->> 'name'))) > 0 as fits
          from groups
         where project_id = ${projectId} and type_index = ${type}::smallint`,
  );
}

/** Names and properties of these groups, by key. */
export async function groupsByKey(
  on: Queryable,
  projectId: number,
  type: number,
  keys: readonly string[],
): Promise<Map<string, JsonObject>> {
  const rows = await query<{ key: string; properties: JsonObject }>(
    on,
    sql`select key, properties from groups
         where project_id = ${projectId} and type_index = ${type}::smallint and key = any(${[...keys]}::text[])`,
  );
  return new Map(rows.map(({ key, properties }) => [key, properties]));
}

export interface GroupTypeRow {
  type: number;
  name: string;
  singular: string | null;
  plural: string | null;
  groups: number;
}

export function groupTypes(on: Queryable, projectId: number): Promise<GroupTypeRow[]> {
  return query(
    on,
    sql`select t.type_index as type, t.name, t.singular, t.plural,
               (select count(*)::int from groups g where g.project_id = ${projectId} and g.type_index = t.type_index) as groups
          from group_types t
         where t.project_id = ${projectId}
         order by t.type_index`,
  );
}
