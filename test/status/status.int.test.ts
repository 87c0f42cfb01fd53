/** What the operator is told: sizes by project, growth, what is slow, and when something should be looked at. */

import type { StatsFs } from 'node:fs';
import * as fs from 'node:fs';
import { createStatus } from '#src/status/status.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';
import { makeTestTeam } from '#test/kit/sign-in.ts';

const database = useDatabase();
let deps: TestDeps;
beforeEach(() => {
  deps = testDeps(database.url);
});
afterEach(() => deps.close());

const DAY_MS = 86_400_000;
const mail = { status: () => ({ isSetUp: false, from: null }) };
const job = { name: 'event-partitions', every: 'hour' as const, startedAt: null, succeededAt: null, isRunning: false };
const quiet = { status: async () => [{ ...job, tookMs: null, failures: 0, error: null }] };

function statusWith(parts: Partial<Parameters<typeof createStatus>[1]> = {}, own: Partial<TestDeps> = {}) {
  return createStatus({ ...deps, ...own }, { collect: null, jobs: quiet, mail, ...parts });
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
  status.stop();
  expect(projects).toMatchObject([
    { name: 'Loja', team: 'Serrana', events: 107_000, eventsPerDay: 1_000 },
    { name: 'Blog', team: null, events: 700, eventsPerDay: 100 },
  ]);
  const [shop, blog] = projects;
  expect(Math.round((shop?.bytes ?? 0) / (blog?.bytes ?? 1))).toBe(153);
  expect((shop?.bytes ?? 0) + (blog?.bytes ?? 0)).toBeLessThan(databaseBytes);
  expect(migrations.applied).toBe(migrations.known);
  expect(postgres).toMatch(/^\d+/);
  expect(warnings).not.toContain('behind');
});

it('keeps the questions that took long, without what was asked for', async () => {
  const status = statusWith();
  deps.db.once('query', () => deps.clock.advance(700));
  await deps.db.raw('select ?::text as secret', ['marina@serrana.example']);
  const { slow } = await status.read();
  status.stop();
  expect(slow[0]).toMatchObject({ sql: 'select $1::text as secret' });
  expect(slow[0]?.tookMs).toBeGreaterThanOrEqual(700);
  expect(JSON.stringify(slow)).not.toContain('marina');
});

it('warns of a disk without room, of events that wait, and of work that fails', async () => {
  const nearlyFull = async () => ({ bavail: 400, bsize: 1_000_000, blocks: 100_000 }) as unknown as StatsFs;
  const files = { ...fs, promises: { ...fs.promises, statfs: nearlyFull } } as unknown as typeof fs;
  const spool = { dir: '/spool', events: 12, bytes: 4_000, oldestAt: TEST_TIME - 60_000 };
  const status = statusWith(
    {
      collect: { stats: () => ({ spool }) as never },
      jobs: { status: async () => [{ ...job, tookMs: 3, failures: 2, error: 'no room' }] },
    },
    { fs: files },
  );
  const answer = await status.read();
  status.stop();
  expect(answer.warnings).toEqual(['disk', 'spool', 'jobs']);
  expect(answer.disks).toContainEqual({
    what: 'spool',
    path: '/spool',
    freeBytes: 400_000_000,
    totalBytes: 100_000_000_000,
    daysLeft: null,
  });
});
