/**
 * Recently written persons and their transactions, so that caches over all persons re-read only these
 * (src/columns/conditions/fitting-persons.ts, snapshot/merged-into.ts). Every write of persons is noted here, in the same transaction.
 */
import type { ClientBase } from 'pg';
import { ints } from '#src/store/binary.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';

/** Notes that what is known of these persons is not true any more: their properties, or that there is one, or that it was merged. */
export function changesSql(projectId: number, numbers: readonly number[]): Sql {
  return sql`insert into person_changes (project_id, numbers) values (${projectId}, ${ints(numbers, (number) => number)}::int[])`;
}

/**
 * Deletes entries older than some minutes. All writes since the oldest mark (of project 0) are kept: deleted ones belong to
 * transactions that ended before it.
 */
export async function forgetOldChanges(client: ClientBase, nowMs: number): Promise<void> {
  await query(
    client,
    sql`insert into person_changes (project_id, numbers, marked_at)
        select 0, '{}', ${sql.time(nowMs)} where exists (select from person_changes where project_id <> 0)`,
  );
  // A restored backup has transaction ids of another database, which may be higher than this one's.
  await query(
    client,
    sql`delete from person_changes
         where (xact >= pg_snapshot_xmax(pg_current_snapshot()) and marked_at is null)
            or xact < (select max(xact) from person_changes
                        where project_id = 0 and marked_at < ${sql.time(nowMs - KEPT_MS)}
                          and xact <= pg_snapshot_xmin(pg_current_snapshot()))`,
  );
}

const KEPT_MS = 5 * 60_000;
