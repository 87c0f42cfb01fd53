/** SQL of the privacy room. */
import type { GroupsApart } from '#src/events/history.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { PrivacyRequest, RetentionRun } from './contract.ts';

export interface OpenRequest {
  projectId: number;
  id: number;
  kind: 'export' | 'erase';
  state: 'waiting' | 'sweeping' | 'done';
  persons: number[];
  distinctIds: string[];
  askedAt: number;
  sweptAt: number | null;
  /** Time of the previous or interrupted pass, ms. */
  lookedAt: number | null;
  /** Groups marked by previous passes. */
  groupsApart: GroupsApart;
}

export interface NewRequest {
  projectId: number;
  kind: 'export' | 'erase';
  subjects: Buffer[];
  persons: readonly number[];
  distinctIds: readonly string[];
  by: { id: number; name: string };
}

export async function insertRequest(on: Queryable, request: NewRequest, now: number): Promise<number> {
  const { projectId, kind, subjects, persons, distinctIds, by } = request;
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into privacy_requests (project_id, kind, state, subjects, persons, distinct_ids, asked_by, asked_by_name, asked_at)
        values (${projectId}, ${kind}, 'waiting', ${subjects}::bytea[], ${[...persons]}::int[],
                ${[...distinctIds]}::text[], ${by.id}, ${by.name}, ${new Date(now)})
        returning id`,
  );
  return (row as { id: number }).id;
}

const shown = sql`
  id, kind, state, left(encode(subjects[1], 'hex'), 10) as subject, asked_by_name as "askedBy", asked_at as "askedAt",
  done_at as "doneAt", counts`;

export function readRequests(on: Queryable, projectId: number, limit: number): Promise<PrivacyRequest[]> {
  return query(
    on,
    sql`select ${shown} from privacy_requests where project_id = ${projectId} order by id desc limit ${limit}`,
  );
}

/** Requests about persons with one of these subjects. */
export function requestsAbout(on: Queryable, projectId: number, subjects: Buffer[]): Promise<PrivacyRequest[]> {
  return query(
    on,
    sql`select ${shown} from privacy_requests
         where project_id = ${projectId} and subjects && ${subjects}::bytea[]
         order by id desc limit 20`,
  );
}

const open = sql`
  project_id as "projectId", id, kind, state, persons, distinct_ids as "distinctIds", asked_at as "askedAt",
  swept_at as "sweptAt", looked_at as "lookedAt", groups_apart as "groupsApart"`;

/** Erasures, and exports that were asked for before `exportsBefore`: others only wait to be fetched. The oldest first. */
export function openRequests(on: Queryable, exportsBefore: number): Promise<OpenRequest[]> {
  return query(
    on,
    sql`select ${open} from privacy_requests
         where (state in ('waiting', 'sweeping') or (kind = 'export' and persons <> '{}'))
           and (kind = 'erase' or asked_at < ${new Date(exportsBefore)})
         order by asked_at, id
         limit 1000`,
  );
}

export async function exportAsked(
  on: Queryable,
  { projectId, id, by }: { projectId: number; id: number; by: number },
): Promise<OpenRequest | null> {
  const [row] = await query<OpenRequest>(
    on,
    sql`select ${open} from privacy_requests
         where project_id = ${projectId} and id = ${id} and asked_by = ${by} and kind = 'export' and persons <> '{}'`,
  );
  return row ?? null;
}

/** Moves a request on. Ids and numbers of the person are kept only until it is over; a file may be fetched again within its day. */
export async function moveOn(
  on: Queryable,
  { projectId, id }: Pick<OpenRequest, 'projectId' | 'id'>,
  to: 'sweeping' | 'done' | 'expired',
  counts: Record<string, number>,
  now: number,
): Promise<void> {
  const fields: Sql =
    to === 'sweeping'
      ? sql`swept_at = coalesce(swept_at, ${new Date(now)}), looked_at = ${new Date(now)}`
      : sql`done_at = coalesce(done_at, ${new Date(now)}), distinct_ids = '{}', groups_apart = '{}',
            persons = case when kind = 'export' and ${to}::text = 'done' then persons else '{}' end`;
  await query(
    on,
    sql`update privacy_requests r
           set state = ${to}, ${fields},
               counts = case kind when 'export' then ${sql.json(counts)} else (select coalesce(jsonb_object_agg(key, total), '{}')
                           from (select key, sum(value::int)::int as total
                                   from (select * from jsonb_each_text(r.counts)
                                         union all
                                         select * from jsonb_each_text(${sql.json(counts)})) as both_counts (key, value)
                                  group by key) as sums) end
         where project_id = ${projectId} and id = ${id}`,
  );
}

/** The day of a file that was fetched is over. */
export async function closeExport(on: Queryable, { projectId, id }: Pick<OpenRequest, 'projectId' | 'id'>) {
  await query(on, sql`update privacy_requests set persons = '{}' where project_id = ${projectId} and id = ${id}`);
}

/** Closes exports of erased persons. */
export async function closeExportsOf(on: Queryable, projectId: number, persons: readonly number[]): Promise<void> {
  await query(
    on,
    sql`update privacy_requests
           set persons = '{}', state = case state when 'waiting' then 'expired' else state end
         where project_id = ${projectId} and kind = 'export' and persons && ${[...persons]}::int[]`,
  );
}

/** Stores the current identity of the request's person. */
export async function noteIdentity(
  on: Queryable,
  { projectId, id, persons, distinctIds }: Pick<OpenRequest, 'projectId' | 'id' | 'persons' | 'distinctIds'>,
): Promise<void> {
  await query(
    on,
    sql`update privacy_requests set persons = ${persons}::int[], distinct_ids = ${distinctIds}::text[]
         where project_id = ${projectId} and id = ${id}`,
  );
}

/** Stores the marked groups and the time, so that the next pass does not run too soon, even after an interruption. */
export async function noteApart(
  on: Queryable,
  { projectId, id }: Pick<OpenRequest, 'projectId' | 'id'>,
  groupsApart: GroupsApart,
  now: number,
): Promise<void> {
  await query(
    on,
    sql`update privacy_requests set groups_apart = ${sql.json(groupsApart)}, looked_at = ${new Date(now)}
         where project_id = ${projectId} and id = ${id}`,
  );
}

/** Records the erasure with keyed hashes of the person's ids, in the transaction that erases. */
export async function noteErased(
  on: Queryable,
  { projectId, id }: Pick<OpenRequest, 'projectId' | 'id'>,
  erasedIds: Buffer[],
  now: number,
): Promise<void> {
  await query(
    on,
    sql`update privacy_requests set swept_at = coalesce(swept_at, ${new Date(now)}), erased_ids = ${erasedIds}::bytea[]
         where project_id = ${projectId} and id = ${id}`,
  );
}

/** Erasures since a time: hashes of distinct ids, and times. */
export function erasedSince(on: Queryable, projectId: number, since: number): Promise<{ ids: string[]; at: number }[]> {
  return query(
    on,
    sql`select array(select encode(id, 'hex') from unnest(erased_ids) as id) as ids, swept_at as at
          from privacy_requests
         where project_id = ${projectId} and kind = 'erase' and swept_at >= ${new Date(since)}`,
  );
}

const ERASING = sql`hashtextextended('luneta erasure', 0)`;

/** Exclusive lock until the end of the transaction: no other erasure runs, and no spooled event is stored. */
export async function lockErasing(on: Queryable): Promise<void> {
  await query(on, sql`select pg_advisory_xact_lock(${ERASING})`);
}

/** Shared lock until the end of the transaction: no erasure runs. @returns false while one runs, without waiting */
export async function tryLockAgainstErasing(on: Queryable): Promise<boolean> {
  const [row] = await query<{ locked: boolean }>(
    on,
    sql`select pg_try_advisory_xact_lock_shared(${ERASING}) as locked`,
  );
  return row?.locked === true;
}

export async function insertRetired(on: Queryable, projectId: number, run: RetentionRun): Promise<void> {
  await query(
    on,
    sql`insert into retention_log (project_id, at, before, events, sessions, persons)
        values (${projectId}, ${new Date(run.at)}, ${new Date(run.before)}, ${run.events}, ${run.sessions}, ${run.persons})`,
  );
}

export function readRetired(on: Queryable, projectId: number, limit: number): Promise<RetentionRun[]> {
  return query(
    on,
    sql`select at, before, events, sessions, persons from retention_log
         where project_id = ${projectId} order by id desc limit ${limit}`,
  );
}
