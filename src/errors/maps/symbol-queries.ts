/** SQL of uploads by PostHog's command line. */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { BuildRelease, NewBuildRelease, SymbolSetAsked } from './contract.ts';

export async function releaseByHash(on: Queryable, projectId: number, hash: string): Promise<BuildRelease | null> {
  const [row] = await query<BuildRelease>(
    on,
    sql`select id, hash_id as "hashId", version, name, metadata from build_releases
         where project_id = ${projectId} and hash_id = ${hash}`,
  );
  return row ?? null;
}

export async function insertRelease(
  on: Queryable,
  projectId: number,
  { id, hashId, version, name, metadata, now }: NewBuildRelease & { id: string; now: number },
  limit: number,
): Promise<void> {
  await query(
    on,
    sql`insert into build_releases (id, project_id, hash_id, version, name, metadata, created_at)
        select ${id}::uuid, ${projectId}::int, ${hashId}::text, ${version}::text, ${name}::text, ${sql.json(metadata)}, ${sql.time(now)}
         where (select count(*) from build_releases where project_id = ${projectId}) < ${limit}
        on conflict (project_id, hash_id) do nothing`,
  );
}

export async function countReleases(on: Queryable, projectId: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const [row] = await query<{ n: number }>(
    on,
    sql`select count(*)::int as n from build_releases where project_id = ${projectId} and id = any(${[...ids]}::uuid[])`,
  );
  return row?.n ?? 0;
}

export interface SymbolSetRow {
  id: string;
  chunkId: string;
  release: string | null;
  contentHash: string | null;
  storedHash: string | null;
}

const columns = sql`
  symbol_sets.id, symbol_sets.chunk_id as "chunkId", symbol_sets.release, symbol_sets.content_hash as "contentHash",
  symbol_sets.stored_hash as "storedHash"`;

export function findSets(on: Queryable, projectId: number, chunks: readonly string[]): Promise<SymbolSetRow[]> {
  return query(
    on,
    sql`select ${columns} from symbol_sets where project_id = ${projectId} and chunk_id = any(${[...chunks]}::text[])`,
  );
}

/** With the version of its release. */
export async function setById(
  on: Queryable,
  projectId: number,
  id: string,
): Promise<(SymbolSetRow & { version: string | null }) | null> {
  const [row] = await query<SymbolSetRow & { version: string | null }>(
    on,
    sql`select ${columns}, build_releases.version
          from symbol_sets left join build_releases on build_releases.id = symbol_sets.release
         where symbol_sets.project_id = ${projectId} and symbol_sets.id = ${id}::uuid`,
  );
  return row ?? null;
}

export function enterSets(
  on: Queryable,
  projectId: number,
  sets: readonly (SymbolSetAsked & { id: string })[],
  { now, limit }: { now: number; limit: number },
): Promise<{ id: string; chunkId: string }[]> {
  return query(
    on,
    sql`insert into symbol_sets (id, project_id, chunk_id, release, content_hash, created_at)
        select given.id, ${projectId}::int, given.chunk, given.release, given.hash, ${sql.time(now)}
          from unnest(${sets.map(({ id }) => id)}::uuid[], ${sets.map(({ chunkId }) => chunkId)}::text[],
                      ${sets.map(({ releaseId }) => releaseId)}::uuid[], ${sets.map(({ contentHash }) => contentHash)}::text[])
            as given (id, chunk, release, hash)
         where (select count(*) from symbol_sets where project_id = ${projectId}) < ${limit}
        on conflict (project_id, chunk_id) do update
          set release = coalesce(excluded.release, symbol_sets.release), content_hash = excluded.content_hash
        returning id, chunk_id as "chunkId"`,
  );
}

export async function markStored(on: Queryable, projectId: number, id: string, hash: string): Promise<void> {
  await query(
    on,
    sql`update symbol_sets set stored_hash = ${hash} where project_id = ${projectId} and id = ${id}::uuid`,
  );
}

/** What the client says that it uploaded. */
export async function setHashes(
  on: Queryable,
  projectId: number,
  hashes: Readonly<Record<string, string>>,
): Promise<void> {
  await query(
    on,
    sql`update symbol_sets set content_hash = given.hash, stored_hash = given.hash
          from unnest(${Object.keys(hashes)}::uuid[], ${Object.values(hashes)}::text[]) as given (id, hash)
         where symbol_sets.project_id = ${projectId} and symbol_sets.id = given.id and symbol_sets.stored_hash is not null`,
  );
}
