/** Dashboards of a project: tiles of insights and of *Overview*, for the whole team. Owner of `dashboards` and `dashboard_marks`. */
import { isDeepStrictEqual } from 'node:util';
import type { NoteChange } from '#src/accounts/note-change.ts';
import { filtersRevealPersons } from '#src/insights/contract.ts';
import type { Insights } from '#src/insights/insights.ts';
import type { InsightReader } from '#src/insights/saved/saved-insights.ts';
import { AppError, forbidden, invalid, notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import { goalsIn, insightsIn, openContent, storedContent } from './content.ts';
import type { Dashboard, DashboardChange, DashboardContent, DashboardInput, DashboardSummary } from './contract.ts';
import * as queries from './queries.ts';
import { MAX_DASHBOARDS } from './values.ts';

/**
 * Dashboards whose filters reveal personal data are hidden without access to persons. All methods of one dashboard throw AppError `not_found`
 * for a missing or hidden one.
 */
export interface Dashboards {
  /** Favorites first, then those that the account viewed last. */
  list(asker: InsightReader): Promise<DashboardSummary[]>;
  /** With the insights of its tiles that exist for who asks. */
  get(asker: InsightReader, id: number): Promise<Dashboard>;
  /** @throws AppError `invalid` with field `content.tiles` for an insight that does not exist, `conflict` when there are too many */
  create(asker: InsightReader, input: DashboardInput, noted?: NoteChange): Promise<Dashboard>;
  /** @throws AppError as `create`; `conflict` with field `revision` when someone else has changed it */
  update(asker: InsightReader, id: number, change: DashboardChange, noted?: NoteChange): Promise<Dashboard>;
  /** A copy that belongs to who asks; its tiles show the same insights. @throws AppError as `create` */
  duplicate(asker: InsightReader, id: number, name: string, noted?: NoteChange): Promise<Dashboard>;
  /** Its insights stay. */
  remove(asker: InsightReader, id: number, noted?: NoteChange): Promise<void>;
  favorite(asker: InsightReader, id: number, favorite: boolean): Promise<void>;
  viewed(asker: InsightReader, id: number): Promise<void>;
}

type Parts = { insights: { saved: Pick<Insights['saved'], 'get'>; goals: Pick<Insights['goals'], 'get'> } };

export function createDashboards({ db, clock }: Pick<Deps, 'db' | 'clock'>, { insights }: Parts): Dashboards {
  async function find(asker: InsightReader, id: number): Promise<queries.DashboardRow> {
    const row = await queries.dashboardOf(db, scopeOf(asker), id);
    if (row === null || !isVisible(asker, row)) throw notFound('dashboard');
    return row;
  }

  async function get(asker: InsightReader, id: number): Promise<Dashboard> {
    const row = await find(asker, id);
    const content = openContent(row.content);
    const found = await Promise.all(
      insightsIn(content).map((insight) => insights.saved.get(asker, insight).catch(nullWhenMissing)),
    );
    return {
      ...asSummary(row),
      revision: row.revision,
      content,
      insights: found.filter((insight) => insight !== null),
    };
  }

  /** @param before what was shown already: an insight or goal that has been deleted since may stay until its tile is removed */
  async function check(
    asker: InsightReader,
    content: DashboardContent,
    before: DashboardContent | null,
  ): Promise<void> {
    if (!asker.project.seesPersons && filtersRevealPersons(content.filters)) {
      throw forbidden('You may not query data about persons.');
    }
    const shown = before === null ? [] : insightsIn(before);
    const added = insightsIn(content).filter((insight) => !shown.includes(insight));
    const found = await Promise.all(added.map((insight) => insights.saved.get(asker, insight).catch(nullWhenMissing)));
    if (found.includes(null)) throw invalid('content.tiles', 'A tile shows an insight that does not exist.');
    const counted = before === null ? [] : goalsIn(before);
    const goals = goalsIn(content).filter((goal) => !counted.includes(goal));
    const known = await Promise.all(goals.map((goal) => insights.goals.get(asker.project, goal)));
    if (known.includes(null)) throw invalid('content.tiles', 'A tile shows a goal that does not exist.');
  }

  async function create(asker: InsightReader, input: DashboardInput, noted?: NoteChange): Promise<Dashboard> {
    await check(asker, input.content, null);
    const { name, description } = input;
    const dashboard = {
      name,
      description,
      tags: [...new Set(input.tags)],
      content: storedContent(input.content),
      now: clock.now(),
    };
    const made = await db.transaction(async (trx) => {
      const id = await queries.insertDashboard(trx, scopeOf(asker), dashboard, MAX_DASHBOARDS);
      if (id !== null) await noted?.(trx, name);
      return id;
    });
    if (made === null) {
      throw new AppError('conflict', `Limit of ${MAX_DASHBOARDS} dashboards per project reached. Delete some first.`);
    }
    return get(asker, made);
  }

  return {
    list: async (asker) =>
      (await queries.dashboardsOf(db, scopeOf(asker))).filter((row) => isVisible(asker, row)).map(asSummary),
    get,
    create,
    async update(asker, id, { revision, ...change }, noted) {
      const shown = openContent((await find(asker, id)).content);
      if (change.content) await check(asker, change.content, shown);
      await db.transaction(async (trx) => {
        const row = await queries.lockDashboard(trx, asker.project.id, id);
        if (row === null) throw notFound('dashboard');
        if (revision !== undefined && revision !== row.revision) {
          throw new AppError('conflict', 'Someone else changed this dashboard. Reload it to see the change.', {
            field: 'revision',
          });
        }
        const before = { ...row, content: openContent(row.content) };
        const after = {
          ...before,
          ...(change.name !== undefined && { name: change.name }),
          ...(change.description !== undefined && { description: change.description }),
          ...(change.tags !== undefined && { tags: [...new Set(change.tags)] }),
          ...(change.content !== undefined && { content: change.content }),
        };
        if (isDeepStrictEqual(after, before)) return;
        const { name, description, tags } = after;
        const content = storedContent(after.content);
        await queries.updateDashboard(trx, asker.project.id, id, {
          name,
          description,
          tags,
          content,
          now: clock.now(),
        });
        await noted?.(trx, name);
      });
      return get(asker, id);
    },
    async duplicate(asker, id, name, noted) {
      const { description, tags, content, insights: visible } = await get(asker, id);
      const tiles = content.tiles.filter(
        (tile) => tile.kind !== 'insight' || visible.some((insight) => insight.id === tile.insight),
      );
      return create(asker, { name, description, tags, content: { ...content, tiles } }, noted);
    },
    async remove(asker, id, noted) {
      await find(asker, id);
      await db.transaction(async (trx) => {
        const row = await queries.lockDashboard(trx, asker.project.id, id);
        if (row === null) throw notFound('dashboard');
        await queries.deleteDashboard(trx, asker.project.id, id);
        await noted?.(trx, row.name);
      });
    },
    async favorite(asker, id, favorite) {
      await find(asker, id);
      await queries.markFavorite(db, scopeOf(asker), id, favorite);
    },
    async viewed(asker, id) {
      await find(asker, id);
      await queries.markViewed(db, scopeOf(asker), id, clock.now());
    },
  };
}

function isVisible({ project }: InsightReader, { filters }: queries.SummaryRow): boolean {
  return project.seesPersons || !filtersRevealPersons(filters as DashboardContent['filters'] | null);
}

function asSummary(row: queries.SummaryRow): DashboardSummary {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    tags: row.tags,
    owner: { id: row.owner, name: row.owner_name },
    createdAt: row.created_at,
    changedAt: row.changed_at,
    favorite: row.favorite,
    viewedAt: row.viewed_at,
    tiles: row.tiles,
  };
}

function scopeOf({ project, reader }: InsightReader): queries.DashboardScope {
  return { project: project.id, account: reader.id };
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
