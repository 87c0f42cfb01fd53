/**
 * What is not sealed. Reading and encoding it again for each question would take the longer the more comes in, so what cannot change any
 * more is kept: rows of closed epochs, in pieces.
 *
 * Why that is exact. Pieces begin at the epoch up to which was sealed and leave none out, up to an epoch that was closed before the moment
 * began that read the last of them: all its writers had ended, so that moment saw every row of it, and no other comes (`events/sealing.ts`).
 * A question uses only what was kept when its snapshot began, so it sees at least as much as those who read the pieces; rows of later epochs
 * it reads itself. Rows of closed epochs change by statements that leave marks. Pieces are used only under the very marks under which they were read,
 * and the sealer takes marks away only after what they may be about was sealed (`columns.ts`), which ends the pieces that hold it: those of later
 * epochs are kept, and the one that sealing has cut is read again from there. Visits change with their
 * events: those with events of later epochs are read by the question, as are all of them while any visits are marked.
 */
import type { Knex } from 'knex';
import { closeEpochFor, coverNewest } from '#src/events/sealing.ts';
import type { Clock } from '#src/kit/clock.ts';
import { chunkKinds } from '../contract.ts';
import type { Cache } from '../storage/cache.ts';
import { type Outline, SESSION_BLOCK } from '../storage/chunk-sql.ts';
import { PROPERTY } from '../storage/encode.ts';
import { openColumn } from '../storage/format.ts';
import type { GatheredChunk } from './gather.ts';
import { type ReadParts, readEvents, readVisits } from './rows-read.ts';

/** Rows of some epochs. */
interface Piece {
  after: number;
  upTo: number;
  chunks: readonly GatheredChunk[];
  /** Properties in no group that were read. */
  properties: Set<string>;
}

/** Visits with events in a piece, as they were when it was read. */
interface PieceOfVisits {
  chunk: GatheredChunk | null;
  ids: ReadonlySet<number>;
  /** Those that later pieces tell of. */
  except: readonly number[];
}

interface Kept {
  /** As of the outline under which it was read. */
  marked: string;
  after: number;
  upTo: number;
  pieces: readonly Piece[];
  visits: readonly PieceOfVisits[];
  touched: Touched;
}

/** Numbers of visits, by block. */
export type Touched = ReadonlyMap<number, readonly number[]>;

/** What was known when a snapshot began. */
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
/** As it is with fewer rows that take so long to read: they are long. */
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
        // Otherwise it was seen meanwhile that the database was put back: what was closed before tells nothing.
        if (closed === known) closed = epoch;
        return coverNewest(db, clock.now());
      })
      .catch(() => undefined) // the next question tries again
      .finally(() => {
        closing = null;
      });
  }

  /** What of it can be used under this outline. */
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
    // What is read at an earlier moment than it was is still of use to others.
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

  async function readPiece(
    parts: ReadParts,
    projectId: number,
    properties: readonly string[],
    epochs: { after: number; upTo: number },
  ): Promise<{ piece: Piece; visits: PieceOfVisits }> {
    const read = await readEvents(parts, projectId, properties, epochs);
    const chunks = read.map((chunk) => ({ ...chunk, id: --last }));
    const ids = visitsOf(chunks);
    const [chunk] = await readVisits(parts, projectId, { ids: [...ids] });
    return {
      piece: { ...epochs, chunks, properties: new Set(properties) },
      visits: { chunk: chunk === undefined ? null : { ...chunk, id: --last }, ids, except: [] },
    };
  }

  /** Reads what is missing between what is sealed and the first piece, and after the last one. */
  async function extend(
    parts: ReadParts,
    projectId: number,
    properties: readonly string[],
    outline: Outline,
    { closed: upTo }: Before,
    known: Kept | null,
  ): Promise<Kept | null> {
    const kept = known && (await fillGap(parts, projectId, properties, known));
    const after = kept?.upTo ?? outline.sealed;
    if (upTo <= after) return kept;
    const { piece, visits } = await readPiece(parts, projectId, properties, { after, upTo });
    if (piece.chunks.length === 0 && kept !== null) return { ...kept, upTo };
    const earlier = (kept?.visits ?? []).map((each) => ({
      ...each,
      except: [...each.except, ...[...visits.ids].filter((id) => each.ids.has(id))],
    }));
    return {
      marked: outline.marked,
      after: outline.sealed,
      upTo,
      touched: joined(kept?.touched ?? new Map(), visits.ids),
      pieces: [...(kept?.pieces ?? []), piece],
      visits: [...earlier, visits],
    };
  }

  /** The piece that sealing has cut is read again, from where it was cut. */
  async function fillGap(
    parts: ReadParts,
    projectId: number,
    properties: readonly string[],
    kept: Kept,
  ): Promise<Kept> {
    const upTo = kept.pieces[0]?.after ?? kept.upTo;
    if (upTo <= kept.after) return kept;
    const { piece, visits } = await readPiece(parts, projectId, properties, { after: kept.after, upTo });
    const except = [...visits.ids].filter((id) => kept.visits.some(({ ids }) => ids.has(id)));
    return {
      ...kept,
      touched: joined(kept.touched, visits.ids),
      pieces: [piece, ...kept.pieces],
      visits: [{ ...visits, except }, ...kept.visits],
    };
  }

  return {
    before: (projectId) => ({ closed, kept: cache.get<Kept>(keyOf(projectId)) ?? null }),
    async read(parts, projectId, properties, outline, before) {
      const known = before === undefined ? null : usable(projectId, before, outline);
      const isInOrder = before !== undefined && outline.current > before.closed;
      let kept = isInOrder ? await extend(parts, projectId, properties, outline, before, known) : null;
      if (kept !== null && isInOrder) {
        const added = await addProperties(parts, projectId, kept, properties);
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

/** The pieces of epochs that are not sealed yet; null without one. The first of them may begin later than what is sealed ends. */
function beyond(kept: Kept, sealed: number): Kept | null {
  const isLeft = (_: unknown, at: number) => (kept.pieces[at] as Piece).after >= sealed;
  const pieces = kept.pieces.filter(isLeft);
  if (pieces.length === 0) return null;
  const visits = kept.visits.filter(isLeft);
  const touched = visits.reduce<Touched>((all, { ids }) => joined(all, ids), new Map());
  return { ...kept, after: sealed, touched, pieces, visits };
}

function keyOf(projectId: number): string {
  return `tail of ${projectId}`;
}

/** Adds columns of properties to pieces without them; impossible when their rows are not there any more. */
async function addProperties(
  parts: ReadParts,
  projectId: number,
  { pieces }: Kept,
  properties: readonly string[],
): Promise<'some' | 'none' | 'impossible'> {
  let added: 'some' | 'none' = 'none';
  for (const piece of pieces) {
    const missing = properties.filter((name) => !piece.properties.has(name));
    if (missing.length === 0) continue;
    const again = await readEvents(parts, projectId, missing, { after: piece.after, upTo: piece.upTo });
    if (again.map(({ rows }) => rows).join() !== piece.chunks.map(({ rows }) => rows).join()) return 'impossible';
    piece.chunks.forEach(({ columns }, place) => {
      for (const name of missing) columns[PROPERTY + name] = again[place]?.columns[PROPERTY + name];
    });
    for (const name of missing) piece.properties.add(name);
    added = 'some';
  }
  return added;
}

function visitsOf(chunks: readonly GatheredChunk[]): Set<number> {
  const ids = new Set<number>();
  for (const { columns } of chunks) {
    const bytes = columns['session'];
    if (bytes !== undefined) for (const id of openColumn(bytes).numbers ?? []) if (id !== 0) ids.add(id);
  }
  return ids;
}

function joined(touched: Touched, ids: ReadonlySet<number>): Touched {
  const more = new Map<number, Set<number>>();
  for (const id of ids) {
    const block = Math.floor(id / SESSION_BLOCK);
    const known = more.get(block);
    if (known) known.add(id);
    else more.set(block, new Set(touched.get(block)).add(id));
  }
  return new Map([...touched, ...[...more].map(([block, numbers]) => [block, [...numbers]] as const)]);
}

function bytesOf({ pieces, visits }: Kept): number {
  const chunks = [...pieces.flatMap((piece) => piece.chunks), ...visits.flatMap(({ chunk }) => chunk ?? [])];
  const columns = chunks.flatMap((chunk) => Object.values(chunk.columns));
  const ids = visits.reduce((sum, piece) => sum + piece.ids.size + piece.except.length, 0);
  return columns.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) + ids * 40;
}
