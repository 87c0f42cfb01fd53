/** SQL of grouping: what is known of fingerprints and issues, and what a batch of exceptions adds. */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { Grouping } from './contract.ts';
import type { IssueAction, IssueStatus } from './values.ts';

/** An issue, as grouping changes it. */
export interface GroupedIssue {
  id: number;
  status: IssueStatus;
  events: number;
  lastSeen: number;
  resolvedAt: number | null;
  resolvedRelease: string | null;
  ignoredUntil: number | null;
  ignoredEvents: number | null;
  ignoredPeople: number | null;
  ignoredAt: number | null;
  /** Set: it is hidden, and what it had is there. */
  mergedInto: number | null;
  /** A fingerprint of it was made with source maps. */
  isResolved: boolean;
  fingerprints: number;
}

/** Issues of fingerprints that are known. */
export function knownFingerprints(
  on: Queryable,
  projectId: number,
  hashes: readonly string[],
): Promise<{ hash: string; issue: number; number: number }[]> {
  return query(
    on,
    sql`select hash, issue, number from issue_fingerprints where project_id = ${projectId} and hash = any(${[...hashes]}::text[])`,
  );
}

/** In one order, so that a change by a person waits for the batch and not in a circle. */
export function lockIssues(on: Queryable, projectId: number, ids: readonly number[]): Promise<GroupedIssue[]> {
  return query(
    on,
    sql`select id, status, events, last_seen as "lastSeen", resolved_at as "resolvedAt", resolved_release as "resolvedRelease",
               ignored_until as "ignoredUntil", ignored_events as "ignoredEvents",
               ignored_people as "ignoredPeople", ignored_at as "ignoredAt", merged_into as "mergedInto",
               resolved_fingerprint as "isResolved", fingerprints
          from issues where project_id = ${projectId} and id = any(${[...ids]}::int[]) order by id for update`,
  );
}

export async function countIssues(on: Queryable, projectId: number): Promise<number> {
  const [row] = await query<{ issues: number }>(
    on,
    sql`select count(*)::int as issues from issues where project_id = ${projectId} and merged_into is null`,
  );
  return row?.issues ?? 0;
}

/** What all occurrences of a batch say of one issue. */
export interface Seen {
  type: string;
  message: string;
  /** distinct_ids.number of who sent the message; null: it holds no values. */
  messageFrom: number | null;
  culprit: string;
  level: string;
  unhandled: boolean;
  events: number;
  firstSeen: number;
  lastSeen: number;
  firstRelease: string | null;
  lastRelease: string | null;
}

export async function insertIssue(
  on: Queryable,
  projectId: number,
  seen: Seen,
  grouping: Grouping,
  { isResolved, now }: { isResolved: boolean; now: number },
): Promise<number> {
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into issues (project_id, type, message, message_from, culprit, status, level, unhandled, grouped_by, events,
                            first_seen, last_seen, first_release, last_release, resolved_fingerprint, fingerprints,
                            created_at, changed_at)
        values (${projectId}, ${seen.type}, ${seen.message}, ${seen.messageFrom}, ${seen.culprit}, 'active', ${seen.level},
                ${seen.unhandled}, ${sql.json(grouping)}, 0, ${sql.time(seen.firstSeen)}, ${sql.time(seen.lastSeen)},
                ${seen.firstRelease}, ${seen.lastRelease}, ${isResolved}, 0, ${sql.time(now)}, ${sql.time(now)})
        returning id`,
  );
  return row?.id as number;
}

/** Text of the newest occurrence, counts of all. @param added each issue once */
export async function addToIssues(
  on: Queryable,
  projectId: number,
  added: readonly { issue: number; seen: Seen }[],
): Promise<void> {
  const of = <Value>(read: (seen: Seen) => Value) => added.map(({ seen }) => read(seen));
  const times = (read: (seen: Seen) => number) => of((seen) => new Date(read(seen)).toISOString());
  await query(
    on,
    sql`update issues as i
           set message = case when i.last_seen <= added.last_seen then added.message else i.message end,
               message_from = case when i.last_seen <= added.last_seen then added.message_from else i.message_from end,
               culprit = case when i.last_seen <= added.last_seen then added.culprit else i.culprit end,
               level = case when i.last_seen <= added.last_seen then added.level else i.level end,
               last_release = case when i.last_seen <= added.last_seen then coalesce(added.last_release, i.last_release) else i.last_release end,
               first_release = case when i.first_seen > added.first_seen
                 then coalesce(added.first_release, i.first_release)
                 else coalesce(i.first_release, added.first_release) end,
               unhandled = i.unhandled or added.unhandled,
               events = i.events + added.events,
               first_seen = least(i.first_seen, added.first_seen),
               last_seen = greatest(i.last_seen, added.last_seen)
          from unnest(${added.map(({ issue }) => issue)}::int[], ${of((seen) => seen.message)}::text[],
                      ${of((seen) => seen.messageFrom)}::int[], ${of((seen) => seen.culprit)}::text[],
                      ${of((seen) => seen.level)}::text[], ${of((seen) => seen.firstRelease)}::text[],
                      ${of((seen) => seen.lastRelease)}::text[], ${of((seen) => seen.unhandled)}::boolean[],
                      ${of((seen) => seen.events)}::bigint[], ${times((seen) => seen.firstSeen)}::timestamptz[],
                      ${times((seen) => seen.lastSeen)}::timestamptz[])
            as added (issue, message, message_from, culprit, level, first_release, last_release, unhandled, events, first_seen,
                      last_seen)
         where i.project_id = ${projectId} and i.id = added.issue`,
  );
}

/** Active again: after it was resolved, or after it was ignored. */
export async function reopenIssue(
  on: Queryable,
  projectId: number,
  id: number,
  { regressedAt, now }: { regressedAt: number | null; now: number },
): Promise<void> {
  await query(
    on,
    sql`update issues
           set status = 'active', resolved_at = null, resolved_release = null, ignored_until = null, ignored_events = null,
               ignored_people = null, ignored_at = null, regressed_at = ${regressedAt === null ? null : new Date(regressedAt)}, changed_at = ${sql.time(now)}
         where project_id = ${projectId} and id = ${id}`,
  );
}

/** Ignored issues whose date has come. */
export async function unignoreDue(on: Queryable, now: number): Promise<{ projectId: number; id: number }[]> {
  return query(
    on,
    sql`update issues
           set status = 'active', ignored_until = null, ignored_events = null, ignored_people = null, ignored_at = null,
               changed_at = ${sql.time(now)}
         where ignored_until <= ${sql.time(now)} and status = 'ignored'
        returning project_id as "projectId", id`,
  );
}

export interface NewFingerprint {
  hash: string;
  issue: number;
  /** The one by which its issue was found; null: the first of a new issue. */
  via: string | null;
}

/** @returns their numbers by hash */
export async function insertFingerprints(
  on: Queryable,
  projectId: number,
  fingerprints: readonly NewFingerprint[],
): Promise<Map<string, number>> {
  if (fingerprints.length === 0) return new Map();
  const hashes = fingerprints.map(({ hash }) => hash);
  await query(
    on,
    sql`with entered as (
          insert into issue_fingerprints (project_id, hash, issue)
          select ${projectId}::int, hash, issue
            from unnest(${hashes}::text[], ${fingerprints.map(({ issue }) => issue)}::int[])
              as given (hash, issue)
          on conflict (project_id, hash) do nothing
          returning issue)
        update issues set fingerprints = fingerprints + entered.n
          from (select issue, count(*)::int as n from entered group by issue) as entered
         where issues.project_id = ${projectId} and issues.id = entered.issue`,
  );
  const rows = await query<{ hash: string; number: number }>(
    on,
    sql`update issue_fingerprints as own set via = coalesce(own.via, parent.number)
          from unnest(${hashes}::text[], ${fingerprints.map(({ via }) => via)}::text[]) as given (hash, via)
          left join issue_fingerprints as parent on parent.project_id = ${projectId} and parent.hash = given.via
         where own.project_id = ${projectId} and own.hash = given.hash
        returning own.hash, own.number`,
  );
  return new Map(rows.map(({ hash, number }) => [hash, number]));
}

export async function markResolved(on: Queryable, projectId: number, id: number, grouping: Grouping): Promise<void> {
  await query(
    on,
    sql`update issues set resolved_fingerprint = true, grouped_by = ${sql.json(grouping)}
         where project_id = ${projectId} and id = ${id}`,
  );
}

/** Occurrences of one person in one visit and hour. */
export interface HourOf {
  issue: number;
  hour: number;
  distinctId: number;
  session: number;
  release: string;
  /** issue_fingerprints.number */
  fingerprint: number;
  events: number;
  lastTs: number;
  lastUuid: string;
}

export async function addHours(on: Queryable, projectId: number, hours: readonly HourOf[]): Promise<void> {
  const column = <Value>(value: (hour: HourOf) => Value) => hours.map(value);
  const time = (value: (hour: HourOf) => number) => hours.map((hour) => new Date(value(hour)).toISOString());
  await query(
    on,
    sql`insert into issue_hours as known (project_id, issue, hour, distinct_id, session_id, release, fingerprint, events, last_ts,
                                          last_uuid)
        select ${projectId}::int, given.*
          from unnest(${column((hour) => hour.issue)}::int[], ${time((hour) => hour.hour)}::timestamptz[],
                      ${column((hour) => hour.distinctId)}::int[], ${column((hour) => hour.session)}::bigint[],
                      ${column((hour) => hour.release)}::text[], ${column((hour) => hour.fingerprint)}::int[],
                      ${column((hour) => hour.events)}::int[],
                      ${time((hour) => hour.lastTs)}::timestamptz[], ${column((hour) => hour.lastUuid)}::uuid[]) as given
        on conflict (project_id, issue, hour, distinct_id, session_id, release, fingerprint) do update set
          events = known.events + excluded.events,
          last_uuid = case when excluded.last_ts >= known.last_ts then excluded.last_uuid else known.last_uuid end,
          last_ts = greatest(known.last_ts, excluded.last_ts)`,
  );
}

/** Enters when releases were seen, and gives when each was first seen. */
export function noteReleases(
  on: Queryable,
  projectId: number,
  releases: readonly { version: string; firstSeen: number; lastSeen: number }[],
): Promise<{ version: string; firstSeen: number }[]> {
  return query(
    on,
    sql`insert into releases as known (project_id, version, first_seen, last_seen)
        select ${projectId}::int, given.*
          from unnest(${releases.map(({ version }) => version)}::text[],
                      ${releases.map(({ firstSeen }) => new Date(firstSeen).toISOString())}::timestamptz[],
                      ${releases.map(({ lastSeen }) => new Date(lastSeen).toISOString())}::timestamptz[]) as given
        on conflict (project_id, version) do update set
          first_seen = least(known.first_seen, excluded.first_seen), last_seen = greatest(known.last_seen, excluded.last_seen)
        returning version, first_seen as "firstSeen"`,
  );
}

export interface NewNote {
  issue: number;
  at: number;
  account: number | null;
  action: IssueAction;
  details: object;
}

export async function insertNotes(on: Queryable, projectId: number, notes: readonly NewNote[]): Promise<void> {
  for (const { issue, at, account, action, details } of notes) {
    await query(
      on,
      sql`insert into issue_notes (project_id, issue, at, account, action, details)
          values (${projectId}, ${issue}, ${sql.time(at)}, ${account}, ${action}, ${sql.json(details)})`,
    );
  }
}

/** How many people an issue was met by since a time, those as known today. */
export async function peopleSince(on: Queryable, projectId: number, issue: number, since: number): Promise<number> {
  const [row] = await query<{ people: number }>(
    on,
    sql`select count(distinct coalesce(merged.new_person, ids.person))::int as people
          from issue_hours as hours
          join distinct_ids as ids on ids.project_id = hours.project_id and ids.number = hours.distinct_id
          left join person_overrides as merged on merged.project_id = hours.project_id and merged.old_person = ids.person
         where hours.project_id = ${projectId} and hours.issue = ${issue} and hours.last_ts > ${sql.time(since)}`,
  );
  return row?.people ?? 0;
}
