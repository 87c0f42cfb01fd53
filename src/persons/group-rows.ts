/** Groups for other rooms: one with what set its properties, and what a project calls its types. */
import type { JsonObject } from '#src/kit/json.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { decodeProperties } from './properties.ts';

/** A group that was described. */
export interface DescribedGroup {
  createdAt: number;
  properties: JsonObject;
  /** When each property was set, ms, by its name. */
  changedAt: Map<string, number>;
}

/** Null: it was never described. */
export async function describedGroup(
  on: Queryable,
  projectId: number,
  type: number,
  key: string,
): Promise<DescribedGroup | null> {
  const [row] = await query<{ properties: JsonObject; stamps: unknown; createdAt: number }>(
    on,
    sql`select properties, property_stamps as stamps, created_at as "createdAt" from groups
         where project_id = ${projectId} and type_index = ${type}::smallint and key = ${key}`,
  );
  if (row === undefined) return null;
  const state = [...decodeProperties(row.properties, row.stamps)];
  const changedAt = new Map(state.map(([name, { stamp }]) => [name, Math.floor(stamp.ts)]));
  return { createdAt: row.createdAt, properties: row.properties, changedAt };
}

/** Deletes a described group with its properties. Its events keep its key. @returns false when it was never described */
export async function eraseGroup(on: Queryable, projectId: number, type: number, key: string): Promise<boolean> {
  const rows = await query(
    on,
    sql`delete from groups
         where project_id = ${projectId} and type_index = ${type}::smallint and key = ${key}
        returning key`,
  );
  return rows.length > 0;
}

/** What a project calls the groups of a type: one, and several. */
export async function nameGroupType(
  on: Queryable,
  projectId: number,
  { type, singular, plural }: { type: number; singular: string; plural: string },
): Promise<void> {
  await query(
    on,
    sql`update group_types set singular = ${singular}, plural = ${plural}
         where project_id = ${projectId} and type_index = ${type}::smallint`,
  );
}
