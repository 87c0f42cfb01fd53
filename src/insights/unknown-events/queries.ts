/** SQL of event names. */
import { type Queryable, query, sql } from '#src/store/sql.ts';

/** The received ones of these names, hidden ones included. */
export async function receivedOf(on: Queryable, projectId: number, names: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ name: string }>(
    on,
    sql`select name from event_names where project_id = ${projectId} and name = any(${[...names]}::text[])`,
  );
  return new Set(rows.map(({ name }) => name));
}
