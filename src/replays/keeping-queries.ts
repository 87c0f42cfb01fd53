/** SQL of what recordings take, and of their deletion. */
import { type Queryable, query, sql } from '#src/store/sql.ts';

export interface UsageRow {
  projectId: number;
  bytes: number;
  /** Of sessions of the last seven days. */
  bytesWeek: number;
  sessions: number;
  /** Recorded time, seconds. */
  seconds: number;
  firstAt: number | null;
}

/** What recordings take, by project. */
export function measureUsage(on: Queryable, now: number, weekMs: number): Promise<UsageRow[]> {
  return query<UsageRow>(
    on,
    sql`select project_id as "projectId", sum(bytes)::bigint as bytes,
               coalesce(sum(bytes) filter (where first_at >= ${sql.time(now - weekMs)}), 0)::bigint as "bytesWeek",
               count(*) as sessions, coalesce(sum(extract(epoch from last_at - first_at)), 0)::bigint as seconds,
               min(first_at) as "firstAt"
          from replay_sessions
         group by project_id`,
  );
}

export async function writeUsage(
  on: Queryable,
  { projectId, bytes, bytesWeek, sessions, seconds }: UsageRow,
  now: number,
): Promise<void> {
  await query(
    on,
    sql`insert into replay_usage as u (project_id, measured_at, bytes, bytes_week, sessions, seconds, dropped)
        values (${projectId}, ${sql.time(now)}, ${bytes}, ${bytesWeek}, ${sessions}, ${seconds}, 0)
        on conflict (project_id) do update set
          measured_at = excluded.measured_at, bytes = excluded.bytes, bytes_week = excluded.bytes_week,
          sessions = excluded.sessions, seconds = excluded.seconds`,
  );
}

/** Projects without recordings take nothing. */
export async function clearUsage(on: Queryable, except: readonly number[]): Promise<void> {
  await query(on, sql`delete from replay_usage where project_id <> all(${[...except]}::int[])`);
}

export async function countDropped(on: Queryable, projectId: number, sessions: number): Promise<void> {
  await query(on, sql`update replay_usage set dropped = dropped + ${sessions} where project_id = ${projectId}`);
}

export interface StoredUsage extends Omit<UsageRow, 'firstAt'> {
  measuredAt: number;
  /** Sessions that were deleted for the budget. */
  dropped: number;
  firstAt: number | null;
}

export async function usageOf(on: Queryable, projectId: number): Promise<StoredUsage | null> {
  const [row] = await query<StoredUsage>(
    on,
    sql`select project_id as "projectId", measured_at as "measuredAt", bytes, bytes_week as "bytesWeek", sessions, seconds, dropped,
               (select min(first_at) from replay_sessions r where r.project_id = u.project_id) as "firstAt"
          from replay_usage u
         where project_id = ${projectId}`,
  );
  return row ?? null;
}

/** The oldest sessions before a time. */
export function sessionsBefore(
  on: Queryable,
  projectId: number,
  before: number,
  limit: number,
): Promise<SessionPlace[]> {
  return query<SessionPlace>(
    on,
    sql`select session, week, bytes from replay_sessions
         where project_id = ${projectId} and first_at < ${sql.time(before)}
         order by first_at limit ${limit}`,
  );
}

/** The oldest sessions that are over; with `onlyFine` of those without errors. */
export function oldestSessions(
  on: Queryable,
  projectId: number,
  { onlyFine, quietBefore, limit }: { onlyFine: boolean; quietBefore: number; limit: number },
): Promise<SessionPlace[]> {
  // Exceptions that were grouped, as well as messages of the console.
  const fine = sql`and r.errors = 0 and not exists (
    select from sessions s
      join issue_hours h on h.project_id = s.project_id and h.session_id = s.id
     where s.project_id = r.project_id and s.uuid = r.session)`;
  return query<SessionPlace>(
    on,
    sql`select session, week, bytes from replay_sessions r
         where project_id = ${projectId} and received_at < ${sql.time(quietBefore)} ${onlyFine ? fine : sql.empty}
         order by first_at limit ${limit}`,
  );
}

/** Sessions in which someone took part under one of these ids. */
export function sessionsOfIds(
  on: Queryable,
  projectId: number,
  distinctIds: readonly string[],
): Promise<SessionPlace[]> {
  return query<SessionPlace>(
    on,
    sql`select session, week, bytes from replay_sessions
         where project_id = ${projectId} and distinct_ids && ${[...distinctIds]}::text[]`,
  );
}

export async function placeOf(on: Queryable, projectId: number, session: string): Promise<SessionPlace | null> {
  const [place] = await query<SessionPlace>(
    on,
    sql`select session, week, bytes from replay_sessions where project_id = ${projectId} and session = ${session}::uuid`,
  );
  return place ?? null;
}

export interface SessionPlace {
  session: string;
  week: number;
  bytes: number;
}

/** Deletes sessions with their blocks, in the transaction of `on`. Gives the files of the blocks. */
export async function deleteSessions(
  on: Queryable,
  projectId: number,
  sessions: readonly SessionPlace[],
): Promise<{ blocks: number; blobs: number[] }> {
  const ids = sql`${sessions.map(({ session }) => session)}::uuid[]`;
  // First, so that nothing is added to them meanwhile.
  await query(on, sql`delete from replay_sessions where project_id = ${projectId} and session = any(${ids})`);
  const weeks = [...new Set(sessions.map(({ week }) => week))];
  const gone = await query<{ blob: number | null }>(
    on,
    sql`delete from replay_blocks
         where project_id = ${projectId} and session = any(${ids}) and week = any(${weeks}::int[])
        returning blob`,
  );
  return { blocks: gone.length, blobs: gone.flatMap(({ blob }) => blob ?? []) };
}

/** Files of a week's blocks, by project. */
export function filesOfWeek(on: Queryable, week: number): Promise<{ projectId: number; blobs: number[] }[]> {
  return query(
    on,
    sql`select project_id as "projectId", array_agg(blob) as blobs from replay_blocks
         where week = ${week} and blob is not null group by project_id`,
  );
}

export async function deleteSessionsOfWeek(on: Queryable, week: number): Promise<void> {
  await query(on, sql`delete from replay_sessions where week = ${week}`);
}

/** What recordings take over all projects. */
export async function totalUsage(on: Queryable): Promise<{ bytes: number; sessions: number; unpacked: number }> {
  const [row] = await query<{ bytes: number; sessions: number; unpacked: number }>(
    on,
    sql`select coalesce(sum(bytes), 0)::bigint as bytes, count(*) as sessions,
               count(*) filter (where packed_at is null) as unpacked
          from replay_sessions`,
  );
  return row as { bytes: number; sessions: number; unpacked: number };
}
