/** Without ClickHouse, or while it is away: nothing else notices. */
import { type Clickhouse, createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { clickhouseCommand } from '#src/clickhouse/command.ts';
import { forgetClickhouse } from '#src/clickhouse/forget.ts';
import { beginAgain, readChanges, switchProjects } from '#src/clickhouse/state.ts';
import { createHistory, type History } from '#src/events/history.ts';
import { useDatabase } from '#test/kit/database.ts';
import { freePort } from '#test/kit/free-port.ts';
import { until } from '#test/kit/until.ts';
import { useEngine } from '../insights/engine.ts';
import { finishedEvent } from '../insights/histories.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);

const DAY_MS = 86_400_000;
let at = 0;
async function store(projectId: number): Promise<void> {
  const uuid = `018f0000-0000-7000-8000-${String(++at).padStart(12, '0')}`;
  const ts = engine.deps.clock.now() - DAY_MS;
  const event = { uuid, event: 'bought', distinctId: 'ana', ts, session: null, bot: false, path: null };
  await engine.events.store([finishedEvent(projectId, { ...event, referringDomain: null })]);
}

/** One that nobody listens for. */
async function openAway(onAnswer?: (by: 'clickhouse' | 'engine') => void, hotDays?: number): Promise<Clickhouse> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = { ...engine.deps.config, CLICKHOUSE_URL: url, CLICKHOUSE_HOT_DAYS: hotDays };
  return createClickhouse({ ...engine.deps, config }, { onAnswer }) as Clickhouse;
}

it('is not there without its setting', () => {
  expect(createClickhouse(engine.deps)).toBeNull();
});

it('notes no changes while nothing is copied, and those of rows afterwards', async () => {
  const project = await engine.projects.create({ name: 'noted', timeZone: 'UTC' });
  const { db } = engine.deps;
  await store(project.id);
  await store(project.id);
  await database.query('update events set person = 1');
  await forgetClickhouse(db, project.id, new AbortController().signal);
  expect(await readChanges(db, 100)).toEqual([]);
  await db.transaction((transaction) => beginAgain(transaction, '018f0000-0000-7000-8000-000000000000'));
  await store(project.id);
  await database.query('delete from events where uuid = (select min(uuid::text)::uuid from events)');
  const other = await engine.projects.create({ name: 'gone', timeZone: 'UTC' });
  await forgetClickhouse(db, other.id, new AbortController().signal);
  expect(await readChanges(db, 100)).toMatchObject([
    { kind: 'events', project_id: project.id, uuids: ['018f0000-0000-7000-8000-000000000001'] },
    { kind: 'project', project_id: 0 },
  ]);
  const said: string[] = [];
  await clickhouseCommand(engine.deps, ['off'], (line) => said.push(line));
  await store(project.id);
  await database.query('delete from events where uuid = (select min(uuid::text)::uuid from events)');
  expect(await readChanges(db, 100)).toEqual([]);
  expect(said.join()).toContain('Nothing is copied any more');
});

it('stores and answers while ClickHouse is away, and says so', async () => {
  const project = await engine.projects.create({ name: 'away', timeZone: 'UTC' });
  await store(project.id);
  const { deps } = engine;
  const answers: string[] = [];
  const clickhouse = await openAway((by) => answers.push(by));
  try {
    await expect(clickhouse.shipAll()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await clickhouse.status()).toMatchObject({ events: 0, backlog: expect.any(Number), caughtUpAt: null });
    expect((await clickhouse.status()).error).toMatch(/ECONNREFUSED/);
    const now = deps.clock.now();
    const span = { from: now - 2 * DAY_MS, until: now };
    const rules = [{ names: ['bought'], filters: [] }];
    const series = [{ rules, measure: 'events' as const, spans: [{ ...span, windows: [span], total: span }] }];
    const asked = { projectId: project.id, filters: null, series, by: null, most: 5 };
    const wanted = [[{ values: 1, rows: [{ value: '', total: 1, course: [1], cells: null, ignored: 0 }] }]];
    const columns = clickhouse.columnsOver(engine.columns);
    // Not complete, so not asked; then it is asked, and the engine answers in its place.
    await switchProjects(deps.db, [project.id], true);
    expect(await columns.trends(asked)).toEqual(wanted);
    expect(answers).toEqual([]);
    await database.query('update clickhouse_state set caught_up_at = $1', [new Date(now)]);
    expect(await clickhouse.columnsOver(engine.columns).trends(asked)).toEqual(wanted);
    expect(answers).toEqual(['engine']);
    // So are single events before the hot window.
    const stored = createHistory(deps);
    const page = (history: Pick<History, 'page'>) => history.page(project.id, { to: now, limit: 5 });
    expect(await page(clickhouse.historyOver(stored))).toEqual(await page(stored));
    const withWindow = await openAway(undefined, 1);
    await database.query("update events set ts = ts - interval '3 days' where project_id = $1", [project.id]);
    expect(await page(withWindow.historyOver(stored))).toEqual(await page(stored));
    await withWindow.stop();
    const { logged } = deps;
    expect(logged.filter(({ msg }) => msg.includes('events are read from PostgreSQL'))).toHaveLength(1);
    expect(logged.filter(({ msg }) => msg.includes('insights run on PostgreSQL'))).toHaveLength(1);
  } finally {
    await clickhouse.stop();
  }
});

it('tries to copy in the background, says once why it fails, and ends when it is stopped', async () => {
  const { deps } = engine;
  await database.query('update clickhouse_state set error = null');
  const clickhouse = await openAway();
  clickhouse.start();
  const said = () => deps.logged.filter(({ msg }) => msg.startsWith('copying to ClickHouse failed'));
  await until(() => said().length > 0);
  expect((await clickhouse.status()).error).toMatch(/ECONNREFUSED/);
  await clickhouse.stop();
  expect(said()).toHaveLength(1);
});
