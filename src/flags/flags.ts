/**
 * Feature flags: who gets what, kept with every version, answered from memory. Owner of `flags`, `flag_changes`,
 * `flag_schedules`, `early_access_features` and `flag_first_ids`.
 */
import type { Notices } from '#src/events/events.ts';
import { AppError } from '#src/kit/errors.ts';
import type { People, ProjectIdentity } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import {
  answerFlags,
  type FlagAnswer,
  type FlagAnswers,
  hasActiveFlags,
  noAnswers,
  unavailableAnswers,
} from './answers.ts';
import type { Author } from './author.ts';
import type { EarlyAccessFeature } from './contract.ts';
import { createDefinitions, type ProjectFlags } from './definitions.ts';
import { createFlagKeys, type FlagKeys, type FlagKeysParts } from './keys.ts';
import { type LocalDefinitions, localDefinitions } from './local.ts';
import * as queries from './queries.ts';
import { type FlagRequest, readFlagRequest } from './request.ts';
import { createFlagStore, type FlagStore } from './store.ts';
import { createStoredReader } from './stored.ts';

export type { Author, FlagAnswer, FlagAnswers, FlagRequest };
export { createFlagStore, noAnswers, readFlagRequest, unavailableAnswers };
/** NOTIFY that has to be heard for this process. */
export const flagsChannel = queries.flagsChannel;

export interface Flags extends FlagStore {
  /** Evaluates flags for clients. Without the database it uses the last definitions, and says so. Never fails. */
  answer(project: Pick<Project, 'id'>, request: FlagRequest): Promise<FlagAnswers>;
  /** True when the project is known to have active flags; loads definitions in the background when they are not cached. */
  isUsed(projectId: ProjectId): boolean;
  /** For local evaluation. @throws AppError `unavailable` when none are loaded */
  definitions(projectId: ProjectId): Promise<LocalDefinitions>;
  /** The payload of an active flag, as JSON text; null: none. @throws AppError `unavailable` when none are known */
  payload(projectId: ProjectId, key: string): Promise<string | null>;
  /** Features of active flags that people can turn on for themselves. @throws AppError `unavailable` when none are known */
  offered(projectId: ProjectId): Promise<EarlyAccessFeature[]>;
  keys: FlagKeys;
  /** Forgets what is kept of people. Gives rows by table. */
  erase(known: ProjectIdentity): Promise<Record<string, number>>;
}

export interface FlagsParts extends FlagKeysParts {
  people: Pick<People, 'lookup'>;
  notices: Notices;
}

type FlagsDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'log'>;

export function createFlags(deps: FlagsDeps, { people, notices, ...parts }: FlagsParts): Flags {
  const { db, clock } = deps;
  const definitions = createDefinitions(deps, { notices, people });
  const stored = createStoredReader(deps, people);
  const locals = new WeakMap<ProjectFlags, LocalDefinitions>();

  return {
    ...createFlagStore(deps, people),
    answer: (project, request) =>
      answerFlags({ definitions, stored, now: clock.now() }, project, request).catch((error: unknown) => {
        const level = error instanceof AppError && error.code === 'unavailable' ? 'debug' : 'error';
        deps.log[level]({ err: error }, 'feature flags could not be answered');
        return unavailableAnswers;
      }),
    isUsed: (projectId) => hasActiveFlags(definitions.known(projectId)),
    async definitions(projectId) {
      const { project } = await definitions.of(projectId);
      const local = locals.get(project) ?? localDefinitions(project);
      locals.set(project, local);
      return local;
    },
    async payload(projectId, key) {
      const { project } = await definitions.of(projectId);
      const flag = project.compiled.byKey.get(key);
      return flag?.definition.active ? (flag.definition.filters.payloads?.['true'] ?? null) : null;
    },
    async offered(projectId) {
      const { project } = await definitions.of(projectId);
      return project.earlyAccess.filter(({ active }) => active);
    },
    keys: createFlagKeys(deps, parts),
    async erase({ projectId, distinctIds }) {
      return { flag_first_ids: await queries.eraseFirstIds(db, projectId, distinctIds) };
    },
  };
}
