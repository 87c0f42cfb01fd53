/**
 * The tail: unsealed rows. Reading and encoding them for each query would take longer with more traffic, so immutable parts
 * are cached: rows of closed epochs, in pieces.
 *
 * Why this is exact: pieces start at the last sealed epoch and cover every epoch up to one that was closed before the snapshot
 * that read the last piece: all its writers had ended, so that snapshot saw every row of it, and no others follow (`events/sealing.ts`).
 * A query uses only pieces that existed when its snapshot started, so it sees at least as much as their readers; it reads rows of later epochs
 * itself. Rows of closed epochs change only by statements that leave marks. Pieces are used only under exactly the marks under which they were read,
 * and the sealer removes marks only after the affected rows were sealed (`columns.ts`), which invalidates the pieces with them: those of later
 * epochs are kept, and the one that sealing has split is read again from there. Visits change with their
 * events: visits with events of later epochs are read by the query, and so are all visits while any is marked.
 */
import type { Knex } from 'knex';
import { closeEpochFor, coverNewest } from '#src/events/sealing.ts';
import type { Clock } from '#src/kit/clock.ts';
import { chunkKinds } from '../contract.ts';
import type { Cache } from '../storage/cache.ts';
import type { Outline } from '../storage/chunk-sql.ts';
import type { GatheredChunk } from './gathered-chunk.ts';
import { type ReadParts, readEvents, readVisits } from './rows-read.ts';
import {
  addProperties,
  beyond,
  bytesOf,
  extend,
  joined,
  type Kept,
  type Piece,
  type Touched,
  visitsOf,
} from './tail-pieces.ts';

/** State of the tail at the start of a snapshot. */
export interface Before {
  /** Every epoch up to this is closed. */
  closed: number;
  kept: Kept | null;
}

export interface Tail {
  events: GatheredChunk[];
  /** Visits that have events among them. */
  touched: Touched;
  /** These visits as they are now, but for those of some blocks. */
  visits(outdated: ReadonlySet<number>): Promise<GatheredChunk[]>;
}

export interface Tails {
  /** To be asked before the snapshot's first statement. */
  before(projectId: number): Before;
  read(
    parts: ReadParts,
    projectId: number,
    properties: readonly string[],
    outline: Outline,
    before: Before | undefined,
  ): Promise<Tail>;
  /** Waits for what is being closed. */
  settled(): Promise<void>;
}

export interface TailParts {
  db: Knex;
  cache: Cache;
  clock: Clock;
}

/** With so many rows of open epochs, it is worth to close one. */
const MANY_ROWS = 1_000;
/** Also cached when reading takes this long, ms: few but large rows. */
const SLOW_MS = 100;
/** More pieces than this are read again as one. */
const MAX_PIECES = 30;

/** @param closeAt instead of `MANY_ROWS` */
export function createTails({ db, cache, clock }: TailParts, closeAt = MANY_ROWS): Tails {
  let closed = 0;
  let closing: Promise<void> | null = null;
  /** Numbers of pieces: below 0, so that they are no chunk's. */
  let last = 0;

  function close(): void {
    const known = closed;
    closing ??= closeEpochFor(db, known)
      .then((epoch) => {
        // Otherwise a restore of the database was detected meanwhile: earlier closed epochs are meaningless.
        if (closed === known) closed = epoch;
        return coverNewest(db, clock.now());
      })
      .catch(() => undefined) // the next question tries again
      .finally(() => {
        closing = null;
      });
  }

  /** The pieces that are valid under this outline. */
  function usable(
    projectId: number,
    { kept, closed: known }: Before,
    { sealed, current, marked }: Outline,
  ): Kept | null {
    // The database was put back.
    if (current <= known) closed = 0;
    if (kept === null) return null;
    if (kept.marked === marked && current > known && kept.pieces.length <= MAX_PIECES) {
      if (kept.after === sealed) return kept;
      const rest = kept.after < sealed ? beyond(kept, sealed) : null;
      if (rest !== null) {
        forgetPieces(kept.pieces.filter((piece) => !rest.pieces.includes(piece)));
        return rest;
      }
    }
    // Pieces that are newer than this snapshot are still valid for others.
    if (sealed >= kept.after) forget(projectId, kept);
    return null;
  }

  function forget(projectId: number, kept: Kept): void {
    cache.forget((key) => key === keyOf(projectId));
    forgetPieces(kept.pieces);
  }

  /** Partial results of them. */
  function forgetPieces(pieces: readonly Piece[]): void {
    const ids = new Set(pieces.flatMap(({ chunks }) => chunks.map(({ id }) => `${id}`)));
    cache.forget((key) => key.startsWith('-') && ids.has(key.slice(0, key.indexOf(' '))));
  }

  function keep(projectId: number, before: Before, next: Kept): void {
    const key = keyOf(projectId);
    const known = cache.get<Kept>(key) ?? null;
    // Someone else was first.
    if (known !== null && known !== before.kept && known.upTo >= next.upTo) return;
    cache.set(key, next, bytesOf(next));
  }

  return {
    before: (projectId) => ({ closed, kept: cache.get<Kept>(keyOf(projectId)) ?? null }),
    async read(parts, projectId, properties, outline, before) {
      const known = before === undefined ? null : usable(projectId, before, outline);
      const isInOrder = before !== undefined && outline.current > before.closed;
      const reading = { parts: { ...parts, isKept: true }, projectId, properties, nextId: () => --last };
      let kept = isInOrder ? await extend(reading, outline, before.closed, known) : null;
      if (kept !== null && isInOrder) {
        const added = await addProperties(reading, kept);
        if (added === 'impossible') {
          forget(projectId, kept);
          kept = null;
        } else if (kept !== before.kept || added === 'some') keep(projectId, before, kept);
      }
      const since = clock.elapsed();
      const fresh = await readEvents(parts, projectId, properties, { after: kept?.upTo ?? outline.sealed });
      const isSlow = clock.elapsed() - since >= SLOW_MS;
      if (isSlow || fresh.reduce((sum, { rows }) => sum + rows, 0) >= closeAt) close();
      const ids = visitsOf(fresh);
      const areMarked = outline.marks.some(({ kind }) => kind === chunkKinds.sessions);
      return {
        events: [...(kept?.pieces ?? []).flatMap(({ chunks }) => chunks), ...fresh],
        touched: joined(kept?.touched ?? new Map(), ids),
        async visits(outdated) {
          if (kept === null || areMarked) {
            const all = joined(kept?.touched ?? new Map(), ids);
            const wanted = [...all].flatMap(([block, numbers]) => (outdated.has(block) ? [] : numbers));
            return readVisits(parts, projectId, { ids: wanted });
          }
          const known = kept.visits.flatMap(({ chunk, ids: own, except }) =>
            chunk === null ? [] : [{ ...chunk, except: [...except, ...[...ids].filter((id) => own.has(id))] }],
          );
          return [...known, ...(await readVisits(parts, projectId, { ids: [...ids] }))];
        },
      };
    },
    async settled() {
      await closing;
    },
  };
}

function keyOf(projectId: number): string {
  return `tail of ${projectId}`;
}
