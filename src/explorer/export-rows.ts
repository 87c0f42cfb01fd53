/** The rows of `event_exports`: what was asked for, and how far it is. */
import type { Knex } from 'knex';
import type { Reader } from '#src/accounts/contract.ts';
import type { People } from '#src/columns/columns.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { TableFormat } from '#src/kit/values.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { EventExport, ExportFormat, PeopleExportQuery } from './contract.ts';
import type { ExportQuery } from './export-file.ts';

/** Stored query of a file. */
export type ExportQuestion =
  | (Pick<ExportQuery, 'from' | 'to' | 'filters' | 'names' | 'columns'> & {
      /** Events of these people only. */
      set?: People | undefined;
      table?: TableFormat;
    })
  | { people: PeopleExportQuery; table?: TableFormat };

export interface FileRequest {
  projectId: ProjectId;
  format: ExportFormat;
  question: ExportQuestion;
}

export interface ExportRow {
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

export interface ExportRows {
  /** Exports of the last month, newest first. */
  list(projectId: ProjectId): Promise<ExportRow[]>;
  one(projectId: ProjectId, id: number): Promise<ExportRow | null>;
  /** Finished exports of a project. */
  done(projectId: number): Promise<ExportRow[]>;
  /** Null: many of the project wait already. */
  insert(asked: FileRequest, by: Reader): Promise<{ id: number } | null>;
  remove(row: ExportRow): Promise<void>;
  /** The next to be made; what was tried too often is given up. */
  take(): Promise<ExportRow | null>;
  /** @returns false when it is not to be made any more */
  progress(row: ExportRow, progress: { rows: number; bytes: number }): Promise<boolean>;
  /** @returns false when it is not to be made any more */
  finish(row: ExportRow, file: { blob: number; expiresAt: number }): Promise<boolean>;
  /** Reschedules it without counting an attempt. */
  postpone(row: ExportRow): Promise<void>;
  /** Schedules a retry, unless the failure is final or attempts are exhausted. @returns true when it failed for good */
  fail(row: ExportRow, isFinal: boolean): Promise<boolean>;
  /** @returns whether it was waiting or being made */
  cancel(row: ExportRow): Promise<boolean>;
  /** Restarts running exports of a project. */
  beginAgain(projectId: number): Promise<void>;
  /** Its file is gone. */
  expire(row: ExportRow): Promise<void>;
  /** Marks what has expired, and deletes old rows. */
  tidy(): Promise<void>;
}

const LISTED_MS = 30 * dayMs;
const MAX_OPEN = 5;
const MAX_ATTEMPTS = 3;

const select = sql`
  select project_id as project, id, state, format, question, asked_by_name as "askedBy", asked_at as "askedAt",
         done_at as "doneAt", expires_at as "expiresAt", attempts, rows, bytes, blob
    from event_exports`;
const isOpen = sql`state in ('waiting', 'running')`;
const isRunning = sql`state = 'running'`;

export function createExportRows(db: Knex, clock: Clock): ExportRows {
  async function update(
    { project, id }: Pick<ExportRow, 'project' | 'id'>,
    change: Sql,
    onlyIf: Sql,
  ): Promise<boolean> {
    const rows = await query(
      db,
      sql`update event_exports set ${change}
           where project_id = ${project} and id = ${id}::bigint and ${onlyIf}
          returning id`,
    );
    return rows.length > 0;
  }

  /** Only one process runs this at a time, so a running row was interrupted. */
  async function take(): Promise<ExportRow | null> {
    const [row] = await query<ExportRow>(db, sql`${select} where ${isOpen} order by asked_at, id limit 1`);
    if (row === undefined) return null;
    if (row.attempts >= MAX_ATTEMPTS) {
      await update(row, sql`state = 'failed', done_at = ${sql.time(clock.now())}`, isOpen);
      return take();
    }
    const change = sql`state = 'running', attempts = attempts + 1, rows = 0, bytes = 0`;
    return (await update(row, change, isOpen)) ? row : take();
  }

  return {
    take,
    list: (projectId) =>
      query(db, sql`${select} where project_id = ${projectId} order by asked_at desc, id desc limit 100`),
    async one(projectId, id) {
      const [row] = await query<ExportRow>(db, sql`${select} where project_id = ${projectId} and id = ${id}::bigint`);
      return row ?? null;
    },
    done: (projectId) => query(db, sql`${select} where project_id = ${projectId} and state = 'done'`),
    async insert({ projectId, format, question }, by) {
      const [row] = await query<{ id: number }>(
        db,
        sql`insert into event_exports (project_id, state, format, question, asked_by, asked_by_name, asked_at)
            select ${projectId}::int, 'waiting', ${format}::text, ${sql.json(question)}, ${by.id}::int, ${by.name}::text,
                   ${sql.time(clock.now())}
             where (select count(*) from event_exports where project_id = ${projectId} and ${isOpen}) < ${MAX_OPEN}
            returning id`,
      );
      return row ?? null;
    },
    async remove({ project, id }) {
      await query(db, sql`delete from event_exports where project_id = ${project} and id = ${id}::bigint`);
    },
    progress: (row, { rows, bytes }) => update(row, sql`rows = ${rows}, bytes = ${bytes}`, isRunning),
    finish(row, { blob, expiresAt }) {
      const change = sql`
        state = 'done', blob = ${blob}::bigint, done_at = ${sql.time(clock.now())}, expires_at = ${sql.time(expiresAt)}`;
      return update(row, change, isRunning);
    },
    async postpone(row) {
      await update(row, sql`state = 'waiting', attempts = attempts - 1`, isRunning);
    },
    async fail(row, isFinal) {
      const isLast = isFinal || row.attempts + 1 >= MAX_ATTEMPTS;
      const change = isLast ? sql`state = 'failed', done_at = ${sql.time(clock.now())}` : sql`state = 'waiting'`;
      await update(row, change, isRunning);
      return isLast;
    },
    cancel: (row) => update(row, sql`state = 'cancelled', done_at = ${sql.time(clock.now())}`, isOpen),
    async beginAgain(projectId) {
      const change = sql`state = 'waiting', attempts = attempts - 1`;
      await query(db, sql`update event_exports set ${change} where project_id = ${projectId} and ${isRunning}`);
    },
    async expire(row) {
      await update(row, sql`state = 'expired', expires_at = ${sql.time(clock.now())}`, sql`state = 'done'`);
    },
    async tidy() {
      const now = sql.time(clock.now());
      const listedFrom = sql.time(clock.now() - LISTED_MS);
      await query(db, sql`update event_exports set state = 'expired' where state = 'done' and expires_at <= ${now}`);
      await query(db, sql`delete from event_exports where asked_at < ${listedFrom} and state <> 'done'`);
    },
  };
}
