/** Months whose single events ClickHouse alone has: numbers stay, erasures reach them, nothing is lost, and what can't be answered is an error. */
import { type Clickhouse, createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { monthNamed } from '#src/clickhouse/dropping/month.ts';
import { switchProjects } from '#src/clickhouse/state.ts';
import { comparable } from '#src/clickhouse/verify-kinds.ts';
import { queriesOf } from '#src/clickhouse/verify-queries.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { createHistory, type History } from '#src/events/history.ts';
import { createPeople } from '#src/persons/people.ts';
import { createProfiles } from '#src/profiles/profiles.ts';
import { isDataError, openDirect } from '#src/store/db.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';
import { useCopying } from './copying.ts';
import { killAt } from './killing.ts';

jest.setTimeout(120_000);

const copying = useCopying();
const { database, engine, server, store } = copying;
const DAY_MS = 86_400_000;
const HOT_DAYS = 30;
const JANUARY = Date.UTC(2026, 0, 1);

let clickhouse: Clickhouse;
let columns: Columns;
let history: History;
const opened: { stop(): Promise<void> }[] = [];

/** A process that knows nothing yet. */
function open(hotDays: number | undefined = HOT_DAYS): Clickhouse {
  const config = { ...engine.deps.config, CLICKHOUSE_URL: server.url, CLICKHOUSE_HOT_DAYS: hotDays };
  clickhouse = createClickhouse({ ...engine.deps, config }, { batch: 500 }) as Clickhouse;
  columns = createColumns(engine.deps, { threads: 0, dropped: clickhouse.droppedRows });
  history = clickhouse.historyOver(createHistory(engine.deps, clickhouse.dropped));
  opened.push(clickhouse, columns);
  return clickhouse;
}
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
});

const IS_WAITING = `select from pg_stat_activity where query like '%backend_xmin is not null%' and pid <> pg_backend_pid()`;

const projectId = () => copying.project.id;
const month = (name: string) => monthNamed(name);
const drop = (name: string) => clickhouse.drop(month(name), true);

/** Some with a visit of that time, some without. */
async function storeAt(ts: number): Promise<void> {
  const session = `018f0000-0000-7000-9200-${String(Math.floor(ts / 60_000)).padStart(12, '0')}`;
  await store(4, { ts, session });
  await store(2, { ts: ts + 1_000, session: null });
}

beforeAll(async () => {
  for (let day = 0; day < 50; day += 2) await storeAt(JANUARY + day * DAY_MS + 5_000);
  // A visit that reaches over the end of January, and one of two people that reaches over the end of February.
  const over = (ts: number, minutes: number, session: number, distinctId: string) =>
    store(1, {
      ts: ts + minutes * 60_000,
      session: `018f0000-0000-7000-9100-00000000000${session}`,
      distinctId,
      event: '$pageview',
      path: `/of ${distinctId}`,
    });
  for (const minutes of [-20, -10, 5]) await over(Date.UTC(2026, 1, 1), minutes, 1, 'visitor 1');
  await over(Date.UTC(2026, 2, 1), -20, 2, 'visitor 1');
  for (const minutes of [-10, 5]) await over(Date.UTC(2026, 2, 1), minutes, 2, 'visitor 2');
  await store(4, { ts: Date.UTC(2026, 1, 20), session: null, distinctId: 'only then' });
  for (let day = 2; day < 20; day += 2) await storeAt(TEST_TIME - day * DAY_MS);
  const identified = { event: '$identify', distinctId: 'visitor 3', anonymousId: 'visitor 4', session: null };
  await store(1, { ...identified, ts: TEST_TIME - 2 * DAY_MS });
  await engine.columns.seal();
});

/** Answers of every kind, over the months and over all that there is. */
async function answers(by: Columns): Promise<unknown[]> {
  const found: unknown[] = [];
  const names = ['$pageview', 'bought'];
  for (const until of [JANUARY + 25 * DAY_MS, JANUARY + 45 * DAY_MS, JANUARY + 70 * DAY_MS, TEST_TIME]) {
    const asked = { projectId: projectId(), names, groups: [], hasVitals: false };
    for (const { ask, isUnordered = false } of queriesOf({ ...asked, until: Math.floor(until / DAY_MS) * DAY_MS })) {
      found.push(comparable(await ask(by), isUnordered));
    }
  }
  const span = { from: JANUARY, until: TEST_TIME };
  const scope = { projectId: projectId(), filters: null };
  const spans = [{ ...span, starts: [JANUARY, JANUARY + 40 * DAY_MS] }];
  const question = { ...scope, spans, views: ['$pageview'] };
  found.push(comparable(await by.tables(question, [{ of: 'sessions', field: 'entryPath' }]), true));
  found.push(
    await by.conversions(question, [{ rules: [{ names: ['bought'], filters: [] }], amount: null }], { byVisit: true }),
  );
  return JSON.parse(JSON.stringify(found)) as unknown[];
}

/** What only the engine answers. */
async function engineAnswers(): Promise<unknown[]> {
  const found = [
    await columns.firstEvents(projectId()),
    [...(await columns.propertyValues(projectId(), { from: JANUARY, until: TEST_TIME }, 'plan'))],
    [
      ...((await columns.propertyRows(projectId(), { first: JANUARY / DAY_MS, last: Math.floor(TEST_TIME / DAY_MS) }, [
        'list',
      ])) ?? []),
    ],
  ];
  return JSON.parse(JSON.stringify(found)) as unknown[];
}

async function people(): Promise<unknown[]> {
  const insights = {
    rankPersons: async () => Promise.reject(new Error('unused')),
    cohorts: { nameOf: async () => '' },
  };
  const profiles = createProfiles(engine.deps, {
    people: createPeople(engine.deps),
    history,
    columns,
    projects: engine.projects,
    insights: insights as never,
    dropped: clickhouse.dropped,
  });
  const list = await profiles.list(projectId(), { sort: 'seen', everybody: true });
  const found: unknown[] = [list];
  for (const { uuid } of list.rows) {
    const person = await profiles.get(projectId(), uuid);
    const { firstSeen, lastSeen, visits, views, events } = person as never as Record<string, unknown>;
    found.push({ uuid, firstSeen, lastSeen, visits, views, events });
  }
  return JSON.parse(JSON.stringify(found)) as unknown[];
}

async function singleEvents(): Promise<unknown[]> {
  const all: unknown[] = [];
  let after: { ts: number; uuid: string } | undefined;
  for (;;) {
    const page = await history.page(projectId(), { after, limit: 50 });
    all.push(...page);
    after = page.at(-1);
    if (page.length < 50) return all;
  }
}

let before: { copied: unknown[]; stored: unknown[]; own: unknown[]; people: unknown[]; events: unknown[] };

async function everything() {
  const copied = clickhouse.columnsOver(columns);
  return {
    copied: await answers(copied),
    stored: await answers(columns),
    own: await engineAnswers(),
    people: await people(),
    events: await singleEvents(),
  };
}

describe('dropping a month', () => {
  it('is refused while something stands against it', async () => {
    open();
    await clickhouse.shipAll();
    clickhouse = createClickhouse({
      ...engine.deps,
      config: { ...engine.deps.config, CLICKHOUSE_URL: server.url },
    }) as Clickhouse;
    opened.push(clickhouse);
    await expect(drop('2026-01')).rejects.toThrow(/CLICKHOUSE_HOT_DAYS/);
    open();
    await expect(drop('2026-10')).rejects.toThrow(/hot window/);
    await expect(drop('2025-12')).rejects.toThrow(/no partition/);
    await expect(drop('2026-02')).rejects.toThrow(/earlier events/);
    await expect(drop('2026-01')).rejects.toThrow(/do not run on ClickHouse: \d+/);
    await switchProjects(engine.deps.db, [projectId()], true);
    await database.query(
      `insert into stale_units (project_id, kind, unit) values (${projectId()}, 1, ${JANUARY / DAY_MS})`,
    );
    await expect(drop('2026-01')).rejects.toThrow(/being made/);
    await columns.runMaintenance();
    await database.query(`insert into person_splits (project_id, distinct_id, number, old_persons, new_person, asked_by_name, asked_at)
      values (${projectId()}, 'x', 1, '{1}', 2, 'me', now())`);
    await expect(drop('2026-01')).rejects.toThrow(/being split/);
    await database.query('delete from person_splits');
    const damage = () =>
      server.query(
        `alter table luneta.events update marks = bitXor(marks, 4) where ts < ${JANUARY + DAY_MS} settings mutations_sync = 2`,
      );
    await damage();
    await expect(drop('2026-01')).rejects.toThrow(/copy differs/);
    await damage();
    expect(await clickhouse.drop(month('2026-01'), false)).toMatchObject({ projects: 1, rows: expect.any(Number) });
    expect(await database.query('select * from dropped_months')).toEqual([]);
  });

  it('is all or nothing, wherever the process is killed', async () => {
    open();
    before = await everything();
    const rows = async () => (await database.query('select from events')).length;
    const stored = await rows();
    let killed = 0;
    for (; ; killed++) {
      open();
      const killing = killAt(killed, { first: /^begin$/, when: 'sent' });
      const failed = await drop('2026-01').then(
        () => null,
        (error: unknown) => error,
      );
      killing.restore();
      // The lock is free when PostgreSQL has noticed.
      await open().shipAll({ waits: true });
      const months = await database.query('select month from dropped_months');
      if (months.length === 0) expect(await rows()).toBe(stored);
      else expect(await rows()).toBeLessThan(stored);
      if (failed === null || months.length > 0) break;
      if (!killing.isKilled()) throw failed;
    }
    expect(killed).toBeGreaterThan(8);
  });

  it('changes no number, and no single event', async () => {
    open();
    // Whoever reads an older state is waited for: the month would be empty there.
    const reader = openDirect(engine.deps.config);
    await reader.connect();
    const ofFebruary = `select from events where ts >= '2026-02-01' and ts < '2026-03-01'`;
    await reader.query('begin isolation level repeatable read');
    await reader.query('select from projects');
    const dropping = drop('2026-02');
    await until(async () => (await database.query(IS_WAITING)).length > 0);
    expect((await reader.query(ofFebruary)).rowCount).toBeGreaterThan(0);
    await reader.end();
    await dropping;
    await expect(drop('2026-02')).rejects.toThrow(/dropped already/);
    expect(await database.query(`select from events where ts < '2026-03-01'`)).toEqual([]);
    open();
    expect(await everything()).toEqual(before);
    expect((await clickhouse.verify(columns)).findings).toEqual([]);
    expect((await columns.verify()).findings).toEqual([]);
    await columns.rebuild();
    expect((await columns.verify()).findings).toEqual([]);
    expect(await everything()).toEqual(before);
    expect(await clickhouse.status()).toMatchObject({
      dropped: [{ month: '2026-01' }, { month: '2026-02', isLost: false }],
    });
  });

  it('refuses events that come late, and leaving', async () => {
    const late = await store(1, { ts: JANUARY + DAY_MS }).catch((error: unknown) => error);
    expect(isDataError(late)).toBe(true);
    await expect(switchProjects(engine.deps.db, [projectId()], false)).rejects.toThrow(/ClickHouse alone/);
    await expect(switchProjects(engine.deps.db, null, false)).rejects.toThrow(/ClickHouse alone/);
  });

  it('keeps the months when everything is filled again', async () => {
    open();
    await database.query('update clickhouse_state set number = number + 40');
    await clickhouse.shipAll();
    open();
    expect(await everything()).toEqual(before);
    expect((await clickhouse.verify(columns)).findings).toEqual([]);
  });
});

describe('dropped months', () => {
  const numberOf = async (distinctId: string) =>
    (await database.query<{ person: number }>(`select person from distinct_ids where distinct_id = '${distinctId}'`))[0]
      ?.person as number;

  it('lose people who are erased, with their part in visits, counts and columns', async () => {
    open();
    const client = openDirect(engine.deps.config);
    await client.connect();
    try {
      const persons = [await numberOf('visitor 1'), await numberOf('only then')];
      const asked = { projectId: projectId(), persons, apart: {}, remember: async () => undefined };
      const erased = await history.erase(client, asked);
      expect(erased.events).toBeGreaterThan(20);
      expect(await clickhouse.dropped.isBusy({ projectId: projectId() })).toBe(true);
      // Its columns still hold them: until they are made again nobody counts by them.
      open();
      await expect(answers(columns)).rejects.toThrow(/in ClickHouse alone/);
      await clickhouse.shipAll();
      await columns.runMaintenance();
      const list = persons.join();
      expect(await server.query(`select 1 from luneta.events where person in (${list})`)).toEqual([]);
      expect(await database.query(`select from events where person in (${list})`)).toEqual([]);
      expect(await database.query(`select from sessions where person in (${list})`)).toEqual([]);
      expect(await database.query('select from stale_units where kind < 3')).toEqual([]);
      open();
      const after = await everything();
      expect(after.stored).toEqual(after.copied);
      expect(after.stored).not.toEqual(before.stored);
      expect((await clickhouse.verify(columns)).findings).toEqual([]);
      expect((await columns.verify()).findings).toEqual([]);
      // What is left of the visit that both had.
      const [shared] = await database.query<Record<string, unknown>>(
        `select person, views, events, extract(epoch from first_ts)::int as first from sessions
          where uuid = '018f0000-0000-7000-9100-000000000002'`,
      );
      expect(shared).toMatchObject({ person: await numberOf('visitor 2'), views: 2, events: 2 });
      expect(shared?.['first']).toBe(Date.UTC(2026, 1, 28, 23, 50) / 1_000);
      const [wrong] = await database.query<{ rows: number }>(
        'select count(*)::int as rows from event_counts where events < 0 or bots < 0',
      );
      expect(wrong?.rows).toBe(0);
      before = after;
    } finally {
      await client.end();
    }
  });

  it('keep people and groups that only they refer to', async () => {
    open();
    const groups = await clickhouse.dropped.groupsNamed(projectId(), 'page', null, []);
    expect(groups.length).toBeGreaterThan(0);
    expect(await clickhouse.dropped.groupsNamed(projectId(), 'page', groups.slice(0, 1), [])).toEqual(
      groups.slice(0, 1),
    );
  });

  it('are told to be lost when ClickHouse comes back empty; the rest is filled again', async () => {
    await server.restart(true);
    open();
    await clickhouse.shipAll();
    const { dropped, error } = await clickhouse.status();
    expect(dropped.map(({ isLost }) => isLost)).toEqual([true, true]);
    expect(error).toMatch(/lost dropped events of 2026-01, 2026-02/);
    open();
    // Columns have not lost anything.
    expect(await answers(clickhouse.columnsOver(columns))).toEqual(before.stored);
    await expect(singleEvents()).rejects.toThrow(/in ClickHouse alone/);
    expect((await history.page(projectId(), { from: TEST_TIME - 10 * DAY_MS, limit: 50 })).length).toBeGreaterThan(10);
    await expect(clickhouse.dropped.countOf(projectId(), [1])).rejects.toThrow(/in ClickHouse alone/);
    await expect(drop('2026-03')).rejects.toThrow(/does not have all/);
  });

  it('can be given up, and then only what is there counts', async () => {
    open();
    expect(await clickhouse.acceptLoss()).toBeGreaterThan(10);
    await clickhouse.shipAll();
    await columns.runMaintenance();
    open();
    const after = await everything();
    expect(after.stored).toEqual(after.copied);
    expect((await clickhouse.status()).dropped).toEqual([]);
  });
});
