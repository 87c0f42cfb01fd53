/** Number of stored events of a project, from its counts: milliseconds for any size. */
import type { Knex } from 'knex';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, sql } from '#src/store/sql.ts';

/** @param before only events of quarter hours before this time, ms */
export async function countStored(db: Knex, projectId: ProjectId, before?: number): Promise<{ events: number }> {
  const earlier = before === undefined ? sql.empty : sql`and quarter < ${new Date(before)}`;
  const [row] = await query<{ events: number }>(
    db,
    sql`select coalesce(sum(events + bots), 0)::float8 as events
          from event_counts
         where project_id = ${projectId} ${earlier}`,
  );
  return { events: row?.events ?? 0 };
}
