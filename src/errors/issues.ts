/** Issues of a project: the list, one of them, and what people do with them. */
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { dayMs, formatDate, zoneOf } from '#src/kit/zone.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Issue, IssueChange, IssueList, IssueListQuery, IssueNote, IssueSummary } from './contract.ts';
import { type GroupedIssue, insertNotes, lockIssues, type NewNote } from './grouping-queries.ts';
import type { createOccurrences } from './occurrences.ts';
import * as queries from './queries.ts';
import { ISSUE_DAYS, issueStatuses } from './values.ts';

export type IssueProject = Pick<Project, 'id' | 'timeZone'>;

const RELEASES_LISTED = 50;
const NOTES_SHOWN = 100;

export interface Issues {
  list(project: IssueProject, asked: IssueListQuery): Promise<IssueList>;
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
): Issues {
  async function summaries(project: IssueProject, rows: readonly queries.IssueRow[]): Promise<IssueSummary[]> {
    if (rows.length === 0) return [];
    const { days, ...counted } = daysOf(project, clock.now());
    const ids = rows.map(({ id }) => id);
    const [counts, byDay] = await Promise.all([
      queries.countIssues(db, project.id, ids, counted),
      queries.countDays(db, project.id, ids, counted),
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
        days: days.map((day) => eventsOn.get(`${row.id} ${day}`) ?? 0),
      };
    });
  }

  return {
    async list(project, asked) {
      const counted = daysOf(project, clock.now());
      const [rows, total, byStatus, releases] = await Promise.all([
        queries.listIssues(db, project.id, asked, counted),
        queries.countMatching(db, project.id, asked),
        queries.countByStatus(db, project.id),
        queries.listReleases(db, project.id, RELEASES_LISTED),
      ]);
      const counts = Object.fromEntries(
        issueStatuses.map((status) => [status, byStatus.find((each) => each.status === status)?.issues ?? 0]),
      ) as IssueList['counts'];
      return { issues: await summaries(project, rows), total, counts, releases };
    },
    async get(project, id) {
      const row = await queries.findIssue(db, project.id, id);
      if (row === null) throw notFound('issue');
      const { grouping, allEvents, ignoredUntil, ignoredEvents, resolvedRelease, ...shown } = row;
      const [[summary], newest, properties, notes, members] = await Promise.all([
        summaries(project, [shown]),
        occurrences.newest(project.id, id),
        occurrences.properties(project.id, id),
        queries.listNotes(db, project.id, id, NOTES_SHOWN),
        queries.listMembers(db, project.id),
      ]);
      return {
        ...(summary as IssueSummary),
        grouping,
        allEvents,
        ignoredUntil,
        ignoredEventsLeft: ignoredEvents === null ? null : Math.max(1, ignoredEvents - allEvents),
        resolvedRelease,
        occurrences: newest,
        properties,
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
        if (locked.length !== ids.length) throw notFound('issue');
        const apply = await changing(trx, project, change, { by, now: clock.now() });
        for (const issue of locked) await insertNotes(trx, project.id, await apply(issue));
      });
    },
  };
}

/** What a change does to each issue. */
async function changing(
  on: Queryable,
  { id: projectId }: IssueProject,
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
      const { events, days } = change;
      const ignoredUntil = days === undefined ? null : now + days * dayMs;
      return async (issue) => {
        const ignoredEvents = events === undefined ? null : issue.events + events;
        await queries.setStatus(on, projectId, issue.id, { status: 'ignored', ignoredUntil, ignoredEvents, now });
        return note(issue, 'ignored', {
          ...(events !== undefined && { events }),
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

/** The days that lists show, oldest first, in the project's time zone. */
function daysOf({ timeZone }: IssueProject, now: number): queries.CountedDays & { days: string[] } {
  const zone = zoneOf(timeZone);
  const first = zone.dayAt(now) - ISSUE_DAYS + 1;
  const days = Array.from({ length: ISSUE_DAYS }, (_, at) => formatDate(first + at));
  return { from: zone.startOfDay(first), timeZone, days };
}
