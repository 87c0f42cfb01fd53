/**
 * The SQL that explains goals, revenue, hours, web vitals and the further columns of tables gives what is shown, and what other products'
 * rules give is right, on generated histories.
 */

import { Client } from 'pg';
import type { Filters, Traffic } from '#src/columns/contract.ts';
import { breakdownDimensions, type Comparison, type RangeInput } from '#src/insights/contract.ts';
import { type ExplainQuery, explainMetric } from '#src/insights/explain/explain.ts';
import type { Goal, GoalRule } from '#src/insights/goals/contract.ts';
import { runBreakdown } from '#src/insights/kinds/breakdown/run.ts';
import { runGoalFigures } from '#src/insights/kinds/goals/run.ts';
import { runHeatmap } from '#src/insights/kinds/heatmap/run.ts';
import { runOverview } from '#src/insights/kinds/overview/run.ts';
import { type VitalPercentile, vitalNames, vitalPercentiles } from '#src/insights/kinds/vitals/contract.ts';
import { runVitals } from '#src/insights/kinds/vitals/run.ts';
import type { QueryProject } from '#src/insights/query/scope.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { useEngine } from './engine.ts';
import { cases, finishedEvent } from './histories.ts';
import { type Happened, Reference } from './reference.ts';
import {
  bouncesBy,
  durationWithoutZeros,
  percentile90,
  type Reaches,
  rateByDays,
  visitorsBy,
  visitsReaching,
} from './reference-elsewhere.ts';
import { pageRead } from './reference-tables.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);
let client: Client;

beforeAll(async () => {
  client = new Client({ connectionString: database.url });
  // The database goes before the connection does.
  client.on('error', () => undefined);
  await client.connect();
});

afterAll(() => client.end());

type Row = Record<string, string | number | null>;
type Asked = { range: RangeInput; filters?: Filters; include: Traffic[] };
type Explain = (number: Omit<ExplainQuery, 'range'>) => Promise<Row[]>;

/** Runs the statement as a person would: as text, without parameters. */
function explainer(project: QueryProject, asked: Asked, now: number): Explain {
  return async (number) => {
    const { sql } = await explainMetric(engine.columns, project, { ...asked, ...number }, now);
    return (await client.query<Row>(sql)).rows;
  };
}

const loose = fc.oneof(
  fc.record(
    {
      total: fc.constantFrom(
        ...[0.1, 19.9, -5.25, 2.00005, '10.05', ' 3 ', 7, 1234567.8912, 'free', true, '', 0.00004, 1e18],
        ...['10,50', '1.234', '1,234', 'R$ 1.234,56', '12 EUR', '$ 7', '10 mil', '1e-7', '9'.repeat(400)],
      ),
      currency: fc.constantFrom('BRL', 'usd', ' eur ', 'reais', 7, 'R$', '$', ' '),
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(
    fc.constantFrom(...vitalNames.map((name) => `$web_vitals_${name}_value`)),
    fc.oneof(fc.constantFrom(0, 0.1, 0.25, 200, 500, 2_500, 4_000.5, 'slow', -1), fc.integer({ min: 0, max: 6_000 })),
    { minKeys: 1 },
  ),
  fc.record(
    {
      $prev_pageview_pathname: fc.constantFrom('/', '/a', '/b', '/gone', 7, ''),
      $prev_pageview_duration: fc.constantFrom(0, 12.5, 1_799.5, 1_801, 90_000, true, -3),
      $prev_pageview_max_scroll_percentage: fc.constantFrom(0, 0.25, 1, 1.04),
    },
    { requiredKeys: [] },
  ),
);

/** Persons are fixed. */
function withMore(happened: Happened, more: NonNullable<Happened['loose']>): Happened {
  if (happened.event === '$identify') return happened;
  const isVital = Object.keys(more).some((name) => name.startsWith('$web_vitals'));
  return { ...happened, loose: more, ...(isVital && { event: '$web_vitals' }) };
}

const told = cases.chain((given) =>
  fc
    .array(loose, { minLength: given.history.length, maxLength: given.history.length })
    .map((more) => ({ ...given, history: given.history.map((each, at) => withMore(each, more[at] ?? {})) })),
);

const plan: Filters = { match: 'any', of: [{ about: 'event', name: 'plan', operator: 'equals', values: ['pro', 7] }] };
const all: Filters = { match: 'all', of: [] };
const isView = ({ event }: Happened) => event === '$pageview' || event === '$screen';
const isPlan = (happened: Happened) => happened.plan === 'pro' || happened.plan === 7;
const isOn = (happened: Happened, path: string) => isView(happened) && pageRead(happened.path) === path;
/** Rules, and the same once more in the plain way. */
const rules: { rule: GoalRule; reaches: Reaches }[] = [
  { rule: { kind: 'event', event: 'ping', filters: all }, reaches: ({ event }) => event === 'ping' },
  {
    rule: { kind: 'event', event: '$pageview', filters: plan },
    reaches: (happened) => happened.event === '$pageview' && isPlan(happened),
  },
  { rule: { kind: 'event', event: 'never', filters: all }, reaches: () => false },
  {
    rule: { kind: 'page', pages: ['/a', '/b*'] },
    reaches: (happened) => isOn(happened, '/a') || isOn(happened, '/b'),
  },
  {
    rule: { kind: 'page', pages: ['https://shop.example/*'] },
    reaches: (happened) => isView(happened) && happened.path !== null,
  },
  {
    rule: {
      kind: 'action',
      any: [
        { of: 'element', text: null, href: null, selector: 'a[href]', page: null, filters: all },
        { of: 'event', event: 'ping', page: '/', filters: plan },
        { of: 'page', page: '/a', filters: all },
      ],
    },
    reaches: (happened) =>
      (happened.event === 'ping' && happened.path === '/' && isPlan(happened)) || isOn(happened, '/a'),
  },
];

type Wanted = Goal & { reaches: Reaches };

const goals = fc
  .shuffledSubarray(rules, { minLength: 1, maxLength: 3 })
  .chain((some) => fc.tuple(fc.constant(some), fc.constantFrom(null, 'BRL'), fc.constantFrom(null, 'currency')))
  .map(([some, currency, currencyProperty]) =>
    some.map(
      ({ rule, reaches }, id): Wanted => ({
        ...{ id, name: `it's goal ${id}`, rule, createdAt: 0, changedAt: 0, reaches },
        amount: { property: 'total', currencyProperty, currency },
      }),
    ),
  );

async function expectGoals(explain: Explain, project: QueryProject, asked: Asked, some: Goal[], now: number) {
  const shown = await runGoalFigures(engine.columns, project, some, { ...asked, compare: 'none' }, now);
  const table = new Map((await explain({ of: 'goal', goals: some })).map((row) => [row['value'], row]));
  const visitTable = new Map(
    (await explain({ of: 'goal', goals: some, per: 'visit' })).map((row) => [row['value'], row]),
  );
  for (const [at, goal] of some.entries()) {
    const { conversions, people, conversionRate: rate, revenue } = shown.goals[at] as (typeof shown.goals)[number];
    const [reached] = await explain({ of: 'conversions', goal });
    expect([Number(reached?.['value']), Number(reached?.['people'])]).toEqual([conversions.value, people.value]);
    const [share] = await explain({ of: 'conversionRate', goal });
    const parts = { numerator: Number(share?.['converted']), denominator: Number(share?.['visitors']) };
    expect(parts).toEqual(rate.parts);
    if (rate.value === null) expect(share?.['value']).toBeNull();
    else expect(Number(share?.['value'])).toBeCloseTo(rate.value, 9);
    for (const currency of new Set(['BRL', 'USD', '', 'unknown', ...revenue.map((each) => each.currency)])) {
      const [worth] = await explain({ of: 'revenue', goal, currency });
      const { sum, count } = revenue.find((each) => each.currency === currency) ?? { sum: { value: 0 }, count: 0 };
      expect([currency, Number(worth?.['value']), Number(worth?.['count'])]).toEqual([currency, sum.value, count]);
    }
    const byVisit = await runGoalFigures(
      engine.columns,
      project,
      [goal],
      { ...asked, compare: 'none', per: 'visit' },
      now,
    );
    const [visited] = await explain({ of: 'conversionRate', goal, per: 'visit' });
    const wanted = byVisit.goals[0]?.conversionRate;
    expect({ numerator: Number(visited?.['converted']), denominator: Number(visited?.['visits']) }).toEqual(
      wanted?.parts,
    );
    if (wanted?.value === null) expect(visited?.['value']).toBeNull();
    else expect(Number(visited?.['value'])).toBeCloseTo(wanted?.value ?? Number.NaN, 9);
    const ofVisits = visitTable.get(goal.name);
    expect([ofVisits?.['count'] ?? 0, ofVisits?.['people'] ?? 0, ofVisits?.['converted'] ?? 0].map(Number)).toEqual([
      ...[conversions.value, people.value, wanted?.parts?.numerator],
    ]);
    if (ofVisits) expect(Number(ofVisits['visits'])).toBe(wanted?.parts?.denominator);
    const row = table.get(goal.name);
    expect([row?.['count'] ?? 0, row?.['people'] ?? 0, row?.['converted'] ?? 0].map(Number)).toEqual([
      ...[conversions.value, people.value, rate.parts?.numerator],
    ]);
  }
}

async function expectHours(explain: Explain, project: QueryProject, asked: Asked, now: number) {
  const shown = await runHeatmap(engine.columns, project, asked, now);
  const found = await explain({ of: 'hours' });
  const cells = shown.views.flatMap((ofDay, day) =>
    ofDay.flatMap((views, hour) => (views === 0 ? [] : [[day, hour, shown.visitors[day]?.[hour], views]])),
  );
  expect(found.map(({ weekday, hour, visitors, views }) => [weekday, hour, Number(visitors), Number(views)])).toEqual(
    cells,
  );
}

async function expectVitals(explain: Explain, project: QueryProject, asked: Asked, now: number) {
  for (const [at, vital] of vitalNames.entries()) {
    const percentile = vitalPercentiles[at % vitalPercentiles.length] as VitalPercentile;
    const question = { ...asked, vital, percentile, limit: 1000 };
    const { vitals, pages } = await runVitals(engine.columns, project, question, now);
    const [total, ...found] = (await explain({ of: 'vitals', vital, percentile })).map(
      ({ page, host, [`p${percentile}`]: value, ...counts }) => ({
        ...{ page, host, value: value === null ? null : Number(value).toFixed(6) },
        ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
      }),
    );
    const wanted = ({ value, samples, good, poor }: (typeof vitals)['LCP']) => ({
      ...{ value: value === null ? null : value.toFixed(6), samples, good, poor },
    });
    const [first] = pages;
    expect(total).toEqual({ page: null, host: first?.host === undefined ? undefined : null, ...wanted(vitals[vital]) });
    expect(found).toEqual(pages.map(({ page, host, ...own }) => ({ page, host, ...wanted(own) })));
  }
}

/** @param goal null: without what was reached of one */
async function expectFurther(
  { explain, project, asked, now }: { explain: Explain; project: QueryProject; asked: Asked; now: number },
  some: string[],
  goal: Goal | null,
) {
  for (const dimension of breakdownDimensions.filter((each) => some.includes(each))) {
    const more = { dimension, compare: 'none' as const, limit: 1000, more: true, goal };
    const { cols, rows } = await runBreakdown(engine.columns, project, { ...asked, ...more }, now);
    const found = await explain({ of: dimension, more: true, goal });
    const own = cols.filter((column) => column !== 'previous');
    const text = (value: unknown) => (value === null || typeof value === 'string' ? value : Number(value).toFixed(6));
    expect([dimension, ...found.map((row) => own.map((column) => asText(column, row[column] ?? null, text)))]).toEqual([
      dimension,
      ...rows.map((row) => own.map((column) => asText(column, row[cols.indexOf(column)] ?? null, text))),
    ]);
  }
}

/** What others' rules give. */
async function expectElsewhere(
  { project, asked, reference, now }: { project: QueryProject; asked: Asked; reference: Reference; now: number },
  some: Wanted[],
) {
  const found = async (number: Omit<ExplainQuery, 'range'>) => {
    const { elsewhere } = await explainMetric(engine.columns, project, { ...asked, ...number }, now);
    return Object.fromEntries(elsewhere.map(({ product, value }) => [product, value?.toFixed(9) ?? null]));
  };
  const said = (values: Record<string, number | null>) =>
    Object.fromEntries(Object.entries(values).map(([product, value]) => [product, value?.toFixed(9) ?? null]));
  expect(await found({ of: 'visitors' })).toEqual(
    said({ plausible: visitorsBy(reference, 10), umami: visitorsBy(reference, 7) }),
  );
  const reaching = some.map(({ reaches }) => reaches);
  expect(await found({ of: 'bounceRate', goals: some })).toEqual(said(bouncesBy(reference, reaching)));
  expect(await found({ of: 'visitDuration' })).toEqual(said({ openpanel: durationWithoutZeros(reference) }));
  expect(await found({ of: 'vitals', vital: 'INP' })).toEqual(said({ posthog: percentile90(reference, 'INP') }));
  for (const goal of some) {
    const [visits, rate] = visitsReaching(reference, goal.reaches);
    expect(await found({ of: 'conversions', goal })).toEqual(said({ ga4: visits }));
    expect(await found({ of: 'conversionRate', goal })).toEqual(
      said({ plausible: rateByDays(reference, goal.reaches), ga4: rate }),
    );
  }
}

/** The driver gives large numbers as texts. */
function asText(column: string, value: string | number | null, text: (value: unknown) => string | null): string | null {
  return column === 'value' || column === 'host' || value === null ? text(value) : text(Number(value));
}

it('gives goals, revenue, hours, vitals and further columns, for any history and query', async () => {
  await fc.assert(
    fc.asyncProperty(
      ...([told, goals, fc.shuffledSubarray([...breakdownDimensions], { minLength: 1, maxLength: 1 })] as const),
      async ({ question, history, seals }, some, dimensions) => {
        const { timeZone, weekStart, now, bounceSeconds = 10 } = question;
        const decimalSeparator: DecimalSeparator = history.length % 2 === 0 ? 'point' : 'comma';
        const settings = { bounceSeconds, decimalSeparator };
        const project = await engine.projects.create({ name: 'model', timeZone, weekStart, settings });
        const half = Math.ceil(history.length / 2);
        for (const part of [history.slice(0, half), history.slice(half)]) {
          await engine.events.store(part.map((happened) => finishedEvent(project.id, happened)));
          if (seals[0]) await engine.columns.seal();
        }
        const filters = question.filters as Filters | undefined;
        const { include = [] } = question;
        const asked: Asked = { range: question.preset as RangeInput, include, ...(filters && { filters }) };
        const explain = explainer(project, asked, now);
        await expectGoals(explain, project, asked, some, now);
        await expectHours(explain, project, asked, now);
        await expectVitals(explain, project, asked, now);
        const further = { explain, project, asked, now };
        await expectFurther(further, ['page', ...dimensions], null);
        await expectFurther(further, ['page', 'event', 'outbound', ...dimensions], some[0] ?? null);

        const reference = new Reference(history, question);
        await expectElsewhere({ project, asked, reference, now }, some);

        const compare = question.compare as Comparison;
        const { metrics } = await runOverview(engine.columns, project, { ...asked, compare }, now);
        const { sqlBefore } = await explainMetric(engine.columns, project, { ...asked, compare, of: 'views' }, now);
        expect(sqlBefore === null ? null : Number((await client.query(sqlBefore)).rows[0].value)).toBe(
          metrics.views.previous,
        );
      },
    ),
    { numRuns: Number(process.env['MODEL_RUNS'] ?? 10), endOnFailure: true },
  );
}, 240_000);
