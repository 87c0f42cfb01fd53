/** Links that share, over HTTP: who makes them, what their pages show to readers without an account, and that they open nothing else. */
import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { access } from '#src/accounts/rights/values.ts';
import { appRouter } from '#src/router.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { openWholeApp, useWholeApp, type WholeApp } from '#test/kit/whole-app.ts';
import { screens } from '#views/screen-list.ts';

const START = Date.UTC(2026, 10, 20, 12);
let now = START;
const elapsed = () => performance.now();
const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database, {}, { clock: { now: () => now, elapsed } });
let people: Record<'viewer' | 'member' | 'stranger', Person>;
let insight: number;

const settings = { expiresAt: null, open: false, language: 'en', theme: 'system', origins: [] as string[] };

beforeAll(async () => {
  people = await joinEach(whole, ['viewer', 'member']);
  insight = (await saveInsight('Orders by city')).id;
});

async function call(type: 'query' | 'mutation', as: { cookie: string }, name: string, input: object) {
  const { status, body } = await callsOf(whole)[type](as.cookie, name, { project: String(whole.project), ...input });
  return status === 200 ? body.result.data.json : [status, body.error.json.data.field ?? body.error.json.data.appCode];
}
const share = (name: string, input: object, as: { cookie: string } = people.member) =>
  call('mutation', as, `sharing.${name}`, input);

const byPlan = { match: 'all', of: [{ about: 'person', name: 'plan', operator: 'equals', values: ['pro'] }] };

const saveInsight = (name: string, query: object = {}) =>
  call('mutation', people.member, 'insights.saved.create', {
    name,
    definition: {
      kind: 'trends',
      query: { range: 'last_7_days', series: [{ event: { event: '$pageview' } }], ...query },
    },
  });

const saveDashboard = (name: string, content: object = {}) =>
  call('mutation', people.member, 'dashboards.create', {
    name,
    content: {
      tiles: [
        { id: 'n', width: 3, height: 1, kind: 'metric', metric: 'visitors' },
        { id: 'b', width: 4, height: 2, kind: 'breakdown', dimension: 'channel' },
        { id: 'i', width: 6, height: 2, kind: 'insight', insight },
        { id: 't', width: 12, height: 1, kind: 'text', text: '**Plan** for Monday' },
        { id: 'g', width: 4, height: 1, kind: 'goals' },
      ],
      ...content,
    },
  });

/** A dashboard with a link, and the path of its page. */
async function shared(name: string, over: object = {}, content: object = {}) {
  const { id } = await saveDashboard(name, content);
  const of = { kind: 'dashboard', id };
  const link = await share('create', { of, settings: { ...settings, ...over } });
  return { of, link, path: new URL(link.url).pathname };
}

const open = (path: string, cookie = '') =>
  request(whole.app).get(path).set('Cookie', cookie).set('Accept', 'text/html');
const enter = (path: string, password: string) =>
  request(whole.app).post(path).set('Sec-Fetch-Site', 'same-origin').type('form').send({ password });

/** Another process on the same database, with the same clock. */
const openOther = (name: string) =>
  openWholeApp(
    { ...whole.config, SPOOL_DIR: `${whole.config.SPOOL_DIR}/${name}` },
    { clock: { now: () => now, elapsed } },
  );

/** Statuses of many who ask at the same time. */
async function openMany(app: WholeApp['app'], path: string): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: 6 }, () => request(app).get(path)));
  return [...new Set(answers.map(({ status }) => status))];
}

it('is made by members, and marks what it shows for everyone who sees it', async () => {
  const { of, link } = await shared('Store');
  expect(link).toMatchObject({ of, createdBy: 'Rui', hasPassword: false, views: 0, expiresAt: null });
  expect(link.url).toMatch(/\/shared\/[\w-]{32}$/);
  expect(await call('query', people.member, 'sharing.get', { of })).toEqual(link);
  expect(await call('query', people.viewer, 'sharing.get', { of })).toEqual({ ...link, url: null });
  expect(await call('query', people.stranger, 'sharing.get', { of })).toEqual([404, 'not_found']);
  expect(await share('create', { of, settings })).toEqual([409, 'conflict']);
  expect(await share('create', { of, settings }, people.viewer)).toEqual([403, 'forbidden']);
  expect(await share('create', { of: { kind: 'insight', id: 999_999 }, settings })).toEqual([404, 'not_found']);
  expect(
    await share('create', { of, settings: { ...settings, origins: ['https://a.example; script-src *'] } }),
  ).toEqual([400, 'settings.origins.0']);
  const listed = await call('query', people.member, 'sharing.list', { team: whole.team });
  expect(listed).toMatchObject([{ of, name: 'Store', project: { id: whole.project } }]);
  expect(JSON.stringify(listed)).not.toContain(link.url.slice(-32));
  const stored = JSON.stringify(await database.query('select * from share_links'));
  expect(stored).not.toContain(link.url.slice(-32));
  const noted = await database.query(`select action from audit where details ->> 'name' = 'Store' order by id`);
  expect(noted.map(({ action }) => action)).toEqual(['dashboard.created', 'link.created']);
});

it('shows its numbers without a script, a cookie, a name or a way into the product', async () => {
  const { path, of } = await shared('Open numbers');
  const answer = await open(path, whole.owner).expect(200);
  for (const text of ['Open numbers', 'Visitors', 'Orders by city', '<strong>Plan</strong>', 'No goals yet']) {
    expect(answer.text).toContain(text);
  }
  expect(answer.text).not.toMatch(/<script|Rui|agencia\.example|lnt_/);
  const links = [...answer.text.matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to);
  expect(links.filter((to) => !/^(\/assets\/|\/favicon\.svg$|#)/.test(to))).toEqual([]);
  const project = await call('query', people.member, 'projects.get', {});
  expect(answer.text).not.toContain(project.name);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(answer.headers['x-robots-tag']).toContain('noindex');
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
  expect(answer.headers['content-security-policy']).not.toContain('script-src');
  expect(answer.headers['x-frame-options']).toBe('DENY');
  await request(whole.app).head(path).expect(200);
  expect((await call('query', people.viewer, 'sharing.get', { of })).views).toBe(1);
  expect(whole.lines.join('\n')).not.toContain(path.slice(-32));
});

it('opens no procedure, screen or route with its token or its password', async () => {
  const { path } = await shared('Bound', { password: 'the right one' });
  const entered = await enter(path, 'the right one').expect(200);
  const ticket = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  const token = path.slice(-32);
  const asStranger = (to: string) =>
    open(to, `${ticket}; luneta_session=${token}`).set('Authorization', `Bearer ${token}`).set('Accept', '*/*');
  for (const [name, need] of Object.entries(access)) {
    if (need === 'anyone') continue;
    const { status } = await asStranger(`/api/trpc/${name}?input=${encodeURIComponent('{"json":{"project":"1"}}')}`);
    expect([name, [401, 405].includes(status)]).toEqual([name, true]);
  }
  for (const { path: screen, needs } of screens) {
    if (needs === 'anyone') continue;
    const { status, headers } = await asStranger(screen.replace(/:\w+/g, '1'));
    expect([screen, status, headers['location']]).toEqual([screen, 302, expect.stringContaining('/sign-in?next=')]);
  }
  for (const route of ['/api/v1/projects', `/project/${whole.project}/overview/table.csv`, '/api/exports/1']) {
    expect((await asStranger(route)).status).toBeGreaterThanOrEqual(400);
  }
  for (const below of ['/', '/x', '/table.csv', '?project=1&edit=1']) {
    expect((await asStranger(`${path}${below}`)).text).not.toContain('Rui');
  }
});

it('answers queries of tiles alone, as a viewer would get them', async () => {
  const { path } = await shared('Resolver');
  const view = await (await whole.parts.rooms.sharing.find(path.slice(-32)))?.view();
  const paths = Object.keys(appRouter._def.procedures).filter((name) => !name.startsWith('insights.query.'));
  for (const name of paths) {
    await expect(view?.query(name, { project: String(whole.project) })).rejects.toMatchObject({ code: 'not_found' });
  }
  const asked = { project: 'shared', range: 'last_7_days' };
  const trend = { ...asked, series: [{ event: { event: '$pageview' } }] };
  await expect(view?.query('insights.query.trends', trend)).resolves.toBeTruthy();
  const revealing = [
    ['overview', { ...asked, compare: 'none', filters: byPlan }],
    ['trends', { ...trend, breakdown: { about: 'person', name: 'email' } }],
    ['trends', { ...asked, series: [{ event: { event: '$pageview', filters: byPlan } }] }],
  ] as const;
  for (const [kind, input] of revealing) {
    await expect(view?.query(`insights.query.${kind}`, input)).rejects.toMatchObject({ code: 'forbidden' });
  }
  await expect(view?.query('insights.query.trends', { ...trend, segment: 999 })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('shows nothing that tells of persons', async () => {
  const hidden = (await saveInsight('Paying people', { filters: byPlan })).id;
  expect(await share('create', { of: { kind: 'insight', id: hidden }, settings })).toEqual([409, 'of']);
  const tiles = [{ id: 'h', width: 6, height: 2, kind: 'insight', insight: hidden }];
  const { of, path } = await shared('With hidden', {}, { tiles });
  const { text } = await open(path).expect(200);
  expect(text).not.toContain('Paying people');
  expect(text).toContain('Insight not available');
  await call('mutation', people.member, 'dashboards.update', { dashboard: of.id, content: { tiles, filters: byPlan } });
  await open(path).expect(404);
  expect(await share('create', { of: { kind: 'dashboard', id: of.id }, settings })).toEqual([409, 'of']);
});

it('asks for its password, keeps the answer for its own page, and counts tries', async () => {
  const { of, path } = await shared('Locked', { password: 'the right one', language: null });
  const asking = await open(path).set('Accept-Language', 'pt-BR').expect(200);
  expect(asking.text).toContain('Esta página é protegida');
  expect(asking.text).not.toContain('Locked');
  const entered = await enter(path, 'the right one').expect(200);
  expect(entered.text).toContain('Locked');
  const [cookie = ''] = entered.headers['set-cookie'] as unknown as string[];
  expect(cookie).toMatch(new RegExp(`; Path=${path}; .*HttpOnly; SameSite=Lax$`));
  const ticket = cookie.split(';')[0];
  expect((await open(path, ticket)).text).toContain('Visitors');
  const other = await shared('Other', { password: 'the right one' });
  expect((await open(other.path, ticket)).text).not.toContain('Visitors');
  await request(whole.app).post(path).set('Sec-Fetch-Site', 'cross-site').type('form').send({}).expect(403);
  now = START + 5 * 3_600_000;
  expect((await open(path, ticket)).text).not.toContain('Visitors');
  now = START;
  await share('update', { of, settings: { ...settings, password: 'another one' } });
  expect((await open(path, ticket)).text).not.toContain('Visitors');
  await share('update', { of, settings });
  for (let tried = 0; tried < 10; tried += 1) await enter(path, 'the right one').expect(403);
  await enter(path, 'another one').expect(429);
  await share('update', { of, settings: { ...settings, password: null } });
  expect((await open(path)).text).toContain('Visitors');
});

it('ends when it expires, is rotated, is turned off, or its insight is archived', async () => {
  const expiring = await shared('Expiring', { expiresAt: START + 1_000 });
  await open(expiring.path).expect(200);
  now = START + 1_000;
  const gone = await open(expiring.path).expect(404);
  expect(gone.text).toContain('This link isn’t available');
  expect(gone.text).not.toContain('Expiring');
  now = START;
  const { of, path } = await shared('Rotated');
  const rotated = new URL((await share('rotate', { of })).url).pathname;
  await open(path).expect(404);
  await open(rotated).expect(200);
  await share('revoke', { of });
  await open(rotated).expect(404);
  expect(await call('query', people.member, 'sharing.get', { of })).toBeNull();
  const ofInsight = { kind: 'insight', id: insight };
  const link = await share('create', { of: ofInsight, settings });
  const page = await open(new URL(link.url).pathname).expect(200);
  expect(page.text).toContain('Orders by city');
  await call('mutation', people.member, 'insights.saved.archive', { insight });
  await open(new URL(link.url).pathname).expect(404);
  await call('mutation', people.member, 'insights.saved.restore', { insight });
  for (const wrong of ['/shared/', '/shared/x', `/shared/${'a'.repeat(32)}`]) await open(wrong).expect(404);
});

it('counts its views, also of many at a time and of two processes', async () => {
  const other = await openOther('other');
  const { of, path } = await shared('Often viewed');
  const views = async () => (await call('query', people.member, 'sharing.get', { of })).views;
  for (const app of [whole.app, other.app]) expect(await openMany(app, path)).toEqual([200]);
  // Stored as it stops.
  await other.stop();
  expect(await views()).toBe(12);
  expect(await openMany(whole.app, path)).toEqual([200]);
  const stored = `select sum(views)::int as views from share_views join share_links on link = id where object = ${of.id} and kind = 'dashboard'`;
  for (let tries = 0; tries < 200 && (await database.query(stored))[0]?.['views'] !== 18; tries += 1) await sleep(50);
  expect(await database.query(stored)).toEqual([{ views: 18 }]);
});

it('shows nothing in any process from the moment on in which it is turned off', async () => {
  const other = await openOther('third');
  const { of, path } = await shared('Turned off');
  const apps = [whole.app, other.app];
  for (const app of apps) expect(await openMany(app, path)).toEqual([200]);
  // Some are under way.
  const [, ...under] = await Promise.all([share('revoke', { of }), ...apps.map((app) => openMany(app, path))]);
  expect(under.flat().filter((status) => ![200, 404].includes(status))).toEqual([]);
  for (const app of apps) expect(await openMany(app, path)).toEqual([404]);
  await other.stop();
});

it('lets readers change the range alone, and only where it is open', async () => {
  const filters = {
    match: 'all',
    of: [{ about: 'event', name: '$host', operator: 'equals', values: ['shop.example'] }],
  };
  const address = '?custom=1&range=yesterday&compare=none&filter=x&segment=1&include=bots';
  const closed = await shared('Closed', {}, { filters });
  expect((await open(`${closed.path}${address}`)).text).not.toMatch(/19\sNov</);
  const opened = await shared('Opened', { open: true }, { filters });
  const { text } = await open(`${opened.path}${address}`).expect(200);
  expect(text).toMatch(/Yesterday.*19\sNov/);
  const links = [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to = '']) => to.replace('#content', opened.path));
  expect(links.filter((to) => !to.startsWith(opened.path) || to.includes('shop.example'))).toEqual([]);
});

it('lets readers filter by the fields that the link names, and by nothing else', async () => {
  const saved = { match: 'all', of: [{ about: 'session', name: 'channel', operator: 'equals', values: ['Direct'] }] };
  const { of, path, link } = await shared('Filtered', { filters: ['country', 'deviceType'] }, { filters: saved });
  expect(link.filters).toEqual(['country', 'deviceType']);
  const { sharing, insights } = whole.parts.rooms;
  const asked: [kind: string, filters: unknown[]][] = [];
  const query = jest.spyOn(insights, 'query').mockImplementation(async (kind, _, input) => {
    asked.push([kind.name, input.filters?.of ?? []]);
    throw new Error('not counted');
  });
  const ofDirect = saved.of[0];
  const condition = (name: string, values: string[]) => ({
    about: 'session',
    name,
    values,
    operator: values.length === 0 ? 'isNotSet' : 'equals',
  });
  const foreign = 'where.browser=Chrome&where.email=a@b.example&where.plan=pro&filters=x&filter=$browser&segment=1';
  const addresses: [string, unknown[]][] = [
    ['', [ofDirect]],
    [`?${foreign}&custom=1`, [ofDirect]],
    [`?where.country=BR&${foreign}`, [ofDirect, condition('country', ['BR'])]],
    ['?where.country=(none)&where.deviceType=', [ofDirect, condition('country', [])]],
    [`?where.country=${'x'.repeat(201)}`, [ofDirect]],
  ];
  for (const [address, wanted] of addresses) {
    asked.length = 0;
    const { text } = await open(`${path}${address}`).expect(200);
    // Of tiles what the reader asks; what can be chosen from is of the saved filters alone.
    expect(asked).toContainEqual(['overview', wanted]);
    expect(asked).toContainEqual(['breakdown', [ofDirect]]);
    expect(asked.map((each) => JSON.stringify(each)).join()).not.toMatch(/email|plan|Chrome/);
    expect(text).toContain('name="where.country"');
    expect(text).not.toMatch(/name="where\.(?!country|deviceType)/);
  }
  query.mockRestore();
  const closed = await shared('No filters');
  expect((await open(`${closed.path}?where.country=BR`)).text).not.toContain('where.');
  const refused = { of, settings: { ...settings, filters: ['$email'] } };
  expect(await share('update', refused)).toEqual([400, 'settings.filters.0']);
  expect((await sharing.find(path.slice(-32)))?.filters).toEqual(['country', 'deviceType']);
});

it('is framed by the sites that it names', async () => {
  const origins = ['HTTPS://www.example.com/about', '*.agencia.example'];
  const { path, link } = await shared('Framed', { origins, theme: 'dark' });
  expect(link.origins).toEqual(['https://www.example.com', 'https://*.agencia.example']);
  const { headers, text } = await open(path);
  expect(headers['content-security-policy']).toMatch(
    /frame-ancestors https:\/\/www\.example\.com https:\/\/\*\.agencia\.example$/,
  );
  expect(headers['x-frame-options']).toBeUndefined();
  expect(text).toContain('data-theme="dark"');
});
