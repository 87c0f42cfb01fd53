/** SQL of issues as they are looked at and changed by people. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { Grouping, IssueListQuery } from './contract.ts';
import type { IssueAction, IssueOrder, IssueStatus } from './values.ts';
import { ISSUES_PER_PAGE } from './values.ts';

export interface IssueRow {
  id: number;
  type: string;
  message: string;
  culprit: string;
  status: IssueStatus;
  level: string;
  unhandled: boolean;
  assignee: number | null;
  assigneeName: string | null;
  firstSeen: number;
  lastSeen: number;
  firstRelease: string | null;
  lastRelease: string | null;
  regressedAt: number | null;
}

const columns = sql`
  issues.id, issues.type, issues.message, issues.culprit, issues.status, issues.level, issues.unhandled, issues.assignee,
  (select name from users where users.id = issues.assignee) as "assigneeName",
  issues.first_seen as "firstSeen", issues.last_seen as "lastSeen",
  issues.first_release as "firstRelease", issues.last_release as "lastRelease", issues.regressed_at as "regressedAt"`;

/** Days that are counted: from the start of the first one, in the project's time zone. */
export interface CountedDays {
  from: number;
  timeZone: string;
}

function matching(projectId: number, { status, search, release }: IssueListQuery): Sql {
  const conditions = [
    sql`issues.project_id = ${projectId}`,
    status !== 'all' && sql`issues.status = ${status}`,
    search !== undefined &&
      search !== '' &&
      sql`position(lower(${search}::text) in lower(issues.type || ': ' || issues.message || ' ' || issues.culprit)) > 0`,
    release !== undefined &&
      sql`exists (select from issue_hours as seen
                   where seen.project_id = ${projectId} and seen.issue = issues.id and seen.release = ${release})`,
  ].filter((condition) => condition !== false);
  return sql.join(conditions, sql` and `);
}

/** Occurrences with the person as known today. */
function occurrences(projectId: number, from: number): Sql {
  return sql`
    select hours.issue, hours.events, hours.session_id, coalesce(merged.new_person, ids.person) as person
      from issue_hours as hours
      join distinct_ids as ids on ids.project_id = hours.project_id and ids.number = hours.distinct_id
      left join person_overrides as merged on merged.project_id = hours.project_id and merged.old_person = ids.person
     where hours.project_id = ${projectId} and hours.hour >= ${sql.time(from)}`;
}

const orders: Record<IssueOrder, Sql> = {
  last_seen: sql`issues.last_seen desc`,
  first_seen: sql`issues.first_seen desc`,
  events: sql`coalesce(counted.events, 0) desc, issues.last_seen desc`,
  people: sql`coalesce(counted.people, 0) desc, issues.last_seen desc`,
};

export function listIssues(
  on: Queryable,
  projectId: number,
  asked: IssueListQuery,
  { from }: CountedDays,
): Promise<IssueRow[]> {
  const counts =
    asked.order === 'events' || asked.order === 'people'
      ? sql`
        left join (
          select issue, sum(events) as events, count(distinct person) as people
            from (${occurrences(projectId, from)}) as seen group by issue
        ) as counted on counted.issue = issues.id`
      : sql.empty;
  return query(
    on,
    sql`select ${columns} from issues ${counts}
         where ${matching(projectId, asked)}
         order by ${orders[asked.order]}, issues.id desc
         limit ${ISSUES_PER_PAGE} offset ${asked.page * ISSUES_PER_PAGE}`,
  );
}

export async function countMatching(on: Queryable, projectId: number, asked: IssueListQuery): Promise<number> {
  const [row] = await query<{ total: number }>(
    on,
    sql`select count(*)::int as total from issues where ${matching(projectId, asked)}`,
  );
  return row?.total ?? 0;
}

export function countByStatus(on: Queryable, projectId: number): Promise<{ status: IssueStatus; issues: number }[]> {
  return query(
    on,
    sql`select status, count(*)::int as issues from issues where project_id = ${projectId} group by status`,
  );
}

export async function findIssue(
  on: Queryable,
  projectId: number,
  id: number,
): Promise<
  | (IssueRow & {
      grouping: Grouping;
      allEvents: number;
      ignoredUntil: number | null;
      ignoredEvents: number | null;
      resolvedRelease: string | null;
    })
  | null
> {
  const rows = await query<never>(
    on,
    sql`select ${columns}, grouped_by as grouping, events as "allEvents", ignored_until as "ignoredUntil",
               ignored_events as "ignoredEvents", resolved_release as "resolvedRelease"
          from issues where project_id = ${projectId} and id = ${id}`,
  );
  return rows[0] ?? null;
}

export interface CountedIssue {
  issue: number;
  events: number;
  people: number;
  sessions: number;
}

export function countIssues(
  on: Queryable,
  projectId: number,
  ids: readonly number[],
  { from }: CountedDays,
): Promise<CountedIssue[]> {
  return query(
    on,
    sql`select issue, sum(events)::int as events, count(distinct person)::int as people,
               (count(distinct session_id) filter (where session_id <> 0))::int as sessions
          from (${occurrences(projectId, from)} and hours.issue = any(${[...ids]}::int[])) as seen
         group by issue`,
  );
}

export function countDays(
  on: Queryable,
  projectId: number,
  ids: readonly number[],
  { from, timeZone }: CountedDays,
): Promise<{ issue: number; day: string; events: number }[]> {
  return query(
    on,
    sql`select issue, to_char(hour at time zone ${timeZone}, 'YYYY-MM-DD') as day, sum(events)::int as events
          from issue_hours
         where project_id = ${projectId} and issue = any(${[...ids]}::int[]) and hour >= ${sql.time(from)}
         group by issue, day`,
  );
}

/** Releases with errors, newest first. */
export async function listReleases(on: Queryable, projectId: number, limit: number): Promise<string[]> {
  const rows = await query<{ version: string }>(
    on,
    sql`select version from releases where project_id = ${projectId} order by first_seen desc, version desc limit ${limit}`,
  );
  return rows.map(({ version }) => version);
}

/** The newest occurrences: one of each person, visit and hour. */
export function listOccurrences(
  on: Queryable,
  projectId: number,
  issue: number,
  limit: number,
): Promise<{ ts: number; uuid: string; events: number; release: string }[]> {
  return query(
    on,
    sql`select last_ts as ts, last_uuid as uuid, events, release from issue_hours
         where project_id = ${projectId} and issue = ${issue}
         order by hour desc, last_ts desc, last_uuid desc limit ${limit}`,
  );
}

/** True for an occurrence of this issue that is listed. */
export async function isOccurrence(
  on: Queryable,
  projectId: number,
  issue: number,
  { ts, uuid }: { ts: number; uuid: string },
): Promise<boolean> {
  const rows = await query(
    on,
    sql`select from issue_hours
         where project_id = ${projectId} and issue = ${issue} and last_ts = ${sql.time(ts)} and last_uuid = ${uuid}::uuid`,
  );
  return rows.length > 0;
}

export function listNotes(
  on: Queryable,
  projectId: number,
  issue: number,
  limit: number,
): Promise<{ at: number; account: number | null; name: string | null; action: IssueAction; details: object }[]> {
  return query(
    on,
    sql`select notes.at, notes.account, users.name, notes.action, notes.details
          from issue_notes as notes left join users on users.id = notes.account
         where notes.project_id = ${projectId} and notes.issue = ${issue}
         order by notes.id desc limit ${limit}`,
  );
}

export async function setStatus(
  on: Queryable,
  projectId: number,
  id: number,
  change: {
    status: IssueStatus;
    resolvedAt?: number | null;
    resolvedRelease?: string | null;
    ignoredUntil?: number | null;
    ignoredEvents?: number | null;
    now: number;
  },
): Promise<void> {
  const { status, resolvedAt = null, resolvedRelease = null, ignoredUntil = null, ignoredEvents = null, now } = change;
  await query(
    on,
    sql`update issues
           set status = ${status}, resolved_at = ${resolvedAt === null ? null : new Date(resolvedAt)},
               resolved_release = ${resolvedRelease}, ignored_until = ${ignoredUntil === null ? null : new Date(ignoredUntil)},
               ignored_events = ${ignoredEvents}::bigint, regressed_at = case when ${status} = 'active' then regressed_at end,
               changed_at = ${sql.time(now)}
         where project_id = ${projectId} and id = ${id}`,
  );
}

export async function setAssignee(
  on: Queryable,
  projectId: number,
  id: number,
  assignee: number | null,
  now: number,
): Promise<void> {
  await query(
    on,
    sql`update issues set assignee = ${assignee}, changed_at = ${sql.time(now)}
         where project_id = ${projectId} and id = ${id}`,
  );
}

/** The account's name, if it is in the project's team. */
export async function memberName(on: Queryable, projectId: number, account: number): Promise<string | null> {
  const [row] = await query<{ name: string }>(
    on,
    sql`select users.name from members
          join users on users.id = members.user_id
          join projects on projects.team_id = members.team_id
         where projects.id = ${projectId} and members.user_id = ${account}`,
  );
  return row?.name ?? null;
}

export function listMembers(on: Queryable, projectId: number): Promise<{ id: number; name: string }[]> {
  return query(
    on,
    sql`select users.id, users.name from members
          join users on users.id = members.user_id
          join projects on projects.team_id = members.team_id
         where projects.id = ${projectId} order by lower(users.name), users.id limit 500`,
  );
}

/** Newest release of an issue's project. */
export async function newestRelease(on: Queryable, projectId: number): Promise<string | null> {
  return (await listReleases(on, projectId, 1))[0] ?? null;
}
