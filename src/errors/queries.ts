/** SQL of issues as they are looked at and changed by people. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { Grouping, IssueListQuery, IssueRelease, IssuesOverview, SimilarIssue } from './contract.ts';
import { occurrencesIn, type SeenScope } from './seen-scope.ts';
import { ISSUES_PER_PAGE, type IssueAction, type IssueOrder, type IssueStatus } from './values.ts';

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

function matching(
  projectId: number,
  { status, search, release }: Pick<IssueListQuery, 'status' | 'search' | 'release'>,
  scope: SeenScope,
): Sql {
  const conditions = [
    sql`issues.project_id = ${projectId} and issues.merged_into is null`,
    status !== 'all' && sql`issues.status = ${status}`,
    search !== undefined &&
      search !== '' &&
      sql`position(lower(${search}::text) in lower(issues.type || ': ' || issues.message || ' ' || issues.culprit)) > 0`,
    release !== undefined &&
      sql`exists (select from issue_hours as seen
                   where seen.project_id = ${projectId} and seen.issue = issues.id and seen.release = ${release})`,
    scope.isChosen && sql`issues.id in (select issue from (${occurrencesIn(projectId, scope)}) as seen)`,
  ].filter((condition) => condition !== false);
  return sql.join(conditions, sql` and `);
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
  asked: Pick<IssueListQuery, 'status' | 'search' | 'release' | 'order' | 'page'>,
  scope: SeenScope,
  limit = ISSUES_PER_PAGE,
): Promise<IssueRow[]> {
  const counts =
    asked.order === 'events' || asked.order === 'people'
      ? sql`
        left join (
          select issue, sum(events) as events, count(distinct person) as people
            from (${occurrencesIn(projectId, scope)}) as seen group by issue
        ) as counted on counted.issue = issues.id`
      : sql.empty;
  return query(
    on,
    sql`select ${columns} from issues ${counts}
         where ${matching(projectId, asked, scope)}
         order by ${orders[asked.order]}, issues.id desc
         limit ${limit} offset ${asked.page * ISSUES_PER_PAGE}`,
  );
}

/** How many there are by status, of those that match but for their status. */
export function countByStatus(
  on: Queryable,
  projectId: number,
  asked: Pick<IssueListQuery, 'search' | 'release'>,
  scope: SeenScope,
): Promise<{ status: IssueStatus; issues: number }[]> {
  return query(
    on,
    sql`select status, count(*)::int as issues from issues
         where ${matching(projectId, { ...asked, status: 'all' }, scope)} group by status`,
  );
}

/** True for a project with any issue. */
export async function hasIssues(on: Queryable, projectId: number): Promise<boolean> {
  return (await query(on, sql`select from issues where project_id = ${projectId} limit 1`)).length > 0;
}

export interface SeenTotals {
  events: number;
  people: number;
  sessions: number;
}

/** All occurrences of a scope. */
export async function countSeen(on: Queryable, projectId: number, scope: SeenScope): Promise<SeenTotals> {
  const [row] = await query<SeenTotals>(
    on,
    sql`select coalesce(sum(events), 0)::int as events, count(distinct person)::int as people,
               (count(distinct session_id) filter (where session_id <> 0))::int as sessions
          from (${occurrencesIn(projectId, scope)}) as seen`,
  );
  return row as SeenTotals;
}

/** Where an issue is now: itself, or the one that it was merged into. */
export async function followMerges(on: Queryable, projectId: number, id: number): Promise<number> {
  const rows = await query<{ id: number }>(
    on,
    sql`with recursive followed as (
          select id, merged_into, 0 as step from issues where project_id = ${projectId} and id = ${id}
          union all
          select issues.id, issues.merged_into, followed.step + 1 from followed
            join issues on issues.project_id = ${projectId} and issues.id = followed.merged_into
           where followed.step < 20)
        select id from followed where merged_into is null`,
  );
  return rows[0]?.id ?? id;
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
      ignoredPeople: number | null;
      ignoredAt: number | null;
      resolvedRelease: string | null;
    })
  | null
> {
  const rows = await query<never>(
    on,
    sql`select ${columns}, grouped_by as grouping, events as "allEvents", ignored_until as "ignoredUntil",
               ignored_events as "ignoredEvents", ignored_people as "ignoredPeople", ignored_at as "ignoredAt",
               resolved_release as "resolvedRelease"
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
  scope: SeenScope,
): Promise<CountedIssue[]> {
  return query(
    on,
    sql`select issue, sum(events)::int as events, count(distinct person)::int as people,
               (count(distinct session_id) filter (where session_id <> 0))::int as sessions
          from (${occurrencesIn(projectId, scope)} and hours.issue = any(${[...ids]}::int[])) as seen
         group by issue`,
  );
}

export function countDays(
  on: Queryable,
  projectId: number,
  ids: readonly number[],
  scope: SeenScope,
): Promise<{ issue: number; day: string; events: number }[]> {
  return query(
    on,
    sql`select issue, to_char(hour at time zone ${scope.timeZone}, 'YYYY-MM-DD') as day, sum(events)::int as events
          from (${occurrencesIn(projectId, scope)} and hours.issue = any(${[...ids]}::int[])) as seen
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
    ignoredPeople?: number | null;
    now: number;
  },
): Promise<void> {
  const { status, resolvedAt = null, resolvedRelease = null, ignoredUntil = null, ignoredEvents = null } = change;
  const { ignoredPeople = null, now } = change;
  await query(
    on,
    sql`update issues
           set status = ${status}, resolved_at = ${resolvedAt === null ? null : new Date(resolvedAt)},
               resolved_release = ${resolvedRelease}, ignored_until = ${ignoredUntil === null ? null : new Date(ignoredUntil)},
               ignored_events = ${ignoredEvents}::bigint, ignored_people = ${ignoredPeople}::int,
               ignored_at = case when ${ignoredPeople}::int is not null then ${sql.time(now)}::timestamptz end, regressed_at = case when ${status} = 'active' then regressed_at end,
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

/** Issues that were first seen in the range of a scope, and occur in it. */
export async function countNewIssues(on: Queryable, projectId: number, scope: SeenScope): Promise<number> {
  const [row] = await query<{ issues: number }>(
    on,
    sql`select count(*)::int as issues from issues
         where ${matching(projectId, { status: 'all' }, { ...scope, isChosen: true })} and first_seen >= ${sql.time(scope.from)}`,
  );
  return row?.issues ?? 0;
}

/** The newest release with errors, and how many issues were first seen in it. */
export async function newestReleaseSeen(on: Queryable, projectId: number): Promise<IssuesOverview['release']> {
  const [row] = await query<{ version: string; firstSeen: number; newIssues: number }>(
    on,
    sql`select version, first_seen as "firstSeen",
               (select count(*)::int from issues
                 where issues.project_id = ${projectId} and issues.first_release = releases.version) as "newIssues"
          from releases where project_id = ${projectId} order by first_seen desc, version desc limit 1`,
  );
  return row ?? null;
}

/** Newest release of an issue's project. */
export async function newestRelease(on: Queryable, projectId: number): Promise<string | null> {
  return (await listReleases(on, projectId, 1))[0] ?? null;
}

/** Releases that an issue was seen in, newest first, with the commit that the build announced. */
export function releasesOfIssue(
  on: Queryable,
  projectId: number,
  issue: number,
  limit: number,
): Promise<IssueRelease[]> {
  return query(
    on,
    sql`select seen.version, seen."firstSeen", seen."lastSeen", seen.events,
               (select left(metadata #>> '{git,commit_id}', 100) from build_releases
                 where project_id = ${projectId} and version = seen.version and metadata #>> '{git,commit_id}' is not null
                 order by created_at limit 1) as commit
          from (select release as version, min(last_ts) as "firstSeen", max(last_ts) as "lastSeen", sum(events)::int as events
                  from issue_hours where project_id = ${projectId} and issue = ${issue} and release <> ''
                 group by release) as seen
         order by seen."firstSeen" desc, seen.version desc limit ${limit}`,
  );
}

/** Other issues of the same type; those of the same place first. */
export function similarIssues(on: Queryable, projectId: number, issue: number, limit: number): Promise<SimilarIssue[]> {
  return query(
    on,
    sql`select other.id, other.type, other.message, other.culprit, other.status, other.last_seen as "lastSeen"
          from issues as own
          join issues as other
            on other.project_id = own.project_id and other.id <> own.id and other.type = own.type and other.merged_into is null
         where own.project_id = ${projectId} and own.id = ${issue}
         order by (split_part(other.culprit, ':', 1) = split_part(own.culprit, ':', 1)) desc, other.last_seen desc limit ${limit}`,
  );
}
