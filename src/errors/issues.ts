/** Issues of a project: the list, one of them, and what people do with them. */
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { dayMs, parseDate, zoneOf } from '#src/kit/zone.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type {
  Issue,
  IssueChange,
  IssueList,
  IssueListQuery,
  IssueNote,
  IssueScope,
  IssueSummary,
  IssuesOverview,
} from './contract.ts';
import { type GroupedIssue, insertNotes, lockIssues, type NewNote, peopleSince } from './grouping-queries.ts';
import { movesOf } from './moves-queries.ts';
import type { createOccurrences } from './occurrences.ts';
import * as queries from './queries.ts';
import { barsOf, type ScopeParts, type SeenScope, scopeOf, usualScope } from './seen-scope.ts';
import { ISSUES_OF_CARD, issueStatuses, MAX_IGNORED_DAYS } from './values.ts';

export type IssueProject = Project;

const RELEASES_LISTED = 50;
const NOTES_SHOWN = 100;
const RELEASES_OF_ISSUE = 10;
const SIMILAR_SHOWN = 5;

export interface Issues {
  /** @throws AppError `invalid` for impossible ranges and filters */
  list(project: IssueProject, asked: IssueListQuery): Promise<IssueList>;
  /** @throws AppError as `list` */
  overview(project: IssueProject, asked: IssueScope): Promise<IssuesOverview>;
  /** @throws AppError `not_found` */
  get(project: IssueProject, id: number): Promise<Issue>;
  /**
   * Changes issues together.
   * @param by users.id
   * @throws AppError `not_found` when one of them does not exist, `invalid` for an assignee who is not in the team
   */
  change(project: IssueProject, ids: readonly number[], change: IssueChange, by: number): Promise<void>;
}

export function createIssues(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  occurrences: ReturnType<typeof createOccurrences>,
  parts: ScopeParts,
): Issues {
  async function summaries(
    project: IssueProject,
    rows: readonly queries.IssueRow[],
    scope: SeenScope,
  ): Promise<IssueSummary[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const [counts, byDay] = await Promise.all([
      queries.countIssues(db, project.id, ids, scope),
      queries.countDays(db, project.id, ids, scope),
    ]);
    const eventsOn = new Map(byDay.map(({ issue, day, events }) => [`${issue} ${day}`, events]));
    return rows.map((row) => {
      const { events = 0, people = 0, sessions = 0 } = counts.find(({ issue }) => issue === row.id) ?? {};
      const { assignee, assigneeName, ...shown } = row;
      return {
        ...shown,
        assignee: assignee === null ? null : { id: assignee, name: assigneeName },
        events,
        people,
        sessions,
        days: barsOf(scope, (day) => eventsOn.get(`${row.id} ${day}`) ?? 0),
      };
    });
  }

  return {
    async list(project, asked) {
      const scope = await scopeOf({ db, ...parts }, project, asked, clock.now());
      const [rows, byStatus, releases, totals, hasAny] = await Promise.all([
        queries.listIssues(db, project.id, asked, scope),
        queries.countByStatus(db, project.id, asked, scope),
        queries.listReleases(db, project.id, RELEASES_LISTED),
        queries.countSeen(db, project.id, scope),
        queries.hasIssues(db, project.id),
      ]);
      const counts = Object.fromEntries(
        issueStatuses.map((status) => [status, byStatus.find((each) => each.status === status)?.issues ?? 0]),
      ) as IssueList['counts'];
      const total =
        asked.status === 'all' ? issueStatuses.reduce((sum, status) => sum + counts[status], 0) : counts[asked.status];
      return { issues: await summaries(project, rows, scope), total, counts, releases, totals, hasAny };
    },
    async overview(project, asked) {
      const now = clock.now();
      const scope = await scopeOf({ db, ...parts }, project, asked, now);
      const wanted = { status: 'active', order: 'people', page: 0 } as const;
      const [rows, totals, newIssues, release] = await Promise.all([
        queries.listIssues(db, project.id, wanted, { ...scope, isChosen: true }, ISSUES_OF_CARD),
        queries.countSeen(db, project.id, scope),
        queries.countNewIssues(db, project.id, scope),
        queries.newestReleaseSeen(db, project.id),
      ]);
      return { totals, newIssues, release, issues: await summaries(project, rows, scope) };
    },
    async get(project, asked) {
      const id = await queries.followMerges(db, project.id, asked);
      const row = await queries.findIssue(db, project.id, id);
      if (row === null) throw notFound('issue');
      const { grouping, allEvents, ignoredUntil, ignoredEvents, ignoredPeople, ignoredAt, resolvedRelease, ...shown } =
        row;
      const metSince = ignoredPeople === null ? 0 : await peopleSince(db, project.id, id, ignoredAt ?? 0);
      const [[summary], newest, seenWith, notes, members, groups, moves, releases, similar] = await Promise.all([
        summaries(project, [shown], usualScope(project, clock.now())),
        occurrences.newest(project.id, id),
        occurrences.properties(project.id, id),
        queries.listNotes(db, project.id, id, NOTES_SHOWN),
        queries.listMembers(db, project.id),
        occurrences.groups(project.id, id),
        movesOf(db, project.id, id),
        queries.releasesOfIssue(db, project.id, id, RELEASES_OF_ISSUE),
        queries.similarIssues(db, project.id, id, SIMILAR_SHOWN),
      ]);
      return {
        ...(summary as IssueSummary),
        grouping,
        allEvents,
        ignoredUntil,
        ignoredEventsLeft: ignoredEvents === null ? null : Math.max(1, ignoredEvents - allEvents),
        ignoredPeopleLeft: ignoredPeople === null ? null : Math.max(1, ignoredPeople - metSince),
        resolvedRelease,
        occurrences: newest,
        ...seenWith,
        releases,
        similar,
        groups,
        moves,
        notes: notes.map(({ at, account, name, action, details }) => ({
          at,
          by: account === null ? null : { id: account, name },
          action,
          details: details as IssueNote['details'],
        })),
        members,
      };
    },
    async change(project, given, change, by) {
      const ids = [...new Set(given)];
      await db.transaction(async (trx) => {
        const locked = await lockIssues(trx, project.id, ids);
        if (locked.length !== ids.length || locked.some(({ mergedInto }) => mergedInto !== null))
          throw notFound('issue');
        const apply = await changing(trx, project, change, { by, now: clock.now() });
        for (const issue of locked) await insertNotes(trx, project.id, await apply(issue));
      });
    },
  };
}

/** What a change does to each issue. */
async function changing(
  on: Queryable,
  { id: projectId, timeZone }: IssueProject,
  change: IssueChange,
  { by, now }: { by: number; now: number },
): Promise<(issue: GroupedIssue) => Promise<NewNote[]>> {
  const note = (issue: GroupedIssue, action: NewNote['action'], details: object = {}): NewNote[] => [
    { issue: issue.id, at: now, account: by, action, details },
  ];
  switch (change.to) {
    case 'assigned': {
      const { assignee } = change;
      const name = assignee === null ? null : await queries.memberName(on, projectId, assignee);
      if (assignee !== null && name === null) throw invalid('change.assignee', 'Choose a member of the team.');
      return async (issue) => {
        await queries.setAssignee(on, projectId, issue.id, assignee, now);
        return note(issue, assignee === null ? 'unassigned' : 'assigned', { assignee: name });
      };
    }
    case 'resolved': {
      const release = change.until === 'next_release' ? await queries.newestRelease(on, projectId) : null;
      if (change.until === 'next_release' && release === null) {
        throw new AppError('conflict', 'No release is known yet. Send the release with your errors.', {
          field: 'change.until',
        });
      }
      return async (issue) => {
        const next = { status: 'resolved' as const, resolvedAt: now, resolvedRelease: release, now };
        await queries.setStatus(on, projectId, issue.id, next);
        return note(issue, release === null ? 'resolved' : 'resolved_in_next_release', { release });
      };
    }
    case 'ignored': {
      const { events, days, people, until } = change;
      const date = until === undefined ? null : dateAt(until, timeZone, now);
      const ignoredUntil = days === undefined ? date : now + days * dayMs;
      return async (issue) => {
        const ignoredEvents = events === undefined ? null : issue.events + events;
        const until = { ignoredUntil, ignoredEvents, ignoredPeople: people ?? null };
        await queries.setStatus(on, projectId, issue.id, { status: 'ignored', ...until, now });
        return note(issue, 'ignored', {
          ...(events !== undefined && { events }),
          ...(people !== undefined && { people }),
          ...(ignoredUntil !== null && { until: ignoredUntil }),
        });
      };
    }
    case 'active':
      return async (issue) => {
        if (issue.status === 'active') return [];
        await queries.setStatus(on, projectId, issue.id, { status: 'active', now });
        return note(issue, 'reopened');
      };
  }
}

/** Start of a date, within a year. @throws AppError `invalid` */
function dateAt(text: string, timeZone: string, now: number): number {
  const day = parseDate(text);
  const at = day === null ? Number.NaN : zoneOf(timeZone).startOfDay(day);
  if (!(at > now && at < now + MAX_IGNORED_DAYS * dayMs)) {
    throw invalid('change.until', 'Choose a date within the next year.');
  }
  return at;
}
