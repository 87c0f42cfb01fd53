/** The SQL that explains a number gives the number that is shown, on generated histories and in awkward cases. */

import { Client } from 'pg';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { readingSql } from '#src/columns/filters/filter-sql.ts';
import { sourceName, sourceNames } from '#src/columns/filters/source-names.ts';
import { visitProperties } from '#src/columns/filters/visit-fields.ts';
import { createLive } from '#src/events/live.ts';
import { breakdownDimensions, type OverviewMetric, overviewMetrics, type RangeInput } from '#src/insights/contract.ts';
import { explainMetric } from '#src/insights/explain/explain.ts';
import { weekInput } from '#src/insights/explain/home.ts';
import { explainNow } from '#src/insights/explain/now.ts';
import { createInsights } from '#src/insights/insights.ts';
import { runBreakdown } from '#src/insights/kinds/breakdown/run.ts';
import { hostOf } from '#src/insights/kinds/breakdown/values.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { runOverview } from '#src/insights/kinds/overview/run.ts';
import type { QueryProject } from '#src/insights/query/scope.ts';
import { sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { useEngine } from './engine.ts';
import { type Case, cases, finishedEvent, sessionId } from './histories.ts';
import { type Happened, Reference } from './reference.ts';

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

async function arrange({ question, history, seals }: Pick<Case, 'question' | 'history'> & Partial<Case>) {
  const project = await engine.projects.create({
    name: 'model',
    timeZone: question.timeZone,
    weekStart: question.weekStart,
    settings: { bounceSeconds: question.bounceSeconds ?? 10 },
  });
  const half = Math.ceil(history.length / 2);
  for (const some of [history.slice(0, half), history.slice(half)]) {
    await engine.events.store(some.map((happened) => finishedEvent(project.id, happened)));
    if (seals?.[0]) await engine.columns.seal();
  }
  return project;
}

type Asked = { range: RangeInput; filters?: Filters };

/** Runs the statement as a person would: as text, without parameters. */
async function expectFigures(
  project: QueryProject,
  asked: Asked,
  now: number,
  metrics: readonly OverviewMetric[] = overviewMetrics,
): Promise<void> {
  const overview = await runOverview(engine.columns, project, { ...asked, compare: 'none' }, now);
  for (const metric of metrics) {
    const { sql } = await explainMetric(engine.columns, project, { ...asked, of: metric }, now);
    const [row] = (await client.query<{ value: string | null }>(sql)).rows;
    const shown = overview.metrics[metric].value;
    const found = row?.value == null ? null : Number(row.value);
    if (shown === null || found === null) expect([metric, found]).toEqual([metric, shown]);
    else expect(found).toBeCloseTo(shown, 6);
  }
}

async function expectTables(
  project: QueryProject,
  asked: Asked,
  now: number,
  some = breakdownDimensions as readonly string[],
) {
  for (const dimension of breakdownDimensions.filter((each) => some.includes(each))) {
    const shown = await runBreakdown(
      engine.columns,
      project,
      { ...asked, dimension, compare: 'none', limit: 1000 },
      now,
    );
    const { sql } = await explainMetric(engine.columns, project, { ...asked, of: dimension }, now);
    const { rows } = await client.query<{ value: string; count: string; visitors: string; host?: string }>(sql);
    expect([
      dimension,
      ...rows.map(({ value, count, visitors, host }) => [value, Number(visitors), Number(count), host]),
    ]).toEqual([dimension, ...shown.rows.map((row) => [...row.slice(0, 3), hostOf(shown, row)])]);
  }
}

const someDimensions = fc.shuffledSubarray([...breakdownDimensions], { minLength: 3, maxLength: 3 });

it('gives every figure and the rows of every table, for any history and query', async () => {
  await fc.assert(
    fc.asyncProperty(cases, someDimensions, async (given, dimensions) => {
      const { question } = given;
      const project = await arrange(given);
      const filters = question.filters as Filters | undefined;
      const asked: Asked = { range: question.preset as RangeInput, ...(filters && { filters }) };
      await expectFigures(project, asked, question.now);
      await expectTables(project, asked, question.now, dimensions);
    }),
    { numRuns: Number(process.env['MODEL_RUNS'] ?? 12) },
  );
}, 240_000);

it('names sources as the engine does', async () => {
  const said = fc.oneof(
    fc.constantFrom(...Object.keys(sourceNames)),
    fc
      .tuple(fc.constantFrom('www.', 'm.', 'l.', 'a.b.', '.'), fc.constantFrom(...Object.keys(sourceNames)))
      .map((all) => all.join('')),
    fc
      .tuple(
        fc.constantFrom('google', 'www.amazon', 'x.yandex'),
        fc.constantFrom('com.br', 'co', 'xyz', 'co.uk:80', 'm.br'),
      )
      .map((all) => all.join('.')),
    fc.domain(),
    fc.constantFrom('', '.', '..', 'a.', 'm.br', 'www.a.b.', 'Colheita 2026', 'a:80:90'),
  );
  const texts = fc.sample(
    said.map((text) => (text.length % 2 === 0 ? text.toUpperCase() : text)),
    400,
  );
  const groups = texts.map((text) => JSON.stringify({ $session_entry_utm_source: '', $referring_domain: text }));
  const { rows } = await client.query<{ value: string }>(
    sqlText(sql`select ${readingSql({ projectId: 0 }, visitProperties.source)} as value
      from unnest(${groups}::text[]) with ordinality as given (text, place)
        cross join lateral (select given.text::jsonb as properties) as one
      order by place`),
  );
  expect(rows.map(({ value }) => value)).toEqual(texts.map((text) => sourceName(text) || '$direct'));
});

const now = Date.parse('2026-11-20T15:00:00Z');
const hour = 3_600_000;
let count = 0;

function happened(changes: Partial<Happened>): Happened {
  count++;
  return {
    ...{ uuid: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`, event: '$pageview', distinctId: 'a' },
    ...{ ts: now - hour, session: sessionId('s'), bot: false, path: '/', referringDomain: null },
    ...changes,
  };
}

const question: Case['question'] = {
  ...{ preset: 'last_7_days', compare: 'none', timeZone: 'America/Sao_Paulo', weekStart: 1, now },
};

const awkward: Happened[] = [
  happened({ path: "/it's", plan: 'a\\b', session: sessionId('one') }),
  happened({ path: "/it's", ts: now - hour + 8_000, session: sessionId('one') }),
  happened({ path: '/?', distinctId: 'b', plan: 12.5, session: sessionId('two'), ts: now - 30 * hour }),
  happened({
    path: '/?',
    event: '$pageleave',
    distinctId: 'b',
    session: sessionId('two'),
    ts: now - 30 * hour + 9_000,
  }),
  happened({ path: null, distinctId: 'b', session: null, ts: now - 50 * hour }),
  happened({ path: '/', distinctId: 'robot', bot: true, session: sessionId('three') }),
  happened({ path: '/slow', distinctId: 'c', session: sessionId('four'), ts: now - 3 * hour, plan: 'two\n  lines (' }),
  happened({ event: 'ping', distinctId: 'c', session: sessionId('four'), ts: now - 3 * hour + 10_000 }),
  happened({ path: '/slower', distinctId: 'c', session: sessionId('five'), ts: now - 2 * hour }),
  happened({ event: 'ping', distinctId: 'c', session: sessionId('five'), ts: now - 2 * hour + 10_001 }),
];

const operators: [FilterCondition['operator'], (string | number)[]][] = [
  ['equals', ["/it's", 'a\\b', '$pageview', 'two\n  lines (']],
  ['contains', ['\n  lines (']],
  ['notEquals', ["/it's"]],
  ['contains', ["'s", '\\']],
  ['notContains', ['?']],
  ['regex', ['^(/|a\\\\)']],
  ['notRegex', ["'"]],
  ['gt', [1]],
  ['gte', [1]],
  ['lt', [12.6]],
  ['lte', [12.5]],
  ...(['before', 'after', 'onOrBefore', 'onOrAfter'] as const).flatMap((operator): [typeof operator, string[]][] => [
    [operator, ['2026-11-20']],
    [operator, ['2026-11-20T10:30']],
  ]),
  ['isSet', []],
  ['isNotSet', []],
];

it('can be run as text with each operator, for any values', async () => {
  const project = await arrange({ question, history: awkward });
  for (const [operator, values] of operators) {
    for (const about of [
      { about: 'event', name: '$pathname' },
      { about: 'event', name: 'plan' },
      { about: 'person', name: "it's" },
      { about: 'session', name: 'seconds' },
      { about: 'session', name: 'entryPath' },
    ] as const) {
      const asked: Asked = { range: 'last_7_days', filters: { match: 'all', of: [{ ...about, operator, values }] } };
      await expectFigures(project, asked, now, ['visitors', 'visits']);
      await expectTables(project, asked, now, ['entryPage']);
    }
  }
}, 120_000);

it('says what is left out, and what other rules would say', async () => {
  const project = await arrange({ question, history: awkward });
  const explain = (of: 'visitors' | 'bounceRate' | 'event', filters?: Filters) =>
    explainMetric(engine.columns, project, { range: 'last_7_days', of, ...(filters && { filters }) }, now);
  // Each of their days is another visitor: a 1, b 2, c 1.
  expect(await explain('visitors')).toMatchObject({
    excluded: { bots: 1, internal: 0, filters: null, withoutVisit: null },
    elsewhere: [
      { product: 'plausible', value: 4 },
      { product: 'umami', value: 3 },
    ],
  });
  // Of one, two, four and five: two and four are not engaged; of two alone nothing but one view is known; all but one have one view.
  const bounces = await explain('bounceRate');
  expect(bounces).toMatchObject({
    excluded: { withoutVisit: 1 },
    elsewhere: [
      { product: 'plausible', value: 0.25 },
      { product: 'ga4', value: 0.5 },
      { product: 'openpanel', value: 0.75 },
    ],
  });
  const reference = new Reference(awkward, question).count((ts) => ts < now);
  expect([reference.bounced, reference.visits]).toEqual([1, 4]);
  const filters: Filters = {
    match: 'any',
    of: [{ about: 'event', name: '$pathname', operator: 'equals', values: ["/it's"] }],
  };
  expect(await explain('visitors', filters)).toMatchObject({
    excluded: { bots: 0, filters: 4 },
    elsewhere: [{ value: 1 }, { value: 1 }],
  });
  expect((await explain('event')).excluded).toMatchObject({ withoutVisit: null });
  const decades = { range: { from: '1970-01-01', to: '2026-12-31' }, of: 'visitors' } as const;
  expect((await explainMetric(engine.columns, project, decades, now)).elsewhere).toEqual([
    { product: 'plausible', value: null },
    { product: 'umami', value: 3 },
  ]);
});

it('gives who is here now, as Live says it', async () => {
  engine.deps.clock.set(now + 20_500);
  const at = (seconds: number, changes: Partial<Happened> = {}) => happened({ ts: now + seconds * 1_000, ...changes });
  const project = await arrange({
    question,
    history: [
      ...[at(0), at(-100), at(-299, { distinctId: 'b' }), at(-310, { distinctId: 'c' }), at(10, { distinctId: 'd' })],
      ...[at(-200, { distinctId: 'robot', bot: true }), at(30, { distinctId: 'e' }), at(-275, { distinctId: 'f' })],
      at(-1, { event: '$identify', distinctId: 'user', anonymousId: 'a' }),
    ],
  });
  const live = createLive(engine.deps, { projects: engine.projects });
  const shown = await live.now(project.id);
  const { summary } = await live.snapshot(project.id);
  await live.stop();
  const { parts, left, elsewhere } = await explainNow(engine.deps.db, project, shown.at);
  const rowsOf = async (of: string): Promise<Record<string, string>[]> =>
    (await client.query(parts.find((part) => part.of === of)?.sql ?? '')).rows;
  const { people, eventsPerMinute, delayMs } = (await rowsOf('now'))[0] ?? {};
  expect([people, eventsPerMinute, delayMs].map(Number)).toEqual([
    ...[shown.peopleNow, shown.eventsPerMinute, shown.delayMs],
  ]);
  expect([shown.peopleNow, shown.eventsPerMinute]).toEqual([3, 1]);
  const minutes = (await rowsOf('minutes')).map((row) => Number(row['people']));
  expect(minutes).toEqual(shown.minutes.filter((count) => count > 0));
  expect(minutes.length).toBeGreaterThan(2);
  for (const of of ['pages', 'sources'] as const) {
    expect((await rowsOf(of)).map((row) => ({ value: row['value'], people: Number(row['people']) }))).toEqual(
      summary[of],
    );
    expect(summary[of].length).toBeGreaterThan(0);
  }
  expect([left, elsewhere]).toEqual([[{ what: 'bots', count: 1 }], [{ product: 'ga4', value: 5 }]]);
});

it('gives the week of each project in its own zone and who is there now, as Home says them', async () => {
  engine.deps.clock.set(now + 20_500);
  const at = (seconds: number, changes: Partial<Happened> = {}) => happened({ ts: now + seconds * 1_000, ...changes });
  const history = [
    ...[at(0), at(-10, { distinctId: 'b' }), at(-20, { event: 'order', distinctId: 'c' })],
    ...[at(-16 * 3_600, { distinctId: 'd' }), at(-3 * 86_400, { distinctId: 'e' }), at(-9 * 86_400)],
    ...[at(-30, { distinctId: 'robot', bot: true }), at(600, { distinctId: 'to come' })],
    at(-1, { event: '$identify', distinctId: 'user', anonymousId: 'b' }),
  ];
  const projects = [
    await arrange({ question, history }),
    await arrange({
      question: { ...question, timeZone: 'Pacific/Kiritimati' },
      history: history.slice(0, 5).map((each) => ({ ...each })),
    }),
    await arrange({ question, history: [] }),
  ];
  const insights = createInsights(engine.deps, { columns: engine.columns, changes: { version: () => null } });
  const live = createLive(engine.deps, { projects: engine.projects });
  const { parts, left } = await insights.explainHome(projects);
  const rowsOf = async (of: string): Promise<Record<string, string>[]> =>
    (await client.query(parts.find((part) => part.of === of)?.sql ?? '')).rows;
  const [week, present] = [await rowsOf('week'), await rowsOf('present')];
  for (const project of projects) {
    const own = (row: Record<string, string>) => Number(row['project']) === project.id;
    const { series } = await insights.query(kinds.overview, { ...project, seesPersons: true }, weekInput);
    expect(week.filter(own).map((row) => Number(row['visitors']))).toEqual(series.visitors.filter((each) => each));
    const { peopleNow } = await live.now(project.id);
    expect(present.filter(own).map((row) => Number(row['people']))).toEqual(peopleNow === 0 ? [] : [peopleNow]);
  }
  await live.stop();
  expect([week.length, present.length]).toEqual([6, 2]);
  expect(left).toEqual([{ what: 'botViews', count: 1 }]);
  expect((await insights.explainHome([])).parts).toEqual([]);
});
