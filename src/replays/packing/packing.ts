/**
 * Packs recordings that are over: their blocks as they came are replaced by fewer and smaller ones. Cut short at any point, nothing is lost and nothing is
 * there twice: blocks are replaced in one transaction.
 */
import { dayMs } from '#src/kit/zone.ts';
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import { SESSION_QUIET_MS } from '../values.ts';
import type { LooseBlock, Packed, PackedBlock } from './pack.ts';
import { type PackThread, startPackThread } from './packer.ts';
import * as queries from './packing-queries.ts';

export type PackingBlobs = Pick<Blobs, 'keep' | 'read' | 'setExpiry' | 'isHosted'>;

export interface PackingParts {
  blobs: PackingBlobs;
  /** Replaced in tests. */
  startThread?: () => PackThread;
}

const SESSIONS_AT_ONCE = 20;
/** JSON that is packed at a time. */
const MAX_RAW_BYTES = 48 * 1024 * 1024;
/** A file that no block names after this long was left by a run that was cut short. */
const UNCLAIMED_MS = dayMs;
/** Files of blocks go with their blocks. */
const KEPT_MS = 36_500 * dayMs;

export type Packing = (signal?: AbortSignal) => Promise<void>;

export function createPacking({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>, parts: PackingParts): Packing {
  const { blobs, startThread = startPackThread } = parts;

  async function bodyOf(projectId: number, { body, blob }: queries.StoredBlock): Promise<Uint8Array> {
    if (body !== null) return body;
    const pieces: Buffer[] = [];
    for await (const piece of (await blobs.read(projectId, blob ?? 0)).pieces) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Bodies go to the storage outside before the blocks are replaced; those of a run that fails expire. */
  async function place(projectId: number, blocks: readonly PackedBlock[]): Promise<queries.PlacedBlock[]> {
    if (!blobs.isHosted) return blocks.map((block) => ({ ...block, blob: null }));
    const placed: queries.PlacedBlock[] = [];
    for (const block of blocks) {
      const { id } = await blobs.keep(projectId, clock.now() + UNCLAIMED_MS, one(Buffer.from(block.body)));
      placed.push({ ...block, blob: id });
    }
    return placed;
  }

  /** False when the thread could not do it. */
  async function packOne(session: queries.QuietSession, thread: PackThread): Promise<boolean> {
    // A large session is packed piece by piece, and its counters stay as they were counted on arrival.
    const isWhole = session.rawBytes <= MAX_RAW_BYTES;
    const stored = await queries.blocksToPack(db, session, { onlyLoose: !isWhole, maxRawBytes: MAX_RAW_BYTES });
    const loose: LooseBlock[] = [];
    for (const block of stored) loose.push({ window: block.window, body: await bodyOf(session.projectId, block) });
    let packed: Packed;
    try {
      packed = await thread.pack(loose);
    } catch (error) {
      // It plays as it is.
      log.warn({ err: error, session: session.session }, 'recording not packed');
      await queries.leaveUnpacked(db, session, clock.now());
      return false;
    }
    const blocks = await place(session.projectId, packed.blocks);
    await db.transaction(async (trx) => {
      const now = clock.now();
      const seqs = stored.map(({ seq }) => seq);
      const replaced = { seqs, blocks, summary: isWhole ? packed.summary : null, now };
      const gone = await queries.replaceBlocks(trx, session, replaced);
      if (gone === null) return;
      const made = blocks.flatMap(({ blob }) => blob ?? []);
      await blobs.setExpiry(trx, session.projectId, made, now + KEPT_MS);
      await blobs.setExpiry(trx, session.projectId, gone, now);
    });
    return true;
  }

  return async (signal) => {
    let thread: PackThread | null = null;
    try {
      for (;;) {
        const sessions = await queries.quietSessions(db, clock.now() - SESSION_QUIET_MS, SESSIONS_AT_ONCE);
        for (const session of sessions) {
          if (signal?.aborted) return;
          thread ??= startThread();
          if (await packOne(session, thread)) continue;
          await thread.end();
          thread = null;
        }
        if (sessions.length < SESSIONS_AT_ONCE) return;
      }
    } finally {
      await thread?.end();
    }
  };
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes;
}
