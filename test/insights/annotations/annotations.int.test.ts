/** Notes on charts: by the screens' calls and by the API; who writes them, and when they are. */
import request from 'supertest';
import { keyScopes } from '#src/projects/api-keys/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const NOON = Date.UTC(2026, 10, 20, 15); // in São Paulo

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database, {}, { clock: { now: () => NOON, elapsed: () => performance.now() } });
const cookies = {} as Record<'viewer' | 'member', string>;
let calls: ReturnType<typeof callsOf>;
let project: string;
let other: string;

beforeAll(async () => {
  calls = callsOf(whole);
  const join = (role: 'viewer' | 'member', name: string) =>
    joinTeam(whole, { team: whole.team, role, name, cookie: whole.owner });
  cookies.viewer = (await join('viewer', 'Vera')).cookie;
  cookies.member = (await join('member', 'Rui')).cookie;
  const make = async (name: string, timeZone: string) => {
    const input = { team: whole.team, name, timeZone, weekStart: 0 };
    return String((await calls.mutation(whole.owner, 'projects.create', input).expect(200)).body.result.data.json.id);
  };
  project = await make('Notes', 'America/Sao_Paulo');
  other = await make('Other', 'UTC');
});

afterEach(() => database.query('delete from annotations'));

const day = { when: { day: '2026-11-20' }, text: 'Black Friday', url: null };

function write(call: 'create' | 'change' | 'remove', input: object, cookie = cookies.member, of = project) {
  return calls.mutation(cookie, `insights.annotations.${call}`, { project: of, ...input });
}

async function made(input: object, of = project): Promise<{ id: number; at: number }> {
  return (await write('create', input, cookies.member, of).expect(200)).body.result.data.json;
}

async function texts(range: unknown, of = project): Promise<string[]> {
  const answer = await calls.query(cookies.viewer, 'insights.annotations.list', { project: of, range }).expect(200);
  return answer.body.result.data.json.map(({ text }: { text: string }) => text);
}

it('are written by members and read by viewers', async () => {
  await write('create', day, cookies.viewer).expect(403);
  const { id } = await made(day);
  const change = { annotation: id, ...day, text: ' Release  ', url: 'https://example.com/2.4' };
  await write('change', change, cookies.viewer).expect(403);
  const changed = (await write('change', change).expect(200)).body.result.data.json;
  expect(changed).toEqual({
    ...{ id, day: '2026-11-20', at: Date.UTC(2026, 10, 20, 3) },
    ...{ text: 'Release', url: 'https://example.com/2.4' },
  });
  expect(await texts('today')).toEqual(['Release']);
  await write('remove', { annotation: id }, cookies.viewer).expect(403);
  await write('remove', { annotation: id }, cookies.member, other).expect(404);
  await write('change', change, cookies.member, other).expect(404);
  expect(await texts('today', other)).toEqual([]);
  await write('remove', { annotation: id }).expect(200);
  await write('remove', { annotation: id }).expect(404);
  await write('remove', { annotation: 99_999_999_999 }).expect(400);
  expect(await texts('today')).toEqual([]);
});

it('are found in the ranges that hold them, dates of the project as dates', async () => {
  await made({ ...day, text: 'date' });
  await made({ ...day, when: { at: Date.UTC(2026, 10, 20, 2, 59) }, text: 'the evening before' });
  await made({ ...day, when: { at: Date.UTC(2026, 10, 20, 3) }, text: 'midnight' });
  await made({ ...day, when: { day: '2026-11-19' }, text: 'yesterday' });
  expect(await texts('today')).toEqual(['midnight', 'date']);
  expect(await texts('yesterday')).toEqual(['the evening before', 'yesterday']);
  expect(await texts({ from: '2026-11-19', to: '2026-11-20' })).toHaveLength(4);
  expect(await texts('last_24_hours')).toHaveLength(4);
  expect(await texts({ from: '2026-10-01', to: '2026-11-18' })).toEqual([]);
});

it.each<[string, object]>([
  ['without text', { ...day, text: ' ' }],
  ['with too much text', { ...day, text: 'x'.repeat(401) }],
  ['of two lines', { ...day, text: 'a\nb' }],
  ['of no date', { ...day, when: { day: '2026-02-30' } }],
  ['of no moment', { ...day, when: { at: 1e18 } }],
  ['with a script for an address', { ...day, url: 'javascript:alert(1)' }],
])('refuses one %s', async (_, note) => {
  await write('create', note).expect(400);
  expect(await texts('all_time')).toEqual([]);
});

it('are written by a deploy script, now unless it says when', async () => {
  const keyOf = async (scopes: string[]) => {
    const input = { name: 'ci', scopes, projects: null, days: 'never' };
    return (await calls.mutation(cookies.member, 'projects.apiKeys.create', input).expect(200)).body.result.data.json
      .key as string;
  };
  const key = await keyOf(['annotations:write', 'query:read']);
  const readsOnly = await keyOf(keyScopes.filter((scope) => scope !== 'annotations:write'));
  const path = `/api/v1/projects/${project}/annotations`;
  const post = (body: object | string, as = key, type = 'application/json') =>
    request(whole.app)
      .post(path)
      .set('Authorization', `Bearer ${as}`)
      .set('Content-Type', type)
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  await post({ text: 'Release 2.4' }, readsOnly).expect(403);
  const { body } = await post({ text: 'Release 2.4', url: 'https://example.com' }).expect(200);
  expect(body).toEqual({ id: body.id, day: null, at: NOON, text: 'Release 2.4', url: 'https://example.com' });
  await post({ text: 'Dated', day: '2026-11-18' }).expect(200);
  await post({ text: 'In ms', at: NOON - 1000 }).expect(200);
  await post({ text: 'ISO', at: '2026-11-20T14:00:00Z' }).expect(200);
  for (const [wrong, field] of [
    [{ text: 'x', day: '2026-11-18', at: 0 }, 'at'],
    [{ text: 'x', day: '2026-02-30' }, 'day'],
    [{ text: 'x', at: 'soon' }, 'at'],
    [{ text: '' }, 'text'],
    [{ text: 'x', url: 'ftp://x' }, 'url'],
    [{ text: 'x', when: 'now' }, 'when'],
    [{}, 'text'],
  ] as const) {
    expect([wrong, (await post(wrong).expect(400)).body.error.field]).toEqual([wrong, field]);
  }
  expect((await post('{').expect(400)).body.error.code).toBe('invalid');
  await post('text=x', key, 'text/plain').expect(400);
  const get = async (query = '') =>
    (await request(whole.app).get(`${path}${query}`).set('Authorization', `Bearer ${key}`).expect(200)).body
      .annotations;
  expect((await get()).map(({ text }: { text: string }) => text)).toEqual(['Release 2.4', 'In ms', 'ISO', 'Dated']);
  expect(await get('?from=2026-11-18&to=2026-11-18')).toMatchObject([{ text: 'Dated', day: '2026-11-18' }]);
  const gone = await request(whole.app).delete(`${path}/${body.id}`).set('Authorization', `Bearer ${key}`).expect(200);
  expect(gone.body).toEqual(body);
  await request(whole.app).delete(`${path}/${body.id}`).set('Authorization', `Bearer ${key}`).expect(404);
  expect(await texts('today')).toEqual(['In ms', 'ISO']);
});
