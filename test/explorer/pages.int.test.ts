/** Pages of raw events: in order, complete, each once, also with new events in between; and the same events as the engine counts. */

import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { filterOperators, takesOf } from '#src/columns/filters/operators.ts';
import { sessionFields } from '#src/columns/values.ts';
import { explainStored } from '#src/events/explain.ts';
import { countStored } from '#src/events/stored.ts';
import type { EventListQuery } from '#src/explorer/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { all, HOUR, NOON, type Told } from '../columns/scene.ts';
import { sessionId } from '../insights/histories.ts';
import { type ExplorerScene, openExplorerScene, range } from './scene.ts';

const database = useDatabase();
let scene: ExplorerScene;

beforeEach(async () => {
  scene = await openExplorerScene(database.url);
});
afterEach(() => scene.close());

it('shows the newest first, what each is about, whose it is, and what was asked for', async () => {
  await scene.happened(
    { path: '/a', properties: { plan: 'pro', list: [1, { a: 'x'.repeat(400) }] } },
    {
      ts: NOON + 1,
      event: 'order',
      distinctId: 'user',
      properties: { product: 'Café' },
      set: { email: 'ana@x.example' },
    },
  );
  const columns = [
    { of: 'event' as const, name: 'plan' },
    { of: 'event' as const, name: '$pathname' },
    { of: 'event' as const, name: 'list' },
    { of: 'event' as const, name: 'constructor' },
    { of: 'person' as const, name: 'email' },
  ];
  const { rows, next, range } = await scene.page({}, { columns });
  expect(range).toMatchObject({ fromDate: '2026-11-10', toDate: '2026-11-25' });
  expect(next).toBeNull();
  expect(rows).toMatchObject([
    {
      ...{ ts: NOON + 1, event: 'order', detail: 'Café', values: [null, '/', null, null, 'ana@x.example'] },
      person: { distinctId: 'user', label: 'ana@x.example', identified: false },
    },
    {
      ts: NOON,
      event: '$pageview',
      detail: '/a',
      person: { label: null },
      values: ['pro', '/a', expect.any(String), null, null],
    },
  ]);
  expect(String(rows[1]?.values[2])).toHaveLength(301);
});

it('gives each event once, also those of one moment, and those that come late only where they belong', async () => {
  const same = Array.from({ length: 25 }, (_, index): Told => ({ ts: NOON + Math.floor(index / 10), session: null }));
  await scene.happened(...same);
  const first = await scene.page({}, { limit: 7 });
  const seen = first.rows.map(({ uuid }) => uuid);
  // Newer than what was shown, and older.
  const late: Told[] = [
    { ts: NOON + HOUR, uuid: uuidV7(NOON + HOUR), session: null },
    { ts: NOON - HOUR, uuid: uuidV7(NOON - HOUR), session: null },
  ];
  await scene.happened(...late);
  let { next } = first;
  while (next !== null) {
    const page = await scene.page({}, { limit: 7, after: next });
    seen.push(...page.rows.map(({ uuid }) => uuid));
    next = page.next;
  }
  expect(seen).toHaveLength(26);
  expect(new Set(seen).size).toBe(26);
  expect(seen.at(-1)).toBe(late[1]?.uuid);
  expect(seen).not.toContain(late[0]?.uuid);
  expect((await scene.all()).map(({ uuid }) => uuid).sort()).toEqual([...seen, late[0]?.uuid].sort());
});

it('goes back to newer ones by the very same events, and ends with the newest', async () => {
  const same = Array.from({ length: 25 }, (_, index): Told => ({ ts: NOON + Math.floor(index / 10), session: null }));
  await scene.happened(...same, { event: 'order', ts: NOON + 5 });
  for (const asked of [{}, { names: ['$pageview'] }]) {
    const uuids = (await scene.all(asked)).map(({ uuid }) => uuid);
    const pages = [await scene.page(asked, { limit: 7 })];
    for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
      pages.push(await scene.page(asked, { limit: 7, after: next }));
    }
    expect(pages[0]?.newer).toBeNull();
    for (let at = pages.length - 1; at > 0; at--) {
      const before = pages[at]?.newer;
      const newer = await scene.page(asked, { limit: 7, ...(before && { before }) });
      expect(newer.rows).toEqual(pages[at - 1]?.rows);
      expect(newer.next).toEqual(pages[at - 1]?.next);
      expect(newer.newer === null).toBe(at === 1);
    }
    // From the middle of a page: less than a page is newer, so the newest fill it.
    const { rows: newest } = await scene.page(asked, { limit: 7, before: { ts: NOON + 2, uuid: uuids[5] ?? '' } });
    expect(newest.map(({ uuid }) => uuid)).toEqual(uuids.slice(0, 7));
  }
});

it('says how far ahead it looked when time is over', async () => {
  await scene.happened({ ts: NOON + 7 * 24 * HOUR, path: '/new' }, {});
  const filters = all({ about: 'event', name: '$pathname', operator: 'equals', values: ['/new'] });
  let steps = 0;
  const elapsed = scene.deps.clock.elapsed;
  scene.deps.clock.elapsed = () => elapsed() + 4_000 * steps++;
  let before = { ts: NOON - 24 * HOUR, uuid: uuidV7(NOON) };
  const asked = { filters, range: { from: '2026-11-10', to: '2026-11-30' } };
  const first = await scene.page(asked, { before });
  expect(first).toMatchObject({ rows: [], searchedTo: null, searchedUp: NOON, next: { ts: NOON - 24 * HOUR + 1 } });
  for (let page = first; ; page = await scene.page(asked, { before })) {
    if (page.rows.length > 0) {
      expect(page.rows).toMatchObject([{ ts: NOON + 7 * 24 * HOUR }]);
      break;
    }
    before = page.newer ?? before;
    expect(page.searchedUp).toBe(before.ts + 1);
  }
});

it('misses none that was there at the beginning, while others are stored', async () => {
  const told = (batch: number): Told[] =>
    Array.from({ length: 40 }, (_, index) => ({ ts: NOON - ((batch * 7 + index * 13) % 50) * 1000, session: null }));
  for (let batch = 0; batch < 3; batch++) await scene.happened(...told(batch));
  const before = (await scene.all()).map(({ uuid }) => uuid);
  const writing = (async () => {
    for (let batch = 3; batch < 12; batch++) await scene.happened(...told(batch));
  })();
  const during: string[] = [];
  for (const row of await scene.all({}, 9)) during.push(row.uuid);
  await writing;
  expect(new Set(during).size).toBe(during.length);
  expect(before.filter((uuid) => !during.includes(uuid))).toEqual([]);
  expect(await scene.all()).toHaveLength(480);
});

it('keeps to names, and to its own project', async () => {
  await scene.happened({ event: 'order' }, { event: 'signup' }, {});
  expect((await scene.all({ names: ['order', 'signup', 'none'] })).map(({ event }) => event).sort()).toEqual([
    'order',
    'signup',
  ]);
  expect(await scene.all({ names: ['none'] })).toEqual([]);
  await database.query('update events set project_id = project_id + 1');
  expect(await scene.all()).toEqual([]);
});

it('says how far back it looked when time is over', async () => {
  await scene.happened({ ts: NOON - 7 * 24 * HOUR, path: '/old' }, {});
  const filters = all({ about: 'event', name: '$pathname', operator: 'equals', values: ['/old'] });
  let steps = 0;
  const elapsed = scene.deps.clock.elapsed;
  scene.deps.clock.elapsed = () => elapsed() + 4_000 * steps++;
  const first = await scene.page({ filters });
  expect(first).toMatchObject({ rows: [], searchedTo: expect.any(Number), next: expect.anything() });
  expect(first.searchedTo).toBeGreaterThan(NOON - 7 * 24 * HOUR);
  expect(await scene.all({ filters })).toMatchObject([{ ts: NOON - 7 * 24 * HOUR }]);
});

it.each<[string, Partial<FilterCondition>, RegExp]>([
  ['a broken pattern', { operator: 'regex', values: ['('] }, /Invalid regular expression/],
  ['a pattern for persons', { about: 'person', operator: 'notRegex', values: ['a**+'] }, /Invalid regular expression/],
  ['above a word', { operator: 'gt', values: ['much'] }, /needs a number/],
  ['above nothing', { operator: 'lt', values: [] }, /needs exactly one value/],
  ['before a word', { operator: 'before', values: ['tomorrow'] }, /needs a date \(2026-11-30\)/],
  ['a day that no month has', { about: 'person', operator: 'after', values: ['2026-02-29'] }, /needs a date/],
  ['a field that visits do not have', { about: 'session', name: 'shoeSize' }, /"shoeSize" is not a visit property/],
])('refuses %s', async (_, condition, message) => {
  await scene.happened({ properties: { plan: 'pro' }, set: { plan: 'pro' } });
  const filters = all({ about: 'event', name: 'plan', operator: 'equals', ...condition });
  await expect(scene.page({ filters })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
  });
});

const dates = ['2026-11-20', '2026-11-20T02:30:00Z', '2026-11-20 00:00', '2026-11-19T23:59:59.9999-0300', '2026-11-21'];
const values: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  ...['pro', 'Pro', '7', '7.0', '07', '', 'true', 'null', 'São', 'a|b', '[1,"a"]', '-3', ...dates, '2026-02-29'],
  ...[7, 7.5, 0, -3, 1e20, 0.1, true, false, null],
  ...[[1, 'a'], [], { a: 1, b: 'x' }, ['pro']],
);
const asked = fc.constantFrom<string | number | boolean>(
  ...[
    'pro',
    '7',
    '7.5',
    '',
    'true',
    'null',
    'são',
    '[1,"a"]',
    '{"a":1,"b":"x"}',
    'a',
    '100000000000000000000',
    '/a',
    '0.1',
  ],
  ...[7, 7.5, -3, true],
);
const condition: fc.Arbitrary<FilterCondition> = fc
  .tuple(
    fc.oneof(
      fc
        .constantFrom('plan', 'tier', '$pathname', '$session_entry_referring_domain')
        .map((name) => ({ about: 'event' as const, name })),
      fc.constantFrom('plan', 'tier').map((name) => ({ about: 'person' as const, name })),
      fc.constantFrom(...sessionFields).map((name) => ({ about: 'session' as const, name })),
    ),
    fc.constantFrom(...filterOperators),
    fc.array(asked, { minLength: 0, maxLength: 3 }),
    fc.constantFrom(1, -3, 0.1, 7, 7.2),
    fc.constantFrom('^p', '.', '7', 'a$', '^$'),
    fc.constantFrom(...dates),
  )
  .map(([about, operator, list, number, pattern, date]) => {
    if (takesOf(operator) === 'number') return { ...about, operator, values: [number] };
    if (takesOf(operator) === 'pattern') return { ...about, operator, values: [pattern] };
    if (takesOf(operator) === 'date') return { ...about, operator, values: [date] };
    return { ...about, operator, values: /^is(Not)?(Set|Number)$/.test(operator) ? [] : list };
  });
const match = fc.constantFrom('all' as const, 'any' as const);
const filtersOf: fc.Arbitrary<Filters> = fc.record({
  match,
  of: fc.array(fc.oneof(condition, fc.record({ match, of: fc.array(condition, { maxLength: 2 }) })), {
    minLength: 1,
    maxLength: 3,
  }),
});
const told: fc.Arbitrary<Told> = fc
  .record({
    ts: fc.integer({ min: -20, max: 20 }).map((hours) => NOON + hours * HOUR + hours),
    event: fc.constantFrom('$pageview', 'order', '$identify'),
    distinctId: fc.constantFrom('one', 'two', 'three'),
    anonymousId: fc.constantFrom(undefined, 'browser'),
    session: fc.constantFrom(null, sessionId('a'), sessionId('b'), sessionId('c')),
    path: fc.constantFrom(null, '/', '/a', '7'),
    referringDomain: fc.constantFrom(null, '$direct', 'wa.me'),
    bot: fc.boolean(),
    properties: fc.dictionary(fc.constantFrom('plan', 'tier'), values),
    set: fc.dictionary(fc.constantFrom('plan', 'tier'), fc.constantFrom('pro', 'gold', '7', 'null', ...dates)),
  })
  .map(({ anonymousId, ...rest }) => (anonymousId === undefined ? rest : { ...rest, anonymousId }));

/** What the SQL gives that explains how many there are: all, those of bots, those of the team. */
async function explained({ explorer, project }: ExplorerScene, asked: EventListQuery): Promise<number[]> {
  const { parts } = await explorer.explainList(project, asked);
  const [row] = await database.query<Record<string, string>>(parts[0]?.sql ?? '');
  return [row?.['events'], row?.['bots'], row?.['team']].map(Number);
}

it('answers any query over any events', async () => {
  const odd = { plan: '9'.repeat(400), tier: `0.${'0'.repeat(400)}1`, side: `-${'9'.repeat(400)}` };
  await scene.happened({ properties: odd, distinctId: 'user', set: odd }, { ts: NOON + 1, path: '/a' });
  const asked: [Omit<FilterCondition, 'about'>, number][] = [
    [{ name: 'plan', operator: 'gt', values: [1e21] }, 1],
    [{ name: 'tier', operator: 'lt', values: [1] }, 1],
    [{ name: 'side', operator: 'lt', values: [-1e300] }, 1],
    ...['["\\u0000"]', '{"\\ud800":1}', 'a\0b', '\ud800'].flatMap((value): typeof asked => [
      [{ name: 'plan', operator: 'equals', values: [value, odd.plan] }, 1],
      [{ name: 'plan', operator: 'notEquals', values: [value] }, 2],
      [{ name: 'plan', operator: 'contains', values: [value] }, 0],
    ]),
  ];
  const filtersOfOne = (about: 'event' | 'person', condition: Omit<FilterCondition, 'about'>): EventListQuery => ({
    range,
    names: [],
    filters: all({ ...condition, about }),
  });
  for (const about of ['event', 'person'] as const) {
    for (const [condition, many] of asked) {
      const question = filtersOfOne(about, condition);
      const rows = (await scene.page(question)).rows.length;
      const { events } = await scene.explorer.count(scene.project, question);
      expect([about, condition, rows, events]).toEqual([about, condition, many, many]);
    }
    for (const value of ['a\0', '\ud800']) {
      const question = filtersOfOne(about, { name: 'plan', operator: 'regex', values: [value] });
      await expect(scene.page(question)).rejects.toMatchObject({ code: 'invalid' });
      await expect(scene.explorer.count(scene.project, question)).rejects.toMatchObject({ code: 'invalid' });
    }
  }
});

it('says how many there are and how that is counted, with persons, and how many are stored', async () => {
  await scene.happened(
    { path: '/a' },
    { path: '/b', bot: true },
    { event: 'order' },
    { event: 'late', ts: NOON + HOUR },
  );
  await scene.happened({ event: 'order', distinctId: 'other', ts: NOON - 400 * 24 * HOUR });
  const asked: EventListQuery = { range: { from: '2026-11-10', to: '2026-11-25' }, names: [] };
  expect(await scene.explorer.count(scene.project, asked)).toEqual({ events: 4 });
  expect(await explained(scene, asked)).toEqual([4, 1, 0]);
  expect(await explained(scene, { ...asked, names: ['order', 'late'] })).toEqual([2, 0, 0]);
  const people: EventListQuery['people'] = {
    match: 'all',
    of: [{ listed: { distinctIds: ['somebody'], persons: [] } }],
  };
  await scene.happened({ path: '/elsewhere', distinctId: 'somebody' });
  expect(await scene.explorer.count(scene.project, { ...asked, people })).toEqual({ events: 1 });
  expect(await explained(scene, { ...asked, people })).toEqual([1, 0, 0]);
  const { events } = await countStored(scene.deps.db, scene.project.id);
  const [stored] = await database.query<{ events: string }>(explainStored(scene.project.id, NOON).parts[0]?.sql ?? '');
  expect([events, Number(stored?.events)]).toEqual([6, 6]);
  // Seven minutes on, the limit lies within a quarter of an hour, and all of that is older.
  for (const [days, at, many] of [
    [30, NOON, 1],
    [399, NOON, 1],
    [400, NOON, 0],
    [400, NOON + 7 * 60_000, 1],
  ] as const) {
    const older = await countStored(scene.deps.db, scene.project.id, at - days * 24 * HOUR);
    const { parts } = explainStored(scene.project.id, at, days);
    const [explained] = await database.query<{ events: string }>(parts[1]?.sql ?? '');
    expect([parts[1]?.of, older.events, Number(explained?.events)]).toEqual(['older', many, many]);
  }
});

it('keeps the events that the engine counts, for every kind of filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(told, { minLength: 1, maxLength: 25 }),
      fc.array(filtersOf, { minLength: 12, maxLength: 12 }),
      async (happened, questions) => {
        const fresh = await openExplorerScene(database.url);
        try {
          await fresh.happened(...happened);
          for (const filters of questions) {
            const rows = await fresh.all({ filters });
            const asked = { range: { from: '2026-11-10', to: '2026-11-25' }, names: [], filters };
            const { events } = await fresh.explorer.count(fresh.project, asked);
            expect([filters, rows.length]).toEqual([filters, events]);
            expect([filters, (await explained(fresh, asked))[0]]).toEqual([filters, events]);
          }
        } finally {
          await fresh.close();
        }
      },
    ),
    { numRuns: 25 },
  );
});
