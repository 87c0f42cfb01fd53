/** Sign-in with the hosted backend: it checks the password, and whom its token is for it is asked by the server. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fixedClock } from '#src/kit/clock.ts';
import { type AccountsApp, startAccounts } from '#test/kit/accounts.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { cookieOf, OWNER, setUpOwner } from '#test/kit/sign-in.ts';

const { email } = OWNER;
const database = useDatabase();
const clock = fixedClock(TEST_TIME);
const typed = { email, password: 'the password there' };

/** The backend: what it answers, and what it was asked. */
let user: Record<string, unknown>;
let asked: { path: string; key: unknown; authorization: unknown }[];
let broken: 'token' | 'user' | null;
let server: Server;
let app: AccountsApp;
let owner: string;

beforeEach(async () => {
  user = { id: 'd0c5', email, email_confirmed_at: '2026-01-01T00:00:00Z' };
  asked = [];
  broken = null;
  server = createServer(async (req, res) => {
    const { url: path = '', headers } = req;
    asked.push({ path, key: headers['apikey'], authorization: headers.authorization });
    const answer = (status: number, body: object) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (broken !== null && path.includes(broken)) return answer(500, {});
    if (path === '/auth/v1/user') {
      return headers.authorization === 'Bearer of-marina' ? answer(200, user) : answer(403, {});
    }
    const body = (await json(req)) as typeof typed;
    if (body.password !== typed.password) return answer(400, { error_code: 'invalid_credentials' });
    // What stands in the token is not believed: it says somebody else.
    answer(200, { access_token: 'of-marina', user: { id: 'somebody else' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = startAccounts(database, {
    clock,
    config: { PUBLIC_SUPABASE_URL: `${url}/`, PUBLIC_SUPABASE_ANON_KEY: 'anon' },
  });
  owner = (await setUpOwner(app.app)).cookie;
  await database.query('update users set email_verified_at = $1', [new Date(TEST_TIME)]);
});
afterEach(async () => {
  await app.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const signIn = (changes: object = {}, cookie = '') => app.post('/api/sign-in/hosted', { ...typed, ...changes }, cookie);
const identities = () => database.query('select issuer, subject, user_id from identities');

it('asks the backend whom the token is for, and keeps the account by issuer and subject', async () => {
  const signedIn = await signIn({}, owner);
  expect(await app.who(cookieOf(signedIn.headers))).toBe(OWNER.name);
  expect(await app.who(owner)).toBeNull();
  const issuer = app.config.PUBLIC_SUPABASE_URL?.slice(0, -1);
  expect(await identities()).toEqual([{ issuer, subject: 'd0c5', user_id: 1 }]);
  expect(asked).toEqual([
    { path: '/auth/v1/token?grant_type=password', key: 'anon', authorization: undefined },
    { path: '/auth/v1/user', key: 'anon', authorization: 'Bearer of-marina' },
  ]);
  user = { id: 'd0c5', email: 'moved@example.com' };
  expect((await signIn({ email: 'moved@example.com' })).status).toBe(200);
});

it.each([
  ['the backend has not confirmed the address', { email_confirmed_at: null }],
  ['nobody here has the address', { email: 'nobody@example.com' }],
  ['it says no address', { email: null }],
])('lets nobody in when %s', async (_, changes) => {
  user = { ...user, ...changes };
  expect((await signIn()).status).toBe(404);
  expect(await identities()).toEqual([]);
});

it('connects an account there to whoever is signed in here, without its address', async () => {
  user = { id: 'd0c5', email: null };
  expect((await app.post('/api/sign-in/hosted/connect', typed)).status).toBe(401);
  expect((await app.post('/api/sign-in/hosted/connect', typed, owner)).status).toBe(200);
  expect(await app.who(owner)).toBe(OWNER.name);
  expect((await signIn()).status).toBe(200);
});

it('says of a wrong password what it says of a wrong one of ours, and stops guesses', async () => {
  for (let guess = 0; guess < 5; guess++) {
    const refused = await signIn({ password: `guess ${guess}` });
    expect([refused.status, refused.body.error.field]).toEqual([400, 'password']);
  }
  expect((await signIn()).status).toBe(429);
  expect(asked).toHaveLength(5);
});

it.each(['token', 'user'] as const)(
  'says that the service is away when its answer about the %s is none',
  async (part) => {
    broken = part;
    expect((await signIn()).status).toBe(502);
    expect(await identities()).toEqual([]);
  },
);

it('is offered by the host, and only where it is set up', async () => {
  expect(app.accounts.signIn.ways('').hosted).toBe(new URL(app.config.PUBLIC_SUPABASE_URL as string).host);
  const without = startAccounts(database, { clock });
  expect(without.accounts.signIn.ways('').hosted).toBeNull();
  expect((await without.post('/api/sign-in/hosted', typed)).status).toBe(400);
  await without.close();
});
