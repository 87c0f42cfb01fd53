/**
 * Errors: exceptions of a project, grouped into issues after they were stored. Owner of `issues`, `issue_fingerprints`, `issue_hours`,
 * `issue_notes`, `releases` and `source_maps`.
 */
import type { Notices } from '#src/events/events.ts';
import { exceptionsChannel } from '#src/events/exceptions.ts';
import type { History } from '#src/events/history.ts';
import type { People, ProjectIdentity } from '#src/persons/people.ts';
import type { Deps } from '#src/store/deps.ts';
import type { IssueOccurrence } from './contract.ts';
import { createGrouping, type GroupingOptions, plainMessage, type ResolveFrames } from './grouping.ts';
import { createIssues, type IssueProject, type Issues } from './issues.ts';
import { createJoining } from './joining.ts';
import * as keeping from './keeping-queries.ts';
import { createSourceMaps, type SourceMaps } from './maps/source-maps.ts';
import { createOccurrences } from './occurrences.ts';

export interface Errors extends Issues, Pick<SourceMaps, 'upload'> {
  /** One occurrence with its stack; the newest without `at`. @throws AppError `not_found` */
  occurrence(project: IssueProject, issue: number, at?: { ts: number; uuid: string }): Promise<IssueOccurrence>;
  /** Recurring work: groups the exceptions that came. */
  group(signal?: AbortSignal): Promise<void>;
  /** Calls soon after exceptions were stored. */
  onExceptions(groupSoon: () => void): void;
  /** Forgets occurrences of people, and messages that came from them. Gives rows by table. */
  erase(known: Pick<ProjectIdentity, 'projectId'>): Promise<Record<string, number>>;
  /** Forgets occurrences before a time, as their events. */
  retire(retired: { projectId: number; before: number }): Promise<void>;
}

export interface ErrorsParts {
  history: Pick<History, 'listed'>;
  people: Pick<People, 'get' | 'identityOf'>;
  notices: Notices;
}

/** Exceptions come in storms: they are grouped this often at most. */
const SOON_MS = 500;
const DELETED_AT_ONCE = 5_000;

export function createErrors(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  { history, people, notices }: ErrorsParts,
  options: GroupingOptions = {},
): Errors {
  const { db } = deps;
  const maps = createSourceMaps(deps);
  const resolve: ResolveFrames = maps.resolve;
  const occurrences = createOccurrences(deps, { history, people, resolve });
  const grouping = createGrouping(deps, resolve, options);
  const joining = createJoining(deps, { history, resolve });

  /** Forgets what is kept of ids that are deleted, and issues without occurrences. */
  async function forgetMissing(projectId: number): Promise<Record<string, number>> {
    const gone = await keeping.deleteOfMissingIds(db, projectId);
    const issues = await keeping.deleteEmptyIssues(db, projectId);
    for (const { id, message } of await keeping.messagesOfMissingIds(db, projectId)) {
      await keeping.replaceMessage(db, projectId, id, plainMessage(message));
    }
    return { issue_hours: gone, issues };
  }

  return {
    ...createIssues(deps, occurrences),
    occurrence: (project, issue, at) => occurrences.one(project.id, issue, at),
    upload: maps.upload,
    async group(signal) {
      await grouping.work(signal);
      await joining.work(signal);
    },
    onExceptions(groupSoon) {
      let isWaiting = false;
      notices.subscribe(exceptionsChannel, {
        onMessage() {
          if (isWaiting) return;
          isWaiting = true;
          setTimeout(() => {
            isWaiting = false;
            groupSoon();
          }, SOON_MS).unref();
        },
        onChange: () => undefined,
      });
    },
    erase: ({ projectId }) => forgetMissing(projectId),
    async retire({ projectId, before }) {
      while ((await keeping.deleteHoursBefore(db, projectId, before, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
      await forgetMissing(projectId);
    },
  };
}
