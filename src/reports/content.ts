/** The numbers of a report, by the queries of the screens, over its finished period. */
import type { Dashboard, DashboardContent, Tile } from '#src/dashboards/contract.ts';
import type { Dashboards } from '#src/dashboards/dashboards.ts';
import type { OverviewMetric } from '#src/insights/contract.ts';
import { type Insights, withinBoth } from '#src/insights/insights.ts';
import { kindNamed } from '#src/insights/kinds/all-kinds.ts';
import { breakdown, goals, heatmap, movers, overview, vitals } from '#src/insights/kinds/kinds.ts';
import type { QueryScope } from '#src/insights/query/scope.ts';
import type { SavedInsight } from '#src/insights/saved/contract.ts';
import { notFound } from '#src/kit/errors.ts';
import { type Failed, inTurn } from './in-turn.ts';
import type { ReportDates, ReportFrequency, ReportKind, ReportPart } from './values.ts';

export type ContentInsights = Pick<Insights, 'query' | 'goals' | 'segments'> & {
  saved: Pick<Insights['saved'], 'get'>;
};

export interface ContentParts {
  insights: ContentInsights;
  dashboards: Pick<Dashboards, 'get'>;
}

/** What a report is made of. */
export interface ContentOf {
  project: QueryScope;
  subject: { kind: ReportKind; object: number | null };
  frequency: ReportFrequency;
  dates: ReportDates;
  previous: ReportDates;
}

export interface ReportContent {
  /** Of the dashboard or insight; empty for the summary. */
  name: string;
  parts: ReportPart[];
  /** Parts beyond those. */
  more: number;
  goals: { id: number; name: string }[];
}

/** Parts of one mail, and rows of a table in it. */
const MAX_PARTS = 24;
const ROWS = 5;

/** Who reads: nobody in particular, so no favorites and no private segments. */
const readers = {
  team: { reader: { id: 0 as never }, role: 'admin' },
  viewer: { reader: { id: -1 as never }, role: 'viewer' },
} as const;

interface Asked {
  parts: ContentParts;
  of: ContentOf;
  asker: { project: QueryScope } & (typeof readers)[keyof typeof readers];
}

/** @throws AppError `not_found` for what is gone or hidden from readers without access to persons, as queries when nothing could be computed */
export async function computeContent(parts: ContentParts, of: ContentOf): Promise<ReportContent> {
  const { project, subject } = of;
  const asked = { parts, of, asker: { project, ...(project.seesPersons ? readers.team : readers.viewer) } };
  const known = await parts.insights.goals.list(project);
  const found = await partsOf(asked, subject);
  return { ...found, goals: known.map(({ id, name }) => ({ id, name })) };
}

async function partsOf(asked: Asked, { kind, object }: ContentOf['subject']): Promise<Omit<ReportContent, 'goals'>> {
  if (kind === 'summary') return { name: '', parts: await summaryOf(asked), more: 0 };
  const id = object ?? 0;
  if (kind === 'insight') {
    const insight = await asked.parts.insights.saved.get(asked.asker, id);
    if (insight.archivedAt !== null) throw notFound('insight');
    return { name: insight.name, parts: [await insightPart(asked, insight, undefined)], more: 0 };
  }
  const dashboard = await asked.parts.dashboards.get(asked.asker, id);
  const groups = groupsOf(dashboard.content.tiles);
  const jobs = groups.slice(0, MAX_PARTS).map((group) => ({
    name: nameOf(dashboard, group),
    run: () => groupPart(asked, dashboard, group),
  }));
  const computed = await inTurn(jobs);
  return { name: dashboard.name, parts: whole(computed), more: Math.max(0, groups.length - MAX_PARTS) };
}

async function summaryOf(asked: Asked): Promise<ReportPart[]> {
  const found = await inTurn<ReportPart | null>([
    { name: '', run: () => moversPart(asked) },
    { name: '', run: () => overviewPart(asked, ['visitors', 'visits', 'views'], 'visits', undefined) },
    { name: '', run: () => breakdownPart(asked, 'source', undefined) },
    { name: '', run: () => breakdownPart(asked, 'page', undefined) },
    { name: '', run: () => goalsPart(asked, undefined) },
  ]);
  return whole(found);
}

/** The parts that there are. @throws the first failure when nothing could be computed */
function whole(settled: readonly (ReportPart | null | Failed)[]): ReportPart[] {
  const failures = settled.filter((each) => each !== null && 'failure' in each);
  const numbers = settled.filter(
    (each) => each !== null && 'kind' in each && each.kind !== 'heading' && each.kind !== 'text',
  );
  if (failures.length > 0 && numbers.length === 0) throw failures[0]?.failure;
  return settled.flatMap((each) => {
    if (each === null) return [];
    return 'failure' in each ? [{ kind: 'failed' as const, name: each.name }] : [each];
  });
}

/** Numbers beside each other are one part. */
type Group = { metrics: OverviewMetric[] } | { tile: Exclude<Tile, { kind: 'metric' }> };

function groupsOf(tiles: readonly Tile[]): Group[] {
  const groups: Group[] = [];
  for (const tile of tiles) {
    const last = groups.at(-1);
    if (tile.kind !== 'metric') groups.push({ tile });
    else if (last && 'metrics' in last && last.metrics.length < 3) last.metrics.push(tile.metric);
    else groups.push({ metrics: [tile.metric] });
  }
  return groups;
}

/** What is said of one that could not be computed. */
function nameOf({ insights }: Dashboard, group: Group): string {
  if ('metrics' in group || group.tile.kind !== 'insight') return '';
  const { insight } = group.tile;
  return insights.find(({ id }) => id === insight)?.name ?? '';
}

type Filters = DashboardContent['filters'];

async function groupPart(asked: Asked, { content, insights }: Dashboard, group: Group): Promise<ReportPart | null> {
  const { filters } = content;
  if ('metrics' in group) {
    const [only] = group.metrics;
    return overviewPart(asked, group.metrics, group.metrics.length === 1 ? (only ?? null) : null, filters);
  }
  const { tile } = group;
  switch (tile.kind) {
    case 'insight': {
      const saved = insights.find(({ id }) => id === tile.insight);
      return saved === undefined ? null : insightPart(asked, saved, tile.own ? undefined : filters);
    }
    case 'breakdown':
      return breakdownPart(asked, tile.dimension, filters);
    case 'goals':
      return goalsPart(asked, filters);
    case 'goal':
      return goalsPart(asked, filters, tile.goal);
    case 'heading':
    case 'text':
      return { kind: tile.kind, text: tile.text };
    case 'heatmap':
      return heatmapPart(asked, filters);
    case 'vitals':
      return vitalsPart(asked, filters);
    case 'separator':
      return null;
  }
}

/** Hours of a day, days of a week or month. */
function intervalOf({ frequency }: ContentOf): 'hour' | 'day' {
  return frequency === 'daily' ? 'hour' : 'day';
}

function base({ of }: Asked, filters: Filters) {
  return { range: of.dates, compare: of.previous, ...(filters && { filters }) };
}

async function overviewPart(
  asked: Asked,
  metrics: readonly OverviewMetric[],
  chart: OverviewMetric | null,
  filters: Filters,
): Promise<ReportPart> {
  const input = { ...base(asked, filters), interval: intervalOf(asked.of) };
  const result = await asked.parts.insights.query(overview, asked.of.project, input);
  return { kind: 'overview', result, metrics, chart };
}

async function breakdownPart(
  asked: Asked,
  dimension: Extract<Tile, { kind: 'breakdown' }>['dimension'],
  filters: Filters,
): Promise<ReportPart> {
  const input = { ...base(asked, filters), dimension, limit: ROWS };
  return { kind: 'breakdown', result: await asked.parts.insights.query(breakdown, asked.of.project, input) };
}

/** What the change of visitors is made of: of several days, since one tells nothing. */
async function moversPart(asked: Asked): Promise<ReportPart | null> {
  if (asked.of.frequency === 'daily') return null;
  const input = { ...base(asked, undefined), metric: 'visitors' as const, limit: ROWS };
  return { kind: 'movers', result: await asked.parts.insights.query(movers, asked.of.project, input) };
}

/** @param only this goal; absent: all */
async function goalsPart(asked: Asked, filters: Filters, only?: number): Promise<ReportPart | null> {
  const result = await asked.parts.insights.query(goals, asked.of.project, base(asked, filters));
  const shown = result.goals.filter(({ id }) => only === undefined || id === only);
  return shown.length === 0 ? null : { kind: 'goals', result: { ...result, goals: shown } };
}

/** Numbers are of the finished period alone: nothing is compared. */
function alone({ of }: Asked, filters: Filters) {
  return { range: of.dates, ...(filters && { filters }) };
}

async function heatmapPart(asked: Asked, filters: Filters): Promise<ReportPart> {
  const result = await asked.parts.insights.query(heatmap, asked.of.project, alone(asked, filters));
  return { kind: 'heatmap', result };
}

async function vitalsPart(asked: Asked, filters: Filters): Promise<ReportPart> {
  const input = { ...alone(asked, filters), vital: 'LCP' as const, percentile: 75 as const, limit: 1 };
  return { kind: 'vitals', result: await asked.parts.insights.query(vitals, asked.of.project, input) };
}

/** A saved insight over the period of the report, and compared with the one before where its kind compares. */
async function insightPart(asked: Asked, saved: SavedInsight, filters: Filters): Promise<ReportPart> {
  const { insights } = asked.parts;
  const kind = kindNamed(saved.kind);
  if (kind === undefined) throw notFound('insight');
  const shape = kind.input.def.shape as Record<string, unknown>;
  const { filters: own, people, ...query } = kind.input.parse(saved.query) as Record<string, unknown>;
  const both = filters
    ? withinBoth({ filters }, { filters: own, people } as Parameters<typeof withinBoth>[1])
    : { filters: own, people };
  const { project, reader, role } = asked.asker;
  const within = await insights.segments.within(
    { project: project.id, reader, role },
    saved.segment ?? undefined,
    both as Parameters<typeof withinBoth>[1],
  );
  const input = {
    ...query,
    range: asked.of.dates,
    ...('compare' in shape && { compare: asked.of.previous }),
    ...((saved.kind === 'trends' || saved.kind === 'lifecycle') && { interval: insightInterval(asked.of, query) }),
    ...(within.filters && { filters: within.filters }),
    ...(within.people && { people: within.people }),
  };
  const result = await insights.query(kind, project, input as never);
  return { kind: 'insight', name: saved.name, insight: saved.kind, query: input, result };
}

/** Active people of several days are not counted by the hour. */
function insightInterval(of: ContentOf, { series }: Record<string, unknown>): 'hour' | 'day' {
  const measures = Array.isArray(series) ? series.map(({ measure }) => String(measure)) : ['dau'];
  return measures.some((measure) => ['dau', 'wau', 'mau'].includes(measure)) ? 'day' : intervalOf(of);
}
