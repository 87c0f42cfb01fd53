/** What is copied: the tables `clickhouse_state`, `clickhouse_changes` and `clickhouse_projects`. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { refuseLeaving } from './dropping/kept.ts';

/** A row of `events` in the order in which those of one epoch are copied. */
export interface Position {
  project: number;
  /** With microseconds. */
  ts: string;
  uuid: string;
}

/** An insert that may have arrived: it is repeated with the same number until that is known. */
export type Sending =
  /** Events up to an epoch, or of the next epoch up to a row. */
  | { what: 'events'; until: number; last: Position | null }
  /** Changes by their ids. */
  | { what: 'changes'; ids: number[] };

export interface ShippingState {
  /** Identifies the tables that are filled; null: nothing is copied. */
  target: string | null;
  shipped: number;
  position: Position | null;
  number: number;
  sending: Sending | null;
  rows: number;
  /** When nothing was left to copy, ms; null: never yet. */
  caughtUpAt: number | null;
  error: string | null;
  errorAt: number | null;
}

export async function readState(on: Queryable): Promise<ShippingState> {
  const [state] = await query<ShippingState>(
    on,
    sql`select target, shipped, position, number, sending, rows, caught_up_at as "caughtUpAt", error, error_at as "errorAt"
          from clickhouse_state`,
  );
  if (state === undefined) throw new Error('clickhouse_state has no row');
  return state;
}

/**
 * Identifies the copy that answers for a project, as it is at the moment: everything was copied since then, and no changes are half applied. Null: none
 * does. @param since ms
 */
export async function readCopy(on: Queryable, projectId: number, since: number): Promise<string | null> {
  const [found] = await query<{ copy: string }>(
    on,
    sql`select concat_ws(' ', target, number) as copy from clickhouse_state
         where caught_up_at >= ${sql.time(since)} and coalesce(sending ->> 'what', 'events') = 'events'
           and exists (select from clickhouse_projects where project_id = ${projectId})`,
  );
  return found?.copy ?? null;
}

/** Notes an insert before it is sent. */
export async function noteSending(on: Queryable, sending: Sending): Promise<void> {
  await query(on, sql`update clickhouse_state set sending = ${sql.json(sending)}`);
}

/** Notes that the insert has arrived: the next one has another number. */
export async function noteSent(on: Queryable, { what, ...sent }: Sending, rows: number): Promise<void> {
  if (what === 'changes') {
    const { ids } = sent as Extract<Sending, { what: 'changes' }>;
    await query(
      on,
      sql`with gone as (delete from clickhouse_changes where id = any(${ids}::bigint[]))
          update clickhouse_state set number = number + 1, sending = null`,
    );
    return;
  }
  const { until, last } = sent as Extract<Sending, { what: 'events' }>;
  const place = last === null ? sql`shipped = ${until}, position = null` : sql`position = ${sql.json(last)}`;
  await query(
    on,
    sql`update clickhouse_state set number = number + 1, sending = null, rows = rows + ${rows}::bigint, ${place}`,
  );
}

/** The state after this insert, as far as the next one depends on it. */
export function afterSending(
  state: ShippingState,
  { until, last }: Extract<Sending, { what: 'events' }>,
): ShippingState {
  const place = last === null ? { shipped: until, position: null } : { position: last };
  return { ...state, ...place, number: state.number + 1, sending: null };
}

/** Epochs without events need no insert. */
export async function noteNothingUntil(on: Queryable, epoch: number): Promise<void> {
  await query(on, sql`update clickhouse_state set shipped = greatest(shipped, ${epoch}::int), position = null`);
}

export async function noteCaughtUp(on: Queryable, now: number): Promise<void> {
  await query(on, sql`update clickhouse_state set caught_up_at = ${sql.time(now)}, error = null, error_at = null`);
}

/** What is there has to be looked at again before anyone is answered by it. */
export async function noteIncomplete(on: Queryable): Promise<void> {
  await query(on, sql`update clickhouse_state set caught_up_at = null`);
}

export async function noteError(on: Queryable, error: string | null, now: number): Promise<void> {
  await query(
    on,
    sql`update clickhouse_state set error = ${error}, error_at = case when ${error}::text is null then null else ${sql.time(now)} end`,
  );
}

/** Merges of a change. */
const MERGES_AT_ONCE = 5_000;

/**
 * Makes the triggers that note changes of copied rows, and begins again with tables that hold nothing but dropped events. In a transaction.
 * @param number of the last insert: rows that are kept have none that is higher
 */
export async function beginAgain(on: Queryable, target: string, number = 0): Promise<void> {
  // Writers wait behind us for as long as we wait for others.
  await query(on, sql`set local lock_timeout = '5s'`);
  for (const statement of TRIGGERS) await query(on, statement);
  await query(on, sql`delete from clickhouse_changes`);
  // Merges so far: no event brings them along.
  await query(
    on,
    sql`insert into clickhouse_changes (kind, project_id, numbers)
        select 'overrides', project_id, array_agg(old_person)
          from (select project_id, old_person,
                       row_number() over (partition by project_id order by old_person) / ${MERGES_AT_ONCE}::int as piece
                  from person_overrides) as merged
         group by project_id, piece`,
  );
  await query(
    on,
    sql`update clickhouse_state
           set target = ${target}::uuid, shipped = 0, position = null, number = ${number}, sending = null, rows = 0,
               caught_up_at = null`,
  );
}

/** Takes the triggers away, and forgets what was copied. In a transaction. @throws AppError as `switchProjects` */
export async function endFollowing(on: Queryable): Promise<void> {
  await refuseLeaving(on, null);
  await query(on, sql`set local lock_timeout = '5s'`);
  for (const statement of NO_TRIGGERS) await query(on, statement);
  await query(on, sql`delete from clickhouse_changes`);
  await query(on, sql`delete from clickhouse_projects`);
  await query(
    on,
    sql`update clickhouse_state set target = null, shipped = 0, position = null, number = 0, sending = null, rows = 0,
               caught_up_at = null, error = null, error_at = null`,
  );
}

const TRIGGERS = [
  sql`create or replace trigger clickhouse_events_deleted after delete on events
        referencing old table as gone for each statement execute function note_events_for_clickhouse()`,
  sql`create or replace trigger clickhouse_events_changed after update on events
        referencing old table as gone for each statement execute function note_events_for_clickhouse()`,
  // Visits that change otherwise do with their events, which are copied then.
  sql`create or replace trigger clickhouse_sessions_deleted after delete on sessions
        referencing old table as gone for each statement execute function note_sessions_for_clickhouse()`,
  sql`create or replace trigger clickhouse_overrides_made after insert on person_overrides
        referencing new table as gone for each statement execute function note_overrides_for_clickhouse()`,
  sql`create or replace trigger clickhouse_overrides_changed after update on person_overrides
        referencing old table as gone for each statement execute function note_overrides_for_clickhouse()`,
  sql`create or replace trigger clickhouse_overrides_deleted after delete on person_overrides
        referencing old table as gone for each statement execute function note_overrides_for_clickhouse()`,
];

const NO_TRIGGERS = [
  sql`drop trigger if exists clickhouse_events_deleted on events`,
  sql`drop trigger if exists clickhouse_events_changed on events`,
  sql`drop trigger if exists clickhouse_sessions_deleted on sessions`,
  sql`drop trigger if exists clickhouse_overrides_made on person_overrides`,
  sql`drop trigger if exists clickhouse_overrides_changed on person_overrides`,
  sql`drop trigger if exists clickhouse_overrides_deleted on person_overrides`,
];

export interface Change {
  id: number;
  kind: 'events' | 'sessions' | 'overrides' | 'persons' | 'before' | 'span' | 'project';
  project_id: number;
  since: number | null;
  until: number | null;
  uuids: string[];
  numbers: number[];
}

/** The oldest changes, of this many rows or little more. */
export async function readChanges(on: Queryable, rows: number): Promise<Change[]> {
  return query<Change>(
    on,
    sql`select id, kind, project_id, since, until, uuids, numbers
          from (select *, sum(1 + cardinality(uuids) + cardinality(numbers)) over (order by id) as upto
                  from (select * from clickhouse_changes order by id limit 1000) as oldest) as changes
         where upto <= ${rows} or id = (select min(id) from clickhouse_changes)
         order by id`,
  );
}

/** True while events of a project are to be changed or deleted there. @param projectId null: of any */
export async function isChanging(on: Queryable, projectId: number | null): Promise<boolean> {
  const own = projectId === null ? sql`true` : sql`project_id in (0, ${projectId})`;
  const [open] = await query(
    on,
    sql`select 1 as one from clickhouse_changes where kind <> 'overrides' and ${own} limit 1`,
  );
  return open !== undefined;
}

export async function changesById(on: Queryable, ids: readonly number[]): Promise<Change[]> {
  return query<Change>(
    on,
    sql`select id, kind, project_id, since, until, uuids, numbers
          from clickhouse_changes where id = any(${[...ids]}::bigint[]) order by id`,
  );
}

export interface CountedEpoch {
  epoch: number;
  rows: number;
}

/** Epochs with events, after the first and up to the last of these. */
export function epochsBetween(on: Queryable, after: number, upTo: number): Promise<CountedEpoch[]> {
  return query(
    on,
    sql`select epoch, count(*)::float8 as rows from events
         where epoch > ${after} and epoch <= ${upTo} group by epoch order by epoch`,
  );
}

/** The first uuid: before all rows of its time but one that has it. */
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Where the rows of an epoch after a position are cut into pieces of about so many: the place up to which each but the last one goes. Between minutes, which are
 * counted; where one has more rows, all are put in order.
 */
export async function endsOfPieces(
  on: Queryable,
  epoch: number,
  position: Position | null,
  rows: number,
): Promise<Position[]> {
  const rest = sql`events where epoch = ${epoch} and ${rowsBetween(position, null)}`;
  const minutes = await query<Position & { most: number }>(
    on,
    sql`select project_id as project, minute::text as ts, ${FIRST_UUID} as uuid, most
          from (select *, before / ${rows}::int as piece, lag(before / ${rows}::int) over (order by project_id, minute) as previous
                  from (select *, (sum(rows) over (order by project_id, minute))::bigint - rows as before, (max(rows) over ())::float8 as most
                          from (select project_id, date_trunc('minute', ts) as minute, count(*) as rows
                                  from ${rest} group by 1, 2) as counted) as summed) as pieces
         where piece > previous order by project_id, minute`,
  );
  const isDense = minutes.length === 0 || minutes.some(({ most }) => most > rows);
  if (!isDense) return minutes.map(({ most: _, ...end }) => end);
  return query(
    on,
    sql`select project_id as project, ts::text as ts, uuid
          from (select project_id, ts, uuid, row_number() over (order by project_id, ts, uuid) as number from ${rest}) as numbered
         where number % ${rows}::int = 0 order by number`,
  );
}

/**
 * True of the rows after one and up to another, in the order in which those of an epoch are copied: by project, time and uuid. Written so that
 * the index by project and time finds them.
 */
export function rowsBetween(after: Position | null, upTo: Position | null): Sql {
  if (after !== null && upTo !== null && after.project === upTo.project)
    return sql`(events.project_id = ${after.project} and ${isAfter(after)} and ${isUpTo(upTo)})`;
  const others = [
    ...(after === null ? [] : [sql`events.project_id > ${after.project}`]),
    ...(upTo === null ? [] : [sql`events.project_id < ${upTo.project}`]),
  ];
  if (others.length === 0) return sql`true`;
  const parts = [
    ...(after === null ? [] : [sql`events.project_id = ${after.project} and ${isAfter(after)}`]),
    sql.join(others, sql` and `),
    ...(upTo === null ? [] : [sql`events.project_id = ${upTo.project} and ${isUpTo(upTo)}`]),
  ];
  return sql`(${sql.join(parts, sql` or `)})`;
}

/** Within a project. The comparison of times alone tells the planner how many rows there are, and which months hold them. */
const isAfter = (row: Position) =>
  sql`events.ts >= ${row.ts}::timestamptz and (events.ts, events.uuid) > ${moment(row)}`;
const isUpTo = (row: Position) =>
  sql`events.ts <= ${row.ts}::timestamptz and (events.ts, events.uuid) <= ${moment(row)}`;
const moment = ({ ts, uuid }: Position) => sql`(${ts}::timestamptz, ${uuid}::uuid)`;

/** True when events came after this epoch. */
export async function hasLaterEvents(on: Queryable, epoch: number): Promise<boolean> {
  const [found] = await query(on, sql`select 1 as one from events where epoch > ${epoch} limit 1`);
  return found !== undefined;
}

/** How many events are not copied yet, as far as `most`. */
export async function countBacklog(on: Queryable, shipped: number, most: number): Promise<number> {
  const [found] = await query<{ rows: number }>(
    on,
    sql`select count(*)::float8 as rows from (select from events where epoch > ${shipped} limit ${most}) as waiting`,
  );
  return found?.rows ?? 0;
}

/** How many of the next events that are not copied yet there are, as far as `most`, and how many are the project's. */
export async function countWaiting(
  on: Queryable,
  projectId: number,
  shipped: number,
  most: number,
): Promise<{ own: number; all: number }> {
  const [found] = await query<{ own: number; all: number }>(
    on,
    sql`select count(*) filter (where project_id = ${projectId})::float8 as own, count(*)::float8 as "all"
          from (select project_id from events where epoch > ${shipped} limit ${most}) as waiting`,
  );
  return found ?? { own: 0, all: 0 };
}

export async function readSwitched(on: Queryable): Promise<number[]> {
  const rows = await query<{ project_id: number }>(
    on,
    sql`select project_id from clickhouse_projects order by project_id`,
  );
  return rows.map(({ project_id: id }) => id);
}

/**
 * @param projects null: all
 * @throws AppError `conflict` when single events of a project that leaves are in ClickHouse alone
 */
export async function switchProjects(
  on: Queryable,
  projects: readonly number[] | null,
  isOn: boolean,
): Promise<number> {
  if (!isOn) await refuseLeaving(on, projects);
  const chosen = projects === null ? sql`true` : sql`id = any(${[...projects]}::int[])`;
  const changed = isOn
    ? await query(
        on,
        sql`insert into clickhouse_projects (project_id) select id from projects where ${chosen}
            on conflict do nothing returning project_id`,
      )
    : await query(
        on,
        sql`delete from clickhouse_projects where project_id in (select id from projects where ${chosen}) returning project_id`,
      );
  return changed.length;
}
