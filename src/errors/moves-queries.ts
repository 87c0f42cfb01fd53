/** SQL of merging and splitting issues. */
import { type Queryable, query, sql } from '#src/store/sql.ts';

export interface MoveRow {
  id: number;
  kind: 'merged' | 'split';
  source: number;
  target: number;
  fingerprints: number[];
  events: number;
  sourceBefore: Before;
  targetBefore: Before;
}

/** What an issue was before occurrences were moved. */
export interface Before {
  firstSeen: number;
  firstRelease: string | null;
}

export async function insertMove(
  on: Queryable,
  projectId: number,
  { kind, source, target, fingerprints, events, sourceBefore, targetBefore }: Omit<MoveRow, 'id'>,
  { by, now }: { by: number; now: number },
): Promise<number> {
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into issue_moves (project_id, kind, source, target, fingerprints, events, source_before, target_before, at, account)
        values (${projectId}, ${kind}, ${source}, ${target}, ${[...fingerprints]}::int[], ${events}, ${sql.json(sourceBefore)},
                ${sql.json(targetBefore)}, ${sql.time(now)}, ${by})
        returning id`,
  );
  return row?.id as number;
}

/** One that was not undone, until the transaction ends; null: there is none. */
export async function lockMove(on: Queryable, projectId: number, id: number): Promise<MoveRow | null> {
  const [row] = await query<MoveRow>(
    on,
    sql`select id, kind, source, target, fingerprints, events, source_before as "sourceBefore", target_before as "targetBefore"
          from issue_moves where project_id = ${projectId} and id = ${id} and undone_at is null for update`,
  );
  return row ?? null;
}

export async function markUndone(on: Queryable, id: number, now: number): Promise<void> {
  await query(on, sql`update issue_moves set undone_at = ${sql.time(now)} where id = ${id}`);
}

export async function fingerprintsOfIssue(on: Queryable, projectId: number, issue: number): Promise<number[]> {
  const rows = await query<{ number: number }>(
    on,
    sql`select number from issue_fingerprints where project_id = ${projectId} and issue = ${issue} order by number`,
  );
  return rows.map(({ number }) => number);
}

/** These fingerprints of an issue, and those that were found by them. */
export async function withFollowing(
  on: Queryable,
  projectId: number,
  issue: number,
  numbers: readonly number[],
): Promise<number[]> {
  const rows = await query<{ number: number }>(
    on,
    sql`with recursive own as (
          select number from issue_fingerprints
           where project_id = ${projectId} and issue = ${issue} and number = any(${[...numbers]}::int[])
          union
          select following.number from own
            join issue_fingerprints as following
              on following.project_id = ${projectId} and following.issue = ${issue} and following.via = own.number)
        select number from own`,
  );
  return rows.map(({ number }) => number);
}

/** Gives fingerprints with their occurrences to another issue. @returns how many occurrences went along */
export async function moveFingerprints(
  on: Queryable,
  projectId: number,
  { from, to, numbers }: { from: number; to: number; numbers: readonly number[] },
): Promise<number> {
  await query(
    on,
    sql`update issue_fingerprints set issue = ${to}
         where project_id = ${projectId} and issue = ${from} and number = any(${[...numbers]}::int[])`,
  );
  const [moved] = await query<{ events: number }>(
    on,
    sql`with gone as (
          delete from issue_hours
           where project_id = ${projectId} and issue = ${from} and fingerprint = any(${[...numbers]}::int[])
          returning *),
        come as (
          insert into issue_hours as known
            (project_id, issue, hour, distinct_id, session_id, release, fingerprint, events, last_ts, last_uuid)
          select project_id, ${to}::int, hour, distinct_id, session_id, release, fingerprint, events, last_ts, last_uuid from gone
          on conflict (project_id, issue, hour, distinct_id, session_id, release, fingerprint) do update set
            events = known.events + excluded.events,
            last_uuid = case when excluded.last_ts >= known.last_ts then excluded.last_uuid else known.last_uuid end,
            last_ts = greatest(known.last_ts, excluded.last_ts))
        select coalesce(sum(events), 0)::int as events from gone`,
  );
  await query(
    on,
    sql`update issues
           set fingerprints = (select count(*) from issue_fingerprints as own
                                where own.project_id = ${projectId} and own.issue = issues.id)
         where project_id = ${projectId} and id in (${from}, ${to})`,
  );
  return moved?.events ?? 0;
}

/** One issue takes in another, which is hidden. */
export async function takeIn(
  on: Queryable,
  projectId: number,
  { from, into, now }: { from: number; into: number; now: number },
): Promise<void> {
  await query(
    on,
    sql`update issues
           set events = issues.events + gone.events, first_seen = least(issues.first_seen, gone.first_seen),
               last_seen = greatest(issues.last_seen, gone.last_seen),
               first_release = case when gone.first_seen < issues.first_seen
                 then coalesce(gone.first_release, issues.first_release) else issues.first_release end,
               unhandled = issues.unhandled or gone.unhandled, changed_at = ${sql.time(now)}
          from issues as gone
         where issues.project_id = ${projectId} and issues.id = ${into} and gone.project_id = ${projectId} and gone.id = ${from}`,
  );
  await query(
    on,
    sql`update issues set merged_into = ${into}, changed_at = ${sql.time(now)} where project_id = ${projectId} and id = ${from}`,
  );
}

/** Deletes a merged issue, except for its activity. */
export async function absorb(
  on: Queryable,
  projectId: number,
  { from, into }: { from: number; into: number },
): Promise<void> {
  await query(on, sql`delete from issue_signals where project_id = ${projectId} and issue = ${from}`);
  await query(
    on,
    sql`delete from issue_moves where project_id = ${projectId} and (source = ${from} or target = ${from})`,
  );
  await query(
    on,
    sql`update issues set merged_into = ${into} where project_id = ${projectId} and merged_into = ${from}`,
  );
  await query(on, sql`update issue_notes set issue = ${into} where project_id = ${projectId} and issue = ${from}`);
  await query(on, sql`delete from issues where project_id = ${projectId} and id = ${from}`);
}

/** Counts after occurrences were taken out or given back; times follow from those that are there. */
export async function recount(
  on: Queryable,
  projectId: number,
  id: number,
  { events, before, now }: { events: number; before: Before; now: number },
): Promise<void> {
  await query(
    on,
    sql`update issues
           set events = greatest(issues.events + ${events}::bigint, seen.events), merged_into = null, changed_at = ${sql.time(now)},
               first_seen = least(${sql.time(before.firstSeen)}, coalesce(seen.first, ${sql.time(before.firstSeen)})),
               last_seen = coalesce(seen.last, issues.last_seen), first_release = ${before.firstRelease}::text
          from (select min(last_ts) as first, max(last_ts) as last, coalesce(sum(events), 0) as events
                  from issue_hours where project_id = ${projectId} and issue = ${id}) as seen
         where issues.project_id = ${projectId} and issues.id = ${id}`,
  );
}

export interface FingerprintCount {
  fingerprint: number;
  events: number;
  people: number;
  ts: number;
  uuid: string;
}

/** Fingerprints of an issue with occurrences, those with the most first. */
export function countFingerprints(
  on: Queryable,
  projectId: number,
  issue: number,
  limit: number,
): Promise<FingerprintCount[]> {
  return query(
    on,
    sql`select fingerprint, sum(events)::int as events, count(distinct distinct_id)::int as people, max(last_ts) as ts,
               (array_agg(last_uuid order by last_ts desc, last_uuid desc))[1] as uuid
          from issue_hours where project_id = ${projectId} and issue = ${issue}
         group by fingerprint order by 2 desc, fingerprint limit ${limit}`,
  );
}

export interface ShownMove {
  id: number;
  at: number;
  kind: 'merged' | 'split';
  by: string | null;
  title: string;
  issue: number;
}

/** Moves of an issue that can be undone, newest first. */
export function movesOf(on: Queryable, projectId: number, issue: number): Promise<ShownMove[]> {
  return query(
    on,
    sql`select moves.id, moves.at, moves.kind, users.name as by, other.type || ': ' || split_part(other.message, e'\n', 1) as title,
               other.id as issue
          from issue_moves as moves
          join issues as other
            on other.project_id = moves.project_id and other.id = case when moves.target = ${issue} then moves.source else moves.target end
          left join users on users.id = moves.account
         where moves.project_id = ${projectId} and moves.undone_at is null
           and ((moves.kind = 'merged' and moves.target = ${issue} and other.merged_into = ${issue})
                or (moves.kind = 'split' and ${issue} in (moves.source, moves.target) and other.merged_into is null))
         order by moves.id desc limit 20`,
  );
}

/** The oldest issue of errors of this type that was not merged; null: none. */
export async function firstIssueOf(on: Queryable, projectId: number, type: string): Promise<number | null> {
  const [row] = await query<{ id: number }>(
    on,
    sql`select id from issues
         where project_id = ${projectId} and type = ${type} and merged_into is null order by first_seen limit 1`,
  );
  return row?.id ?? null;
}
