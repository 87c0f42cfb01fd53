/**
 * Background exports of events, kept for a week. Interrupted exports restart.
 * Owner of `event_exports`.
 */
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { Reader } from '#src/accounts/contract.ts';
import type { Columns } from '#src/columns/columns.ts';
import type { History } from '#src/events/history.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { type TablePiece, tableFile } from '#src/kit/table-file.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import type { EventExport, PeopleExportQuery } from './contract.ts';
import { exportPieces, fileKind } from './export-file.ts';
import { createExportRows, type ExportQuestion, type ExportRow, type FileRequest } from './export-rows.ts';

export type { ExportQuestion, FileRequest } from './export-rows.ts';

export interface Exports {
  /** Exports of the last month, newest first. */
  list(projectId: ProjectId): Promise<EventExport[]>;
  /** @throws AppError `conflict` when many of the project wait already */
  ask(asked: FileRequest, by: Reader): Promise<{ id: number }>;
  /** Cancels a pending export, or deletes the file of a finished one. @throws AppError `not_found` */
  remove(projectId: ProjectId, id: number): Promise<void>;
  /** The file of one that is done. @throws AppError `not_found` */
  file(projectId: ProjectId, id: number): Promise<ExportFile>;
  /** After an erasure in the project: deletes files, which may contain the person, and restarts running exports. Returns rows by table. */
  erase(known: { projectId: number }): Promise<Record<string, number>>;
  /** Recurring work, every minute and when one is asked for: makes what waits, takes away what has expired. */
  work(signal?: AbortSignal): Promise<void>;
}

/** People as a file, by the room that knows them. */
export interface PeopleFiles {
  file(
    projectId: ProjectId,
    asked: PeopleExportQuery,
    signal: AbortSignal,
  ): Promise<{ people: number; pieces: AsyncGenerator<TablePiece, void> }>;
}

export interface ExportFile {
  type: string;
  fileName: string;
  /** Size of the compressed file. */
  bytes: number;
  compressed: AsyncGenerator<Buffer, void>;
}

const KEPT_MS = 7 * dayMs;

/** Someone cancelled it, or the project goes. */
class Cancelled extends Error {}

export interface ExportsParts {
  history: Pick<History, 'listed'>;
  columns: Pick<Columns, 'persons'>;
  people: PeopleFiles;
  blobs: Blobs;
}

export function createExports(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { history, columns, people, blobs }: ExportsParts,
): Exports {
  const rows = createExportRows(db, clock);

  async function make(row: ExportRow, signal: AbortSignal): Promise<void> {
    const progress = { rows: 0, bytes: 0 };
    async function* pieces(): AsyncGenerator<string | Uint8Array, void> {
      for await (const { data, rows: more } of await piecesOf(row, signal)) {
        yield data;
        progress.rows += more;
        progress.bytes += Buffer.byteLength(data);
        if (!(await rows.progress(row, progress))) throw new Cancelled();
      }
    }
    const expiresAt = clock.now() + KEPT_MS;
    const zip = createGzip({ level: 4 });
    // The error, of either side, comes out of the stream that is read.
    pipeline(Readable.from(pieces()), zip, () => undefined);
    const kept = await blobs.keep(row.project, expiresAt, zip);
    if (!(await rows.finish(row, { blob: kept.id, expiresAt }))) await blobs.remove(row.project, kept.id);
  }

  async function piecesOf({ project, format, question }: ExportRow, signal: AbortSignal) {
    const { table = 'comma' } = question;
    if ('people' in question) return tableFile((await people.file(project, question.people, signal)).pieces, table);
    const { set, ...asked } = question;
    const whose = set && (await columns.persons({ projectId: project, people: set }));
    const wanted = { ...asked, whose, projectId: project, format, table };
    return exportPieces({ history, elapsed: clock.elapsed }, wanted, signal);
  }

  return {
    async list(projectId) {
      return (await rows.list(projectId)).map((row) => exportOf(row, clock.now()));
    },
    async ask(asked, by) {
      const row = await rows.insert(asked, by);
      if (row === null) throw new AppError('conflict', 'Too many exports in progress. Wait for one to finish.');
      return row;
    },
    async remove(projectId, id) {
      const row = await rows.one(projectId, id);
      if (row === null) throw notFound('export');
      if (await rows.cancel(row)) return;
      if (row.blob !== null) await blobs.remove(projectId, row.blob);
      await rows.remove(row);
    },
    async file(projectId, id) {
      const row = await rows.one(projectId, id);
      if (row === null || row.blob === null || exportOf(row, clock.now()).state !== 'done') throw notFound('export');
      const { bytes, pieces } = await blobs.read(projectId, row.blob);
      const { type, extension } = fileKindOf(row);
      const fileName = `${whatOf(row.question)}-${row.id}.${extension}`;
      return { type, fileName, bytes, compressed: pieces };
    },
    async erase({ projectId }) {
      // Running exports restart.
      await rows.beginAgain(projectId);
      const made = await rows.done(projectId);
      for (const row of made) {
        if (row.blob !== null) await blobs.remove(projectId, row.blob);
        await rows.expire(row);
      }
      return { event_exports: made.length };
    },
    async work(signal = new AbortController().signal) {
      for (let row = await rows.take(); row !== null; row = await rows.take()) {
        try {
          await make(row, signal);
        } catch (error) {
          if (error instanceof Cancelled) continue;
          if (signal.aborted) return rows.postpone(row);
          log.warn({ err: error, export: row.id }, 'event export failed');
          const isFinal = error instanceof AppError && error.code === 'invalid';
          if (!(await rows.fail(row, isFinal))) return; // the next minute may be better
        }
        if (signal.aborted) return;
      }
      await rows.tidy();
      await blobs.tidy(signal);
    },
  };
}

/** For clients that do not accept compressed files. */
export function uncompressed(pieces: AsyncIterable<Buffer>): Readable {
  return pipeline(Readable.from(pieces), createGunzip(), () => undefined) as unknown as Readable;
}

function exportOf(row: ExportRow, now: number): EventExport {
  const { id, state, question, askedBy, askedAt, doneAt, expiresAt, rows, bytes } = row;
  const isOver = state === 'done' && expiresAt !== null && expiresAt <= now;
  const file = {
    id,
    format: fileKindOf(row).extension,
    askedBy,
    askedAt,
    doneAt,
    expiresAt,
    rows,
    bytes,
    what: whatOf(question),
    state: isOver ? ('expired' as const) : state,
  };
  if ('people' in question) {
    const { search, property } = question.people;
    return { ...file, range: null, names: [], isFiltered: search !== undefined || property !== undefined };
  }
  const { from, to, names, filters, set } = question;
  const isFiltered = (filters ?? set) !== undefined;
  return { ...file, range: { from, to }, names: [...names], isFiltered };
}

function fileKindOf({ format, question }: ExportRow) {
  return fileKind(format, question.table ?? 'comma');
}

function whatOf(question: ExportQuestion): EventExport['what'] {
  return 'people' in question ? 'people' : 'events';
}
