/** Segments over HTTP: who sees which, what is asked within one, and that they end with their project. */

import { uuidV7 } from '#src/kit/ids.ts';
import type { Role } from '#src/projects/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { finishedEvent, sessionId } from './histories.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const cookies = {} as Record<'viewer' | 'member' | 'admin', string>;
const now = Date.now();
const condition = (name: string, value: string, about = 'event') => ({ about, name, operator: 'is', values: [value] });
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

async function views(cookie: string, more: object, path = 'insights.overview'): Promise<number> {
  const question = { project: project(), range: 'today', compare: 'none', dimension: 'page', ...more };
  const { body } = await query(cookie, path, { ...question, range: 'last_7_days' }).expect(200);
  const answer = body.result.data.json;
  return path === 'insights.overview' ? answer.metrics.views.value : answer.total;
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
  expect(await views(cookies.admin, { segment: own.id })).toBe(4);
  const question = { project: project(), range: 'today', compare: 'none', segment: byPerson.id };
  await query(cookies.viewer, 'insights.overview', question).expect(403);
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
  expect(await views(cookies.member, { segment: id, filters: more }, 'insights.breakdown')).toBe(wanted);
});

it('is renamed and deleted by its owner, and shared ones by those who lead the project', async () => {
  const filters = all(condition('$pathname', '/a'));
  const { id } = await save(cookies.admin, { name: 'Two', shared: true, filters });
  const rename = (cookie: string, name: string) =>
    mutation(cookie, 'insights.segments.rename', { project: project(), segment: id, name });
  await rename(cookies.member, 'Three').expect(403);
  await rename(cookies.viewer, 'Three').expect(403);
  await rename(whole.owner, 'Three').expect(200);
  await save(cookies.member, { name: 'THREE', shared: true, filters }, 409);
  await save(cookies.viewer, { name: 'Four', shared: false, filters }, 403);
  const pattern = { about: 'event', name: '$pathname', operator: 'matches', values: ['('] };
  await save(cookies.member, { name: 'Four', shared: false, filters: all(pattern) }, 400);
  const remove = (cookie: string) => mutation(cookie, 'insights.segments.remove', { project: project(), segment: id });
  await remove(cookies.member).expect(403);
  await remove(cookies.admin).expect(200);
  await remove(cookies.admin).expect(404);
  // Links with it show everything.
  expect(await views(cookies.member, { segment: id })).toBe(4);
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
  expect(await names(cookies.member)).toContain('Here');
});
