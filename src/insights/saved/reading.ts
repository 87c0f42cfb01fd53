/** Saved insights as they are opened: lists, one insight, its result, its history. */
import { groupSubject } from '#src/columns/values.ts';
import { forbidden, notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import { eventNames } from '../goals/queries.ts';
import type { ResultSummary } from '../query/contract.ts';
import { asInsight, asSummary, historyOf } from './answers.ts';
import type { GroupRef, InsightListItem, SavedInsight } from './contract.ts';
import { type Definition, kindOf, openDefinition } from './definition.ts';
import { namesGroup } from './group-use.ts';
import * as historyQueries from './history-queries.ts';
import { facetsOf, selected } from './list.ts';
import * as marks from './mark-queries.ts';
import * as queries from './queries.ts';
import { referencesOf, visibility } from './references.ts';
import type { InsightReader, InsightResult, SavedInsights, SavedParts } from './saved-insights.ts';
import { scopeOf } from './scope.ts';
import { templatesFor } from './templates.ts';

export interface StoredInsight {
  row: queries.InsightRow;
  definition: Definition;
}

export interface Reading
  extends Pick<
    SavedInsights,
    'list' | 'get' | 'ofGroup' | 'result' | 'preview' | 'templates' | 'history' | 'revision' | 'favorite' | 'viewed'
  > {
  /** @throws AppError `not_found` */
  find(asker: InsightReader, id: number): Promise<StoredInsight>;
}

/** Insights that the page of a group offers. */
const MAX_OF_GROUP = 20;

function isAbout({ query }: Definition, { type, key }: GroupRef): boolean {
  const subject = groupSubject(type);
  return subject !== null && namesGroup(query, { subject, key });
}

export function createReading({ db, clock }: Pick<Deps, 'db' | 'clock'>, parts: SavedParts): Reading {
  /** @throws AppError `not_found` */
  async function find(asker: InsightReader, id: number): Promise<StoredInsight> {
    const row = await queries.insightOf(db, scopeOf(asker), id);
    if (row === null) throw notFound('insight');
    const definition = openDefinition(row.definition);
    const isVisible = await visibility(parts, asker);
    if (isVisible?.(definition) === false) throw notFound('insight');
    return { row, definition };
  }

  async function get(asker: InsightReader, id: number): Promise<SavedInsight> {
    const { row, definition } = await find(asker, id);
    return asInsight(row, definition);
  }

  async function run(asker: InsightReader, definition: Definition): Promise<Omit<InsightResult, 'insight'>> {
    const kind = kindOf(definition.kind);
    const { filters, people, ...query } = definition.query;
    const within = await parts.segments.within(
      { project: asker.project.id, reader: asker.reader, role: asker.role },
      definition.segment ?? undefined,
      { filters, people },
    );
    const input = {
      ...query,
      ...(within.filters && { filters: within.filters }),
      ...(within.people && { people: within.people }),
    };
    return { kind, input, result: await parts.query(kind, asker.project, input) };
  }

  /** Computes an insight, and keeps the shape of the result. */
  async function draw(asker: InsightReader, { row, definition }: StoredInsight): Promise<ResultSummary> {
    const { result } = await run(asker, definition);
    const preview = kindOf(definition.kind).summarize(result, definition.display);
    const drawn = { preview, revision: row.revision, now: clock.now() };
    await queries.savePreview(db, asker.project.id, row.id, drawn);
    return preview;
  }

  return {
    find,
    get,
    preview: async (asker, id) => draw(asker, await find(asker, id)),
    async templates({ project }) {
      const [events, numbers] = await Promise.all([
        eventNames(db, project.id),
        queries.numberProperties(db, project.id),
      ]);
      return templatesFor({ events: events.map(({ name }) => name), numbers: numbers.map(({ name }) => name) });
    },
    async list(asker, asked) {
      const [rows, isVisible] = await Promise.all([queries.insightsOf(db, scopeOf(asker)), visibility(parts, asker)]);
      const visible = isVisible ? rows.filter((row) => isVisible(openDefinition(row.definition))) : rows;
      const all = visible.map((row) => ({
        ...asSummary(row),
        events: () => referencesOf(openDefinition(row.definition)).events,
        names: (group: GroupRef) => isAbout(openDefinition(row.definition), group),
      }));
      const found = selected(all, asked);
      const page = found.slice(asked.offset, asked.offset + asked.limit);
      const previews = await queries.previewsOf(
        db,
        asker.project.id,
        page.map(({ id }) => id),
      );
      const byId = new Map(previews.map((each) => [each.id, each]));
      return {
        items: page.map(({ events: _, names: __, ...item }): InsightListItem => {
          const { preview = null, previewed_at: previewedAt = null } = byId.get(item.id) ?? {};
          return { ...item, preview, previewedAt };
        }),
        total: found.length,
        facets: facetsOf(all),
      };
    },
    async ofGroup(asker, group) {
      if (!asker.project.seesPersons) throw forbidden('You may not query data about persons.');
      const rows = await queries.insightsOf(db, scopeOf(asker));
      const all = rows
        .filter(({ archived_at: archivedAt }) => archivedAt === null)
        .map((row) => ({ row, definition: openDefinition(row.definition) }))
        .map((each) => ({ ...each, named: isAbout(each.definition, group) }));
      const inOrder = [...all.filter(({ named }) => named), ...all.filter(({ named }) => !named)];
      return inOrder
        .slice(0, MAX_OF_GROUP)
        .map(({ row, definition, named }) => ({ ...asInsight(row, definition), named }));
    },
    async result(asker, id) {
      const insight = await find(asker, id);
      return { insight: asInsight(insight.row, insight.definition), ...(await run(asker, insight.definition)) };
    },
    async history(asker, id) {
      await find(asker, id);
      return historyOf(await historyQueries.changesOf(db, asker.project.id, id));
    },
    async revision(asker, id, revision) {
      const { row } = await find(asker, id);
      const state = await historyQueries.stateOf(db, asker.project.id, id, revision);
      if (state === null) throw notFound('revision');
      const { name, description, tags } = state;
      const definition = openDefinition(state.definition);
      return asInsight({ ...row, name, description, tags: [...tags], kind: definition.kind, revision }, definition);
    },
    async favorite(asker, id, favorite) {
      await find(asker, id);
      await marks.markFavorite(db, scopeOf(asker), id, favorite);
    },
    async viewed(asker, id) {
      const found = await find(asker, id);
      await marks.markViewed(db, scopeOf(asker), id, clock.now());
      await draw(asker, found);
    },
  };
}
