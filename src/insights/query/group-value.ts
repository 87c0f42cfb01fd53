/** SQL of the value of a property group, as text. */
import { readingSql } from '#src/columns/filters/filter-sql.ts';
import type { GroupProperty } from '#src/columns/filters/visit-fields.ts';
import { groupKinds } from '#src/events/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { Rows } from './rows.ts';

/** @param number of the group */
export function groupValue(rows: Rows, property: GroupProperty, number: Sql): Sql {
  return sql`coalesce((
            select ${readingSql(rows, property)}
            from property_groups
            where project_id = ${rows.projectId} and kind = ${groupKinds[property.kind]} and number = ${number}), ${property.missing ?? ''})`;
}
