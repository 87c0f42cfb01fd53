/** Writes flags: validates them within their project, stores every version, and notifies every process. */

import { AppError, notFound } from '#src/kit/errors.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sqlState } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Author, RewrittenFlag } from './author.ts';
import { checkDefinition, checkRemoval } from './check.ts';
import {
  type Flag,
  type FlagChange,
  type FlagChangeRow,
  type FlagDefinition,
  type FlagDraft,
  type FlagInput,
  type FlagPreview,
  type FlagTrial,
  type FlagTrialResult,
  flagDefinition,
} from './contract.ts';
import { createCopies, type FlagCopies } from './copying.ts';
import { asFlag } from './definitions.ts';
import { createEarlyAccess, type EarlyAccess } from './early-access.ts';
import { compileFlags } from './evaluation/compile.ts';
import { type DraftedFlags, previewFlag, tryFlag } from './preview.ts';
import * as queries from './queries.ts';
import { createSchedules, type FlagSchedules } from './schedules.ts';
import { MAX_FLAGS } from './values.ts';

export interface FlagStore {
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
  /** Switches a flag on or off; a note stands in its history. @throws AppError `not_found` */
  setActive(projectId: ProjectId, id: number, active: boolean, by: Author, note?: string): Promise<Flag>;
  /** Makes it what it was. @throws AppError as `change` */
  revert(projectId: ProjectId, id: number, version: number, by: Author): Promise<Flag>;
  /** @throws AppError `not_found`, `conflict` when other flags depend on it */
  remove(projectId: ProjectId, id: number, by: Author): Promise<void>;
  schedules: FlagSchedules;
  copies: FlagCopies;
  earlyAccess: EarlyAccess;
  /** Kinds of groups that flags can be for. */
  groupTypes(projectId: ProjectId): Promise<{ type: number; name: string }[]>;
  /** Preview of a flag. @throws AppError `invalid` for an invalid draft */
  preview(projectId: ProjectId, draft: FlagDraft): Promise<FlagPreview>;
  /** Evaluates a flag for one person, with the reason. @throws AppError `invalid` for an invalid draft */
  tryFor(projectId: ProjectId, trial: FlagTrial): Promise<FlagTrialResult>;
}

const HISTORY = 200;
const UNIQUE_VIOLATION = '23505';

export function createFlagStore(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  people: Pick<People, 'lookup'>,
): FlagStore {
  async function checked(
    on: Queryable,
    projectId: ProjectId,
    key: string,
    rows: readonly queries.FlagRow[],
    definition: FlagDefinition,
  ) {
    const others = rows.filter((row) => row.key !== key).map(asFlag);
    const groupTypes = new Set((await people.lookup.groupTypesOf(on, projectId)).keys());
    const cohorts = new Set(await queries.cohortIdsOf(on, projectId));
    return checkDefinition(definition, { key, others, groupTypes, cohorts });
  }

  /** The flags of a project as if a draft were one of them. */
  async function withDraft(projectId: ProjectId, { key, definition }: FlagDraft): Promise<DraftedFlags> {
    const rows = await queries.flagsOf(db, projectId);
    const groupTypes = await people.lookup.groupTypesOf(db, projectId);
    const others = rows.filter((row) => row.key !== key).map(asFlag);
    const cohorts = new Set(await queries.cohortIdsOf(db, projectId));
    const context = { key, others, groupTypes: new Set(groupTypes.keys()), cohorts };
    const checkedDraft = checkDefinition(definition, context);
    const draft: Flag = {
      id: 0,
      key,
      description: '',
      version: 0,
      earlyAccess: rows.find((row) => row.key === key)?.earlyAccess ?? null,
      createdAt: 0,
      changedAt: 0,
      // The preview assumes an active flag.
      definition: { ...checkedDraft, active: true },
    };
    return { key, compiled: compileFlags([...others, draft], groupTypes) };
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
      // Switching skips validation: off must work even when the project has changed meanwhile.
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

  const store: Omit<FlagStore, 'copies'> = {
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
    async setActive(projectId, id, active, by, note) {
      const flag = await get(projectId, id);
      if (flag.definition.active === active) return flag;
      return rewrite(projectId, id, by, ({ description, definition }) => ({
        description,
        definition: { ...definition, active },
        note: note || null,
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
    earlyAccess: createEarlyAccess({ db, clock }),
    schedules: createSchedules({ db, clock, log }, { get, rewrite }),
    async groupTypes(projectId) {
      const types = await people.lookup.groupTypesOf(db, projectId);
      return [...types].map(([type, name]) => ({ type, name }));
    },
    preview: async (projectId, draft) => previewFlag(db, projectId, await withDraft(projectId, draft), clock.now()),
    async tryFor(projectId, { distinctId, ...draft }) {
      const [person = null] = await people.lookup.personsByIds(db, [{ projectId, distinctId }]);
      return tryFlag(db, projectId, await withDraft(projectId, draft), { distinctId, person }, clock.now());
    },
  };
  return { ...store, copies: createCopies({ db }, people, store) };
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
