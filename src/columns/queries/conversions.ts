/**
 * Questions about goals: how often something was done in each span, by how many, how many of those are visitors, in how many visits, and
 * what it was worth. Views and what was done are counted in one snapshot, under the same filters.
 */

import { eventMarks } from '#src/events/contract.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import type { ConditionParts } from '../conditions/conditions.ts';
import {
  type Amount,
  needsOfSelections,
  type Selected,
  type Selection,
  selectionOf,
} from '../conditions/selections.ts';
import type { CountParts } from '../count/count-parts.ts';
import { type Counted, countEventsOf, findSets } from '../count/counting.ts';
import { keyOfDone, partsOfDone } from '../count/done.ts';
import { edgesOf, placesOf } from '../count/edges.ts';
import { mergeTallies, shareTallies } from '../count/summing-up.ts';
import { type AmountSums, sumEventsOf } from '../count/sums.ts';
import { trafficKey } from '../filters/traffic.ts';
import type { SessionTest } from '../kernels/count-sessions.ts';
import type { Merged } from '../kernels/merge.ts';
import type { Shared } from '../kernels/share.ts';
import { gather } from '../snapshot/gather.ts';
import { BOUNCE_MS, type Question } from './answer.ts';
import type { AnswerParts } from './answer-parts.ts';
import { conditionsOfChoice, needsOfChoice } from './people.ts';
import { type ChosenVisits, chooseVisits, countVisitsWith, NEEDED_OF_VISITS, type VisitShare } from './visits-with.ts';

/** Conversions of a bucket. */
export interface Conversions {
  /** Persons with a view. */
  visitors: number;
  /** Events. */
  count: number;
  /** Persons who did it. */
  people: number;
  /** Converted persons among the visitors. */
  converted: number;
}

/** Conversions of a span. */
export interface SpanConversions {
  total: Conversions;
  /** Events by bots and of internal traffic: excluded from the others unless the query includes them. */
  botEvents: number;
  internalEvents: number;
  stretches: Conversions[];
  /** Revenue by currency, '' without one; only currencies in the span. */
  sums: AmountSums['sums'];
  /** Events without an amount that can be read; null when amounts are not wanted. */
  unreadable: AmountSums['unreadable'] | null;
  /** Visits that count, and those of them in which it was done, by when they began; null when they are not wanted. */
  visits: { total: VisitShare; stretches: VisitShare[] } | null;
}

/**
 * Conversions for each selection and span.
 * @param byVisit also count converted visits
 * @throws AppError `invalid` for invalid filters, `timeout`
 */
export async function queryConversions(
  parts: AnswerParts,
  question: Question,
  selections: readonly Selection[],
  { byVisit = false }: { byVisit?: boolean | undefined } = {},
): Promise<SpanConversions[][]> {
  const { projectId, spans, include = [], decimal = 'point' } = question;
  const needs = needsOfSelections(selections);
  const more = needsOfChoice(question);
  const sessionColumns = new Set([...(more?.sessionColumns ?? []), ...(byVisit ? NEEDED_OF_VISITS : [])]);
  if (sessionColumns.size > 0) sessionColumns.add('id');
  const ofEvents = ['ts', 'event', 'marks', 'person', ...(byVisit ? ['session'] : [])];
  const wanted = {
    projectId,
    spans,
    toEndOfVisits: byVisit,
    sessionColumns: [...sessionColumns],
    eventColumns: [...new Set([...ofEvents, ...needs.columns, ...(more?.columns ?? [])])],
    properties: [...new Set([...needs.properties, ...(more?.properties ?? [])])],
  };
  parts.threads.warm();
  const finds: SessionTest[] = [];
  const ready = await parts.snapshots.withSnapshot(
    projectId,
    wanted.properties,
    async (snapshot) => {
      const { client } = snapshot;
      const gathered = await gather({ ...parts, snapshot, client }, wanted);
      const { groups, cache } = parts;
      const own: ConditionParts = { client, projectId, groups, cache, gathered, once: snapshot.once };
      const conditions = await conditionsOfChoice(parts, own, question, finds);
      const selected: Selected[] = [];
      for (const each of selections) selected.push(await selectionOf({ ...own, names: parts.names }, each, finds));
      return { gathered, conditions, selected, names: await parts.names.numbers(own, question.views) };
    },
    parts.ending,
  );
  const { gathered, conditions } = ready;
  const views: CountParts = {
    gathered,
    conditions,
    by: null,
    names: ready.names,
    bounceMs: question.bounceMs ?? BOUNCE_MS,
    include,
    listsSessions: byVisit && conditions !== null,
    threads: parts.threads,
    cache: parts.cache,
    botMark: eventMarks.bot,
    internalMark: eventMarks.internal,
    sets: await findSets(parts, gathered, finds),
    filterKey:
      conditions === null ? trafficKey(include) : conditions.isImmutable ? keyOfDone(gathered, question, []) : null,
  };
  const seen = await Promise.all(
    spans.map(async (span, at): Promise<Seen> => {
      const { parts: counted, sessions } = await countEventsOf(views, edgesOf(span), at);
      return { counted, chosen: byVisit ? await chooseVisits(views, sessions, span, at) : null };
    }),
  );
  return Promise.all(
    selections.map((selection, number) => {
      const done = partsOfDone(views, finds, question, selection, ready.selected[number] as Selected);
      const did = { ...done, listsSessions: byVisit };
      return Promise.all(
        spans.map((span, at) => askSpan({ views, did, decimal }, span, at, seen[at] as Seen, selection.amount)),
      );
    }),
  );
}

/** Views of a span, and the visits that count. */
interface Seen {
  counted: Counted[];
  chosen: ChosenVisits | null;
}

/** @param seen of the same span */
async function askSpan(
  { views, did, decimal }: Record<'views' | 'did', CountParts> & { decimal: DecimalSeparator },
  span: Question['spans'][number],
  at: number,
  seen: Seen,
  amount: Amount | null,
): Promise<SpanConversions> {
  const edges = edgesOf(span);
  const groups = edges.length - 1;
  const { parts: done, sessions } = await countEventsOf(did, edges, at);
  const [viewed, counted, shared, sums, visits] = await Promise.all([
    mergeTallies(did, groups, seen.counted),
    mergeTallies(did, groups, done),
    shareTallies(did, groups, seen.counted, done),
    amount === null ? null : sumEventsOf(did, span, at, amount, decimal),
    seen.chosen && countVisitsWith(views, seen.chosen, sessions, span),
  ]);
  return {
    total: {
      visitors: viewed.people,
      count: sumOf(counted.counts),
      people: counted.people,
      converted: shared.people,
    },
    botEvents: sumOf(counted.others),
    internalEvents: sumOf(counted.sums),
    stretches: placesOf(span).map((place) => (place === null ? NOTHING : stretchOf(viewed, counted, shared, place))),
    sums: sums?.sums ?? [],
    unreadable: sums?.unreadable ?? null,
    visits,
  };
}

function sumOf(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

const NOTHING: Conversions = { visitors: 0, count: 0, people: 0, converted: 0 };

function stretchOf(viewed: Merged, counted: Merged, shared: Shared, place: number): Conversions {
  return {
    visitors: viewed.persons[place] as number,
    count: counted.counts[place] as number,
    people: counted.persons[place] as number,
    converted: shared.persons[place] as number,
  };
}
