/** Rows that are read for one query are not read on once nobody waits for it: over a real database, which holds the readers up. */
import { Client } from 'pg';
import { type Columns, createColumns, type TrendsQuery } from '#src/columns/columns.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { useDatabase } from '#test/kit/database.ts';
import { until } from '#test/kit/until.ts';
import { HOUR, NOON, openScene, type Scene } from '../columns/scene.ts';

const database = useDatabase();
let scene: Scene;
let columns: Columns;
let locking: Client;

beforeEach(async () => {
  scene = await openScene(database.url);
  columns = createColumns(scene.deps, { threads: 1 });
  locking = new Client({ connectionString: database.url });
  await locking.connect();
  await scene.happened({ distinctId: 'ada' }, { distinctId: 'ben' });
  // Whoever reads events waits; all else is read before.
  await locking.query('begin; lock table events in access exclusive mode');
});

afterEach(async () => {
  await locking.end();
  await columns.stop();
  await scene.close();
});

async function areWaiting(count: number): Promise<void> {
  const waiting = () =>
    database.query(`select 1 from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock' and query like 'copy%'`);
  await until(async () => (await waiting()).length === count);
}

/** Asks on a connection of its own. */
function askTrends(gone?: AbortSignal): Promise<number | null | undefined> {
  const span = { from: NOON - 100 * HOUR, until: NOON + 100 * HOUR };
  const spans = [{ ...span, windows: [span], total: span }];
  const series = [{ rules: [{ names: ['$pageview'], filters: [] }], measure: 'events' as const, spans }];
  const asked: TrendsQuery = { projectId: scene.project.id, filters: null, series, by: null, most: 5 };
  const by = gone === undefined ? columns : columns.cancellable(gone);
  return by.trends(asked).then(([trend]) => trend?.[0]?.rows[0]?.total);
}

/** Asks at a snapshot that those who ask at the same time share. */
function askSeries(gone?: AbortSignal): Promise<number> {
  return scene.ask(undefined, gone === undefined ? columns : columns.cancellable(gone)).then(({ views }) => views);
}

it.each([
  ['of a query alone', askTrends],
  ['of a shared snapshot', askSeries],
])('stops reading rows %s, and reads them for who asks next', async (_, ask) => {
  const gone = new AbortController();
  const asking = ask(gone.signal);
  await areWaiting(1);
  gone.abort();
  await expect(asking).rejects.toBeInstanceOf(Cancelled);
  await areWaiting(0);
  const next = ask();
  await areWaiting(1);
  await locking.query('commit');
  expect(await next).toBe(2);
});

it('reads on while one of those who share the rows waits', async () => {
  const gone = [new AbortController(), new AbortController()] as const;
  // Snapshots of a project come one after the other: these two share the second.
  const first = askSeries();
  await areWaiting(1);
  const asking = [askSeries(gone[0].signal), askSeries(), askSeries(gone[1].signal)];
  const ends = Promise.allSettled(asking);
  await areWaiting(2);
  for (const each of gone) each.abort();
  await locking.query('commit');
  expect(await first).toBe(2);
  expect(await ends).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 2 }, { status: 'rejected' }]);
});

it('asks for nothing for those who have gone while they waited for their turn', async () => {
  const gone = new AbortController();
  const first = askSeries();
  await areWaiting(1);
  const asking = askSeries(gone.signal);
  gone.abort();
  await locking.query('commit');
  await expect(asking).rejects.toBeInstanceOf(Cancelled);
  expect(await first).toBe(2);
});
