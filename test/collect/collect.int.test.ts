/** The collector on a real database: what is counted, what survives a restart, what screens show. */
import request from 'supertest';
import { createCollect } from '#src/collect/collect.ts';
import type { Install } from '#src/collect/contract.ts';
import type { Note } from '#src/collect/notes.ts';
import { collectRouter } from '#src/collect/router.ts';
import type { Spool, SpoolSink } from '#src/collect/spool.ts';
import { createWriter } from '#src/collect/writer.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { closeMonth } from '#src/events/dropped.ts';
import type { Parts } from '#src/parts.ts';
import type { Project } from '#src/projects/projects.ts';
import { metricsOf } from '#src/readings.ts';
import type { Context } from '#src/trpc/context.ts';
import { testAccess } from '#test/kit/app.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { TEST_TEAM, testAsker, testReader } from '#test/kit/reader.ts';
import { withClient } from '#test/kit/server.ts';
import { makeTestTeam } from '#test/kit/sign-in.ts';
import { until } from '#test/kit/until.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { readStored } from '#test/kit/wire/stored.ts';

const database = useDatabase();
let collector: TestCollector;
let project: Project;

beforeEach(async () => {
  collector = await startCollector(database.url);
  await makeTestTeam(database);
  project = await collector.projects.create({
    name: 'Loja',
    timeZone: 'America/Sao_Paulo',
    extraToken: 'phc_loja',
    teamId: TEST_TEAM,
  });
});
afterEach(() => collector.stop());

const uuid = (number: number) => `0193abcd-1234-7000-8000-${String(number).padStart(12, '0')}`;
const event = (number: number, properties: object = {}) => ({
  uuid: uuid(number),
  event: 'compra',
  distinct_id: `cliente-${number}`,
  timestamp: new Date(TEST_TIME - 1_000).toISOString(),
  properties,
});
const makeFinished = (of: string): Omit<FinishedEvent, 'projectId'> => ({
  ...{
    uuid: of,
    event: 'compra',
    distinctId: 'cliente',
    ts: TEST_TIME,
    receivedAt: TEST_TIME,
    session: null,
    marks: 0,
  },
  ...{ groups: {}, properties: {} },
  person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
});
const send = (body: string | object, path = '/ingest/batch/') =>
  request(collector.url)
    .post(path)
    .set('Content-Type', 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
const batch = (events: unknown[]) => ({ api_key: 'phc_loja', batch: events });

function calls(own = collector, reader = testReader()) {
  const context = {
    deps: own.deps,
    projects: own.projects,
    collect: own.collect,
    ...testAsker(reader),
    access: testAccess,
    requestId: 'r',
    signal: new AbortController().signal,
    language: 'en',
  } as unknown as Context;
  return collectRouter.createCaller(context);
}

/** The same database, a new process. */
async function restart(): Promise<void> {
  await collector.stop();
  collector = await startCollector(database.url);
}

it('keeps the later of two changes in one millisecond, with any event name', async () => {
  const random = () => crypto.randomUUID();
  const timestamp = new Date(TEST_TIME).toISOString().replace('.000Z', '+00:00');
  const kinds = [() => ({}), () => ({ timestamp }), () => ({ uuid: random() }), () => ({ uuid: random(), timestamp })];
  const ids = kinds.flatMap((kind, number) => Array.from({ length: 8 }, (_, n) => ({ kind, id: `${number} ${n}` })));
  const said = ids.flatMap(({ kind, id }) =>
    ['first', 'second'].map((plan) => ({ ...kind(), event: '$set', distinct_id: id, properties: { $set: { plan } } })),
  );
  await send(batch(said)).expect(200);
  const { persons } = await readStored(database, project.id);
  expect(persons.map(({ properties }) => properties['plan'])).toEqual(ids.map(() => 'second'));
});

it('refuses events of dropped months before it stores the others, as soon as it knows of the month', async () => {
  const at = (number: number, timestamp: string) => ({ ...event(number), timestamp });
  const mixed = (first: number) => [
    event(first),
    at(first + 1, '2026-01-31T23:59:59.999Z'),
    event(first + 2),
    at(first + 3, '1970-01-01T00:00:00Z'),
    at(first + 4, '2026-02-01T00:00:00Z'),
  ];
  await send(batch([at(90, '2026-01-10T00:00:00Z')])).expect(200);
  await database.query('truncate events_202601');
  await closeMonth(collector.deps.db, '2026-01');
  await database.query(
    `insert into dropped_months (month, at, by_whom, rows, bytes) values ('2026-01-01', now(), 'me', 1, 1)`,
  );
  const outcomes = async () => (await calls().ingestion({ project: 'phc_loja' }))?.minutes[0]?.outcomes;
  const { batches: before } = collector.collect.stats().writer;

  // The project is remembered as it was: PostgreSQL refuses the one of the month.
  await send(batch(mixed(10))).expect(200);
  const late = collector.collect.stats().writer;
  expect(late).toMatchObject({ unstorable: 1 });
  expect(late.batches).toBeGreaterThan(before + 1);
  expect(await outcomes()).toEqual({ stored: 5, unstorable: 1 });

  collector.projects.forget();
  await send(batch(mixed(20))).expect(200);
  expect(collector.collect.stats().writer).toMatchObject({ unstorable: 1, batches: late.batches + 1 });
  expect(await outcomes()).toEqual({ stored: 8, unstorable: 1, dropped_month: 2 });
  const ingestion = await calls().ingestion({ project: 'phc_loja' });
  expect(ingestion?.problems).toContainEqual(expect.objectContaining({ reason: 'dropped_month', times: 2 }));
  const stored = await database.query<{ uuid: string }>(
    `select uuid from events where ts >= '2026-02-01' order by uuid`,
  );
  expect(stored.map((row) => row.uuid)).toEqual([10, 12, 14, 20, 22, 24].map(uuid));
  await database.query('drop table events_202601');
});

it('counts what was stored, what was there before and what was dropped, and still does after a restart', async () => {
  await send(batch([event(1), event(2), { event: '' }])).expect(200);
  await send(batch([event(2), event(3), null, { event: 'a' }])).expect(200);
  await send(batch([{ event: '$snapshot', distinct_id: 'd' }])).expect(200);
  const wanted = {
    minutes: [
      {
        at: TEST_TIME,
        outcomes: { stored: 3, duplicate: 1, no_name: 1, not_an_event: 1, no_distinct_id: 1, recording: 1 },
      },
    ],
    problems: expect.arrayContaining([
      { reason: 'no_name', times: 1, at: TEST_TIME, sample: {} },
      { reason: 'recording', times: 1, at: TEST_TIME, sample: { event: '$snapshot', distinct_id: 'd' } },
    ]),
    isStoring: true,
    guarantee: 'none',
    spool: null,
  };
  expect(await calls().ingestion({ project: String(project.id) })).toMatchObject(wanted);
  await restart();
  expect(await calls().ingestion({ project: 'phc_loja' })).toMatchObject({ ...wanted, latencyMs: null });

  const { parts } = await calls().explain({ project: 'phc_loja' });
  const [outcomes, minutes, problems] = await Promise.all(
    parts.map(({ sql }) => database.query<Record<string, unknown>>(sql)),
  );
  const [minute] = wanted.minutes;
  expect(Object.fromEntries((outcomes ?? []).map((row) => [row['outcome'], Number(row['events'])]))).toEqual(
    minute?.outcomes,
  );
  expect(minutes).toEqual([{ minute: new Date(TEST_TIME), events: 3 }]);
  expect((problems ?? []).map((row) => [row['reason'], Number(row['times'])])).toEqual(
    (await calls().ingestion({ project: 'phc_loja' }))?.problems.map(({ reason, times }) => [reason, times]),
  );
});

it('shows only operators the refusals by minute, of all processes', async () => {
  const refuse = async (token: string) => {
    await send({ api_key: token, batch: [event(1)] }).expect(401);
  };
  await refuse('lnt_wrong');
  collector.deps.clock.advance(120_000);
  await refuse('lnt_wrong');
  await refuse('lnt_other');
  await send('rubbish').expect(400);
  const refusedFor = async (reader = testReader()) =>
    (await calls(collector, reader).ingestion({ project: 'phc_loja' }))?.refused;
  const wanted = [
    { at: TEST_TIME, outcomes: { token: 1 } },
    { at: TEST_TIME + 120_000, outcomes: { token: 2, invalid: 1 } },
  ];
  expect(await refusedFor()).toEqual(wanted);
  expect(await refusedFor(testReader('owner', { operator: false }))).toBeNull();
  await collector.processes.stop();
  await restart();
  collector.deps.clock.advance(120_000);
  await refuse('lnt_wrong');
  expect(await refusedFor()).toEqual([wanted[0], { at: TEST_TIME + 120_000, outcomes: { token: 3, invalid: 1 } }]);
  collector.deps.clock.advance(3_600_000);
  await refuse('lnt_wrong');
  expect(await refusedFor()).toEqual([
    { at: TEST_TIME + 120_000, outcomes: { token: 3, invalid: 1 } },
    { at: TEST_TIME + 3_720_000, outcomes: { token: 1 } },
  ]);
});

it('counts requests that it takes and keeps nothing of, for /metrics', async () => {
  for (const path of ['/i/v1/logs', '/i/v1/logs', '/i/v1/metrics']) {
    await send({}, `/ingest${path}?token=phc_loja`).expect(200);
  }
  const metrics = metricsOf({ collect: collector.collect, rooms: { deps: collector.deps } } as unknown as Parts);
  const found = metrics.find(({ name }) => name === 'luneta_ingest_not_kept_total');
  expect(found?.read()).toEqual({ logs: 2, metrics: 1 });
  expect((await readStored(database, project.id)).events).toEqual([]);
});

it('tells other processes that it only brings back what waits, and at once that the database is away', async () => {
  const said = new Map<string, () => unknown>();
  const soon = jest.fn();
  const collect = await createCollect(collector.deps, {
    projects: collector.projects,
    flags: collector.flags,
    recordings: collector.replays.recordings,
    events: {
      store: () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })),
      storeHeatmap: async () => undefined,
    },
    processes: { tell: (part, says) => said.set(part, says), read: async () => [], soon },
    ...{ spool: null, takesIn: false },
  });
  const word = () => said.get('intake')?.();
  expect(word()).toMatchObject({ takesIn: false, isStoring: true });
  const sent = collect.capture([{ event: 'compra', distinct_id: 'cliente' }], project);
  await expect(sent).rejects.toMatchObject({ code: 'unavailable' });
  expect(soon).toHaveBeenCalled();
  await collect.stop();
});

it('sums up warnings by reason, the newest sample with them', async () => {
  const late = { ...event(1), timestamp: '2020-01-01T00:00:00Z' };
  await send(batch([late, { ...late, uuid: uuid(2) }])).expect(200);
  collector.deps.clock.advance(5_000);
  await send(batch([{ ...late, uuid: uuid(3), event: 'último' }])).expect(200);
  const ingestion = await calls().ingestion({ project: 'phc_loja' });
  expect(ingestion?.problems).toEqual([
    {
      reason: 'late',
      times: 3,
      at: TEST_TIME + 5_000,
      sample: { event: 'último', distinct_id: 'cliente-1', uuid: uuid(3) },
    },
  ]);
});

it('believes what a device said later, also when its request was faster', async () => {
  const device = { $device_id: uuid(1), $session_id: uuid(2) };
  const begin = Date.now();
  const sendAt = (ms: number, name: string, properties: object) => {
    const at = new Date(begin + ms).toISOString();
    const said = { event: name, distinct_id: 'u', timestamp: at, properties: { ...device, ...properties } };
    return send({ ...batch([said]), sent_at: at }).expect(200);
  };
  // Sent 100 ms after the first, which took 300 ms longer: it comes before that.
  await sendAt(100, '$set', { $set: { plan: 'pro' }, $set_once: { first: 2 } });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await sendAt(0, '$identify', { $anon_distinct_id: uuid(1), $set: { plan: 'free' }, $set_once: { first: 1 } });
  const { persons, events } = await readStored(database, project.id);
  expect(persons.map(({ properties }) => [properties['plan'], properties['first']])).toEqual([['pro', 1]]);
  expect(events.map((each) => each.event).sort()).toEqual(['$identify', '$set']);
  const [order] = await database.query(
    `select (max(ts) - min(ts)) = interval '100 ms' as "isKept" from events where project_id = $1`,
    [project.id],
  );
  expect(order).toEqual({ isKept: true });
});

it('shows what was refused of persons, with a sample, and still does after a restart', async () => {
  const identify = (number: number, id: string, anonymous: string) => ({
    ...event(number, { $anon_distinct_id: anonymous }),
    event: '$identify',
    distinct_id: id,
  });
  await send(batch([identify(1, 'ana', 'aparelho')])).expect(200);
  await send(batch([identify(2, 'bia', 'aparelho'), identify(3, 'null', 'aparelho')])).expect(200);
  const sample = { event: '$identify', detail: 'aparelho' };
  const wanted = [
    { reason: 'illegal_id', times: 1, at: TEST_TIME, sample: { ...sample, distinct_id: 'null', uuid: uuid(3) } },
    { reason: 'merge_refused', times: 1, at: TEST_TIME, sample: { ...sample, distinct_id: 'bia', uuid: uuid(2) } },
  ];
  const problems = async () => {
    const found = (await calls().ingestion({ project: 'phc_loja' }))?.problems ?? [];
    return found.toSorted((a, b) => (a.reason < b.reason ? -1 : 1));
  };
  expect(await problems()).toEqual(wanted);
  await restart();
  expect(await problems()).toEqual(wanted);
});

describe('one poisonous event in a batch of 100', () => {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  const others = Array.from({ length: 99 }, (_, index) => JSON.stringify(event(index + 1)));
  const around = (poison: string) =>
    `{"api_key":"phc_loja","batch":[${[...others.slice(0, 50), poison, ...others.slice(50)].join(',')}]}`;
  const raw = (properties: string, more = '') =>
    `{"uuid":"${uuid(100)}","event":"veneno","distinct_id":"d"${more},"properties":${properties}}`;

  it.each<[string, string, string, number]>([
    ['NUL', raw('{"a\\u0000":"b\\u0000"}'), 'text_cleaned', 100],
    ['an unpaired surrogate', raw('{"a":"\\ud800 ok"}'), 'text_cleaned', 100],
    ['a string of 10 MB', raw(`{"a":"${'x'.repeat(10_000_000)}"}`), 'too_large', 99],
    ['depth 10,000', raw(deep), 'too_deep', 99],
    ['year 275760', raw('{}', ',"timestamp":"+275760-09-13T00:00:00.000Z"'), 'clock_ahead', 100],
    ['NaN as a time', raw('{"a":NaN}', ',"timestamp":"NaN"'), 'bad_time', 100],
    ['a name of 10 kB', raw(`{"${'n'.repeat(10_000)}":1}`), 'name_cut', 100],
    ['no object', '"veneno"', 'not_an_event', 99],
  ])('%s', async (_name, poison, reason, storedCount) => {
    await send(around(poison)).expect(200, '{"status":1}');
    const stored = await readStored(database, project.id);
    expect(stored.events).toHaveLength(storedCount);
    const ingestion = await calls().ingestion({ project: 'phc_loja' });
    expect(ingestion?.problems.map((problem) => [problem.reason, problem.times])).toEqual([[reason, 1]]);
  });

  it('__proto__ is plain data', async () => {
    await send(around(raw('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'))).expect(
      200,
    );
    const stored = await readStored(database, project.id);
    const poison = stored.events.find((one) => one.event === 'veneno');
    expect(stored.events).toHaveLength(100);
    expect(JSON.stringify(poison?.properties)).toContain('"__proto__":{"polluted":true}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('what only PostgreSQL refuses', async () => {
    await database.query(`alter table events add constraint no_poison check (properties->>'veneno' is null)`);
    try {
      await send(around(raw('{"veneno":1}'))).expect(200);
      const stored = await readStored(database, project.id);
      expect(stored.events).toHaveLength(99);
      expect(stored.drops).toEqual({ unstorable: 1 });
    } finally {
      await database.query('alter table events drop constraint no_poison');
    }
  });
});

it('counts cookieless visits of three page views as one, with nothing of the visitor kept', async () => {
  for (const path of ['/', '/cafe', '/sobre']) {
    const body = JSON.stringify({
      o: `https://loja.example${path}`,
      r: 'https://www.google.com/',
      ts: TEST_TIME,
      w: 390,
    });
    await send(body, '/ingest/va/phc_loja/view')
      .set('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0')
      .expect(200);
    collector.deps.clock.advance(60_000);
  }
  const stored = await readStored(database, project.id);
  expect(stored.events).toHaveLength(3);
  expect(new Set(stored.events.map(({ person }) => person)).size).toBe(1);
  expect(stored.sessions).toMatchObject([{ views: 3, entryPath: '/', exitPath: '/sobre' }]);
  expect(JSON.stringify(stored)).not.toMatch(/Mozilla|127\.0\.0\.1|\$ip/);
});

describe('calls', () => {
  it('the install card learns of events, from outside or not, and of problems', async () => {
    const install = (): Promise<Install> => calls().install({ project: String(project.id) });
    expect(await install()).toEqual({
      token: project.token,
      host: 'http://localhost:3000/ingest',
      receivedAny: false,
      outside: null,
      lastProblem: null,
      refusal: null,
      onlyBots: false,
      alias: 'moon',
    });
    const { uuid: sent, outcome } = await calls().sendTestEvent({ project: String(project.id) });
    expect(outcome).toBe('stored');
    expect((await readStored(database, project.id)).events).toMatchObject([{ uuid: sent, event: 'test event' }]);
    expect(await install()).toMatchObject({ receivedAny: true, outside: null });
    await send(batch([event(1, { $current_url: 'https://loja.example/' }), null])).expect(200);
    expect(await install()).toMatchObject({
      outside: { at: TEST_TIME, event: 'compra' },
      lastProblem: { reason: 'not_an_event', at: TEST_TIME },
    });
  });

  it.each([
    [30, 'compra'],
    [40, ''],
  ])('the install card learns the name of an event of %d days ago: %j', async (days, name) => {
    const timestamp = new Date(TEST_TIME - days * 86_400_000).toISOString();
    await send(batch([{ ...event(1, { $current_url: 'https://loja.example/' }), timestamp }])).expect(200);
    const { outside } = await calls().install({ project: String(project.id) });
    expect((await readStored(database, project.id)).events).toMatchObject([{ event: 'compra' }]);
    expect(outside).toEqual({ at: TEST_TIME, event: name });
  });

  it('the install card learns of requests that reached no project, and of bots alone', async () => {
    const install = (reader = testReader()): Promise<Install> =>
      calls(collector, reader).install({ project: String(project.id) });
    const wrong = JSON.stringify({ ...batch([event(1)]), api_key: 'lnt_wrong' });
    await request(collector.url)
      .post('/ingest/batch/')
      .set({ 'Content-Type': 'text/plain', Origin: 'https://loja.example' })
      .send(wrong)
      .expect(401);
    const refusal = { at: TEST_TIME, reason: 'token', host: 'loja.example', contentType: 'text/plain' };
    expect(await install()).toMatchObject({ refusal, onlyBots: false });
    // Somebody else's team: only what comes from their own sites is theirs to know.
    const stranger = testReader('owner', { operator: false });
    expect(await install(stranger)).toMatchObject({ refusal: null });
    await request(collector.url)
      .post('/ingest/batch/')
      .set({ 'Content-Type': 'application/json', 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })
      .send(
        JSON.stringify(
          batch([event(2, { $current_url: 'https://loja.example/', $lib: 'web', $raw_user_agent: 'Googlebot/2.1' })]),
        ),
      )
      .expect(200);
    expect(await install()).toMatchObject({ onlyBots: true });
    await send(batch([event(3)])).expect(200);
    expect(await install()).toMatchObject({ onlyBots: false });
  });

  it('there is nothing to collect while events are passed on', async () => {
    const asked = { ...testAsker(), access: testAccess };
    const context = {
      deps: collector.deps,
      projects: collector.projects,
      collect: null,
      ...asked,
    } as unknown as Context;
    const relayed = collectRouter.createCaller(context);
    expect(await relayed.ingestion({ project: 'phc_loja' })).toBeNull();
    await expect(relayed.sendTestEvent({ project: 'phc_loja' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await relayed.install({ project: 'phc_loja' })).toMatchObject({ lastProblem: null });
  });
});

it('takes what its own server says', async () => {
  const results = await collector.collect.capture(
    [{ event: 'server started', distinct_id: 'luneta-server', properties: { node: '24\0' } }],
    project,
  );
  expect(results).toMatchObject([{ outcome: 'stored' }]);
  expect((await readStored(database, project.id)).events).toMatchObject([{ properties: { node: '24\ufffd' } }]);
});

it('counts what waited on a disk once, also when the file is read again', async () => {
  let sink: SpoolSink | null = null;
  const spool = {
    ...{ durable: true, append: async () => {}, close: async () => {}, stats: () => null as never },
    replay: (given: SpoolSink) => {
      sink = given;
    },
  };
  const other = await startCollector(database.url, { spool });
  const { store, note } = sink as unknown as Required<SpoolSink>;
  const kept = { projectId: project.id, reason: 'no_name', isDrop: true, times: 3, at: TEST_TIME, sample: {} };
  const events = [{ ...makeFinished(uuid(7)), projectId: project.id }];
  for (let reads = 0; reads < 2; reads++) {
    await note(uuid(9), [kept]);
    await store(events);
  }
  await note(uuid(10), [{ ...kept, times: 1 }]);
  const { minutes, problems } = await other.collect.ingestion(project.id);
  await other.stop();
  expect(minutes.map(({ outcomes }) => outcomes)).toEqual([{ stored: 1, no_name: 4 }]);
  expect(problems).toMatchObject([{ reason: 'no_name', times: 4 }]);
});

describe('what is said of events is counted once', () => {
  const dropped = () => ({
    ...{ projectId: project.id, reason: 'no_name', isDrop: true, times: 1, at: TEST_TIME, sample: {} },
  });
  /** A spool that holds what it is given, and where it would bring that. */
  function holdingSpool() {
    const kept: { events: FinishedEvent[]; notes: { id: string; notes: Note[] }[] } = { events: [], notes: [] };
    const state: { sink: Required<SpoolSink> | null } = { sink: null };
    const spool = {
      ...{ durable: true, close: async () => {}, stats: () => null as never },
      append: async (record: FinishedEvent[] | { id: string; notes: Note[] }) => {
        if (Array.isArray(record)) kept.events.push(...record);
        else kept.notes.push(record);
      },
      replay: (given: SpoolSink) => {
        state.sink = given as Required<SpoolSink>;
      },
    } as unknown as Spool;
    return { spool, kept, state };
  }
  const outcomes = async (of = collector) =>
    (await of.collect.ingestion(project.id)).minutes.map((minute) => minute.outcomes);

  it('when a transaction that was given up is committed after all', async () => {
    const { spool, kept, state } = holdingSpool();
    const { deps, events } = collector;
    const limits = { lanes: 2, batchEvents: 1_000, timeoutMs: 150, replayTimeoutMs: 10_000 };
    const writer = createWriter({ ...deps, pool: deps.write, events, spool }, limits);
    await withClient(database.url, async (holder) => {
      await holder.query('begin; lock table ingestion_minutes in access exclusive mode');
      await writer.write([{ ...makeFinished(uuid(1)), projectId: project.id }], [dropped()]);
      await holder.query('commit');
    });
    expect([kept.events.length, kept.notes.length]).toEqual([1, 1]);
    await until(async () => (await database.query('select 1 from events')).length === 1);
    await writer.stop();
    const other = await startCollector(database.url, { spool });
    await state.sink?.note(kept.notes[0]?.id as string, kept.notes[0]?.notes as Note[]);
    await state.sink?.store(kept.events);
    expect(await outcomes(other)).toEqual([{ stored: 1, no_name: 1 }]);
    expect((await other.collect.ingestion(project.id)).problems).toMatchObject([{ reason: 'no_name', times: 1 }]);
    await other.stop();
  });

  it('when the events cannot be stored, and are read from disk again', async () => {
    const { spool, state } = holdingSpool();
    const other = await startCollector(database.url, { spool });
    await database.query(`alter table events add constraint no_poison check (properties->>'veneno' is null)`);
    try {
      const poison = { ...makeFinished(uuid(2)), projectId: project.id, properties: { veneno: 1 } };
      const sound = { ...makeFinished(uuid(3)), projectId: project.id };
      await state.sink?.store([poison, sound]);
      expect(await outcomes()).toEqual([{ stored: 1, unstorable: 1 }]);
      await state.sink?.store([poison, sound]);
      expect(await outcomes()).toEqual([{ stored: 1, unstorable: 1 }]);
      await state.sink?.store([sound, { ...poison, uuid: uuid(4) }, poison]);
      expect(await outcomes()).toEqual([{ stored: 1, unstorable: 2 }]);
    } finally {
      await database.query('alter table events drop constraint no_poison');
      await other.stop();
    }
  });
});

it('forgets old minutes and warnings, not new ones', async () => {
  await send(batch([event(1), null])).expect(200);
  collector.deps.clock.advance(9 * 86_400_000);
  await send(batch([event(2), null])).expect(200);
  await collector.collect.tidy();
  const minutes = await database.query<{ minute: Date }>('select distinct minute from ingestion_minutes');
  expect(minutes).toHaveLength(1);
  collector.deps.clock.advance(90 * 86_400_000);
  await collector.collect.tidy();
  expect(await database.query('select 1 from ingestion_minutes')).toHaveLength(0);
});
