/**
 * Questions about goals: how often something was done in each span, by how many, how many of those are visitors, and what it was worth.
 * Views and what was done are counted at one moment, under the same filters.
 */
import { eventMarks } from '#src/events/contract.ts';
import { type AnswerParts, BOUNCE_MS, type Question } from './answer.ts';
import type { ConditionParts } from './conditions.ts';
import { type Counted, type CountParts, countEventsOf, findSets } from './counting.ts';
import { edgesOf, placesOf } from './edges.ts';
import { type Gathered, gather } from './gather.ts';
import type { SessionTest } from './kernels/count-sessions.ts';
import type { Merged } from './kernels/merge.ts';
import type { Shared } from './kernels/share.ts';
import { conditionsOfChosen, needsOfChosen } from './people.ts';
import { type Amount, needsOfSelections, type Selected, type Selection, selectionOf } from './selections.ts';
import { mergeTallies, shareTallies } from './summing-up.ts';
import { currenciesOf, sumEventsOf } from './sums.ts';
import { takenIn } from './traffic.ts';

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
}

/** For each selection, each span of the question. @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function askConversions(
  parts: AnswerParts,
  question: Question,
  selections: readonly Selection[],
): Promise<SpanConversions[][]> {
  const { projectId, spans, include = [] } = question;
  const needs = needsOfSelections(selections);
  const more = needsOfChosen(question);
  const sessionColumns = new Set(more?.sessionColumns);
  if (sessionColumns.size > 0) sessionColumns.add('id');
  const wanted = {
    ...{ projectId, spans, toEndOfVisits: false, sessionColumns: [...sessionColumns] },
    eventColumns: [...new Set(['ts', 'event', 'marks', 'person', ...needs.columns, ...(more?.columns ?? [])])],
    properties: [...new Set([...needs.properties, ...(more?.properties ?? [])])],
  };
  parts.threads.warm();
  const finds: SessionTest[] = [];
  const ready = await parts.moments.at(projectId, wanted.properties, async (moment) => {
    const { client } = moment;
    const gathered = await gather({ ...parts, moment, client }, wanted);
    const own: ConditionParts = { client, projectId, groups: parts.groups, gathered, once: moment.once };
    const rare = gathered.rare.filter((name) => more?.properties.includes(name));
    if (rare.length > 0) question.onRare?.(rare);
    const conditions = await conditionsOfChosen(parts, own, question, finds);
    const selected: Selected[] = [];
    for (const each of selections) selected.push(await selectionOf({ ...own, names: parts.names }, each, finds));
    return { gathered, conditions, selected, names: await parts.names.numbers(client, projectId, question.views) };
  });
  const { gathered, conditions } = ready;
  const views: CountParts = {
    ...{ gathered, conditions, by: null, names: ready.names, listsSessions: false, bounceMs: BOUNCE_MS, include },
    ...{ threads: parts.threads, cache: parts.cache, botMark: eventMarks.bot, internalMark: eventMarks.internal },
    sets: await findSets(parts, gathered, finds),
    filterKey: conditions === null ? takenIn(include) : conditions.isLasting ? keyOf(gathered, question, []) : null,
  };
  const seen = await Promise.all(spans.map(async (span, at) => (await countEventsOf(views, edgesOf(span), at)).parts));
  return Promise.all(
    selections.map((selection, number) => {
      const { names, where, isLasting } = ready.selected[number] as Selected;
      const isKept = isLasting && conditions?.isLasting !== false;
      const did: CountParts = {
        ...{ ...views, names, filterKey: isKept ? keyOf(gathered, question, selection.rules) : null },
        conditions: {
          finds,
          isLasting: isKept,
          where: conditions === null ? where : { all: [conditions.where, where] },
        },
      };
      return Promise.all(spans.map((span, at) => askSpan(did, span, at, seen[at] as Counted[], selection.amount)));
    }),
  );
}

/** @param seen views of the same span */
async function askSpan(
  did: CountParts,
  span: Question['spans'][number],
  at: number,
  seen: Counted[],
  amount: Amount | null,
): Promise<SpanConversions> {
  const edges = edgesOf(span);
  const groups = edges.length - 1;
  const done = (await countEventsOf(did, edges, at)).parts;
  const [viewed, counted, shared, sums] = await Promise.all([
    mergeTallies(did, groups, seen),
    mergeTallies(did, groups, done),
    shareTallies(did, groups, seen, done),
    amount === null ? [] : sumsOf(did, span, at, amount),
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

/** What a kept partial result depends on besides its chunk. */
function keyOf(
  { groupVersions }: Gathered,
  { filters, include = [] }: Pick<Question, 'filters' | 'include'>,
  rules: Selection['rules'],
): string {
  return `${JSON.stringify([filters, rules, [...groupVersions]])}${takenIn(include)}`;
}
