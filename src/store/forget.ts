/**
 * Deletes all rows of a project in the given tables, in short batches that block no one. Can be interrupted at any
 * point and repeated. The rooms that own the tables pass them.
 */
import { type Queryable, query, sql } from './sql.ts';

/** Rows per statement. */
const BATCH = 5_000;

/** Tables that are not partitioned. @returns rows that were deleted */
export async function forgetRows(
  on: Queryable,
  tables: readonly string[],
  projectId: number,
  signal: AbortSignal,
  batch = BATCH,
): Promise<number> {
  let gone = 0;
  for (const table of tables) {
    const name = sql.id(table);
    gone += await untilNone(batch, signal, () =>
      query(
        on,
        sql`with gone as (
              delete from ${name}
               where ctid = any(array(select ctid from ${name} where project_id = ${projectId} limit ${batch}))
              returning 1)
            select count(*) as count from gone`,
      ),
    );
  }
  return gone;
}

/** A partitioned table, by its key: row addresses are not unique in those. @returns rows that were deleted */
export async function forgetByKey(
  on: Queryable,
  { table, key }: { table: string; key: readonly string[] },
  projectId: number,
  signal: AbortSignal,
  batch = BATCH,
): Promise<number> {
  const name = sql.id(table);
  const columns = sql.join(key.map((column) => sql.id(column)));
  return await untilNone(batch, signal, () =>
    query(
      on,
      sql`with gone as (
            delete from ${name}
             where project_id = ${projectId}
               and (${columns}) in (select ${columns} from ${name} where project_id = ${projectId} limit ${batch})
            returning 1)
          select count(*) as count from gone`,
    ),
  );
}

/** Repeats a deletion until it finds less than it could take. @throws what `signal` was aborted with */
async function untilNone(
  batch: number,
  signal: AbortSignal,
  deleteSome: () => Promise<{ count: number }[]>,
): Promise<number> {
  let gone = 0;
  for (;;) {
    signal.throwIfAborted();
    const [row] = await deleteSome();
    const count = row?.count ?? 0;
    gone += count;
    if (count < batch) return gone;
  }
}

/** The numbers that a project has used (numbers.ts), and rows of files (blobs.ts). */
export async function forgetStored(on: Queryable, projectId: number, signal: AbortSignal): Promise<void> {
  await forgetRows(on, ['number_blocks', 'blob_pieces', 'blobs'], projectId, signal);
}
