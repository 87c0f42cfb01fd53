/** The people and groups behind a number, with what they did: the same as those of the engine (src/columns/queries/point-people.ts). */
import type { FiguresQuery, PointGroups, PointPeople, PointQuestion } from '#src/columns/columns.ts';
import { type FiguresPart, type PersonFigures, sumFigures } from '#src/columns/kernels/person-figures.ts';
import { actorsOf, spanOfTrend } from '#src/columns/queries/point-people.ts';
import { groupTypeOf, isGroupSubject } from '#src/columns/values.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { currencyBeside, type DecimalSeparator, numberOf, readCurrency } from '#src/kit/numbers/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { querySet } from '../text.ts';
import { activityActors, wholeOfActivity } from './activity.ts';
import { numberedGroups } from './actors.ts';
import { MAX_NUMBERS } from './conditions.ts';
import { fromEvents, person, type QueryParts, type Span, Unsupported } from './events.ts';
import { funnelPeople } from './funnel.ts';
import { pathsIn, wholeOfPaths } from './paths.ts';
import { type FoundActors, trendActors } from './point-trends.ts';
import { retentionActors, wholeOfRetention } from './retention.ts';
import { rulesSql, scopeSql } from './scope.ts';

/** A number of an answer, with its conditions placed. */
type PlacedPoint = PointQuestion & { projectId: number; decimal?: DecimalSeparator };

/** @throws Unsupported for too many people, and for numbers of groups */
export async function clickhousePointPeople(
  parts: QueryParts,
  placed: PlacedPoint & { figures: FiguresQuery },
): Promise<PointPeople> {
  const question = questionOf(placed);
  if (isGroupSubject(actorsOf(question))) throw new Unsupported('people of groups');
  const { value, actors } = await actorsAt(parts, question, null);
  const people = Int32Array.from(actors, ({ actor }) => actor);
  const times = Int32Array.from(actors, (each) => each.times);
  const { figures, decimal } = placed;
  return { value, people, times, ...(await figuresOf(parts, { ...figures, decimal: decimal ?? 'point' }, people)) };
}

/** @throws Unsupported for too many groups, and for numbers of people */
export async function clickhousePointGroups(parts: QueryParts, placed: PlacedPoint): Promise<PointGroups> {
  const question = questionOf(placed);
  const of = actorsOf(question);
  if (!isGroupSubject(of)) throw new Unsupported('groups of people');
  const { number, keys } = await numberedGroups(parts, of, wholeOf(question));
  const { value, actors } = await actorsAt(parts, question, number);
  return {
    value,
    type: groupTypeOf(of),
    keys: actors.map(({ actor }) => keys[actor - 1] ?? ''),
    times: actors.map(({ times }) => times),
  };
}

function questionOf({ kind, asked, point, decimal = 'point' }: PlacedPoint): PointQuestion {
  return { kind, point, asked: { ...asked, decimal } } as PointQuestion;
}

/** Time of all events that matter to a number. */
function wholeOf(question: PointQuestion): Span {
  switch (question.kind) {
    case 'trends': {
      const { from, until } = spanOfTrend(question.asked);
      return { from: Math.min(from, question.asked.first ?? from), until };
    }
    case 'funnel':
      return question.asked.span;
    case 'retention':
      return wholeOfRetention(question.asked);
    case 'paths':
      return wholeOfPaths(question.asked);
    case 'activity':
      return wholeOfActivity(question.asked);
  }
}

/** @param actor SQL: number of the group of an event; null: persons are counted */
async function actorsAt(parts: QueryParts, question: PointQuestion, actor: Sql | null): Promise<FoundActors> {
  const found = await foundAt(parts, question, actor);
  if (found.actors.length > MAX_NUMBERS) throw new Unsupported('too many people');
  return found;
}

async function foundAt(parts: QueryParts, question: PointQuestion, actor: Sql | null): Promise<FoundActors> {
  switch (question.kind) {
    case 'trends':
      return trendActors(parts, question, actor);
    case 'funnel': {
      const behind = await funnelPeople(parts, question.asked, question.point, actor);
      if (behind === null) return NOBODY;
      return { value: behind.length, actors: counted(behind.map((each) => each.person)) };
    }
    case 'retention': {
      const { asked, point } = question;
      const { edges, columns } = asked;
      const back = await retentionActors(parts, asked, point, actor);
      const begins = point.later === null ? 0 : (columns[point.later]?.from ?? Number.POSITIVE_INFINITY);
      const hasBegun = point.period + begins < edges.length - 1;
      return back === null ? NOBODY : { value: hasBegun ? back.length : null, actors: counted(back) };
    }
    case 'paths': {
      const { asked, point } = question;
      const { paths, picked } = await pathsIn(parts, asked, { pick: point, actor });
      const actors = Array.from(picked.people, (each, at) => ({ actor: each, times: picked.times[at] as number }));
      if ('node' in point) return { value: actors.reduce((sum, { times }) => sum + times, 0), actors };
      const { step, from, to } = point;
      const edge = paths.edges.find((each) => each.step === step && each.from === from && each.to === to);
      return { value: edge?.count ?? 0, actors };
    }
    case 'activity': {
      const active = await activityActors(parts, question.asked, question.point, actor);
      return { value: active.length, actors: counted(active) };
    }
  }
}

const NOBODY: FoundActors = { value: null, actors: [] };

/** Each once, in order, with how often it is there. */
function counted(numbers: readonly number[]): FoundActors['actors'] {
  const times = new Map<number, number>();
  for (const number of numbers) if (number !== 0) times.set(number, (times.get(number) ?? 0) + 1);
  return [...times].map(([actor, own]) => ({ actor, times: own })).sort((one, other) => one.actor - other.actor);
}

/** What people did in a span, in their order. */
async function figuresOf(parts: QueryParts, asked: FiguresQuery, people: Int32Array): Promise<PersonFigures> {
  const plan = { mergedInto: null, people };
  if (people.length === 0) return sumFigures(plan, []);
  const { projectId, include, span, amounts } = asked;
  const scope = await scopeSql(parts, { projectId, filters: null, include }, span);
  const own = sql`${scope} and ${person} in ${querySet(people)}`;
  const rows = await parts.house.query<{ actor: number; times: number; last: number; visits: number[] }>(
    sql`select ${person} as actor, count() as times, max(ts) as last, groupUniqArrayIf(events.session_id, events.session_id <> 0) as visits
          ${fromEvents(parts, span, own)} group by actor`,
  );
  let ends = 0;
  const placeOf = new Map(rows.map(({ actor }, place) => [actor, place]));
  const part: FiguresPart = {
    persons: Int32Array.from(rows, ({ actor }) => actor),
    events: Int32Array.from(rows, ({ times }) => times),
    lastSeen: Float64Array.from(rows, ({ last }) => last),
    visits: Float64Array.from(rows.flatMap(({ visits }) => visits)),
    visitEnds: Int32Array.from(rows, ({ visits }) => {
      ends += visits.length;
      return ends;
    }),
    ...(amounts.length === 0 ? NOTHING_PAID : await paidBy(parts, asked, own, placeOf)),
  };
  return sumFigures(plan, [part]);
}

type Paid = Pick<FiguresPart, 'currencies' | 'paid' | 'paidIn' | 'sums'>;

const NOTHING_PAID: Paid = {
  currencies: [],
  paid: new Int32Array(0),
  paidIn: new Int32Array(0),
  sums: new Float64Array(0),
};

interface PaidRow {
  actor: number;
  /** By amount of the query: its value as JSON; '': the event has none. */
  amounts: string[];
  currencies: string[];
  times: number;
}

/** More different amounts of people are left to the engine. */
const MAX_AMOUNTS = 200_000;

async function paidBy(
  parts: QueryParts,
  { span, amounts, decimal = 'point' }: FiguresQuery,
  own: Sql,
  placeOf: ReadonlyMap<number, number>,
): Promise<Paid> {
  const rules = await Promise.all(amounts.map((each) => rulesSql(parts, each.rules, span)));
  const said = (property: string | null, at: number) =>
    property === null ? sql`''` : sql`if(${rules[at]}, properties[${property}], '')`;
  const rows = await parts.house.query<PaidRow>(
    sql`select ${person} as actor, [${sql.join(amounts.map(({ amount }, at) => said(amount.property, at)))}] as amounts,
               [${sql.join(amounts.map(({ amount }, at) => said(amount.currencyProperty, at)))}] as currencies, count() as times
          ${fromEvents(parts, span, sql`${own} and (${sql.join(rules, sql` or `)})`)}
         group by actor, amounts, currencies limit ${MAX_AMOUNTS + 1}`,
  );
  if (rows.length > MAX_AMOUNTS) throw new Unsupported('too many amounts');
  const currencies: string[] = [];
  const sums = new Map<string, { place: number; currency: number; sum: number }>();
  for (const row of rows) {
    const place = placeOf.get(row.actor);
    const worth = worthOf(row, amounts, decimal);
    if (place === undefined || worth === null) continue;
    let currency = currencies.indexOf(worth.currency);
    if (currency < 0) currency = currencies.push(worth.currency) - 1;
    const sum = sums.get(`${place} ${currency}`) ?? { place, currency, sum: 0 };
    sum.sum += worth.amount * row.times;
    sums.set(`${place} ${currency}`, sum);
  }
  const all = [...sums.values()];
  return {
    currencies,
    paid: Int32Array.from(all, ({ place }) => place),
    paidIn: Int32Array.from(all, ({ currency }) => currency),
    sums: Float64Array.from(all, ({ sum }) => sum),
  };
}

/** The first amount of an event that can be read; null: it has none. */
function worthOf(
  row: PaidRow,
  amounts: FiguresQuery['amounts'],
  decimal: DecimalSeparator,
): { amount: number; currency: string } | null {
  for (const [at, { amount: asked }] of amounts.entries()) {
    const value = valueIn(row.amounts[at]);
    const amount = numberOf(value, decimal);
    if (Number.isNaN(amount)) continue;
    const otherwise = asked.currency ?? '';
    const named = asked.currencyProperty === null ? null : readCurrency(valueIn(row.currencies[at]), otherwise);
    return { amount, currency: named ?? currencyBeside(value, otherwise) ?? otherwise };
  }
  return null;
}

/** The value of a property, as JSON; '' where there is none. */
function valueIn(json = ''): JsonValue {
  return json === '' ? null : (JSON.parse(json) as JsonValue);
}
