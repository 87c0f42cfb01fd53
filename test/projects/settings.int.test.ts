/** Settings and tokens of a project, from the call to what the collector does with them, over real HTTP. */
import request from 'supertest';
import { useDatabase } from '#test/kit/database.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);

async function call(path: string, input: object, cookie = whole.owner) {
  const answer = await request(whole.app)
    .post(`/api/trpc/${path}`)
    .set('Sec-Fetch-Site', 'same-origin')
    .set('Cookie', cookie)
    .send({ json: input });
  const { result, error } = answer.body as {
    result?: { data: { json: unknown } };
    error?: { json: { data: { appCode: string; field?: string } } };
  };
  return { status: answer.status, data: result?.data.json as never, error: error?.json.data };
}

async function ask<Answer>(path: string, input: object): Promise<Answer> {
  const query = encodeURIComponent(JSON.stringify({ json: input }));
  const answer = await request(whole.app)
    .get(`/api/trpc/${path}?input=${query}`)
    .set('Cookie', whole.owner)
    .expect(200);
  return (answer.body as { result: { data: { json: Answer } } }).result.data.json;
}

interface Configuration {
  settings: Record<string, unknown>;
  tokens: { token: string; kind: string; acceptedUntil: number | null }[];
}

const settingsOf = (project = whole.project) => ask<Configuration>('projects.settings', { project: String(project) });

const send = (token: string, headers: Record<string, string> = {}, event: object = {}) =>
  request(whole.app)
    .post('/ingest/e/')
    .set(headers)
    .send({ api_key: token, event: 'seen', distinct_id: 'd', ...event });

async function logged(action: string): Promise<unknown[]> {
  const rows = await database.query('select details from audit where action = $1 order by id', [action]);
  return rows.map((row) => row['details']);
}

/** A project of this test's own. */
async function makeProject(): Promise<string> {
  const { data } = await call('projects.create', {
    ...{ team: whole.team, name: 'Café Serrana', timeZone: 'America/Sao_Paulo', weekStart: 0 },
    // None of these is the caller's to say.
    ...{ teamId: 99, builtIn: true, settings: { demo: true }, id: 1 },
  });
  return String((data as { id: number }).id);
}

describe('a new project', () => {
  it('belongs to the team, collects at once, and stands in the log', async () => {
    const project = await makeProject();
    const made = await ask<Configuration & Record<string, unknown>>('projects.settings', { project });
    expect(made).toMatchObject({ name: 'Café Serrana', weekStart: 0, builtIn: false, settings: { demo: false } });
    expect(made.tokens).toMatchObject([{ kind: 'current', acceptedUntil: null }]);
    await send(made.tokens[0]?.token ?? '').expect(200);
    expect(await logged('project.created')).toContainEqual({ name: 'Café Serrana' });
  });

  it.each([
    ['name', { name: '  ' }],
    ['name', { name: 'a\nb' }],
    ['timeZone', { timeZone: 'Mars/Base' }],
    ['weekStart', { weekStart: 3 }],
  ])('is refused for a bad %s', async (field, bad) => {
    const good = { team: whole.team, name: 'A', timeZone: 'UTC', weekStart: 1 };
    expect(await call('projects.create', { ...good, ...bad })).toMatchObject({
      status: 400,
      error: { appCode: 'invalid', field },
    });
  });
});

describe('settings', () => {
  it('change one by one, in their stored form, and say what changed', async () => {
    const project = await makeProject();
    const settings = { allowedOrigins: ['Loja.example', 'https://loja.example'], respectDnt: true, retentionDays: 90 };
    const { data } = await call('projects.update', { project, name: 'Loja 2', settings, builtIn: true, teamId: 9 });
    expect(data).toEqual({ changed: ['name', 'respectDnt', 'allowedOrigins', 'retentionDays'] });
    await call('projects.update', { project, settings: { ipHandling: 'none', respectDnt: true } });
    const now = await ask<Configuration & Record<string, unknown>>('projects.settings', { project });
    expect(now).toMatchObject({ name: 'Loja 2', builtIn: false, timeZone: 'America/Sao_Paulo' });
    expect(now.settings).toMatchObject({
      ...{ allowedOrigins: ['https://loja.example'], respectDnt: true, retentionDays: 90, ipHandling: 'none' },
      autocapture: true,
    });
    const log = await logged('project.changed');
    expect(log).toContainEqual({ name: 'Café Serrana', changed: (data as { changed: string[] }).changed });
    expect(log).toContainEqual({ name: 'Loja 2', changed: ['ipHandling'] });
    expect((await call('projects.update', { project, settings: { ipHandling: 'none' } })).data).toEqual({
      changed: [],
    });
    expect(await logged('project.changed')).toHaveLength(log.length);
  });

  it.each([
    ['settings.allowedOrigins.1', { allowedOrigins: ['https://a.example', 'loja serrana'] }],
    ['settings.internalHosts.0', { internalHosts: ['https://a.example'] }],
    ['settings.ignoredReferrers.1', { ignoredReferrers: ['pay.example', 'https://pay.example'] }],
    ['settings.internalAddresses.0', { internalAddresses: ['203.0.113.0/99'] }],
    ['settings.internalIds.0', { internalIds: ['@'] }],
    ['settings.retentionDays', { retentionDays: 1 }],
    ['settings.retentionDays', { retentionDays: 1.5 }],
    ['settings.bounceSeconds', { bounceSeconds: 0 }],
    ['settings.bounceSeconds', { bounceSeconds: 601 }],
    ['settings.bounceSeconds', { bounceSeconds: 2.5 }],
    ['settings.ipHandling', { ipHandling: 'some' }],
    ['settings.autocapture', { autocapture: 'off' }],
  ])('are refused with the field: %s', async (field, settings) => {
    const project = String(whole.project);
    expect(await call('projects.update', { project, settings })).toMatchObject({
      status: 400,
      error: { appCode: 'invalid', field },
    });
    expect((await settingsOf()).settings).toMatchObject({ allowedOrigins: [], retentionDays: null });
  });

  it('of two people at once are both kept', async () => {
    const project = await makeProject();
    await Promise.all([
      call('projects.update', { project, settings: { autocapture: false } }),
      call('projects.update', { project, settings: { webVitals: false } }),
      call('projects.update', { project, name: 'Both' }),
    ]);
    const now = await ask<Configuration & { name: string }>('projects.settings', { project });
    expect(now).toMatchObject({ name: 'Both', settings: { autocapture: false, webVitals: false } });
  });

  it('reach the clients and the collector at once', async () => {
    const project = await makeProject();
    const token = (await ask<Configuration>('projects.settings', { project })).tokens[0]?.token ?? '';
    const config = async () => (await request(whole.app).get(`/ingest/array/${token}/config`).expect(200)).body;
    expect(await config()).toMatchObject({ autocapture_opt_out: false, autocaptureExceptions: true });
    const off = { autocapture: false, exceptionCapture: false, webVitals: false };
    await call('projects.update', { project, settings: { ...off, respectDnt: true } });
    expect(await config()).toMatchObject({
      ...{ autocapture_opt_out: true, autocaptureExceptions: false, capturePerformance: false },
      sessionRecording: false,
    });
    await send(token, { DNT: '1' }).expect(200);
    await send(token, { 'Sec-GPC': '1' }).expect(200);
    await send(token, { DNT: '0' }).expect(200);
    const stored = await database.query('select 1 from events where project_id = $1', [project]);
    expect(stored).toHaveLength(1);
    const warned = await database.query('select reason, times from ingestion_warnings where project_id = $1', [
      project,
    ]);
    expect(warned).toMatchObject([{ reason: 'do_not_track', times: 2 }]);
  });
});

describe('tokens', () => {
  it('are replaced; the old one goes on for its time, and can be ended', async () => {
    const project = await makeProject();
    const old = (await ask<Configuration>('projects.settings', { project })).tokens[0]?.token ?? '';
    const { data } = await call('projects.rotateToken', { project, graceHours: 24 });
    const [current, replaced] = data as Configuration['tokens'];
    expect(current).toMatchObject({ kind: 'current', acceptedUntil: null });
    expect(current?.token).toMatch(/^lnt_[0-9A-Za-z]{32}$/);
    expect(replaced).toMatchObject({ token: old, kind: 'replaced' });
    await send(current?.token ?? '').expect(200);
    await send(old).expect(200);
    expect(await ask('projects.get', { project })).toMatchObject({ token: current?.token });
    // Addresses with the old token lead on to the project.
    expect(await ask('projects.get', { project: old })).toMatchObject({ id: Number(project) });
    await call('projects.removeToken', { project, token: old });
    await send(old).expect(401);
    expect(await call('projects.removeToken', { project, token: old })).toMatchObject({ status: 404 });
    expect(await logged('project.tokenRotated')).toContainEqual({ name: 'Café Serrana', graceHours: 24 });
  });

  it('of another installation are accepted, once', async () => {
    const project = await makeProject();
    expect(await call('projects.addToken', { project, token: ' phc_moved ' })).toMatchObject({
      data: [{ kind: 'current' }, { kind: 'added', token: 'phc_moved' }],
    });
    await send('phc_moved').expect(200);
    const taken = { status: 409, error: { appCode: 'conflict', field: 'token' } };
    expect(await call('projects.addToken', { project, token: 'phc_moved' })).toMatchObject(taken);
    const other = String(whole.project);
    expect(await call('projects.addToken', { project: other, token: 'phc_moved' })).toMatchObject(taken);
    await call('projects.removeToken', { project, token: 'phc_moved' });
    await send('phc_moved').expect(401);
    expect((await call('projects.addToken', { project: other, token: 'phc_moved' })).status).toBe(200);
  });

  it('that we made stay ours for good', async () => {
    const project = await makeProject();
    const old = (await ask<Configuration>('projects.settings', { project })).tokens[0]?.token ?? '';
    await call('projects.rotateToken', { project, graceHours: 1 });
    await call('projects.removeToken', { project, token: old });
    const other = String(whole.project);
    expect(await call('projects.addToken', { project: other, token: old })).toMatchObject({ status: 409 });
  });

  it('are refused when they are personal keys or have no form, and the current one is not removed', async () => {
    const project = String(whole.project);
    const current = (await settingsOf()).tokens[0]?.token ?? '';
    for (const token of ['phx_secret', 'lnk_secret', 'two words', '']) {
      expect(await call('projects.addToken', { project, token })).toMatchObject({ status: 400 });
    }
    expect(await call('projects.removeToken', { project, token: current })).toMatchObject({ status: 400 });
    expect(await call('projects.rotateToken', { project, graceHours: 5 })).toMatchObject({ status: 400 });
  });
});

describe('secret keys', () => {
  const read = (token: string, key: string) =>
    request(whole.app).get('/ingest/flags/definitions').query({ token }).set('Authorization', `Bearer ${key}`);

  interface Listed {
    tokens: { token: string }[];
    secretKeys: { id: number; hint: string; acceptedUntil: number | null; lastUsedAt: number | null }[];
  }
  const listed = (project: string) => ask<Listed>('projects.settings', { project });
  const made = async (project: string) =>
    ((await call('projects.rotateSecret', { project, graceHours: 1 })).data as { key: string }).key;

  it('read the flag definitions of their project and nothing else; rotated, and revoked', async () => {
    const [project, other] = [await makeProject(), await makeProject()];
    const token = (await listed(project)).tokens[0]?.token ?? '';
    const first = await made(project);
    expect(first).toMatch(/^phs_[0-9A-Za-z]{40}$/);
    await read(token, first).expect(200);
    await read((await listed(other)).tokens[0]?.token ?? '', first).expect(403);
    await read(token, `phs_${'0'.repeat(40)}`).expect(401);
    await request(whole.app).get('/api/v1/projects').set('Authorization', `Bearer ${first}`).expect(401);

    const second = await made(project);
    await read(token, first).expect(200);
    await read(token, second).expect(200);
    const keys = (await listed(project)).secretKeys;
    expect(keys).toMatchObject([
      { hint: second.slice(0, 8), acceptedUntil: null, lastUsedAt: expect.any(Number) },
      { hint: first.slice(0, 8), acceptedUntil: expect.any(Number), lastUsedAt: expect.any(Number) },
    ]);
    expect(JSON.stringify(await listed(project))).not.toContain(first);
    const stored = JSON.stringify(await database.query('select project_secrets::text from project_secrets'));
    expect([stored.includes(first), stored.includes(first.slice(4))]).toEqual([false, false]);

    const secret = keys[0]?.id;
    expect(await call('projects.revokeSecret', { project: other, secret })).toMatchObject({ status: 404 });
    expect(await call('projects.revokeSecret', { project, secret })).toMatchObject({ status: 200 });
    expect((await listed(project)).secretKeys).toMatchObject([{ hint: first.slice(0, 8) }]);
    expect(await logged('project.secretRevoked')).toEqual([{ name: 'Café Serrana', hint: second.slice(0, 8) }]);
    for (let more = 0; more < 9; more++) await made(project);
    expect(await call('projects.rotateSecret', { project, graceHours: 1 })).toMatchObject({ status: 409 });
  });
});

it('only the sample project goes without a week of waiting', async () => {
  const project = await makeProject();
  expect(await call('projects.removeDemo', { project })).toMatchObject({ status: 409 });
  expect(await ask('projects.settings', { project })).toMatchObject({ deletesAt: null });
  await database.query(`update projects set settings = '{"demo": true}' where id = $1`, [project]);
  expect(await call('projects.removeDemo', { project })).toMatchObject({ status: 200 });
  const [row] = await database.query('select deletes_at <= now() as due from projects where id = $1', [project]);
  expect(row).toEqual({ due: true });
  expect(await logged('project.deletionAsked')).toEqual([{ name: 'Café Serrana' }]);
});

it('counts what is stored, and what a shorter retention would delete', async () => {
  const project = await makeProject();
  const token = (await ask<Configuration>('projects.settings', { project })).tokens[0]?.token ?? '';
  await send(token).expect(200);
  await send(token, {}, { timestamp: new Date(performance.timeOrigin - 40 * 86_400_000).toISOString() }).expect(200);
  expect(await ask('events.stored', { project })).toEqual({ events: 2 });
  expect(await ask('events.stored', { project, olderThanDays: 30 })).toEqual({ events: 1 });
  expect(await ask('events.stored', { project, olderThanDays: 60 })).toEqual({ events: 0 });
});
