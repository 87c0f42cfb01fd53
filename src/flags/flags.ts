/** Feature flags: who gets what, kept with every version, answered from memory. Owner of `flags`, `flag_changes` and `flag_first_ids`. */
import type { Accounts } from '#src/accounts/accounts.ts';
import type { Notices } from '#src/events/events.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import type { People, ProjectIdentity } from '#src/persons/people.ts';
import type { ApiKeys } from '#src/projects/api-keys/api-keys.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import { sqlState } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import {
  answerFlags,
  type FlagAnswer,
  type FlagAnswers,
  hasActiveFlags,
  noAnswers,
  unavailableAnswers,
} from './answers.ts';
import { checkDefinition, checkRemoval } from './check.ts';
import {
  type Flag,
  type FlagChange,
  type FlagChangeRow,
  type FlagDefinition,
  type FlagInput,
  flagDefinition,
} from './contract.ts';
import { asFlag, createDefinitions, type ProjectFlags } from './definitions.ts';
import { createFlagKeys, type FlagKeys } from './keys.ts';
import { type LocalDefinitions, localDefinitions } from './local.ts';
import * as queries from './queries.ts';
import { type FlagRequest, readFlagRequest } from './request.ts';
import { createStoredReader } from './stored.ts';
import { MAX_FLAGS } from './values.ts';

export type { FlagAnswer, FlagAnswers, FlagRequest };
export { noAnswers, readFlagRequest, unavailableAnswers };
/** NOTIFY that has to be heard for this process. */
export const flagsChannel = queries.flagsChannel;

/** Who changes something. */
export interface Author {
  id: number;
  name: string;
  /** Enters it in the log of the team, in the same transaction. */
  note(on: Queryable, key: string): Promise<void>;
}

export interface Flags {
  /** In the order in which they were made. */
  list(projectId: ProjectId): Promise<Flag[]>;
  /** @throws AppError `not_found` */
  get(projectId: ProjectId, id: number): Promise<Flag>;
  /** The newest first. @throws AppError `not_found` */
  history(projectId: ProjectId, id: number): Promise<FlagChangeRow[]>;
  /** @throws AppError `invalid` for what makes no sense, `conflict` for a key that is taken, a cycle, or too many */
  create(projectId: ProjectId, input: FlagInput, by: Author): Promise<Flag>;
  /** @throws AppError as `create`, `not_found`, `conflict` when it was changed meanwhile */
  change(projectId: ProjectId, id: number, change: FlagChange, by: Author): Promise<Flag>;
  /** On or off, at once. @throws AppError `not_found` */
  setActive(projectId: ProjectId, id: number, active: boolean, by: Author): Promise<Flag>;
  /** Makes it what it was. @throws AppError as `change` */
  revert(projectId: ProjectId, id: number, version: number, by: Author): Promise<Flag>;
  /** @throws AppError `not_found`, `conflict` when other flags depend on it */
  remove(projectId: ProjectId, id: number, by: Author): Promise<void>;
  /** For clients. While the database is away by the last definitions, which the answer says. Never fails. */
  answer(project: Pick<Project, 'id'>, request: FlagRequest): Promise<FlagAnswers>;
  /** Whether clients have anything to ask for, as far as is known; read in the background when it is not. */
  isUsed(projectId: ProjectId): boolean;
  /** For servers that evaluate by themselves. @throws AppError `unavailable` when none are known */
  definitions(projectId: ProjectId): Promise<LocalDefinitions>;
  /** The payload of an active flag, as JSON text; null: none. @throws AppError `unavailable` when none are known */
  payload(projectId: ProjectId, key: string): Promise<string | null>;
  keys: FlagKeys;
  /** Forgets what is kept of people. Gives rows by table. */
  erase(known: ProjectIdentity): Promise<Record<string, number>>;
}

export interface FlagsParts {
  people: Pick<People, 'lookup'>;
  notices: Notices;
  apiKeys: Pick<ApiKeys, 'byKey'>;
  accounts: Pick<Accounts, 'reader'>;
}

const HISTORY = 200;
const UNIQUE_VIOLATION = '23505';

type FlagsDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'log'>;

export function createFlags(deps: FlagsDeps, { people, notices, apiKeys, accounts }: FlagsParts): Flags {
  const { db, clock } = deps;
  const definitions = createDefinitions(deps, { notices, people });
  const stored = createStoredReader(deps, people);
  const locals = new WeakMap<ProjectFlags, LocalDefinitions>();

  async function checked(
    on: Queryable,
    projectId: ProjectId,
    key: string,
    rows: readonly queries.FlagRow[],
    definition: FlagDefinition,
  ) {
    const others = rows.filter((row) => row.key !== key).map(asFlag);
    const groupTypes = new Set((await people.lookup.groupTypesOf(on, projectId)).keys());
    return checkDefinition(definition, { key, others, groupTypes });
  }

  /** Changes a flag in a transaction that no other change of the project's flags passes. */
  function rewrite(
    projectId: ProjectId,
    id: number,
    by: Author,
    next: (flag: Flag, on: Queryable) => Promise<RewrittenFlag> | RewrittenFlag,
  ): Promise<Flag> {
    return db.transaction(async (trx) => {
      const rows = await queries.lockFlags(trx, projectId);
      const row = rows.find((each) => each.id === id);
      if (row === undefined) throw notFound('flag');
      const flag = asFlag(row);
      const { description, definition, note } = await next(flag, trx);
      const isSame = definition.filters === flag.definition.filters;
      // What is only switched is not judged: off has to work whatever became of the project meanwhile.
      const kept = isSame ? definition : await checked(trx, projectId, row.key, rows, definition);
      const now = clock.now();
      const written = await queries.updateFlag(trx, projectId, { id, description, definition: kept }, now);
      await queries.noteVersion(trx, projectId, written, { by, note, now });
      await by.note(trx, row.key);
      await queries.notifyChange(trx, projectId);
      return asFlag(written);
    });
  }

  async function get(projectId: ProjectId, id: number): Promise<Flag> {
    const row = await queries.flagOf(db, projectId, id);
    if (row === null) throw notFound('flag');
    return asFlag(row);
  }

  return {
    list: async (projectId) => (await queries.flagsOf(db, projectId)).map(asFlag),
    get,
    async history(projectId, id) {
      await get(projectId, id);
      return (await queries.changesOf(db, projectId, id, HISTORY)).map(asChange);
    },
    async create(projectId, { key, description, definition }, by) {
      const made = db.transaction(async (trx) => {
        const rows = await queries.lockFlags(trx, projectId);
        const kept = await checked(trx, projectId, key, rows, definition);
        const now = clock.now();
        const row = await queries.insertFlag(trx, projectId, { key, description, definition: kept }, now, MAX_FLAGS);
        if (row === null) {
          throw new AppError('conflict', `Limit of ${MAX_FLAGS} flags per project reached. Delete one first.`);
        }
        await queries.noteVersion(trx, projectId, row, { by, note: null, now });
        await by.note(trx, key);
        await queries.notifyChange(trx, projectId);
        return asFlag(row);
      });
      return await made.catch((error: unknown) => {
        if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
        throw new AppError('conflict', 'A flag with this key already exists.', { field: 'key' });
      });
    },
    change: (projectId, id, { version, description, definition, note }, by) =>
      rewrite(projectId, id, by, (flag) => {
        if (flag.version !== version) {
          throw new AppError('conflict', 'This flag was changed meanwhile. Reload to see the change.', {
            field: 'version',
          });
        }
        return { description: description ?? flag.description, definition, note: note || null };
      }),
    async setActive(projectId, id, active, by) {
      const flag = await get(projectId, id);
      if (flag.definition.active === active) return flag;
      return rewrite(projectId, id, by, ({ description, definition }) => ({
        description,
        definition: { ...definition, active },
        note: null,
      }));
    },
    revert: (projectId, id, version, by) =>
      rewrite(projectId, id, by, async (_flag, on) => {
        const change = await queries.changeOf(on, projectId, id, version);
        if (change === null) throw notFound('version');
        const { description, definition } = asChange(change);
        return { description, definition, note: null };
      }),
    async remove(projectId, id, by) {
      await db.transaction(async (trx) => {
        const rows = await queries.lockFlags(trx, projectId);
        const row = rows.find((each) => each.id === id);
        if (row === undefined) throw notFound('flag');
        checkRemoval(row.key, rows.filter((each) => each.id !== id).map(asFlag));
        await queries.deleteFlag(trx, projectId, id);
        await by.note(trx, row.key);
        await queries.notifyChange(trx, projectId);
      });
    },
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
    keys: createFlagKeys(deps, { apiKeys, accounts }),
    async erase({ projectId, distinctIds }) {
      return { flag_first_ids: await queries.eraseFirstIds(db, projectId, distinctIds) };
    },
  };
}

interface RewrittenFlag {
  description: string;
  definition: FlagDefinition;
  note: string | null;
}

function asChange({ version, at, userId, actor, note, description, definition }: queries.ChangeRow): FlagChangeRow {
  return {
    version,
    at,
    by: { id: userId, name: actor },
    note,
    description,
    definition: flagDefinition.parse(definition),
  };
}
