/** Sign-in with the hosted backend: it checks the password, and whom its token is for it is asked by the server. */
import { fixedClock } from '#src/kit/clock.ts';
import { type AccountsApp, startAccounts } from '#test/kit/accounts.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startBackend, type TestBackend } from '#test/kit/hosted.ts';
import { cookieOf, OWNER, setUpOwner } from '#test/kit/sign-in.ts';

const { email } = OWNER;
const database = useDatabase();
/** Sessions end by the clock of the system. */
const START = Date.now();
const clock = fixedClock(START);
const typed = { email, password: 'the password there' };

let backend: TestBackend;
let app: AccountsApp;
let owner: string;

beforeEach(async () => {
  backend = await startBackend(typed.password);
  backend.user = { id: 'd0c5', email, email_confirmed_at: '2026-01-01T00:00:00Z' };
  app = startAccounts(database, {
    clock,
    config: { PUBLIC_SUPABASE_URL: `${backend.url}/`, PUBLIC_SUPABASE_ANON_KEY: 'anon' },
  });
  owner = (await setUpOwner(app.app)).cookie;
  await database.query('update users set email_verified_at = $1', [new Date(START)]);
});
afterEach(async () => {
  await app.close();
  await backend.close();
});

const signIn = (changes: object = {}, cookie = '') => app.post('/api/sign-in/hosted', { ...typed, ...changes }, cookie);
const identities = () => database.query('select issuer, subject, user_id from identities');

it('asks the backend whom the token is for, and keeps the account by issuer and subject', async () => {
  const signedIn = await signIn({}, owner);
  expect(await app.who(cookieOf(signedIn.headers))).toBe(OWNER.name);
  expect(await app.who(owner)).toBeNull();
  const issuer = app.config.PUBLIC_SUPABASE_URL?.slice(0, -1);
  expect(await identities()).toEqual([{ issuer, subject: 'd0c5', user_id: 1 }]);
  expect(backend.asked).toEqual([
    { path: '/auth/v1/token?grant_type=password', key: 'anon', authorization: undefined },
    { path: '/auth/v1/user', key: 'anon', authorization: 'Bearer of-marina' },
  ]);
  backend.user = { id: 'd0c5', email: 'moved@example.com' };
  expect((await signIn({ email: 'moved@example.com' })).status).toBe(200);
});

it.each([
  ['the backend has not confirmed the address', { email_confirmed_at: null }],
  ['nobody here has the address', { email: 'nobody@example.com' }],
  ['it says no address', { email: null }],
])('lets nobody in when %s', async (_, changes) => {
  backend.user = { ...backend.user, ...changes };
  expect((await signIn()).status).toBe(404);
  expect(await identities()).toEqual([]);
});

it('connects an account there to the signed-in person, without its address', async () => {
  backend.user = { id: 'd0c5', email: null };
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
  expect(backend.asked).toHaveLength(5);
});

it.each(['token', 'user'] as const)(
  'says that the service is away when its answer about the %s is none',
  async (part) => {
    backend.broken = part;
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
