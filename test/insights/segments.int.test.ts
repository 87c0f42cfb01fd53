/** Segments over HTTP: who sees which, what is asked within one and everywhere; and bots and internal traffic, excluded or included. */

import request from 'supertest';
import { eventMarks } from '#src/events/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { ProjectId, Role } from '#src/projects/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { finishedEvent, sessionId } from './histories.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const cookies = {} as Record<'viewer' | 'member' | 'admin', string>;
const now = Date.now();
const condition = (name: string, value: string, about = 'event') => ({
  about,
  name,
  operator: 'equals',
  values: [value],
});
const all = (...of: object[]) => ({ match: 'all', of });
const any = (...of: object[]) => ({ match: 'any', of });

beforeAll(async () => {
  for (const [role, name] of [
    ['viewer', 'Vera'],
    ['member', 'Rui'],
    ['admin', 'Ada'],
  ] satisfies [Role, string][]) {
    cookies[role] = (await joinTeam(whole, { team: whole.team, role, name, cookie: whole.owner })).cookie;
  }
  const views = [
    ['/a', 'BR'],
    ['/a', 'PT'],
    ['/b', 'BR'],
    ['/c', 'BR'],
  ].map(([path = null, country = null], at) =>
    finishedEvent(whole.project, {
      ...{ uuid: uuidV7(now - 1000 * at), event: '$pageview', distinctId: `d${at}`, session: sessionId(`s${at}`) },
      ...{ ts: now - 60_000 - at, bot: false, path, referringDomain: '$direct', country },
    }),
  );
  await whole.parts.rooms.events.store(views);
});

const project = () => String(whole.project);
const query = (cookie: string, path: string, input: object) => callsOf(whole).query(cookie, path, input);
const mutation = (cookie: string, path: string, input: object) => callsOf(whole).mutation(cookie, path, input);

async function save(cookie: string, input: object, status = 200) {
  const answer = await mutation(cookie, 'insights.segments.save', { project: project(), ...input });
  expect(answer.status).toBe(status);
  return answer.body.result?.data.json as { id: number; isMine: boolean };
}

async function names(cookie: string): Promise<string[]> {
  const answer = await query(cookie, 'insights.segments.list', { project: project() }).expect(200);
  return answer.body.result.data.json.map(({ name }: { name: string }) => name);
}

async function views(cookie: string, more: object, path = 'insights.query.overview'): Promise<number> {
  const question = { project: project(), range: 'today', compare: 'none', dimension: 'page', ...more };
  const { body } = await query(cookie, path, { ...question, range: 'last_7_days' }).expect(200);
  const answer = body.result.data.json;
  return path === 'insights.query.overview' ? answer.metrics.views.value : answer.count;
}

it('keeps one to its owner, shows shared ones to the team, and those about persons to members', async () => {
  const own = await save(cookies.member, { name: 'Mine', shared: false, filters: all(condition('$pathname', '/a')) });
  await save(cookies.member, { name: 'Ours', shared: true, filters: all(condition('$pathname', '/a')) });
  const byPerson = await save(cookies.member, {
    ...{ name: 'Plan', shared: true, filters: all(condition('plan', 'pro', 'person')) },
  });
  expect(await names(cookies.member)).toEqual(['Mine', 'Ours', 'Plan']);
  expect(await names(cookies.admin)).toEqual(['Ours', 'Plan']);
  expect(await names(cookies.viewer)).toEqual(['Ours']);
  // Somebody else's is as if it were not there.
  expect(await views(cookies.member, { segment: own.id })).toBe(2);
  const question = { project: project(), range: 'today', compare: 'none', segment: byPerson.id };
  await query(cookies.admin, 'insights.query.overview', { ...question, segment: own.id }).expect(404);
  await query(cookies.viewer, 'insights.query.overview', question).expect(403);
  expect(await views(cookies.member, { segment: byPerson.id })).toBe(0);
});

it.each([
  ['AND within AND', all(condition('$pathname', '/a')), all(condition('$geoip_country_code', 'BR')), 1],
  ['OR within AND', any(condition('$pathname', '/a'), condition('$pathname', '/b')), undefined, 3],
  [
    'OR within OR',
    any(condition('$pathname', '/a'), condition('$pathname', '/b')),
    any(condition('$geoip_country_code', 'BR'), all(condition('$pathname', '/b'))),
    2,
  ],
  [
    'AND within OR with lists',
    any(all(condition('$pathname', '/a'), condition('$geoip_country_code', 'PT')), condition('$pathname', '/c')),
    all(condition('$geoip_country_code', 'PT')),
    1,
  ],
])('asks for both: %s', async (name, filters, more, wanted) => {
  const { id } = await save(cookies.member, { name, shared: false, filters });
  expect(await views(cookies.member, { segment: id, filters: more })).toBe(wanted);
  expect(await views(cookies.member, { segment: id, filters: more }, 'insights.query.breakdown')).toBe(wanted);
});

it('cannot hold what no number can be filtered by', async () => {
  const filters = all(any(condition('$pathname', '/a'), condition('$device_id', 'x')));
  await save(cookies.member, { name: 'Of a device', shared: false, filters }, 400);
  await save(cookies.member, {
    name: 'Of people of one',
    shared: false,
    filters: all(condition('$device_id', 'x', 'person')),
  });
});

it('is renamed and deleted by its owner, and shared ones by those who lead the project', async () => {
  const filters = all(condition('$pathname', '/a'));
  const { id } = await save(cookies.admin, { name: 'Two', shared: true, filters });
  const rename = (cookie: string, name: string) =>
    mutation(cookie, 'insights.segments.rename', { project: project(), segment: id, name });
  await rename(cookies.member, 'Three').expect(403);
  await rename(cookies.viewer, 'Three').expect(403);
  await rename(whole.owner, 'Three').expect(200);
  const change = (cookie: string, more: object) =>
    mutation(cookie, 'insights.segments.change', { project: project(), segment: id, filters, ...more });
  await change(cookies.member, {}).expect(403);
  await change(cookies.admin, { segment: 999_999 }).expect(404);
  await change(cookies.admin, { filters: all(condition('$device_id', 'x')) }).expect(400);
  await change(whole.owner, { filters: all(condition('$pathname', '/c')) }).expect(200);
  expect(await views(cookies.member, { segment: id })).toBe(1);
  await save(cookies.member, { name: 'THREE', shared: true, filters }, 409);
  await save(cookies.viewer, { name: 'Four', shared: false, filters }, 403);
  const pattern = { about: 'event', name: '$pathname', operator: 'regex', values: ['('] };
  await save(cookies.member, { name: 'Four', shared: false, filters: all(pattern) }, 400);
  const remove = (cookie: string) => mutation(cookie, 'insights.segments.remove', { project: project(), segment: id });
  await remove(cookies.member).expect(403);
  await remove(cookies.admin).expect(200);
  await remove(cookies.admin).expect(404);
  // Links with it show nothing: everybody's numbers would look like its own.
  const question = { project: project(), range: 'today', compare: 'none', segment: id };
  await query(cookies.member, 'insights.query.overview', question).expect(404);
});

it('is of one project', async () => {
  const { id } = await save(cookies.member, {
    ...{ name: 'Here', shared: true, filters: all(condition('$pathname', '/a')) },
  });
  const made = await mutation(whole.owner, 'projects.create', {
    ...{ team: whole.team, name: 'Other', timeZone: 'UTC', weekStart: 1 },
  }).expect(200);
  const other = String(made.body.result.data.json.id);
  const list = await query(cookies.member, 'insights.segments.list', { project: other }).expect(200);
  expect(list.body.result.data.json).toEqual([]);
  await mutation(cookies.admin, 'insights.segments.remove', { project: other, segment: id }).expect(404);
  const filters = all(condition('$pathname', '/b'));
  await mutation(cookies.admin, 'insights.segments.change', { project: other, segment: id, filters }).expect(404);
  expect(await names(cookies.member)).toContain('Here');
});

describe('sets of persons', () => {
  const did = (event: string, more: object = {}) => ({ did: { event }, ...more });
  const people = (match: string, ...of: object[]) => ({ people: { match, of } });
  // Those of the views above are four people: d0 and d1 viewed /a.
  beforeAll(async () => {
    const order = (distinctId: string, at: number) =>
      finishedEvent(whole.project, {
        ...{ uuid: uuidV7(now - 40_000 + at), event: 'order', distinctId, session: null },
        ...{ ts: now - 40_000 + at, bot: false, path: null, referringDomain: '$direct', plan: `p${at}` },
      });
    await whole.parts.rooms.events.store([order('d0', 0), order('d0', 1), order('d2', 2)]);
    await whole.parts.rooms.deps.write.query(
      `with changed as (
         update persons set properties = '{"plan": "pro"}' where project_id = $1 and number in
           (select person from distinct_ids where distinct_id = 'd3')
         returning number)
       insert into person_changes (project_id, numbers) select $1, array[number] from changed`,
      [whole.project],
    );
  });

  it.each([
    ['who did something', people('all', did('order')), 2],
    ['so often', people('all', did('order', { times: 2 })), 1],
    ['never', people('all', did('order', { not: true })), 2],
    ['less often', people('all', did('order', { times: 2, not: true })), 3],
    ['not in this time', people('all', did('order', { within: 'yesterday' })), 0],
    ['of such events', people('all', { did: { event: 'order', filters: all(condition('plan', 'p2')) } }), 1],
    [
      'of such events or others',
      people('all', { did: { event: 'order', filters: any(condition('plan', 'p0'), condition('plan', 'p2')) } }),
      2,
    ],
    [
      'of events that are both',
      people('all', { did: { event: 'order', filters: all(condition('plan', 'p0'), condition('plan', 'p2')) } }),
      0,
    ],
    ['any of both', people('any', did('order'), { listed: { distinctIds: ['d1', 'nobody'] } }), 3],
    ['both', people('all', did('order'), { has: { name: 'plan', operator: 'isNotSet' } }), 2],
    ['who has', people('all', { has: { name: 'plan', operator: 'equals', values: ['pro'] } }), 1],
    ['first seen then', people('all', { firstSeen: 'last_7_days' }), 4],
    ['not first seen then', people('all', { firstSeen: 'last_7_days', not: true }), 0],
    ['first seen before', people('all', { firstSeen: { from: '2020-01-01', to: '2020-01-02' } }), 0],
    ['beside filters', { ...people('all', did('order')), filters: all(condition('$pathname', '/a')) }, 1],
    ['of nothing', people('all'), 4],
  ])('count everywhere alike: %s', async (_, which, wanted) => {
    expect(await views(cookies.member, which)).toBe(wanted);
    expect(await views(cookies.member, which, 'insights.query.breakdown')).toBe(wanted);
    const asked = { project: project(), range: 'last_7_days', ...which };
    const of = async (path: string, more: object = {}) =>
      (await query(cookies.member, path, { ...asked, ...more }).expect(200)).body.result.data.json;
    const hours: { views: number[][] } = await of('insights.query.heatmap');
    expect(hours.views.flat().reduce((sum, each) => sum + each, 0)).toBe(wanted);
    expect((await of('insights.query.goals', { compare: 'none' })).visitors.value).toBe(wanted);
    expect((await of('insights.query.vitals', { vital: 'LCP' })).pages).toEqual([]);
    const { sql, excluded } = await of('insights.explain', { of: 'views' });
    expect(excluded.filters).toBe(4 - wanted);
    expect((await database.query<{ value: string }>(sql))[0]?.value).toBe(String(wanted));
    const visits = await of('insights.explain', { of: 'visits' });
    expect((await database.query<{ value: string }>(visits.sql))[0]?.value).toBe(String(wanted));
    // And row by row.
    const rows: unknown[] = (await of('explorer.page', { names: ['$pageview'] })).rows;
    expect(rows).toHaveLength(wanted);
    expect(await of('explorer.count', { names: ['$pageview'] })).toEqual({ events: wanted });
    const search = new URLSearchParams({ format: 'ndjson', range: 'last_7_days', name: '$pageview' });
    for (const [name, value] of Object.entries(which)) search.set(name, JSON.stringify(value));
    const file = await request(whole.app)
      .get(`/project/${whole.project}/events/export?${search}`)
      .set('Cookie', cookies.member)
      .expect(200);
    expect(file.text.split('\n').filter(Boolean)).toHaveLength(wanted);
  });

  it('are kept in a segment, within which others are asked for, also in a file that is made in the background', async () => {
    const none = all();
    const own = await save(cookies.member, {
      name: 'Buyers',
      shared: true,
      filters: none,
      ...people('any', did('order')),
    });
    expect(await views(cookies.viewer, { segment: own.id })).toBe(2);
    expect(await views(cookies.viewer, { segment: own.id, ...people('all', did('order', { times: 2 })) })).toBe(1);
    const asked = { project: project(), range: 'last_7_days', segment: own.id, names: ['$pageview'], format: 'csv' };
    const { body } = await mutation(cookies.member, 'explorer.askExport', asked).expect(200);
    await whole.parts.rooms.explorer.exports.work();
    const { id } = body.result.data.json;
    const made = await request(whole.app)
      .get(`/project/${whole.project}/events/export/${id}`)
      .set('Cookie', cookies.member)
      .expect(200);
    expect(made.text.trim().split('\n')).toHaveLength(3);
    const [file] = await whole.parts.rooms.explorer.exports.list(whole.project as ProjectId);
    const { parts } = whole.parts.rooms.explorer.explainFiles(whole.project as ProjectId);
    const [first] = await database.query<Record<string, string>>(parts[0]?.sql ?? '');
    const told = { id, state: 'done', format: 'csv', rows: 2, bytes: Buffer.byteLength(made.text) };
    expect([file, { ...first, ...{ id, rows: Number(first?.['rows']), bytes: Number(first?.['bytes']) } }]).toEqual([
      ...[expect.objectContaining(told), told],
    ]);
  });

  const broken = (about = 'event') => ({ about, name: 'plan', operator: 'regex', values: ['('] });
  const { about: _, ...brokenHas } = broken();

  it.each([
    ['a pattern that is none', { did: { event: 'order', filters: all(broken()) } }],
    ['one in a list', { did: { event: 'order', filters: all(any(condition('plan', 'p2'), broken('person'))) } }],
    ['one of several events', { did: { any: [{ event: 'x' }, { event: 'order', filters: any(broken()) }] } }],
    ['one of a present property', { has: brokenHas, not: true }],
    ['what no number is filtered by', { did: { event: 'order', filters: all(condition('$device_id', 'x')) } }],
    [
      'that of several events',
      { did: { any: [{ event: 'order', filters: all(any(condition('$window_id', 'x'))) }, { event: 'x' }] } },
    ],
  ])('are not kept with %s', async (name, criterion) => {
    const asked = { name, shared: true, filters: all(), ...people('all', did('order'), criterion) };
    const answer = await mutation(cookies.member, 'insights.segments.save', { project: project(), ...asked });
    expect([answer.status, answer.body.error?.json.data.field]).toEqual([400, 'people']);
    expect(await names(cookies.member)).not.toContain(name);
  });

  it('tell viewers how many they are, and not who', async () => {
    const ask = (which: object) =>
      query(cookies.viewer, 'insights.query.overview', {
        project: project(),
        range: 'today',
        compare: 'none',
        ...which,
      });
    await ask(people('all', did('order'), { firstSeen: 'today' })).expect(200);
    await ask(people('all', { has: { name: 'plan', operator: 'isSet' } })).expect(403);
    await ask(people('all', did('order'), { listed: { distinctIds: ['d1'] } })).expect(403);
    const byUser = { did: { event: 'order', filters: all(condition('$user_id', 'ana')) } };
    await ask(people('all', byUser)).expect(403);
    const kept = await save(cookies.member, {
      ...{ name: 'Listed', shared: true, filters: all() },
      ...people('all', { listed: { distinctIds: ['d1'] } }),
    });
    expect(await names(cookies.viewer)).not.toContain('Listed');
    await ask({ segment: kept.id }).expect(403);
    await ask(people('all', { did: { event: '' } })).expect(400);
  });
});

describe('everywhere that the address goes', () => {
  let key: string;
  let segment: number;

  beforeAll(async () => {
    const asked = { name: 'numbers', scopes: ['query:read', 'events:read'], projects: null, days: 'never' };
    const made = await mutation(cookies.member, 'projects.apiKeys.create', asked).expect(200);
    key = made.body.result.data.json.key;
    const own = { name: 'Page a', shared: false, filters: any(condition('$pathname', '/a')) };
    segment = (await save(cookies.member, own)).id;
    const one = (name: string, path: string, marks: number, at: number) => ({
      ...finishedEvent(whole.project, {
        ...{ uuid: uuidV7(now - 20_000 + at), event: '$pageview', distinctId: name, session: sessionId(name) },
        ...{ ts: now - 50_000, bot: false, path, referringDomain: '$direct', country: 'BR' },
      }),
      marks,
    });
    await whole.parts.rooms.events.store([
      one('crawler', '/a', eventMarks.bot, 0),
      one('colleague', '/a', eventMarks.bot | eventMarks.internal, 1),
      one('colleague', '/d', eventMarks.bot | eventMarks.internal, 2),
    ]);
  });

  const api = (path: string, search: string, as = key) =>
    request(whole.app)
      .get(`/api/v1/projects/${whole.project}/query/${path}?range=last_7_days&${search}`)
      .set('Authorization', `Bearer ${as}`);
  const file = (path: string, search: string, cookie = cookies.member) =>
    request(whole.app).get(`/project/${whole.project}/${path}?range=last_7_days&${search}`).set('Cookie', cookie);
  const lines = ({ text }: { text: string }) => text.trim().split('\n').slice(1);

  it('asks within a segment: API, table as a file, events, their number, files of them at once and in the background', async () => {
    const { body } = await api('overview', `segment=${segment}`).expect(200);
    expect(body).toMatchObject({ metrics: { views: { value: 2 } }, excluded: { bots: 1, internal: 1 } });
    const table = await api('breakdown', `dimension=page&segment=${segment}`).expect(200);
    expect(table.body.rows).toEqual([['/a', 2, 2, null]]);
    expect((await api('heatmap', `segment=${segment}`).expect(200)).body.views.flat()).toContain(2);
    expect((await api('goals', `segment=${segment}`).expect(200)).body.visitors.value).toBe(2);
    expect(lines(await file('overview/table.csv', `details=page&compare=none&segment=${segment}`))).toHaveLength(1);
    const drawn = lines(await file('overview/figures.csv', `metric=views&compare=none&segment=${segment}`));
    expect(drawn.reduce((sum, line) => sum + Number(line.split(',')[2]), 0)).toBe(2);

    // Events are looked at as they are: nothing is left out of them.
    const explored = { project: project(), range: 'last_7_days', segment };
    const page = await query(cookies.member, 'explorer.page', explored).expect(200);
    expect(page.body.result.data.json.rows).toHaveLength(4);
    const counted = await query(cookies.member, 'explorer.count', explored).expect(200);
    expect(counted.body.result.data.json).toEqual({ events: 4 });
    expect(lines(await file('events/export', `format=csv&segment=${segment}`))).toHaveLength(4);
    const asked = await mutation(cookies.member, 'explorer.askExport', { ...explored, format: 'csv' }).expect(200);
    await whole.parts.rooms.explorer.exports.work();
    const made = await file(`events/export/${asked.body.result.data.json.id}`, '').expect(200);
    expect(lines(made)).toHaveLength(4);
  });

  it('asks for sets of persons by API and as a file, and tells no key who they are', async () => {
    const set = (...of: object[]) => `people=${encodeURIComponent(JSON.stringify({ match: 'all', of }))}`;
    const buyers = set({ did: { event: 'order' } });
    expect((await api('overview', buyers).expect(200)).body.metrics.visitors.value).toBe(2);
    expect((await api('breakdown', `dimension=page&${buyers}`).expect(200)).body.count).toBe(2);
    expect((await api('goals', `${buyers}&segment=${segment}`).expect(200)).body.visitors.value).toBe(1);
    expect(lines(await file('overview/table.csv', 'details=page&compare=none&who=did:this_year:2:order'))).toHaveLength(
      1,
    );
    for (const none of ['99999999999', '0', 'x']) {
      await file('overview/table.csv', `details=page&compare=none&who=goal:this_year:1:${none}`).expect(404);
    }
    await api('overview', set({ has: { name: 'plan', operator: 'isSet' } })).expect(403);
    await api('overview', set({ did: 'order' })).expect(400);
  });

  it('shows nobody what is within the segment of another', async () => {
    const made = await mutation(cookies.admin, 'projects.apiKeys.create', {
      ...{ name: 'other', scopes: ['query:read'], projects: null, days: 'never' },
    }).expect(200);
    const theirs = made.body.result.data.json.key as string;
    await api('overview', `segment=${segment}`, theirs).expect(404);
    await api('overview', 'segment=999999').expect(404);
    for (const none of ['99999999999', '-1', 'x']) {
      await api('overview', `segment=${none}`).expect(400);
      await api('overview', `goal=${none}`).expect(400);
      await file('events/export', `format=csv&segment=${none}`).expect(400);
    }
    for (const garbage of ['filter=garbage', 'filter=page:regex:a|b&filter=country:equals:BR', 'segment=x', 'who=x']) {
      await file('overview/table.csv', `details=page&${garbage}`).expect(400);
    }
    await file('overview/table.csv', `details=page&compare=none&segment=${segment}`, cookies.admin).expect(404);
    const byPerson = await save(cookies.member, {
      ...{ name: 'By plan', shared: true, filters: all(condition('plan', 'pro', 'person')) },
    });
    await api('overview', `segment=${byPerson.id}`).expect(403);
    await file('overview/table.csv', `details=page&segment=${byPerson.id}`, cookies.viewer).expect(403);
  });

  it.each([
    ['', 4, { bots: 1, internal: 2 }, { bots: 0, internal: 0 }],
    ['bots=include', 5, { bots: 0, internal: 2 }, { bots: 1, internal: 0 }],
    ['internal=include', 6, { bots: 1, internal: 0 }, { bots: 0, internal: 2 }],
    ['bots=include&internal=include', 7, { bots: 0, internal: 0 }, { bots: 1, internal: 2 }],
  ])('takes in what is asked for: %s', async (search, views, excluded, included) => {
    const { body } = await api('overview', search).expect(200);
    const visits = { '': 4, 'bots=include': 5, 'internal=include': 5 }[search] ?? 6;
    expect(body).toMatchObject({ metrics: { views: { value: views }, visits: { value: visits } }, excluded, included });
    const table = await api('breakdown', `dimension=page&${search}`).expect(200);
    expect(table.body.count).toBe(views);
    const countries = await api('breakdown', `dimension=country&${search}`).expect(200);
    expect(countries.body.count).toBe(visits);
    const hours = (await api('heatmap', search).expect(200)).body.views.flat() as number[];
    expect(hours.reduce((sum, each) => sum + each, 0)).toBe(views);
    const counts = lines(await file('overview/table.csv', `details=page&compare=none&${search}`)).map((line) =>
      Number(line.split(',')[2]),
    );
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(views);
  });

  it('takes nothing else for a switch', async () => {
    await api('overview', 'bots=yes').expect(400);
    const { body } = await query(cookies.viewer, 'insights.query.overview', {
      ...{ project: project(), range: 'last_7_days', compare: 'none', include: ['internal'] },
    }).expect(200);
    expect(body.result.data.json.metrics.views.value).toBe(6);
  });
});

it('is deleted with a leaving member when it is private, as logged; shared ones stay', async () => {
  const filters = all(condition('$pathname', '/a'));
  const members = await Promise.all(
    ['Gil', 'Lia'].map((name) => joinTeam(whole, { team: whole.team, role: 'member', name, cookie: whole.owner })),
  );
  const [gil, lia] = members as [(typeof members)[number], (typeof members)[number]];
  for (const [name, { cookie }] of Object.entries({ gil, lia })) {
    await save(cookie, { name: `Own of ${name}`, shared: false, filters });
    await save(cookie, { name: `Ours by ${name}`, shared: true, filters });
  }
  await mutation(gil.cookie, 'accounts.teams.leave', { team: whole.team }).expect(200);
  await mutation(whole.owner, 'accounts.teams.remove', { team: whole.team, user: lia.id }).expect(200);
  const left = await database.query<{ name: string }>(
    `select name from segments where name like '%gil' or name like '%lia' order by name`,
  );
  expect(left.map(({ name }) => name)).toEqual(['Ours by gil', 'Ours by lia']);
  expect(await names(cookies.member)).toContain('Mine');
  const noted = await database.query<{ action: string; details: { segments?: number } }>(
    `select action, details from audit where action in ('member.left', 'member.removed') order by id`,
  );
  expect(noted.map(({ action, details }) => [action, details.segments])).toEqual([
    ['member.left', 1],
    ['member.removed', 1],
  ]);
});
