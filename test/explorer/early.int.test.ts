/** Events of hostile dates over a whole application: what the screens say of them, and who deletes them. */

import request from 'supertest';
import { createColumns } from '#src/columns/columns.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import fc from '#test/kit/fast-check.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const YEAR_1 = -62_135_596_800_000;
let calls: ReturnType<typeof callsOf>;
let project: string;
let members: Record<'viewer' | 'member' | 'admin', Person>;
/** Times as clients write them: stored at their date, and at the time of receipt. */
const hostile = {
  kept: ['1900-01-01', '1970-01-01T00:00:00Z', -86_400, '0001-01-01T00:00:00Z', '1999-12-31T23:59:59.999Z'],
  clamped: ['2099-01-01', '9999-12-31T23:59:59Z', '-000001-01-01T00:00:00Z', 8.64e15],
};
const early = [
  ...hostile.kept,
  ...fc
    .sample(fc.date({ min: new Date(YEAR_1), max: new Date(Date.UTC(1999, 11, 31)), noInvalidDate: true }), 20)
    .map((date) => date.toISOString()), // as a number, one near 1970 would be read as seconds
];

beforeAll(async () => {
  calls = callsOf(whole);
  project = String(whole.project);
  members = await joinEach(whole, ['viewer', 'member', 'admin']);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  const sessions = [uuidV7(Date.now()), uuidV7(Date.now() + 1)];
  const times = [...early, ...hostile.clamped, ...Array.from({ length: 9 }, (_, at) => Date.now() - 60_000 * at)];
  const batch = times.map((timestamp, index) => ({
    ...{ event: index % 3 === 0 ? 'opened' : '$pageview', distinct_id: `person ${index % 4}`, timestamp },
    properties: { $session_id: sessions[index % 2], $pathname: `/${index % 5}` },
  }));
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
});

const answerOf = ({ body }: { body: { result: { data: { json: Record<string, unknown> } } } }) => body.result.data.json;
/** As the project's clock shows it. */
async function dateIn(ms: number): Promise<string> {
  const [row] = await database.query<{ timeZone: string }>(
    'select time_zone as "timeZone" from projects where id = $1',
    [whole.project],
  );
  return new Intl.DateTimeFormat('en-CA', { timeZone: row?.timeZone ?? 'UTC' }).format(ms);
}
const find = async () => answerOf(await calls.query(members.member.cookie, 'explorer.early', { project }).expect(200));
async function rangeOf(preset: string) {
  const input = { project, range: preset, compare: 'none' };
  return answerOf(await calls.query(whole.owner, 'insights.query.overview', input).expect(200))['range'];
}
async function overview(cookie: string, details = ''): Promise<string> {
  const page = request(whole.app).get(`/project/${project}/overview?range=all_time${details}`).set('Cookie', cookie);
  return (await page.expect(200)).text;
}

it('are counted beside the numbers, and stand in Events', async () => {
  expect(await find()).toEqual({ events: early.length, before: expect.any(Number) });
  expect(await rangeOf('all_time')).toMatchObject({
    earlyEvents: early.length,
    fromDate: await dateIn(Number((await find())['before'])),
  });
  expect(await rangeOf('last_7_days')).not.toHaveProperty('earlyEvents');
  const range = { from: '0000-12-31', to: '1999-12-31' };
  const asked = { project, range, names: [], columns: [], limit: 200 };
  const listed = answerOf(await calls.query(members.member.cookie, 'explorer.page', asked).expect(200));
  expect(listed['rows']).toHaveLength(early.length);
  const link = /href="([^"]*0000-12-31[^"]*)"/;
  const address = link.exec(await overview(members.member.cookie))?.[1]?.replaceAll('&amp;', '&') ?? '';
  const events = await request(whole.app).get(address).set('Cookie', members.member.cookie).expect(200);
  expect(events.text).toContain('person 1');
  for (const details of ['', '&details=page', '&details=channel', '&details=vitals']) {
    expect(await overview(members.admin.cookie, details)).toContain(`${early.length} events dated before`);
  }
  const seen = await overview(members.viewer.cookie);
  expect(seen).toContain(`${early.length} events dated before`);
  expect(seen).not.toMatch(link);
});

it('are deleted by admins, with their part in visits and counts, and Activity says so', async () => {
  const { before } = await find();
  const remove = (cookie: string, given = before) =>
    calls.mutation(cookie, 'explorer.deleteEarly', { project, before: given });
  await remove(members.member.cookie).expect(403);
  await remove(members.admin.cookie, Date.now()).expect(409);
  const deleted = answerOf(await remove(members.admin.cookie).expect(200));
  expect(deleted).toEqual({ events: early.length, isDone: true });
  expect(await find()).toEqual({ events: 0, before: null });
  expect(await rangeOf('all_time')).not.toHaveProperty('earlyEvents');
  expect(await database.query("select from events where ts < '2000-01-01'")).toEqual([]);
  const rest = await database.query('select from events where project_id = $1', [whole.project]);
  expect(rest).toHaveLength(hostile.clamped.length + 9);
  const audit = await database.query("select actor, details from audit where action = 'events.deleted'");
  expect(audit).toEqual([{ actor: 'Ada', details: { events: early.length } }]);
  const deps = testDeps(database.url);
  const columns = createColumns(deps, { threads: 0 });
  expect((await columns.verify()).findings).toEqual([]);
  await columns.stop();
  await deps.close();
});
