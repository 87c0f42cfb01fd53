/** Events of several kinds, each by its own rules, all under the same filters: gathered at one moment, ready to be found in chunks. */

import type { ClientBase } from 'pg';
import { eventMarks } from '#src/events/contract.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { type ConditionParts, type Conditions, conditionsOf, type Needs } from '../conditions/conditions.ts';
import { type Breakdown, type KeyPlaces, keyPlacesOf, needsOfBreakdown } from '../conditions/key-places.ts';
import { needsOfSelections, personsOfAll, selectionOf } from '../conditions/selections.ts';
import type { Filters, Traffic } from '../contract.ts';
import { countOnce, findSets } from '../count/counting.ts';
import { cut, type Edges } from '../count/edges.ts';
import { keyOfPersons } from '../count/result-keys.ts';
import type { EventRule, People, Rules, SeriesRule } from '../filters/rules.ts';
import { trafficKey } from '../filters/traffic.ts';
import type { Share } from '../kernels/by-actor.ts';
import type { EventChunk } from '../kernels/count-events.ts';
import type { Actors, RowPlan } from '../kernels/count-trend.ts';
import type { Condition } from '../kernels/select.ts';
import type { SessionList } from '../kernels/session-set.ts';
import { type Gathered, gather, readingsKey, touches } from '../snapshot/gather.ts';
import type { GatheredChunk } from '../snapshot/gathered-chunk.ts';
import type { Span } from '../storage/span.ts';
import { isGroupSubject, keyProperty } from '../values.ts';
import type { AnswerParts } from './answer-parts.ts';
import { combinedKeysOf } from './combined-keys.ts';
import { withVisitKeys } from './visit-keys.ts';

/** Filters and persons of a query. */
export interface Scope {
  projectId: number;
  /** Events that do not match are ignored. */
  filters: Filters | null;
  /** Persons with counted events; absent: all. */
  people?: People | null | undefined;
  /** Included traffic. */
  include?: readonly Traffic[] | undefined;
}

export interface SeriesRequest {
  spans: readonly Span[];
  series: readonly Rules[];
  by: Breakdown | null;
  /** How texts write numbers that the breakdown divides; absent: with a point. */
  decimal?: DecimalSeparator | undefined;
  /** Times matter at these moments alone; without it, of each event. */
  timesAt?: readonly number[] | undefined;
  /** Further columns and properties of events. */
  columns?: readonly string[];
  /** Visit columns, when complete visits are counted. */
  visitColumns?: readonly string[];
  properties?: readonly string[];
}

/** One of the series, ready. */
export interface ReadySeries {
  plan: RowPlan;
  /** Cache key of partial results besides their chunk and the persons that `Ready` names; null: not cacheable. */
  key: string | null;
}

export interface Ready {
  parts: AnswerParts;
  gathered: Gathered;
  series: ReadySeries[];
  /** Null: not divided. */
  by: KeyPlaces | null;
  sets: SessionList[][];
  /** Persons that conditions name, a byte for each: results of a chunk depend on those of the chunk. */
  persons: readonly Uint8Array[];
}

/** Selection of events shared by all series. */
export interface Choice {
  needs: Needs | null;
  /** Null: all. @param finds what they find is added to these */
  conditions(own: ConditionParts, finds: Conditions['finds']): Promise<Conditions | null>;
  /** Differs when other events count. */
  key: string;
}

/** Everything counts. */
export const everything: Choice = { needs: null, key: '', conditions: async () => null };

/** Gathers what is wanted on a connection that sees one moment. @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function readSeries(
  parts: AnswerParts,
  client: ClientBase,
  { projectId, include = [] }: Pick<Scope, 'projectId' | 'include'>,
  wanted: SeriesRequest,
  choice: Choice,
): Promise<Ready> {
  const selections = wanted.series.map((rules) => ({ rules: rules.map(named), amount: null }));
  const free = wanted.series.flatMap((rules) => rules.filter(({ names }) => names === null));
  const needs = [
    needsOfSelections([...selections, { rules: free.map(named), amount: null }]),
    ...(choice.needs === null ? [] : [choice.needs]),
    needsOfBreakdown(wanted.by),
  ];
  const { visitColumns = [] } = wanted;
  const sessionColumns = new Set([...visitColumns, ...needs.flatMap((each) => each.sessionColumns)]);
  if (sessionColumns.size > 0) sessionColumns.add('id');
  const { timesAt } = wanted;
  const ownColumns = [...(timesAt ? [] : ['ts']), 'event', 'marks', 'person', ...(wanted.columns ?? [])];
  const gathered = await gather(
    { ...parts, client },
    {
      projectId,
      spans: wanted.spans,
      toEndOfVisits: visitColumns.length > 0,
      sessionColumns: [...sessionColumns],
      timesAt,
      eventColumns: [...new Set([...ownColumns, ...needs.flatMap(({ columns }) => columns)])],
      properties: [...new Set([...(wanted.properties ?? []), ...needs.flatMap(({ properties }) => properties)])],
    },
  );
  const { groups, names, cache } = parts;
  const own = { client, projectId, groups, names, cache, gathered };
  const finds: Conditions['finds'] = [];
  const conditions = await choice.conditions(own, finds);
  const series: ReadySeries[] = [];
  const persons = [...(conditions?.persons ?? [])];
  for (const rules of wanted.series) series.push(await readySeries(own, rules, conditions, finds, persons));
  const { by, events } = await dividedBy(parts, own, wanted);
  const shape = `${choice.key} ${conditions?.personsShape ?? ''}`;
  const key = `${shape} ${JSON.stringify(readingsKey(gathered))}${trafficKey(include)}`;
  return {
    parts,
    gathered: { ...gathered, events },
    by,
    persons,
    sets: await findSets(parts, gathered, finds),
    series: series.map((each) => ({
      plan: { ...each.plan, include },
      key: each.key === null ? null : `${each.key} ${key}`,
    })),
  };
}

/** How events are divided, and the events of chunks with what that needs. */
async function dividedBy(
  parts: AnswerParts,
  own: ConditionParts,
  { by, decimal = 'point' }: Pick<SeriesRequest, 'by' | 'decimal'>,
): Promise<{ by: KeyPlaces | null; events: Gathered['events'] }> {
  const events = await withVisitKeys(parts, own, by);
  const divided = { ...own, gathered: { ...own.gathered, events } };
  if (by?.about === 'combined') return combinedKeysOf(parts, divided, by, decimal);
  return { by: by && (await keyPlacesOf(divided, by)), events };
}

function named({ names, filters }: SeriesRule): EventRule {
  return { names: names ?? [], filters };
}

/** @param persons those that its rules name are added to them */
async function readySeries(
  parts: Parameters<typeof selectionOf>[0],
  rules: Rules,
  conditions: Conditions | null,
  finds: Conditions['finds'],
  persons: Uint8Array[],
): Promise<ReadySeries> {
  const ofNames = rules.filter(({ names }) => names !== null).map(named);
  const selected = await selectionOf(parts, { rules: ofNames, amount: null }, finds);
  const any = [selected.where];
  const found: Pick<Conditions, 'isImmutable' | 'persons'>[] = [selected];
  for (const { filters } of rules.filter(({ names }) => names === null)) {
    const all: Condition[] = [];
    for (const each of filters) {
      const one = await conditionsOf(parts, each, finds);
      all.push(one.where);
      found.push(one);
    }
    any.push({ all });
  }
  const own = personsOfAll(found);
  const isKept = own !== null && personsOfAll([conditions]) !== null;
  // Which of the persons are its own: others may be named beside them.
  const place = own === null || own.length === 0 ? '' : ` ${persons.length}`;
  persons.push(...(own ?? []));
  const where: Condition = any.length === 1 ? selected.where : { any };
  return {
    plan: {
      botMark: eventMarks.bot,
      internalMark: eventMarks.internal,
      include: [],
      names: any.length === 1 ? selected.names : null,
      where: conditions === null ? where : { all: [conditions.where, where] },
    },
    key: isKept ? JSON.stringify(rules) + place : null,
  };
}

/** Columns and properties with the numbers of actors, besides those of persons. */
export function columnsOfActors(of: Actors): Pick<SeriesRequest, 'columns' | 'properties'> {
  if (of === 'persons') return {};
  return isGroupSubject(of) ? { columns: [of], properties: [keyProperty(of)] } : { columns: ['session'] };
}

/** Merges among the actors; null: there are none. */
export function mergesOf({ mergedInto }: Pick<Gathered, 'mergedInto'>, of: Actors): Gathered['mergedInto'] {
  return of === 'persons' ? mergedInto : null;
}

/** Numbers of groups are comparable: the numbering is the same in both readings. */
export function haveSameGroups(one: Pick<Ready, 'gathered'>, other: Pick<Ready, 'gathered'>, of: Actors): boolean {
  if (!isGroupSubject(of)) return true;
  return one.gathered.groupNumbers.get(of)?.serial === other.gathered.groupNumbers.get(of)?.serial;
}

/** Partial results of the chunks within the edges, with the index of the first bucket. @param run creates a chunk's task */
export async function partsOf<Part>(
  ready: Ready,
  edges: Edges,
  key: string | null,
  run: (chunks: EventChunk[], sets: SessionList[][]) => Promise<Part[]>,
  bytesOf: (part: Part) => number,
): Promise<{ part: Part; shift: number }[]> {
  const found = await chunkPartsOf(ready, edges, key, run, bytesOf);
  return found.map(({ part, shift }) => ({ part, shift }));
}

/** The same, with the chunks. */
export async function chunkPartsOf<Part>(
  { parts, gathered, sets, persons }: Ready,
  edges: Edges,
  key: string | null,
  run: (chunks: EventChunk[], sets: SessionList[][]) => Promise<Part[]>,
  bytesOf: (part: Part) => number,
): Promise<{ part: Part; shift: number; chunk: GatheredChunk }[]> {
  const span = { from: edges[0] as number, until: edges.at(-1) as number };
  const jobs = gathered.events
    .filter(({ minTs, maxTs }) => touches(span, minTs, maxTs))
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  const keyOfChunk = key === null || persons.length === 0 ? key : keyOfPersons(key, persons);
  const found = await countOnce<Part>(parts, jobs, keyOfChunk, bytesOf, (some) =>
    run(
      some.map((job) => ({ columns: job.chunk.columns, edges: job.edges })),
      sets,
    ),
  );
  return found.map((part, place) => {
    const { first: shift, chunk } = jobs[place] as (typeof jobs)[number];
    return { part, shift, chunk };
  });
}

/** Has the courses of persons gone through in as many shares as there are threads. */
export function inShares<Found>(
  { threads }: Pick<AnswerParts, 'threads'>,
  run: (share: Share) => Promise<Found>,
): Promise<Found[]> {
  return Promise.all(Array.from({ length: threads.count }, (_, at) => run({ at, of: threads.count })));
}
