/** What is stored is in ClickHouse once, whatever fails on the way, and follows what changes. */
import type { KindCompared, VerifyProgress } from '#src/clickhouse/clickhouse.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { deleteSome } from '#src/events/delete-events.ts';
import { openDirect } from '#src/store/db.ts';
import { sql } from '#src/store/sql.ts';
import type { ClickhouseFault } from '#test/kit/clickhouse-server.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';
import { useCopying } from './copying.ts';

jest.setTimeout(60_000);

const copying = useCopying();
const { database, engine, server, begin, store, bothSides, expectEqual } = copying;

/** The engine as it is, without ClickHouse in its place. */
let columns: Columns;
beforeAll(() => {
  columns = createColumns(engine.deps, { threads: 0 });
});
afterAll(() => columns.stop());

it('copies everything that is stored once, in pieces, and goes on where it was', async () => {
  await store(130);
  expect(await begin().shipAll()).toBe(true);
  await expectEqual();
  expect((await bothSides()).copied.events).toHaveLength(130);
  await store(15);
  expect(await begin().shipAll()).toBe(true);
  await expectEqual();
  expect(await copying.process.verify(columns)).toEqual({
    events: 145,
    visits: expect.any(Number),
    queries: 0,
    findings: [],
  });
  expect(await copying.process.status()).toMatchObject({
    events: 145,
    backlog: 0,
    isMore: false,
    error: null,
    projects: 0,
  });
});

it('copies in the background what is stored, and gives way when it is stopped', async () => {
  await store(20);
  begin().start();
  await until(async () => (await copying.process.status()).events === 165);
  await copying.process.stop();
  await expectEqual();
  expect(await begin().shipAll()).toBe(true);
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
      copying.project.id,
      sql`distinct_id in (select number from distinct_ids where distinct_id = 'visitor 3')`,
      500,
    );
    await client.query('delete from events where session_id = (select min(id) from sessions)');
    await client.query('delete from sessions where id = (select min(id) from sessions)');
    await client.query('update events set person = 1 where person = 5');
    await client.query('delete from person_overrides');
    expect((await bothSides()).stored.visits.length).toBeLessThan(visits);
    await store(3);
    await copying.process.shipAll();
    await expectEqual();
    expect((await copying.process.verify(columns)).findings).toEqual([]);
    await server.query(
      'alter table luneta.events update page = page + 1 where session_id = 4 settings mutations_sync = 2',
    );
    expect((await copying.process.verify(columns)).findings[0]).toMatch(/with other persons or properties\.$/);
    await server.query(
      'alter table luneta.events update page = page - 1 where session_id = 4 settings mutations_sync = 2',
    );
    expect((await database.query('select 1 from clickhouse_changes')).length).toBe(0);
  } finally {
    await client.end();
  }
});

const kinds = [
  ...[
    'overview',
    'tables',
    'goals',
    'heatmap',
    'web vitals',
    'trends',
    'trends by a property',
    'people behind a number',
  ],
  ...['funnel', 'retention', 'lifecycle and stickiness', 'paths', 'groups (group_0)'],
];

it('holds answers against those of the engine, by kind of insight', async () => {
  const lastWeek = (day: number) => TEST_TIME - (7 - day) * 86_400_000;
  for (const day of [0, 2, 4, 6]) await store(12, { ts: lastWeek(day) });
  await store(3, { ts: lastWeek(6), event: '$web_vitals', loose: { $web_vitals_LCP_value: 1234.5, $group_0: 'acme' } });
  begin();
  const verify = async () => {
    const compared: KindCompared[] = [];
    const { queries, findings } = await copying.process.verify(columns, { onKind: (each) => compared.push(each) });
    return { compared, queries, findings };
  };
  const all = await verify();
  expect(all.findings).toEqual([]);
  expect(all.queries).toBe(kinds.length);
  expect(all.compared).toEqual(kinds.map((kind) => ({ project: copying.project.id, kind, found: 'equal' })));
  const damage = () =>
    server.query(
      `alter table luneta.events update marks = bitXor(marks, 1) where ts >= ${lastWeek(0)} settings mutations_sync = 2`,
    );
  await damage();
  const { compared, findings } = await verify();
  await damage();
  for (const kind of kinds) expect(findings.join()).toContain(`, ${kind}: ClickHouse answers otherwise.`);
  expect(new Set(compared.map(({ found }) => found))).toEqual(new Set(['different']));
});

it('names days on which rows differ, and says how far it is', async () => {
  const progress: VerifyProgress[] = [];
  const found = async () => {
    const listeners = { onRows: (each: VerifyProgress) => progress.push(each) };
    return (await copying.process.verify(columns, listeners)).findings.join('\n');
  };
  const day = new Date(TEST_TIME - 86_400_000).toISOString().slice(0, 10);
  begin();
  expect(await found()).toBe('');
  for (const what of ['events', 'visits'] as const) {
    const last = progress.filter((each) => each.what === what).at(-1);
    expect(last?.done).toBeGreaterThan(0);
    expect(last?.done).toBeLessThanOrEqual(last?.all as number);
  }
  const change = (table: string, what: string, where = '1') =>
    server.query(`alter table luneta.${table} update ${what} where ${where} settings mutations_sync = 2`);
  const onDay = `ts >= ${TEST_TIME - 86_400_000}`;
  await change('sessions', 'last_ts = last_ts + 1');
  expect(await found()).toMatch(/ \(UTC\), visits: .* with other persons or properties/);
  await change('sessions', 'last_ts = last_ts - 1');
  await change('events', "properties = mapUpdate(properties, map('more', '1'))", onDay);
  expect(await found()).toMatch(new RegExp(`${day} \\(UTC\\), events number .* with other persons or properties`));
  await change('events', "properties = mapFilter((name, value) -> name <> 'more', properties)", onDay);
  await server.query(`insert into luneta.person_overrides values (${copying.project.id}, 3, 4, 1000000, 0)`);
  expect(await found()).toMatch(/with other persons or properties/);
  await server.query('alter table luneta.person_overrides delete where version = 1000000 settings mutations_sync = 2');
  expect(await found()).toBe('');
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
    await expect(copying.process.shipAll()).rejects.toThrow(/ClickHouse/);
    expect((await copying.process.status()).error).not.toBeNull();
    await copying.process.stop();
    await store(2);
    await begin().shipAll();
    await expectEqual();
    expect((await copying.process.status()).error).toBeNull();
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
  await copying.killConnection();
  await copying.process.stop();
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
  await store(2, { event: '$identify', distinctId: 'visitor 4', anonymousId: 'visitor 5' });
  await begin().shipAll();
  expect((await bothSides()).copied.merges).not.toEqual([]);
  await server.kill();
  await store(10);
  await expect(copying.process.shipAll()).rejects.toMatchObject({ code: 'unavailable' });
  await server.restart(true);
  await copying.process.shipAll();
  await expectEqual();
  // As after a restore of an older backup: the same epochs come again with other events.
  await database.query('update clickhouse_state set number = 0, shipped = 3');
  await copying.process.shipAll();
  await expectEqual();
});

it('fills tables again that an earlier version made, or wrote to', async () => {
  const target = async () => (await database.query('select target from clickhouse_state'))[0];
  const before = await target();
  await server.query('alter table luneta.events drop column window_id, drop column device_id');
  await server.query('alter table luneta.inserts drop column layout');
  await server.query("delete from luneta.migrations where name = '0002-event-ids'");
  await store(10);
  await begin().shipAll();
  await expectEqual();
  const filled = await target();
  expect(filled).not.toEqual(before);
  await server.query('alter table luneta.inserts update layout = 0 where number = 1 settings mutations_sync = 2');
  await begin().shipAll();
  await expectEqual();
  expect(await target()).not.toEqual(filled);
  await begin().shipAll();
});

it('deletes all of a project that is gone', async () => {
  const { forgetClickhouse } = await import('#src/clickhouse/forget.ts');
  await database.query('delete from events where project_id = $1', [copying.project.id]);
  await database.query('delete from sessions where project_id = $1', [copying.project.id]);
  await database.query('delete from person_overrides where project_id = $1', [copying.project.id]);
  await forgetClickhouse(engine.deps.db, copying.project.id, new AbortController().signal);
  await begin().shipAll();
  await expectEqual();
  expect((await bothSides()).copied.events).toEqual([]);
});
