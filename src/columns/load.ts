/** Columns of chunks, from memory or by COPY. What one question reads, others that want it wait for. */
import type { ClientBase } from 'pg';
import { copyOutInto } from '#src/store/snapshot.ts';
import type { Cache } from './cache.ts';
import { CopiedFields } from './copied-rows.ts';
import type { ColumnBytes } from './encode.ts';
import type { GatheredChunk } from './gather.ts';
import type { Moment } from './moments.ts';
import type { Chunk } from './queries.ts';
import * as queries from './queries.ts';
import { Slabs } from './slabs.ts';

export interface LoadParts {
  moment: Pick<Moment, 'client' | 'second'>;
  cache: Cache;
}

/** The chunks with these columns. */
export async function loadChunks(
  parts: LoadParts,
  projectId: number,
  chunks: readonly Chunk[],
  names: readonly string[],
): Promise<GatheredChunk[]> {
  const gathered = chunks.map(({ id, rows, minTs, maxTs }) => ({ id, rows, minTs, maxTs, columns: {}, except: [] }));
  await loadColumns(parts, projectId, gathered, names);
  return gathered;
}

/** Adds these columns to chunks that are stored. */
export async function loadColumns(
  { moment, cache }: LoadParts,
  projectId: number,
  chunks: readonly GatheredChunk[],
  names: readonly string[],
): Promise<void> {
  const byId = new Map<number, GatheredChunk>();
  for (const chunk of chunks) if (chunk.id !== null) byId.set(chunk.id, chunk);
  // What others read at the moment is waited for when all else is there, and read after all when it was not kept.
  for (let isAgain = false; ; isAgain = true) {
    const missing: Missing = { ids: [], names: [] };
    const others = new Set<Promise<unknown>>();
    for (const [id, chunk] of byId) {
      for (const name of names) {
        if (chunk.columns[name] !== undefined) continue;
        const key = keyOf(id, name);
        const kept = cache.get<ColumnBytes | null>(key);
        const other = cache.underWay.get(key);
        if (kept) chunk.columns[name] = kept;
        else if (kept === undefined && other !== undefined && !isAgain) others.add(other);
        else if (kept === undefined) {
          missing.ids.push(id);
          missing.names.push(name);
        }
      }
    }
    if (missing.ids.length > 0) await readColumns(moment, cache, projectId, byId, missing);
    if (others.size === 0) return;
    await Promise.allSettled(others);
  }
}

interface Missing {
  ids: number[];
  names: string[];
}

/** With so many columns to read, it is worth to read from two connections. */
const MANY_COLUMNS = 60;

async function readColumns(
  { client, second }: LoadParts['moment'],
  cache: Cache,
  projectId: number,
  byId: ReadonlyMap<number, GatheredChunk>,
  missing: Missing,
): Promise<void> {
  const slabs = new Slabs();
  const readFrom = (connection: ClientBase, which: Missing) =>
    copyOutInto(connection, queries.columnRows(projectId, which), 2, (fields, length) => {
      const row = new CopiedFields(fields);
      const chunk = byId.get(row.number()) as GatheredChunk;
      const name = row.text() as string;
      const bytes = slabs.take(name, length);
      chunk.columns[name] = bytes;
      return bytes;
    });
  const read = async () => {
    const other = missing.ids.length < MANY_COLUMNS ? null : await second?.();
    if (!other) return readFrom(client, missing);
    const [some, others] = halves(missing);
    await Promise.all([readFrom(client, some), readFrom(other, others)]);
  };
  const reading = read();
  const keys = missing.ids.map((id, at) => keyOf(id, missing.names[at] as string));
  const kept = reading.then(() => {
    missing.ids.forEach((id, at) => {
      const bytes = byId.get(id)?.columns[missing.names[at] as string];
      cache.set(keys[at] as string, bytes ?? null, bytes?.length ?? 0);
    });
  });
  for (const key of keys) cache.underWay.set(key, kept);
  try {
    await kept;
  } finally {
    for (const key of keys) if (cache.underWay.get(key) === kept) cache.underWay.delete(key);
  }
}

function halves({ ids, names }: Missing): [Missing, Missing] {
  const half = Math.ceil(ids.length / 2);
  return [
    { ids: ids.slice(0, half), names: names.slice(0, half) },
    { ids: ids.slice(half), names: names.slice(half) },
  ];
}

/** Numbers of chunks are given once, whatever the project. */
function keyOf(id: number, column: string): string {
  return `${id} ${column}`;
}
