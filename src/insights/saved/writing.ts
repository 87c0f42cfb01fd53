/** Saved insights as they are changed: each change is a revision, in one transaction with the note in the team's log. */
import { isAtLeast } from '#src/accounts/contract.ts';
import type { NoteChange } from '#src/accounts/note-change.ts';
import { AppError, forbidden, notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import { isSame } from './answers.ts';
import type { InsightInput, SavedInsight } from './contract.ts';
import { type Definition, openDefinition, readDefinition } from './definition.ts';
import * as historyQueries from './history-queries.ts';
import * as queries from './queries.ts';
import type { Reading } from './reading.ts';
import { checkReferences, keepReferences } from './references.ts';
import type { InsightReader, SavedInsights, SavedParts } from './saved-insights.ts';
import { scopeOf } from './scope.ts';
import { type InsightAction, MAX_HISTORY, MAX_INSIGHTS } from './values.ts';

type Writing = Pick<SavedInsights, 'create' | 'update' | 'duplicate' | 'archive' | 'restore' | 'remove' | 'revert'>;

export function createWriting(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  parts: SavedParts,
  { find, get }: Pick<Reading, 'find' | 'get'>,
): Writing {
  /** Changes an insight and adds a revision, or neither. @param change null: nothing changes */
  async function inHistory(
    asker: InsightReader,
    id: number,
    noted: NoteChange | undefined,
    change: (on: Queryable, row: queries.LockedInsight) => Promise<[InsightAction, historyQueries.InsightState] | null>,
  ): Promise<SavedInsight> {
    await find(asker, id);
    await db.transaction(async (trx) => {
      const row = await queries.lockInsight(trx, asker.project.id, id);
      if (row === null) throw notFound('insight');
      const changed = await change(trx, row);
      if (changed === null) return;
      const [action, state] = changed;
      const revision = row.revision + 1;
      const entry = { revision, action, at: clock.now(), state };
      await historyQueries.insertChange(trx, scopeOf(asker), id, entry, MAX_HISTORY);
      await noted?.(trx, state.name);
    });
    return get(asker, id);
  }

  async function write(
    on: Queryable,
    asker: InsightReader,
    id: number,
    {
      row,
      state,
      definition,
    }: { row: queries.LockedInsight; state: historyQueries.InsightState; definition: Definition },
  ): Promise<void> {
    await keepReferences(on, asker.project.id, definition);
    const { name, description, tags } = state;
    const insight = { kind: definition.kind, name, description, tags, definition, now: clock.now() };
    const keepsPreview = isSame(queryOf(openDefinition(row.definition)), queryOf(definition));
    await queries.updateInsight(on, asker.project.id, id, insight, { revision: row.revision + 1, keepsPreview });
  }

  async function create(asker: InsightReader, input: InsightInput, noted?: NoteChange): Promise<SavedInsight> {
    const definition = readDefinition(input.definition);
    await checkReferences(parts, asker, definition);
    const now = clock.now();
    const { name, description } = input;
    const tags = [...new Set(input.tags)];
    const made = await db.transaction(async (trx) => {
      await keepReferences(trx, asker.project.id, definition);
      const insight = { kind: definition.kind, name, description, tags, definition, now };
      const id = await queries.insertInsight(trx, scopeOf(asker), insight, MAX_INSIGHTS);
      if (id === null) return null;
      const state = { name, description, tags, definition };
      const entry = { revision: 1, action: 'created' as const, at: now, state };
      await historyQueries.insertChange(trx, scopeOf(asker), id, entry, MAX_HISTORY);
      await noted?.(trx, name);
      return id;
    });
    if (made === null) {
      throw new AppError(
        'conflict',
        `Limit of ${MAX_INSIGHTS} insights per project reached. Delete archived ones first.`,
      );
    }
    return get(asker, made);
  }

  return {
    create,
    async update(asker, id, { revision, ...change }, noted) {
      const given = change.definition && readDefinition(change.definition);
      if (given) await checkReferences(parts, asker, given);
      return inHistory(asker, id, noted, async (trx, row) => {
        if (revision !== undefined && revision !== row.revision) {
          throw new AppError('conflict', 'Someone else changed this insight. Reload it, or save yours as a new one.', {
            field: 'revision',
          });
        }
        const before = stateOf(row);
        const definition = given ?? openDefinition(row.definition);
        const state = {
          name: change.name ?? before.name,
          description: change.description ?? before.description,
          tags: change.tags ? [...new Set(change.tags)] : before.tags,
          definition,
        };
        if (isSame(state, { ...before, definition: openDefinition(row.definition) })) return null;
        await write(trx, asker, id, { row, state, definition });
        return ['changed', state];
      });
    },
    async duplicate(asker, id, name, noted) {
      const { row, definition } = await find(asker, id);
      const { description, tags } = row;
      const { segment, ...rest } = definition;
      const copied = { ...rest, query: { ...rest.query }, ...(segment !== null && { segment }) };
      return create(asker, { name, description, tags, definition: copied }, noted);
    },
    archive: (asker, id, noted) =>
      inHistory(asker, id, noted, async (trx, row) => {
        if (row.archived_at !== null) return null;
        await queries.setArchived(trx, asker.project.id, id, { archivedAt: clock.now(), revision: row.revision + 1 });
        return ['archived', stateOf(row)];
      }),
    async restore(asker, id, noted) {
      const { definition } = await find(asker, id);
      await checkReferences(parts, asker, definition);
      return inHistory(asker, id, noted, async (trx, row) => {
        if (row.archived_at === null) return null;
        await keepReferences(trx, asker.project.id, openDefinition(row.definition));
        await queries.setArchived(trx, asker.project.id, id, { archivedAt: null, revision: row.revision + 1 });
        return ['restored', stateOf(row)];
      });
    },
    async remove(asker, id, noted) {
      await find(asker, id);
      await db.transaction(async (trx) => {
        const row = await queries.lockInsight(trx, asker.project.id, id);
        if (row === null) throw notFound('insight');
        if (row.owner !== asker.reader.id && !isAtLeast(asker.role, 'admin')) throw forbidden();
        if (row.archived_at === null) throw new AppError('conflict', 'Archive this insight before you delete it.');
        await queries.deleteInsight(trx, asker.project.id, id);
        await noted?.(trx, row.name);
      });
    },
    async revert(asker, id, revision, noted) {
      await find(asker, id);
      const state = await historyQueries.stateOf(db, asker.project.id, id, revision);
      if (state === null) throw notFound('revision');
      const definition = openDefinition(state.definition);
      await checkReferences(parts, asker, definition);
      return inHistory(asker, id, noted, async (trx, row) => {
        if (isSame(state, stateOf(row))) return null;
        await write(trx, asker, id, { row, state: { ...state, definition }, definition });
        return ['reverted', { ...state, definition }];
      });
    },
  };
}

function stateOf({ name, description, tags, definition }: queries.LockedInsight): historyQueries.InsightState {
  return { name, description, tags, definition };
}

/** The part of a definition that a preview depends on. */
function queryOf({ kind, query, segment, display }: Definition) {
  return [kind, query, segment, display['chart'] ?? null];
}
