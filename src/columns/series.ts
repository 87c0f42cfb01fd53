/** Events of several kinds, each by its own rules, all under the same filters: gathered at one moment, ready to be found in chunks. */
import { eventMarks } from '#src/events/contract.ts';
import { readSnapshot } from '#src/store/snapshot.ts';
import { type AnswerParts, takenIn } from './answer.ts';
import { type Conditions, conditionsOf, needsOf } from './conditions.ts';
import type { Filters, Traffic } from './contract.ts';
import { countOnce, findSets } from './counting.ts';
import { cut, type Edges } from './edges.ts';
import { type Gathered, gather, type Span, touches } from './gather.ts';
import type { EventChunk } from './kernels/count-events.ts';
import type { RowPlan } from './kernels/count-trend.ts';
import type { Condition } from './kernels/select.ts';
import type { SessionList } from './kernels/session-set.ts';
import { type Breakdown, type KeyPlaces, keyPlacesOf, needsOfBreakdown } from './key-places.ts';
import { type EventRule, needsOfSelections, selectionOf } from './selections.ts';

/** Whose events a question is about. */
export interface Scope {
  projectId: number;
  /** What they leave out is as if it had not happened. */
  filters: Filters | null;
  /** What is not left out of the numbers. */
  include?: readonly Traffic[] | undefined;
}

/** Events of one of these names (null: of any) that fulfil all of these filters. */
export interface SeriesRule extends Omit<EventRule, 'names'> {
  names: readonly string[] | null;
}

/** Events that fulfil at least one of these rules. */
export type Rules = readonly SeriesRule[];

export interface SeriesWanted {
  spans: readonly Span[];
  series: readonly Rules[];
  by: Breakdown | null;
  /** Further columns and properties of events. */
  columns?: readonly string[];
  properties?: readonly string[];
}

/** One of the series, ready. */
export interface ReadySeries {
  plan: RowPlan;
  /** What partial results depend on besides their chunk; null: they are not to be kept. */
  key: string | null;
}

export interface Ready {
  parts: AnswerParts;
  gathered: Gathered;
  series: ReadySeries[];
  /** Null: not divided. */
  by: KeyPlaces | null;
  sets: SessionList[][];
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function prepareSeries(parts: AnswerParts, scope: Scope, wanted: SeriesWanted): Promise<Ready> {
  const { projectId, filters, include = [] } = scope;
  const selections = wanted.series.map((rules) => ({ rules: rules.map(named), amount: null }));
  const needs = [
    needsOfSelections(selections),
    ...(filters === null ? [] : [needsOf(filters)]),
    { ...needsOfBreakdown(wanted.by), sessionColumns: [] },
  ];
  const sessionColumns = new Set(needs.flatMap((each) => each.sessionColumns));
  if (sessionColumns.size > 0) sessionColumns.add('id');
  const own = ['ts', 'event', 'marks', 'person', ...(wanted.columns ?? [])];
  parts.threads.warm();
  const finds: Conditions['finds'] = [];
  const { gathered, by, series } = await readSnapshot(parts.db, async (client) => {
    const gathered = await gather(
      { ...parts, client },
      {
        ...{ projectId, spans: wanted.spans, toEndOfVisits: false, sessionColumns: [...sessionColumns] },
        eventColumns: [...new Set([...own, ...needs.flatMap(({ columns }) => columns)])],
        properties: [...new Set([...(wanted.properties ?? []), ...needs.flatMap(({ properties }) => properties)])],
      },
    );
    const conditionParts = { client, projectId, groups: parts.groups, names: parts.names, gathered };
    const conditions = filters === null ? null : await conditionsOf(conditionParts, filters, finds);
    const series: ReadySeries[] = [];
    for (const rules of wanted.series) series.push(await readySeries(conditionParts, rules, conditions, finds));
    return { gathered, series, by: wanted.by && (await keyPlacesOf(conditionParts, wanted.by)) };
  });
  const sets = await findSets(parts.threads, gathered, finds);
  const versions = JSON.stringify([filters, [...gathered.groupVersions]]);
  return {
    ...{ parts, gathered, by, sets },
    series: series.map(({ plan, key }) => ({
      plan: { ...plan, include },
      key: key === null ? null : `${key} ${versions}${takenIn(include)}`,
    })),
  };
}

function named({ names, filters }: SeriesRule): EventRule {
  return { names: names ?? [], filters };
}

async function readySeries(
  parts: Parameters<typeof selectionOf>[0],
  rules: Rules,
  conditions: Conditions | null,
  finds: Conditions['finds'],
): Promise<ReadySeries> {
  const ofNames = rules.filter(({ names }) => names !== null).map(named);
  const selected = await selectionOf(parts, { rules: ofNames, amount: null }, finds);
  const any = [selected.where];
  let isLasting = selected.isLasting && conditions?.isLasting !== false;
  for (const { filters } of rules.filter(({ names }) => names === null)) {
    const all: Condition[] = [];
    for (const each of filters) {
      const found = await conditionsOf(parts, each, finds);
      all.push(found.where);
      isLasting &&= found.isLasting;
    }
    any.push({ all });
  }
  const own: Condition = any.length === 1 ? selected.where : { any };
  return {
    plan: {
      ...{ botMark: eventMarks.bot, internalMark: eventMarks.internal, include: [] },
      names: any.length === 1 ? selected.names : null,
      where: conditions === null ? own : { all: [conditions.where, own] },
    },
    key: isLasting ? JSON.stringify(rules) : null,
  };
}

/** What is said of each chunk that the edges cut, with the number of its first stretch. @param run what threads are asked to do */
export async function partsOf<Part>(
  { parts, gathered, sets }: Ready,
  edges: Edges,
  key: string | null,
  run: (chunks: EventChunk[], sets: SessionList[][]) => Promise<Part[]>,
  bytesOf: (part: Part) => number,
): Promise<{ part: Part; shift: number }[]> {
  const span = { from: edges[0] as number, until: edges.at(-1) as number };
  const jobs = gathered.events
    .filter(({ minTs, maxTs }) => touches(span, minTs, maxTs))
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  const found = await countOnce<Part>(parts, jobs, key, bytesOf, (some) =>
    run(
      some.map((job) => ({ columns: job.chunk.columns, edges: job.edges })),
      sets,
    ),
  );
  return found.map((part, place) => ({ part, shift: jobs[place]?.first ?? 0 }));
}
