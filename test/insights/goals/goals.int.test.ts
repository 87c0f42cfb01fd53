/** Goals over HTTP: who may make them, what they may be, and what they count, on the past as well. */
import type { PoolClient } from 'pg';
import request from 'supertest';
import type { GoalInput, Revenue } from '#src/insights/goals/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { keyScopes } from '#src/projects/api-keys/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { until } from '#test/kit/until.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const cookies = {} as Record<'viewer' | 'member' | 'owner', string>;
let calls: ReturnType<typeof callsOf>;
let project: string;
let other: string;

const noFilters = { match: 'all', of: [] } as const;
const byEvent = (event: string): GoalInput['rule'] => ({ kind: 'event', event, filters: { match: 'all', of: [] } });
const chain = 'span:text="Comprar"nth-child="1";button.cta:attr_id="buy"nth-child="2";body';

beforeAll(async () => {
  calls = callsOf(whole);
  project = String(whole.project);
  const join = (role: 'viewer' | 'member', name: string) =>
    joinTeam(whole, { team: whole.team, role, name, cookie: whole.owner });
  cookies.owner = whole.owner;
  cookies.viewer = (await join('viewer', 'Vera')).cookie;
  cookies.member = (await join('member', 'Rui')).cookie;
  const made = await calls
    .mutation(whole.owner, 'projects.create', { team: whole.team, name: 'Other', timeZone: 'UTC', weekStart: 1 })
    .expect(200);
  other = String(made.body.result.data.json.id);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  const ts = Date.now() - 3_600_000;
  const send = (distinct_id: string, event: string, properties: object = {}) => ({
    ...{ uuid: uuidV7(ts), event, distinct_id, timestamp: new Date(ts).toISOString() },
    properties: { $pathname: '/', $current_url: 'https://loja.example/', $host: 'loja.example', ...properties },
  });
  const batch = [
    send('ana', '$pageview'),
    send('ana', '$pageview', { $pathname: '/obrigado/1', $current_url: 'https://loja.example/obrigado/1?a=b' }),
    send('ana', '$autocapture', { $event_type: 'click', $elements_chain: chain, $el_text: 'Comprar' }),
    send('ana', 'paid', { total: 19.9, currency: 'BRL', plan: 'pro' }),
    send('bia', '$pageview'),
    send('bia', 'paid', { total: '10.05', currency: 'brl', plan: 'free' }),
    send('bia', 'paid', { total: 5, currency: 'USD', plan: 'free' }),
    send('cris', '$pageview', { $pathname: '/planos' }),
    send('server', 'paid', { total: 1 }),
  ];
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
});

const paid: GoalInput = {
  name: 'Paid',
  rule: byEvent('paid'),
  amount: { property: 'total', currencyProperty: 'currency', currency: null },
};

function make(goal: object, cookie = cookies.member, of = project) {
  return calls.mutation(cookie, 'insights.goals.create', { project: of, amount: null, ...goal });
}

async function listOf(cookie: string, of = project) {
  const answer = await calls.query(cookie, 'insights.goals.list', { project: of }).expect(200);
  return answer.body.result.data.json as { id: number; name: string }[];
}

async function preview(rule: object, amount: object | null = null) {
  const answer = await calls.query(cookies.member, 'insights.goals.preview', { project, draft: { rule, amount } });
  expect(answer.body.error?.json).toBeUndefined();
  return answer.body.result.data.json;
}

it('offers members events, and what was clicked', async () => {
  await calls.query(cookies.viewer, 'insights.goals.known', { project }).expect(403);
  const { body } = await calls.query(cookies.member, 'insights.goals.known', { project }).expect(200);
  const { events, texts, hrefs } = body.result.data.json;
  expect([...events].sort()).toEqual(['$autocapture', '$pageview', 'paid']);
  expect({ texts, hrefs }).toEqual({ texts: ['Comprar'], hrefs: [] });
  const none = await calls.query(cookies.owner, 'insights.goals.known', { project: other }).expect(200);
  expect(none.body.result.data.json).toEqual({ events: [], texts: [], hrefs: [] });
});

it('is made, changed and deleted by members, and seen by viewers', async () => {
  await make(paid, cookies.viewer).expect(403);
  const made = (await make({ ...paid, name: '  To go ' }).expect(200)).body.result.data.json;
  expect(made).toMatchObject({ name: 'To go', rule: paid.rule, amount: paid.amount });
  await make({ ...paid, name: 'TO GO' })
    .expect(409)
    .expect(({ body }) => expect(body.error.json.data.field).toBe('name'));
  const change = { project, goal: made.id, ...paid, name: 'Gone soon' };
  await calls.mutation(cookies.viewer, 'insights.goals.change', change).expect(403);
  await calls.mutation(cookies.member, 'insights.goals.change', change).expect(200);
  expect(await listOf(cookies.viewer)).toMatchObject([{ id: made.id, name: 'Gone soon' }]);
  await calls.mutation(cookies.viewer, 'insights.goals.remove', { project, goal: made.id }).expect(403);
  await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal: made.id }).expect(200);
  await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal: made.id }).expect(404);
  await calls.mutation(cookies.member, 'insights.goals.change', change).expect(404);
  expect(await listOf(cookies.viewer)).toEqual([]);
  const log = await database.query(
    "select action, actor, details, project_id::text from audit where action like 'goal.%' order by id",
  );
  const noted = { actor: 'Rui', project_id: project };
  expect(log).toEqual([
    { ...noted, action: 'goal.created', details: { name: 'To go' } },
    { ...noted, action: 'goal.changed', details: { name: 'Gone soon' } },
    { ...noted, action: 'goal.deleted', details: { name: 'Gone soon' } },
  ]);
});

it('says when each was last reached', async () => {
  const idOf = async (name: string, rule: GoalInput['rule']): Promise<number> =>
    (await make({ name, rule }).expect(200)).body.result.data.json.id;
  const [lately, never] = [await idOf('Lately', byEvent('paid')), await idOf('Never', byEvent('never sent'))];
  const { body } = await calls.query(cookies.viewer, 'insights.goals.reached', { project }).expect(200);
  const reached: { id: number; day: number | null }[] = body.result.data.json;
  const days = new Map(reached.map(({ id, day }) => [id, day]));
  const day = days.get(lately) ?? 0;
  // They happened an hour before; the day they are of began at most a day before that.
  expect(Date.now() - day).toBeGreaterThanOrEqual(0);
  expect(Date.now() - day).toBeLessThan(26 * 3_600_000);
  expect(days.get(never)).toBeNull();
  for (const goal of [lately, never])
    await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal }).expect(200);
});

it('is not deleted while a segment asks who reached it', async () => {
  const goal = (await make({ ...paid, name: 'Asked for' }).expect(200)).body.result.data.json.id;
  const people = { match: 'all', of: [{ did: { goal }, times: 2 }] };
  const save = (name: string, shared: boolean, cookie: string) =>
    calls.mutation(cookie, 'insights.segments.save', { project, name, shared, filters: noFilters, people }).expect(200);
  const own = (await save('Mine', false, cookies.owner)).body.result.data.json.id;
  const ofAll = (await save('Buyers', true, cookies.member)).body.result.data.json.id;
  const usesFor = async (cookie: string) =>
    (await calls.query(cookie, 'insights.goals.uses', { project, goal }).expect(200)).body.result.data.json.segments;
  expect(await usesFor(cookies.owner)).toEqual([
    { id: ofAll, name: 'Buyers' },
    { id: own, name: 'Mine' },
  ]);
  expect(await usesFor(cookies.member)).toEqual([
    { id: ofAll, name: 'Buyers' },
    { id: own, name: null },
  ]);
  await calls.query(cookies.viewer, 'insights.goals.uses', { project, goal }).expect(403);
  const remove = () => calls.mutation(cookies.member, 'insights.goals.remove', { project, goal });
  await remove().expect(409);
  expect(await listOf(cookies.viewer)).toMatchObject([{ id: goal }]);
  for (const [segment, cookie] of [
    [own, cookies.owner],
    [ofAll, cookies.member],
  ]) {
    await calls.mutation(cookie, 'insights.segments.remove', { project, segment }).expect(200);
  }
  await remove().expect(200);
});

describe('deleted while', () => {
  const remove = (goal: number) => calls.mutation(cookies.member, 'insights.goals.remove', { project, goal });
  const idOf = async (name: string): Promise<number> =>
    (await make({ ...paid, name }).expect(200)).body.result.data.json.id;
  /** How many statements about goals or segments wait for another transaction. */
  async function waiting(): Promise<number> {
    const rows = await database.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ '(goals|segments)'`,
    );
    return rows.length;
  }
  /** Starts it, and says when it answered. */
  function started(call: PromiseLike<{ status: number }>) {
    const own = { status: 0, done: Promise.resolve() };
    own.done = Promise.resolve(call).then(({ status }) => {
      own.status = status;
    });
    return own;
  }
  /** What another process does meanwhile, in a transaction. */
  async function beside(work: (client: PoolClient) => Promise<void>): Promise<void> {
    const client = await whole.parts.rooms.deps.write.connect();
    try {
      await client.query('begin');
      await work(client);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  it('a segment that asks for it is being saved, it stays', async () => {
    const goal = await idOf('Just asked for');
    const input = { project, name: 'Just', shared: true, filters: noFilters };
    const people = { match: 'all', of: [{ did: { goal } }] };
    let saved = started(Promise.resolve({ status: 0 }));
    let removed = saved;
    await beside(async (client) => {
      await client.query('lock table segments in share mode');
      saved = started(calls.mutation(cookies.member, 'insights.segments.save', { ...input, people }));
      await until(async () => (await waiting()) === 1);
      removed = started(remove(goal));
      await until(async () => removed.status !== 0 || (await waiting()) === 2);
    });
    await Promise.all([saved.done, removed.done]);
    expect([saved.status, removed.status]).toEqual([200, 409]);
    await database.query('delete from segments where project_id = $1', [whole.project]);
    await remove(goal).expect(200);
  });

  it('another member deletes it, it is not there', async () => {
    const goal = await idOf('Gone twice');
    let removed = started(Promise.resolve({ status: 0 }));
    await beside(async (client) => {
      await client.query('delete from goals where id = $1', [goal]);
      removed = started(remove(goal));
      await until(async () => removed.status !== 0 || (await waiting()) === 1);
      await client.query('commit');
    });
    await removed.done;
    expect(removed.status).toBe(404);
  });

  it('another member renames it, the log has the new name', async () => {
    const goal = await idOf('Old name');
    let removed = started(Promise.resolve({ status: 0 }));
    await beside(async (client) => {
      await client.query(`update goals set name = 'New name' where id = $1`, [goal]);
      removed = started(remove(goal));
      await until(async () => removed.status !== 0 || (await waiting()) === 1);
      await client.query('commit');
    });
    await removed.done;
    expect(removed.status).toBe(200);
    const [last] = await database.query(
      `select details from audit where action = 'goal.deleted' order by id desc limit 1`,
    );
    expect(last).toEqual({ details: { name: 'New name' } });
  });
});

it('is asked for by no segment once it is gone, nor from another project', async () => {
  const gone = (await make({ ...paid, name: 'Soon gone' }).expect(200)).body.result.data.json.id;
  const there = (await make({ ...paid, name: 'There' }).expect(200)).body.result.data.json.id;
  await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal: gone }).expect(200);
  const input = { name: 'Nobody', shared: true, filters: noFilters };
  const save = (of: string, ...goals: number[]) => {
    const people = { match: 'all', of: goals.map((goal) => ({ did: { goal }, not: true })) };
    return calls.mutation(cookies.owner, 'insights.segments.save', { ...input, project: of, people });
  };
  for (const refused of [save(project, there, gone), save(other, there)]) {
    const { body } = await refused.expect(400);
    expect(body.error.json.data.field).toBe('people');
  }
  expect(await database.query('select 1 from segments')).toEqual([]);
  await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal: there }).expect(200);
});

it.each([-1, 2 ** 31, 99_999_999_999])('has no number %d', async (goal) => {
  const people = { match: 'all', of: [{ did: { goal } }] };
  const asked = { project, range: 'today', compare: 'none' };
  await calls.query(cookies.member, 'insights.query.overview', { ...asked, people }).expect(400);
  await calls.query(cookies.member, 'insights.query.overview', { ...asked, goal }).expect(400);
  await calls.query(cookies.member, 'insights.query.goals', { ...asked, segment: goal }).expect(400);
  await calls.query(cookies.member, 'insights.goals.uses', { project, goal }).expect(400);
  await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal }).expect(400);
  await calls.mutation(cookies.member, 'insights.goals.change', { project, goal, ...paid }).expect(400);
});

it('belongs to one project', async () => {
  const { id } = (await make({ ...paid, name: 'Mine' }, cookies.owner, other).expect(200)).body.result.data.json;
  expect(await listOf(cookies.owner)).toEqual([]);
  await make({ ...paid, name: 'Mine' }).expect(200); // the name is free here
  await calls.mutation(cookies.owner, 'insights.goals.remove', { project, goal: id }).expect(404);
  await calls.mutation(cookies.owner, 'insights.goals.change', { project, goal: id, ...paid, name: 'x' }).expect(404);
  const asked = { project, range: 'today', compare: 'none', goal: id };
  await calls.query(cookies.owner, 'insights.query.overview', asked).expect(404);
  const [mine] = await listOf(cookies.owner);
  await calls.mutation(cookies.owner, 'insights.goals.remove', { project, goal: mine?.id }).expect(200);
});

const element = { of: 'element', text: null, href: null, selector: null, page: null, filters: noFilters };
const byPerson = { match: 'all', of: [{ about: 'person', name: 'email', operator: 'isSet' }] };

it.each<[string, object]>([
  ['a name of two lines', { ...paid, name: 'a\nb' }],
  ['an empty name', { ...paid, name: ' ' }],
  ['an event without a name', { name: 'x', rule: byEvent('') }],
  ['no page at all', { name: 'x', rule: { kind: 'page', pages: [] } }],
  ['an element that is not described', { name: 'x', rule: { kind: 'action', any: [element] } }],
  ['a selector that is none', { name: 'x', rule: { kind: 'action', any: [{ ...element, selector: 'a:hover' }] } }],
  ['conditions on persons', { name: 'x', rule: { ...byEvent('paid'), filters: byPerson } }],
  [
    'conditions on persons in a list',
    { name: 'x', rule: { ...byEvent('paid'), filters: { match: 'any', of: [byPerson] } } },
  ],
  [
    'a pattern that is none',
    {
      name: 'x',
      rule: {
        ...byEvent('paid'),
        filters: { match: 'all', of: [{ about: 'event', name: 'plan', operator: 'regex', values: ['('] }] },
      },
    },
  ],
  ['a currency that is none', { ...paid, amount: { property: 'total', currencyProperty: null, currency: 'real' } }],
])('refuses %s', async (_, goal) => {
  await make(goal).expect(400);
  expect(await listOf(cookies.member)).toEqual([]);
});

it('counts events, pages and clicks of the past, the same before it is saved as after', async () => {
  const isPro = { match: 'all', of: [{ about: 'event', name: 'plan', operator: 'equals', values: ['pro'] }] };
  const rules: [object, number, number, number][] = [
    [byEvent('paid'), 4, 3, 2],
    [{ ...byEvent('paid'), filters: isPro }, 1, 1, 1],
    [{ kind: 'page', pages: ['/obrigado/*'] }, 1, 1, 1],
    [{ kind: 'page', pages: ['/planos', '/obrigado/*'] }, 2, 2, 2],
    [{ kind: 'page', pages: ['https://loja.example/obrigado/*a=b'] }, 1, 1, 1],
    [{ kind: 'action', any: [{ ...element, text: 'Comprar' }] }, 1, 1, 1],
    [{ kind: 'action', any: [{ ...element, selector: 'button#buy', page: '/' }] }, 1, 1, 1],
    [{ kind: 'action', any: [{ ...element, selector: 'button#buy', page: '/planos' }] }, 0, 0, 0],
    [
      {
        kind: 'action',
        any: [
          { ...element, selector: '.cta' },
          { of: 'event', event: 'paid', page: null, filters: isPro },
          { of: 'page', page: '/planos', filters: noFilters },
        ],
      },
      ...([3, 2, 2] as const),
    ],
    [byEvent('never'), 0, 0, 0],
  ];
  const ids: number[] = [];
  for (const [at, [rule, conversions, people, converted]] of rules.entries()) {
    const found = await preview(rule);
    expect([found.conversions.value, found.people.value, found.conversionRate.parts]).toEqual([
      conversions,
      people,
      { numerator: converted, denominator: 3 },
    ]);
    ids.push((await make({ name: `Goal ${at}`, rule }).expect(200)).body.result.data.json.id);
  }
  const asked = { project, range: 'last_28_days', compare: 'previous' };
  const table = (await calls.query(cookies.viewer, 'insights.query.goals', asked).expect(200)).body.result.data.json;
  expect(table.visitors).toEqual({ value: 3, previous: null });
  expect(table.goals.map((goal: { conversions: { value: number } }) => goal.conversions.value)).toEqual(
    rules.map(([, conversions]) => conversions),
  );
  for (const goal of ids) await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal }).expect(200);
});

it('stands on the overview with its course, its rate and what it was worth in each currency', async () => {
  const { id } = (await make(paid).expect(200)).body.result.data.json;
  const asked = { project, range: 'last_7_days', compare: 'previous', goal: id };
  const { goal, metrics, starts } = (await calls.query(cookies.viewer, 'insights.query.overview', asked).expect(200))
    .body.result.data.json;
  expect(goal).toMatchObject({
    ...{ id, name: 'Paid', conversions: { value: 4, previous: null }, people: { value: 3 } },
    conversionRate: { value: 2 / 3, previous: null, parts: { numerator: 2, denominator: 3 } },
    revenue: [
      { currency: 'BRL', sum: { value: 29.95, previous: null }, count: 2 },
      { currency: '', sum: { value: 1 }, count: 1 },
      { currency: 'USD', sum: { value: 5 }, count: 1 },
    ],
  });
  expect(metrics.visitors.value).toBe(3);
  expect(goal.series.conversions).toHaveLength(starts.length);
  const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  expect(sum(goal.series.conversions)).toBe(4);
  expect(sum(goal.revenueSeries[0].series)).toBeCloseTo(29.95, 9);
  const free = { match: 'all', of: [{ about: 'event', name: 'plan', operator: 'equals', values: ['free'] }] };
  const filtered = (
    await calls.query(cookies.viewer, 'insights.query.overview', { ...asked, filters: free }).expect(200)
  ).body.result.data.json.goal;
  expect(filtered).toMatchObject({
    ...{ conversions: { value: 2 }, people: { value: 1 }, conversionRate: { value: null } },
    revenue: [{ currency: 'BRL', sum: { value: 10.05 } }, { currency: 'USD' }],
  });
  const byEmail = { match: 'all', of: [{ about: 'person', name: 'email', operator: 'isSet' }] };
  await calls.query(cookies.viewer, 'insights.query.goals', { ...asked, filters: byEmail }).expect(403);
  await calls.query(cookies.viewer, 'insights.goals.preview', { project, draft: paid }).expect(403);

  const input = { name: 'test', scopes: [...keyScopes], projects: null, days: 'month' };
  const key = (await calls.mutation(cookies.viewer, 'projects.apiKeys.create', input).expect(200)).body.result.data.json
    .key;
  const ask = (path: string) =>
    request(whole.app).get(`/api/v1/projects/${project}/query/${path}`).set('Authorization', `Bearer ${key}`);
  const byApi = await ask(`overview?range=last_7_days&compare=previous&goal=${id}`).expect(200);
  expect(byApi.body.goal).toEqual(goal);
  await ask('overview?goal=999999').expect(404);
  const listed = await ask('goals?range=last_7_days').expect(200);
  expect(listed.body).toMatchObject({
    visitors: { value: 3 },
    goals: [{ id, kind: 'event', conversions: { value: 4 } }],
  });
  await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal: id }).expect(200);
});

it('explains what it would have counted with SQL that gives it', async () => {
  const draft = { rule: paid.rule, amount: paid.amount };
  const shown = await preview(draft.rule, draft.amount);
  await calls.query(cookies.viewer, 'insights.goals.explainPreview', { project, draft }).expect(403);
  const { body } = await calls.query(cookies.member, 'insights.goals.explainPreview', { project, draft }).expect(200);
  const { counted, revenue } = body.result.data.json;
  const [row] = await database.query<Record<string, string>>(counted.sql);
  expect([row?.['count'], row?.['people'], row?.['converted'], row?.['visitors']].map(Number)).toEqual([
    ...[
      shown.conversions.value,
      shown.people.value,
      shown.conversionRate.parts.numerator,
      shown.conversionRate.parts.denominator,
    ],
  ]);
  expect(shown.conversions.value).toBe(4);
  expect(counted).toMatchObject({ of: 'goal', excluded: { of: 'events', bots: 0 } });
  const sums = [];
  for (const { currency, sql } of revenue) {
    sums.push([currency, Number((await database.query<{ value: string }>(sql))[0]?.value)]);
  }
  expect(sums).toEqual(shown.revenue.map(({ currency, sum }: Revenue) => [currency, sum.value]));
  expect(sums).toHaveLength(3);
  const broken = {
    ...draft,
    rule: {
      kind: 'event',
      event: 'paid',
      filters: { match: 'all', of: [{ about: 'event', name: 'plan', operator: 'before', values: ['soon'] }] },
    },
  };
  for (const path of ['insights.goals.preview', 'insights.goals.explainPreview']) {
    await calls.query(cookies.member, path, { project, draft: broken }).expect(400);
  }
});

it('says on the Overview that filters on events hold for the event of the goal', async () => {
  const { id } = (await make({ ...paid, name: 'Filtered' }).expect(200)).body.result.data.json;
  const segment = async (about: string) =>
    (
      await calls
        .mutation(cookies.owner, 'insights.segments.save', {
          ...{ project, name: about, shared: false },
          filters: { match: 'all', of: [{ about, name: 'country', operator: 'notEquals', values: ['BR'] }] },
        })
        .expect(200)
    ).body.result.data.json.id;
  const says = async (query: string, language = 'en') => {
    const { text } = await request(whole.app)
      .get(`/project/${project}/overview?goal=${id}${query}`)
      .set('Cookie', cookies.owner)
      .set('Accept-Language', language)
      .expect(200);
    return /Event filters also apply|Filtros de evento também se aplicam/.exec(text)?.[0] ?? null;
  };
  expect(await says('')).toBeNull();
  expect(await says('&filter=country:equals:BR')).toBeNull();
  expect(await says('&filter=$pathname:equals:/')).toBe('Event filters also apply');
  expect(await says('&filter=$pathname:equals:/', 'pt-BR')).toBe('Filtros de evento também se aplicam');
  expect(await says(`&segment=${await segment('event')}`)).toBe('Event filters also apply');
  expect(await says(`&segment=${await segment('session')}`)).toBeNull();
  await calls.mutation(cookies.member, 'insights.goals.remove', { project, goal: id }).expect(200);
});

it('goes with its project', async () => {
  await make({ ...paid, name: 'Going' }, cookies.owner, other).expect(200);
  const { forgets } = await import('#src/parts.ts');
  for (const forget of forgets) {
    await forget(
      whole.parts.rooms.deps.db,
      Number(other) as Parameters<typeof forget>[1],
      new AbortController().signal,
    );
  }
  expect(await database.query('select 1 from goals where project_id = $1', [Number(other)])).toEqual([]);
});
