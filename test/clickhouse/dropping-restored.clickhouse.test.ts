/** Dropped months of a PostgreSQL that is restored from a backup, and of projects that are deleted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clickhouse, createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { monthNamed } from '#src/clickhouse/dropping/month.ts';
import { switchProjects } from '#src/clickhouse/state.ts';
import { comparable } from '#src/clickhouse/verify-kinds.ts';
import { queriesOf } from '#src/clickhouse/verify-queries.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { closeMonths } from '#src/events/dropped.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createHistory, type History } from '#src/events/history.ts';
import { forgets } from '#src/parts.ts';
import { createPersons } from '#src/persons/persons.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { createProjects, type Projects } from '#src/projects/projects.ts';
import { backup, restore } from '#src/store/backup.ts';
import { isDataError, openDirect } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import { useClickhouse } from '#test/kit/clickhouse.ts';
import { createDatabase, useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';
import { finishedEvent } from '../insights/histories.ts';

jest.setTimeout(120_000);

const database = useDatabase({ between: 'nothing' });
const server = useClickhouse();
const folder = mkdtempSync(join(tmpdir(), 'luneta-restored-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [older, newer] = [join(folder, 'older.gz'), join(folder, 'newer.gz')];

const DAY_MS = 86_400_000;
const JANUARY = Date.UTC(2026, 0, 1);

/** A process, with the copy beside its database. */
interface Process {
  deps: TestDeps;
  projects: Projects;
  events: Events;
  clickhouse: Clickhouse;
  columns: Columns;
  history: History;
}

const running: Process[] = [];

function open(url: string): Process {
  const deps = testDeps(url);
  const config = { ...deps.config, CLICKHOUSE_URL: server.url, CLICKHOUSE_HOT_DAYS: 30 };
  const clickhouse = createClickhouse({ ...deps, config }, { batch: 500 }) as Clickhouse;
  const projects = createProjects(deps);
  const opened = {
    deps,
    projects,
    clickhouse,
    events: createEvents(deps, { persons: createPersons(deps), projects }),
    columns: createColumns(deps, { threads: 0, dropped: clickhouse.droppedRows }),
    history: clickhouse.historyOver(createHistory(deps, clickhouse.dropped)),
  };
  running.push(opened);
  return opened;
}

async function close({ deps, events, clickhouse, columns }: Process): Promise<void> {
  await Promise.all([events.stop(), clickhouse.stop(), columns.stop()]);
  await deps.close();
}
afterEach(async () => {
  for (const each of running.splice(0)) await close(each);
});

let made = 0;

/** Two visitors of a project, one of them with a visit. */
async function store({ events }: Process, project: number, ts: number): Promise<void> {
  made += 2;
  const happened = [0, 1].map((at) => ({
    uuid: `018f0000-0000-7000-8000-${String(made + at).padStart(12, '0')}`,
    event: at === 0 ? '$pageview' : 'bought',
    distinctId: `visitor ${(made / 2) % 3}${at}`,
    ts: ts + at,
    session: at === 0 ? `018f0000-0000-7000-9000-${String(made).padStart(12, '0')}` : null,
    bot: false,
    path: `/page ${made % 5}`,
    referringDomain: null,
    plan: made % 3,
    loose: {},
  }));
  await events.store(happened.map((each) => finishedEvent(project, each)));
}

/** What both engines answer about a project, and its single events. */
async function allOf({ clickhouse, columns, history }: Process, project: ProjectId) {
  const asked = { projectId: project, names: ['$pageview', 'bought'], groups: [], hasVitals: false };
  const answers = async (by: Columns) => {
    const found: unknown[] = [];
    for (const until of [JANUARY + 25 * DAY_MS, JANUARY + 50 * DAY_MS, Math.floor(TEST_TIME / DAY_MS) * DAY_MS])
      for (const { ask, isUnordered = false } of queriesOf({ ...asked, until }))
        found.push(comparable(await ask(by), isUnordered));
    return JSON.parse(JSON.stringify(found)) as unknown[];
  };
  const events = await history.page(project, { limit: 500 });
  expect(events.length).toBeGreaterThan(0);
  return {
    stored: await answers(columns),
    copied: await answers(clickhouse.columnsOver(columns)),
    events: JSON.parse(JSON.stringify(events)) as unknown[],
  };
}

async function expectSame({ clickhouse, columns }: Process): Promise<void> {
  expect((await clickhouse.verify(columns)).findings).toEqual([]);
  expect((await columns.verify()).findings).toEqual([]);
}

async function restored(file: string): Promise<Process> {
  const { url } = await createDatabase({ migrated: false });
  const process = open(url);
  await restore(file, process.deps);
  await closeMonths(process.deps.db);
  return process;
}

const drop = ({ clickhouse }: Process, name: string) => clickhouse.drop(monthNamed(name), true);

let one: ProjectId;
let two: ProjectId;
type Known = Record<'one' | 'two', Awaited<ReturnType<typeof allOf>>>;
const both = async (process: Process): Promise<Known> => ({
  one: await allOf(process, one),
  two: await allOf(process, two),
});
let atFirst: Known;
let atDrop: Known;

beforeAll(async () => {
  const process = open(database.url);
  const { deps, projects, columns, clickhouse, history } = process;
  [one, two] = [
    (await projects.create({ name: 'one', timeZone: 'UTC' })).id,
    (await projects.create({ name: 'two', timeZone: 'America/Sao_Paulo' })).id,
  ];
  const recent = [2, 5, 9].map((days) => TEST_TIME - days * DAY_MS);
  const days = Array.from({ length: 20 }, (_, day) => JANUARY + day * 3 * DAY_MS);
  // The first and the last moments of months, too.
  for (const ts of [...days, Date.UTC(2026, 1, 1) - 2, Date.UTC(2026, 1, 1), ...recent]) {
    await store(process, one, ts);
    await store(process, two, ts + 3_600_000);
  }
  await columns.seal();
  await clickhouse.shipAll();
  await switchProjects(deps.db, null, true);
  await backup(older, deps);
  atFirst = await both(process);
  await drop(process, '2026-01');
  const client = openDirect(deps.config);
  await client.connect();
  const [{ person } = { person: 0 }] = await database.query<{ person: number }>(
    `select person from distinct_ids where project_id = ${two} and distinct_id = 'visitor 10'`,
  );
  const asked = { projectId: two, persons: [person], apart: {}, remember: async () => undefined };
  expect((await history.erase(client, asked)).events).toBeGreaterThan(5);
  await client.end();
  await clickhouse.shipAll();
  await columns.runMaintenance();
  await backup(newer, deps);
  const again = open(database.url);
  atDrop = await both(again);
  expect(atDrop.one).toEqual(atFirst.one);
  expect(atDrop.two).not.toEqual(atFirst.two);
  // Goes on after the backup: what it copies and drops is not known to who is restored.
  await store(again, one, TEST_TIME - 4 * DAY_MS);
  await again.columns.seal();
  await again.clickhouse.shipAll();
  await drop(again, '2026-02');
  for (const each of running.splice(0)) await close(each);
});

it('has the months that were dropped when its backup was made, and those that were not', async () => {
  const process = await restored(newer);
  await process.clickhouse.shipAll();
  expect((await process.clickhouse.status()).dropped).toMatchObject([{ month: '2026-01', isLost: false }]);
  expect(await both(process)).toEqual(atDrop);
  await expectSame(process);
  await expect(drop(process, '2026-01')).rejects.toThrow(/dropped already/);
  const late = await store(process, one, JANUARY).catch((error: unknown) => error);
  expect(isDataError(late)).toBe(true);
  await drop(process, '2026-02');
  const again = open(process.deps.config.DATABASE_URL as string);
  expect(await both(again)).toEqual(atDrop);

  // A project that is deleted leaves nothing on either side.
  const { db } = again.deps;
  const forget = async (project: ProjectId) => {
    for (const each of forgets) await each(db, project, new AbortController().signal);
    await again.clickhouse.shipAll();
  };
  const rowsOf = async (project: ProjectId) => {
    const tables = await query<{ name: string }>(
      db,
      sql`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id'
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await query(db, sql`select 1 as one from ${sql.id(name)} where project_id = ${project} limit 1`);
      if (rows.length > 0) found.push(name);
    }
    for (const name of ['events', 'sessions final', 'person_overrides final']) {
      const rows = await server.query(`select 1 from luneta.${name} where project_id = ${project} limit 1`);
      if (rows.length > 0) found.push(`ClickHouse: ${name}`);
    }
    return found;
  };
  expect(await rowsOf(two)).toEqual(
    expect.arrayContaining(['dropped_days', 'dropped_erasures', 'dropped_persons', 'ClickHouse: events']),
  );
  await forget(two);
  expect(await rowsOf(two)).toEqual(['project_tokens']);
  const left = open(process.deps.config.DATABASE_URL as string);
  expect(await allOf(left, one)).toEqual(atDrop.one);
  await expectSame(left);
  await forget(one);
  expect(await rowsOf(one)).toEqual(['project_tokens']);
  expect((await left.clickhouse.status()).dropped).toEqual([]);
  // Nobody keeps these months any more: they take events as any other.
  const three = (await left.projects.create({ name: 'three', timeZone: 'UTC' })).id;
  await store(left, three, JANUARY);
});

it('has all events again when its backup is older than the drop', async () => {
  const process = await restored(older);
  await process.clickhouse.shipAll();
  expect((await process.clickhouse.status()).dropped).toEqual([]);
  expect(await both(process)).toEqual(atFirst);
  await expectSame(process);
  await store(process, one, JANUARY + 1);
  await process.columns.seal();
  await drop(process, '2026-01');
  expect(await allOf(open(process.deps.config.DATABASE_URL as string), two)).toEqual(atFirst.two);
});
