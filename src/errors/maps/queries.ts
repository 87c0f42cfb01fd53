/** SQL of source maps. */
import { type Queryable, query, sql } from '#src/store/sql.ts';

/** A project's maps by key: when each was uploaded. */
export async function mapKeys(on: Queryable, projectId: number): Promise<Map<string, number>> {
  const rows = await query<{ key: string; at: number }>(
    on,
    sql`select key, uploaded_at as at from source_maps where project_id = ${projectId}`,
  );
  return new Map(rows.map(({ key, at }) => [key, at]));
}

/** Compressed; null: it is gone. */
export async function readMap(on: Queryable, projectId: number, key: string): Promise<Uint8Array | null> {
  const [row] = await query<{ map: Buffer }>(
    on,
    sql`select map from source_maps where project_id = ${projectId} and key = ${key}`,
  );
  return row?.map ?? null;
}

export interface NewMap {
  key: string;
  file: string;
  release: string | null;
  map: Buffer;
  bytes: number;
  sources: number;
  now: number;
}

export async function keepMap(on: Queryable, projectId: number, made: NewMap): Promise<void> {
  const { key, file, release, map, bytes, sources, now } = made;
  await query(
    on,
    sql`insert into source_maps (project_id, key, file, release, map, bytes, sources, uploaded_at)
        values (${projectId}, ${key}, ${file}, ${release}, ${map}, ${bytes}, ${sources}, ${sql.time(now)})
        on conflict (project_id, key) do update set
          file = excluded.file, release = excluded.release, map = excluded.map, bytes = excluded.bytes,
          sources = excluded.sources, uploaded_at = excluded.uploaded_at`,
  );
}

/** Keeps the newest maps: so many, and so many compressed bytes. */
export async function deleteOldMaps(
  on: Queryable,
  projectId: number,
  most: { maps: number; bytes: number },
): Promise<void> {
  await query(
    on,
    sql`delete from source_maps as old
         using (select key, row_number() over newest as place, sum(octet_length(map)) over newest as bytes
                  from source_maps where project_id = ${projectId}
                window newest as (order by uploaded_at desc, key)) as kept
         where old.project_id = ${projectId} and old.key = kept.key and (kept.place > ${most.maps} or kept.bytes > ${most.bytes})`,
  );
}

/** Projects with maps that were uploaded since a time. */
export async function projectsWithMapsSince(on: Queryable, since: number): Promise<number[]> {
  const rows = await query<{ id: number }>(
    on,
    sql`select distinct project_id as id from source_maps where uploaded_at >= ${sql.time(since)}`,
  );
  return rows.map(({ id }) => id);
}
