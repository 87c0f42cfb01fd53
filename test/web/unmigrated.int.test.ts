/** A database without our tables, as before the first migration or after a wrong DATABASE_URL: unavailable at every door, never a mistake of ours. */
import request, { type Test } from 'supertest';
import { operations } from '#src/api/operations.ts';
import { useDatabase } from '#test/kit/database.ts';
import { filled, httpRoutes, procedures, screenPaths } from '#test/kit/routes.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);

beforeAll(async () => {
  await database.query('drop schema public cascade');
  await database.query('create schema public');
});

/** Of the right shape: whether it is one is asked of the database. */
const key = `lnk_${'a'.repeat(40)}`;

function ask(method: string, path: string, as: 'owner' | 'key' | 'nobody'): Test {
  const sent = request(whole.app)[method.toLowerCase() as 'get'](path).set('Sec-Fetch-Site', 'same-origin');
  if (as === 'key') return sent.set('Authorization', `Bearer ${key}`);
  return as === 'owner' ? sent.set('Cookie', whole.owner) : sent;
}

it.each([
  ['GET', '/sign-in', 'owner'],
  ['GET', '/project/2/overview', 'nobody'],
  ['GET', '/project/2/overview', 'owner'],
  ['GET', '/api/trpc/accounts.me', 'owner'],
  ['GET', '/api/v1/projects', 'key'],
  ['POST', '/api/sign-in/password', 'nobody'],
] as const)('%s %s, of the %s: 503, to be tried again', async (method, path, as) => {
  const sent = ask(method, path, as);
  const answer = await (method === 'POST' ? sent.send({ email: 'a@b.example', password: 'some password' }) : sent);
  expect([path, answer.status]).toEqual([path, 503]);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
});

it('is no mistake of ours anywhere', async () => {
  const values = { project: 2, team: 1, ts: Date.now(), annotation: 1 };
  const asked = [
    ...screenPaths(values).map((path) => ['GET', path, 'owner'] as const),
    ...httpRoutes(whole.app).map(({ method, path }) => [method, filled(path, values), 'owner'] as const),
    ...operations.map(({ method = 'get', path }) => [method, `/api/v1${filled(path, values)}`, 'key'] as const),
    ...procedures().flatMap(({ path, type }) =>
      type === 'subscription' ? [] : [[type === 'query' ? 'GET' : 'POST', `/api/trpc/${path}`, 'owner'] as const],
    ),
  ];
  const failed: string[] = [];
  for (const [method, path, as] of asked) {
    const { status } = await ask(method, path, as);
    if (status === 500) failed.push(`${method} ${path}`);
  }
  expect(failed).toEqual([]);
});
