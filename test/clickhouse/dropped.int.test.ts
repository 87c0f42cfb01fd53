/** What PostgreSQL does about months that it does not have any more, also while ClickHouse is away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutClickhouse } from '#src/clickhouse/clickhouse.ts';
import type { ClickhouseConnection } from '#src/clickhouse/connection.ts';
import { checkColumns, checkMonth, checkStill } from '#src/clickhouse/dropping/checks.ts';
import { eraseDropped } from '#src/clickhouse/dropping/erase.ts';
import { refuseLeaving } from '#src/clickhouse/dropping/kept.ts';
import { monthNamed } from '#src/clickhouse/dropping/month.ts';
import { createDroppedRows } from '#src/clickhouse/dropping/rows.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { closeMonths, droppedUntil, refuseDropped, refuseDroppedIn } from '#src/events/dropped.ts';
import { emptyMonth, noteDropped } from '#src/events/dropped-changes.ts';
import { createHistory, type History } from '#src/events/history.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { backup } from '#src/store/backup.ts';
import { isDataError, openDirect } from '#src/store/db.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';
import { useEngine } from '../insights/engine.ts';
import { finishedEvent } from '../insights/histories.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);
const DAY_MS = 86_400_000;
const JANUARY = Date.UTC(2026, 0, 1);
const january = monthNamed('2026-01');
const limits = { hotDays: 30, now: TEST_TIME };

let project: ProjectId;
let columns: Columns;
let history: History;
let made = 0;

async function store(distinctId: string, ...times: number[]): Promise<void> {
  const events = times.map((ts) => ({
    uuid: `018f0000-0000-7000-8000-${String(made++).padStart(12, '0')}`,
    event: '$pageview',
    distinctId,
    ts,
    session: null,
    bot: false,
    path: '/',
    referringDomain: null,
    plan: null,
    loose: {},
  }));
  await engine.events.store(events.map((each) => finishedEvent(project, each as never)));
}

async function onClient<Result>(work: (client: ReturnType<typeof openDirect>) => Promise<Result>): Promise<Result> {
  const client = openDirect(engine.deps.config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** By day, of the two months. */
function days(by: Columns): Promise<unknown> {
  const span = { from: JANUARY, until: JANUARY + 59 * DAY_MS };
  const starts = Array.from({ length: 59 }, (_, day) => JANUARY + day * DAY_MS);
  return by.series({ projectId: project, filters: null, spans: [{ ...span, starts }], views: ['$pageview'] } as never);
}

beforeAll(async () => {
  project = (await engine.projects.create({ name: 'dropped', timeZone: 'UTC' })).id;
  const january = Array.from({ length: 20 }, (_, day) => JANUARY + day * DAY_MS);
  await store('old', ...january);
  await store('both', JANUARY + 40 * DAY_MS, JANUARY + 3 * DAY_MS);
  await store('new', TEST_TIME - 2 * DAY_MS, TEST_TIME - DAY_MS);
  await engine.columns.seal();
  columns = createColumns(engine.deps, { threads: 0 });
  history = withoutClickhouse(engine.deps).historyOver(createHistory(engine.deps));
  await database.query(
    `update clickhouse_state set target = gen_random_uuid(), shipped = 1000000, caught_up_at = now()`,
  );
});
afterAll(() => columns.stop());

it('is refused with what stands against it', async () => {
  const check = (name: string, more: Partial<typeof limits> | { hotDays: undefined } = {}) =>
    checkMonth(engine.deps.db, monthNamed(name), { ...limits, ...more });
  await expect(check('2026-01', { hotDays: undefined })).rejects.toThrow(/CLICKHOUSE_HOT_DAYS is not set/);
  await expect(check('2026-10')).rejects.toThrow(/hot window of 30 days/);
  await expect(check('2025-12')).rejects.toThrow(/no partition/);
  await expect(check('2026-02')).rejects.toThrow(/earlier events \(2026-01-01\)/);
  await expect(check('2026-01')).rejects.toThrow(`not run on ClickHouse: ${project}.`);
  await database.query(`insert into clickhouse_projects values (${project})`);
  await database.query(`insert into replay_sessions (project_id, session, week, first_at, last_at, received_at, skew_ms, distinct_id, distinct_ids, bytes,
    raw_bytes, active_ms, clicks, keys, errors, warns, network_errors, rage_clicks, pages, urls, windows, secret_fields, next_seq)
    values (${project}, gen_random_uuid(), 1, '2026-01-05', '2026-01-05', '2026-01-05', 0, 'x', '{x}', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, '{}', 1, '{}', 1)`);
  await expect(check('2026-01')).rejects.toThrow(/Session recordings of 2026-01 are stored \(1\)/);
  await database.query('delete from replay_sessions');
  await database.query(`insert into person_splits (project_id, distinct_id, number, old_persons, new_person, asked_by_name, asked_at)
    values (${project}, 'x', 1, '{1}', 2, 'me', now())`);
  await expect(check('2026-01')).rejects.toThrow(/being split/);
  await database.query('delete from person_splits');
  await check('2026-01');
  const still = () => checkStill(engine.deps.db, january);
  await database.query(`insert into clickhouse_changes (kind, project_id) values ('events', ${project})`);
  await expect(still()).rejects.toThrow(/wait to be copied/);
  await database.query(`update clickhouse_changes set kind = 'overrides'`);
  await database.query(`insert into stale_units (project_id, kind, unit) values (${project}, 1, ${JANUARY / DAY_MS})`);
  await expect(still()).rejects.toThrow(/being made/);
  await database.query('delete from stale_units');
  await database.query(`update chunks set rows = rows + 1 where kind = 1 and unit = ${JANUARY / DAY_MS}`);
  await expect(checkColumns(engine.deps.db, january)).rejects.toThrow(/on 2026-01-01 are not those of its events/);
  await database.query(`update chunks set rows = rows - 1 where kind = 1 and unit = ${JANUARY / DAY_MS}`);
  await still();
  await checkColumns(engine.deps.db, january);
});

it('leaves columns, and with them all numbers', async () => {
  const before = await days(columns);
  const first = await columns.firstEvents(project);
  await onClient(async (client) => {
    await client.query('begin');
    expect(await noteDropped(client, january)).toBe(21);
    await emptyMonth(client, january, { rows: 21, bytes: 1, now: TEST_TIME });
    await client.query('commit');
  });
  expect(await database.query(`select from events where ts < '2026-02-01'`)).toEqual([]);
  const fresh = createColumns(engine.deps, { threads: 0 });
  expect(await days(fresh)).toEqual(before);
  expect(await fresh.firstEvents(project)).toEqual(first);
  expect((await fresh.verify()).findings).toEqual([]);
  await fresh.rebuild();
  expect(await days(fresh)).toEqual(before);
  expect((await fresh.verify()).findings).toEqual([]);
  await fresh.stop();
  expect(await droppedUntil(engine.deps.db, project)).toBe(JANUARY + 20 * DAY_MS);
  // No project takes events of the month any more, from its last one on.
  expect((await engine.projects.get(project))?.closedUntil).toBe(january.until);
});

it('refuses what would tell a part as all', async () => {
  const late = await store('late', JANUARY + DAY_MS).catch((error: unknown) => error);
  expect(isDataError(late)).toBe(true);
  await expect(history.page(project, { limit: 10 })).rejects.toThrow(/2026-01-\d\d are in ClickHouse alone/);
  await expect(history.page(project, { limit: 3 })).resolves.toHaveLength(3);
  await expect(history.page(project, { limit: 10, isPartial: true })).resolves.toHaveLength(3);
  await expect(history.page(project, { from: JANUARY + 30 * DAY_MS, limit: 10 })).resolves.toHaveLength(3);
  await expect(history.one(project, JANUARY, '018f0000-0000-7000-8000-000000000000')).rejects.toThrow(
    /ClickHouse alone/,
  );
  await expect(
    history.one(project, JANUARY + 50 * DAY_MS, '018f0000-0000-7000-8000-000000000000'),
  ).rejects.toMatchObject({ code: 'not_found' });
  await expect(refuseDroppedIn(engine.deps.db, project, { from: JANUARY, to: TEST_TIME })).rejects.toThrow(/alone/);
  const [{ person } = { person: 0 }] = await database.query<{ person: number }>(
    `select person from distinct_ids where distinct_id = 'both'`,
  );
  await expect(refuseDropped(engine.deps.db, project, [person])).rejects.toMatchObject({ code: 'conflict' });
  await expect(refuseLeaving(engine.deps.db, null)).rejects.toMatchObject({ code: 'conflict' });
  const { dropped } = withoutClickhouse(engine.deps);
  await expect(dropped.erase({ projectId: project, persons: [person] })).rejects.toMatchObject({ code: 'unavailable' });
  await expect(dropped.groupsNamed(project, 'page', null, [])).rejects.toMatchObject({ code: 'unavailable' });
  expect(await dropped.countOf(project + 1, [person])).toEqual({ events: 0, views: 0 });
  await onClient((client) =>
    expect(history.deleteBefore(client, project, TEST_TIME, () => true)).rejects.toMatchObject({ code: 'conflict' }),
  );
});

/** Says of dropped events what it is told to. */
function houseOf(answers: object[][], onAsked: (at: number) => Promise<unknown> = async () => undefined) {
  let asked = 0;
  const query = async () => {
    await onAsked(asked);
    return answers[asked++] ?? [];
  };
  return { database: 'luneta', query } as unknown as ClickhouseConnection;
}

it('is as it was when something else changed while ClickHouse was asked whom to erase', async () => {
  const state = async () => [
    await database.query('select * from dropped_days order by project_id, day'),
    await database.query('select * from event_counts order by project_id, event, quarter'),
  ];
  const before = await state();
  const other = async (at: number) =>
    at === 2 && database.query(`insert into dropped_erasures (project_id, persons) values (${project}, '{7}')`);
  const day = { day: JANUARY / DAY_MS + 2, rows: 1 };
  const house = houseOf([[day], [], [{ event: 1, quarter: JANUARY + 2 * DAY_MS, events: 1, bots: 0 }]], other);
  const parts = { db: engine.deps.db, house, until: JANUARY + 20 * DAY_MS };
  await expect(eraseDropped(parts, project, [1])).rejects.toMatchObject({ code: 'busy' });
  expect(await state()).toEqual(before);
  await database.query('delete from dropped_erasures');
});

it('makes no columns of a part of a day', async () => {
  const rows = createDroppedRows({ db: engine.deps.db, connection: async () => houseOf([]) });
  await onClient(async (client) => {
    await client.query('begin');
    expect(await rows.bring(client, project, JANUARY / DAY_MS + 2)).toBe(false);
    await client.query('rollback');
  });
});

it('answers with an error for days whose columns are out of date', async () => {
  const mark = `insert into stale_units (project_id, kind, unit) values (${project}, 1, ${JANUARY / DAY_MS + 1})`;
  await database.query(mark);
  const fresh = createColumns(engine.deps, { threads: 0 });
  await expect(days(fresh)).rejects.toMatchObject({ code: 'unavailable' });
  await fresh.runMaintenance();
  // Nobody has its rows here: the mark stays.
  expect(await database.query('select from stale_units where kind = 1')).toHaveLength(1);
  await database.query('delete from stale_units');
  await fresh.stop();
});

it('waits for a backup, which would lose the month without a word of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'luneta-dropped-'));
  try {
    await onClient(async (holder) => {
      // A table that it copies before the events.
      await holder.query('begin; lock table alerts in access exclusive mode');
      const made = backup(join(folder, 'luneta.gz'), engine.deps);
      await until(async () => (await database.query('select from pg_locks where not granted')).length > 0);
      await onClient(async (client) => {
        await client.query(`set lock_timeout = '100ms'`);
        await expect(client.query('truncate events_202602')).rejects.toMatchObject({ code: '55P03' });
      });
      await holder.query('rollback');
      expect((await made)['events']).toBe(3);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('closes the month again where a restore has opened it', async () => {
  await database.query('alter table events_202601 drop constraint events_202601_dropped');
  await closeMonths(engine.deps.db);
  await closeMonths(engine.deps.db);
  await expect(store('late', JANUARY + DAY_MS)).rejects.toThrow(/violates check constraint/);
});

it('keeps people whom only dropped events know, until their time is over', async () => {
  const retire = (retentionDays: number) =>
    engine.projects
      .list()
      .then((all) => all.find(({ id }) => id === project)?.settings)
      .then((settings) =>
        database.query('update projects set settings = $1 where id = $2', [
          JSON.stringify({ ...settings, retentionDays }),
          project,
        ]),
      )
      .then(() => engine.events.retire());
  const known = async (distinctId: string) =>
    (await database.query(`select from distinct_ids where distinct_id = '${distinctId}'`)).length === 1;
  await database.query(`update persons set created_at = '2025-01-01'`);
  // Of January, the last days stay.
  await retire(312);
  expect(await known('old')).toBe(true);
  expect(await database.query('select from dropped_days')).toHaveLength(10);
  expect(await database.query(`select until from clickhouse_changes where kind = 'before'`)).toEqual([
    { until: new Date(JANUARY + 10 * DAY_MS) },
  ]);
  await columns.runMaintenance();
  const fresh = createColumns(engine.deps, { threads: 0 });
  expect((await fresh.firstEvents(project)).first).toBe(JANUARY + 10 * DAY_MS);
  await fresh.stop();
  await retire(200);
  expect(await known('old')).toBe(false);
  expect(await known('new')).toBe(true);
  expect(await database.query('select from dropped_months union all select from dropped_persons')).toEqual([]);
  // Nobody keeps the month any more: it takes events as any other.
  expect((await engine.projects.get(project))?.closedUntil).toBeNull();
  await store('late', JANUARY + DAY_MS);
});
