/** The people behind a number, with what they did, are the same from ClickHouse as from the engine; the model holds who they are. */
import { type Clickhouse, createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { switchProjects } from '#src/clickhouse/state.ts';
import {
  type Columns,
  createColumns,
  type FiguresQuery,
  type PointQuestion,
  type Rules,
} from '#src/columns/columns.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { useCopying } from './copying.ts';

jest.setTimeout(60_000);

const copying = useCopying();
const { engine, server, store } = copying;
const DAY_MS = 86_400_000;
const span = { from: TEST_TIME - 20 * DAY_MS, until: TEST_TIME };

const answers: string[] = [];
let clickhouse: Clickhouse;
let columns: Columns;
let copied: Columns;

beforeAll(async () => {
  const paid: Record<string, string | number | boolean>[] = [
    { amount: 0.1, currency: 'BRL', $group_0: 'acme' },
    { amount: '0.20', currency: 'brl', $group_0: 'acme' },
    { amount: 'R$ 12,50', other: 3, $group_0: 'other' },
    { amount: 'none', other: 7 },
    { other: '$ 5' },
  ];
  for (let day = 1; day <= 6; day++) {
    for (const loose of paid) await store(9, { event: 'bought', ts: TEST_TIME - day * 3 * DAY_MS + day, loose });
    await store(8, { event: '$pageview', ts: TEST_TIME - day * 2 * DAY_MS });
  }
  await store(2, { event: '$identify', distinctId: 'visitor 1', anonymousId: 'visitor 2', ts: TEST_TIME - DAY_MS });
  columns = createColumns(engine.deps, { threads: 0 });
  const config = { ...engine.deps.config, CLICKHOUSE_URL: server.url };
  const onAnswer = (by: string, query: string) => answers.push(`${by} ${query}`);
  clickhouse = createClickhouse({ ...engine.deps, config }, { onAnswer }) as Clickhouse;
  await clickhouse.shipAll();
  await switchProjects(engine.deps.db, [copying.project.id], true);
  copied = clickhouse.columnsOver(columns);
});
afterAll(async () => {
  await clickhouse.stop();
  await columns.stop();
});

const bought: Rules = [{ names: ['bought'], filters: [] }];
const views: Rules = [{ names: ['$pageview'], filters: [] }];

function questions(of: 'persons' | 'group_0'): PointQuestion[] {
  const scope = { projectId: copying.project.id, filters: null };
  const edges = Array.from({ length: 6 }, (_, at) => span.until - (5 - at) * 4 * DAY_MS);
  const windows = edges.slice(1).map((until, at) => ({ from: edges[at] as number, until }));
  const spans = [{ ...span, windows, total: span }];
  const by = { about: 'event' as const, name: 'currency' };
  const trends = (measure: 'events' | 'visits' | 'persons' | 'group_0', value: string | null = '') =>
    ({
      kind: 'trends',
      asked: { ...scope, series: [{ rules: bought, measure, spans }], by: value === '' ? null : by, most: 1 },
      point: { series: 0, value, in: value === '' ? { window: 3 } : null },
    }) as PointQuestion;
  const paths = { ...scope, of, span, steps: [...bought, ...views], by: { about: 'name' as const } };
  return [
    ...(of === 'persons'
      ? [
          trends('events'),
          trends('visits'),
          trends('persons', 'BRL'),
          trends('persons', null),
          trends('events', 'gone'),
        ]
      : [trends('group_0'), trends('group_0', 'BRL')]),
    {
      kind: 'funnel',
      asked: {
        ...{ ...scope, of, span, starts: edges.slice(0, -1), earlier: null, steps: [bought, bought], optional: [] },
        ...{ order: 'ordered', windowMs: 9 * DAY_MS, exclusions: [], by: null, attribution: 'first', most: 5 },
      },
      point: { step: 2, dropped: false },
    } as PointQuestion,
    {
      kind: 'retention',
      asked: {
        ...{ ...scope, of, edges, start: bought, back: bought, kind: 'recurring', first: span.from, least: 1 },
        ...{ isRolling: false, columns: windows.map((_, at) => ({ from: at, to: at })), by: null, most: 5 },
      },
      point: { value: '', period: 1, later: 2 },
    } as PointQuestion,
    {
      kind: 'activity',
      asked: { ...scope, of, edges, did: bought, minCount: 1, first: span.from },
      point: { periods: 2, orMore: true },
    } as PointQuestion,
    {
      kind: 'paths',
      asked: {
        ...{ ...paths, nodeOf: (text: string) => text, nodesKey: '', length: 4, start: null, end: null },
        ...{ pauseMs: 30 * DAY_MS, after: null },
      },
      point: { step: 1, node: 'bought' },
    } as PointQuestion,
  ];
}

it('finds the same people with the same figures', async () => {
  const amount = (property: string, currencyProperty: string | null, currency: string | null) => ({
    rules: bought,
    amount: { property, currencyProperty, currency },
  });
  const amounts = [amount('amount', 'currency', null), amount('other', null, 'EUR')];
  const figures: FiguresQuery = { projectId: copying.project.id, span, amounts };
  let people = 0;
  for (const question of questions('persons')) {
    const wanted = await columns.pointPeople(question, figures);
    expect(await copied.pointPeople(question, figures)).toEqual(wanted);
    people += wanted.people.length;
  }
  expect(people).toBeGreaterThan(20);
  expect(new Set(answers)).toEqual(new Set(['clickhouse pointPeople']));
  await expect(copied.pointGroups(questions('persons')[0] as PointQuestion)).rejects.toMatchObject({ code: 'invalid' });
});

it('finds the same groups', async () => {
  answers.length = 0;
  const inOrder = ({ value, type, keys, times }: Awaited<ReturnType<Columns['pointGroups']>>) => ({
    value,
    type,
    groups: keys.map((key, at) => `${key} ${times[at]}`).sort(),
  });
  let groups = 0;
  for (const question of questions('group_0')) {
    const wanted = inOrder(await columns.pointGroups(question));
    expect(inOrder(await copied.pointGroups(question))).toEqual(wanted);
    groups += wanted.groups.length;
  }
  expect(groups).toBeGreaterThan(5);
  expect(new Set(answers)).toEqual(new Set(['clickhouse pointGroups']));
});

it('does not believe tables that are filled again', async () => {
  answers.length = 0;
  const [question] = questions('persons');
  const ask = (of: Columns) =>
    of.pointPeople(question as PointQuestion, { projectId: copying.project.id, span, amounts: [] });
  expect(await ask(copied)).toEqual(await ask(columns));
  await copying.database.query('update clickhouse_state set target = gen_random_uuid(), caught_up_at = null');
  expect(await ask(copied)).toEqual(await ask(columns));
  expect(answers).toEqual(['clickhouse pointPeople', 'engine pointPeople']);
});
