/**
 * Questions about goals: how often something was done in each span, by how many, how many of those are visitors, in how many visits, and
 * what it was worth. Views and what was done are counted in one snapshot, under the same filters.
 */

import { eventMarks } from '#src/events/contract.ts';
import type { ConditionParts } from '../conditions/conditions.ts';
import {
  type Amount,
  needsOfSelections,
  type Selected,
  type Selection,
  selectionOf,
} from '../conditions/selections.ts';
import { type Counted, type CountParts, countEventsOf, findSets } from '../count/counting.ts';
import { keyOfDone, partsOfDone } from '../count/done.ts';
import { edgesOf, placesOf } from '../count/edges.ts';
import { mergeTallies, shareTallies } from '../count/summing-up.ts';
import { currenciesOf, sumEventsOf } from '../count/sums.ts';
import { takenIn } from '../filters/traffic.ts';
import type { SessionTest } from '../kernels/count-sessions.ts';
import type { Merged } from '../kernels/merge.ts';
import type { Shared } from '../kernels/share.ts';
import { gather } from '../snapshot/gather.ts';
import { type AnswerParts, BOUNCE_MS, type Question } from './answer.ts';
import { conditionsOfChosen, needsOfChosen } from './people.ts';
import { type ChosenVisits, chooseVisits, countVisitsWith, NEEDED_OF_VISITS, type VisitShare } from './visits-with.ts';

/** What was done in a stretch of time. */
export interface Conversions {
  /** Persons with a view. */
  visitors: number;
  /** Events. */
  count: number;
  /** Persons who did it. */
  people: number;
  /** Those of them who are visitors. */
  converted: number;
}

/** What events of one currency were worth. */
export interface Sum {
  /** Events that say an amount. */
  count: number;
  /** In ten-thousandths of the currency's unit. */
  parts: number;
}

/** What was done in a span. */
export interface SpanConversions {
  total: Conversions;
  /** Events by bots, and of the team's own: left out of the others unless the question takes them in. */
  botEvents: number;
  internalEvents: number;
  stretches: Conversions[];
  /** By currency, '' for what names none; only those that occur in the span. */
  sums: { currency: string; total: Sum; stretches: Sum[] }[];
  /** Visits that count, and those of them in which it was done, by when they began; null when they are not wanted. */
  visits: { total: VisitShare; stretches: VisitShare[] } | null;
}

/**
 * For each selection, each span of the question.
 * @param byVisit in how many visits is wanted too
 * @throws AppError `invalid` for filters that cannot be, `timeout`
 */
export async function askConversions(
  parts: AnswerParts,
  question: Question,
  selections: readonly Selection[],
  { byVisit = false }: { byVisit?: boolean | undefined } = {},
): Promise<SpanConversions[][]> {
  const { projectId, spans, include = [] } = question;
  const needs = needsOfSelections(selections);
  const more = needsOfChosen(question);
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
  const ready = await parts.snapshots.withSnapshot(projectId, wanted.properties, async (snapshot) => {
    const { client } = snapshot;
    const gathered = await gather({ ...parts, snapshot, client }, wanted);
    const { groups, cache } = parts;
    const own: ConditionParts = { client, projectId, groups, cache, gathered, once: snapshot.once };
    const rare = gathered.rare.filter((name) => more?.properties.includes(name));
    if (rare.length > 0) question.onRare?.(rare);
    const conditions = await conditionsOfChosen(parts, own, question, finds);
    const selected: Selected[] = [];
    for (const each of selections) selected.push(await selectionOf({ ...own, names: parts.names }, each, finds));
    return { gathered, conditions, selected, names: await parts.names.numbers(own, question.views) };
  });
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
      conditions === null ? takenIn(include) : conditions.isImmutable ? keyOfDone(gathered, question, []) : null,
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
        spans.map((span, at) => askSpan({ views, did }, span, at, seen[at] as Seen, selection.amount)),
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
  { views, did }: Record<'views' | 'did', CountParts>,
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
    amount === null ? [] : sumsOf(did, span, at, amount),
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
    sums,
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

async function sumsOf(
  did: CountParts,
  span: Question['spans'][number],
  at: number,
  amount: Amount,
): Promise<SpanConversions['sums']> {
  const currencies = currenciesOf(did.gathered, amount);
  const edges = edgesOf(span);
  const slots = edges.length - 1;
  const { counts, sums } = await mergeTallies(
    did,
    slots * currencies.length,
    await sumEventsOf(did, edges, at, amount, currencies),
  );
  return currencies.flatMap((currency, number) => {
    const sumAt = (slot: number): Sum => {
      const group = slot * currencies.length + number;
      return { count: counts[group] as number, parts: sums[group] as number };
    };
    const total = { count: 0, parts: 0 };
    for (let slot = 0; slot < slots; slot++) {
      const { count, parts } = sumAt(slot);
      total.count += count;
      total.parts += parts;
    }
    if (total.count === 0) return [];
    return {
      currency,
      total,
      stretches: placesOf(span).map((place) => (place === null ? { count: 0, parts: 0 } : sumAt(place))),
    };
  });
}
