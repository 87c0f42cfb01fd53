/** The operator's status: sizes by project, growth, slow queries, and warnings. */

import type { StatsFs } from 'node:fs';
import * as fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IngestStatus } from '#src/collect/contract.ts';
import { createIngestStatus, type IntakeReport } from '#src/collect/ingest-status.ts';
import { createRefusals } from '#src/collect/refusals.ts';
import { createStopper } from '#src/kit/stop.ts';
import { createParts } from '#src/parts.ts';
import { createProcesses } from '#src/processes/processes.ts';
import { type SlowQuestion, sizeParts } from '#src/status/contract.ts';
import { createStatus } from '#src/status/status.ts';
import { createSizes } from '#src/store/sizes.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';
import { makeTestTeam } from '#test/kit/sign-in.ts';
import { until } from '#test/kit/until.ts';

const database = useDatabase();
let deps: TestDeps;
beforeEach(() => {
  deps = testDeps(database.url);
});
afterEach(() => deps.close());

const DAY_MS = 86_400_000;
const mail = { status: () => ({ isSetUp: false, service: null, from: null }) };
const job = { name: 'event-partitions', every: 'hour' as const, startedAt: null, succeededAt: null, isRunning: false };
const unrefused = { stats: () => ({ times: 0, lastAt: null }) };
const quiet = { status: async () => [{ ...job, tookMs: null, failures: 0, error: null }] };

function statusWith(parts: Partial<Parameters<typeof createStatus>[1]> = {}, own: Partial<TestDeps> = {}) {
  return createStatus(
    { ...deps, ...own },
    {
      collect: null,
      jobs: quiet,
      mail,
      processes: createProcesses(deps),
      sizes: createSizes(deps),
      spoolDir: async () => null,
      refused: unrefused,
      ...parts,
    },
  );
}

/** Events of one name, a day's worth at its beginning. */
async function count(project: number, day: number, people: number, bots: number): Promise<void> {
  await database.query(
    'insert into event_counts (project_id, event, quarter, events, bots) values ($1, 1, $2, $3, $4)',
    [project, new Date(TEST_TIME - day * DAY_MS).toISOString(), people, bots],
  );
}

it('divides the database among projects by their events, and tells how fast each grows', async () => {
  await makeTestTeam(database);
  await database.query(
    `insert into projects (id, name, team_id, created_at) values (1, 'Loja', 1, '2026-01-01'), (2, 'Blog', null, '2026-01-01')`,
  );
  await count(1, 60, 90_000, 10_000);
  await count(1, 2, 6_000, 1_000);
  await count(2, 3, 700, 0);
  const status = statusWith();
  const { projects, databaseBytes, migrations, postgres, warnings } = await status.read();
  const { parts } = status.explain();
  status.stop();
  expect(projects).toMatchObject([
    { name: 'Loja', team: 'Serrana', events: 107_000, eventsPerDay: 1_000 },
    { name: 'Blog', team: null, events: 700, eventsPerDay: 100 },
  ]);
  const [shop, blog] = projects;
  expect(Math.round((shop?.bytes ?? 0) / (blog?.bytes ?? 1))).toBe(153);
  expect((shop?.bytes ?? 0) + (blog?.bytes ?? 0)).toBeLessThan(databaseBytes);
  expect(migrations.applied).toBe(migrations.known);
  const rowsOf = (of: string) =>
    database.query<Record<string, unknown>>(parts.find((part) => part.of === of)?.sql ?? '');
  const numbers = ['id', 'events', 'bytes', 'eventsPerDay', 'bytesPerDay'] as const;
  expect((await rowsOf('projects')).map((row) => numbers.map((name) => Number(row[name])))).toEqual(
    projects.map((each) => numbers.map((name) => each[name])),
  );
  const [whole] = await rowsOf('database');
  expect(Number(whole?.['migrations'])).toBe(migrations.applied);
  // It grows by itself, by pages of the catalogue.
  expect(Number(whole?.['bytes']) / databaseBytes).toBeCloseTo(1, 1);
  expect(await rowsOf('jobs')).toEqual([]);
  expect(postgres).toMatch(/^\d+/);
  expect(warnings).not.toContain('behind');
});

it('says what takes space, how fast each part grows, and when the disk is full', async () => {
  const sizes = createSizes(deps);
  await sizes.sample();
  expect((await sizes.read()).map(({ bytesPerDay }) => bytesPerDay)).not.toContain(0);
  await database.query('update size_samples set bytes = bytes - 40000000 where part = $1', ['persons']);
  deps.clock.advance(10 * DAY_MS);
  await sizes.sample();
  await sizes.sample();
  const days = await database.query('select distinct day from size_samples');
  expect(days).toHaveLength(2);
  const status = statusWith({}, { config: { ...deps.config, DATABASE_DISK_GB: 20 } });
  const answer = await status.read();
  const { parts } = status.explain();
  status.stop();
  const { sizes: read, databaseBytes, disks } = answer;
  // The ledger has tables from the first event on.
  expect(read.map(({ part }) => part).sort()).toEqual(sizeParts.filter((part) => part !== 'ledger').sort());
  expect(read.reduce((sum, { bytes }) => sum + bytes, 0) / databaseBytes).toBeCloseTo(1, 2);
  for (const { bytes, indexBytes } of read) expect(bytes).toBeGreaterThanOrEqual(indexBytes);
  expect(read.find(({ part }) => part === 'persons')?.bytesPerDay).toBe(4_000_000);
  const perDay = read.reduce((sum, { bytesPerDay }) => sum + (bytesPerDay ?? 0), 0);
  const [disk] = disks;
  expect(disk).toMatchObject({ what: 'database', path: null, totalBytes: 20_000_000_000 });
  expect(disk?.daysLeft).toBe(Math.floor((disk?.freeBytes ?? 0) / perDay));
  const explained = await database.query(parts.find(({ of }) => of === 'sizes')?.sql ?? '');
  expect(explained.map(({ part }) => part)).toEqual(read.map(({ part }) => part));

  // What is older than four weeks says nothing of how fast it grows now.
  deps.clock.advance(28 * DAY_MS);
  expect((await sizes.read()).find(({ part }) => part === 'persons')?.bytesPerDay).toBeLessThan(100_000);
});

it('keeps the questions that took long, without what was asked for', async () => {
  const status = statusWith();
  for (const tookMs of [700, 900]) {
    deps.db.once('query', () => deps.clock.advance(tookMs));
    await deps.db.raw('select ?::text as secret', ['marina@serrana.example']);
  }
  const { slow } = await status.read();
  status.stop();
  expect(slow[0]).toMatchObject({ sql: 'select $1::text as secret', times: 2 });
  expect(slow[0]?.tookMs).toBeGreaterThanOrEqual(900);
  expect(JSON.stringify(slow)).not.toContain('marina');
});

it('says that ClickHouse lost months, and then not that copying lags', async () => {
  const copied = { events: 9, backlog: 0, isMore: false, caughtUpAt: null, errorAt: TEST_TIME, projects: 1 };
  const months = (isLost: boolean) => [
    { month: '2026-01', at: TEST_TIME, events: 5, isLost: false },
    { month: '2026-02', at: TEST_TIME, events: 4, isLost },
  ];
  const warningsWith = async (isLost: boolean) => {
    const clickhouse = { status: async () => ({ ...copied, error: 'It lags.', dropped: months(isLost) }) };
    const status = statusWith({ clickhouse });
    const { warnings } = await status.read();
    status.stop();
    return warnings.filter((warning) => ['clickhouse', 'lostMonths'].includes(warning));
  };
  expect(await warningsWith(false)).toEqual(['clickhouse']);
  expect(await warningsWith(true)).toEqual(['lostMonths']);
});

describe('with several processes', () => {
  /** One after another, each with the memory of a process of its own. */
  const start = (role: 'web' | 'worker' = 'web') => {
    const processes = createProcesses(deps, role);
    const refusals = createRefusals(processes);
    const now = createIngestStatus(processes, () => intake);
    const collect = { stats: () => ({ spool: null }) as never, current: () => now(deps.clock.now()), refusals };
    return { processes, refusals, status: statusWith({ collect, processes }) };
  };
  const spool = (folder: string, events: number, taken: string[] = []) => ({
    ...{ folder, taken, events, bytes: events * 300 },
    oldestAt: events === 0 ? null : TEST_TIME - events,
  });
  const storing: IntakeReport = {
    ...{ takesIn: true, isStoring: true, guarantee: 'durable', latencies: [] },
    spool: null,
  };
  let intake = storing;
  const slowly = async (tookMs: number) => {
    deps.db.once('query', () => deps.clock.advance(tookMs));
    await deps.db.raw('select ?::text as secret', ['marina@serrana.example']);
  };
  const from = (headers: object) => ({ headers }) as IncomingMessage;

  it('is the same in each of them, and after a restart of all', async () => {
    const [one, other] = [start(), start('worker')];
    await slowly(800);
    other.status.stop();
    await slowly(1_100);
    one.refusals.note('token', from({ origin: 'https://loja.example' }), deps.clock.now());
    one.refusals.note('overload', from({}), deps.clock.now());
    other.refusals.note('overload', from({}), deps.clock.now());
    const said = async ({ status, refusals }: ReturnType<typeof start>) => {
      const { slow, refused, processes } = await status.read();
      const { sql, tookMs, times } = slow.find((each) => each.sql.includes('secret')) as SlowQuestion;
      return {
        sql,
        times,
        tookMs: tookMs >= 1_100,
        refused,
        newest: await refusals.newest(0, null),
        running: processes,
      };
    };
    const wanted = {
      ...{ sql: 'select $1::text as secret', times: 3, tookMs: true },
      refused: [
        { reason: 'overload', times: 2 },
        { reason: 'token', times: 1 },
      ],
      newest: { reason: 'token', host: 'loja.example' },
    };
    one.processes.start();
    other.processes.start();
    await until(async () => (await one.processes.running()).length === 2);
    await other.processes.stop();
    await one.processes.stop();
    expect(await said(one)).toMatchObject(wanted);
    expect(await said(other)).toMatchObject(wanted);
    const again = start();
    expect(await said(again)).toMatchObject({ ...wanted, running: [{ role: 'web' }] });
    deps.clock.advance(DAY_MS);
    expect((await again.status.read()).slow.filter(({ sql }) => sql.includes('secret'))).toEqual([]);
    expect(await again.refusals.count(deps.clock.now() - DAY_MS)).toEqual({});
    for (const { status } of [one, other, again]) status.stop();
  });

  it('keeps little of refused requests, with any input, and nothing older than a day', async () => {
    const { processes, refusals, status } = start();
    const saidBytes = async () => {
      const [own] = await processes.read('refusals');
      return JSON.stringify(own?.says).length;
    };
    const flood = (one: number) => {
      const origin = `https://${one}.${'loja.'.repeat(12_000)}example`;
      refusals.note('token', from({ origin, 'content-type': `${one}${'x'.repeat(60_000)}` }), deps.clock.now());
    };
    for (let one = 0; one < 300; one++) flood(one);
    expect(await saidBytes()).toBeLessThan(16_000);
    expect(await refusals.newest(0, null)).toMatchObject({ host: null });
    deps.clock.advance(DAY_MS);
    refusals.note('invalid', from({ origin: 'https://loja.example' }), deps.clock.now());
    expect(await saidBytes()).toBeLessThan(300);
    expect(await refusals.newest(0, null)).toMatchObject({ host: 'loja.example' });
    status.stop();
  });

  it('adds up what waits on their disks, without those that are silent or taken over, and promises what all promise', async () => {
    const say = async (report: Partial<IntakeReport>, isOver = false) => {
      intake = { ...storing, ...report };
      const { processes, status } = start();
      processes.start();
      await until(
        async () => (await database.query(`select 1 from process_reports where part = 'intake'`)).length > known,
      );
      known += 1;
      if (isOver) await processes.stop();
      status.stop();
    };
    let known = 0;
    await say({ spool: spool('silent', 7) });
    deps.clock.advance(61_000);
    await say({ spool: spool('killed', 5), latencies: [[8, 98]] });
    await say({ spool: spool('over', 3), latencies: [[16, 1]] }, true);
    await say({ spool: spool('rescue', 20), guarantee: 'rescue', isStoring: false });
    // A worker promises nothing: only what waits on its disk counts.
    await say({ takesIn: false, spool: spool('worker', 2), guarantee: 'none', isStoring: false });
    intake = { ...storing, spool: spool('own', 6, ['killed']), latencies: [[24, 1]] };
    const { status, processes } = start();
    const { spool: waiting, warnings } = await status.read();
    status.stop();
    expect(waiting).toEqual({ events: 28, bytes: 8_400, oldestAt: TEST_TIME - 20 });
    expect(warnings).toContain('spool');
    const now = await createIngestStatus(processes, () => intake)(deps.clock.now());
    expect(now).toMatchObject({ isStoring: false, guarantee: 'rescue', latencyMs: { p50: 2, p99: 8 } });
  });

  it('counts how long a living process took as long as it says nothing else', async () => {
    intake = { ...storing, latencies: [[24, 5]] };
    const [one, other] = [start(), start()];
    one.processes.start();
    const parts = () => database.query(`select 1 from process_reports where part = 'intake'`);
    await until(async () => (await parts()).length === 1);
    deps.clock.advance(61_000);
    one.processes.soon();
    await until(async () => (await other.processes.running()).length === 2);
    intake = storing;
    const now = () => createIngestStatus(other.processes, () => intake)(deps.clock.now());
    expect((await now()).latencyMs).toEqual({ p50: 8, p99: 8 });
    intake = { ...storing, latencies: [[24, 5]] };
    await one.processes.stop();
    intake = storing;
    deps.clock.advance(59_000);
    expect((await now()).latencyMs).toEqual({ p50: 8, p99: 8 });
    deps.clock.advance(1_000);
    expect((await now()).latencyMs).toBeNull();
    for (const { status } of [one, other]) status.stop();
  });

  it('forgets those that have been over for a day', async () => {
    const { processes, status } = start();
    await processes.stop();
    deps.clock.advance(DAY_MS);
    await processes.tidy();
    expect(await database.query('select 1 from process_reports')).not.toHaveLength(0);
    deps.clock.advance(DAY_MS);
    await processes.tidy();
    expect(await database.query('select 1 from process_reports')).toHaveLength(0);
    status.stop();
  });
});

it('promises what web processes promise: nobody sends a worker events', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'luneta-roles-'));
  const config = { ...deps.config, SPOOL_DIR: folder };
  const promised: Record<string, unknown> = {};
  for (const role of ['web', 'worker'] as const) {
    const stopper = createStopper(deps.log);
    const { collect } = await createParts(config, deps.log, stopper, { role, clock: deps.clock });
    promised[role] = (await collect?.current())?.guarantee;
    expect(await stopper.stop()).toEqual([]);
  }
  await rm(folder, { recursive: true });
  expect(promised).toEqual({ web: 'durable', worker: 'none' });
});

it('warns of a disk without room, of events that wait, of work that fails and of a key in the database', async () => {
  const nearlyFull = async () => ({ bavail: 400, bsize: 1_000_000, blocks: 100_000 }) as unknown as StatsFs;
  const files = { ...fs, promises: { ...fs.promises, statfs: nearlyFull } } as unknown as typeof fs;
  const spool = { events: 12, bytes: 4_000, oldestAt: TEST_TIME - 60_000 };
  const status = statusWith(
    {
      collect: {
        current: async () => ({ spool }) as IngestStatus,
        refusals: { count: async () => ({}), newest: async () => null },
      },
      spoolDir: async () => '/spool',
      jobs: { status: async () => [{ ...job, tookMs: 3, failures: 2, error: 'no room' }] },
    },
    { fs: files },
  );
  const answer = await status.read();
  status.stop();
  expect(answer.warnings).toEqual(['disk', 'spool', 'jobs', 'secret']);
  expect(answer.disks).toContainEqual({
    what: 'spool',
    path: '/spool',
    freeBytes: 400_000_000,
    totalBytes: 100_000_000_000,
    daysLeft: null,
  });
});
