/**
 * Questions about views and visits: what is needed is gathered from one snapshot, each chunk is counted by a thread unless it was before,
 * and the parts are added up.
 */

import { eventMarks } from '#src/events/contract.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { type Conditions, groupsFrom, type Needs, numberedBy } from '../conditions/conditions.ts';
import type { Groups, GroupValues, Reading } from '../conditions/groups.ts';
import { needsOfSelections, type Selection, selectionOf } from '../conditions/selections.ts';
import type { Filters, Traffic } from '../contract.ts';
import { medianLengthOf } from '../count/collecting.ts';
import type { CountParts } from '../count/count-parts.ts';
import { countEventsOf, countSessionsOf, findSets, leftAlone, visitsOf } from '../count/counting.ts';
import { partsOfDone } from '../count/done.ts';
import { edgesOf, placesOf } from '../count/edges.ts';
import { mergeTallies } from '../count/summing-up.ts';
import type { People } from '../filters/rules.ts';
import { trafficKey } from '../filters/traffic.ts';
import type { SessionTest } from '../kernels/count-sessions.ts';
import type { Merged } from '../kernels/merge.ts';
import { type Gathered, gather, readingsKey } from '../snapshot/gather.ts';
import { PROPERTY } from '../storage/encode.ts';
import { QUARTERS } from '../storage/quarters.ts';
import type { Span } from '../storage/span.ts';
import type { AnswerParts } from './answer-parts.ts';
import { conditionsOfChoice, needsOfChoice } from './people.ts';
import { type Presence, presenceOf } from './presence.ts';

export interface Question {
  projectId: number;
  /** Names of the events that count as views. */
  views: readonly string[];
  /** Visits with one thing done and shorter than this are bounces; without it ten seconds. */
  bounceMs?: number | undefined;
  filters: Filters | null;
  /** Persons with counted events; absent: all. */
  people?: People | null | undefined;
  /** Included traffic. */
  include?: readonly Traffic[] | undefined;
  /** How texts write numbers; absent: with a point. */
  decimal?: DecimalSeparator;
  /** Each with the times, ascending, at which its inner stretches begin. */
  spans: readonly (Span & { starts: readonly number[] })[];
  /** The middle length of the first span's visits is wanted. */
  withMedian?: boolean;
  /** Event names whose presence in the days of the span is requested, with that of cookieless visitors: see `Presence`. */
  presence?: readonly string[];
  /** Of tables: count visitors only for this many most frequent values of the first span. Absent: for all. */
  visitorsOf?: number;
  /** Of tables of visits: count only visits, without visitors and without visits that started before the span. */
  visitsOnly?: boolean;
  /** Of tables of events: also count conversions by value, besides converted persons. */
  doneByValue?: boolean;
  /** Of tables of visits: count bounces and durations; default true. */
  withLengths?: boolean;
}

/** Counts of a bucket. */
export interface Counts {
  visitors: number;
  views: number;
  /** Views by bots and of internal traffic: excluded from the others unless the query includes them. */
  botViews: number;
  internalViews: number;
  visits: number;
  bounced: number;
  /** Length of all visits. */
  ms: number;
  /** Views of these visits, whenever in the visit they were. */
  visitViews: number;
}

export interface SpanCounts {
  total: Counts;
  /** From each of `starts` to the next, the last to the end of the span. */
  stretches: Counts[];
  /** The middle length of its visits; null without visits, or when it is not wanted. */
  medianMs: number | null;
  /** Null: not wanted. */
  presence: Presence | null;
}

export const BOUNCE_MS = 10_000;

/** Answers each span of the question. @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function querySeries(parts: AnswerParts, question: Question): Promise<SpanCounts[]> {
  const { ready, traced } = await prepare(parts, question, null, question.views);
  return Promise.all(
    question.spans.map(async (span, at) => {
      const edges = edgesOf(span);
      const groups = edges.length - 1;
      const counting = countEventsOf(ready, edges, at);
      // Without a filter, visits need not wait for what is known of events.
      const choosing =
        ready.conditions === null
          ? visitsOf(ready, null, at)
          : counting.then(({ sessions }) => visitsOf(ready, sessions, at));
      const visiting = choosing.then((choice) => countSessionsOf(ready, edges, choice));
      const [seen, visited, medianMs] = await Promise.all([
        counting.then((events) => mergeTallies(ready, groups, events.parts)),
        visiting.then((visits) => mergeTallies(ready, groups, visits)),
        question.withMedian && at === 0 ? choosing.then((choice) => medianLengthOf(ready, span, choice)) : null,
      ]);
      return {
        total: totalOf(seen, visited),
        stretches: placesOf(span).map((place) => (place === null ? NOTHING : countsAt(seen, visited, place))),
        medianMs,
        presence: question.presence ? await presenceOf(ready.gathered, span, traced) : null,
      };
    }),
  );
}

/** Dimension of a table, with its column. */
export interface By {
  of: 'events' | 'sessions';
  column: string;
  reading: Reading;
}

export interface Prepared {
  ready: CountParts;
  /** Values by table. */
  values: GroupValues[];
  /** Numbers of the names that `presence` lists. */
  traced: ReadonlyMap<string, number>;
  /** Counts what was done; null: nothing is asked for. */
  done: CountParts | null;
}

/**
 * Gathers the data of a query in one snapshot.
 * @param tables the tables to compute; null: only totals
 * @param names counted event names; null: all
 * @param more event names counted without a table, whether persons are needed, properties outside of groups, and
 * conversions to count
 */
export async function prepare(
  parts: AnswerParts,
  question: Question,
  tables: readonly By[] | null,
  names: readonly string[] | null,
  {
    countsEvents = tables === null,
    countsPersons = true,
    needsTimes = false,
    properties: others = [],
    selection = null,
  }: More = {},
): Promise<Prepared> {
  const { projectId, filters, spans, include = [] } = question;
  const needs = needsOfChoice(question);
  const ofDone = selection && needsOfSelections([selection]);
  const properties = [...others, ...(ofDone?.properties ?? [])];
  const countsVisits = tables === null || tables.some(({ of }) => of === 'sessions');
  const findsVisits = countsVisits && leftAlone(include) !== null;
  const named = eventColumns(needs, tables, { countsEvents, countsPersons }, findsVisits);
  if (needsTimes) named.push('ts');
  const ofEvents =
    ofDone === null ? named : [...new Set([...named, 'event', 'marks', 'person', 'session', ...ofDone.columns])];
  const idle = Promise.withResolvers<void>();
  const wanted = {
    projectId,
    spans,
    eventColumns: ofEvents,
    timesAt: ofEvents.length === 0 ? undefined : spans.flatMap(edgesOf),
    properties: [...new Set([...(needs?.properties ?? []), ...properties])],
    sessionColumns: sessionColumns(
      [...(needs?.sessionColumns ?? []), ...(ofDone?.sessionColumns ?? [])],
      tables,
      countsVisits,
      tables === null || question.withLengths !== false,
    ),
    later: laterOf([...(needs?.properties ?? []), ...(ofDone?.properties ?? [])], tables, properties),
    // A set of persons needs columns as well, which would wait for this.
    whenIdle: question.people ? undefined : idle.promise,
    toEndOfVisits: countsVisits && (needs !== null || findsVisits || selection !== null),
  };
  // Its beginning takes as long as the reading.
  parts.threads.warm();
  const finds: SessionTest[] = [];
  const { values, traced, selected, ...ready } = await parts.snapshots.withSnapshot(
    projectId,
    wanted.properties,
    async (snapshot) => {
      const { client } = snapshot;
      try {
        const gathered = await gather({ ...parts, snapshot, client }, wanted);
        const { groups, cache } = parts;
        const conditionParts = { client, projectId, groups, cache, gathered, once: snapshot.once };
        const conditions = await conditionsOfChoice(parts, conditionParts, question, finds);
        const selected = selection && (await selectionOf({ ...conditionParts, names: parts.names }, selection, finds));
        const values: GroupValues[] = [];
        for (const by of tables ?? []) values.push(await valuesOf(parts, client, projectId, gathered, by));
        const { presence = [] } = question;
        const found = await parts.names.byName(conditionParts, [...new Set([...(names ?? []), ...presence])]);
        return {
          gathered,
          conditions,
          values,
          selected,
          traced: new Map([...found].filter(([name]) => presence.includes(name))),
          names: names?.flatMap((name) => found.get(name) ?? []) ?? null,
        };
      } finally {
        idle.resolve();
      }
    },
    parts.ending,
  );
  const counts: CountParts = {
    ...ready,
    sets: await findSets(parts, ready.gathered, finds),
    threads: parts.threads,
    cache: parts.cache,
    include,
    listsSessions: needs !== null && countsVisits,
    filterKey: keyOf(filters, include, ready.conditions, ready.gathered),
    personsKey: personsKeyOf(filters, include, ready.conditions, ready.gathered),
    by: null,
    botMark: eventMarks.bot,
    internalMark: eventMarks.internal,
    bounceMs: question.bounceMs ?? BOUNCE_MS,
  };
  const done = selection && selected && partsOfDone(counts, finds, question, selection, selected);
  return { values, traced, done, ready: counts };
}

interface More {
  countsEvents?: boolean;
  countsPersons?: boolean;
  /** Rows are divided at moments that the spans do not tell, and not only at quarters of hours. */
  needsTimes?: boolean;
  properties?: readonly string[];
  selection?: Selection | null;
}

function valuesOf(
  { groups }: AnswerParts,
  client: Parameters<Groups['values']>[0],
  projectId: number,
  gathered: Gathered,
  { of, column, reading }: By,
): Promise<GroupValues> {
  const from = groupsFrom(gathered, projectId, reading.kind);
  return groups.values(client, from, reading, numberedBy(gathered[of], column));
}

function eventColumns(
  needs: Needs | null,
  tables: readonly By[] | null,
  { countsEvents, countsPersons }: { countsEvents: boolean; countsPersons: boolean },
  findsVisits: boolean,
): string[] {
  const columns = new Set<string>();
  const ofEvents = (tables ?? []).filter(({ of }) => of === 'events');
  if (countsEvents || ofEvents.length > 0)
    for (const name of ['event', 'marks', ...(countsPersons ? ['person'] : [])]) columns.add(name);
  for (const { column } of ofEvents) columns.add(column);
  // Counted by fields of their visits.
  if (countsEvents && tables?.some(({ of }) => of === 'sessions')) columns.add('session');
  if (findsVisits) for (const name of ['ts', 'marks', 'session', 'person']) columns.add(name);
  // Visits with a matching event, by any person.
  if (needs !== null) for (const name of ['event', 'session', ...needs.columns]) columns.add(name);
  return [...columns];
}

/** Columns that are only counted may load later; those of conditions and tables must be loaded first. */
function laterOf(
  ofConditions: readonly string[],
  tables: readonly By[] | null,
  properties: readonly string[],
): Set<string> {
  const later = new Set([...ONLY_COUNTED, ...properties.map((name) => PROPERTY + name)]);
  for (const name of ofConditions) later.delete(PROPERTY + name);
  for (const { column } of tables ?? []) later.delete(column);
  return later;
}

const ONLY_COUNTED = [
  'event',
  'marks',
  'person',
  'session',
  'ts',
  QUARTERS,
  'length',
  'views',
  'autocaptures',
  'bot',
  'id',
];

function sessionColumns(
  ofConditions: readonly string[],
  tables: readonly By[] | null,
  countsVisits: boolean,
  withLengths: boolean,
): string[] {
  const columns = new Set<string>(ofConditions);
  const ofVisits = ['ts', 'views', 'bot', ...(withLengths ? ['length', 'autocaptures'] : [])];
  if (countsVisits) for (const name of ofVisits) columns.add(name);
  for (const { of, column } of tables ?? []) if (of === 'sessions') columns.add(column);
  if (columns.size > 0) columns.add('id');
  return [...columns];
}

/** Cache key of a partial result besides its chunk; null: not cacheable. */
function keyOf(
  filters: Filters | null,
  include: readonly Traffic[],
  conditions: Conditions | null,
  gathered: Gathered,
): string | null {
  if (conditions === null) return trafficKey(include);
  return conditions.isImmutable || conditions.isLastingByVisits
    ? `${JSON.stringify([filters, readingsKey(gathered)])}${trafficKey(include)}`
    : null;
}

/** The same for filters on persons, with a digest of each chunk's matches. */
function personsKeyOf(
  filters: Filters | null,
  include: readonly Traffic[],
  conditions: Conditions | null,
  gathered: Gathered,
): string | null {
  if (conditions === null || conditions.isImmutable || !conditions.persons) return null;
  const key = keyOf(filters, include, { ...conditions, isImmutable: true }, gathered);
  return conditions.personsShape === undefined ? key : `${conditions.personsShape} ${key}`;
}

const NOTHING: Counts = {
  visitors: 0,
  views: 0,
  botViews: 0,
  internalViews: 0,
  visits: 0,
  bounced: 0,
  ms: 0,
  visitViews: 0,
};

function countsAt(seen: Merged, visited: Merged, at: number): Counts {
  return {
    visitors: seen.persons[at] as number,
    views: seen.counts[at] as number,
    botViews: seen.others[at] as number,
    internalViews: seen.sums[at] as number,
    visits: visited.counts[at] as number,
    bounced: visited.others[at] as number,
    ms: visited.sums[at] as number,
    visitViews: visited.extras[at] as number,
  };
}

function totalOf(seen: Merged, visited: Merged): Counts {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  return {
    visitors: seen.people,
    views: sum(seen.counts),
    botViews: sum(seen.others),
    internalViews: sum(seen.sums),
    visits: sum(visited.counts),
    bounced: sum(visited.others),
    ms: sum(visited.sums),
    visitViews: sum(visited.extras),
  };
}
