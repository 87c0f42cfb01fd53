import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { type BreakdownColumn, type GoalPer, goalPers, type RangeInput } from '#src/insights/contract.ts';
import type { Goal, GoalFigure, GoalRule } from '#src/insights/goals/contract.ts';
import { conditionsOf } from '#src/insights/kinds/breakdown/filters/values.ts';
import { runBreakdown } from '#src/insights/kinds/breakdown/run.ts';
import { type BreakdownRow, hostOf } from '#src/insights/kinds/breakdown/values.ts';
import { runGoalFigures } from '#src/insights/kinds/goals/run.ts';
import { runOverview } from '#src/insights/kinds/overview/run.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { useEngine } from '../engine.ts';
import { type Case, cases, finishedEvent } from '../histories.ts';
import { Reference, type Wishes } from '../reference.ts';
import { peopleOfRow } from '../reference-tables.ts';
import { type Reached, reachedIn, type Sent, type Way, type Worth } from './reference-goals.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);

const ways: fc.Arbitrary<Way> = fc.oneof(
  fc.record({
    event: fc.constantFrom('ping', 'ping', '$autocapture', '$identify', '$pageview', 'never'),
    plan: fc.constantFrom(null, null, 'pro', 'free'),
    path: fc.constantFrom(null, null, '/a'),
  }),
  fc.record({ page: fc.constantFrom('/', '/a', '/*', '/b*', '*') }),
);
const goals = fc.array(
  fc.record({ any: fc.array(ways, { minLength: 1, maxLength: 3 }), currency: fc.constantFrom(null, 'BRL') }),
  { minLength: 1, maxLength: 3 },
);
/** What events are worth, given out in turn. */
const worths = fc.array(
  fc.record({
    total: fc.constantFrom<Sent['total'][]>(
      ...[0.1, 0.2, 19.9, -5.25, 7, 0, 1234567.8912].map((sent): Sent['total'] => [sent, String(sent)]),
      [0.00004, '0.00004'],
      [1e12, '1000000000000'],
      [1e18, '1000000000000000000'],
      [1.5e-7, '0.00000015'],
      ...([' 10.05 ', '3', '-0.00006'] as const).map((sent): Sent['total'] => [sent, sent.trim()]),
      ['10,50', '10.50'],
      ['1.234,56', '1234.56'],
      ['1,234.56', '1234.56'],
      ['R$ 10,00', '10.00', 'BRL'],
      ['12 EUR', '12', 'EUR'],
      ...(['free', true, '', '10 mil', undefined, null] as const).map((sent): Sent['total'] => [sent, null]),
    ),
    currency: fc.constantFrom<Sent['currency'][]>(
      ['BRL', 'BRL'],
      ['usd', 'USD'],
      [' eur ', 'EUR'],
      ['R$', 'BRL'],
      ...(['reais', '$', 7] as const).map((sent): Sent['currency'] => [sent, 'unknown']),
      ...([undefined, null, ' '] as const).map((sent): Sent['currency'] => [sent, null]),
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

function ruleOf(any: readonly Way[]): GoalRule {
  const filters = (plan: string | null): Filters => ({
    match: 'all',
    of: plan === null ? [] : [{ about: 'event', name: 'plan', operator: 'equals', values: [plan] }],
  });
  return {
    kind: 'action',
    any: any.map((way) =>
      'page' in way
        ? { of: 'page', page: way.page, filters: filters(null) }
        : { of: 'event', event: way.event, page: way.path, filters: filters(way.plan) },
    ),
  };
}

/** Who or what was converted, of how many. */
function sharesOf(reached: Reached, per: GoalPer): [some: number, all: number] {
  return per === 'visitor' ? [reached.converted, reached.visitors] : [reached.reachedVisits, reached.visits];
}

function rateOf(reached: Reached, per: GoalPer): number | null {
  const [some, all] = sharesOf(reached, per);
  return all === 0 ? null : some / all;
}

function expectFigure(found: GoalFigure, per: GoalPer, wanted: Reached, before: Reached | null): void {
  const [numerator, denominator] = sharesOf(wanted, per);
  expect([found.conversions.value, found.people.value, found.conversionRate.parts]).toEqual([
    ...[wanted.conversions, wanted.people],
    { numerator, denominator },
  ]);
  expect(found.visits?.value).toBe(per === 'visit' ? wanted.reachedVisits : undefined);
  expect(found.conversionRate.value).toBe(rateOf(wanted, per));
  expect(found.withoutAmount?.count).toBe(wanted.withoutAmount);
  for (const { currency, sum, count } of found.revenue) {
    expect({ currency, count, sum: sum.value }).toEqual({ currency, ...amountIn(wanted, currency) });
    expect(sum.previous).toBe(found.conversions.previous === null ? null : amountIn(before, currency).sum);
  }
  expect(found.revenue.map(({ currency }) => currency)).toEqual(expect.arrayContaining([...wanted.revenue.keys()]));
  if (found.conversions.previous === null) {
    expect(before?.conversions ?? 0).toBe(0);
  } else {
    expect([found.conversions.previous, found.people.previous]).toEqual([before?.conversions, before?.people]);
    expect(found.conversionRate.previous).toBe(before && rateOf(before, per));
    expect(found.visits?.previous).toBe(per === 'visit' ? before?.reachedVisits : undefined);
  }
}

function amountIn(reached: Reached | null, currency: string) {
  const { count, parts } = reached?.revenue.get(currency) ?? { count: 0, parts: 0n };
  return { count, sum: Number(`${parts}e-12`) };
}

const asks = fc.record({
  per: fc.constantFrom(...goalPers),
  visits: fc.constantFrom('entryPage', 'exitPage', 'channel', 'utmCampaign', 'country'),
});

/** What already has lists within, or is joined by OR, takes no more conditions. */
function hasLists(filters: Filters | undefined): boolean {
  return filters !== undefined && (filters.match === 'any' || filters.of.some((each) => 'match' in each));
}

type AskedRows = Parameters<typeof runBreakdown>[2] & { goal: Goal };

function filteredBy({ dimension, filters }: Omit<AskedRows, 'limit'>, value: string, host?: string): Filters {
  const conditions = (conditionsOf(dimension, value, host) ?? []).map(
    ({ about, name, value: wanted }): FilterCondition => ({
      ...{ about, name },
      ...(wanted === null ? { operator: 'isNotSet', values: [] } : { operator: 'equals', values: [wanted] }),
    }),
  );
  return { match: 'all', of: [...(filters?.of ?? []), ...conditions] as FilterCondition[] };
}

/** Tables of events: their rows are no filters of the goal's events. */
const ofEvents = ['page', 'event', 'outbound'] as const;

interface Rows {
  project: Project;
  asked: Omit<AskedRows, 'limit'>;
  given: Case;
  /** What was reached of the goal, by the plain reference. */
  reachedBy(reference: Reference): Reached;
}

/** In a table of events: how many of a row's people reached it, of how many. Else what the reference filtered by the row says. */
function rateOfRow({ asked, given, reachedBy }: Rows, value: string, host: string | undefined): [number, number] {
  const { question, history } = given;
  if (!ofEvents.some((each) => each === asked.dimension)) {
    const filters = filteredBy(asked, value, host) as Wishes;
    return sharesOf(reachedBy(new Reference(history, { ...question, filters })), asked.per ?? 'visitor');
  }
  const reference = new Reference(history, question);
  const people = peopleOfRow(reference, asked.dimension, reference.current, { value, host: host ?? null });
  const { who } = reachedBy(reference);
  return [[...people].filter((person) => person !== null && who.has(person)).length, people.size];
}

/** The rate of each row of a card. */
async function expectRates(rows: Rows): Promise<void> {
  const { project, asked, given } = rows;
  const table = await runBreakdown(engine.columns, project, { ...asked, limit: 3 }, given.question.now);
  const at = (row: BreakdownRow, column: BreakdownColumn) => row[table.cols.indexOf(column)];
  for (const row of table.rows) {
    const wanted = rateOfRow(rows, row[0], hostOf(table, row));
    expect([asked.dimension, row[0], at(row, 'reached'), at(row, 'reachable')]).toEqual([
      ...[asked.dimension, row[0]],
      ...wanted,
    ]);
  }
}

/** Each row in full: of pages, a filter by the row says the same of how often it was reached there; of visits, in how many it was. */
async function expectRows(rows: Rows): Promise<void> {
  const { project, asked, given } = rows;
  const { now } = given.question;
  const table = await runBreakdown(engine.columns, project, { ...asked, limit: 1000, more: true }, now);
  const at = (row: BreakdownRow, column: BreakdownColumn) => row[table.cols.indexOf(column)];
  for (const row of table.rows.slice(0, 6)) {
    const host = hostOf(table, row);
    const isOfEvents = ofEvents.some((each) => each === asked.dimension);
    if (isOfEvents) expect([row[0], at(row, 'converters'), row[1]]).toEqual([row[0], ...rateOfRow(rows, row[0], host)]);
    if (isOfEvents && asked.dimension !== 'page') continue;
    const filters = filteredBy(asked, row[0], host);
    const filtered = { ...asked, filters, per: 'visit' as const };
    const { goals: found } = await runGoalFigures(engine.columns, project, [asked.goal], filtered, now);
    const { conversions, conversionRate: rate } = found[0] as GoalFigure;
    if (isOfEvents) expect([row[0], at(row, 'conversions')]).toEqual([row[0], conversions.value]);
    else {
      const parts = { numerator: at(row, 'converted'), denominator: row[2] };
      expect([row[0], parts]).toEqual([row[0], rate.parts]);
    }
  }
}

it('equals the plain reference implementation, for any history and goal', async () => {
  await fc.assert(
    fc.asyncProperty(cases, goals, worths, asks, async (given, wishes, worthsInTurn, { per, visits }) => {
      const { question, interval, history, batches, seals } = given;
      const project = await engine.projects.create({
        name: 'goals',
        timeZone: question.timeZone,
        weekStart: question.weekStart,
      });
      const worth: Worth = new Map(
        history.map(({ uuid }, at) => [uuid, worthsInTurn[at % worthsInTurn.length] as Sent]),
      );
      let at = 0;
      for (let batch = 0; at < history.length; batch++) {
        const size = batches[batch % batches.length] as number;
        const some = history.slice(at, at + size).map((happened) => {
          const event = finishedEvent(project.id, happened);
          const { total, currency } = worth.get(happened.uuid) as Sent;
          const sent = Object.entries({ total: total[0], currency: currency[0] });
          const properties = Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as JsonObject;
          return { ...event, properties: { ...event.properties, ...properties } };
        });
        await engine.events.store(some);
        at += size;
        if (seals[batch % seals.length]) await engine.columns.seal();
      }
      const reference = new Reference(history, question);
      const filters = question.filters as Filters | undefined;
      const { compare, include = [] } = question;
      const asked = { range: question.preset as RangeInput, compare, include, per, ...(filters && { filters }) };
      const all = wishes.map(
        ({ any, currency }, id): Goal => ({
          ...{ id, name: `goal ${id}`, rule: ruleOf(any), createdAt: 0, changedAt: 0 },
          amount: { property: 'total', currencyProperty: 'currency', currency },
        }),
      );
      const reached = (isAsked: (ts: number) => boolean, id: number) =>
        reachedIn(reference, isAsked, wishes[id]?.any ?? [], worth, wishes[id]?.currency ?? '');

      const table = await runGoalFigures(engine.columns, project, all, asked, question.now);
      for (const figure of table.goals) {
        expectFigure(
          figure,
          per,
          reached(reference.current, figure.id),
          reference.before && reached(reference.before, figure.id),
        );
      }

      const goal = all[0] as Goal;
      if (!hasLists(filters)) {
        for (const dimension of [...ofEvents, visits] as const) {
          const rows: Rows = {
            project,
            asked: { ...asked, filters, dimension, goal, compare: 'none' },
            given,
            reachedBy: (filtered) =>
              reachedIn(filtered, filtered.current, wishes[0]?.any ?? [], worth, wishes[0]?.currency ?? ''),
          };
          await expectRows(rows);
          await expectRates(rows);
        }
      }
      const overview = await runOverview(engine.columns, project, { ...asked, interval, goal }, question.now);
      const course = overview.goal;
      expect(course).toMatchObject(
        Object.fromEntries(Object.entries(table.goals[0] ?? {}).filter(([name]) => name !== 'kind')),
      );
      expect(course?.conversionRate.parts?.denominator).toBe(overview.metrics[`${per}s`].value);
      for (const [index, start] of overview.starts.entries()) {
        const isGap = (overview.series.views[index] ?? null) === null;
        const wanted = reached(reference.bucket(overview.interval, start), 0);
        expect(course?.series.conversions[index]).toBe(isGap ? null : wanted.conversions);
        expect(course?.series.conversionRate[index]).toBe(isGap ? null : rateOf(wanted, per));
        for (const { currency, series } of course?.revenueSeries ?? []) {
          expect(series[index]).toBe(isGap ? null : amountIn(wanted, currency).sum);
        }
        if (overview.comparisonSeries === null) continue;
        const before = reached(reference.comparedBucket(overview.interval, start), 0);
        const isGapBefore = (overview.comparisonSeries.views[index] ?? null) === null;
        expect(course?.comparisonSeries?.conversions[index] ?? null).toBe(isGapBefore ? null : before.conversions);
        expect(course?.comparisonSeries?.conversionRate[index] ?? null).toBe(isGapBefore ? null : rateOf(before, per));
      }
    }),
    { numRuns: Number(process.env['MODEL_RUNS'] ?? 40) },
  );
});
