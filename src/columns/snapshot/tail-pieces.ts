/** The pieces of a tail: rows of closed epochs and their visits, as they were read (`tail.ts`). */
import { type Outline, SESSION_BLOCK } from '../storage/chunk-sql.ts';
import { PROPERTY } from '../storage/encode.ts';
import { openColumn } from '../storage/format.ts';
import type { GatheredChunk } from './gathered-chunk.ts';
import { type ReadParts, readEvents, readVisits } from './rows-read.ts';

/** Rows of some epochs. */
export interface Piece {
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
  /** Visits with a newer state in later pieces. */
  except: readonly number[];
}

export interface Kept {
  /** Marks of the outline under which it was read. */
  marked: string;
  after: number;
  upTo: number;
  pieces: readonly Piece[];
  visits: readonly PieceOfVisits[];
  touched: Touched;
}

/** Numbers of visits, by block. */
export type Touched = ReadonlyMap<number, readonly number[]>;

/** How pieces are read for a question. */
export interface PieceReading {
  parts: ReadParts;
  projectId: number;
  properties: readonly string[];
  /** The number of the next one. */
  nextId(): number;
}

async function readPiece(
  { parts, projectId, properties, nextId }: PieceReading,
  epochs: { after: number; upTo: number },
): Promise<{ piece: Piece; visits: PieceOfVisits }> {
  const read = await readEvents(parts, projectId, properties, epochs);
  const chunks = read.map((chunk) => ({ ...chunk, id: nextId() }));
  const ids = visitsOf(chunks);
  const [chunk] = await readVisits(parts, projectId, { ids: [...ids] });
  return {
    piece: { ...epochs, chunks, properties: new Set(properties) },
    visits: { chunk: chunk === undefined ? null : { ...chunk, id: nextId() }, ids, except: [] },
  };
}

/**
 * Reads what is missing between what is sealed and the first piece, and after the last one.
 *
 * @param upTo the last closed epoch
 */
export async function extend(
  reading: PieceReading,
  outline: Outline,
  upTo: number,
  known: Kept | null,
): Promise<Kept | null> {
  const kept = known && (await fillGap(reading, known));
  const after = kept?.upTo ?? outline.sealed;
  if (upTo <= after) return kept;
  const { piece, visits } = await readPiece(reading, { after, upTo });
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
async function fillGap(reading: PieceReading, kept: Kept): Promise<Kept> {
  const upTo = kept.pieces[0]?.after ?? kept.upTo;
  if (upTo <= kept.after) return kept;
  const { piece, visits } = await readPiece(reading, { after: kept.after, upTo });
  const except = [...visits.ids].filter((id) => kept.visits.some(({ ids }) => ids.has(id)));
  return {
    ...kept,
    touched: joined(kept.touched, visits.ids),
    pieces: [piece, ...kept.pieces],
    visits: [{ ...visits, except }, ...kept.visits],
  };
}

/** Pieces of unsealed epochs; null without any. The first may start after the end of the sealed epochs. */
export function beyond(kept: Kept, sealed: number): Kept | null {
  const isLeft = (_: unknown, at: number) => (kept.pieces[at] as Piece).after >= sealed;
  const pieces = kept.pieces.filter(isLeft);
  if (pieces.length === 0) return null;
  const visits = kept.visits.filter(isLeft);
  const touched = visits.reduce<Touched>((all, { ids }) => joined(all, ids), new Map());
  return { ...kept, after: sealed, touched, pieces, visits };
}

/** Adds columns of properties to pieces without them; impossible when their rows are not there any more. */
export async function addProperties(
  { parts, projectId, properties }: PieceReading,
  { pieces }: Kept,
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

export function visitsOf(chunks: readonly GatheredChunk[]): Set<number> {
  const ids = new Set<number>();
  for (const { columns } of chunks) {
    const bytes = columns['session'];
    if (bytes !== undefined) for (const id of openColumn(bytes).numbers ?? []) if (id !== 0) ids.add(id);
  }
  return ids;
}

export function joined(touched: Touched, ids: ReadonlySet<number>): Touched {
  const more = new Map<number, Set<number>>();
  for (const id of ids) {
    const block = Math.floor(id / SESSION_BLOCK);
    const known = more.get(block);
    if (known) known.add(id);
    else more.set(block, new Set(touched.get(block)).add(id));
  }
  return new Map([...touched, ...[...more].map(([block, numbers]) => [block, [...numbers]] as const)]);
}

export function bytesOf({ pieces, visits }: Kept): number {
  const chunks = [...pieces.flatMap((piece) => piece.chunks), ...visits.flatMap(({ chunk }) => chunk ?? [])];
  const columns = chunks.flatMap((chunk) => Object.values(chunk.columns));
  const ids = visits.reduce((sum, piece) => sum + piece.ids.size + piece.except.length, 0);
  return columns.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) + ids * 40;
}
