/** What is stored is in ClickHouse once, whatever fails on the way, and follows what changes. */
import { type Clickhouse, createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { deleteSome } from '#src/events/delete-events.ts';
import { openDirect } from '#src/store/db.ts';
import { sql } from '#src/store/sql.ts';
import { useClickhouse } from '#test/kit/clickhouse.ts';
import type { ClickhouseFault } from '#test/kit/clickhouse-server.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';
import { useEngine } from '../insights/engine.ts';
import { finishedEvent } from '../insights/histories.ts';
import type { Happened } from '../insights/reference.ts';

jest.setTimeout(60_000);

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);
const server = useClickhouse();

let copying: Clickhouse;
let project: { id: number } & Awaited<ReturnType<typeof engine.projects.create>>;
beforeAll(async () => {
  project = await engine.projects.create({ name: 'copied', timeZone: 'UTC' });
});
afterEach(() => server.fail(null));
afterEach(() => copying?.stop());

/** A separate process: its memory is gone when it ends. */
function begin(): Clickhouse {
  const deps = testDeps(database.url);
  const config = { ...deps.config, CLICKHOUSE_URL: server.url };
  copying = createClickhouse({ ...engine.deps, config }, { batch: 40 }) as Clickhouse;
  void deps.close();
  return copying;
}

let made = 0;
async function store(events: number, more: Partial<Happened> = {}): Promise<Happened[]> {
  const from = made;
  const history = Array.from({ length: events }, (_, at): Happened => {
    made++;
    return {
      uuid: `018f0000-0000-7000-8000-${String(from + at).padStart(12, '0')}`,
      event: at % 3 === 0 ? '$pageview' : 'bought',
      distinctId: `visitor ${(from + at) % 7}`,
      ts: Date.UTC(2026, (from + at) % 2, 1, 0, 0, at) + 1,
      session: at % 4 === 0 ? null : `018f0000-0000-7000-9000-${String((from + at) % 13).padStart(12, '0')}`,
      bot: at % 10 === 9,
      path: `/page ${at % 5}`,
      referringDomain: null,
      plan: at % 2 === 0 ? `it's \\ "quoted"\n\tnew` : at / 4,
      loose: { list: at % 3 === 0, 'name\\\'"': 'ção 🎉' },
      ...more,
    };
  });
  await engine.events.store(history.map((happened) => finishedEvent(project.id, happened)));
  return history;
}

/** Both sides, as they are. */
async function bothSides() {
  const stored = await database.query<{ line: string }>(
    `select jsonb_build_array(project_id, (extract(epoch from ts) * 1000)::bigint, coalesce(session_id, 0), uuid, person, event,
            coalesce(page, 0), marks, coalesce((select jsonb_object_agg(key, value::text) from jsonb_each(properties)), '{}'))::text as line
       from events`,
  );
  const visits = await database.query<{ line: string }>(
    `select jsonb_build_array(project_id, id, (extract(epoch from first_ts) * 1000)::bigint, person, coalesce(entry_page, 0), views)::text as line
       from sessions`,
  );
  const merges = await database.query<{ line: string }>(
    'select jsonb_build_array(project_id, old_person, new_person)::text as line from person_overrides',
  );
  const columns = 'project_id, ts, session_id, uuid, person, event, page, marks, properties';
  const copied = await server.query<Record<string, unknown>>(`select ${columns} from luneta.events`);
  const copiedVisits = await server.query<Record<string, unknown>>(
    'select project_id, id, first_ts, person, entry_page, views from luneta.sessions final',
  );
  const copiedMerges = await server.query<Record<string, unknown>>(
    'select project_id, old_person, new_person from luneta.person_overrides final',
  );
  const lines = (rows: { line: string }[]) => rows.map(({ line }) => ordered(JSON.parse(line))).sort();
  const values = (rows: Record<string, unknown>[]) => rows.map((row) => ordered(Object.values(row))).sort();
  return {
    stored: { events: lines(stored), visits: lines(visits), merges: lines(merges) },
    copied: { events: values(copied), visits: values(copiedVisits), merges: values(copiedMerges) },
  };
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

async function expectEqual(): Promise<void> {
  const { stored, copied } = await bothSides();
  expect(copied).toEqual(stored);
}

it('copies everything that is stored once, in pieces, and goes on where it was', async () => {
  await store(130);
  expect(await begin().shipAll()).toBe(true);
  await expectEqual();
  expect((await bothSides()).copied.events).toHaveLength(130);
  await store(15);
  expect(await begin().shipAll()).toBe(true);
  await expectEqual();
  expect(await copying.verify()).toEqual({ events: 145, visits: expect.any(Number), findings: [] });
  expect(await copying.status()).toMatchObject({ events: 145, backlog: 0, isMore: false, error: null, projects: 0 });
});

it('follows merges, deleted events and visits, and events that go to another person', async () => {
  await store(2, { event: '$identify', distinctId: 'visitor 1', anonymousId: 'visitor 2' });
  await begin().shipAll();
  await expectEqual();
  expect((await bothSides()).copied.merges).toHaveLength(1);
  const client = openDirect(engine.deps.config);
  await client.connect();
  try {
    const visits = (await bothSides()).stored.visits.length;
    await deleteSome(
      client,
      project.id,
      sql`distinct_id in (select number from distinct_ids where distinct_id = 'visitor 3')`,
      500,
    );
    await client.query('delete from events where session_id = (select min(id) from sessions)');
    await client.query('delete from sessions where id = (select min(id) from sessions)');
    await client.query('update events set person = 1 where person = 5');
    await client.query('delete from person_overrides');
    expect((await bothSides()).stored.visits.length).toBeLessThan(visits);
    await store(3);
    await copying.shipAll();
    await expectEqual();
    expect((await copying.verify()).findings).toEqual([]);
    await server.query(
      'alter table luneta.events update page = page + 1 where session_id = 4 settings mutations_sync = 2',
    );
    expect((await copying.verify()).findings[0]).toMatch(/with other persons or properties\.$/);
    await server.query(
      'alter table luneta.events update page = page - 1 where session_id = 4 settings mutations_sync = 2',
    );
    expect((await database.query('select 1 from clickhouse_changes')).length).toBe(0);
  } finally {
    await client.end();
  }
});

const faults: ClickhouseFault['what'][] = ['loseAnswer', 'refuse', 'full'];
const steps = [
  'insert into luneta.events',
  'insert into luneta.sessions',
  'insert into luneta.inserts',
  'delete from luneta.events',
];

it.each(faults.flatMap((what) => steps.map((at) => [what, at] as const)))(
  'loses nothing and copies nothing twice: %s of "%s"',
  async (what, at) => {
    await store(45);
    await begin().shipAll();
    await store(60);
    await database.query('update events set marks = marks where person = 2');
    await database.query('delete from events where uuid = (select max(uuid::text)::uuid from events)');
    await server.fail({ what, at, times: 1 });
    await expect(copying.shipAll()).rejects.toThrow(/ClickHouse/);
    expect((await copying.status()).error).not.toBeNull();
    await copying.stop();
    await store(2);
    await begin().shipAll();
    await expectEqual();
    expect((await copying.status()).error).toBeNull();
  },
);

it('does not copy twice what a killed process had sent', async () => {
  await store(100);
  await server.fail({ what: 'hang', at: 'insert into luneta.inserts', times: 1 });
  begin()
    .shipAll()
    .catch(() => undefined);
  await until(async () => (await server.faultsLeft()) === 0);
  // Its connection, and with it its lock, goes with it.
  await database.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 713526 and database = (select oid from pg_database where datname = current_database())",
  );
  await copying.stop();
  expect(await begin().shipAll()).toBe(true);
  await expectEqual();
});

it('copies from one process at a time', async () => {
  await store(90);
  const [one, other] = [begin(), begin()];
  expect((await Promise.all([one.shipAll(), other.shipAll()])).sort()).toEqual([false, true]);
  await one.stop();
  await expectEqual();
});

it('fills ClickHouse again when it comes back empty, and waits while it is away', async () => {
  await begin().shipAll();
  await server.kill();
  await store(10);
  await expect(copying.shipAll()).rejects.toMatchObject({ code: 'unavailable' });
  await server.restart(true);
  await copying.shipAll();
  await expectEqual();
  // As after a restore of an older backup: the same epochs come again with other events.
  await database.query('update clickhouse_state set number = 0, shipped = 3');
  await copying.shipAll();
  await expectEqual();
});

it('deletes all of a project that is gone', async () => {
  const { forgetClickhouse } = await import('#src/clickhouse/forget.ts');
  await database.query('delete from events where project_id = $1', [project.id]);
  await database.query('delete from sessions where project_id = $1', [project.id]);
  await forgetClickhouse(engine.deps.db, project.id, new AbortController().signal);
  await begin().shipAll();
  await expectEqual();
  expect((await bothSides()).copied.events).toEqual([]);
});
