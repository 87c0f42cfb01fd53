/**
 * Generated files for download, kept for a while: in parts, so that only one part is in memory.
 * Parts are rows, or objects of the hosted backend's storage when its keys are set. Owner of `blobs` and `blob_pieces`.
 */
import type { Clock } from '#src/kit/clock.ts';
import { notFound, unavailable } from '#src/kit/errors.ts';
import { createHostedPieces, type HostedDeps } from './blobs-hosted.ts';
import type { Pieces } from './pieces.ts';
import { type Queryable, query, type Sql, sql } from './sql.ts';

/** Stored: never change one. */
type Place = 'database' | 'hosted';

export interface Blobs {
  /** Files lie outside of the database. */
  readonly isHosted: boolean;
  /** Keeps a file, and gives its number. What was written of a file that fails is taken away again. */
  keep(projectId: number, expiresAt: number, bytes: AsyncIterable<Buffer>): Promise<KeptBlob>;
  /** The file, piece by piece. @throws AppError `not_found` for what is not there (any more), `unavailable` */
  read(projectId: number, id: number): Promise<{ bytes: number; pieces: AsyncGenerator<Buffer, void> }>;
  remove(projectId: number, id: number): Promise<void>;
  /** Lets files expire at another time, in the transaction of `on`. */
  setExpiry(on: Queryable, projectId: number, ids: readonly number[], expiresAt: number): Promise<void>;
  /** Takes away what has expired. */
  tidy(signal?: AbortSignal): Promise<void>;
  /** Takes away what a project has. */
  forget(projectId: number, signal: AbortSignal): Promise<void>;
}

export interface KeptBlob {
  id: number;
  bytes: number;
}

export interface BlobsDeps extends HostedDeps {
  db: Queryable;
  clock: Clock;
}

const PIECE_BYTES = 1024 * 1024;
const FEW = 20;
const MAX_FAILURES = 3;

interface Row {
  project: number;
  id: number;
  place: Place;
  pieces: number;
  bytes: number;
}

export function createBlobs(deps: BlobsDeps): Blobs {
  const { db, clock } = deps;
  const places: Record<Place, Pieces | null> = { database: rowPieces(db), hosted: createHostedPieces(deps) };
  const current: Place = places.hosted === null ? 'database' : 'hosted';

  function piecesAt(place: Place): Pieces {
    const pieces = places[place];
    if (pieces === null) throw unavailable('The storage credentials for this file are no longer configured.');
    return pieces;
  }

  async function removeRow({ project, id, place, pieces }: Row): Promise<void> {
    await piecesAt(place).remove(project, id, pieces);
    await query(db, sql`delete from blobs where project_id = ${project} and id = ${id}::bigint`);
  }

  /** Deletes as many as possible. @throws the first failure, at the end */
  async function removeAll(which: Sql, goesOn: () => boolean): Promise<void> {
    const failures: { place: Place; error: unknown }[] = [];
    for (let after = 0; ; ) {
      const some = await query<Row>(db, sql`${rows} where ${which} and id > ${after}::bigint order by id limit ${FEW}`);
      for (const row of some) {
        if (!goesOn()) return;
        after = row.id;
        // A storage that is away is not asked about each of its files.
        if (failures.filter(({ place }) => place === row.place).length >= MAX_FAILURES) continue;
        await removeRow(row).catch((error: unknown) => failures.push({ place: row.place, error }));
      }
      if (some.length < FEW) break;
    }
    if (failures.length > 0) throw failures[0]?.error;
  }

  return {
    isHosted: current === 'hosted',
    async setExpiry(on, projectId, ids, expiresAt) {
      if (ids.length === 0) return;
      await query(
        on,
        sql`update blobs set expires_at = ${sql.time(expiresAt)}
             where project_id = ${projectId} and id = any(${[...ids]}::bigint[])`,
      );
    },
    async keep(projectId, expiresAt, bytes) {
      const [made] = await query<{ id: number }>(
        db,
        sql`insert into blobs (project_id, place, made_at, expires_at)
            values (${projectId}, ${current}, ${sql.time(clock.now())}, ${sql.time(expiresAt)})
            returning id`,
      );
      const { id } = made as { id: number };
      const row: Row = { project: projectId, id, place: current, pieces: 0, bytes: 0 };
      try {
        for await (const piece of inPieces(bytes)) {
          // Counted before it is stored, so that an interrupted upload is deleted.
          row.pieces += 1;
          await query(
            db,
            sql`update blobs set pieces = ${row.pieces} where project_id = ${projectId} and id = ${id}::bigint`,
          );
          await piecesAt(current).put({ projectId, blob: id, number: row.pieces - 1 }, piece);
          row.bytes += piece.length;
        }
        await query(
          db,
          sql`update blobs set bytes = ${row.bytes} where project_id = ${projectId} and id = ${id}::bigint`,
        );
        return { id, bytes: row.bytes };
      } catch (error) {
        // It goes when it expires, if not now.
        await removeRow(row).catch(() => undefined);
        throw error;
      }
    },
    async read(projectId, id) {
      const [row] = await query<Row>(db, sql`${rows} where project_id = ${projectId} and id = ${id}::bigint`);
      if (row === undefined) throw notFound('file');
      return { bytes: row.bytes, pieces: readPieces(piecesAt(row.place), row) };
    },
    async remove(projectId, id) {
      const [row] = await query<Row>(db, sql`${rows} where project_id = ${projectId} and id = ${id}::bigint`);
      if (row !== undefined) await removeRow(row);
    },
    async tidy(signal) {
      await removeAll(sql`expires_at <= ${sql.time(clock.now())}`, () => signal?.aborted !== true);
    },
    async forget(projectId, signal) {
      await removeAll(sql`project_id = ${projectId}`, () => {
        signal.throwIfAborted();
        return true;
      });
    },
  };
}

const rows = sql`select project_id as project, id, place, pieces, bytes from blobs`;

function rowPieces(db: Queryable): Pieces {
  return {
    async put({ projectId, blob, number }, bytes) {
      await query(
        db,
        sql`insert into blob_pieces (project_id, blob, number, bytes)
            values (${projectId}, ${blob}::bigint, ${number}, ${bytes}::bytea)`,
      );
    },
    async get({ projectId, blob, number }) {
      const [row] = await query<{ bytes: Buffer }>(
        db,
        sql`select bytes from blob_pieces
             where project_id = ${projectId} and blob = ${blob}::bigint and number = ${number}`,
      );
      if (row === undefined) throw notFound('file');
      return row.bytes;
    },
    async remove(projectId, blob, count) {
      for (let number = 0; number < count; number += FEW) {
        await query(
          db,
          sql`delete from blob_pieces
               where project_id = ${projectId} and blob = ${blob}::bigint
                 and number >= ${number} and number < ${number + FEW}`,
        );
      }
    },
  };
}

async function* readPieces(pieces: Pieces, { project, id, pieces: count }: Row): AsyncGenerator<Buffer, void> {
  for (let number = 0; number < count; number++) yield await pieces.get({ projectId: project, blob: id, number });
}

/** The same bytes, in pieces of one size. */
async function* inPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const some of bytes) {
    waiting.push(some);
    length += some.length;
    if (length < PIECE_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
