/**
 * Months whose single events are not stored here any more: ClickHouse alone has them. They are the oldest ones. What is made of events stays: visits,
 * counts, columns. Owner of `dropped_months`, `dropped_days`, `dropped_persons` and `dropped_erasures`. A door of this room.
 */
import type { ClientBase } from 'pg';
import { AppError, unavailable } from '#src/kit/errors.ts';
import { dayMs, formatDate } from '#src/kit/zone.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { GroupKind } from './contract.ts';

export interface DroppedMonth {
  /** YYYY-MM, UTC. */
  month: string;
  at: number;
  by: string;
  rows: number;
  bytes: number;
  /** ClickHouse does not have all of it. */
  isLost: boolean;
}

/** What is asked of ClickHouse about dropped events. All answer with nothing for projects without dropped months. */
export interface DroppedEvents {
  /** Groups of a kind that these persons' dropped events name. @throws AppError `unavailable` */
  groupsOf(projectId: number, kind: GroupKind, persons: readonly number[]): Promise<number[]>;
  /** Of these groups (null: of all), those that dropped events name, of whomever but these persons. @throws AppError `unavailable` */
  groupsNamed(
    projectId: number,
    kind: GroupKind,
    numbers: readonly number[] | null,
    except: readonly number[],
  ): Promise<number[]>;
  /** Dropped events of persons, and views among them. @throws AppError `unavailable` */
  countOf(projectId: number, persons: readonly number[]): Promise<{ events: number; views: number }>;
  /** True while an earlier change of dropped events is being applied: erasing has to wait. */
  isBusy(known: { projectId: number }): Promise<boolean>;
  /** Deletes the persons' dropped events, with their part in visits and counts. @throws AppError `unavailable` */
  erase(known: { projectId: number; persons: readonly number[] }): Promise<{ events: number; sessions: number }>;
}

/** Rows of dropped days, for columns that are made again. */
export interface DroppedRows {
  /**
   * Puts the rows of a day into a temporary table `events`, which stands before the stored one until the transaction ends.
   * @returns false when they may say something else than the transaction's snapshot
   */
  bring(client: ClientBase, projectId: number, day: number): Promise<boolean>;
}

/** Oldest first. */
export async function droppedMonths(on: Queryable): Promise<DroppedMonth[]> {
  return query<DroppedMonth>(
    on,
    sql`select to_char(month, 'YYYY-MM') as month, at, by_whom as by, rows::float8 as rows, bytes::float8 as bytes,
               lost_at is not null as "isLost"
          from dropped_months order by dropped_months.month`,
  );
}

/** The project's events before this moment are not stored here, ms; null: all are. */
export async function droppedUntil(on: Queryable, projectId: number): Promise<number | null> {
  const [row] = await query<{ day: number | null }>(
    on,
    sql`select max(day) as day from dropped_days where project_id = ${projectId}`,
  );
  return row?.day == null ? null : (row.day + 1) * dayMs;
}

/** First dropped day of a project from a day on, up to another one; null: there is none. */
export async function firstDroppedDay(
  on: Queryable,
  projectId: number,
  { first, last }: { first: number; last: number },
): Promise<number | null> {
  const [row] = await query<{ day: number | null }>(
    on,
    sql`select min(day) as day from dropped_days
         where project_id = ${projectId} and day >= ${asInt(first)} and day <= ${asInt(last)}`,
  );
  return row?.day ?? null;
}

/** Days beyond what the column holds are as good as its ends. */
function asInt(day: number): number {
  return Math.max(-2_147_483_648, Math.min(2_147_483_647, Math.floor(day)));
}

/** True of a day, as days since 1970 (UTC). */
export async function isDroppedDay(on: Queryable, projectId: number, day: number): Promise<boolean> {
  return (await firstDroppedDay(on, projectId, { first: day, last: day })) !== null;
}

/** True of moments on dropped days. */
export function onDroppedDay(projectId: Sql, ts: Sql): Sql {
  return sql`exists (select from dropped_days
    where dropped_days.project_id = ${projectId} and dropped_days.day = floor(extract(epoch from ${ts}) / 86400)::int)`;
}

/** The partition of a month, YYYY-MM. */
export function partitionOfMonth(month: string): string {
  return `events_${month.replace('-', '')}`;
}

/** Has the month's partition refuse events: later ones would be all that is stored of it. */
export async function closeMonth(on: Queryable, month: string): Promise<void> {
  const partition = partitionOfMonth(month);
  await query(on, sql`alter table ${sql.id(partition)} add constraint ${sql.id(`${partition}_dropped`)} check (false)`);
}

/** The same for all that are open, as after a restore. */
export async function closeMonths(on: Queryable): Promise<void> {
  const open = await query<{ month: string }>(
    on,
    sql`select to_char(month, 'YYYY-MM') as month from dropped_months
         where to_regclass('events_' || to_char(month, 'YYYYMM')) is not null
           and not exists (select from pg_constraint
                            where conrelid = to_regclass('events_' || to_char(month, 'YYYYMM'))
                              and conname = 'events_' || to_char(month, 'YYYYMM') || '_dropped')`,
  );
  for (const { month } of open) await closeMonth(on, month);
}

/** @param day since 1970, UTC */
export function droppedError(day: number): AppError {
  return unavailable(
    `Events of ${formatDate(day)} are in ClickHouse alone, which can’t answer now. Try again, or choose a later period.`,
    30,
  );
}

/** @throws AppError `conflict` when these persons have events in dropped months */
export async function refuseDropped(on: Queryable, projectId: number, persons: readonly number[]): Promise<void> {
  const [found] = await query(
    on,
    sql`select 1 as one from dropped_persons
         where project_id = ${projectId} and person = any(${[...persons]}::int[]) limit 1`,
  );
  if (found === undefined) return;
  throw new AppError(
    'conflict',
    'This person has events in months that were moved to ClickHouse, so IDs can’t be split.',
  );
}

/** @throws AppError `unavailable` when dropped events happened in the span */
export async function refuseDroppedIn(
  on: Queryable,
  projectId: number,
  span: { from: number; to: number },
): Promise<void> {
  const day = await firstDroppedDay(on, projectId, { first: span.from / dayMs, last: (span.to - 1) / dayMs });
  if (day !== null)
    throw unavailable(
      `Events of ${formatDate(day)} are in ClickHouse alone. Choose a later period, or remove the filters.`,
      60,
    );
}

/** @throws AppError `conflict` when events before a moment were dropped */
export async function refuseDroppedBefore(on: Queryable, projectId: number, before: number): Promise<void> {
  const day = await firstDroppedDay(on, projectId, { first: -2_147_483_648, last: (before - 1) / dayMs });
  if (day === null) return;
  throw new AppError(
    'conflict',
    `Events of ${formatDate(day)} were moved to ClickHouse, and can’t be deleted by date.`,
  );
}

/**
 * Forgets dropped days of a project that lie before a day, as its retention demands: their columns go, and events in ClickHouse with them. In one statement.
 * @returns how many events they had
 */
export async function retireDropped(on: Queryable, projectId: number, before: number): Promise<number> {
  const day = asInt(before / dayMs);
  const until = sql.time(day * dayMs);
  const [row] = await query<{ rows: number }>(
    on,
    sql`with gone as (
          delete from dropped_days where project_id = ${projectId} and day < ${day} returning day, rows),
        unseen as (
          delete from dropped_persons where project_id = ${projectId} and last_ts < ${until} and exists (select from gone))
        select sum(rows)::float8 as rows, mark_days_of_events(${projectId}::int, array_agg(day))::text as marked,
               note_dropped_for_clickhouse('before', ${projectId}::int, ${until}, '{}')::text as noted
          from gone having count(*) > 0`,
  );
  return row?.rows ?? 0;
}

/**
 * Forgets what is left of projects without dropped days, and months of which no project keeps a day: their partitions take events again. A month that
 * someone reads for long is left for the next time, which is a day later at most.
 */
export async function forgetEmptyMonths(on: Queryable): Promise<void> {
  const isLeft = sql`project_id in (
    select id from projects where not exists (select from dropped_days where dropped_days.project_id = projects.id))`;
  await query(on, sql`delete from dropped_persons where ${isLeft}`);
  await query(on, sql`delete from dropped_erasures where ${isLeft}`);
  await query(on, OPEN_EMPTY_MONTHS);
}

/** Waits half a second for readers, who wait behind it as long. */
const OPEN_EMPTY_MONTHS = sql`
  do $$
  declare
    patience text := current_setting('lock_timeout');
    empty date;
    partition text;
  begin
    for empty in
      select month from dropped_months where not exists (
        select from dropped_days
         where day >= (month - date '1970-01-01') and day < ((month + interval '1 month')::date - date '1970-01-01'))
    loop
      begin
        perform set_config('lock_timeout', '500ms', true);
        partition := 'events_' || to_char(empty, 'YYYYMM');
        if to_regclass(partition) is not null then
          execute format('alter table %I drop constraint if exists %I', partition, partition || '_dropped');
        end if;
        delete from dropped_months where month = empty;
      exception when lock_not_available then
        null;
      end;
    end loop;
    perform set_config('lock_timeout', patience, true);
  end $$`;
