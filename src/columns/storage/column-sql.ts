/** The SQL of columns of chunks. */
import type { ClientBase } from 'pg';
import { query, type Sql, sql } from '#src/store/sql.ts';

/** Columns of chunks: id, name, bytes, which are null where there is no such column. @param wanted names for each chunk, side by side */
export function columnRows(projectId: number, wanted: { ids: readonly number[]; names: readonly string[] }): Sql {
  return sql`
    select w.id, w.name, c.bytes
      from unnest(${wanted.ids}::bigint[], ${wanted.names}::text[]) as w (id, name)
      left join chunk_columns as c on c.project_id = ${projectId} and c.chunk_id = w.id and c.name = w.name`;
}

/** Whether all of these chunks are there. */
export async function haveChunks(client: ClientBase, projectId: number, ids: readonly number[]): Promise<boolean> {
  const [row] = await query<{ found: number }>(
    client,
    sql`select count(*)::int as found from chunks where project_id = ${projectId} and id = any(${ids}::bigint[])`,
  );
  return row?.found === new Set(ids).size;
}

/** Which of these chunks have a column of which of these names. */
export function chunksWithColumns(
  client: ClientBase,
  projectId: number,
  wanted: { ids: readonly number[]; names: readonly string[] },
): Promise<{ id: number; name: string }[]> {
  return query(
    client,
    sql`select chunk_id as id, name from chunk_columns
         where project_id = ${projectId} and chunk_id = any(${wanted.ids}::bigint[]) and name = any(${wanted.names}::text[])`,
  );
}

/** Names and bytes of all columns of a chunk. */
export function allColumns(projectId: number, chunkId: number): Sql {
  return sql`select name, bytes from chunk_columns where project_id = ${projectId} and chunk_id = ${chunkId}`;
}
