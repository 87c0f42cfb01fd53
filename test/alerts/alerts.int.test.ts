/** Alerts over HTTP and in the background: evaluated once, told once, to mailboxes and a real receiver; rights, secrets, what is refused. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { signatureOf } from '#src/alerts/shapes.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { finishedEvent, sessionId } from '#test/insights/histories.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const HOUR = 3_600_000;
/** 20 minutes after a full hour: alerts are evaluated 5 to 15 minutes after the end of theirs, and not by a clock that is ahead of the database's. */
const start = Math.floor(Date.now() / HOUR) * HOUR + HOUR / 3 - 72 * HOUR;
const clock = fixedClock(start);
const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database, {}, { clock, allowedAddresses: ['127.0.0.1'] });

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const received: Received[] = [];
/** What the receiver answers. */
let status = 204;
const receiver = createServer((req, res) => {
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.on('end', () => {
    received.push({ path: req.url ?? '', headers: req.headers, body: Buffer.concat(pieces).toString() });
    res.writeHead(status, { location: `${place()}/elsewhere` }).end('secret answer');
  });
});
const place = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

let people: Record<'viewer' | 'member' | 'stranger', Person>;
let otherProject: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  people = await joinEach(whole, ['viewer', 'member']);
  await database.query("update users set language = 'pt-BR' where id = $1", [people.viewer.id]);
  const input = { team: whole.team, name: 'Other', timeZone: 'UTC', weekStart: 1 };
  const made = await callsOf(whole).mutation(whole.owner, 'projects.create', input).expect(200);
  otherProject = String(made.body.result.data.json.id);
});
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

/** The answer of a call, or the status and code or field of its error. */
async function call(type: 'query' | 'mutation', as: Person, name: string, input: object) {
  const answer = await callsOf(whole)[type](as.cookie, name, { project: String(whole.project), ...input });
  if (answer.status === 200) return answer.body.result.data.json;
  return [answer.status, answer.body.error.json.data.field ?? answer.body.error.json.data.appCode];
}
const get = (as: Person, name: string, input: object = {}) => call('query', as, `alerts.${name}`, input);
const change = (as: Person, name: string, input: object) => call('mutation', as, `alerts.${name}`, input);

const manyEvents = {
  name: 'Many events',
  subject: { kind: 'events' },
  interval: 'hour',
  condition: { kind: 'above', value: 3 },
};
const create = async (over: object = {}) => {
  const made = await change(people.member, 'create', { ...manyEvents, ...over });
  if (!made.alert) throw new Error(`not made: ${JSON.stringify(made)}`);
  return made as { alert: { id: number; targets: { id: number }[] }; secrets: { target: number; secret: string }[] };
};
const read = (id: number) => get(people.member, 'get', { alert: id });
const remove = (id: number) => change(people.member, 'remove', { alert: id });

/** Stores so many events in the middle of the hour that ended last. */
async function storeEvents(count: number): Promise<void> {
  const middle = Math.floor(clock.now() / HOUR) * HOUR - HOUR / 2;
  await whole.parts.rooms.events.store(
    Array.from({ length: count }, (_, at) =>
      finishedEvent(whole.project, {
        ...{ uuid: uuidV7(middle + at), event: '$pageview', distinctId: `d${at}`, session: sessionId(`d${at}`) },
        ...{ ts: middle + at, bot: false, path: '/', referringDomain: '$direct', country: 'BR' },
      }),
    ),
  );
}

const projectOf = async (id: number) => {
  const project = await whole.parts.rooms.projects.get(id as never);
  return project && { ...project, seesPersons: true };
};
const work = () => whole.parts.rooms.alerts.work(projectOf);
const mails = () =>
  database.query<{ to_address: string; subject: string }>(
    "select to_address, subject from mails where kind = 'alert' order by created_at, to_address",
  );

it('fires once in two workers, tells mailboxes and a signed webhook, is acknowledged and resolved', async () => {
  await storeEvents(5);
  const { alert, secrets } = await create({
    targets: [
      { kind: 'email', members: [people.member.id, people.viewer.id] },
      { kind: 'webhook', url: `${place()}/hook` },
      { kind: 'slack', url: `${place()}/slack` },
    ],
  });
  await Promise.all([work(), work(), work()]);
  await work();
  const fired = await read(alert.id);
  expect(fired).toMatchObject({ state: 'firing', last: { value: 5, expected: null }, problem: null });
  expect(fired.history).toMatchObject([{ value: 5, fires: true, failed: false }]);
  expect(fired.deliveries.map(({ state, tries }: { state: string; tries: number }) => [state, tries])).toEqual([
    ['sent', 1],
    ['sent', 1],
  ]);

  expect(received.map(({ path }) => path).sort()).toEqual(['/hook', '/slack']);
  const hook = received.find(({ path }) => path === '/hook') as Received;
  const [, at = '', signature] = /^t=(\d+),v1=([\da-f]{64})$/.exec(String(hook.headers['luneta-signature'])) ?? [];
  expect(signature).toBe(signatureOf(secrets[0]?.secret ?? '', Number(at), hook.body));
  expect(JSON.parse(hook.body)).toMatchObject({
    ...{ type: 'alert.fired', value: 5, expected: null, project: { id: whole.project } },
    ...{ alert: { id: alert.id, name: 'Many events' }, subject: { kind: 'events' } },
  });
  const slack = JSON.parse((received.find(({ path }) => path === '/slack') as Received).body);
  expect(slack.text).toContain('*Many events is firing');
  expect(await mails()).toEqual([
    { to_address: people.member.email, subject: expect.stringMatching(/^Many events is firing · /) },
    { to_address: people.viewer.email, subject: expect.stringMatching(/^Many events: alerta disparado · /) },
  ]);

  expect(await change(people.viewer, 'acknowledge', { alert: alert.id })).toEqual([403, 'forbidden']);
  const acknowledged = await change(people.member, 'acknowledge', { alert: alert.id });
  expect(acknowledged).toMatchObject({ state: 'acknowledged', acknowledgedBy: 'Rui' });
  expect(await change(people.member, 'acknowledge', { alert: alert.id })).toEqual([409, 'conflict']);
  clock.advance(HOUR);
  await storeEvents(6);
  await work();
  expect(received).toHaveLength(2);
  clock.advance(HOUR);
  await work();
  const resolved = await read(alert.id);
  expect(resolved).toMatchObject({ state: 'resolved', acknowledgedBy: null, last: { value: 0 } });
  expect(resolved.history.map(({ value }: { value: number }) => value)).toEqual([0, 6, 5]);
  expect(JSON.parse(received.at(-1)?.body ?? '{}')).toBeDefined();
  expect(received).toHaveLength(4);

  // Neither address nor secret is anywhere but in the request.
  const shown = JSON.stringify([await get(people.member, 'list'), resolved, whole.lines]);
  for (const hidden of [secrets[0]?.secret ?? '-', '/hook', '/slack']) expect(shown).not.toContain(hidden);
  const stored = await database.query('select * from alert_targets');
  expect(JSON.stringify(stored)).not.toMatch(/whsec_|\/hook/);
  await remove(alert.id);
});

it('evaluates every interval that an outage missed, once, and tells only of the last', async () => {
  const { alert } = await create({ targets: [{ kind: 'webhook', url: `${place()}/missed` }] });
  await work();
  received.length = 0;
  clock.advance(HOUR);
  await storeEvents(9);
  clock.advance(HOUR);
  await storeEvents(1);
  clock.advance(HOUR);
  await storeEvents(7);
  // A process died right after it had written the row.
  await database.query(
    `insert into alert_evaluations (alert, interval_from, interval_to, project_id, outcome, tries, retry_at)
     select $1, last_to, last_to + interval '1 hour', $2, 'pending', 1, $3 from alerts where id = $1`,
    [alert.id, whole.project, new Date(clock.now() + 60_000)],
  );
  await work();
  expect((await read(alert.id)).history).toHaveLength(1);
  clock.advance(120_000);
  await Promise.all([work(), work()]);
  const { history, state } = await read(alert.id);
  expect([state, history.map(({ value }: { value: number }) => value)]).toEqual(['firing', [7, 1, 9, 0]]);
  expect(received).toHaveLength(1);
  await remove(alert.id);
});

it('tries five times, later each time, and delivers again when asked; follows no redirect', async () => {
  await storeEvents(5);
  received.length = 0;
  status = 307;
  const { alert } = await create({ targets: [{ kind: 'webhook', url: `${place()}/moved` }] });
  await work();
  for (const minutes of [1, 5, 30, 120, 600]) {
    clock.advance(minutes * 60_000 + 1_000);
    await work();
  }
  expect(received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  const tried = received.filter(({ body }) => JSON.parse(body).type === 'alert.fired');
  expect(tried).toHaveLength(5);
  expect(new Set(tried.map(({ headers }) => headers['luneta-delivery'])).size).toBe(1);
  const { deliveries } = await read(alert.id);
  const failed = deliveries.find(({ notice }: { notice: string }) => notice === 'fired');
  expect(failed).toMatchObject({
    state: 'failed',
    tries: 5,
    status: 307,
    error: 'status',
    place: new URL(place()).host,
  });
  status = 200;
  const asked = { alert: alert.id, delivery: failed.id };
  expect(await change(people.viewer, 'redeliver', asked)).toEqual([403, 'forbidden']);
  await change(people.member, 'redeliver', asked);
  const again = (await read(alert.id)).deliveries.find(({ id }: { id: string }) => id === failed.id);
  expect(again).toMatchObject({ state: 'sent', tries: 1, status: 200, error: null });
  await remove(alert.id);
});

it('turns itself off when what it watches is deleted, and others go on', async () => {
  const goal = await call('mutation', people.member, 'insights.goals.create', {
    name: 'Page',
    rule: { kind: 'event', event: '$pageview' },
    amount: null,
  });
  const insight = await call('mutation', people.member, 'insights.saved.create', {
    name: 'Views',
    definition: { kind: 'trends', query: { range: 'today', series: [{ event: { event: '$pageview' } }] } },
  });
  clock.advance(HOUR);
  await storeEvents(4);
  const subjects = [{ kind: 'goal', goal: goal.id, of: 'conversions' }];
  const made = [];
  for (const subject of [...subjects, { kind: 'insight', insight: insight.id }, { kind: 'metric', metric: 'views' }]) {
    made.push((await create({ name: `Alert ${subject.kind}`, subject })).alert.id);
  }
  await work();
  for (const id of made) expect(await read(id)).toMatchObject({ state: 'firing', last: { value: 4 } });
  await call('mutation', people.member, 'insights.goals.remove', { goal: goal.id });
  clock.advance(HOUR);
  await work();
  const after = await Promise.all(made.map(read));
  expect(after.map(({ active, problem, state }) => [active, problem, state])).toEqual([
    [false, 'gone', 'firing'],
    [true, null, 'resolved'],
    [true, null, 'resolved'],
  ]);
  for (const id of made) await remove(id);
});

it('belongs to its project, is read by viewers and changed by members', async () => {
  const { alert } = await create();
  const { id } = alert;
  expect((await get(people.viewer, 'list')).map(({ name }: { name: string }) => name)).toEqual(['Many events']);
  expect((await get(people.viewer, 'chart', { alert: id })).points).toHaveLength(168);
  const elsewhere = { alert: id, project: otherProject };
  for (const name of ['get', 'chart']) expect(await get(people.member, name, elsewhere)).toEqual([404, 'not_found']);
  const changes: [string, object][] = [
    ['update', { name: 'Taken' }],
    ['acknowledge', {}],
    ['snooze', { hours: 1 }],
    ['test', { target: 1 }],
    ['redeliver', { delivery: '00000000-0000-4000-8000-000000000000' }],
    ['remove', {}],
  ];
  for (const [name, input] of changes) {
    expect(await change(people.member, name, { ...elsewhere, ...input })).toEqual([404, 'not_found']);
    expect(await change(people.viewer, name, { alert: id, ...input })).toEqual([403, 'forbidden']);
    expect(await change(people.stranger, name, { alert: id, ...input })).toEqual([404, 'not_found']);
  }
  const changed = await change(people.member, 'update', { alert: id, name: 'Renamed', revision: 1, active: false });
  expect(changed.alert).toMatchObject({ name: 'Renamed', active: false, revision: 2 });
  expect(await change(people.member, 'update', { alert: id, name: 'Late', revision: 1 })).toEqual([409, 'revision']);
  const snoozed = await change(people.member, 'snooze', { alert: id, hours: 2 });
  expect(snoozed.snoozedUntil).toBe(clock.now() + 2 * HOUR);
  await remove(id);
  const log = await database.query<{ action: string }>(
    "select action from audit where action like 'alert.%' order by id desc limit 3",
  );
  expect(log.map(({ action }) => action)).toEqual(['alert.deleted', 'alert.snoozed', 'alert.changed']);
});

it('is refused with the part that cannot be, and to addresses of private networks', async () => {
  const refused: [object, [number, string]][] = [
    [{ name: '' }, [400, 'name']],
    [{ subject: { kind: 'metric', metric: 'bounceRate' }, condition: { kind: 'silence' } }, [400, 'condition']],
    [{ subject: { kind: 'goal', goal: 999_999, of: 'conversions' } }, [404, 'not_found']],
    [{ subject: { kind: 'insight', insight: 999_999 } }, [404, 'not_found']],
    [{ subject: { kind: 'ingestion', of: 'dropped' }, condition: { kind: 'change', share: 0.3 } }, [400, 'condition']],
    [{ targets: [{ kind: 'webhook', url: 'file:///etc/passwd' }] }, [400, 'targets.0.url']],
    [{ targets: [{ kind: 'webhook', url: 'https://user:word@example.com/' }] }, [400, 'targets.0.url']],
    [{ targets: [{ kind: 'email', members: [people.stranger.id] }] }, [400, 'targets']],
    [{ targets: [{ kind: 'stored', id: 1 }] }, [400, 'targets']],
  ];
  for (const [over, error] of refused) {
    expect(await change(people.member, 'create', { ...manyEvents, ...over })).toEqual(error);
  }
});

it('tells of new, regressed and spiking issues at once: each signal once, one mail for a storm', async () => {
  const token = (
    await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [whole.project])
  )[0]?.token as string;
  const throwErrors = async (names: string[], ago = 0) => {
    const batch = names.map((name, at) => ({
      uuid: uuidV7(clock.now() + at),
      event: '$exception',
      timestamp: new Date(clock.now() - ago).toISOString(),
      properties: {
        distinct_id: 'ana',
        $exception_list: [
          {
            type: 'TypeError',
            value: `Order ${at} failed`,
            mechanism: { handled: false },
            stacktrace: { type: 'raw', frames: [{ function: name, filename: 'src/cart.ts', lineno: 4, in_app: true }] },
          },
        ],
      },
    }));
    await request(whole.app).post('/ingest/batch/').send({ api_key: token, batch }).expect(200);
    await whole.parts.rooms.errors.group();
  };
  await database.query('delete from mails');
  received.length = 0;
  const { alert } = await create({
    name: 'Errors',
    subject: { kind: 'issues', on: ['new', 'regressed', 'spike'] },
    interval: 'week',
    targets: [
      { kind: 'email', members: [people.member.id, people.viewer.id] },
      { kind: 'webhook', url: `${place()}/hook` },
    ],
  });
  expect(await get(people.viewer, 'get', { alert: alert.id })).toEqual([404, 'not_found']);

  // One loop.
  await throwErrors(Array.from({ length: 150 }, () => 'loop'));
  await Promise.all([work(), work()]);
  await work();
  expect((await mails()).map((mail) => mail.subject)).toEqual([
    expect.stringMatching(/^New error: TypeError: Order <number> failed/),
  ]);
  const [hook] = received.map(({ body }) => JSON.parse(body));
  expect(hook).toMatchObject({
    type: 'alert.fired',
    value: 1,
    issues: [{ signal: 'new', culprit: 'loop · src/cart.ts:4' }],
  });
  expect(await read(alert.id)).toMatchObject({
    state: 'firing',
    interval: 'hour',
    condition: { kind: 'above', value: 0 },
  });

  // Others within ten minutes are put together.
  await throwErrors(['pay', 'load', 'save']);
  await work();
  expect(await mails()).toHaveLength(1);
  clock.advance(11 * 60_000);
  await work();
  await work();
  expect((await mails()).map((mail) => mail.subject).at(-1)).toMatch(/^3 errors ·/);

  // Seen again after it was resolved; far more often than in the days before.
  const { issues } = await call('query', people.member, 'errors.list', { search: 'loop ·' });
  await call('mutation', people.member, 'errors.change', { issues: [issues[0].id], change: { to: 'resolved' } });
  clock.advance(26 * HOUR);
  await throwErrors(['loop']);
  // Spikes are looked for twice a minute.
  clock.advance(31_000);
  await throwErrors(Array.from({ length: 12 }, () => 'pay'));
  await work();
  expect((await mails()).map((mail) => mail.subject).at(-1)).toMatch(/^2 errors ·/);
  expect(
    JSON.parse(received.at(-1)?.body ?? '{}')
      .issues.map((each: { signal: string }) => each.signal)
      .sort(),
  ).toEqual(['regressed', 'spike']);
  clock.advance(2 * HOUR);
  await work();
  expect(await read(alert.id)).toMatchObject({ state: 'resolved' });
  expect(await mails()).toHaveLength(3);
  await remove(alert.id);
});

it('watches the share of events that are dropped or refused, as far back as minutes are kept', async () => {
  const hour = Math.floor(clock.now() / HOUR) * HOUR - 2 * HOUR;
  const minute = (at: number) => new Date(hour + at * 60_000).toISOString();
  await database.query('delete from ingestion_minutes where project_id = $1', [whole.project]);
  await database.query(
    `insert into ingestion_minutes (project_id, minute, outcome, events) values
       (${whole.project}, '${minute(0)}', 'stored', 60), (${whole.project}, '${minute(59)}', 'duplicate', 20),
       (${whole.project}, '${minute(30)}', 'too_large', 15), (${whole.project}, '${minute(31)}', 'not_a_page', 5)
     on conflict (project_id, minute, outcome) do update set events = excluded.events`,
  );
  const preview = (of: string, limit: number) =>
    callsOf(whole).query(people.member.cookie, 'alerts.preview', {
      project: String(whole.project),
      subject: { kind: 'ingestion', of },
      interval: 'hour',
      condition: { kind: 'above', value: limit },
    });
  const pointAt = async (of: string, limit: number) => {
    const { body } = await preview(of, limit).expect(200);
    const { points } = body.result.data.json as { points: { from: number; value: number | null; fires: boolean }[] };
    return points.find(({ from }) => from === hour);
  };
  expect(await pointAt('dropped', 19)).toMatchObject({ value: 20, fires: true });
  expect(await pointAt('droppedShare', 0.2)).toMatchObject({ value: 0.2, fires: false });
});
