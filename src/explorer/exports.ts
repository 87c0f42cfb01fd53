/**
 * Files of events that are made in the background and kept for a week. The requester may go away; a work that was cut short begins again.
 * Owner of `event_exports`.
 */
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { Reader } from '#src/accounts/contract.ts';
import type { Columns, People } from '#src/columns/columns.ts';
import type { History } from '#src/events/history.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { type TablePiece, tableFile } from '#src/kit/table-file.ts';
import type { TableFormat } from '#src/kit/values.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { EventExport, ExportFormat, PeopleExported } from './contract.ts';
import { type ExportAsked, exportPieces, fileKind } from './export-file.ts';

export interface Exports {
  /** Those of the last month, the newest first. */
  list(projectId: ProjectId): Promise<EventExport[]>;
  /** @throws AppError `conflict` when many of the project wait already */
  ask(asked: FileAsked, by: Reader): Promise<{ id: number }>;
  /** Ends one that is not done, and takes away the file of one that is. @throws AppError `not_found` */
  remove(projectId: ProjectId, id: number): Promise<void>;
  /** The file of one that is done. @throws AppError `not_found` */
  file(projectId: ProjectId, id: number): Promise<ExportFile>;
  /** Someone in the project was erased: takes away the files, which may tell of them. What is being made begins again. Gives rows by table. */
  erase(known: { projectId: number }): Promise<Record<string, number>>;
  /** Recurring work, every minute and when one is asked for: makes what waits, takes away what has expired. */
  work(signal?: AbortSignal): Promise<void>;
}

/** What a file is to be of; as it is kept until it is made. */
export type ExportQuestion =
  | (Pick<ExportAsked, 'from' | 'to' | 'filters' | 'names' | 'columns'> & {
      /** Whose events. */
      set?: People | undefined;
      table?: TableFormat;
    })
  | { people: PeopleExported; table?: TableFormat };

export interface FileAsked {
  projectId: ProjectId;
  format: ExportFormat;
  question: ExportQuestion;
}

/** People as a file, by the room that knows them. */
export interface PeopleFiles {
  file(
    projectId: ProjectId,
    asked: PeopleExported,
    signal: AbortSignal,
  ): Promise<{ people: number; pieces: AsyncGenerator<TablePiece, void> }>;
}

export interface ExportFile {
  type: string;
  fileName: string;
  /** Of the compressed file. */
  bytes: number;
  compressed: AsyncGenerator<Buffer, void>;
}

const KEPT_MS = 7 * dayMs;
const LISTED_MS = 30 * dayMs;
const MAX_OPEN = 5;
const MAX_ATTEMPTS = 3;

interface Row {
  project: ProjectId;
  id: number;
  state: EventExport['state'];
  format: ExportFormat;
  question: ExportQuestion;
  askedBy: string;
  askedAt: number;
  doneAt: number | null;
  expiresAt: number | null;
  attempts: number;
  rows: number;
  bytes: number;
  blob: number | null;
}

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
  const select = sql`
    select project_id as project, id, state, format, question, asked_by_name as "askedBy", asked_at as "askedAt",
           done_at as "doneAt", expires_at as "expiresAt", attempts, rows, bytes, blob
      from event_exports`;

  async function update({ project, id }: Pick<Row, 'project' | 'id'>, change: Sql, onlyIf: Sql): Promise<boolean> {
    const rows = await query(
      db,
      sql`update event_exports set ${change}
           where project_id = ${project} and id = ${id}::bigint and ${onlyIf}
          returning id`,
    );
    return rows.length > 0;
  }

  const isRunning = sql`state = 'running'`;

  /** Of all processes one does this at a time, so one that is running was cut short. */
  async function take(): Promise<Row | null> {
    const [row] = await query<Row>(
      db,
      sql`${select} where state in ('waiting', 'running') order by asked_at, id limit 1`,
    );
    if (row === undefined) return null;
    if (row.attempts >= MAX_ATTEMPTS) {
      await update(
        row,
        sql`state = 'failed', done_at = ${sql.time(clock.now())}`,
        sql`state in ('waiting', 'running')`,
      );
      return take();
    }
    const change = sql`state = 'running', attempts = attempts + 1, rows = 0, bytes = 0`;
    return (await update(row, change, sql`state in ('waiting', 'running')`)) ? row : take();
  }

  async function make(row: Row, signal: AbortSignal): Promise<void> {
    const progress = { rows: 0, bytes: 0 };
    async function* pieces(): AsyncGenerator<string | Uint8Array, void> {
      for await (const { data, rows } of await piecesOf(row, signal)) {
        yield data;
        progress.rows += rows;
        progress.bytes += Buffer.byteLength(data);
        const change = sql`rows = ${progress.rows}, bytes = ${progress.bytes}`;
        if (!(await update(row, change, isRunning))) throw new Cancelled();
      }
    }
    const expiresAt = clock.now() + KEPT_MS;
    const zip = createGzip({ level: 4 });
    // The error, of either side, comes out of the stream that is read.
    pipeline(Readable.from(pieces()), zip, () => undefined);
    const kept = await blobs.keep(row.project, expiresAt, zip);
    const change = sql`
      state = 'done', blob = ${kept.id}::bigint, done_at = ${sql.time(clock.now())}, expires_at = ${sql.time(expiresAt)}`;
    if (!(await update(row, change, isRunning))) await blobs.remove(row.project, kept.id);
  }

  async function piecesOf({ project, format, question }: Row, signal: AbortSignal) {
    const { table = 'comma' } = question;
    if ('people' in question) return tableFile((await people.file(project, question.people, signal)).pieces, table);
    const { set, ...asked } = question;
    const whose = set && (await columns.persons({ projectId: project, people: set }));
    const wanted = { ...asked, whose, projectId: project, format, table };
    return exportPieces({ history, elapsed: clock.elapsed }, wanted, signal);
  }

  async function expire(): Promise<void> {
    const now = sql.time(clock.now());
    await query(db, sql`update event_exports set state = 'expired' where state = 'done' and expires_at <= ${now}`);
    await query(
      db,
      sql`delete from event_exports where asked_at < ${sql.time(clock.now() - LISTED_MS)} and state <> 'done'`,
    );
  }

  return {
    async list(projectId) {
      const rows = await query<Row>(
        db,
        sql`${select} where project_id = ${projectId} order by asked_at desc, id desc limit 100`,
      );
      return rows.map((row) => exportOf(row, clock.now()));
    },
    async ask({ projectId, format, question }, by) {
      const [row] = await query<{ id: number }>(
        db,
        sql`insert into event_exports (project_id, state, format, question, asked_by, asked_by_name, asked_at)
            select ${projectId}::int, 'waiting', ${format}::text, ${sql.json(question)}, ${by.id}::int, ${by.name}::text,
                   ${sql.time(clock.now())}
             where (select count(*) from event_exports
                     where project_id = ${projectId} and state in ('waiting', 'running')) < ${MAX_OPEN}
            returning id`,
      );
      if (row === undefined) throw new AppError('conflict', 'Too many exports in progress. Wait for one to finish.');
      return row;
    },
    async remove(projectId, id) {
      const [row] = await query<Row>(db, sql`${select} where project_id = ${projectId} and id = ${id}::bigint`);
      if (row === undefined) throw notFound('export');
      const isCancelled = await update(
        row,
        sql`state = 'cancelled', done_at = ${sql.time(clock.now())}`,
        sql`state in ('waiting', 'running')`,
      );
      if (isCancelled) return;
      if (row.blob !== null) await blobs.remove(projectId, row.blob);
      await query(db, sql`delete from event_exports where project_id = ${projectId} and id = ${id}::bigint`);
    },
    async file(projectId, id) {
      const [row] = await query<Row>(db, sql`${select} where project_id = ${projectId} and id = ${id}::bigint`);
      if (row === undefined || row.blob === null || exportOf(row, clock.now()).state !== 'done')
        throw notFound('export');
      const { bytes, pieces } = await blobs.read(projectId, row.blob);
      const { type, extension } = fileKindOf(row);
      const fileName = `${whatOf(row.question)}-${row.id}.${extension}`;
      return { type, fileName, bytes, compressed: pieces };
    },
    async erase({ projectId }) {
      // What is being made begins again.
      await query(
        db,
        sql`update event_exports set state = 'waiting', attempts = attempts - 1 where project_id = ${projectId} and ${isRunning}`,
      );
      const made = await query<Row>(db, sql`${select} where project_id = ${projectId} and state = 'done'`);
      for (const row of made) {
        if (row.blob !== null) await blobs.remove(projectId, row.blob);
        await update(row, sql`state = 'expired', expires_at = ${sql.time(clock.now())}`, sql`state = 'done'`);
      }
      return { event_exports: made.length };
    },
    async work(signal = new AbortController().signal) {
      for (let row = await take(); row !== null; row = await take()) {
        try {
          await make(row, signal);
        } catch (error) {
          if (error instanceof Cancelled) continue;
          if (signal.aborted) {
            await update(row, sql`state = 'waiting', attempts = attempts - 1`, isRunning);
            return;
          }
          log.warn({ err: error, export: row.id }, 'event export failed');
          const isLast = row.attempts + 1 >= MAX_ATTEMPTS || (error instanceof AppError && error.code === 'invalid');
          const change = isLast ? sql`state = 'failed', done_at = ${sql.time(clock.now())}` : sql`state = 'waiting'`;
          await update(row, change, isRunning);
          if (!isLast) return; // the next minute may be better
        }
        if (signal.aborted) return;
      }
      await expire();
      await blobs.tidy(signal);
    },
  };
}

/** For clients that do not accept compressed files. */
export function uncompressed(pieces: AsyncIterable<Buffer>): Readable {
  return pipeline(Readable.from(pieces), createGunzip(), () => undefined) as unknown as Readable;
}

function exportOf(row: Row, now: number): EventExport {
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

function fileKindOf({ format, question }: Row) {
  return fileKind(format, question.table ?? 'comma');
}

function whatOf(question: ExportQuestion): EventExport['what'] {
  return 'people' in question ? 'people' : 'events';
}
