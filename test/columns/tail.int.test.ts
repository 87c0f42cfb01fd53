/** Unsealed rows are cached once their epoch is closed; results always equal those of the rows. */
import { Client } from 'pg';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { numberedBy } from '#src/columns/conditions/conditions.ts';
import { sealUpTo, stepsOf } from '#src/columns/sealing/sealer.ts';
import { SESSION_BLOCK } from '#src/columns/storage/chunk-sql.ts';
import { createThreads } from '#src/columns/threads/threads.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { finishedEvent, sessionId } from '../insights/histories.ts';
import { all, NOON, openScene, type Scene } from './scene.ts';

const database = useDatabase();
let scene: Scene;
/** Keeps what it can from the first row on; the other keeps nothing. */
let keeping: Columns;
let forgetful: Columns;

beforeEach(async () => {
  scene = await openScene(database.url);
  keeping = createColumns(scene.deps, { threads: 0, closeAt: 1, stepRows: 3 });
  forgetful = createColumns(scene.deps, { threads: 0, closeAt: Number.POSITIVE_INFINITY, stepRows: 2 });
});

afterEach(async () => {
  await Promise.all([keeping.stop(), forgetful.stop()]);
  await scene.close();
});

async function currentEpoch(): Promise<number> {
  const [row] = await database.query<{ current: number }>('select current from ingest_epochs');
  return (row as { current: number }).current;
}

/** Asks until what is stored is kept: a question that reads rows has their epoch closed, and a later one keeps them. */
async function untilKept(): Promise<void> {
  const [row] = await database.query<{ newest: number }>('select max(epoch) as newest from events');
  const askOnce = async () => {
    await scene.ask(undefined, keeping);
    await keeping.settled();
  };
  while ((await currentEpoch()) <= (row as { newest: number }).newest) await askOnce();
  for (let more = 0; more < 3; more++) await askOnce();
}

/** As the sealer does, before its next step. */
async function sealStep(upTo: number): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const threads = createThreads(0);
  try {
    await sealUpTo({ client, threads, clock: scene.deps.clock }, upTo, { events: 0, chunks: 0, bytes: 0 });
  } finally {
    await threads.stop();
    await client.end();
  }
}

/** Views, visitors and visits, by both, and asked twice. */
async function ask(filters?: Parameters<Scene['ask']>[0]) {
  const [one, again, other] = [
    await scene.ask(filters, keeping),
    await scene.ask(filters, keeping),
    await scene.ask(filters, forgetful),
  ];
  expect([one, again]).toEqual([other, other]);
  return one;
}

/** Statements without marks, which the program never runs: they reveal when rows are read again. */
async function behindTheBack(statement: string): Promise<void> {
  await database.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
}

it('reads rows of closed epochs once', async () => {
  await scene.happened({}, { ts: NOON + 1 });
  await untilKept();
  await behindTheBack('delete from events');
  expect(await scene.ask(undefined, forgetful)).toMatchObject({ views: 0 });
  expect(await scene.ask(undefined, keeping)).toEqual({ views: 2, visitors: 1, visits: 1 });
  await scene.happened({ ts: NOON + 2, distinctId: 'other', session: sessionId('other') });
  expect(await scene.ask(undefined, keeping)).toEqual({ views: 3, visitors: 2, visits: 2 });
  await keeping.seal();
  expect(await ask()).toMatchObject({ visitors: 1 });
});

it('adds what comes later, also to visits that are kept', async () => {
  await scene.happened(
    { path: '/', event: 'read' },
    { distinctId: 'other', session: sessionId('other'), ts: NOON + 5 },
  );
  await untilKept();
  expect(await ask()).toEqual({ views: 1, visitors: 1, visits: 1 });
  // The visit begins earlier, and only now with a view.
  await scene.happened({ path: '/early', ts: NOON - 60_000 });
  expect(await ask()).toEqual({ views: 2, visitors: 2, visits: 2 });
  await untilKept();
  await scene.happened(
    { path: '/late', ts: NOON + 90_000 },
    { session: sessionId('third'), ts: NOON - 25 * 3_600_000 },
  );
  expect(await ask()).toEqual({ views: 4, visitors: 2, visits: 3 });
  await untilKept();
  await scene.happened({ event: '$identify', distinctId: 'other', anonymousId: 'browser' });
  expect(await ask()).toMatchObject({ views: 4, visitors: 1 });
});

it('reads a property of cached rows on demand', async () => {
  const plans = (value: string) => all({ about: 'event', name: 'plan', operator: 'equals', values: [value] });
  await scene.happened({ properties: { plan: 'pro', size: 1 } }, { properties: { plan: 'free' }, ts: NOON + 1 });
  await untilKept();
  expect(await ask(plans('pro'))).toMatchObject({ views: 1 });
  await scene.happened({ properties: { plan: 'pro' }, ts: NOON + 2 }, { properties: { size: 1 }, ts: NOON + 3 });
  expect(await ask(plans('pro'))).toMatchObject({ views: 2 });
  await untilKept();
  expect(await ask(all({ about: 'event', name: 'size', operator: 'equals', values: [1] }))).toMatchObject({ views: 2 });
  expect(await ask(plans('free'))).toMatchObject({ views: 1 });
});

it('counts visits that are kept together by what their persons are now, however far apart their numbers are', async () => {
  await scene.happened({ distinctId: 'guest', session: sessionId('of a guest') });
  await database.query(`select setval(pg_get_serial_sequence('sessions', 'id'), $1)`, [3 * SESSION_BLOCK]);
  const paid = { distinctId: 'payer', ts: NOON + 1, session: sessionId('of a payer') };
  await scene.happened({ ...paid, set: { plan: 'pro' } });
  await untilKept();
  const paying = all({ about: 'person', name: 'plan', operator: 'equals', values: ['pro'] });
  expect(await ask(paying)).toEqual({ views: 1, visitors: 1, visits: 1 });
  const setBy = { event: '$set', session: null, ts: NOON + 2 };
  await scene.happened({ ...setBy, distinctId: 'payer', set: { plan: 'free' } });
  expect(await ask(paying)).toEqual({ views: 0, visitors: 0, visits: 0 });
  await scene.happened({ ...setBy, distinctId: 'guest', set: { plan: 'pro' } });
  expect(await ask(paying)).toEqual({ views: 1, visitors: 1, visits: 1 });
});

it('is remembered only of what is stored that its numbers are known', () => {
  const chunk = { rows: 1, minTs: NOON, maxTs: NOON, columns: {}, except: [] };
  const keys = numberedBy(
    [
      { id: 7, ...chunk },
      { id: -7, ...chunk },
      { id: null, ...chunk },
    ],
    'page',
  );
  expect(keys.map(({ key }) => key)).toEqual(['7 page', null, null]);
});

it('takes nothing for closed while a writer of that time is at it', async () => {
  await scene.happened({});
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow = finishedEvent(scene.project.id, {
    ...{ uuid: uuidV7(NOON + 99_999), event: '$pageview', distinctId: 'slow', ts: NOON + 9, session: null, bot: false },
    ...{ path: '/slow', referringDomain: null },
  });
  const storing = scene.events.store([slow], async () => {
    begun.resolve();
    await goOn.promise;
    return null;
  });
  await begun.promise;
  const epoch = await currentEpoch();
  expect(await scene.ask(undefined, keeping)).toMatchObject({ views: 1 });
  while ((await currentEpoch()) === epoch) await scene.ask(undefined, keeping);
  await scene.happened({ ts: NOON + 20, distinctId: 'quick' });
  expect(await scene.ask(undefined, keeping)).toMatchObject({ views: 2 });
  // Another process closes the next one, too, and must not take the first for closed.
  const other = createColumns(scene.deps, { threads: 0, closeAt: 1 });
  expect(await scene.ask(undefined, other)).toMatchObject({ views: 2 });
  goOn.resolve();
  await storing;
  expect(await ask()).toMatchObject({ views: 3, visitors: 3 });
  await untilKept();
  expect(await ask()).toMatchObject({ views: 3, visitors: 3 });
  expect(await scene.ask(undefined, other)).toMatchObject({ views: 3, visitors: 3 });
  await other.stop();
});

it('takes nothing for closed that was, when the database is put back', async () => {
  /** A view by a new person, with a transaction that stays open until it is released. */
  async function writeSlowly(distinctId: string) {
    const begun = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const event = finishedEvent(scene.project.id, {
      ...{ uuid: uuidV7(NOON), event: '$pageview', distinctId, ts: NOON, session: null, bot: false },
      ...{ path: '/slow', referringDomain: null },
    });
    const storing = scene.events.store([event], async () => {
      begun.resolve();
      await promise;
      return null;
    });
    await begun.promise;
    return async () => {
      resolve();
      await storing;
    };
  }
  await scene.happened({});
  await untilKept();
  const closed = (await currentEpoch()) - 1;
  const endFirst = await writeSlowly('first');
  await scene.happened({ ts: NOON + 1 });
  // A question begins to close the epoch of the first writer.
  while ((await currentEpoch()) === closed + 1) await scene.ask(undefined, keeping);
  await database.query('update ingest_epochs set current = $1', [closed]);
  const endSecond = await writeSlowly('second');
  expect(await scene.ask(undefined, keeping)).toMatchObject({ views: 2 });
  await database.query('update ingest_epochs set current = $1', [closed + 9]);
  await endFirst();
  for (let times = 0; times < 9; times++) expect(await scene.ask(undefined, keeping)).toMatchObject({ views: 3 });
  await endSecond();
  expect(await ask()).toMatchObject({ views: 4, visitors: 3 });
});

it('knows what was deleted or changed of what is kept, also when the mark is gone before it is asked', async () => {
  await scene.happened({}, { ts: NOON + 1, distinctId: 'other' }, { ts: NOON + 2 }, { ts: NOON + 3 });
  await untilKept();
  await database.query('delete from events where ts = to_timestamp($1::float8 / 1000)', [NOON + 1]);
  expect(await ask()).toMatchObject({ views: 3, visitors: 1 });
  await untilKept();
  await database.query('delete from events where ts = to_timestamp($1::float8 / 1000)', [NOON + 2]);
  await forgetful.runMaintenance();
  expect(await database.query('select from stale_units')).toEqual([]);
  expect(await ask()).toMatchObject({ views: 2, visitors: 1 });
  await scene.happened({ ts: NOON + 4 });
  await untilKept();
  await database.query('update events set person = 77, marks = marks');
  await database.query('update sessions set person = 77');
  await forgetful.rebuild();
  expect(await ask()).toMatchObject({ views: 3, visitors: 1 });
  expect((await forgetful.verify()).findings.filter((finding) => !finding.includes('count of'))).toEqual([]);
});

it('has PostgreSQL find the newest rows by their epoch', async () => {
  const covered = () =>
    database.query<{ covered: number }>(
      `select brin_summarize_new_values(inhrelid) as covered from pg_inherits
        where inhparent = 'events_epoch'::regclass and inhrelid::regclass::text like 'events_2026%' order by 1 desc`,
    );
  await covered();
  const month = `'events_202611'`;
  // As many pages as one entry of the index stands for, and some of the next.
  for (let at = 0; at < 4_000; at += 1_000)
    await scene.happened(...Array.from({ length: 1_000 }, (_, row) => ({ ts: NOON + at + row })));
  expect(await database.query(`select pg_relation_size(${month}) / 8192 > 32 as large`)).toEqual([{ large: true }]);
  await untilKept();
  await keeping.runMaintenance();
  expect(await covered()).toMatchObject([{ covered: 0 }]);
});

it('gives way to the sealer, and the sealer to it', async () => {
  for (let round = 0; round < 5; round++) {
    await scene.happened({ ts: NOON + round }, { ts: NOON - 24 * 3_600_000 - round, session: null });
    const [, , views] = await Promise.all([
      keeping.seal(),
      scene.ask(undefined, keeping),
      scene.ask(undefined, keeping).then((counts) => counts.views),
    ]);
    expect(views).toBe(2 * round + 2);
  }
  expect(await ask()).toMatchObject({ views: 10 });
  expect((await keeping.verify()).findings).toEqual([]);
});

it('seals in steps of whole epochs, within rows and bytes', () => {
  const epoch = fc.record({ rows: fc.integer({ min: 1, max: 30 }), bytes: fc.integer({ min: 512, max: 40_000 }) });
  fc.assert(
    fc.property(fc.array(epoch, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (given, stepRows) => {
      const epochs = given.map((each, at) => ({ ...each, epoch: 3 * at + 5 }));
      const ends = stepsOf(epochs, 1_000, stepRows);
      expect(ends.at(-1)).toBe(1_000);
      expect(ends).toEqual([...new Set(ends)].sort((one, other) => one - other));
      for (const [at, end] of ends.entries()) {
        const step = epochs.filter(({ epoch }) => epoch > (ends[at - 1] ?? 0) && epoch <= end);
        const [rows, bytes] = [
          step.reduce((sum, each) => sum + each.rows, 0),
          step.reduce((sum, each) => sum + each.bytes, 0),
        ];
        expect(step.length === 1 || epochs.length === 0 || (rows <= stepRows && bytes <= stepRows * 512)).toBe(true);
        const next = epochs.find(({ epoch }) => epoch > end);
        if (next) expect(rows + next.rows > stepRows || bytes + next.bytes > stepRows * 512).toBe(true);
      }
    }),
  );
});

it('keeps what is newer than what was sealed', async () => {
  for (let at = 0; at < 4; at++) {
    await scene.happened({ ts: NOON + at, session: sessionId(`visit ${at % 2}`), distinctId: `person ${at % 2}` });
    await untilKept();
  }
  const [row] = await database.query<{ epoch: number }>('select min(epoch) as epoch from events');
  await sealStep((row as { epoch: number }).epoch);
  await ask();
  await behindTheBack(`update events set event = 0 where ts > to_timestamp(${(NOON + 1) / 1000})`);
  expect(await scene.ask(undefined, keeping)).toEqual({ views: 4, visitors: 2, visits: 2 });
});

it.each([1, 2, 3, 4, 5, 6])('equals the rows, for any events in any order (%i)', async (seed) => {
  let state = seed * 7919;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % limit;
  };
  const open: { goOn(): void; done: Promise<unknown> }[] = [];
  const told = () => ({
    ...{ distinctId: `person ${below(6)}`, session: sessionId(`visit ${below(8)}`), path: `/${below(3)}` },
    ...{ ts: NOON - below(60) * 3_600_000 + below(1_000), properties: { plan: below(2) === 0 ? 'pro' : 'free' } },
  });
  const steps: (() => Promise<unknown>)[] = [
    () => scene.happened(told(), told()),
    () => scene.happened(told()),
    async () => {
      // A writer that takes its time; of people and visits of its own, whom nobody else waits for.
      if (open.length === 2) return; // there are connections for no more
      const begun = Promise.withResolvers<void>();
      const { promise, resolve } = Promise.withResolvers<void>();
      const name = `slow ${open.length} ${below(1_000_000)}`;
      const event = finishedEvent(scene.project.id, {
        ...{
          uuid: uuidV7(NOON + below(1_000_000)),
          event: '$pageview',
          distinctId: name,
          ts: NOON - below(60) * 3_600_000,
        },
        ...{ session: sessionId(name), bot: false, path: '/slow', referringDomain: null },
      });
      const done = scene.events.store([{ ...event, properties: { plan: 'pro' } }], async () => {
        begun.resolve();
        await promise;
        return null;
      });
      await Promise.race([begun.promise, done]);
      open.push({ goOn: resolve, done });
    },
    async () => {
      const ended = open.splice(below(open.length + 1), 1);
      for (const { goOn } of ended) goOn();
      await Promise.all(ended.map(({ done }) => done));
    },
    () => ask(),
    () => ask(all({ about: 'event', name: 'plan', operator: 'equals', values: ['pro'] })),
    () => ask(all({ about: 'session', name: 'entryPath', operator: 'equals', values: ['/1'] })),
    () =>
      database.query('delete from events where ts = (select ts from events order by ts offset $1 limit 1)', [below(9)]),
    () =>
      database.query('update events set marks = marks where ts < to_timestamp($1)', [NOON / 1000 - below(60) * 3_600]),
    async () => {
      if (open.length === 0) await forgetful.runMaintenance();
    },
    async () => {
      if (open.length === 0) await forgetful.seal();
    },
    () =>
      scene.happened({ event: '$identify', distinctId: `person ${below(3)}`, anonymousId: `person ${3 + below(3)}` }),
  ];
  for (let step = 0; step < 70; step++) {
    await (steps[below(steps.length)] as () => Promise<unknown>)();
    if (step % 3 === 0) await ask();
  }
  for (const { goOn } of open) goOn();
  await Promise.all(open.map(({ done }) => done));
  const [row] = await database.query<{ views: number }>(
    `select count(*)::int as views from events where event in (select number from event_names where name = '$pageview')`,
  );
  expect((await ask()).views).toBe((row as { views: number }).views);
});
