/** Sign-in with another service: identities count by issuer and subject only. */
import { fixedClock } from '#src/kit/clock.ts';
import { type AccountsApp, type AccountsAppOptions, startAccounts } from '#test/kit/accounts.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type Lies, startProvider, type TestProvider } from '#test/kit/oidc.ts';
import { cookieOf, OWNER, setUpOwner } from '#test/kit/sign-in.ts';

const client = { clientId: 'luneta', clientSecret: 'a secret' };
const { email } = OWNER;
const marina = { sub: 'marina-1', email, email_verified: true };

const database = useDatabase();
/** Sessions end by the clock of the system. */
const START = Date.now();
const clock = fixedClock(START);
let provider: TestProvider;
let app: AccountsApp;
let owner: string;

async function start(issuer = provider.issuer, options: AccountsAppOptions = {}): Promise<void> {
  const config = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.clientId, OIDC_CLIENT_SECRET: client.clientSecret };
  app = startAccounts(database, { clock, config: { ...config, OIDC_NAME: 'Serrana ID' }, ...options });
}

beforeEach(async () => {
  clock.set(START);
  provider = await startProvider(client);
  await start();
  owner = (await setUpOwner(app.app)).cookie;
});
afterEach(async () => {
  await app.close();
  await provider.close();
});

const verify = () => database.query('update users set email_verified_at = $1', [new Date(START)]);
const identities = () => database.query('select issuer, subject, user_id from identities order by issuer, subject');

/** Goes there. Gives the address, and the cookie that remembers it. */
async function leave(cookie = '', body: object = {}) {
  const answer = await app.post('/api/sign-in/provider', { provider: 'oidc', ...body }, cookie).expect(200);
  const set = cookieOf(answer.headers);
  return { address: answer.body.address as string, cookie: set === '' ? cookie : set };
}

/** Comes back: where to, and as whom. */
async function comeBack(back: URL, cookie: string) {
  const { status, headers } = await app.get(back.pathname + back.search, cookie);
  expect([status, headers['cache-control']]).toEqual([303, 'no-store']);
  const set = cookieOf(headers);
  return { to: headers['location'], cookie: set, who: set === '' ? null : await app.who(set) };
}

async function signIn(who: object, lies?: Lies) {
  const { address, cookie } = await leave();
  return await comeBack(provider.agree(address, { ...who }, lies), cookie);
}

const refused = (problem: string) => ({ to: `/sign-in?problem=${problem}`, who: null });

it('asks with state, nonce and PKCE, to come back to the configured address', async () => {
  const { address } = await leave();
  const { origin, pathname, searchParams } = new URL(address);
  expect(`${origin}${pathname}`).toBe(`${provider.issuer}/authorize`);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'luneta',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: 'http://localhost:3000/api/sign-in/provider/oidc/callback',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  const again = new URL((await leave()).address).searchParams;
  for (const name of ['state', 'nonce', 'code_challenge']) expect(again.get(name)).not.toBe(searchParams.get(name));
});

it('is offered by its name, and by no other', async () => {
  expect(app.accounts.signIn.ways('').providers).toEqual([{ id: 'oidc', name: 'Serrana ID' }]);
  expect((await app.post('/api/sign-in/provider', { provider: 'google' })).status).toBe(404);
});

describe('whose account it is', () => {
  it('is that of the address when both sides have verified it, and from then on that of the subject', async () => {
    await verify();
    expect(await signIn(marina)).toMatchObject({ to: '/sign-in', who: OWNER.name });
    expect(await identities()).toEqual([{ issuer: provider.issuer, subject: 'marina-1', user_id: 1 }]);
    const moved = { sub: 'marina-1', email: 'another@example.com', email_verified: false };
    expect(await signIn(moved)).toMatchObject({ who: OWNER.name });
    const actions = await database.query<{ action: string }>('select action from audit order by id');
    expect(actions.map(({ action }) => action).slice(1)).toEqual([
      'identity.added',
      'signIn.succeeded',
      'signIn.succeeded',
    ]);
  });

  it.each([
    ['they have not verified the address', { ...marina, email_verified: false }, true],
    ['they do not say whether they have', { sub: 'marina-1', email }, true],
    ['they say so in other words', { ...marina, email_verified: 'true' }, true],
    ['we have not', marina, false],
    ['nobody has the address', { ...marina, email: 'nobody@example.com' }, true],
    ['they do not say an address', { sub: 'marina-1' }, true],
  ])('is nobody’s when %s', async (_, who, isVerified) => {
    if (isVerified) await verify();
    expect(await signIn(who)).toMatchObject(refused('unknown'));
    expect(await identities()).toEqual([]);
    expect(await database.query('select 1 from users')).toHaveLength(1);
  });

  it('is distinguished by issuer: two issuers have the same subject', async () => {
    await verify();
    await signIn(marina);
    await app.close();
    const other = await startProvider(client);
    try {
      await start(other.issuer);
      const { address, cookie } = await leave();
      const stranger = { ...marina, email: 'stranger@example.com' };
      expect(await comeBack(other.agree(address, stranger), cookie)).toMatchObject(refused('unknown'));
    } finally {
      await other.close();
    }
  });

  it('is connected to the signed-in person after recent authentication', async () => {
    const { address, cookie } = await leave(owner);
    const stranger = { sub: 's', email: 'unverified@example.com' };
    expect(await comeBack(provider.agree(address, stranger), cookie)).toMatchObject({ to: '/account?show=sign-in' });
    expect(await identities()).toEqual([{ issuer: provider.issuer, subject: 's', user_id: 1 }]);
    const { body } = await app.get('/api/trpc/accounts.connections', owner);
    expect(body.result.data.json).toMatchObject({ connected: [{ name: 'Serrana ID', subject: 's' }], providers: [] });
    clock.advance(11 * 60_000);
    const late = await app.post('/api/sign-in/provider', { provider: 'oidc' }, owner);
    expect([late.status, late.body.error.field]).toEqual([403, 'proof']);
  });

  it('stays connected when another person tries to connect it', async () => {
    await database.query(
      `with other as (insert into users (uuid, email, email_key, name, language, time_zone, created_at)
         values (gen_random_uuid(), 'a@b.example', 'a@b.example', 'A', 'en', 'UTC', now()) returning id)
       insert into identities (issuer, subject, user_id, created_at) select $1, 'marina-1', id, now() from other`,
      [provider.issuer],
    );
    const { address, cookie } = await leave(owner);
    expect(await comeBack(provider.agree(address, marina), cookie)).toMatchObject({
      to: '/account?problem=taken&show=sign-in',
    });
    expect(await identities()).toEqual([expect.objectContaining({ user_id: 2 })]);
  });

  it('is nobody’s when the account is disabled', async () => {
    await verify();
    await signIn(marina);
    await database.query('update users set disabled_at = now()');
    expect(await signIn(marina)).toMatchObject(refused('unknown'));
  });

  it('is not enough where a second step is needed', async () => {
    await verify();
    await database.query(`update users set totp_secret = 'x', totp_confirmed_at = now()`);
    expect(await signIn(marina)).toMatchObject({ to: '/sign-in/second-step', who: null });
  });
});

it('is taken away by its person alone', async () => {
  await verify();
  await signIn(marina);
  const input = { json: { issuer: provider.issuer, subject: 'marina-1' } };
  expect((await app.post('/api/trpc/accounts.disconnect', input)).status).toBe(401);
  expect((await app.post('/api/trpc/accounts.disconnect', input, owner)).status).toBe(200);
  expect((await app.post('/api/trpc/accounts.disconnect', input, owner)).status).toBe(404);
  expect(await identities()).toEqual([]);
});

describe('what is refused', () => {
  beforeEach(verify);

  it.each<[string, Lies]>([
    ['for another audience', { claims: { aud: 'another client' } }],
    ['of another issuer', { claims: { iss: 'https://id.evil.example' } }],
    ['with another nonce', { claims: { nonce: 'x'.repeat(43) } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has ended', { claims: { exp: 1_000_000_000 } }],
    ['that nobody signed', { signed: 'none' }],
    ['with another signature', { signed: 'other' }],
  ])('is a token %s', async (_, lies) => {
    expect(await signIn(marina, lies)).toMatchObject(refused('failed'));
    expect(await identities()).toEqual([]);
  });

  it('is another state, or none', async () => {
    for (const state of ['x'.repeat(43), null]) {
      const { address, cookie } = await leave();
      const back = provider.agree(address, marina);
      if (state === null) back.searchParams.delete('state');
      else back.searchParams.set('state', state);
      expect(await comeBack(back, cookie)).toMatchObject(refused('failed'));
    }
    expect(provider.asked).toBe(0);
  });

  it('is anyone who was not sent there by this browser', async () => {
    const { address } = await leave();
    const back = provider.agree(address, marina);
    expect(await comeBack(back, '')).toMatchObject(refused('failed'));
    expect(await comeBack(back, (await leave()).cookie)).toMatchObject(refused('failed'));
    expect(provider.asked).toBe(0);
  });

  it('is coming back twice, or after ten minutes, or by another provider’s door', async () => {
    const { address, cookie } = await leave();
    const back = provider.agree(address, marina);
    expect(await comeBack(back, cookie)).toMatchObject({ who: OWNER.name });
    expect(await comeBack(back, cookie)).toMatchObject(refused('failed'));
    const late = await leave();
    clock.advance(10 * 60_000);
    expect(await comeBack(provider.agree(late.address, marina), late.cookie)).toMatchObject(refused('failed'));
    const other = await leave();
    const door = provider.agree(other.address, marina);
    door.pathname = '/api/sign-in/provider/google/callback';
    expect(await comeBack(door, other.cookie)).toMatchObject(refused('failed'));
  });

  it('is coming back twice at once', async () => {
    const { address, cookie } = await leave();
    const back = provider.agree(address, marina);
    const both = await Promise.all([comeBack(back, cookie), comeBack(back, cookie)]);
    expect(both.map(({ who }) => who).sort()).toEqual([OWNER.name, null]);
    expect(provider.asked).toBe(1);
  });

  it('is a session that was ended while the provider was asked: it does not come back', async () => {
    await app.close();
    const slow: typeof fetch = async (...asked) => {
      await database.query('delete from sign_in_sessions');
      return await fetch(...asked);
    };
    await start(provider.issuer, { fetch: slow });
    expect((await app.post('/api/sign-in/provider', { provider: 'oidc' }, owner)).status).toBe(401);
    expect(await database.query('select 1 from sign_in_sessions')).toEqual([]);
  });

  it('is shown when they refused', async () => {
    const { address, cookie } = await leave();
    const back = new URL(new URL(address).searchParams.get('redirect_uri') as string);
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('state', new URL(address).searchParams.get('state') as string);
    expect(await comeBack(back, cookie)).toMatchObject(refused('denied'));
  });

  it('is shown when the provider does not respond, and retried the next time', async () => {
    await provider.close();
    const answer = await app.post('/api/sign-in/provider', { provider: 'oidc' });
    expect([answer.status, answer.body.error.code]).toEqual([502, 'upstream']);
    provider = await startProvider(client);
  });
});

it.each(['/\0', '/\ud83d', '/a%00\udc00?b=\0'])('begins wherever one wanted to go, even to %j', async (next) => {
  const strange = await leave('', { next });
  expect((await comeBack(provider.agree(strange.address, marina), strange.cookie)).to).toMatch(/^\/sign-in\?next=%2F/);
  const known = await leave(owner, { next });
  expect((await comeBack(provider.agree(known.address, marina), known.cookie)).to).toMatch(/^\/account\?next=%2F/);
});

it('begins a session under a new id, and leads to where one wanted to go', async () => {
  await verify();
  const { address, cookie } = await leave('', { next: '/project/1/live' });
  const back = await comeBack(provider.agree(address, marina), cookie);
  expect(back).toMatchObject({ to: '/sign-in?next=%2Fproject%2F1%2Flive', who: OWNER.name });
  expect(back.cookie).not.toBe(cookie);
  expect(await app.who(cookie)).toBeNull();
});
