/** Sealing of rows while rows are added, changed and deleted; and verification of derived data. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createColumns } from '#src/columns/columns.ts';
import { eventMarks } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { closeEpochFor } from '#src/events/sealing.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project, type Projects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';
import { finishedEvent, sessionId } from '../insights/histories.ts';
import type { Happened } from '../insights/reference.ts';

const database = useDatabase();
let deps: TestDeps;
let projects: Projects;
let events: Events;
let columns: ReturnType<typeof createColumns>;
let project: Project;

beforeAll(() => {
  deps = testDeps(database.url);
  projects = createProjects(deps);
  columns = createColumns(deps, { threads: 0 });
});

beforeEach(async () => {
  events = createEvents(deps, { persons: createPersons(deps), projects });
  deps.clock.set(NOON);
  project = await projects.create({ name: 'sealed', timeZone: 'UTC' });
});

afterEach(() => events.stop());
afterAll(async () => {
  await columns.stop();
  await deps.close();
});

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 19, 12);

type Told = Partial<Happened> & { properties?: Record<string, string | number> };

async function happened(...told: Told[]): Promise<void> {
  const batch = told.map(({ properties, ...each }, index) => ({
    ...finishedEvent(project.id, {
      ...{ uuid: uuidV7(NOON + index), event: '$pageview', distinctId: 'browser', ts: NOON, bot: false },
      ...{ session: sessionId('visit'), path: '/', referringDomain: '$direct' },
      ...each,
    }),
    properties: properties ?? {},
  }));
  await events.store(batch);
}

async function chunks() {
  return database.query<{ kind: number; unit: number; level: number; rows: number; rare: string[] }>(
    'select kind, unit, level, rows, rare from chunks order by kind, unit, id',
  );
}

const today = Math.floor(NOON / 24 / HOUR);

it('seals what is committed, by project and day, and nothing twice', async () => {
  await happened({}, { ts: NOON - 24 * HOUR, session: null }, { ts: NOON + 1 });
  expect(await columns.seal()).toMatchObject({ events: 3, chunks: 3 });
  expect(await columns.seal()).toMatchObject({ events: 0, chunks: 0 });
  await happened({ ts: NOON + 2 });
  expect(await columns.seal()).toMatchObject({ events: 1, chunks: 2 });
  expect(await chunks()).toMatchObject([
    { kind: 1, unit: today - 1, rows: 1 },
    { kind: 1, unit: today, rows: 2 },
    { kind: 1, unit: today, rows: 1 },
    { kind: 2, rows: 1 },
  ]);
  expect(await columns.verify()).toEqual({ events: 4, visits: 1, findings: [] });
});

it('has its threads practise where many events are sealed, and only there', async () => {
  let begun = 0;
  const count = () => {
    begun++;
  };
  subscribe('worker_threads', count);
  const threaded = createColumns(deps, { threads: 1 });
  try {
    await happened({});
    await columns.seal();
    await threaded.warmUp();
    expect(begun).toBe(0);
    await database.query('update chunks set rows = 30000');
    const practice = threaded.warmUp();
    await until(() => begun > 0);
    await threaded.stop();
    await practice;
    expect(begun).toBe(1);
  } finally {
    unsubscribe('worker_threads', count);
    await threaded.stop();
  }
});

/** A writer that has taken its epoch, and commits when it may go on. */
async function openWriter(): Promise<{ storing: Promise<unknown>; goOn: () => void }> {
  const begun = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const storing = events.store([finishedEvent(project.id, { ...plain, uuid: uuidV7(NOON + 9) })], async () => {
    begun.resolve();
    await free.promise;
    return null;
  });
  await begun.promise;
  return { storing, goOn: free.resolve };
}

it('waits for writers whose transactions are open, and for no others', async () => {
  await happened({});
  const { storing, goOn } = await openWriter();
  const sealing = columns.seal();
  // A writer that begins after the epoch was closed is not held up by the one that is open.
  await untilEpochIs(2);
  await happened({ uuid: uuidV7(NOON + 20), distinctId: 'other', session: null });
  goOn();
  await storing;
  expect(await sealing).toMatchObject({ events: 2 });
  expect(await columns.verify()).toMatchObject({ events: 2, findings: [] });
  expect(await columns.seal()).toMatchObject({ events: 1 });
});

describe('after a long time without sealing, or in a database that was put back', () => {
  /** Closes epochs while a writer of the first one is at it. @returns what came of it, and whether it waited */
  async function closeBeside<Result>(close: () => Promise<Result>): Promise<{ hasWaited: boolean; result: Result }> {
    const { storing, goOn } = await openWriter();
    await database.query('update ingest_epochs set current = 1000000');
    let isDone = false;
    const closing = close().finally(() => {
      isDone = true;
    });
    closing.catch(() => undefined);
    const waiters = () =>
      database.query(
        `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      );
    while (!isDone && (await waiters()).length === 0);
    const hasWaited = !isDone;
    goOn();
    await storing;
    return { hasWaited, result: await closing };
  }

  it('is sealed all the same', async () => {
    expect(await closeBeside(() => columns.seal())).toMatchObject({ hasWaited: true, result: { events: 1 } });
    expect(await database.query('select sealed from ingest_epochs')).toEqual([{ sealed: 1_000_000 }]);
  });

  it.each([0, 1_000_000, 2_000_000])(
    'waits for every writer, though epochs up to %i were known to be closed',
    async (known) => {
      expect(await closeBeside(() => closeEpochFor(deps.db, known))).toEqual({ hasWaited: true, result: 1_000_000 });
    },
  );
});

const plain: Happened = {
  ...{ uuid: '', event: '$pageview', distinctId: 'slow', ts: NOON, session: null, bot: false },
  ...{ path: '/', referringDomain: null },
};

async function untilEpochIs(epoch: number): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ current: number }>('select current from ingest_epochs');
    if (row?.current === epoch) return;
  }
}

it('gives properties columns of their own, also those that hardly two events share', async () => {
  const told = Array.from({ length: 8_000 }, (_, index) => ({
    ...{ uuid: uuidV7(NOON + index), ts: NOON + index, session: null },
    properties: { plan: index % 2 === 0 ? 'pro' : 'free', token: `${'x'.repeat(20)}${index}`, amount: index % 10 },
  }));
  for (let at = 0; at < told.length; at += 1_000) await happened(...told.slice(at, at + 1_000));
  await columns.seal();
  const names = await database.query<{ name: string }>(
    "select name from chunk_columns where name like 'p:%' order by 1",
  );
  expect(names.map(({ name }) => name)).toEqual(['p:amount', 'p:plan', 'p:token']);
  expect(await chunks()).toMatchObject([{ rows: 8_000, rare: [] }]);
  expect(await columns.verify()).toMatchObject({ findings: [] });
});

it('divides a day by its events also where all of them happened at one moment', async () => {
  const ROWS = 132_000;
  await database.query(
    `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, epoch, marks, properties)
     select $2, $2, ('00000000-0000-4000-8000-' || lpad(to_hex((n * 7919) % $3), 12, '0'))::uuid,
            $1, n, n, 1, 1, 0, jsonb_build_object('shop', n % 40)
       from generate_series(1, $3::int) n`,
    [project.id, new Date(NOON), ROWS],
  );
  expect(await columns.seal()).toMatchObject({ events: ROWS, chunks: 2 });
  expect(await chunks()).toMatchObject([{ rows: ROWS / 2 }, { rows: ROWS / 2 }]);
  // Rebuilt, with one late and one deleted event.
  await happened({ session: null });
  await columns.seal();
  await database.query('delete from events where person = 2');
  await columns.runMaintenance();
  expect(await chunks()).toMatchObject([
    { rows: ROWS / 2, level: 2 },
    { rows: ROWS / 2, level: 2 },
  ]);
  const { events: rows, findings } = await columns.verify();
  expect(rows).toBe(ROWS);
  expect(findings.filter((finding) => !finding.includes('wrong count of'))).toEqual([]);
});

it('divides a day by the length of its events, also of those that PostgreSQL stores compressed', async () => {
  await database.query(
    `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, epoch, marks, properties)
     select $2, $2, gen_random_uuid(), $1, n, n, 1, 1, 0, jsonb_build_object('long', repeat(n::text, 500000))
       from generate_series(1, 9) n, generate_series(1, 20)`,
    [project.id, new Date(NOON)],
  );
  expect(await columns.seal()).toMatchObject({ events: 180, chunks: 2 });
  expect(await chunks()).toMatchObject([{ rows: 90 }, { rows: 90 }]);
  const { events: rows, findings } = await columns.verify();
  expect(rows).toBe(180);
  expect(findings.filter((finding) => !finding.includes('wrong count of'))).toEqual([]);
});

it('marks days and visits with deleted or changed rows, and reseals them', async () => {
  await happened({}, { ts: NOON + 1 }, { ts: NOON - 24 * HOUR, session: sessionId('other') });
  await columns.seal();
  await database.query('delete from events where ts = to_timestamp($1)', [NOON / 1000]);
  await database.query('update sessions set views = 1, events = 1 where events = 2');
  expect(await database.query('select kind, unit from stale_units order by 1')).toMatchObject([
    { kind: 1, unit: today },
    { kind: 2 },
  ]);
  await columns.runMaintenance();
  expect(await database.query('select from stale_units')).toEqual([]);
  expect(await chunks()).toMatchObject([
    { kind: 1, unit: today - 1, rows: 1, level: 1 },
    { kind: 1, unit: today, rows: 1, level: 2 },
    { kind: 2, rows: 2 },
  ]);
  await database.query('update events set marks = marks | $1', [eventMarks.bot]);
  await database.query('delete from sessions');
  await columns.runMaintenance();
  // Counts are not derived from chunks, so they are unchanged.
  const { findings } = await columns.verify();
  expect(findings.filter((finding) => !finding.includes('wrong count of $pageview'))).toEqual([]);
  expect(await chunks()).toHaveLength(2);
});

it('keeps a mark that is made while the day is sealed', async () => {
  await happened({}, { ts: NOON + 1, uuid: uuidV7(NOON + 1) });
  await columns.seal();
  await database.query('update events set marks = marks');
  // A second change, committed after the sealer took its snapshot and before it is done: its marks must survive.
  await deps.db.transaction(async (trx) => {
    await trx.raw('update events set marks = marks | 1');
    await columns.runMaintenance();
  });
  expect(await database.query('select from stale_units')).not.toEqual([]);
  await columns.runMaintenance();
  const bots = await database.query("select from chunk_columns where name = 'marks'");
  expect(bots).toHaveLength(1);
});

it('waits five minutes unless much has come, and puts days together when they are over', async () => {
  await happened({});
  await columns.runMaintenance(); // the first ever
  await happened({ ts: NOON + 1 });
  await columns.runMaintenance();
  expect(await chunks()).toMatchObject([{ rows: 1 }, { kind: 2 }]);
  deps.clock.advance(5 * 60_000);
  await columns.runMaintenance();
  expect(await chunks()).toMatchObject([{ rows: 1 }, { rows: 1 }, { kind: 2 }]);
  deps.clock.advance(14 * HOUR);
  await columns.runMaintenance();
  expect(await chunks()).toMatchObject([{ rows: 2, level: 2 }, { kind: 2 }]);
  expect(await columns.verify()).toMatchObject({ events: 2, findings: [] });
});

it('seals at once what weighs much, however few events it is and however small they are stored', async () => {
  await happened({});
  await columns.runMaintenance(); // the first ever
  const waiting = () => database.query('select from events where epoch > (select sealed from ingest_epochs)');
  const count = 96;
  const kinds = [`repeat('v', 400000)`, `(select string_agg(md5(n::text), '') from generate_series(1, 12000) n)`];
  for (const value of kinds) {
    const insert = async (times: number) =>
      database.query(
        `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, epoch, marks, properties)
         select $2, $2, gen_random_uuid(), $1, 1, 1, 1, (select current from ingest_epochs), 0,
                jsonb_build_object('long', value)
           from generate_series(1, $3), (select ${value} as value offset 0) as long`,
        [project.id, new Date(NOON), times],
      );
    await insert(5);
    await columns.runMaintenance();
    expect(await waiting()).toHaveLength(5);
    await insert(count);
    await columns.runMaintenance();
    expect(await waiting()).toEqual([]);
  }
});

it('is rebuilt from the rows', async () => {
  await happened({}, { ts: NOON - 24 * HOUR });
  await columns.seal();
  const before = await chunks();
  await database.query("update chunk_columns set bytes = ''");
  expect(await columns.rebuild()).toMatchObject({ events: 2 });
  expect(await chunks()).toEqual(before);
  expect((await columns.verify()).findings).toEqual([]);
});

it('says what is wrong', async () => {
  await happened({ properties: { plan: 'pro' } }, { ts: NOON + 1 });
  await columns.seal();
  await database.query(
    `update chunk_columns set bytes = overlay(bytes placing 'con'::bytea from position('pro'::bytea in bytes)) where name = 'p:plan'`,
  );
  await database.query('update event_counts set events = events + 1');
  await database.query('update sessions set views = views + 1');
  expect((await columns.verify()).findings).toEqual([
    'project 1, 2026-11-19: p:plan differs.',
    'project 1, visits from 0: views differs.',
    expect.stringContaining('does not match its events'),
    'project 1: wrong count of $pageview at 2026-11-19T12:00:00.000Z.',
  ]);
  await database.query('delete from chunks where kind = 1');
  expect((await columns.verify()).findings).toContain('project 1, 2026-11-19: 0 rows in columns, 2 in the table.');
});
