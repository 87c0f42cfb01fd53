/** Properties of people and groups, in bulk, for feature flags. */
import type { JsonObject } from '#src/kit/json.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';

export interface PersonKey {
  projectId: number;
  distinctId: string;
}

export interface KnownPerson {
  number: number;
  properties: JsonObject;
}

export interface GroupKeyOf {
  projectId: number;
  type: number;
  key: string;
}

/** Persons by distinct id, in the order of the ids; null for unknown ids. */
export async function personsByIds(on: Queryable, asked: readonly PersonKey[]): Promise<(KnownPerson | null)[]> {
  const rows = await query<KnownPerson & { at: number }>(
    on,
    sql`select asked.at::int as at, d.person as number, p.properties
          from unnest(${asked.map(({ projectId }) => projectId)}::int[],
                      ${asked.map(({ distinctId }) => distinctId)}::text[]) with ordinality as asked (project_id, distinct_id, at)
         cross join lateral (
            select person from distinct_ids
             where project_id = asked.project_id and distinct_id = asked.distinct_id
             limit 1
          ) d
         cross join lateral (
            select properties from persons where project_id = asked.project_id and number = d.person limit 1
          ) p`,
  );
  const found = new Array<KnownPerson | null>(asked.length).fill(null);
  for (const { at, number, properties } of rows) found[at - 1] = { number, properties };
  return found;
}

/** Properties of these groups, in their order; null: it was never described. */
export async function propertiesOfGroups(on: Queryable, asked: readonly GroupKeyOf[]): Promise<(JsonObject | null)[]> {
  const rows = await query<{ at: number; properties: JsonObject }>(
    on,
    sql`select asked.at::int as at, g.properties
          from unnest(${asked.map(({ projectId }) => projectId)}::int[], ${asked.map(({ type }) => type)}::int[],
                      ${asked.map(({ key }) => key)}::text[]) with ordinality as asked (project_id, type_index, key, at)
         cross join lateral (
            select properties from groups
             where project_id = asked.project_id and type_index = asked.type_index and key = asked.key
             limit 1
          ) g`,
  );
  const found = new Array<JsonObject | null>(asked.length).fill(null);
  for (const { at, properties } of rows) found[at - 1] = properties;
  return found;
}

/** Names of a project's group types, by number. */
export async function groupTypesOf(on: Queryable, projectId: number): Promise<Map<number, string>> {
  const rows = await query<{ type: number; name: string }>(
    on,
    sql`select type_index as type, name from group_types where project_id = ${projectId} order by type_index`,
  );
  return new Map(rows.map(({ type, name }) => [type, name]));
}
