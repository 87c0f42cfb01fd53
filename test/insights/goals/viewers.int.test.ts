/** Goals that tell of persons are for those who may know of them: for viewers they are not there, and nothing can be asked by them. */
import request from 'supertest';
import type { GoalInput } from '#src/insights/goals/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const cookies = {} as Record<'viewer' | 'member', string>;
const project = () => String(whole.project);

const byHer = { about: 'event', name: '$user_id', operator: 'equals', values: ['maria@loja.example'] };
const inList = { match: 'any', of: [{ match: 'all', of: [byHer] }] };
const event = (filters: object = { match: 'all', of: [] }) => ({ kind: 'event', event: 'paid', filters });
const amount = { property: 'total', currencyProperty: 'currency', currency: null };
const goals = [
  { name: 'Paid', rule: event(), amount },
  { name: 'Paid by her', rule: event({ match: 'all', of: [byHer] }), amount: null },
  { name: 'Paid by her, in a list', rule: event(inList), amount: null },
  {
    ...{ name: 'Paid by her, an action', amount: null },
    rule: { kind: 'action', any: [{ of: 'event', event: 'paid', page: null, filters: { match: 'all', of: [byHer] } }] },
  },
  { name: 'Paid, by who it was', rule: event(), amount: { ...amount, currencyProperty: '$user_id' } },
  { name: 'Paid, sums of numbers of users', rule: event(), amount: { ...amount, property: '$user_id' } },
] as unknown as GoalInput[];
const ids = new Map<string, number>();
const idOf = (name: string) => ids.get(name) as number;

beforeAll(async () => {
  const people = await joinEach(whole, ['viewer', 'member']);
  for (const role of ['viewer', 'member'] as const) cookies[role] = people[role].cookie;
  for (const goal of goals) {
    const { body } = await callsOf(whole)
      .mutation(cookies.member, 'insights.goals.create', { project: project(), ...goal })
      .expect(200);
    ids.set(goal.name, body.result.data.json.id);
  }
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  const paid = { total: 10, currency: 'BRL', $user_id: 'maria@loja.example' };
  const timestamp = new Date(Date.now() - 3_600_000).toISOString();
  const batch = ['$pageview', 'paid'].map((name) => ({
    ...{ event: name, distinct_id: 'maria@loja.example', timestamp },
    properties: { $pathname: '/', $host: 'loja.example', ...paid },
  }));
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
});

const scope = { range: 'last_7_days', compare: 'none' };

async function ask(cookie: string, path: string, input: object, status = 200) {
  const answer = await callsOf(whole).query(cookie, path, { project: project(), ...input });
  expect([answer.status, answer.body.error?.json.message]).toEqual([
    status,
    status === 200 ? undefined : expect.anything(),
  ]);
  return answer.body.result?.data.json;
}

it('lists and counts for viewers only what tells of nobody', async () => {
  const all = goals.map(({ name }) => name).sort();
  for (const [cookie, names] of [
    [cookies.viewer, ['Paid']],
    [cookies.member, all],
  ] as const) {
    const named = (some: { name: string }[]) => some.map(({ name }) => name).sort();
    expect(named(await ask(cookie, 'insights.goals.list', {}))).toEqual(names);
    expect(named((await ask(cookie, 'insights.query.goals', scope)).goals)).toEqual(names);
    expect((await ask(cookie, 'insights.goals.reached', {})).length).toBe(names.length);
    const file = await request(whole.app)
      .get(`/project/${project()}/overview/goals.csv?range=last_7_days`)
      .set('Cookie', cookie)
      .expect(200);
    expect(file.text.includes('Paid by her')).toBe(cookie === cookies.member);
    const isMember = cookie === cookies.member;
    const drawn = await request(whole.app)
      .get(`/project/${project()}/overview/figures.csv?compare=none&metric=conversions&goal=${idOf('Paid by her')}`)
      .set('Cookie', cookie)
      .expect(isMember ? 200 : 404);
    if (isMember) expect(drawn.text.split('\r\n')[0]?.split(',')[2]).toBe('conversions');
    for (const name of all) {
      const isThere = names.includes(name as never);
      const found = await ask(cookie, 'insights.query.overview', { ...scope, goal: idOf(name) }, isThere ? 200 : 404);
      expect(found?.goal.name).toBe(isThere ? name : undefined);
    }
    const question = { project: project(), ...scope, of: 'goal', goal: idOf('Paid by her') };
    const explained = await callsOf(whole).query(cookie, 'insights.explain', question);
    expect(explained.text.includes('maria')).toBe(cookie === cookies.member);
  }
});

it('refuses viewers what asks by such a goal about others', async () => {
  for (const { name } of goals) {
    const status = name === 'Paid' ? 200 : 403;
    const did = { goal: idOf(name) };
    const people = { match: 'all', of: [{ did, within: 'last_7_days', times: 1 }] };
    for (const [cookie, expected] of [
      [cookies.viewer, status],
      [cookies.member, 200],
    ] as const) {
      await ask(cookie, 'insights.query.overview', { ...scope, people }, expected);
      await ask(cookie, 'insights.query.heatmap', { range: 'last_7_days', people }, expected);
    }
  }
});

it('keeps segments that ask for such a goal from viewers', async () => {
  const segments = new Map<string, number>();
  for (const name of ['Paid', 'Paid by her']) {
    const people = { match: 'all', of: [{ did: { goal: idOf(name) }, within: 'last_7_days', times: 1 }] };
    const input = { project: project(), name, shared: true, filters: { match: 'all', of: [] }, people };
    const { body } = await callsOf(whole).mutation(cookies.member, 'insights.segments.save', input).expect(200);
    segments.set(name, body.result.data.json.id);
  }
  const names = async (cookie: string) =>
    (await ask(cookie, 'insights.segments.list', {})).map(({ name }: { name: string }) => name);
  expect(await names(cookies.viewer)).toEqual(['Paid']);
  expect(await names(cookies.member)).toEqual(['Paid', 'Paid by her']);
  await ask(cookies.viewer, 'insights.query.overview', { ...scope, segment: segments.get('Paid') });
  await ask(cookies.viewer, 'insights.query.overview', { ...scope, segment: segments.get('Paid by her') }, 403);
  await ask(cookies.member, 'insights.query.overview', { ...scope, segment: segments.get('Paid by her') });
});

it('says beforehand that viewers will not see it', async () => {
  for (const { name, rule, amount } of goals) {
    const preview = await ask(cookies.member, 'insights.goals.preview', { draft: { rule, amount } });
    expect([name, preview.revealsPersons]).toEqual([name, name !== 'Paid']);
  }
});

it('holds for keys that may know nothing of persons', async () => {
  for (const [scopes, seen] of [
    [['query:read'], false],
    [['query:read', 'persons:read'], true],
  ] as const) {
    const input = { name: 'test', scopes, projects: null, days: 'month' };
    const made = await callsOf(whole).mutation(cookies.member, 'projects.apiKeys.create', input).expect(200);
    const get = (question: string) =>
      request(whole.app)
        .get(`/api/v1/projects/${project()}/query/${question}`)
        .set('Authorization', `Bearer ${made.body.result.data.json.key}`);
    const { body } = await get('goals').expect(200);
    expect(body.goals.map(({ name }: { name: string }) => name).includes('Paid by her')).toBe(seen);
    await get(`overview?goal=${idOf('Paid')}`).expect(200);
    await get(`overview?goal=${idOf('Paid by her')}`).expect(seen ? 200 : 404);
    for (const [name, status] of [
      ['Paid', 200],
      ['Paid by her', seen ? 200 : 403],
    ] as const) {
      await request(whole.app)
        .post(`/api/v1/projects/${project()}/query/trends`)
        .set('Authorization', `Bearer ${made.body.result.data.json.key}`)
        .send({ range: 'last_7_days', series: [{ event: { goal: idOf(name) }, measure: 'events' }] })
        .expect(status);
    }
  }
});
