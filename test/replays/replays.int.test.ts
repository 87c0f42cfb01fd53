/** Recordings from the request to the database, and what happens to them there. */
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Project } from '#src/projects/projects.ts';
import { noReplay } from '#src/projects/replay/contract.ts';
import { createRecordings } from '#src/replays/replays.ts';
import { createBlobs } from '#src/store/blobs.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import {
  click,
  consoleError,
  type ElementOptions,
  element,
  full,
  input,
  meta,
  mutation,
  request as network,
} from './recorded.ts';

const database = useDatabase();
let collector: TestCollector;
let project: Project;
/** The time of a test, and two sessions of it. */
let T: number;
let session: string;
let other: string;

beforeAll(async () => {
  collector = await startCollector(database.url);
});
afterAll(() => collector.stop());
beforeEach(async () => {
  // Nothing that was remembered of the test before counts any more.
  collector.deps.clock.advance(600_000);
  T = collector.deps.clock.now();
  session = uuidV7(T);
  other = uuidV7(T + 1);
  project = await collector.projects.create({
    name: 'Shop',
    timeZone: 'UTC',
    settings: { replay: { ...noReplay, mode: 'all' } },
  });
});

const send = (elements: JsonObject[]) =>
  request(collector.url)
    .post('/ingest/s/')
    .set('Content-Type', 'text/plain')
    .send(gzipSync(JSON.stringify(elements)) as unknown as string);

const part = (events: JsonObject[], more: Partial<ElementOptions> = {}) =>
  element(events, { token: project.token, session, ...more });

/** What the player gets of a session. */
async function played(of = session): Promise<{ window: string; event: JsonObject }[]> {
  const { blocks } = await collector.replays.readSession(project.id, of);
  const pieces: Buffer[] = [];
  const last = blocks.at(-1)?.seq ?? 0;
  for await (const piece of collector.replays.readBlocks(project.id, of, 0, last)) pieces.push(piece);
  return Buffer.concat(pieces)
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const quiet = () => collector.deps.clock.advance(31 * 60_000);
const stored = async () => (await database.query<{ n: number }>('select count(*)::int as n from replay_blocks'))[0]?.n;

describe('intake', () => {
  it('stores what was recorded, each element by its own session and window, once', async () => {
    const events = [meta(T), full(T + 1), mutation(T + 500), click(T + 600)];
    const tab = [meta(T + 700), full(T + 701)];
    const late = [mutation(T + 2_000), consoleError(T + 2_100)];
    const elements = [
      part(events, { window: 'w1' }),
      part(tab, { window: 'w2' }),
      part([meta(T), full(T)], { session: other, distinctId: 'bia' }),
    ];
    await send(elements).expect(200, { status: 1 });
    await send(elements).expect(200);
    await send([...elements, part(late, { window: 'w1' })]).expect(200);
    expect((await played()).map(({ window, event }) => [window, event])).toEqual([
      ...events.map((event) => ['w1', event]),
      ...tab.map((event) => ['w2', event]),
      ...late.map((event) => ['w1', event]),
    ]);
    expect(await collector.replays.readSession(project.id, session)).toMatchObject({
      firstAt: T,
      lastAt: T + 2_100,
      distinctId: 'ana',
      clicks: 1,
      errors: 1,
      urls: ['/'],
      width: 1280,
      windows: [{ id: 'w1', firstAt: T, lastAt: T + 2_100 }, { id: 'w2' }],
      blocks: [
        { seq: 0, hasFull: true },
        { seq: 1, hasFull: true },
        { seq: 2, hasFull: false },
      ],
    });
    expect(await collector.replays.readSession(project.id, other)).toMatchObject({ distinctId: 'bia' });
  });

  it('takes parts of one session that come at the same time', async () => {
    const parts = Array.from({ length: 12 }, (_, at) => part([mutation(T + at)]));
    await Promise.all(parts.map((each) => send([each]).expect(200)));
    const { blocks } = await collector.replays.readSession(project.id, session);
    expect(blocks.map(({ seq }) => seq)).toEqual(parts.map((_, at) => at));
    expect(new Set((await played()).map(({ event }) => event['timestamp'])).size).toBe(12);
  });

  it('keeps nothing of passwords, cards, secret parameters, headers and bodies', async () => {
    await send([
      part([
        meta(T, 'https://shop.example/pay?token=geheim1'),
        full(T, [{ type: 'password' }, { name: 'email' }]),
        network(T + 1, 'https://shop.example/api?password=geheim2', {
          requestBody: 'geheim3',
          responseHeaders: { a: 'geheim4' },
        }),
      ]),
    ]).expect(200);
    // The field is known from a request before.
    await send([part([input(T + 2_000, 10, 'geheim5'), input(T + 2_001, 11, 'ana@shop.example')])]).expect(200);
    const text = JSON.stringify(await played());
    expect(text).not.toContain('geheim');
    expect(text).toContain('ana@shop.example');
  });

  it('corrects the times of a wrong clock, alike for all parts', async () => {
    const wrong = T - 7_200_000;
    await send([part([meta(wrong), full(wrong)], { sentAt: wrong + 1_000 })]).expect(200);
    await send([part([mutation(wrong + 5_000)], { sentAt: wrong + 7_000 })]).expect(200);
    const { firstAt, lastAt } = await collector.replays.readSession(project.id, session);
    expect([firstAt, lastAt]).toEqual([T - 1_000, T + 4_000]);
    expect((await played()).map(({ event }) => event['timestamp'])).toEqual([firstAt, firstAt, lastAt]);
  });

  it('leaves out what it cannot read, and takes the rest', async () => {
    const bomb = {
      type: 2,
      timestamp: T,
      cv: '2024-10',
      data: gzipSync(Buffer.alloc(9 * 1024 * 1024)).toString('latin1'),
    };
    const unknown = { type: 2, timestamp: T, cv: '2030-01', data: 'x' };
    const whole = element([], { token: project.token, session });
    (whole['properties'] as JsonObject)['$snapshot_data'] = [bomb, unknown, 7, { type: 2 }, full(T)];
    const before = collector.collect.stats().requests.recordings.unread;
    await send([whole, { event: '$pageview' }]).expect(200);
    expect((await played()).map(({ event }) => event)).toEqual([full(T)]);
    expect(collector.collect.stats().requests.recordings.unread - before).toBe(4);
  });

  it('tells clients to pause when the project records nothing, or its budget is used up', async () => {
    const pause = { status: 1, quota_limited: ['recordings'] };
    await collector.projects.update(project.id, { settings: { replay: { mode: 'off' } } });
    await send([part([full(T)])]).expect(200, pause);
    await collector.projects.update(project.id, { settings: { replay: { mode: 'all', budgetGb: 0.1 } } });
    await database.query(`insert into replay_usage values ($1, now(), 106000000, 0, 1, 1, 0)`, [project.id]);
    await send([part([full(T)])]).expect(200, pause);
    const { body } = await request(collector.url).get(`/ingest/array/${project.token}/config`).expect(200);
    expect(body).toMatchObject({ sessionRecording: false });
    expect(await stored()).toBe(0);
  });

  it('refuses other tokens and what is no recording', async () => {
    await send([part([full(T)], { token: 'lnt_unknown' })]).expect(401);
    await request(collector.url).post('/ingest/s/').type('text/plain').send('nothing').expect(400);
  });

  it('answers 503 while the database is away, and stores the same request once when it is back', async () => {
    const elements = [part([meta(T), full(T)])];
    await collector.projects.byToken(project.token);
    await database.query('alter table replay_sessions rename to away');
    const { headers } = await send(elements).expect(503);
    expect(headers['retry-after']).toBeDefined();
    await database.query('alter table away rename to replay_sessions');
    await send(elements).expect(200);
    await send(elements).expect(200);
    expect(await stored()).toBe(1);
  });
});

describe('packing', () => {
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      const from = T + minute * 60_000;
      const events = [
        ...(minute % 5 === 0 ? [meta(from), full(from, [], 'x'.repeat(150_000))] : []),
        ...Array.from({ length: 50 }, (_, at) => mutation(from + 100 + at * 1_000)),
        ...[0, 300, 600].map((ms) => click(from + 55_000 + ms)),
      ];
      // The last one arrives before the one before it.
      await send([part(events.slice(40)), part(events.slice(0, 40))]).expect(200);
    }
  };

  it('puts blocks together at full snapshots, smaller, and leaves every event as it was', async () => {
    await minutes(12);
    const before = await collector.replays.readSession(project.id, session);
    const events = (await played()).map(({ event }) => event);
    await collector.replays.pack();
    expect((await collector.replays.readSession(project.id, session)).blocks).toHaveLength(24);
    quiet();
    await collector.replays.pack();
    const after = await collector.replays.readSession(project.id, session);
    expect(after.blocks.map(({ hasFull }) => hasFull)).toEqual([true, true, true]);
    expect(after.blocks[0]?.seq).toBe(24);
    expect(after.bytes).toBeLessThan(before.bytes / 2);
    expect(after).toMatchObject({
      clicks: before.clicks,
      rageClicks: 12,
      firstAt: before.firstAt,
      lastAt: before.lastAt,
    });
    const sorted = [...events].sort((one, other) => Number(one['timestamp']) - Number(other['timestamp']));
    expect((await played()).map(({ event }) => event)).toEqual(sorted);
    // It goes on, and is packed again with what is packed.
    await send([part([mutation(T + 12 * 60_000)])]).expect(200);
    quiet();
    await collector.replays.pack();
    expect(await played()).toHaveLength(events.length + 1);
    expect((await collector.replays.readSession(project.id, session)).blocks).toHaveLength(3);
  });

  it('masks what was typed before its field was known', async () => {
    await send([part([input(T + 1_000, 10, 'geheim')])]).expect(200);
    await send([part([meta(T), full(T, [{ type: 'password' }])])]).expect(200);
    quiet();
    await collector.replays.pack();
    expect(JSON.stringify(await played())).not.toContain('geheim');
  });

  it('that is cut short loses nothing and leaves nothing twice; files of it expire', async () => {
    await minutes(2);
    const events = (await played()).map(({ event }) => event);
    quiet();
    // Outside, and the connection is lost as the blocks are replaced.
    const blobs = createBlobs(collector.deps);
    let fails = true;
    const hosted = {
      ...blobs,
      isHosted: true,
      async setExpiry(...given: Parameters<typeof blobs.setExpiry>) {
        if (fails) throw new Error('connection lost');
        await blobs.setExpiry(...given);
      },
    };
    const replays = createRecordings(collector.deps, { blobs: hosted });
    await expect(replays.pack()).rejects.toThrow('connection lost');
    expect((await played()).map(({ event }) => event)).toEqual(events);
    fails = false;
    await replays.pack();
    const again = (await played()).map(({ event }) => event['timestamp']);
    expect(again).toEqual(events.map((event) => event['timestamp']).sort((one, other) => Number(one) - Number(other)));
    const files = async () => (await database.query<{ n: number }>('select count(*)::int as n from blobs'))[0]?.n;
    expect(await files()).toBe(2);
    collector.deps.clock.advance(2 * dayMs);
    await blobs.tidy();
    expect(await files()).toBe(1);
    expect(await played()).toHaveLength(events.length);
    // And files go with their blocks.
    await replays.erase({ projectId: project.id, persons: [], distinctIds: ['ana'] });
    expect([await files(), await stored()]).toEqual([0, 0]);
  });
});

describe('a disk that is full, and a storage outside that is away', () => {
  const fill = async () => {
    await database.query(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`);
    await database.query(
      'create trigger full_disk before insert on replay_blocks for each row execute function full_disk()',
    );
  };
  const free = () => database.query('drop function full_disk cascade');

  it('lose nothing, and leave nothing twice', async () => {
    const first = [part([meta(T), full(T)])];
    const then = [part([mutation(T + 1_000)])];
    await send(first).expect(200);
    await fill();
    const { headers } = await send(then).expect(503);
    expect(headers['retry-after']).toBeDefined();
    await free();
    await send(then).expect(200);
    const events = (await played()).map(({ event }) => event);
    expect(events).toHaveLength(3);
    quiet();
    await fill();
    await expect(collector.replays.pack()).rejects.toThrow();
    await free();
    const away = { ...createBlobs(collector.deps), isHosted: true, keep: () => Promise.reject(new Error('away')) };
    await expect(createRecordings(collector.deps, { blobs: away }).pack()).rejects.toThrow('away');
    expect((await played()).map(({ event }) => event)).toEqual(events);
    await collector.replays.pack();
    expect((await played()).map(({ event }) => event)).toEqual(events);
    expect(await database.query('select from replay_blocks where not packed')).toEqual([]);
  });
});

describe('keeping', () => {
  const record = async (id: string, more: Partial<ElementOptions> = {}, events: JsonObject[] = []) => {
    const now = collector.deps.clock.now();
    await send([part([meta(now), full(now, [], id.repeat(50)), ...events], { session: id, ...more })]).expect(200);
  };
  const sessions = async () =>
    (await database.query<{ session: string }>('select session from replay_sessions order by first_at, session')).map(
      (row) => row.session,
    );

  it('deletes what is older than the retention, whole weeks by their tables', async () => {
    await record(session);
    collector.deps.clock.advance(20 * dayMs);
    await record(other);
    collector.deps.clock.advance(11 * dayMs);
    await collector.replays.retire(collector.projects);
    expect(await sessions()).toEqual([other]);
    collector.deps.clock.advance(60 * dayMs);
    await collector.replays.retire(collector.projects);
    expect([await sessions(), await stored()]).toEqual([[], 0]);
    expect(await database.query(`select 1 from pg_inherits where inhparent = 'replay_blocks'::regclass`)).toEqual([]);
    // The week is made again for what comes late.
    await record(uuidV7(collector.deps.clock.now()));
    expect(await stored()).toBe(1);
  });

  it('deletes the oldest without errors first, down to the budget', async () => {
    const ids = [0, 1, 2, 3].map((at) => uuidV7(T + at));
    for (const [at, id] of ids.entries()) {
      await record(id, {}, at === 0 ? [consoleError(collector.deps.clock.now() + 1)] : []);
      collector.deps.clock.advance(1_000);
    }
    quiet();
    await database.query('update replay_sessions set bytes = 40000000');
    await collector.projects.update(project.id, { settings: { replay: { budgetGb: 0.1 } } });
    await collector.replays.keepBudgets(collector.projects);
    expect(await sessions()).toEqual([ids[0], ids[3]]);
    expect(await collector.replays.usage(await current())).toMatchObject({
      bytes: 160_000_000,
      state: 'thinned',
      dropped: 2,
    });
    await collector.replays.keepBudgets(collector.projects);
    expect(await collector.replays.usage(await current())).toMatchObject({
      bytes: 80_000_000,
      sessions: 2,
      state: 'warned',
    });
  });

  it('deletes all of a person, by any of their ids', async () => {
    await record(session, { distinctId: 'anonymous' });
    await record(session, { distinctId: 'ana' });
    await record(other, { distinctId: 'bia' });
    const erased = await collector.replays.erase({ projectId: project.id, persons: [], distinctIds: ['anonymous'] });
    expect(erased).toEqual({ replay_sessions: 1, replay_blocks: 2 });
    expect(await sessions()).toEqual([other]);
    expect(await stored()).toBe(1);
  });

  const current = async () => (await collector.projects.get(project.id)) as Project;
});
