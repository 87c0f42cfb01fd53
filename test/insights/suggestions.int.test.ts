/** What filters can be chosen from, over HTTP: every place a property is kept in, sealed or not, and who may see what. */
import { createColumns } from '#src/columns/columns.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { finishedEvent, sessionId } from './histories.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const cookies = {} as Record<'viewer' | 'member', string>;
const now = Date.now();
const hour = 3_600_000;
let other = 0;

type Told = Parameters<typeof finishedEvent>[1];
const told = (more: Partial<Told>): Told => ({
  ...{ uuid: uuidV7(now - hour), event: '$pageview', distinctId: 'ana', session: sessionId('visit'), bot: false },
  ...{ ts: now - hour, path: '/', referringDomain: '$direct', ...more },
});

async function store(project: number, ...all: Partial<Told>[]): Promise<void> {
  await whole.parts.rooms.events.store(all.map((each) => finishedEvent(project, told(each))));
}

beforeAll(async () => {
  const people = await joinEach(whole, ['viewer', 'member']);
  for (const role of ['viewer', 'member'] as const) cookies[role] = people[role].cookie;
  const made = await callsOf(whole)
    .mutation(whole.owner, 'projects.create', { team: whole.team, name: 'Other', timeZone: 'UTC', weekStart: 1 })
    .expect(200);
  other = made.body.result.data.json.id;
  await store(
    whole.project,
    { path: '/a', loose: { plan: 'pro', seats: 5 } },
    { path: '/a', loose: { plan: 'free' } },
    { path: '/a', loose: { plan: 'pro' }, bot: true, session: sessionId('crawl') },
    { path: '/b', loose: { plan: 'pro' }, ts: now - 40 * 24 * hour, session: sessionId('before') },
  );
  const columns = createColumns(whole.parts.rooms.deps, { threads: 0 });
  expect(await columns.seal()).not.toBeNull();
  await columns.stop();
  await store(
    whole.project,
    { path: '/b', ts: now - hour / 2, loose: { plan: 'pro', seats: 5, $user_id: 'ana', $device_id: 'phone' } },
    { event: 'order', loose: { plan: 'Process' } },
    { event: '$identify', distinctId: 'rui', loose: {} },
  );
  await store(other, { path: '/of-another', loose: { secret: 'x' } });
});

const ask = (cookie: string, input: object, status = 200) =>
  callsOf(whole)
    .query(cookie, 'insights.values', { project: String(whole.project), range: 'last_7_days', ...input })
    .expect(status)
    .then(({ body }) => body.result?.data.json);

it('counts what a property says in the range, wherever it is kept, without bots', async () => {
  expect(await ask(cookies.viewer, { about: 'event', name: 'plan' })).toEqual({
    ...{ of: 'events', more: false },
    rows: [
      ['pro', 2],
      ['Process', 1],
      ['free', 1],
    ],
  });
  expect(await ask(cookies.viewer, { about: 'event', name: 'seats' })).toMatchObject({ rows: [['5', 2]] });
  const pages = await ask(cookies.viewer, { about: 'event', name: '$pathname' });
  expect(Object.fromEntries(pages.rows)).toMatchObject({ '/a': 2, '/b': 1 });
  const all = await ask(cookies.viewer, { about: 'event', name: 'plan', range: 'last_90_days' });
  expect(all.rows[0]).toEqual(['pro', 3]);
  expect(await ask(cookies.viewer, { about: 'event', name: 'nobody said this' })).toMatchObject({ rows: [] });
});

it('finds by any part, in any case', async () => {
  expect(await ask(cookies.viewer, { about: 'event', name: 'plan', search: 'PRO' })).toMatchObject({
    rows: [
      ['pro', 2],
      ['Process', 1],
    ],
  });
  expect(await ask(cookies.viewer, { about: 'session', name: 'entryPath', search: '/A' })).toEqual({
    ...{ of: 'visits', more: false, rows: [['/a', 1]] },
  });
});

it('says the same of visits as the table does', async () => {
  const question = { project: String(whole.project), range: 'last_7_days', compare: 'none', dimension: 'entryPage' };
  const table = await callsOf(whole).query(cookies.viewer, 'insights.query.breakdown', question).expect(200);
  const rows = table.body.result.data.json.rows.map(([value, , count]: [string, number, number]) => [value, count]);
  expect(await ask(cookies.viewer, { about: 'session', name: 'entryPath' })).toMatchObject({ rows });
  expect(rows.length).toBeGreaterThan(0);
});

it('lists the properties, the commonest first, of this project only', async () => {
  const list = async (cookie: string) => {
    const answer = await callsOf(whole).query(cookie, 'insights.properties', { project: String(whole.project) });
    return answer.body.result.data.json as { about: string; name: string; type: string; rowsOnly?: true }[];
  };
  const known = await list(cookies.member);
  expect(known).toContainEqual({ about: 'event', name: 'seats', type: 'number' });
  expect(known).toContainEqual({ about: 'event', name: '$user_id', type: 'string' });
  expect(known.filter(({ rowsOnly }) => rowsOnly)).toMatchObject([{ about: 'event', name: '$device_id' }]);
  expect(known.map(({ name }) => name)).not.toContain('secret');
  const places = ['plan', 'seats'].map((name) => known.findIndex((each) => each.name === name));
  expect(places).toEqual([...places].sort((one, two) => one - two));
  const seen = await list(cookies.viewer);
  expect(seen.filter(({ about, name }) => about === 'person' || name === '$user_id')).toEqual([]);
});

it('tells of persons to members only', async () => {
  await whole.parts.rooms.deps.write.query(
    `update persons set properties = '{"email": "ana@example.com", "age": 30, "city": "São Luís"}' where project_id = $1`,
    [whole.project],
  );
  const persons = await ask(cookies.member, { about: 'person', name: 'email', search: 'ANA' });
  expect(persons).toMatchObject({ of: 'persons', rows: [['ana@example.com', expect.any(Number)]] });
  for (const search of ['sao l', 'LUÍS', 'sa\u0303o']) {
    const cities = await ask(cookies.member, { about: 'person', name: 'city', search });
    expect([search, cities.rows]).toEqual([search, [['São Luís', expect.any(Number)]]]);
  }
  await ask(cookies.viewer, { about: 'person', name: 'email' }, 403);
  await ask(cookies.viewer, { about: 'event', name: '$user_id' }, 403);
  const filters = { match: 'all', of: [{ about: 'event', name: '$user_id', operator: 'equals', values: ['ana'] }] };
  await callsOf(whole)
    .query(cookies.viewer, 'insights.query.overview', {
      ...{ project: String(whole.project), range: 'today', compare: 'none', filters },
    })
    .expect(403);
});

it('takes a property of people for dates, though one is empty', async () => {
  await whole.parts.rooms.events.store(
    ['lia', 'gil'].map((distinctId) => finishedEvent(whole.project, told({ event: '$identify', distinctId }))),
  );
  await whole.parts.rooms.deps.write.query(
    `update persons
        set properties = case when number = (select min(number) from persons where project_id = $1)
              then '{"ends": "", "left": "", "since": "2026-11-30"}'
              else '{"ends": "2026-11-30T14:00Z", "left": "", "since": "soon"}' end::jsonb
      where project_id = $1`,
    [whole.project],
  );
  const answer = await callsOf(whole).query(cookies.member, 'insights.properties', { project: String(whole.project) });
  const known: { about: string; name: string; type: string }[] = answer.body.result.data.json;
  const types = known.filter(({ about }) => about === 'person').map(({ name, type }) => [name, type]);
  expect(Object.fromEntries(types)).toEqual({ ends: 'datetime', left: 'string', since: 'string' });
});

it('says what cannot be asked', async () => {
  await ask(cookies.member, { about: 'session', name: 'shoe size' }, 400);
  await ask(cookies.member, { about: 'event', name: 'plan', search: '\0' }, 400);
  expect(await ask(cookies.member, { about: 'session', name: 'seconds' })).toMatchObject({ rows: [] });
});
