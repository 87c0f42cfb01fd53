/**
 * Stores parts of recordings: all that waits goes into one transaction, one after the other, over one connection. A part is stored once, by the uuid of its
 * element. @see docs/replay.md
 */
import type { KnownFields, RecordedPart } from '#src/collect/recordings/contract.ts';
import { dayMs } from '#src/kit/zone.ts';
import { isOutage, sqlState } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { type ReplayPartitions, weekOf } from './partitions.ts';
import * as queries from './storing-queries.ts';

export interface Storing {
  secretFields(projectId: number, sessions: readonly string[]): Promise<KnownFields>;
  /** Resolves when all parts are committed. @throws AppError `unavailable`, `busy` */
  store(projectId: number, parts: readonly RecordedPart[]): Promise<void>;
  /** Forgets uuids of parts that no client sends any more. */
  tidy(): Promise<void>;
}

interface Waiting {
  parts: readonly queries.ProjectPart[];
  resolve(): void;
  reject(error: unknown): void;
}

/** Parts of one transaction, and their bytes. */
const MAX_PARTS = 64;
const MAX_BYTES = 8 * 1024 * 1024;
/** A client sends the same again for minutes. */
const UUIDS_KEPT_MS = 2 * dayMs;
const MAX_TRIES = 3;
/** Deadlock, serialization failure, and a partition that was dropped meanwhile. */
const RETRY_STATES = new Set(['40001', '40P01', '23514', '42P01']);

export function createStoring(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  partitions: ReplayPartitions,
  onStored: (projectId: number, bytes: number) => void,
): Storing {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) await writeTogether(nextBatch(waiting));
    isWriting = false;
  }

  async function writeTogether(batch: Waiting[]): Promise<void> {
    try {
      await transact(batch);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // One that cannot be stored costs the others nothing.
      if (batch.length > 1 && !isOutage(error)) for (const each of batch) await writeTogether([each]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function transact(batch: readonly Waiting[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(batch);
      } catch (error) {
        if (tries >= MAX_TRIES || !RETRY_STATES.has(sqlState(error) ?? '')) throw error;
        partitions.forget();
      }
    }
  }

  async function attempt(batch: readonly Waiting[]): Promise<void> {
    const parts = batch.flatMap((each) => each.parts).sort(inOrder);
    for (const week of new Set(parts.map(weekOfPart))) await partitions.ensure(week);
    const bytes = new Map<number, number>();
    await db.transaction(async (trx) => {
      const fresh = await queries.enterUuids(trx, parts, clock.now());
      for (const part of parts) {
        // Of two copies in one batch the first is stored.
        if (!fresh.delete(queries.keyOf(part.projectId, part.uuid))) continue;
        const place = await queries.addToSession(trx, part, weekOfPart(part));
        await queries.insertBlock(trx, part, place);
        bytes.set(part.projectId, (bytes.get(part.projectId) ?? 0) + part.body.length);
      }
    });
    for (const [projectId, length] of bytes) onStored(projectId, length);
  }

  return {
    async secretFields(projectId, sessions) {
      return sessions.length === 0 ? {} : queries.secretFieldsOf(db, projectId, sessions);
    },
    store: (projectId, parts) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ parts: parts.map((part) => ({ ...part, projectId })), resolve, reject });
        void write();
      }),
    tidy: () => queries.deleteOldUuids(db, clock.now() - UUIDS_KEPT_MS),
  };
}

/** The order in which all processes lock sessions; of one session, that of arrival. */
function inOrder(one: queries.ProjectPart, other: queries.ProjectPart): number {
  if (one.projectId !== other.projectId) return one.projectId - other.projectId;
  return one.session === other.session ? 0 : one.session < other.session ? -1 : 1;
}

function weekOfPart({ fromMs, skewMs }: queries.ProjectPart): number {
  return weekOf(fromMs + skewMs);
}

/** Takes the next ones out of the queue: at least one. */
function nextBatch(waiting: Waiting[]): Waiting[] {
  let parts = 0;
  let bytes = 0;
  const fits = waiting.findIndex((each, at) => {
    parts += each.parts.length;
    bytes += each.parts.reduce((sum, { body }) => sum + body.length, 0);
    return at > 0 && (parts > MAX_PARTS || bytes > MAX_BYTES);
  });
  return waiting.splice(0, fits === -1 ? waiting.length : fits);
}
