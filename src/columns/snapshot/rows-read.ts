/** Rows read for queries, as chunks: unsealed rows, and those of stale or incomplete chunks. */
import type { ClientBase } from 'pg';
import { copyOutPieces } from '#src/store/copy-out.ts';
import { readUntilEnd } from '#src/store/snapshot.ts';
import type { EncodedChunk } from '../storage/encode.ts';
import { eventRows, sessionRows } from '../storage/row-sql.ts';
import { encodeRows, isEmptyCopy } from '../threads/encode-rows.ts';
import type { Threads } from '../threads/threads.ts';
import type { GatheredChunk } from './gathered-chunk.ts';

export interface ReadParts {
  snapshot: { client: ClientBase };
  threads: Threads;
  /** True when later queries use it too: it is read to its end, even if nobody waits for it any more. */
  isKept?: boolean;
}

/** Events as chunks, one for each day. @param properties that are in no group and wanted */
export async function readEvents(
  parts: ReadParts,
  projectId: number,
  properties: readonly string[],
  which: { span?: { from: number; until: number }; after?: number; upTo?: number },
): Promise<GatheredChunk[]> {
  const rows = eventRows({ projectId, properties, ...which });
  const encoded = await readRows(parts, (client) =>
    encodeRows(client, parts.threads.sequence(), rows, { only: properties, shared: true }),
  );
  return encoded.map(asGathered);
}

/** Visits as they are now, as one chunk if there are any. */
export async function readVisits(
  parts: ReadParts,
  projectId: number,
  which: { block: number } | { ids: readonly number[] },
): Promise<GatheredChunk[]> {
  if ('ids' in which && which.ids.length === 0) return [];
  const rows = await readRows(parts, (client) => copyOutPieces(client, sessionRows(projectId, which)));
  if (isEmptyCopy(rows)) return [];
  const encoded = await parts.threads.run({ task: 'encodeSessions', rows, shared: true });
  return encoded.map(asGathered);
}

function readRows<Rows>(
  { snapshot: { client }, isKept = false }: ReadParts,
  read: (client: ClientBase) => Promise<Rows>,
): Promise<Rows> {
  return isKept ? read(client) : readUntilEnd(client, read);
}

function asGathered({ rows, minTs, maxTs, columns }: EncodedChunk): GatheredChunk {
  return { id: null, rows, minTs, maxTs, columns: Object.fromEntries(columns), except: [] };
}
