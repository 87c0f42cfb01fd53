/** What waited on some disk, or for an upstream, while a person was erased or a project deleted: it is neither stored nor forwarded. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { createCollect } from '#src/collect/collect.ts';
import type { Note } from '#src/collect/notes.ts';
import type { SpoolSink } from '#src/collect/spool.ts';
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createHistory } from '#src/events/history.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { createLog } from '#src/kit/log.ts';
import { createPeople, type People } from '#src/persons/people.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createPrivacy, type Privacy } from '#src/privacy/privacy.ts';
import { createProcesses } from '#src/processes/processes.ts';
import { closeProject } from '#src/projects/forget.ts';
import { createProjects, type Project, type Projects } from '#src/projects/projects.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import { createQueue } from '#src/relay/mirror-queue.ts';
import { openDb, openWritePool } from '#src/store/db.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { noFlags, noRecordings } from '#test/collect/server.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testConfig, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
const MINUTE = 60_000;
let deps: TestDeps;
let projects: Projects;
let events: Events;
let people: People;
let privacy: Privacy;
let project: Project;
let other: Project;
let by: { id: number; name: string };
/** Where the spool would bring what it holds. */
let sink: Required<SpoolSink>;
let forwarded: ForwardRequest[];
let stop: () => Promise<void>;

beforeEach(async () => {
  // As in the smallest plans: what needs a second connection while it holds one waits for ever.
  const [config, log] = [testConfig(database.url), createLog('silent')];
  deps = testDeps(database.url, { db: openDb(config, log, 1), write: openWritePool(config, log, 1) });
  projects = createProjects(deps);
  project = await projects.create({ name: 'Shop', timeZone: 'UTC', extraToken: 'phc_shop' });
  other = await projects.create({ name: 'Other', timeZone: 'UTC', extraToken: 'phc_other' });
  events = createEvents(deps, { persons: createPersons(deps), projects });
  await events.maintain();
  people = createPeople(deps);
  const secrets = createSecrets(deps);
  privacy = createPrivacy(deps, { people, history: createHistory(deps), secrets, projects, elsewhere: [] });
  forwarded = [];
  const spool = {
    ...{ durable: true, append: async () => {}, close: async () => {}, stats: () => null as never },
    replay: (given: SpoolSink) => {
      sink = given as Required<SpoolSink>;
    },
  };
  const collect = await createCollect(deps, {
    ...{ projects, events, spool, processes: createProcesses(deps), guard: privacy.whileNobodyIsErased },
    flags: noFlags,
    recordings: noRecordings.store,
    forwardKept: async (request) => void forwarded.push(request),
  });
  stop = () => collect.stop();
  const [user] = await database.query<{ id: number }>(
    `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
     values (gen_random_uuid(), 'a@b.example', 'a@b.example', 'Ana', 'en', 'UTC', '2026-01-01') returning id`,
  );
  by = { id: user?.id as number, name: 'Ana' };
});
afterEach(async () => {
  await stop();
  await events.stop();
  await deps.close();
});

let second = 0;

function event(distinctId: string, over: Partial<FinishedEvent> = {}): FinishedEvent {
  const ts = TEST_TIME - 10 * MINUTE + ++second * 10;
  return {
    ...{ projectId: project.id, uuid: uuidV7(ts), event: '$pageview', distinctId, ts, receivedAt: ts },
    ...{ session: null, marks: 0, properties: {}, groups: {} },
    person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
    ...over,
  };
}

/** Marina is known, and asks for her end, which comes a minute later. */
async function erase(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  const known = event('marina');
  await events.store([{ ...known, person: { ...known.person, set: { email: 'marina@serrana.example' } } }]);
  const [person] = await people.page(project.id, { search: 'marina', limit: 2 });
  await privacy.erase(project.id, person?.uuid as string, by);
  await meanwhile();
  deps.clock.advance(MINUTE);
  await privacy.work();
}

const storedIds = async () =>
  (await database.query<{ distinct_id: string }>('select distinct_id from distinct_ids order by 1')).map(
    (row) => row.distinct_id,
  );

describe('events on disk', () => {
  it('of a person erased since are dropped, and counted once; those of others and of other projects are stored', async () => {
    const identify = { kind: 'identify', otherDistinctId: 'marina' } as const;
    const waited = [
      event('marina'),
      event('bia'),
      event('bia', { person: { ...event('').person, merge: identify } }),
      event('marina', { projectId: other.id }),
    ];
    await erase();
    for (let reads = 0; reads < 2; reads++) await sink.store(waited);
    expect(await database.query('select project_id from events order by 1')).toEqual([
      { project_id: project.id },
      { project_id: other.id },
    ]);
    expect(await storedIds()).toEqual(['bia', 'marina']);
    expect(await people.page(project.id, { search: 'marina', limit: 2 })).toEqual([]);
    const minutes = await database.query(
      'select outcome, sum(events)::int as events from ingestion_minutes group by 1 order by 1',
    );
    expect(minutes).toEqual([
      { outcome: 'erased', events: 2 },
      { outcome: 'stored', events: 2 },
    ]);
    const [warning] = await database.query('select sample from ingestion_warnings');
    expect(warning).toEqual({ sample: {} });
  });

  it('are counted once as dropped however they are put together when they are read again', async () => {
    const [one, two, three] = [event('marina'), event('marina'), event('marina')];
    await erase();
    await sink.store([one, two]);
    await sink.store([one]);
    await sink.store([two, three]);
    expect(await database.query('select outcome, events from ingestion_minutes')).toEqual([
      { outcome: 'erased', events: 3 },
    ]);
  });

  it('belong to another person when the id differs in case, or is the email address of the erased person', async () => {
    const waited = [event('MARINA'), event(' marina'), event('marina@serrana.example')];
    await erase();
    await sink.store(waited);
    expect(await storedIds()).toEqual([' marina', 'MARINA', 'marina@serrana.example']);
  });

  it('are dropped as well under an id that became theirs after they had asked', async () => {
    const waited = event('user-marina');
    const merge = { kind: 'identify', otherDistinctId: 'marina' } as const;
    await erase(() => events.store([event('user-marina', { person: { ...event('').person, identify: true, merge } })]));
    await sink.store([waited]);
    expect(await storedIds()).toEqual([]);
  });

  it('received later belong to a new person', async () => {
    await erase();
    const at = deps.clock.now() + 1;
    await sink.store([event('marina', { ts: at, receivedAt: at, uuid: uuidV7(at) })]);
    deps.clock.advance(2 * MINUTE);
    await privacy.work();
    expect(await database.query('select 1 from events')).toHaveLength(1);
    // Also when those from before are read after that.
    await sink.store([event('marina')]);
    expect(await database.query('select 1 from events')).toHaveLength(1);
  });

  it('are not stored during an erasure: either before, and erased, or after, and dropped', async () => {
    const waited = Array.from({ length: 40 }, () => event('marina'));
    const replay = async () => {
      for (const each of waited) await sink.store([each]);
    };
    await Promise.all([erase(), replay()]);
    deps.clock.advance(2 * MINUTE);
    await privacy.work();
    expect(await storedIds()).toEqual([]);
    expect(await database.query('select 1 from events')).toEqual([]);
  });

  const samples = () =>
    database.query('select reason, times, sample from ingestion_warnings where project_id = $1 order by reason', [
      project.id,
    ]);
  const note = (reason: string, sample: JsonObject, over: Partial<Note> = {}): Note => ({
    ...{ projectId: project.id, reason, isDrop: true, times: 3, at: TEST_TIME - MINUTE, sample },
    ...over,
  });

  it('leave no example of a person erased since in their counts', async () => {
    await erase();
    const after = deps.clock.now() + 1;
    const id = uuidV7(TEST_TIME);
    for (let reads = 0; reads < 2; reads++) {
      await sink.note(id, [
        note('bot', { event: 'x', distinct_id: 'marina', uuid: 'u' }),
        note('expired', { event: 'x', distinct_id: 'bia' }),
        note('merge_refused', { distinct_id: 'bia', detail: 'marina' }, { isDrop: false }),
        note('origin', { distinct_id: 'marina' }, { at: after }),
      ]);
    }
    expect(await samples()).toEqual([
      { reason: 'bot', times: 3, sample: {} },
      { reason: 'expired', times: 3, sample: { event: 'x', distinct_id: 'bia' } },
      { reason: 'merge_refused', times: 3, sample: {} },
      { reason: 'origin', times: 3, sample: { distinct_id: 'marina' } },
    ]);
  });

  it('leave none either when it was not known whose they were', async () => {
    await projects.update(project.id, { settings: { ...project.settings, bots: 'dropped' } });
    await erase();
    const raw = {
      ...{ id: uuidV7(TEST_TIME), origin: null, asksNotToTrack: false },
      events: [event('marina', { marks: eventMarks.bot, projectId: 0 })],
      notes: [note('late', { event: 'x', distinct_id: 'marina' }, { projectId: 0, isDrop: false })],
    } as unknown as JsonObject;
    const record = { token: 'phc_shop', receivedAt: TEST_TIME - MINUTE, uuids: ['u'], raw };
    expect(await sink.finish(record)).toEqual([]);
    expect(await samples()).toEqual([
      { reason: 'bot', times: 1, sample: {} },
      { reason: 'late', times: 3, sample: {} },
    ]);
  });

  it('are not counted for a project that is gone', async () => {
    await closeProject(deps.db, project.id);
    await sink.note(uuidV7(TEST_TIME), [note('bot', {}), note('bot', {}, { projectId: other.id })]);
    expect(await database.query('select project_id from ingestion_warnings')).toEqual([{ project_id: other.id }]);
    expect(await database.query('select project_id from ingestion_minutes')).toEqual([{ project_id: other.id }]);
  });

  it('of a project that is gone are dropped', async () => {
    await closeProject(deps.db, project.id);
    await sink.store([event('bia'), event('bia', { projectId: other.id })]);
    expect(await database.query('select project_id from events')).toEqual([{ project_id: other.id }]);
  });
});

const sent = (id: string, properties: object = {}) => ({ event: 'x', distinct_id: id, properties });
const forward = (body: object, over: Partial<ForwardRequest> = {}): ForwardRequest => ({
  ...{ projectId: project.id, receivedAt: TEST_TIME - MINUTE, method: 'POST', path: '/e/?compression=gzip-js&ip=1' },
  headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip', host: 'h' },
  body: gzipSync(JSON.stringify(body)),
  ...over,
});
const batch = (...list: object[]) => ({ api_key: 'phc_shop', batch: list, sent_at: '2026-11-19T15:00:00Z' });
const identified = sent('bia', { $anon_distinct_id: 'marina' });

describe('requests on disk', () => {
  it('are forwarded without people erased since, or unchanged', async () => {
    await erase();
    const others = forward(batch(sent('bia')));
    await sink.forward(others);
    await sink.forward(forward(batch(sent('marina'), sent('bia'), identified)));
    await sink.forward(forward(sent('marina', { token: 'phc_shop' })));
    await sink.forward(forward([sent('bia', { token: 'phc_shop' }), sent('marina', { token: 'phc_shop' })]));
    expect(forwarded[0]).toEqual(others);
    expect(forwarded.slice(1)).toEqual([
      {
        ...{ projectId: project.id, receivedAt: others.receivedAt, method: 'POST', path: '/e/?ip=1' },
        headers: { 'content-type': 'application/json', host: 'h' },
        body: Buffer.from(JSON.stringify(batch(sent('bia')))),
      },
      expect.objectContaining({ body: Buffer.from(JSON.stringify([sent('bia', { token: 'phc_shop' })])) }),
    ]);
  });

  it('say whose they are when that was not known, and are not passed on for a project that is gone', async () => {
    await sink.forward(forward({ ...batch(sent('bia')), api_key: 'phc_other' }, { projectId: null }));
    await sink.forward(forward({ ...batch(sent('bia')), api_key: 'phc_nobody' }, { projectId: null }));
    await closeProject(deps.db, project.id);
    await sink.forward(forward(batch(sent('bia'))));
    expect(forwarded.map(({ projectId }) => projectId)).toEqual([other.id]);
  });

  it('are not passed on when their project, once it is known, would not have them', async () => {
    const settings = { respectDnt: true, allowedOrigins: ['https://shop.example'] };
    await projects.update(other.id, { settings });
    const body = { ...batch(sent('bia')), api_key: 'phc_other' };
    const send = (headers: Record<string, string>) => {
      const request = forward(body, { projectId: null });
      return sink.forward({ ...request, headers: { ...request.headers, ...headers } });
    };
    await send({ dnt: '1' });
    await send({ 'sec-gpc': '1' });
    await send({ origin: 'https://evil.example' });
    await send({ origin: 'https://shop.example' });
    expect(forwarded.map(({ headers }) => headers['origin'])).toEqual(['https://shop.example']);
  });
});

it('requests in the queue, waiting or refused, lose the events of an erased person', async () => {
  const queue = createQueue(deps);
  const mixed = batch(sent('marina'), sent('bia'));
  for (let n = 0; n < 120; n++) await queue.insert(forward(batch(sent('bia'))));
  await queue.insert(forward(batch(sent('marina'))));
  await queue.insert(forward(mixed));
  await queue.insert(forward(mixed, { projectId: null }));
  await queue.insert(forward({ ...mixed, api_key: 'phc_other' }, { projectId: other.id }));
  await queue.insert(forward({ ...mixed, api_key: 'phc_other' }, { projectId: null }));
  await database.query(`update relay_queue set refused = 'no' where id % 2 = 0`);
  await erase();
  const rows = await database.query<{ body: Buffer; headers: Record<string, string> }>(
    'select body, headers from relay_queue order by id',
  );
  expect(rows).toHaveLength(124);
  const idsOf = ({ body, headers }: (typeof rows)[number]) => {
    const text = 'content-encoding' in headers ? gunzipSync(body) : body;
    const { batch: list } = JSON.parse(text.toString()) as { batch: { distinct_id: string }[] };
    return list.map((each) => each.distinct_id).join();
  };
  expect(rows.slice(120).map(idsOf)).toEqual(['bia', 'bia', 'marina,bia', 'marina,bia']);
  const { requests } = await privacy.overview(project);
  expect(requests[0]?.counts).toMatchObject({ relay_queue: 3 });
});
