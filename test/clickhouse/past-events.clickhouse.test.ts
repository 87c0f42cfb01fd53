/** Events before the hot window are the same, in the same order, from ClickHouse as from PostgreSQL. */
import { type Clickhouse, createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { switchProjects } from '#src/clickhouse/state.ts';
import type { FilterCondition } from '#src/columns/contract.ts';
import { createHistory, type History, type HistoryQuery } from '#src/events/history.ts';
import { type SearchQuery, search, searchNewer } from '#src/explorer/search.ts';
import { noReadingRules } from '#src/kit/reading/reader.ts';
import { sql } from '#src/store/sql.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { useCopying } from './copying.ts';

jest.setTimeout(120_000);

const copying = useCopying();
const { database, engine, server, store } = copying;
const DAY_MS = 86_400_000;
const HOT_DAYS = 30;
/** Begin of the hot window. */
const begin = (Math.floor(TEST_TIME / DAY_MS) - HOT_DAYS) * DAY_MS;

/** Events that ClickHouse has answered. */
let found = 0;
let clickhouse: Clickhouse;
let past: History;
let stored: History;

beforeAll(async () => {
  await store(60);
  // Some at one moment, some on both sides of the border, some within the window.
  await store(20, { ts: TEST_TIME - 60 * DAY_MS });
  await store(6, { ts: begin - 1 });
  await store(6, { ts: begin });
  await store(20, { ts: TEST_TIME - 2 * DAY_MS });
  const identified = { event: '$identify', distinctId: 'visitor 1', anonymousId: 'visitor 2' };
  await store(2, { ...identified, ts: TEST_TIME - 50 * DAY_MS });
  const config = { ...engine.deps.config, CLICKHOUSE_URL: server.url, CLICKHOUSE_HOT_DAYS: HOT_DAYS };
  const onFound = (events: number) => {
    found += events;
  };
  clickhouse = createClickhouse({ ...engine.deps, config }, { onFound }) as Clickhouse;
  await clickhouse.shipAll();
  stored = createHistory(engine.deps);
  past = clickhouse.historyOver(stored);
});
afterAll(() => clickhouse.stop());

const projectId = () => copying.project.id;
const wanted = (change: Partial<SearchQuery>): SearchQuery => ({
  projectId: projectId(),
  reading: noReadingRules,
  names: [],
  filters: undefined,
  from: 0,
  to: TEST_TIME,
  ...change,
});

interface Place {
  ts: number;
  uuid: string;
}

/** All pages of seven, the newest first. */
async function pagesOf<Event extends Place>(page: (after: Event | undefined) => Promise<Event[]>): Promise<Event[]> {
  const all: Event[] = [];
  for (;;) {
    const events = await page(all.at(-1));
    all.push(...events);
    if (events.length < 7) return all;
  }
}

const searched = (history: History, asked: SearchQuery) =>
  pagesOf(
    async (after: Place | undefined) =>
      (await search({ history, elapsed: () => 0 }, asked, { after, limit: 7 }, () => true)).events,
  );
const paged = (history: History, asked: Omit<HistoryQuery, 'limit'>) =>
  pagesOf((after: Place | undefined) => history.page(projectId(), { ...asked, after, limit: 7 }));
const listed = (history: History, asked: Omit<HistoryQuery, 'limit'>) =>
  pagesOf((after: Place | undefined) => history.listed(projectId(), { ...asked, after, limit: 7 }));

const WINDOW = '018f0000-0000-7000-a000-000000000002';
const filtersOf = (...of: FilterCondition[]) => ({ match: 'all' as const, of });
const searches: Partial<SearchQuery>[] = [
  {},
  { names: ['bought'] },
  { names: ['bought', '$pageview'], from: Date.UTC(2026, 1, 1), to: TEST_TIME - 40 * DAY_MS },
  { filters: filtersOf({ about: 'event', name: 'plan', operator: 'isSet', values: [] }) },
  { filters: filtersOf({ about: 'event', name: 'plan', operator: 'gt', values: [1] }) },
  { filters: filtersOf({ about: 'event', name: '$pathname', operator: 'notContains', values: ['3'] }) },
  { filters: filtersOf({ about: 'session', name: 'entryPath', operator: 'contains', values: ['page'] }) },
  { filters: filtersOf({ about: 'event', name: '$window_id', operator: 'equals', values: [WINDOW, 'none'] }) },
  { filters: filtersOf({ about: 'event', name: '$device_id', operator: 'notContains', values: ['000000000003'] }) },
  { names: ['$pageview'], whose: { numbers: [1, 3], isExcept: true } },
  { whose: { numbers: [2, 4], isExcept: false } },
];

it('asks PostgreSQL about projects that are not switched', async () => {
  expect(await searched(past, wanted({}))).toEqual(await searched(stored, wanted({})));
  expect(found).toBe(0);
  await switchProjects(engine.deps.db, [projectId()], true);
});

it.each(searches.map((change) => [JSON.stringify(change), change] as const))(
  'finds the same as PostgreSQL, page by page in both directions: %s',
  async (_name, change) => {
    const asked = wanted(change);
    const before = found;
    const all = await searched(past, asked);
    expect(all).toEqual(await searched(stored, asked));
    expect(found - before).toBe(all.filter(({ ts }) => ts < begin).length);
    expect(all.length).toBeGreaterThan(7);
    for (const place of [all.at(-1), all[all.length >> 1], all.find(({ ts }) => ts < begin)]) {
      const newer = (history: History) =>
        searchNewer({ history, elapsed: () => 0 }, asked, { before: place as Place, limit: 9 }, () => true);
      expect(await newer(past)).toEqual(await newer(stored));
    }
  },
);

it('finds the same for the API and the pages of people', async () => {
  const asks: Omit<HistoryQuery, 'limit'>[] = [
    {},
    { event: 'bought' },
    { event: 'never sent' },
    { persons: [1, 2] },
    { distinctId: 3, from: begin - 100 * DAY_MS },
    { persons: [1, 2, 3, 4], where: sql`event > 0`, chosen: { names: ['$pageview'] } },
    { to: begin },
    { from: begin },
  ];
  const namedBy = (ask: Omit<HistoryQuery, 'limit'>) =>
    ask.chosen ? { ...ask, where: sql`event in (select number from event_names where name = '$pageview')` } : ask;
  for (const ask of asks) {
    expect(await paged(past, namedBy(ask))).toEqual(await paged(stored, namedBy(ask)));
    expect(await listed(past, namedBy(ask))).toEqual(await listed(stored, namedBy(ask)));
  }
  const own = {
    chosen: { ofOwnNames: true },
    where: sql`event in (select number from event_names where name = 'bought')`,
  };
  const before = found;
  expect(await listed(past, own)).toEqual(await listed(stored, own));
  expect(found).toBeGreaterThan(before);
});

it('finds one event', async () => {
  const all = await paged(stored, {});
  for (const { ts, uuid } of all.filter((_, at) => at % 9 === 0)) {
    const before = found;
    expect(await past.one(projectId(), ts, uuid)).toEqual(await stored.one(projectId(), ts, uuid));
    expect(await past.detail(projectId(), { ts, uuid: uuid.toUpperCase() })).toEqual(
      await stored.detail(projectId(), { ts, uuid }),
    );
    expect(found - before).toBe(ts < begin ? 2 : 0);
  }
  const unknown = { ts: begin - DAY_MS, uuid: all[0]?.uuid as string };
  await expect(past.detail(projectId(), unknown)).rejects.toMatchObject({ code: 'not_found' });
  await expect(past.one(projectId(), Number.NaN, 'none')).rejects.toMatchObject({ code: 'not_found' });
  // It has come late, and is not copied yet.
  const [late] = await store(1, { ts: begin - 5 * DAY_MS });
  expect(await past.one(projectId(), late?.ts as number, late?.uuid as string)).toMatchObject({ event: '$pageview' });
  await clickhouse.shipAll();
});

it('passes over people who are gone without ending a page there', async () => {
  const all = await paged(stored, { to: begin });
  const [person] = await database.query<{ number: number; uuid: string }>(
    `select number, uuid from persons where number = (
       select coalesce(new_person, person) from events left join person_overrides on old_person = person
        where ts < $1 group by 1 order by count(*) desc limit 1)`,
    [new Date(begin)],
  );
  const rest = all.filter((event) => event.person !== person?.uuid);
  expect(rest.length).toBeLessThan(all.length - 7);
  // Their rows go from ClickHouse with the next changes.
  await database.query('update persons set number = number + 1000 where number = $1', [person?.number]);
  try {
    expect(await paged(past, { to: begin })).toEqual(rest);
    const newer = await past.listed(projectId(), {
      before: { ts: 0, uuid: all[0]?.uuid as string },
      to: begin,
      limit: 9,
    });
    expect(newer.map(({ uuid }) => uuid)).toEqual(rest.slice(-9).map(({ uuid }) => uuid));
  } finally {
    await database.query('update persons set number = number - 1000 where number = $1', [(person?.number ?? 0) + 1000]);
  }
});

it('leaves to PostgreSQL what ClickHouse does not answer, and all while changes are half applied or it is away', async () => {
  const asksStored = async (asked: SearchQuery) => {
    const before = found;
    expect(await searched(past, asked)).toEqual(await searched(stored, asked));
    expect(found).toBe(before);
  };
  const numbers = Array.from({ length: 200_001 }, (_, at) => at + 1);
  await asksStored(wanted({ whose: { numbers, isExcept: false } }));
  const { reading: _, ...unread } = wanted({ names: ['bought'] });
  await asksStored(unread);
  await database.query(`update clickhouse_state set sending = '{"what": "changes", "ids": []}'`);
  await asksStored(wanted({}));
  await database.query('update clickhouse_state set sending = null, caught_up_at = $1', [new Date(TEST_TIME - 61_000)]);
  await asksStored(wanted({}));
  await database.query('update clickhouse_state set caught_up_at = $1', [new Date(TEST_TIME)]);
  await server.query('alter table luneta.events drop column window_id');
  await asksStored(wanted({}));
  await server.kill();
  await asksStored(wanted({ names: ['bought'] }));
  await server.restart(false);
});
