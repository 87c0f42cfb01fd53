/** Questions that follow people over time: equal to the plain reference implementations, for any history and query. */

import type { Filters } from '#src/columns/contract.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import type { InsightKind, QueryInput } from '#src/insights/define.ts';
import {
  type FunnelInput,
  type FunnelResult,
  type FunnelResultRow,
  funnelInput,
} from '#src/insights/kinds/funnel/contract.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import type { LifecycleInput } from '#src/insights/kinds/lifecycle/contract.ts';
import type { OverviewInput } from '#src/insights/kinds/overview/contract.ts';
import type { PathsInput } from '#src/insights/kinds/paths/contract.ts';
import type { RetentionInput } from '#src/insights/kinds/retention/contract.ts';
import type { StickinessInput } from '#src/insights/kinds/stickiness/contract.ts';
import type { TrendsInput, TrendsResult } from '#src/insights/kinds/trends/contract.ts';
import { createQueryCache } from '#src/insights/query/cache.ts';
import type { PeopleQuery } from '#src/insights/query/people/contract.ts';
import { peopleOf } from '#src/insights/query/people/people.ts';
import { findRules } from '#src/insights/query/people/rules.ts';
import { resolveRange } from '#src/insights/query/ranges.ts';
import { runQuery } from '#src/insights/query/run-query.ts';
import type { QueryScope } from '#src/insights/query/scope.ts';
import { letterOf } from '#src/kit/formula/values.ts';
import { uuidV5 } from '#src/kit/ids.ts';
import { zoneOf } from '#src/kit/zone.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { useEngine } from '../engine.ts';
import { type Case, cases, finishedEvent, wishes, withRareProperties } from '../histories.ts';
import { type Happened, numberSaid, Reference } from '../reference.ts';
import {
  type ExplainedRow,
  expectFunnelRows,
  expectPathsRows,
  expectRetentionRows,
  expectTrendsRows,
  explaining,
} from './explained.ts';
import { type FoundPeople, peopleBehind, personsOf } from './point-people.ts';
import { lifecycleOf, lifecyclePeopleOf, stickinessOf, stickyPeopleOf } from './reference-activity.ts';
import {
  type Attempt,
  attemptsOf,
  cohortPeopleOf,
  cohortsOf,
  columnsOf,
  type FunnelWish,
  startValues,
  transitionsOf,
  valuedAttempts,
} from './reference-follow.ts';
import {
  type By,
  binOf,
  binsOf,
  countedBy,
  daysUpTo,
  eventsOf,
  figureOf,
  type Measure,
  type Rule,
  rankedValues,
  saidBy,
  valuesOf,
  visitsOf,
  visitsWith,
} from './reference-trends.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);

/** Runs a query for itself: nothing is kept. */
function query<Input extends QueryInput, Result>(
  kind: InsightKind<string, Input, Result>,
  project: QueryScope,
  input: Input,
): Promise<Result> {
  const { columns, deps } = engine;
  const cache = createQueryCache(deps.clock, { version: () => null });
  const goals = { get: async () => null, use: async () => null, list: async () => [] };
  return runQuery({ clock: deps.clock, columns, goals, cache }, kind, project, input);
}

/** More of them find what is rare: `MODEL_RUNS=300`. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 12);

/** The same with the types of the database. */
async function explainedRows<Input extends QueryInput>(
  kind: InsightKind<string, Input, unknown>,
  project: QueryScope,
  input: Input,
): Promise<ExplainedRow[]> {
  const { sql } = await query(explaining(kind), project, input);
  return database.query<ExplainedRow>(sql as string);
}

/** Stores the history in a new project; late events are stored later. */
async function arrange({ question, history, batches, seals }: Case): Promise<QueryScope> {
  const { timeZone, weekStart, now } = question;
  engine.deps.clock.set(now);
  const project = await engine.projects.create({ name: 'follow', timeZone, weekStart });
  const areRare = batches.length % 2 === 0;
  for (let at = 0, batch = 0; at < history.length; batch++) {
    const some = history.slice(at, at + (batches[batch % batches.length] as number));
    const first = at;
    const events = some.map((each, place) => ({
      ...finishedEvent(project.id, each),
      receivedAt: now + first + place,
    }));
    await engine.events.store(areRare ? events.map(withRareProperties) : events);
    at += some.length;
    if (seals[batch % seals.length]) await engine.columns.seal();
    if (seals[batch % seals.length] && batch === 1) await engine.columns.runMaintenance();
  }
  return { ...project, seesPersons: true };
}

/** What happened happens again, so many ms before. */
const copies = [1, 600_001, 1_500_001, 10_800_001];

/** Histories in which few persons do few things, often at the same moment, beside those of all sorts. */
const crowded: fc.Arbitrary<Case> = fc
  .tuple(
    cases,
    fc.array(fc.constantFrom('$pageview', '$screen', 'ping'), { minLength: 60, maxLength: 60 }),
    fc.constantFrom(900_000, 7_200_000, null),
    fc.boolean(),
  )
  .map(([given, names, round, hasFilters]) => {
    if (round === null) return given;
    const { now, filters, ...question } = given.question;
    const fewer = (id: string) => id.replace(/\d+$/, (number) => String(Number(number) % 2));
    return {
      ...given,
      question: { ...question, now, preset: 'last_30_days', ...(hasFilters && { filters }) },
      history: given.history.flatMap(({ anonymousId, ...each }, at) =>
        copies.map((later, copy) => ({
          ...each,
          uuid: uuidV5(`${each.uuid} ${copy}`),
          event: copy === 0 && each.event === '$identify' ? each.event : (names[(at + copy) % names.length] as string),
          distinctId: fewer(each.distinctId),
          ts: now - Math.floor((now - each.ts) / 20 / round) * round - later,
          path: ['/', '/a', '/b', null, each.path][(at * 3 + copy) % 5] as string | null,
          bot: each.bot && copy === 1,
          internal: false,
          // Each of the two people has a browser of their own: who is who does not depend on the order in which it is said.
          ...(copy === 0 &&
            anonymousId !== undefined && { anonymousId: fewer(each.distinctId.replace('user', 'browser')) }),
        })),
      ),
    };
  });

/** Of the last hours, by the minute: only trends have them. */
const recent: fc.Arbitrary<Case> = fc
  .tuple(cases, fc.constantFrom('last_hour', 'last_30_minutes'), fc.constantFrom('previous' as const, 'none' as const))
  .map(([given, preset, compare]) => ({
    ...given,
    question: { ...given.question, preset, compare },
    interval: 'minute' as Case['interval'],
    history: given.history.map((each) => {
      const before = given.question.now - each.ts;
      return { ...each, ts: before < 0 ? each.ts : given.question.now - (before % 9_000_000) };
    }),
  }));

const rule: fc.Arbitrary<Rule> = fc.record(
  {
    event: fc.constantFrom('$pageview', '$screen', '$autocapture', 'ping', '$identify', 'never', null),
    filters: wishes,
  },
  { requiredKeys: ['event'] },
);
const rules = fc.array(rule, { minLength: 1, maxLength: 2 });

const breakdowns = fc.constantFrom(null, '$pathname', '$browser', 'plan', 'name');

function breakdownOf(by: string | null): Pick<TrendsInput, 'breakdown'> {
  if (by === null) return {};
  return { breakdown: by === 'name' ? { about: 'name' } : { about: 'event', name: by } };
}

function expectClose(found: number | null | undefined, wanted: number | null): void {
  if (wanted === null || found === null || found === undefined) expect(found).toBe(wanted);
  else expect(found).toBeCloseTo(wanted, 6);
}

/** Common input of all queries: range, filters, people, included traffic. */
function scopeOf({ question }: Case, wish: PeopleWish | null) {
  const { preset, filters, include } = question;
  return {
    range: preset,
    ...(filters && { filters }),
    ...(include && { include }),
    ...(wish && { people: peopleQuery(wish) }),
  } as Pick<TrendsInput, 'range' | 'filters' | 'include' | 'people'>;
}

interface PeopleWish {
  match: 'all' | 'any';
  of: (
    | { did: Rule[]; times: number; within: string; not: boolean }
    | { listed: string[]; not: boolean }
    | { firstSeen: string; not: boolean }
    | { firstDid: Rule[]; within: string; not: boolean }
    | { stopped: Rule[]; within: string; not: boolean }
    | { sequence: Rule[][]; days: number; within: string; not: boolean }
  )[];
}

const people: fc.Arbitrary<PeopleWish | null> = fc.option(
  fc.record({
    match: fc.constantFrom('all' as const, 'any' as const),
    of: fc.array(
      fc.oneof(
        fc.record({
          did: rules,
          times: fc.integer({ min: 1, max: 3 }),
          within: fc.constantFrom('today', 'last_7_days', 'last_30_days', 'last_12_months'),
          not: fc.boolean(),
        }),
        fc.record({ firstSeen: fc.constantFrom('today', 'last_7_days', 'last_30_days'), not: fc.boolean() }),
        fc.record({
          firstDid: rules,
          within: fc.constantFrom('today', 'last_7_days', 'last_30_days'),
          not: fc.boolean(),
        }),
        fc.record({
          stopped: rules,
          within: fc.constantFrom('today', 'last_7_days', 'last_30_days'),
          not: fc.boolean(),
        }),
        fc.record({
          sequence: fc.array(rules, { minLength: 2, maxLength: 3 }),
          days: fc.constantFrom(1, 7, 365),
          within: fc.constantFrom('today', 'last_7_days', 'last_30_days', 'last_12_months'),
          not: fc.boolean(),
        }),
        fc.record({
          listed: fc.subarray(['browser 0', 'browser 1', 'browser 2', 'user 0', 'nobody']),
          not: fc.boolean(),
        }),
      ),
      { maxLength: 2 },
    ),
  }),
  { freq: 2 },
);

function peopleQuery({ match, of }: PeopleWish) {
  return {
    match,
    of: of.map((each) => {
      if ('listed' in each) return { not: each.not, listed: { distinctIds: each.listed, persons: [] } };
      if ('did' in each) return { ...each, did: { any: each.did } };
      if ('firstDid' in each) return { ...each, firstDid: { any: each.firstDid } };
      if ('stopped' in each) return { ...each, stopped: { any: each.stopped } };
      return 'sequence' in each ? { ...each, sequence: each.sequence.map((any) => ({ any })) } : each;
    }),
  };
}

/** Whether a person is one of them. */
function isOneOf({ history, question }: Case, wish: PeopleWish | null): (person: string) => boolean {
  if (wish === null || wish.of.length === 0) return () => true;
  const sets = wish.of.map((each) => {
    const { filters: _, include: __, ...plain } = question;
    const preset = 'listed' in each ? plain.preset : 'firstSeen' in each ? each.firstSeen : each.within;
    const reference = new Reference(history, { ...plain, preset });
    if ('listed' in each) return { not: each.not, has: new Set(each.listed.map(reference.personOf)) };
    if ('firstSeen' in each || 'firstDid' in each) {
      const firsts = new Map<string, number>();
      for (const { distinctId, ts } of eventsOf(reference, 'firstDid' in each ? each.firstDid : [{ event: null }])) {
        const person = reference.personOf(distinctId);
        firsts.set(person, Math.min(ts, firsts.get(person) ?? ts));
      }
      const came = [...firsts].filter(([, ts]) => reference.current(ts));
      return { not: each.not, has: new Set(came.map(([person]) => person)) };
    }
    if ('stopped' in each) {
      // Ranges up to now: what is not in them was before.
      const past = eventsOf(reference, each.stopped).filter(({ ts }) => ts < plain.now);
      const personsWith = (isWhen: boolean) =>
        past
          .filter(({ ts }) => reference.current(ts) === isWhen)
          .map(({ distinctId }) => reference.personOf(distinctId));
      const since = new Set(personsWith(true));
      return { not: each.not, has: new Set(personsWith(false).filter((person) => !since.has(person))) };
    }
    if ('sequence' in each) {
      const wish: FunnelWish = {
        steps: each.sequence,
        order: 'ordered',
        windowMs: each.days * 86_400_000,
        exclusions: [],
        per: 'persons',
      };
      const whole = attemptsOf(reference, wish, () => true, plain.now).attempts.filter((attempt) => attempt.at(-1));
      return { not: each.not, has: new Set(whole.map(([first]) => reference.personOf(first?.distinctId ?? ''))) };
    }
    const done = eventsOf(reference, each.did).filter(({ ts }) => reference.current(ts));
    const by = done.map(({ distinctId }) => reference.personOf(distinctId));
    return {
      not: each.not,
      has: new Set(by.filter((one) => by.filter((other) => other === one).length >= each.times)),
    };
  });
  return (person) => {
    const answers = sets.map(({ has, not }) => has.has(person) !== not);
    return wish.match === 'all' ? !answers.includes(false) : answers.includes(true);
  };
}

const measures = fc.constantFrom<Measure>(
  ...['events', 'persons', 'visits', 'dau', 'wau', 'mau', 'firstEver', 'firstMatching'],
  ...['mean', 'max', 'median', 'p90'].map((eventsPerPerson) => ({ eventsPerPerson })),
  ...['sum', 'mean', 'min', 'p75', 'p99'].map((as) => ({ property: 'plan', as })),
);
const activeDays: Record<string, number> = { dau: 1, wau: 7, mau: 30 };

type BinsWish = { edges: number[] } | { count: number; by: 'width' | 'quantile' };
interface PartWish {
  name: string;
  bins: BinsWish | null;
}

/** What trends are divided by: mostly one property, also several, and intervals of its numbers. */
const parts: fc.Arbitrary<PartWish[]> = fc.oneof(
  breakdowns.map((name) => (name === null ? [] : [{ name, bins: null }])),
  fc.array(
    fc.record({
      name: fc.constantFrom('$pathname', '$browser', 'plan', 'name'),
      bins: fc.option(
        fc.oneof(
          fc.constantFrom<BinsWish>({ edges: [1] }, { edges: [-1, 2, 10.5] }),
          fc.record({
            count: fc.integer({ min: 2, max: 4 }),
            by: fc.constantFrom('width' as const, 'quantile' as const),
          }),
        ),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
);

function partsAsked(wish: readonly PartWish[]): Pick<TrendsInput, 'breakdown'> {
  const asked = wish.map(({ name, bins }) =>
    name === 'name' ? { about: 'name' as const } : { about: 'event' as const, name, ...(bins && { bins }) },
  );
  const [only] = asked;
  if (only === undefined) return {};
  return { breakdown: asked.length === 1 ? only : asked };
}

function numbersOf(counted: readonly Happened[], name: string): number[] {
  return counted.flatMap((each) => {
    const said = saidBy(each, name);
    return said === '' || Number.isNaN(numberSaid(said)) ? [] : [numberSaid(said)];
  });
}

/** The query is refused since a property that is divided by itself has values and no numbers. */
async function expectNoNumbers(found: Promise<TrendsResult>, wish: readonly PartWish[], counted: readonly Happened[]) {
  const refused = await found.then(
    () => null,
    (error: unknown) => error,
  );
  const [, at] = /^breakdown\.(\d)\.bins$/.exec(String((refused as { field?: string }).field)) ?? [];
  const { name, bins } = wish[Number(at)] as PartWish;
  expect(bins).toHaveProperty('count');
  expect(numbersOf(counted, name)).toEqual([]);
  expect(counted).not.toEqual([]);
}

/** How many of these events lack the property. */
function coverageOf(reference: Reference, name: string, events: readonly Happened[]) {
  const isNotSet = { match: 'all', of: [{ about: 'event', name, operator: 'isNotSet', values: [] }] } as Filters;
  const without = events.filter((each) => reference.fulfils(each, isNotSet as never)).length;
  return [{ about: 'event', name, events: events.length, without }];
}

/** What events say of all parts; the intervals are those that were found, once they are as they should be. */
function saidByParts(wish: readonly PartWish[], found: TrendsResult, counted: readonly Happened[]): By {
  for (const [at, { name, bins }] of wish.entries()) {
    const edges = found.edges[at] ?? null;
    if (bins === null || name === 'name') {
      expect(edges).toBeNull();
      continue;
    }
    const numbers = numbersOf(counted, name);
    // Values without a number are refused.
    if ('count' in bins && numbers.length === 0)
      expect(counted.filter((each) => saidBy(each, name) !== '')).toEqual([]);
    const wanted = 'edges' in bins ? bins.edges : binsOf(numbers, bins.count, bins.by);
    expect(edges?.map((edge) => edge.toPrecision(6))).toEqual(wanted.map((edge) => edge.toPrecision(6)));
  }
  if (wish.length === 0) return null;
  return (happened) => {
    const texts = wish.map(({ name }, at) => {
      const edges = found.edges[at] ?? null;
      return edges === null ? saidBy(happened, name) : binOf(saidBy(happened, name), edges);
    });
    return texts.length === 1 ? (texts[0] as string) : JSON.stringify(texts);
  };
}

/** Formulas with their values by the language itself, by how many series they need. */
const formulas: [needed: number, formula: string, value: (a: number, b: number) => number][] = [
  [1, '-(A - 2) * 3 / 4', (a) => (-(a - 2) * 3) / 4],
  [1, 'a / (A - A)', (a) => a / (a - a)],
  [2, '(A+B) ÷ (A − B)', (a, b) => (a + b) / (a - b)],
  [2, 'B / A * 100', (a, b) => (b / a) * 100],
];

/** By what the series came to: null where they came to nothing, or there is nothing to divide by. */
function expectFormula(found: TrendsResult, at: number, value: (a: number, b: number) => number): void {
  const [first, second] = found.series;
  expect(found.formulas[at]?.rows.map((row) => row.value)).toEqual(first?.rows.map((row) => row.value));
  for (const [place, row] of (found.formulas[at]?.rows ?? []).entries()) {
    const [a, b] = [first?.rows[place], second?.rows[place]];
    const wanted = (one: number | null | undefined, other: number | null | undefined): number | null => {
      if (typeof one !== 'number' || (second !== undefined && value.length > 1 && typeof other !== 'number'))
        return null;
      const number = value(one, other ?? 0);
      return Number.isFinite(number) ? number : null;
    };
    expectClose(row.total, wanted(a?.total, b?.total));
    for (const [index, point] of row.points.entries()) expectClose(point, wanted(a?.points[index], b?.points[index]));
    if (row.comparisonPoints === null) expect(row.previous).toBeNull();
    else expectClose(row.previous, wanted(a?.previous, b?.previous));
    for (const [index, point] of (row.comparisonPoints ?? []).entries()) {
      expectClose(point, wanted(a?.comparisonPoints?.[index], b?.comparisonPoints?.[index]));
    }
  }
}

/** The hour of the week of a moment in the range: weekday (0 Sunday) times 24, and the hour; null outside of it. */
function hourOfWeek(reference: Reference, ts: number): number | null {
  if (!reference.current(ts)) return null;
  const clock = reference.clock(ts);
  return new Date(`${clock.slice(0, 10)}T00:00Z`).getUTCDay() * 24 + Number(clock.slice(11, 13));
}

/** @returns an hour in which something happened; null: there was none */
function expectHours(
  reference: Reference,
  cells: readonly (readonly (number | null)[])[],
  numbersIn: (filter: (ts: number) => boolean) => number | null,
): { weekday: number; hour: number } | null {
  expect(cells.map(({ length }) => length)).toEqual(Array.from({ length: 7 }, () => 24));
  const known = new Map<number, number | null>();
  const hourOf = (ts: number) => {
    const hour = known.get(ts) ?? hourOfWeek(reference, ts);
    known.set(ts, hour);
    return hour;
  };
  let busy = null;
  for (const [weekday, hours] of cells.entries()) {
    for (const [hour, figure] of hours.entries()) {
      const wanted = numbersIn((ts) => hourOf(ts) === weekday * 24 + hour);
      if (figure === null) expect(wanted ?? 0).toBe(0);
      else expectClose(figure, wanted);
      if ((figure ?? 0) > 0) busy = { weekday, hour };
    }
  }
  return busy;
}

/** Whether a moment is in a point: in its interval, or in all up to its end. */
function pointOf(
  reference: Reference,
  { interval, starts, range }: TrendsResult,
  index: number,
  isCumulative: boolean,
): (ts: number) => boolean {
  if (!isCumulative) return reference.bucket(interval, starts[index] as number);
  const [start, end] = [starts[index] as number, starts[index + 1] ?? range.to];
  if (start > (range.until ?? range.to)) return () => false;
  return (ts) => reference.current(ts) && ts < end;
}

it('trends', async () => {
  const series = fc.array(fc.record({ rules, measure: measures }), { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ arbitrary: cases, weight: 3 }, recent),
      series,
      parts,
      people,
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      async (given, asked, wish, whose, limit, withFormulas, withHours, isCumulative) => {
        const project = await arrange(given);
        const reference = new Reference(given.history, given.question);
        const own = withFormulas ? formulas.filter(([needed]) => needed <= asked.length) : [];
        const hasHours =
          withHours &&
          given.question.preset !== 'all_time' &&
          asked.every(({ measure }) => typeof measure !== 'string' || activeDays[measure] === undefined);
        const input = {
          ...scopeOf(given, whose),
          ...{ compare: given.question.compare, interval: given.interval, limit },
          ...partsAsked(wish),
          series: asked.map(({ rules: any, measure }) => ({ event: { any }, measure })),
          ...(withFormulas && { formulas: own.map(([, formula]) => ({ formula })) }),
          ...(hasHours && { weeklyHeatmap: true }),
          ...(isCumulative && { cumulative: true }),
        } as TrendsInput;
        const ofAny = eventsOf(
          reference,
          asked.flatMap(({ rules: any }) => any),
          isOneOf(given, whose),
        );
        const counted = ofAny.filter(({ ts }) => reference.current(ts));
        const answer = query(kinds.trends, project, input);
        const found = await answer.catch(() => expectNoNumbers(answer, wish, counted));
        if (found === undefined) return;
        const series = asked.map(({ rules: any }) => eventsOf(reference, any, isOneOf(given, whose)));
        expect(found.coverage).toEqual([
          ...wish.flatMap(({ name }) => (name === 'name' ? [] : coverageOf(reference, name, counted))),
          ...asked.flatMap(({ measure }, at) => {
            const events = (series[at] as Happened[]).filter(({ ts }) => reference.current(ts));
            return typeof measure === 'object' && 'property' in measure
              ? coverageOf(reference, measure.property, events)
              : [];
          }),
        ]);
        for (const [at, [, , value]] of own.entries()) expectFormula(found, at, value);
        if (withFormulas) {
          const hidden = { ...input, series: input.series.map((each) => ({ ...each, hidden: true })) };
          const others = found.series.map((each) => ({ ...each, rows: [] }));
          expect(await query(kinds.trends, project, hidden)).toEqual({ ...found, series: others });
        }
        const names = [...asked.map((_, at) => letterOf(at)), ...found.formulas.map(({ name }) => name)];
        expectTrendsRows(await explainedRows(kinds.trends, project, input), found, names);
        if (asked.some(({ measure }) => measure === 'visits')) await expectVisitsOfOverview(given, project, whose);
        const ofAll = asked.flatMap(({ rules: any, measure }) =>
          countedBy(reference, any, measure, isOneOf(given, whose)),
        );
        const by = saidByParts(wish, found, counted);
        for (const [at, { rules: any, measure }] of asked.entries()) {
          const all = countedBy(reference, any, measure, isOneOf(given, whose));
          const { rows, values } = found.series[at] as (typeof found.series)[number];
          const current = (withFormulas ? ofAll : all).filter(({ ts }) => reference.current(ts));
          const wanted = valuesOf(current, by, limit);
          expect(rows.map(({ value }) => value)).toEqual(wanted);
          expect(values).toBe(by === null ? 1 : new Set(current.map((each) => saidBy(each, by))).size);
          const days = typeof measure === 'string' ? activeDays[measure] : undefined;
          for (const { value, total, points, previous, comparisonPoints, ignored, cells } of rows) {
            const own = all.filter((each) =>
              value === null ? !wanted.includes(saidBy(each, by)) : value === saidBy(each, by),
            );
            const numbersIn = (filter: (ts: number) => boolean) =>
              measure === 'visits'
                ? visitsWith(reference, own, filter)
                : figureOf(
                    reference,
                    own.filter(({ ts }) => filter(ts)),
                    measure,
                  );
            if (days === undefined) expectClose(total, numbersIn(reference.current));
            const isSaid = typeof measure === 'object' && 'property' in measure;
            const words = own.filter(({ ts, plan }) => reference.current(ts) && Number.isNaN(Number(plan ?? 0)));
            expect(ignored).toBe(isSaid ? words.length : 0);
            for (const [index, start] of found.starts.entries()) {
              const figure = points[index] ?? null;
              const end = found.starts[index + 1] ?? found.range.to;
              const bucket = pointOf(reference, found, index, isCumulative);
              if (days !== undefined && (found.running ?? index) < index) continue;
              const wantedFigure = numbersIn(days === undefined ? bucket : daysUpTo(reference, end, days));
              if (figure === null) expect(wantedFigure ?? 0).toBe(0);
              else expectClose(figure, wantedFigure);
              if (comparisonPoints === null || days !== undefined || isCumulative) continue;
              const earlier = numbersIn(reference.comparedBucket(found.interval, start));
              if ((comparisonPoints[index] ?? null) === null) expect(earlier ?? 0).toBe(0);
              else expectClose(comparisonPoints[index], earlier);
            }
            if (cells === null) expect(hasHours).toBe(false);
            else {
              const busy = expectHours(reference, cells, numbersIn);
              if (busy !== null) {
                const behind = await peopleBehind({ engine, database, reference }, kinds.trends, [project, input], {
                  series: at,
                  value,
                  cell: busy,
                });
                expectClose(behind.value, cells[busy.weekday]?.[busy.hour] ?? null);
                const inHour = own.filter(({ ts }) => hourOfWeek(reference, ts) === busy.weekday * 24 + busy.hour);
                if (measure !== 'visits') expect(behind.people).toEqual(personsOf(reference, inHour));
              }
            }
            if (days === undefined && reference.before !== null && previous !== null) {
              expectClose(previous, numbersIn(reference.before));
            }
            const whole = await peopleBehind({ engine, database, reference }, kinds.trends, [project, input], {
              series: at,
              value,
            });
            expectClose(whole.value, total);
            if (days !== undefined) {
              expect(whole.people).toHaveLength(total ?? 0);
              continue;
            }
            const visits = visitsOf(reference, own, reference.current);
            const behind =
              measure === 'visits'
                ? own.filter(({ session }) => visits.has(session ?? ''))
                : own.filter(({ ts }) => reference.current(ts));
            expect(whole.people).toEqual(personsOf(reference, behind));
            const times = whole.found.times.reduce((sum, each) => sum + each, 0);
            if (measure === 'events') expect(times).toBe(total);
            expectFigures(reference, whole);
            const busy = points.findIndex((point) => (point ?? 0) > 0);
            if (busy < 0) continue;
            const part = await peopleBehind({ engine, database, reference }, kinds.trends, [project, input], {
              series: at,
              value,
              interval: busy,
            });
            expectClose(part.value, points[busy] ?? null);
            if (measure === 'visits') continue;
            const bucket = pointOf(reference, found, busy, isCumulative);
            expect(part.people).toEqual(
              personsOf(
                reference,
                own.filter(({ ts }) => bucket(ts)),
              ),
            );
          }
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
});

/** Of each person: events in the range, the visits in which they were, and the last of them. */
function expectFigures(reference: Reference, { people, found }: FoundPeople): void {
  const all = eventsOf(unfiltered(reference), [{ event: null }]).filter(({ ts }) => reference.current(ts));
  const wanted = people.map((person) => {
    const own = all.filter(({ distinctId }) => reference.personOf(distinctId) === person);
    const visits = new Set(own.flatMap(({ session }) => session ?? []));
    return [own.length, visits.size, Math.max(...own.map(({ ts }) => ts), 0)].join();
  });
  const listed = Array.from(found.people, (_, at) => [found.events[at], found.visits[at], found.lastSeen[at]].join());
  expect(listed.toSorted()).toEqual(wanted.toSorted());
}

/** The same history without the filters of the question. */
function unfiltered({ history, question }: Reference): Reference {
  const { filters: _, ...others } = question;
  return new Reference(history, others);
}

/** Visits of views are the visits of the headline, over all and in each interval. */
async function expectVisitsOfOverview(
  given: Case,
  project: QueryScope,
  whose: Parameters<typeof scopeOf>[1],
): Promise<void> {
  const asked = { ...scopeOf(given, whose), compare: 'none' as const, interval: given.interval };
  const views = { any: [{ event: '$pageview' }, { event: '$screen' }] };
  const [trend, overview] = await Promise.all([
    query(kinds.trends, project, { ...asked, limit: 1, series: [{ event: views, measure: 'visits' }] } as TrendsInput),
    query(kinds.overview, project, asked as OverviewInput),
  ]);
  const [row] = trend.series[0]?.rows ?? [];
  expect(row?.total).toBe(overview.metrics.visits.value);
  expect(row?.points.map((value) => value ?? 0)).toEqual(overview.series.visits.map((value) => value ?? 0));
}

const hour = 3_600_000;

function middle(numbers: number[]): number | null {
  const inOrder = [...numbers].sort((one, other) => one - other);
  const half = (inOrder.length - 1) / 2;
  const [low, high] = [inOrder[Math.floor(half)], inOrder[Math.ceil(half)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

function mean(numbers: number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((all, each) => all + each, 0) / numbers.length;
}

/** @param optional steps, of which the first is 1 */
function expectFunnel(found: FunnelResultRow, attempts: Attempt[], optional: number[]): void {
  const secondsFrom = (attempt: Attempt, from: number, to: number) =>
    ((attempt.at(to)?.ts ?? 0) - (attempt.at(from)?.ts ?? 0)) / 1000;
  for (const [step, own] of found.steps.entries()) {
    const reached = attempts.filter((attempt) => attempt[step] !== null);
    expect(own.count).toBe(reached.length);
    const before = step === 2 && optional.includes(2) ? 0 : Math.max(step - 1, 0);
    const earlier = attempts.filter((attempt) => attempt[before] !== null);
    expectClose(own.conversionFromPrevious, earlier.length === 0 ? null : reached.length / earlier.length);
    expectClose(own.conversionFromStart, attempts.length === 0 ? null : reached.length / attempts.length);
    const took = reached.map((each) => secondsFrom(each, before, step));
    expectClose(own.meanSecondsToConvert, step === 0 ? null : mean(took));
    expectClose(own.medianSecondsToConvert, step === 0 ? null : middle(took));
  }
  const took = attempts.filter((attempt) => attempt.at(-1) !== null).map((each) => secondsFrom(each, 0, -1));
  expectClose(found.meanSecondsToConvert, mean(took));
  expectClose(found.medianSecondsToConvert, middle(took));
}

/** Entries by interval, and by how long they took, with who is behind one of each. */
async function expectTimes(
  { total, starts, times, openFrom, range, interval }: FunnelResult,
  attempts: Attempt[],
  windowMs: number,
  { reference, peopleAt }: { reference: Reference; peopleAt(point: object): Promise<FoundPeople> },
): Promise<void> {
  const last = total.steps.length - 1;
  const beganIn = (index: number) => {
    const bucket = reference.bucket(interval, starts[index] as number);
    return attempts.filter(([first]) => bucket(first?.ts ?? 0));
  };
  for (const index of starts.keys()) {
    const own = beganIn(index);
    expect(total.steps.map(({ points }) => points[index])).toEqual(
      total.steps.map((_, step) => own.filter((attempt) => attempt[step] !== null).length),
    );
  }
  const until = range.until ?? range.to;
  const isOpen = starts.map((_, at) => Math.min(starts[at + 1] ?? range.to, until) + windowMs > until);
  expect(openFrom ?? -1).toBe(isOpen.indexOf(true));
  const converted = attempts.filter((attempt) => attempt[last] !== null);
  const tookIn = ({ widthSeconds, counts }: NonNullable<FunnelResult['times']>, attempt: Attempt) => {
    const at = Math.floor(((attempt[last]?.ts ?? 0) - (attempt[0]?.ts ?? 0)) / 1000 / widthSeconds);
    return at < counts.length ? at : null;
  };
  if (times === null) return expect(converted).toEqual([]);
  expect(
    [...times.counts.keys(), null].map((at) => converted.filter((each) => tookIn(times, each) === at).length),
  ).toEqual([...times.counts, times.longer]);
  expect(times.longer).toBeLessThanOrEqual(converted.length / 10);
  const [one] = converted as [Attempt];
  const index = Math.max(
    starts.findLastIndex((start) => start <= (one[0]?.ts ?? 0)),
    0,
  );
  for (const [point, behind] of [
    [{ step: last + 1, interval: index }, beganIn(index).filter((attempt) => attempt[last] !== null)],
    [
      { step: last + 1, time: tookIn(times, one) },
      converted.filter((each) => tookIn(times, each) === tookIn(times, one)),
    ],
  ] as const) {
    const { people: listed, value } = await peopleAt(point);
    expect(listed).toEqual(
      personsOf(
        reference,
        behind.map(([first]) => first as Happened),
      ),
    );
    expect(value).toBe(behind.length);
  }
}

it('funnels', async () => {
  /** As most funnels are: several options together are rarer than people use them. */
  const plain = { order: 'ordered', isOptional: false, excluded: null, per: 'persons' } as const;
  const wishOf = fc.record({
    isPlain: fc.boolean(),
    // Few kinds of events, so that some come along.
    steps: fc.array(
      fc.oneof({ arbitrary: fc.constantFrom('$pageview', 'ping', null).map((event) => [{ event }]), weight: 3 }, rules),
      { minLength: 2, maxLength: 3 },
    ),
    order: fc.constantFrom('ordered' as const, 'strict' as const, 'any' as const),
    isOptional: fc.boolean(),
    attribution: fc.constantFrom('first' as const, 'last' as const, 'all' as const, { step: 2 }),
    hours: fc.constantFrom(1, 24, 14 * 24),
    excluded: fc.option(
      fc.record({ rules, after: fc.integer({ min: 1, max: 2 }), more: fc.integer({ min: 1, max: 2 }) }),
    ),
    per: fc.constantFrom('persons' as const, 'persons' as const, 'visits' as const),
  });
  await fc.assert(
    fc.asyncProperty(cases, wishOf, breakdowns, people, async (given, asked, breakdown, whose) => {
      const by = asked.isPlain ? null : breakdown;
      const { steps, order, isOptional, hours, excluded, per, ...wished } = asked.isPlain
        ? { ...asked, ...plain }
        : asked;
      const project = await arrange(given);
      const reference = new Reference(given.history, given.question);
      const optional = isOptional && order === 'ordered' && steps.length === 3 ? [2] : [];
      const isWhole = order === 'any' || optional.length > 0;
      const after = excluded === null || isWhole ? 1 : Math.min(excluded.after, steps.length - 1);
      const before = isWhole ? steps.length : Math.min(after + (excluded?.more ?? 1), steps.length);
      const exclusions = excluded === null ? [] : [{ rules: excluded.rules, after, before }];
      const attribution = order === 'any' && typeof wished.attribution === 'object' ? 'first' : wished.attribution;
      const { compare, preset } = given.question;
      const input = {
        ...scopeOf(given, whose),
        ...{ order, per, conversionWindow: { count: hours, unit: 'hour' }, limit: 2, attribution },
        ...{ compare, interval: given.interval, optionalSteps: optional },
        ...breakdownOf(by),
        steps: steps.map((any) => ({ any })),
        exclusions: exclusions.map(({ rules: any, after, before }) => ({
          event: { any },
          afterStep: after,
          beforeStep: before,
        })),
      } as FunnelInput;
      const found = await query(kinds.funnel, project, input);
      expectFunnelRows(await explainedRows(kinds.funnel, project, input), found);
      const wish = { steps, optional, order, per, windowMs: hours * hour, exclusions };
      const until = found.range.until ?? found.range.to;
      const isIn = isOneOf(given, whose);
      const wanted = attemptsOf(reference, wish, isIn, until);
      expect({ excluded: found.excluded, open: found.open }).toEqual({
        excluded: wanted.excluded,
        open: wanted.open,
      });
      expectFunnel(found.total, wanted.attempts, optional);
      const peopleAt = (point: object) =>
        peopleBehind({ engine, database, reference }, kinds.funnel, [project, input], point);
      await expectTimes(found, wanted.attempts, hours * hour, { reference, peopleAt });
      const valued = valuedAttempts(reference, wish, isIn, attribution, (each) => saidBy(each, by));
      const ranked = rankedValues(
        valued.map(({ value }) => value),
        2,
      );
      const isSevered = attribution === 'all' || typeof attribution === 'object';
      const values = by === null ? [] : ranked.filter((value) => value !== null || !isSevered);
      expect(found.rows.map(({ value }) => value)).toEqual(values);
      const attemptsAt = (value: string | null) =>
        valued
          .filter((each) => (value === null ? !values.includes(each.value) : each.value === value))
          .map(({ attempt }) => attempt);
      for (const row of found.rows) expectFunnel(row, attemptsAt(row.value), optional);
      const { before: compared } = reference;
      if (compared !== null && found.total.steps[0]?.previous !== null) {
        const earlier = new Reference(given.history, given.question);
        Object.defineProperty(earlier, 'current', { value: compared });
        const had = attemptsOf(earlier, wish, isIn, until).attempts;
        expect(found.total.steps.map(({ previous }) => previous)).toEqual(
          steps.map((_, step) => had.filter((attempt) => attempt[step] !== null).length),
        );
      } else
        expect([preset, found.comparison === null || found.total.steps[0]?.previous === null]).toEqual([preset, true]);
      const shown = [undefined, ...found.rows.map(({ value }) => value)];
      for (const value of by === null ? [undefined] : shown.slice(0, 2)) {
        if (value === null) continue;
        const row = value === undefined ? found.total : found.rows.find((each) => each.value === value);
        const own = value === undefined ? wanted.attempts : attemptsAt(value);
        for (const [step, dropped] of [
          [2, false],
          [2, true],
          [steps.length, true],
        ] as const) {
          const earlier = step === 3 && optional.includes(2) ? 1 : step - 1;
          const behind = own.filter((attempt) =>
            dropped ? attempt[step - 1] === null && attempt[earlier - 1] !== null : attempt[step - 1] !== null,
          );
          const { people: listed, value: figure } = await peopleAt({
            step,
            dropped,
            ...(value !== undefined && { value }),
          });
          expect(listed).toEqual(
            personsOf(
              reference,
              behind.map(([first]) => first as Happened),
            ),
          );
          expect(figure).toBe(behind.length);
          if (!dropped) expect(figure).toBe(row?.steps[step - 1]?.count);
        }
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

it('retention', async () => {
  const wishOf = fc.record({
    start: fc.oneof(
      fc.constantFrom('$pageview', 'ping').map((event) => [{ event }] as Rule[]),
      rules,
    ),
    back: fc.oneof(
      fc.constantFrom('$pageview', 'ping', null).map((event) => [{ event }] as Rule[]),
      rules,
    ),
    kind: fc.constantFrom('firstEver' as const, 'firstMatching' as const, 'recurring' as const),
    least: fc.constantFrom(1, 1, 2),
    rolling: fc.boolean(),
    brackets: fc.option(fc.constantFrom<number[]>([0, 2, 6], [1, 3, 50])),
  });
  await fc.assert(
    fc.asyncProperty(crowded, wishOf, breakdowns, people, async (given, { brackets, ...asked }, by, whose) => {
      const wish = { ...asked, ...(brackets !== null && { brackets }) };
      const { interval, question } = given;
      fc.pre(interval !== 'hour' || ['today', 'yesterday', 'last_24_hours'].includes(String(question.preset)));
      fc.pre(interval !== 'day' || !['this_year', 'last_12_months'].includes(String(question.preset)));
      const project = await arrange(given);
      const reference = new Reference(given.history, question);
      const input = {
        ...scopeOf(given, whose),
        kind: wish.kind,
        rolling: wish.rolling,
        minCount: wish.least,
        period: interval,
        startEvent: { any: wish.start },
        returningEvent: { any: wish.back },
        limit: 2,
        ...(brackets !== null && { brackets }),
        ...breakdownOf(by),
      } as RetentionInput;
      const found = await query(kinds.retention, project, input);
      expectRetentionRows(await explainedRows(kinds.retention, project, input), found);
      const keys = found.starts.map((start) => reference.key(interval, reference.clock(start)));
      expect(new Set(keys).size).toBe(keys.length);
      for (const start of found.starts) {
        expect(reference.key(interval, reference.clock(start - 1))).not.toBe(
          reference.key(interval, reference.clock(start)),
        );
      }
      for (const { ts } of given.history) {
        if (reference.current(ts)) expect(keys).toContain(reference.key(interval, reference.clock(ts)));
      }
      const columns = columnsOf(wish, keys.length);
      expect(found.columns).toEqual(columns);
      const isIn = isOneOf(given, whose);
      const values = by === null ? [''] : startValues(reference, { ...wish, period: interval }, found.starts, isIn, by);
      expect(found.rows.map(({ value }) => value)).toEqual(rankedValues(values, 2).filter((value) => value !== null));
      for (const { value, cohorts, mean: weighted } of found.rows) {
        const period = { ...wish, period: interval };
        const wanted = cohortsOf(reference, period, found.starts, isIn, by, value);
        expect(cohorts).toEqual(wanted);
        const over = found.running ?? wanted.length;
        for (const [later, share] of weighted.entries()) {
          const to = columns[later]?.to ?? 0;
          const complete = wanted.filter(({ size }, place) => size > 0 && place + to < over);
          const size = complete.reduce((sum, each) => sum + each.size, 0);
          const back = complete.reduce((sum, { returned }) => sum + (returned[later] ?? 0), 0);
          expectClose(share, size === 0 ? null : back / size);
        }
        const people = cohortPeopleOf(reference, period, found.starts, isIn, by, value);
        const cohort = Math.max(
          people.findIndex(({ began }) => began.length > 0),
          0,
        );
        const later = Math.max(people[cohort]?.back.findLastIndex(({ length }) => length > 0) ?? 0, 0);
        for (const at of [null, later]) {
          const behind = at === null ? people[cohort]?.began : people[cohort]?.back[at];
          const point = { cohort, period: at, value };
          const listed = await peopleBehind({ engine, database, reference }, kinds.retention, [project, input], point);
          expect(listed.people).toEqual(behind?.toSorted());
          expect(listed.value).toBe(behind?.length);
        }
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

const activityWishes = fc.record({
  did: fc.oneof(
    fc.constantFrom('$pageview', 'ping', null).map((event) => [{ event }] as Rule[]),
    rules,
  ),
  minCount: fc.constantFrom(1, 1, 2),
  cumulative: fc.boolean(),
});

/** Ranges with at most as many intervals as are taken. */
function hasFewIntervals({ interval, question }: Case): boolean {
  if (interval === 'hour') return ['today', 'yesterday', 'last_24_hours'].includes(String(question.preset));
  return interval !== 'day' || !['this_year', 'last_12_months'].includes(String(question.preset));
}

/** The rows of the statement that explains a query. */
async function explained<Input extends QueryInput>(
  kind: InsightKind<string, Input, unknown>,
  project: QueryScope,
  input: Input,
): Promise<Record<string, number>[]> {
  const rows = await explainedRows(kind, project, input);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])));
}

it('lifecycle', async () => {
  await fc.assert(
    fc.asyncProperty(crowded, activityWishes, people, async (given, { did }, whose) => {
      fc.pre(hasFewIntervals(given));
      const project = await arrange(given);
      const reference = new Reference(given.history, given.question);
      const { interval } = given;
      const input = { ...scopeOf(given, whose), interval, event: { any: did } } as LifecycleInput;
      const found = await query(kinds.lifecycle, project, input);
      const wish = { rules: did, interval, minCount: 1 };
      const wanted = lifecycleOf(reference, wish, found.starts, isOneOf(given, whose));
      const isRunning = (at: number) => at === found.running;
      const rows = found.starts.map((_, at) => ({
        new: found.new[at],
        returning: found.returning[at],
        resurrecting: found.resurrecting[at],
        dormant: found.dormant[at],
      }));
      expect(rows).toEqual(wanted.map((each, at) => (isRunning(at) ? { ...each, dormant: null } : each)));
      const people = lifecyclePeopleOf(reference, wish, found.starts, isOneOf(given, whose));
      for (const state of ['new', 'returning', 'resurrecting', 'dormant'] as const) {
        const at = Math.max(
          people.findLastIndex((each) => each[state].length > 0),
          0,
        );
        const point = { interval: at, state };
        const listed = await peopleBehind({ engine, database, reference }, kinds.lifecycle, [project, input], point);
        expect(listed.people).toEqual(people[at]?.[state].toSorted());
        expect(listed.value).toBe(people[at]?.[state].length);
      }
      const told = await explained(kinds.lifecycle, project, input);
      expect(told).toEqual(wanted.map((each, at) => ({ interval: at + 1, ...each })));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

it('stickiness', async () => {
  await fc.assert(
    fc.asyncProperty(crowded, activityWishes, people, async (given, { did, minCount, cumulative }, whose) => {
      fc.pre(hasFewIntervals(given));
      const project = await arrange(given);
      const reference = new Reference(given.history, given.question);
      const { interval } = given;
      const event = { any: did };
      const input = { ...scopeOf(given, whose), interval, event, minCount, cumulative } as StickinessInput;
      const found = await query(kinds.stickiness, project, input);
      const wish = { rules: did, interval, minCount };
      const exact = stickinessOf(reference, wish, found.starts.length, isOneOf(given, whose));
      const orMore = exact.map((_, at) => exact.slice(at).reduce((sum, count) => sum + count, 0));
      expect(found.people).toEqual(cumulative ? orMore : exact);
      expect(found.total).toBe(orMore[0] ?? 0);
      const people = stickyPeopleOf(reference, wish, found.starts.length, isOneOf(given, whose));
      const last = Math.max(
        people.findLastIndex(({ length }) => length > 0),
        0,
      );
      for (const at of new Set([0, last])) {
        const behind = cumulative ? people.slice(at).flat() : people[at];
        const point = { intervals: at + 1 };
        const listed = await peopleBehind({ engine, database, reference }, kinds.stickiness, [project, input], point);
        expect(listed.people).toEqual(behind?.toSorted());
        expect(listed.value).toBe(behind?.length);
      }
      const told = await explained(kinds.stickiness, project, input);
      const wanted = exact.flatMap((count, at) =>
        count === 0 ? [] : [{ intervals: at + 1, people: cumulative ? (orMore[at] as number) : count }],
      );
      expect(told).toEqual(wanted);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

it('paths', async () => {
  const wishOf = fc.record(
    {
      of: fc.constantFrom('pages' as const, 'events' as const, 'all' as const),
      length: fc.integer({ min: 3, max: 5 }),
      start: fc.constantFrom('/', '/a', 'ping', '/*'),
      end: fc.constantFrom('/b', '/a', 'ping'),
      isGrouped: fc.boolean(),
      excluded: fc.subarray(['/b', 'ping', '/a']),
      entry: fc.record({ dropped: fc.boolean(), step: fc.constant(2), per: fc.constantFrom('persons', 'visits') }),
    },
    { requiredKeys: ['of', 'length', 'isGrouped', 'excluded'] },
  );
  const steps = [[{ event: '$pageview' }], [{ event: 'ping' }]];
  await fc.assert(
    fc.asyncProperty(crowded, wishOf, people, async (given, { isGrouped, excluded, entry, ...wish }, whose) => {
      const project = await arrange(given);
      const input = {
        ...scopeOf(given, whose),
        stepType: wish.of,
        length: wish.length,
        ...(wish.start !== undefined && { startPoint: wish.start }),
        ...(wish.end !== undefined && { endPoint: wish.end }),
        groups: isGrouped ? ['/*'] : [],
        exclude: excluded,
        sessionTimeoutMinutes: 30,
        limit: 1000,
        minCount: 1,
        ...(entry && {
          after: {
            funnel: funnelInput.parse({
              ...{ range: 'today', steps: steps.map((any) => ({ any })), per: entry.per },
              conversionWindow: { count: 24, unit: 'hour' },
            }),
            point: { step: entry.step, dropped: entry.dropped },
          },
        }),
      } as PathsInput;
      const found = await query(kinds.paths, project, input);
      expectPathsRows(await explainedRows(kinds.paths, project, input), found);
      // A pattern as the start is a group, too.
      const grouped = isGrouped || wish.start === '/*' ? ['/', '/a', '/b'] : [];
      const reference = new Reference(given.history, given.question);
      const isIn = isOneOf(given, whose);
      const funnel = { steps, optional: [], order: 'ordered' as const, windowMs: 24 * hour, exclusions: [] };
      const attempts = attemptsOf(
        reference,
        { ...funnel, per: entry?.per ?? 'persons' } as FunnelWish,
        isIn,
        0,
      ).attempts;
      const starts = attempts.flatMap(([first = null, last = null]) => {
        if (first === null || (last === null) !== entry?.dropped) return [];
        return { person: reference.personOf(first.distinctId), since: (last ?? first).ts };
      });
      const wanted = transitionsOf(reference, { ...wish, grouped, excluded }, isIn, entry ? starts : null);
      expect([found.paths, found.starts]).toEqual([wanted.paths, entry ? starts.length : null]);
      const edges = found.edges.map(({ step, from, to, count, people, meanSeconds }) => {
        const took = Math.round(meanSeconds * count * 1000);
        return [[step, from, to].join(' ').replace('  ', ' null '), count, people, took];
      });
      const all = [...wanted.edges].map(([key, [count, ms]]) => [key, count, wanted.people.get(key)?.size, ms]);
      expect(new Map(edges.map((edge) => [edge[0], edge]))).toEqual(new Map(all.map((edge) => [edge[0], edge])));
      for (const { step, from, to, count } of found.edges.slice(0, 3)) {
        const point = { step, from, to };
        const listed = await peopleBehind({ engine, database, reference }, kinds.paths, [project, input], point);
        const behind = wanted.people.get([step, from ?? 'null', to ?? 'null'].join(' '));
        expect(listed.people).toEqual([...(behind?.keys() ?? [])].toSorted());
        expect(listed.value).toBe(count);
        expect(listed.found.times.reduce((sum, each) => sum + each, 0)).toBe(count);
      }
      const counts = found.edges.map(({ count }) => count);
      expect(counts).toEqual([...counts].sort((one, other) => other - one));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

it('sets of persons, of the overview and of goals', async () => {
  await fc.assert(
    fc.asyncProperty(crowded, people, rules, async (given, whose, did) => {
      fc.pre(whose !== null);
      const { question, history } = given;
      const project = await arrange(given);
      const zone = zoneOf(question.timeZone);
      const { first } = await engine.columns.firstEvents(project.id);
      const context = {
        zone,
        weekStart: question.weekStart,
        now: question.now,
        first,
        firstEvent: first,
      };
      const rulesOf = await findRules([], async () => null);
      const { range } = resolveRange(question.preset as RangeInput, context);
      const asked = {
        ...{ projectId: project.id, views: ['$pageview', '$screen'], include: question.include },
        filters: (question.filters as Filters | undefined) ?? null,
        people: peopleOf(peopleQuery(whose as PeopleWish) as PeopleQuery, rulesOf, context),
        spans: [{ from: range.from, until: range.until ?? range.to, starts: [] }],
      };
      const reference = new Reference(history, question);
      const isIn = isOneOf(given, whose);
      const isWished = reference.isWished.bind(reference);
      reference.isWished = (each) => isWished(each) && isIn(reference.personOf(each.distinctId));
      const wanted = reference.count(reference.current);
      const [found] = await engine.columns.series(asked);
      const { views, visitors, visits, bounced, ms, visitViews } = found?.total ?? {};
      expect({ views, visitors, visits, bounced, ms, visitViews }).toEqual({
        ...{ views: wanted.views, visitors: wanted.visitors, visits: wanted.visits, bounced: wanted.bounced },
        ...{ ms: wanted.seconds * 1000, visitViews: wanted.visitViews },
      });
      // Goals ask about events and their properties only.
      const named = did.flatMap(({ event }) => (event === null ? [] : [{ event }]));
      const selection = { amount: null, rules: named.map(({ event }) => ({ names: [event], filters: [] })) };
      const [[conversions] = []] = await engine.columns.conversions(asked, [selection]);
      const done = eventsOf(reference, named).filter(({ ts }) => reference.current(ts));
      expect(conversions?.total).toMatchObject({
        count: done.length,
        people: new Set(done.map(({ distinctId }) => reference.personOf(distinctId))).size,
      });
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
