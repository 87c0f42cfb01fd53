/**
 * Errors: exceptions of a project, grouped into issues after they were stored. Owner of `issues`, `issue_fingerprints`, `issue_hours`,
 * `issue_moves`, `issue_notes`, `issue_signals`, `releases` and `source_maps`.
 */
import type { Notices } from '#src/events/events.ts';
import { exceptionsChannel } from '#src/events/exceptions.ts';
import type { History } from '#src/events/history.ts';
import type { ResolvedRange } from '#src/insights/contract.ts';
import { notFound } from '#src/kit/errors.ts';
import type { People, ProjectIdentity } from '#src/persons/people.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { IssueOccurrence, RulePreview, RulePreviewInput, RulesChange } from './contract.ts';
import { fingerprintsOf, overflowHash } from './fingerprint.ts';
import { createGrouping, type GroupingOptions, type ResolveFrames } from './grouping.ts';
import { knownFingerprints } from './grouping-queries.ts';
import { createIssues, type IssueProject, type Issues } from './issues.ts';
import { createJoining } from './joining.ts';
import * as keeping from './keeping-queries.ts';
import { createMapReader } from './maps/reader.ts';
import { createSourceMaps, type SourceMaps } from './maps/source-maps.ts';
import { createSymbolSets, type SymbolSets } from './maps/symbol-sets.ts';
import { loadUploader } from './maps/uploader.ts';
import { createMoves, type Moves } from './moves.ts';
import { firstIssueOf } from './moves-queries.ts';
import { createOccurrences } from './occurrences.ts';
import { describeEvent, plainMessage } from './prepared.ts';
import { type Release, releasesIn } from './releases.ts';
import { previewRule } from './rule-preview.ts';
import type { ErrorRules } from './rules/contract.ts';
import type { ScopeParts } from './seen-scope.ts';
import { createSignals, type Signal, type Signals } from './signals.ts';

export type { Signal, Signals };

export interface Errors extends Issues, Moves, Pick<SourceMaps, 'upload'> {
  /** The issue of an event that is stored; null: it has none, or is not grouped yet. @throws AppError `not_found` for the event */
  issueOf(project: Pick<IssueProject, 'id'>, at: { ts: number; uuid: string }): Promise<number | null>;
  rules(project: Pick<IssueProject, 'id'>): Promise<ErrorRules>;
  /** Absent ones are unchanged. */
  saveRules(project: Pick<IssueProject, 'id'>, change: RulesChange): Promise<ErrorRules>;
  previewRule(project: Pick<IssueProject, 'id'>, rule: RulePreviewInput): Promise<RulePreview>;
  /** One occurrence with its stack; the newest without `at`. @throws AppError `not_found` */
  occurrence(
    project: Pick<IssueProject, 'id'>,
    issue: number,
    at?: { ts: number; uuid: string },
  ): Promise<IssueOccurrence>;
  /** Releases that were first seen in a range, the newest first. */
  releases(projectId: number, range: ResolvedRange): Promise<Release[]>;
  signals: Signals;
  /** Uploads of PostHog's command line. */
  symbolSets: SymbolSets;
  /** The program that uploads source maps. */
  uploader(): Promise<string>;
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
  projects: Pick<Projects, 'get' | 'update'>;
  secrets: Pick<Secrets, 'keys'>;
  insights: ScopeParts['insights'];
  columns: ScopeParts['columns'];
}

/** Exceptions come in storms: they are grouped this often at most. */
const SOON_MS = 500;
const DELETED_AT_ONCE = 5_000;

/** Keeps a source map of the sample project. */
export async function beginSourceMap(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  projectId: number,
  file: string,
  map: string,
): Promise<void> {
  const reader = createMapReader();
  try {
    await createSourceMaps(deps, reader).upload(projectId, { file }, Buffer.from(map));
  } finally {
    await reader.stop();
  }
}

/** Merges two issues of the sample project, once both are there. @param types of their errors; the first takes in the other @returns false: not yet */
export async function beginMerge(
  deps: Pick<Deps, 'db' | 'clock'>,
  projectId: number,
  types: readonly [string, string],
): Promise<boolean> {
  const ids = await Promise.all(types.map((type) => firstIssueOf(deps.db, projectId, type)));
  const [into, from] = ids;
  if (into === undefined || from === undefined || into === null || from === null) return false;
  await createMoves(deps, () => Promise.reject(notFound('event'))).merge(projectId, [into, from], null);
  return true;
}

export function createErrors(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  { history, people, notices, projects, secrets, ...scopes }: ErrorsParts,
  options: GroupingOptions = {},
): Errors {
  const { db, clock } = deps;
  let uploader: Promise<string> | null = null;
  const maps = createSourceMaps(deps);
  const resolve: ResolveFrames = maps.resolve;
  const occurrences = createOccurrences(deps, { history, people, resolve });
  const rulesOf = async (projectId: number): Promise<ErrorRules> => {
    const settings = (await projects.get(projectId))?.settings;
    return { groupingRules: settings?.groupingRules ?? [], suppressionRules: settings?.suppressionRules ?? [] };
  };
  const grouping = createGrouping(deps, { resolve, rulesOf }, options);
  const joining = createJoining(deps, { history, resolve, rulesOf });
  const describe = async (projectId: number, place: { ts: number; uuid: string }) => {
    const found = await occurrences.read(projectId, place);
    if (found === null) throw notFound('event');
    const { exceptions, event } = found;
    const { grouping: why, isResolved } = fingerprintsOf(exceptions, event.properties);
    return { ...describeEvent(exceptions, event), grouping: why, isResolved };
  };

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
    ...createIssues(deps, occurrences, scopes),
    releases: (projectId, range) => releasesIn(db, projectId, range),
    occurrence: (project, issue, at) => occurrences.one(project.id, issue, at),
    ...createMoves(deps, describe),
    async issueOf({ id }, at) {
      const found = await occurrences.read(id, at);
      if (found === null) throw notFound('event');
      const { groupingRules } = await rulesOf(id);
      const { hashes } = fingerprintsOf(found.exceptions, found.event.properties, groupingRules);
      const known = await knownFingerprints(db, id, [...hashes, overflowHash]);
      const hash = [...hashes, overflowHash].find((each) => known.some((one) => one.hash === each));
      return known.find((each) => each.hash === hash)?.issue ?? null;
    },
    rules: ({ id }) => rulesOf(id),
    async saveRules({ id }, change) {
      await projects.update(id, { settings: change });
      return rulesOf(id);
    },
    previewRule: ({ id }, rule) => previewRule(db, occurrences.read, id, rule, clock.now()),
    upload: maps.upload,
    signals: createSignals(deps),
    symbolSets: createSymbolSets(deps, { maps, secrets }),
    uploader: () => {
      uploader ??= loadUploader();
      return uploader;
    },
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
