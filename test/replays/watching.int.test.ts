/** Watching recordings over a whole application: who finds which, who may watch, what is noted of it, what people write, and what deleting leaves. */
import request from 'supertest';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { storeRecording } from '#test/kit/recording.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const begun = Date.now() - 3_600_000;
const clock = { now: () => begun + 3_600_000, elapsed: () => performance.now() };
const whole = useWholeApp(database, {}, { clock });
let people: Record<'viewer' | 'member' | 'admin' | 'stranger', Person>;
let token: string;

const checkout = uuidV7(begun);
const visit = uuidV7(begun + 60_000);

beforeAll(async () => {
  people = await joinEach(whole, ['viewer', 'member', 'admin']);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  token = row?.token as string;
  const seen = (session: string, distinctId: string, event: string, at: number, properties: object = {}) => ({
    uuid: uuidV7(at),
    event,
    timestamp: new Date(at).toISOString(),
    properties: { distinct_id: distinctId, $session_id: session, $window_id: uuidV7(at), ...properties },
  });
  const page = {
    $current_url: 'https://shop.example/checkout',
    $pathname: '/checkout',
    $browser: 'Chrome',
    $os: 'Linux',
  };
  const batch = [
    seen(checkout, 'anon-1', '$pageview', begun, page),
    seen(checkout, 'anon-1', '$identify', begun + 500, {
      distinct_id: 'ana',
      $anon_distinct_id: 'anon-1',
      $set: { name: 'Ana Prado' },
    }),
    seen(checkout, 'ana', 'pedido', begun + 1_000, page),
    seen(visit, 'bia', '$pageview', begun + 60_000, { ...page, $pathname: '/' }),
    seen(visit, 'bia', '$pageview', begun + 62_000, { ...page, $pathname: '/Frete' }),
  ];
  await request(whole.app).post('/ingest/batch/').send({ api_key: token, batch }).expect(200);
  const { project } = whole;
  await storeRecording(database, {
    project,
    session: checkout,
    distinctId: 'ana',
    at: begun,
    seconds: 120,
    errors: 2,
    urls: ['/checkout'],
    events: [4, 2].map((type, index) => ({ type, data: {}, timestamp: begun + index })),
  });
  await storeRecording(database, {
    project,
    session: visit,
    distinctId: 'bia',
    at: begun + 60_000,
    seconds: 8,
    urls: ['/', '/cafes'],
  });
});

async function call(type: 'query' | 'mutation', as: { cookie: string }, name: string, input: object = {}) {
  const path = `replays.${name}`;
  const { status, body } = await callsOf(whole)[type](as.cookie, path, { project: String(whole.project), ...input });
  return status === 200 ? body.result.data.json : [status, body.error.json.data.field ?? body.error.json.data.appCode];
}

async function found(input: object = {}, as: { cookie: string } = people.member): Promise<string[]> {
  const { replays } = await call('query', as, 'list', { range: 'last_7_days', ...input });
  return replays.map(({ session }: { session: string }) => (session === checkout ? 'checkout' : 'visit'));
}

const allowViewers = (viewersWatch: boolean) =>
  callsOf(whole)
    .mutation(people.admin.cookie, 'projects.update', {
      project: String(whole.project),
      settings: { replay: { viewersWatch } },
    })
    .expect(200);

const blocks = (as: { cookie: string }, session: string, query = 'from=0&to=9') =>
  request(whole.app).get(`/project/${whole.project}/replay/${session}/blocks?${query}`).set('Cookie', as.cookie);

it('finds recordings by what happened in them, by whom, how long they are and what they show', async () => {
  expect(await found()).toEqual(['visit', 'checkout']);
  expect(await found({ sort: 'longest' })).toEqual(['checkout', 'visit']);
  expect(await found({ event: 'pedido' })).toEqual(['checkout']);
  expect(await found({ event: '$pageview' })).toEqual(['visit', 'checkout']);
  expect(await found({ minSeconds: 60 })).toEqual(['checkout']);
  expect(await found({ maxSeconds: 60 })).toEqual(['visit']);
  expect(await found({ search: 'cafes' })).toEqual(['visit']);
  // The last page, which the list shows, is not among the first ones of the recording.
  expect(await found({ search: '/frete' })).toEqual(['visit']);
  expect(await found({ search: 'prado' })).toEqual(['checkout']);
  expect(await found({ search: checkout })).toEqual(['checkout']);
  expect(await found({ show: 'errors' })).toEqual(['checkout']);
  const condition = (about: string, name: string, value: string) => ({
    filters: { match: 'all', of: [{ about, name, operator: 'equals', values: [value] }] },
  });
  expect(await found(condition('event', '$pathname', '/'))).toEqual(['visit']);
  expect(await found(condition('person', 'name', 'Ana Prado'))).toEqual(['checkout']);
  expect(await found(condition('session', 'entryPath', '/checkout'))).toEqual(['checkout']);
  const cohort = { project: String(whole.project), name: 'Buyers', list: 'ana' };
  await callsOf(whole).mutation(people.member.cookie, 'insights.cohorts.createFromList', cohort).expect(200);
  expect(await found(condition('person', '$cohort', 'Buyers'))).toEqual(['checkout']);
  const { replays, counts, medianSeconds, total } = await call('query', people.member, 'list', {
    range: 'last_7_days',
  });
  expect([counts, medianSeconds, total]).toEqual([{ unwatched: 2, errors: 1, rage: 0 }, 64, 2]);
  expect(replays[1]).toMatchObject({
    session: checkout,
    person: { label: 'Ana Prado', identified: true },
    errors: 2,
    width: 390,
    browser: 'Chrome',
    entryPath: '/checkout',
    isWatched: false,
    pages: 1,
  });
  const { uuid } = replays[1].person;
  expect(await found({ person: uuid })).toEqual(['checkout']);
  expect(await call('query', people.member, 'recordedPeople', { persons: [uuid, uuidV7(begun)] })).toEqual([uuid]);
  const known = await call('query', people.member, 'recorded', { sessions: [visit, uuidV7(begun)] });
  expect(known).toEqual([{ session: visit, firstAt: begun + 60_000, lastAt: begun + 68_000 }]);
});

it('notes who watched, once an hour', async () => {
  const watched = { session: checkout };
  for (let times = 0; times < 2; times++) await call('mutation', people.member, 'view', watched);
  expect(await found({ show: 'unwatched' })).toEqual(['visit']);
  expect(await found({ show: 'unwatched' }, people.admin)).toEqual(['visit', 'checkout']);
  const noted = await database.query("select actor, details from audit where action = 'replay.viewed'");
  expect(noted).toHaveLength(1);
  expect(noted[0]).toMatchObject({ details: { session: checkout } });
});

it('gives the events of the visit in order, and the blocks as lines', async () => {
  const { blocks: listed, isLive } = await call('query', people.member, 'get', { session: checkout });
  expect(listed).toMatchObject([{ window: 'tab', seq: 1, fromAt: begun, hasFull: true }]);
  expect(isLive).toBe(false);
  const events = await call('query', people.member, 'events', { session: checkout });
  expect(events.map(({ event }: { event: string }) => event)).toEqual(['$pageview', '$identify', 'pedido']);
  for (const encoding of ['gzip', 'identity']) {
    const { text, headers } = await blocks(people.member, checkout)
      .set('Accept-Encoding', encoding)
      .buffer()
      .expect(200);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { window: 'tab', event: { type: 4, data: {}, timestamp: begun } },
      { window: 'tab', event: { type: 2, data: {}, timestamp: begun + 1 } },
    ]);
    expect(headers['cache-control']).toBe('private, no-store');
  }
  await blocks(people.member, uuidV7(begun)).expect(404);
  await blocks(people.member, checkout, 'from=-1&to=2').expect(400);
  await blocks(people.stranger, checkout).expect(404);
  await request(whole.app).get(`/project/${whole.project}/replay/${checkout}/blocks?from=0&to=9`).expect(401);
});

it('lets viewers watch only where the project allows it, without people and events', async () => {
  expect(await call('query', people.viewer, 'list', { range: 'today' })).toEqual([403, 'forbidden']);
  expect(await call('query', people.viewer, 'get', { session: checkout })).toEqual([403, 'forbidden']);
  await blocks(people.viewer, checkout).expect(403);
  await allowViewers(true);
  expect(await found({}, people.viewer)).toEqual(['visit', 'checkout']);
  expect(await found({ search: 'prado' }, people.viewer)).toEqual([]);
  expect(await call('query', people.viewer, 'get', { session: checkout })).toMatchObject({ person: null });
  expect(await call('query', people.viewer, 'events', { session: checkout })).toEqual([]);
  const comment = { session: checkout, at: 0, text: 'Oi' };
  expect(await call('mutation', people.viewer, 'comment', comment)).toEqual([403, 'forbidden']);
  await blocks(people.viewer, checkout).expect(200);
  await allowViewers(false);
});

it('keeps comments at a moment; their authors and admins delete them', async () => {
  const write = (as: Person, at: number, text: string) =>
    call('mutation', as, 'comment', { session: checkout, at, text });
  await write(people.admin, 9_000, 'O frete some aqui.');
  await write(people.member, 2_000, '  Clica seis vezes.  ');
  expect(await write(people.member, 0, '   ')).toEqual([400, 'text']);
  expect(await call('mutation', people.member, 'comment', { session: uuidV7(begun), at: 0, text: 'x' })).toEqual([
    404,
    'not_found',
  ]);
  const comments = await call('query', people.member, 'comments', { session: checkout });
  expect(comments).toMatchObject([
    { at: 2_000, text: 'Clica seis vezes.' },
    { at: 9_000, text: 'O frete some aqui.' },
  ]);
  const [own, other] = comments as { id: number }[];
  const remove = (as: Person, id: number | undefined) =>
    call('mutation', as, 'removeComment', { session: checkout, comment: id });
  expect(await remove(people.member, other?.id)).toEqual([404, 'not_found']);
  await remove(people.admin, own?.id);
  expect(await call('query', people.member, 'comments', { session: checkout })).toHaveLength(1);
});

it('answers pages for recordings with a policy that lets nothing run or load', async () => {
  const { headers, text } = await request(whole.app).get('/replay-stage').expect(200);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox allow-same-origin');
  expect(policy).not.toMatch(/script-src|https:|connect-src/);
  expect(text).not.toContain('<script');
  const loading = String((await request(whole.app).get('/replay-stage?images=1')).headers['content-security-policy']);
  expect(loading).toContain('img-src data: blob: https: http:');
  expect(loading).not.toMatch(/script-src|connect-src/);
});

it('deletes a recording with all that is kept of it', async () => {
  const gone = { session: checkout };
  expect(await call('mutation', people.member, 'remove', gone)).toEqual([403, 'forbidden']);
  await call('mutation', people.admin, 'remove', gone);
  expect(await call('query', people.admin, 'get', gone)).toEqual([404, 'not_found']);
  expect(await found()).toEqual(['visit']);
  for (const table of ['replay_blocks', 'replay_views', 'replay_comments']) {
    const left = await database.query(`select from ${table} where session = $1`, [checkout]);
    expect([table, left]).toEqual([table, []]);
  }
  const [noted] = await database.query("select details from audit where action = 'replay.deleted'");
  expect(noted).toMatchObject({ details: { session: checkout } });
});
