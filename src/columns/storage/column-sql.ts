/** The SQL of columns of chunks. */
import type { ClientBase } from 'pg';
import { query, type Sql, sql } from '#src/store/sql.ts';

/** A column that is wanted of a chunk. */
export interface ColumnRequest {
  id: number;
  name: string;
  /** Its packed column, unless it has a separate one; empty: none. */
  packed: string;
}

/** Columns of chunks: id, name, whether it is packed with others, bytes, which are null where there is no such column. */
export function columnRows(projectId: number, wanted: readonly ColumnRequest[]): Sql {
  const ids = wanted.map(({ id }) => id);
  const names = wanted.map(({ name }) => name);
  const packed = wanted.map((each) => each.packed);
  return sql`
    select w.id, w.name, own.bytes is null and other.bytes is not null, coalesce(own.bytes, other.bytes)
      from unnest(${ids}::bigint[], ${names}::text[], ${packed}::text[]) as w (id, name, packed)
      left join chunk_columns as own
        on own.project_id = ${projectId} and own.chunk_id = w.id and own.name = w.name
      left join chunk_columns as other
        on other.project_id = ${projectId} and other.chunk_id = w.id and other.name = w.packed and own.bytes is null`;
}

/** True when all of these chunks exist. */
export async function haveChunks(client: ClientBase, projectId: number, ids: readonly number[]): Promise<boolean> {
  const [row] = await query<{ found: number }>(
    client,
    sql`select count(*)::int as found from chunks where project_id = ${projectId} and id = any(${ids}::bigint[])`,
  );
  return row?.found === new Set(ids).size;
}

/** Names and bytes of all columns of a chunk. */
export function allColumns(projectId: number, chunkId: number): Sql {
  return sql`select name, bytes from chunk_columns where project_id = ${projectId} and chunk_id = ${chunkId}`;
}
