/** Privacy over a whole application: who may find, fetch and erase, and what the screens say afterwards. */
import request from 'supertest';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
let calls: ReturnType<typeof callsOf>;
let project: string;
let members: Record<'viewer' | 'member' | 'admin' | 'stranger', Person>;
let person: string;

beforeAll(async () => {
  calls = callsOf(whole);
  project = String(whole.project);
  members = await joinEach(whole, ['viewer', 'member', 'admin']);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  const at = Date.now() - 600_000;
  const batch = ['ana', 'ana', 'bia'].map((id, index) => ({
    ...{ event: '$pageview', distinct_id: id, timestamp: new Date(at + index).toISOString() },
    properties: { $session_id: uuidV7(at + index), $set: { email: `${id}@shop.example` }, $pathname: '/' },
  }));
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
  person = (await find(whole.owner, 'ANA@shop.example')).body.result.data.json.people[0].uuid;
});

const find = (cookie: string, search: string) => calls.mutation(cookie, 'privacy.find', { project, search });

function file(cookie: string, id: number | string, format = 'ndjson', of = project) {
  return request(whole.app)
    .get(`/api/exports/${of}/${id}?format=${format}`)
    .set('Cookie', cookie)
    .buffer()
    .parse((res, done) => {
      let text = '';
      res.on('data', (piece: Buffer) => {
        text += piece;
      });
      res.on('end', () => done(null, text));
    });
}

async function exportId(cookie: string): Promise<number> {
  const { body } = await calls.mutation(cookie, 'privacy.export', { project, person }).expect(200);
  return body.result.data.json.id;
}

it('lets members find and fetch, each their own', async () => {
  await find(members.viewer.cookie, 'ana').expect(403);
  await find(members.stranger.cookie, 'ana').expect(404);
  await calls.mutation(members.viewer.cookie, 'privacy.export', { project, person }).expect(403);
  const id = await exportId(members.member.cookie);
  await file('', id).expect(401);
  await file(members.viewer.cookie, id).expect(403);
  for (const cookie of [members.stranger.cookie, members.admin.cookie, whole.owner]) await file(cookie, id).expect(404);
  for (const wrong of ['0', '-1', 'x', id + 1, '9'.repeat(30)]) await file(members.member.cookie, wrong).expect(404);
  await file(members.member.cookie, id, 'ndjson', String(whole.parts.ownProject()?.id)).expect(404);

  const { body, headers } = await file(members.member.cookie, id).expect(200);
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': 'attachment; filename="person.ndjson"',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  const kinds = String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).kind);
  expect(kinds).toEqual(['person', 'event', 'event', 'visit', 'visit']);
  const table = await file(whole.owner, await exportId(whole.owner), 'csv').expect(200);
  expect(String(table.body).trim().split('\r\n')).toHaveLength(3);
});

it('lets admins erase who proved lately who they are, and the numbers follow', async () => {
  const erase = (cookie: string) => calls.mutation(cookie, 'privacy.erase', { project, person });
  const views = async () => {
    const input = { project, range: 'last_7_days', compare: 'none' };
    const { body } = await calls.query(whole.owner, 'insights.query.overview', input).expect(200);
    const { visitors, views: seen } = body.result.data.json.metrics;
    return [visitors.value, seen.value];
  };
  await erase(members.viewer.cookie).expect(403);
  await erase(members.member.cookie).expect(403);
  await erase(members.stranger.cookie).expect(404);
  expect(await views()).toEqual([2, 3]);
  const age = (proof: string) =>
    database.query(
      `update sign_in_sessions set sess = jsonb_set(sess::jsonb, '{luneta,provedAt}', $2::jsonb)::json
        where (sess #>> '{passport,user}')::int = $1`,
      [members.admin.id, proof],
    );
  await age('0');
  const refused = await erase(members.admin.cookie).expect(403);
  expect(refused.body.error.json.data).toMatchObject({ appCode: 'forbidden', field: 'proof' });
  await age(String(Date.now()));
  await erase(members.admin.cookie).expect(200);
  await whole.parts.rooms.privacy.work();
  expect(await views()).toEqual([1, 1]);
  const audit = await database.query(
    "select actor, action, details from audit where action like 'data.%' order by id desc limit 1",
  );
  expect(audit).toMatchObject([{ actor: 'Ada', action: 'data.erased', details: { receipt: expect.any(Number) } }]);
  expect(whole.lines.filter((line) => /ana@shop|"ana"/i.test(line))).toEqual([]);
});

it('says only that the person was erased, at the address of an erased person', async () => {
  const page = (cookie: string, uuid: string) =>
    request(whole.app).get(`/project/${project}/persons/${uuid}`).set('Cookie', cookie);
  const { text } = await page(members.member.cookie, person).expect(410);
  expect(text).toContain('All data about this person was erased on');
  expect(text).not.toMatch(/ana@shop|"ana"/i);
  await page(members.viewer.cookie, person).expect(403);
  await page(members.stranger.cookie, person).expect(404);
  await page(members.member.cookie, uuidV7(Date.now())).expect(404);
  await page(members.member.cookie, 'ana').expect(404);
});

it('redirects from a merged person to the current one', async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  const send = (event: object) =>
    request(whole.app)
      .post('/ingest/batch/')
      .send({ api_key: row?.token, batch: [event] })
      .expect(200);
  const whoIs = async (id: string) =>
    (
      await database.query<{ uuid: string }>(
        `select p.uuid from distinct_ids d join persons p on p.project_id = d.project_id and p.number = d.person
          where d.project_id = $1 and d.distinct_id = $2`,
        [whole.project, id],
      )
    )[0]?.uuid as string;
  await send({ event: '$pageview', distinct_id: 'phone', properties: { $session_id: uuidV7(Date.now()) } });
  const [phone, bia] = [await whoIs('phone'), await whoIs('bia')];
  await send({ event: '$identify', distinct_id: 'bia', properties: { $anon_distinct_id: 'phone' } });
  expect(await whoIs('phone')).toBe(bia);
  const old = await request(whole.app)
    .get(`/project/${project}/persons/${phone}?kind=views`)
    .set('Cookie', members.member.cookie)
    .expect(302);
  expect(old.headers['location']).toBe(`/project/${project}/persons/${bia}?kind=views`);
});
