/** What the engine answers while rows come and go, are sealed or not, by which thread it may be. */
import type { ClientBase } from 'pg';
import { type Columns, createColumns, type Dimension, type TrendsQuery } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { GatheredChunk } from '#src/columns/snapshot/gathered-chunk.ts';
import { beginColumns, type LoadParts, loadColumns } from '#src/columns/snapshot/load.ts';
import { createEventNames } from '#src/columns/snapshot/names.ts';
import { createSnapshots, snapshotOf } from '#src/columns/snapshot/snapshots.ts';
import { createCache } from '#src/columns/storage/cache.ts';
import { type Chunk, chunksOf } from '#src/columns/storage/chunk-sql.ts';
import { resolveBreakdown } from '#src/insights/kinds/trends/breakdowns.ts';
import { createBreath } from '#src/kit/breath.ts';
import { pageSpelling } from '#src/kit/pages/values.ts';
import { readSnapshot } from '#src/store/snapshot.ts';
import { query, sql } from '#src/store/sql.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { anyPaths } from '#test/kit/page-spellings.ts';
import { sessionId } from '../insights/histories.ts';
import { all, HOUR, NOON, openScene, type Scene, type Told } from './scene.ts';

const database = useDatabase();
let scene: Scene;

beforeEach(async () => {
  scene = await openScene(database.url);
});
afterEach(() => scene.close());

it('is the same from threads as inline, sealed or not', async () => {
  const threaded = createColumns(scene.deps, { threads: 2 });
  const filter = all({ about: 'event', name: '$pathname', operator: 'equals', values: ['/a'] });
  const told = Array.from({ length: 500 }, (_, index) => ({
    ...{ ts: NOON + index, distinctId: `person ${index % 50}`, session: sessionId(`${index % 70}`) },
    path: index % 3 === 0 ? '/a' : '/b',
  }));
  try {
    await scene.happened(...told.slice(0, 300));
    await threaded.seal();
    await scene.happened(...told.slice(300));
    for (const filters of [undefined, filter]) {
      const answer = await scene.ask(filters, threaded);
      expect(answer).toEqual(await scene.ask(filters));
      expect(answer).toEqual(await scene.ask(filters, threaded)); // from what was kept
    }
    expect(await scene.ask(filter)).toEqual({ views: 167, visitors: 50, visits: 70 });
    // Courses of persons are shared between threads.
    const views = (path: string) => [
      {
        names: ['$pageview'],
        filters: [all({ about: 'event', name: '$pathname', operator: 'equals', values: [path] })],
      },
    ];
    const scope = { projectId: scene.project.id, filters: null, span: { from: NOON - HOUR, until: NOON + HOUR } };
    const by = { about: 'event', name: '$pathname' } as const;
    const followed = async (columns: Columns) => {
      const funnel = await columns.funnel({
        ...{ ...scope, by, most: 10, of: 'persons', order: 'ordered', windowMs: HOUR, exclusions: [] },
        ...{ starts: [NOON - HOUR, NOON], earlier: null, optional: [], attribution: 'all' },
        steps: [views('/a'), views('/b'), views('/a')],
      });
      const { paths, edges } = await columns.paths({
        ...{
          ...scope,
          by,
          nodesKey: '',
          nodeOf: (text: string) => text,
          length: 4,
          start: null,
          end: null,
          pauseMs: HOUR,
          after: null,
        },
        steps: [{ names: ['$pageview'], filters: [] }],
      });
      return { funnel, paths, edges: edges.map((edge) => JSON.stringify(edge)).sort() };
    };
    const wanted = await followed(scene.columns);
    expect(await followed(threaded)).toEqual(wanted);
    expect([wanted.paths, wanted.funnel.total.steps[0]?.count, wanted.funnel.rows.length]).toEqual([50, 50, 1]);
    expect(wanted.edges.length).toBeGreaterThan(3);
  } finally {
    await threaded.stop();
  }
});

it('reads a page in one spelling, wherever and however it was sent', async () => {
  const sent = ['/caf%C3%A9', '/caf%c3%a9', '/café', '/cafe\u0301'];
  await scene.happened(
    ...sent.map((path) => ({ path, properties: { $prev_pageview_pathname: path } })),
    { path: '/cafe', properties: { $prev_pageview_pathname: 7 } },
    { path: null, properties: { $pathname: '/caf%C3%A9' } },
    ...sent.map((path, index) => ({
      distinctId: `${index}`,
      event: 'ping',
      path: null,
      set: { $initial_pathname: path },
    })),
  );
  const span = { from: NOON - HOUR, until: NOON + HOUR };
  const trendBy = async (about: 'event' | 'person', name: string, filters: Filters | null = null) => {
    const [found] = await scene.columns.trends({
      ...{ projectId: scene.project.id, filters, by: { about, name }, most: 10 },
      series: [
        { rules: [{ names: null, filters: [] }], measure: 'events', spans: [{ ...span, windows: [], total: span }] },
      ],
    });
    return (found?.[0]?.rows ?? []).map(({ value, total }) => [value, total]);
  };
  for (const isSealed of [false, true]) {
    if (isSealed) await scene.columns.seal();
    expect(await trendBy('event', '$pathname')).toEqual([
      ['/café', 5],
      ['', 4],
      ['/cafe', 1],
    ]);
    expect(await trendBy('event', '$prev_pageview_pathname')).toEqual([
      ['', 5],
      ['/café', 4],
      ['7', 1],
    ]);
    expect(await trendBy('person', '$initial_pathname')).toEqual([
      ['', 6],
      ['/café', 4],
    ]);
    for (const value of sent) {
      for (const name of ['$pathname', '$prev_pageview_pathname']) {
        const wanted = name === '$pathname' ? 5 : 4;
        for (const operator of ['equals', 'contains', 'regex'] as const) {
          const asked = all({ about: 'event', name, operator, values: [value] });
          expect([name, operator, value, (await scene.ask(asked)).views]).toEqual([name, operator, value, wanted]);
        }
      }
      const ofPersons = all({ about: 'person', name: '$initial_pathname', operator: 'equals', values: [value] });
      expect(await trendBy('event', '$host', ofPersons)).toEqual([['', 4]]);
    }
    const values = await scene.columns.propertyValues(scene.project.id, span, '$pathname');
    expect(Object.fromEntries(values)).toEqual({ '/café': 5, '/cafe': 1 });
  }
});

it('writes pages in SQL as it reads them', async () => {
  const paths = fc.sample(anyPaths, 500);
  const rows = await query<{ read: string }>(
    scene.deps.db,
    sql`select page_spelling(path) as read from unnest(${paths}::text[]) with ordinality as sent (path, place) order by place`,
  );
  expect(rows.map(({ read }) => read)).toEqual(paths.map(pageSpelling));
});

it('tells values of one property from those of another that no group has either', async () => {
  const says = (plan: string, colour: string) => ({ properties: { plan, colour } });
  await scene.happened(says('pro', 'red'), says('pro', 'blue'), says('free', 'red'));
  await scene.columns.seal();
  const span = { from: NOON - HOUR, until: NOON + HOUR };
  const trendBy = async (name: string) => {
    const [found] = await scene.columns.trends({
      ...{ projectId: scene.project.id, filters: null, by: { about: 'event', name }, most: 10 },
      series: [
        { rules: [{ names: null, filters: [] }], measure: 'events', spans: [{ ...span, windows: [], total: span }] },
      ],
    });
    return (found?.[0]?.rows ?? []).map(({ value, total }) => [value, total]);
  };
  const plans = [
    ['pro', 2],
    ['free', 1],
  ];
  expect(await trendBy('plan')).toEqual(plans);
  expect(await trendBy('colour')).toEqual([
    ['red', 2],
    ['blue', 1],
  ]);
  expect(await trendBy('plan')).toEqual(plans);
});

it('answers many at once, who wait for what others read and count, as one after the other', async () => {
  const filter = all({ about: 'event', name: '$pathname', operator: 'contains', values: ['a'] });
  const told = Array.from({ length: 300 }, (_, index) => ({
    ...{ ts: NOON + index * HOUR, distinctId: `person ${index % 50}`, session: sessionId(`${index % 70}`) },
    path: index % 3 === 0 ? '/a' : '/b',
  }));
  await scene.happened(...told);
  await scene.columns.seal();
  const asked = [undefined, filter, undefined, filter, filter];
  const wanted: unknown[] = [];
  for (const filters of asked) wanted.push(await scene.ask(filters));
  for (const threads of [0, 2]) {
    const fresh = createColumns(scene.deps, { threads });
    try {
      expect(await Promise.all(asked.map((filters) => scene.ask(filters, fresh)))).toEqual(wanted);
      fresh.forgetResults();
      expect(await Promise.all(asked.map((filters) => scene.ask(filters, fresh)))).toEqual(wanted);
    } finally {
      await fresh.stop();
    }
  }
});

it('knows the first event as soon as it is stored, also of who asks at once with others', async () => {
  const { project, columns } = scene;
  const first = () => columns.firstEvent(project.id);
  const ask = async () => [await Promise.all([first(), first()]), (await columns.firstEvents(project.id)).first].flat();
  expect(await ask()).toEqual([null, null, null]);
  const before = first();
  await scene.happened({ ts: NOON });
  expect([null, NOON]).toContain(await before);
  expect(await ask()).toEqual([NOON, NOON, NOON]);
  await scene.happened({ ts: NOON - HOUR });
  expect(await ask()).toEqual([NOON - HOUR, NOON - HOUR, NOON - HOUR]);
});

it.each(['sealed', 'not sealed'])(
  'begins after more early events than a look at the first ones shows (%s)',
  async (how) => {
    const { project, columns } = scene;
    const DAY = 24 * HOUR;
    const early = Array.from({ length: 130 }, (_, at) => ({ ts: NOON - 5_000 * DAY + at * 30 * DAY }));
    const ordinary = Array.from({ length: 13_000 }, (_, at) => ({ ts: NOON - 400 * DAY + at * HOUR * 0.5 }));
    await scene.happened({ ts: Date.UTC(1970, 0, 1) }, ...early, ...ordinary.slice(1));
    if (how === 'sealed') await columns.seal();
    expect(await columns.firstEvents(project.id)).toMatchObject({ plausible: early[0]?.ts, early: 1 }); // one too few
    await scene.happened(ordinary[0] as Told);
    expect(await columns.firstEvents(project.id)).toEqual({ first: 0, plausible: ordinary[0]?.ts, early: 131 });
  },
);

it('looks once at a moment for a name that has not happened, and again at the next', async () => {
  const names = createEventNames();
  const askAtOnce = () =>
    readSnapshot(scene.deps.db, async (client) => {
      let statements = 0;
      const query = (...asked: Parameters<ClientBase['query']>) => {
        statements++;
        return client.query(...asked);
      };
      const counting: ClientBase = Object.assign(Object.create(client), { query });
      const parts = { client: counting, projectId: scene.project.id, once: snapshotOf(counting, []).once };
      const asked = ['purchase', 'refund'];
      const found = await Promise.all([names.numbers(parts, asked), names.numbers(parts, asked)]);
      const own = await Promise.all([names.ownNumbers(parts), names.ownNumbers(parts)]);
      return { found: found.map(({ length }) => length), own: own.map(({ length }) => length), statements };
    });
  await scene.happened({ event: 'purchase' });
  expect(await askAtOnce()).toEqual({ found: [1, 1], own: [1, 1], statements: 2 });
  expect(await askAtOnce()).toEqual({ found: [1, 1], own: [1, 1], statements: 2 });
  await scene.happened({ event: 'refund' });
  expect(await askAtOnce()).toEqual({ found: [2, 2], own: [2, 2], statements: 2 });
  expect(await askAtOnce()).toEqual({ found: [2, 2], own: [2, 2], statements: 1 });
});

it('misses no event and counts none twice while events are stored and sealed', async () => {
  let stored = 0;
  let isOver = false;
  const store = async (writer: number) => {
    for (let batch = 0; batch < 30; batch++) {
      await scene.happened(
        { distinctId: `${writer} ${batch}`, session: sessionId(`${writer} ${batch % 7}`) },
        { session: null },
      );
      stored += 2;
    }
  };
  const seal = async () => {
    while (!isOver) await scene.columns.seal();
  };
  const look = async () => {
    let last = { views: 0, visitors: 0, visits: 0 };
    while (!isOver) {
      const least = stored;
      const answer = await scene.ask();
      expect(answer.views).toBeGreaterThanOrEqual(Math.max(least, last.views));
      expect(answer.visitors).toBeGreaterThanOrEqual(last.visitors);
      expect(answer.visits).toBeGreaterThanOrEqual(last.visits);
      last = answer;
    }
  };
  const looking = [seal(), look(), look()];
  await Promise.all([store(1), store(2)]).finally(() => {
    isOver = true;
  });
  await Promise.all(looking);
  expect(await scene.ask()).toEqual({ views: 120, visitors: 61, visits: 14 });
  expect((await scene.columns.verify()).findings).toEqual([]);
});

it('sees deletes and updates immediately, before resealing', async () => {
  const day = 24 * HOUR;
  await scene.happened({}, { ts: NOON - day, session: sessionId('other') }, { ts: NOON + 1, distinctId: 'second' });
  await scene.columns.seal();
  expect(await scene.ask()).toEqual({ views: 3, visitors: 2, visits: 2 });
  await database.query('delete from events where ts > to_timestamp($1)', [NOON / 1000]);
  await scene.happened({ ts: NOON + 2, distinctId: 'third', session: sessionId('third') });
  expect(await scene.ask()).toEqual({ views: 3, visitors: 2, visits: 3 });
  await database.query('delete from events where ts < to_timestamp($1)', [NOON / 1000]);
  await database.query('delete from sessions where first_ts < to_timestamp($1)', [NOON / 1000]);
  expect(await scene.ask()).toEqual({ views: 2, visitors: 2, visits: 2 });
  await scene.columns.runMaintenance();
  expect(await scene.ask()).toEqual({ views: 2, visitors: 2, visits: 2 });
});

it('knows of a month that was dropped', async () => {
  await scene.happened({}, { ts: NOON - 30 * 24 * HOUR, session: null });
  await scene.columns.seal();
  const spans = [{ from: NOON - 40 * 24 * HOUR, until: NOON + 1, starts: [] }];
  const views = async () => {
    const question = { projectId: scene.project.id, views: ['$pageview'], filters: null, spans };
    return (await scene.columns.series(question))[0]?.total.views;
  };
  expect(await views()).toBe(2);
  await database.query("select mark_units_between('2026-10-01', '2026-11-01')");
  await database.query('drop table events_202610');
  expect(await views()).toBe(1);
  await scene.columns.runMaintenance();
  expect(await views()).toBe(1);
});

it('unites persons that were merged after what was counted was kept', async () => {
  await scene.happened({ distinctId: 'browser' }, { distinctId: 'user' });
  await scene.columns.seal();
  expect(await scene.ask()).toMatchObject({ visitors: 2 });
  await scene.happened({ event: '$identify', distinctId: 'user', anonymousId: 'browser' });
  expect(await scene.ask()).toMatchObject({ visitors: 1 });
});

it('tells persons apart that were split, in views and in visits', async () => {
  await scene.happened({ distinctId: 'one' }, { distinctId: 'two', session: sessionId('second') });
  await scene.happened({ event: '$identify', distinctId: 'one', anonymousId: 'two', session: null });
  await scene.columns.seal();
  const span = { from: NOON - HOUR, until: NOON + HOUR, starts: [] };
  const question = { projectId: scene.project.id, views: ['$pageview'], filters: null, spans: [span] };
  const visitors = async () => {
    const [tables] = await scene.columns.tables(question, [{ of: 'sessions', field: 'referringDomain' }]);
    return [(await scene.ask()).visitors, tables?.[0]?.[0]?.visitors];
  };
  expect(await visitors()).toEqual([1, 1]);
  // As a split does it: rows of the second id get a person of their own.
  const second = "distinct_id = (select number from distinct_ids where distinct_id = 'two')";
  await database.query(`update sessions set person = 99 where ${second}`);
  await database.query(`update events set person = 99 where ${second}`);
  expect(await visitors()).toEqual([2, 2]);
  await scene.columns.runMaintenance();
  expect(await visitors()).toEqual([2, 2]);
});

it('counts again what a person makes a difference to, and nothing else', async () => {
  const paying = all({ about: 'person', name: 'plan', operator: 'equals', values: ['pro'] });
  const others = all({ about: 'person', name: 'plan', operator: 'notEquals', values: ['pro'] });
  const day = 24 * HOUR;
  const told = Array.from({ length: 200 }, (_, index) => ({
    ...{ ts: NOON - (index % 4) * day + index, distinctId: `person ${(index % 4) * 10 + (index % 7)}` },
    session: sessionId(`${index}`),
  }));
  await scene.happened(...told);
  await scene.columns.seal();
  const set = (plan: string, id: string) =>
    database.query(`with changed as (
        update persons set properties = jsonb_build_object('plan', '${plan}')
         where number = (select person from distinct_ids where distinct_id = '${id}')
        returning project_id, number)
      insert into person_changes (project_id, numbers) select project_id, array[number] from changed`);
  const changes = [
    () => Promise.resolve(),
    () => set('pro', 'person 3'),
    () => set('pro', 'person 24'),
    () => set('free', 'person 3'),
    () => scene.happened({ distinctId: 'new', ts: NOON, session: sessionId('new') }),
    () => set('pro', 'new'),
  ];
  for (const change of changes) {
    await change();
    for (const filters of [paying, others, paying]) {
      const fresh = createColumns(scene.deps, { threads: 0 });
      expect(await scene.ask(filters)).toEqual(await scene.ask(filters, fresh));
      await fresh.stop();
    }
  }
  expect((await scene.ask(paying)).views).toBeGreaterThan(1);
});

it('filters events by current person properties, also after merges', async () => {
  await scene.happened(
    { distinctId: 'browser' },
    { distinctId: 'user', set: { tier: 'Gold', seats: 12 } },
    { distinctId: 'other', set: { tier: 'silver', seats: '3' } },
  );
  await scene.columns.seal();
  await scene.happened({ event: '$identify', distinctId: 'user', anonymousId: 'browser' });
  const views = async (asked: Partial<FilterCondition>) =>
    (await scene.ask(all({ about: 'person', name: 'tier', operator: 'equals', values: [], ...asked }))).views;
  expect(await views({ values: ['Gold', 'none'] })).toBe(2);
  expect(await views({ operator: 'notEquals', values: ['Gold'] })).toBe(1);
  expect(await views({ operator: 'contains', values: ['OL', 'LV'] })).toBe(3);
  expect(await views({ operator: 'regex', values: ['^s.*r$'] })).toBe(1);
  expect(await views({ operator: 'gt', name: 'seats', values: [2.5] })).toBe(3);
  expect(await views({ operator: 'lt', name: 'seats', values: [12] })).toBe(1);
  expect(await views({ operator: 'isSet' })).toBe(3);
  expect(await views({ operator: 'isNotSet', name: 'nothing' })).toBe(3);
  await scene.happened({ event: 'upgrade', distinctId: 'other', set: { tier: 'Gold' } });
  expect(await views({ values: ['Gold'] })).toBe(3);
});

it('answers about any property from its column, however many values or how few events it has', async () => {
  const sent = Array.from({ length: 6_000 }, (_, index) => ({
    ...{ ts: NOON + index, session: null, distinctId: 'one' },
    properties: {
      plan: index % 2 === 0 ? 'pro' : 'free',
      token: `${'x'.repeat(30)}${index}`,
      [`name ${index}`]: index,
      ...(index === 5_999 && { $web_vitals_LCP_value: 1_200 }),
    },
  }));
  for (let at = 0; at < sent.length; at += 1_000) await scene.happened(...sent.slice(at, at + 1_000));
  await scene.columns.seal();
  expect(await database.query('select rare, property_rows from chunks where kind = 1')).toEqual([
    { rare: null, property_rows: null },
  ]);
  // Whoever reads rows finds none.
  await database.query('alter table events rename column properties to hidden');
  await database.query(`alter table events add column properties jsonb`);
  const views = async (name: string, operator: FilterCondition['operator'], ...values: FilterCondition['values']) =>
    (await scene.ask(all({ about: 'event', name, operator, values }))).views;
  try {
    expect(await views('plan', 'isSet')).toBe(6_000);
    expect(await views('token', 'equals', `${'x'.repeat(30)}4711`)).toBe(1);
    expect(await views('token', 'isSet')).toBe(6_000);
    expect(await views('token', 'regex', '^x+47..$')).toBe(100);
    expect(await views('name 5500', 'isSet')).toBe(1);
    expect(await views('name 5500', 'gt', 5_499)).toBe(1);
    expect(await views('name 5500', 'isNotSet')).toBe(5_999);
    expect(await views('$web_vitals_LCP_value', 'isSet')).toBe(1);
    expect(await views('$web_vitals_CLS_value', 'isSet')).toBe(0);
  } finally {
    await database.query('alter table events drop column properties');
    await database.query('alter table events rename column hidden to properties');
  }
  await scene.happened({ properties: { token: 'late' } });
  expect(await views('token', 'isSet')).toBe(6_001);
  const today = Math.floor(NOON / (24 * HOUR));
  const days = { first: today, last: today };
  expect(await scene.columns.propertyRows(scene.project.id, days, ['plan'])).toEqual(new Map([['plan', 6_000]]));
  const careful = createColumns(scene.deps, { threads: 0, mostRowsRead: 5_999 });
  expect(await careful.propertyRows(scene.project.id, days, ['plan'])).toBeNull();
  await careful.stop();
});

it('reads the rows of chunks of which an earlier version left properties out, until they are sealed again', async () => {
  await scene.happened({ properties: { plan: 'pro', token: 'a' } }, { properties: { token: 'b' } });
  await scene.columns.seal();
  await database.query(`update chunks set rare = '{token}', packed_bits = null where kind = 1`);
  await database.query(`delete from chunk_columns where name = 'p:token'`);
  const token = all({ about: 'event', name: 'token', operator: 'equals', values: ['b'] });
  const older = createColumns(scene.deps, { threads: 0 });
  const ask = (columns: Columns) =>
    columns.series({
      ...{ projectId: scene.project.id, views: ['$pageview'], filters: token },
      spans: [{ from: NOON, until: NOON + HOUR, starts: [] }],
    });
  expect(await ask(older)).toMatchObject([{ total: { views: 1 } }]);
  expect(await older.verify()).toMatchObject({ findings: [] });
  await older.runMaintenance();
  expect(await database.query('select rare, packed_bits from chunks where kind = 1')).toEqual([
    { rare: [], packed_bits: 0 },
  ]);
  expect(await ask(older)).toMatchObject([{ total: { views: 1 } }]);
  await older.stop();
});

it('reads groups again that were derived again', async () => {
  await scene.happened({ path: '/old' });
  await scene.columns.seal();
  const path = (value: string) => all({ about: 'event', name: '$pathname', operator: 'equals', values: [value] });
  expect(await scene.ask(path('/old'))).toMatchObject({ views: 1 });
  const theme = all({ about: 'event', name: 'theme', operator: 'equals', values: ['dark'] });
  expect(await scene.ask(theme)).toMatchObject({ views: 0, visits: 0 });
  await database.query(
    `update property_groups set properties = '{"$pathname": "/new", "theme": "dark"}' where kind = 1`,
  );
  expect(await scene.ask(theme)).toMatchObject({ views: 1, visits: 1 });
  expect(await scene.ask(path('/old'))).toMatchObject({ views: 0, visits: 0 });
  expect(await scene.ask(path('/new'))).toMatchObject({ views: 1, visits: 1 });
  await scene.columns.runMaintenance();
  expect(await scene.ask(path('/new'))).toMatchObject({ views: 1, visits: 1 });
});

it.each<[string, Partial<FilterCondition>, RegExp]>([
  ['a broken pattern', { operator: 'regex', values: ['('] }, /Invalid regular expression/],
  ['a pattern for persons', { about: 'person', operator: 'notRegex', values: ['a**+'] }, /Invalid regular expression/],
  ['above a word', { operator: 'gt', values: ['much'] }, /needs a number/],
  ['above nothing', { operator: 'lt', values: [] }, /needs exactly one value/],
  ['before a word', { operator: 'before', values: ['tomorrow'] }, /needs a date \(2026-11-30\)/],
  ['after two days', { operator: 'after', values: ['2026-11-20', '2026-11-21'] }, /needs exactly one value/],
  ['an id that numbers are not kept by', { name: '$device_id' }, /can’t be filtered by "\$device_id"/],
  ['a field that visits do not have', { about: 'session', name: 'shoeSize' }, /"shoeSize" is not a visit property/],
])('refuses %s', async (_, condition, message) => {
  await scene.happened({ properties: { plan: 'pro' }, set: { plan: 'pro' } });
  await expect(
    scene.ask(all({ about: 'event', name: 'plan', operator: 'equals', ...condition })),
  ).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
  });
});

it('adds new events to cached sums, with the same result as a full count', async () => {
  const day = 24 * HOUR;
  const visit = (at: number, person: string, path: string, more: Partial<Told> = {}): Told => ({
    ...{ ts: NOON - at, distinctId: person, session: sessionId(`${person} ${Math.floor(at / day)}`), path },
    ...more,
  });
  const told = Array.from({ length: 400 }, (_, index) =>
    visit((index % 12) * day + index * 1_000, `person ${index % 41}`, `/${index % 9}`),
  );
  await scene.happened(...told);
  await scene.columns.seal();
  const filter = all({ about: 'event', name: '$pathname', operator: 'notEquals', values: ['/3'] });
  const ofVisits = (name: string, operator: 'gt' | 'contains', value: string): Filters =>
    all({ about: 'session', name, operator, values: [value] });
  const wide: Filters = { match: 'any', of: [...ofVisits('entryPath', 'contains', '/5').of, ...filter.of] };
  const everything = async (by: Columns) => {
    const starts = Array.from({ length: 13 }, (_, index) => NOON - (12.5 - index) * day);
    const spans = [{ from: starts[0] as number, until: NOON + day, starts }];
    const daysBetween = (from: number, until: number) =>
      starts
        .map((start, at) => ({
          from: Math.max(start, from),
          until: Math.min(starts[at + 1] ?? NOON + day, until),
          cell: at % 7,
        }))
        .filter((stretch) => stretch.from < stretch.until);
    const [page, entry] = [
      { of: 'events', reading: { kind: 'page', names: ['$pathname'] } },
      { of: 'sessions', field: 'entryPath' },
    ] as const satisfies Dimension[];
    return Promise.all(
      [null, filter, ofVisits('views', 'gt', '2'), ofVisits('entryPath', 'contains', '/1'), wide].map((filters) => {
        const question = { projectId: scene.project.id, views: ['$pageview'], filters, spans };
        return Promise.all([
          by.series({ ...question, withMedian: true }),
          by.tables({ ...question, visitorsOf: 3 }, [page, entry]),
          by.cells(question, { cells: 7, isInQuarters: false, between: (from, until) => daysBetween(from, until) }),
        ]);
      }),
    );
  };
  const steps = [
    async () => undefined,
    () => scene.happened(visit(0, 'person 1', '/1'), visit(1_000, 'new', '/3'), visit(2_000, 'new', '/4')),
    // Late, of days that are sealed, and in a visit that is.
    () => scene.happened(visit(5 * day + 5_000, 'person 5', '/5'), visit(7 * day, 'late', '/2')),
    () => scene.happened(visit(0, 'person 2', '/2', { event: '$identify', anonymousId: 'person 3' })),
    async () => void (await scene.columns.seal()),
    () => scene.happened(visit(9 * day, 'person 2', '/8'), visit(0, 'person 4', '/3')),
  ];
  const kept = createColumns(scene.deps, { threads: 2 });
  const said = new Set<string>();
  try {
    for (const step of steps) {
      await step();
      const fresh = createColumns(scene.deps, { threads: 0 });
      const wanted = await everything(fresh);
      await fresh.stop();
      for (let time = 0; time < 2; time++) expect(await everything(kept)).toEqual(wanted);
      said.add(JSON.stringify(wanted));
    }
  } finally {
    await kept.stop();
  }
  expect(said.size).toBe(steps.length - 1); // sealing changes nothing
});

it('answers those who ask beside a question that cannot be', async () => {
  await scene.happened({ path: '/a' }, { path: '/b' });
  const pattern = all({ about: 'event', name: '$pathname', operator: 'regex', values: ['(['] });
  const good = all({ about: 'event', name: '$pathname', operator: 'regex', values: ['^/a'] });
  const [one, bad, two] = await Promise.allSettled([scene.ask(good), scene.ask(pattern), scene.ask()]);
  expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'invalid' } });
  expect([one, two].map((each) => each.status === 'fulfilled' && each.value.views)).toEqual([1, 2]);
});

it('waits for the columns that others read, and for nothing else that they mean to read', async () => {
  await scene.happened({ path: '/a' }, { path: '/b' });
  await scene.columns.seal();
  const projectId = scene.project.id;
  const chunksFor = async (client: ClientBase) =>
    (await chunksOf(client, projectId)).map((chunk) => ({ ...chunk, columns: {}, except: [] }) as GatheredChunk);
  const cache = createCache(1e6);
  const busy = Promise.withResolvers<void>();
  await readSnapshot(scene.deps.db, async (one) => {
    // The first has to read something else before, on its one connection.
    const own = await chunksFor(one);
    const names = ['page', 'person', 'nothing'];
    const arrivals = beginColumns({ snapshot: { client: one }, cache }, projectId, own, names, {
      connectionFree: busy.promise,
    });
    // Another one does not wait for that.
    const columns = await readSnapshot(scene.deps.db, async (two) => {
      const chunks = await chunksFor(two);
      await loadColumns({ snapshot: { client: two }, cache }, projectId, chunks, ['person']);
      return chunks.map((chunk) => chunk.columns);
    });
    busy.resolve();
    await Promise.all(arrivals);
    // What was read meanwhile is not read again.
    for (const [at, { person }] of columns.entries()) expect(own[at]?.columns['person']).toBe(person);
    expect(columns.some(({ person }) => person !== undefined)).toBe(true);
    expect(own.some((chunk) => chunk.columns['page'] !== undefined)).toBe(true);
    expect(cache.underWay.size).toBe(0);
  });
});

it('ends when a name was asked for that PostgreSQL cannot hold', async () => {
  await scene.happened({ properties: { plan: 'pro' } });
  await scene.columns.seal();
  const isSet = (name: string) => scene.ask(all({ about: 'event', name, operator: 'isSet', values: [] }));
  expect(await isSet('\ud83d')).toMatchObject({ visits: 0 });
  expect(await isSet('plan')).toMatchObject({ visits: 1 });
});

it('reads columns in a new snapshot when another query aborted this one, and only as they were', async () => {
  await scene.happened({ path: '/a' }, { path: '/b' });
  await scene.columns.seal();
  const { db } = scene.deps;
  const projectId = scene.project.id;
  const names = ['page', 'person', 'nothing'];
  const load = (spoils: boolean, chunksAt: (client: ClientBase) => Promise<Chunk[]>) =>
    readSnapshot(db, async (client) => {
      const chunks = (await chunksAt(client)).map((chunk) => ({ ...chunk, columns: {}, except: [] }) as GatheredChunk);
      if (spoils) await expect(client.query('select 1 / 0')).rejects.toThrow('division');
      const snapshot = { client, elsewhere: (work: (other: ClientBase) => Promise<void>) => readSnapshot(db, work) };
      await loadColumns(
        { snapshot: snapshot as LoadParts['snapshot'], cache: createCache(1e6) },
        projectId,
        chunks,
        names,
      );
      return chunks.map(({ columns }) => columns);
    });
  const all = (client: ClientBase) => chunksOf(client, projectId);
  const found = await load(false, all);
  expect(found.map((columns) => Object.keys(columns).sort())).toContainEqual(['page', 'person']);
  expect(await load(true, all)).toEqual(found);
  const gone = async (client: ClientBase) => (await all(client)).map((chunk) => ({ ...chunk, id: chunk.id + 1_000 }));
  await expect(load(true, gone)).rejects.toMatchObject({ code: 'busy' });
});

it('ends only when nothing is being read any more, also when something goes wrong', async () => {
  await scene.happened({});
  await scene.columns.seal();
  const { db } = scene.deps;
  let wasDone: boolean | null = null;
  const load = readSnapshot(db, async (client) => {
    const chunks = (await chunksOf(client, scene.project.id)).map(
      (chunk) => ({ ...chunk, columns: {}, except: [] }) as GatheredChunk,
    );
    await expect(client.query('select 1 / 0')).rejects.toThrow('division');
    // So many columns that another connection is opened for them, while this one cannot read any.
    const names = Array.from({ length: 70 }, (_, place) => `column ${place}`);
    const other = Promise.withResolvers<null>();
    let isDone = false;
    const snapshot = { client, second: () => other.promise };
    const loading = loadColumns({ snapshot, cache: createCache(1e6) }, scene.project.id, chunks, names).finally(() => {
      isDone = true;
    });
    await new Promise(setImmediate);
    await expect(client.query('select')).rejects.toThrow('aborted');
    await new Promise(setImmediate);
    wasDone = isDone;
    other.resolve(null);
    await loading;
  });
  await expect(load).rejects.toMatchObject({ code: 'internal' });
  expect(wasDone).toBe(false);
  // The same when another query aborted the snapshot, and a separate one fails, too.
  const snapshots = createSnapshots(db, { before: () => ({ closed: 0, kept: null }) }, createBreath());
  let [times, isDone] = [0, false];
  const spoiling = snapshots.withSnapshot(1, [], async ({ client }) => client.query('select 1 / 0'));
  const spoilt = snapshots.withSnapshot(1, [], async ({ client, until }) => {
    if (++times === 1) return query(client, sql`select`);
    const step = () => query(client, sql`select`);
    until(
      step()
        .then(step)
        .then(() => {
          isDone = true;
        }),
    );
    throw new Error('of its own');
  });
  await expect(spoiling).rejects.toThrow();
  await expect(spoilt).rejects.toThrow();
  expect([times, isDone]).toEqual([2, true]);
});

it('divides numbers as the project writes them, and refuses to divide what has none', async () => {
  await database.query(`update projects set settings = settings || '{"decimalSeparator":"comma"}'`);
  await scene.happened(
    ...['1.500', '2,5', '900', 'none'].map((price) => ({ event: 'order', path: '/a', properties: { price } })),
  );
  const span = { from: NOON - HOUR, until: NOON + HOUR };
  const orders = [{ names: ['order'], filters: [] }];
  const series = [{ rules: orders, measure: 'events' as const, spans: [{ ...span, windows: [span], total: span }] }];
  const scope = { projectId: scene.project.id, filters: null, series };
  const countsBy = async (by: TrendsQuery['by']) => {
    const [found] = await scene.columns.trends({ ...scope, by, most: 9 });
    return Object.fromEntries(found?.[0]?.rows.map(({ value, total }) => [value, total]) ?? []);
  };
  expect(await countsBy({ about: 'combined', of: [{ about: 'event', name: 'price', edges: [10, 1_000] }] })).toEqual({
    ...{ '': 1, '<10': 1, '10..1000': 1, '>=1000': 1 },
  });
  // One property without intervals is what it is alone, also when its values are read by rules.
  for (const name of ['price', '$pathname']) {
    const alone = { about: 'event' as const, name };
    expect(await countsBy({ about: 'combined', of: [alone] })).toEqual(await countsBy(alone));
  }
  const resolved = (name: string) =>
    resolveBreakdown(
      scene.columns,
      { breakdown: [{ about: 'name' }, { about: 'event', name, bins: { count: 2, by: 'width' } }] },
      scope,
    );
  expect((await resolved('price')).edges).toEqual([null, [751.25]]);
  expect((await resolved('never sent')).edges).toEqual([null, [0]]);
  await expect(resolved('$pathname')).rejects.toMatchObject({ code: 'invalid', field: 'breakdown.1.bins' });
});
