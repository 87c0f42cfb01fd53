/** Setting up, signing in with a password, and what a session's cookie is, over HTTP. */
import { createHmac } from 'node:crypto';
import type { TeamId } from '#src/accounts/contract.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { type AccountsApp, type AccountsAppOptions, startAccounts } from '#test/kit/accounts.ts';
import { useDatabase } from '#test/kit/database.ts';
import { cookieOf, OWNER, setUpOwner } from '#test/kit/sign-in.ts';

const database = useDatabase();
/** Sessions end by the clock of the system. */
const START = Date.now();
const clock = fixedClock(START);
const started: AccountsApp[] = [];

function start(options: AccountsAppOptions = {}): AccountsApp {
  const app = startAccounts(database, { clock, ...options });
  started.push(app);
  return app;
}
afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
});

const { email, password } = OWNER;
const signIn = (app: AccountsApp, typed: object = {}, cookie = '') =>
  app.post('/api/sign-in/password', { email, password, ...typed }, cookie);
const noted = () =>
  database.query<{ action: string; actor: string; details: object; address: string; user_id: number | null }>(
    'select action, actor, details, address, user_id from audit order by id',
  );

describe('setting up', () => {
  it('makes an owner once, and signs them in', async () => {
    const app = start();
    const { cookie, project } = await setUpOwner(app.app);
    expect(await app.who(cookie)).toBe(OWNER.name);
    expect(project).toBeGreaterThan(0);
    const again = await app.post('/api/sign-in/setup', { ...OWNER, email: 'late@example.com' });
    expect(again.status).toBe(409);
    expect(await database.query('select email from users')).toEqual([{ email }]);
  });

  it('needs the token of the log where others can reach it, and takes no other', async () => {
    const app = start({ config: { HOST: '0.0.0.0' } });
    const token = new URL(await app.accounts.signIn.setupAddress()).searchParams.get('token');
    expect(token).toMatch(/^[\w-]{32}$/);
    for (const setupToken of [undefined, '', 'x'.repeat(32), `${token}x`]) {
      const refused = await app.post('/api/sign-in/setup', { ...OWNER, setupToken });
      expect([refused.status, refused.body.error.field]).toEqual([400, 'setupToken']);
    }
    expect(await database.query('select 1 from users')).toEqual([]);
    expect((await app.post('/api/sign-in/setup', { ...OWNER, setupToken: token })).status).toBe(200);
  });

  it.each([
    [
      'people use another name than this machine has',
      { PUBLIC_APP_URL: 'https://luneta.example.com' },
      '127.0.0.1',
      true,
    ],
    ['the request is remote', {}, '203.0.113.9', true],
    ['the request is local', {}, '127.0.0.1', false],
    ['the request is local, by IPv6', {}, '::ffff:127.0.0.1', false],
  ])('asks for it when %s', (_, config, address, needsSetupToken) => {
    expect(start({ config }).accounts.signIn.ways(address)).toMatchObject({ needsSetupToken });
  });

  it.each([
    ['a common password', { password: 'Password1' }, 'password'],
    ['a short password', { password: 'a b c d' }, 'password'],
    ['a long password', { password: 'x'.repeat(129) }, 'password'],
    ['no address', { email: 'marina' }, 'email'],
    ['a zone that is none', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['a name of two lines', { name: 'Marina\nDuarte' }, 'name'],
  ])('refuses %s', async (_, changes, field) => {
    const refused = await start().post('/api/sign-in/setup', { ...OWNER, ...changes });
    expect([refused.status, refused.body.error.field]).toEqual([400, field]);
    expect(await database.query('select 1 from users')).toEqual([]);
  });

  it.each([
    '12345 78',
    'a'.repeat(72),
    `${'b'.repeat(71)}🌒${'c'.repeat(40)}`,
    '  ponte  de  pedra  ',
    '🌒🌓🌔🌕🌖🌗🌘🌑',
  ])('takes %j as it is, to its last character', async (own) => {
    const app = start();
    await app.post('/api/sign-in/setup', { ...OWNER, password: own }).expect(200);
    expect((await signIn(app, { password: own })).status).toBe(200);
    expect((await signIn(app, { password: own.slice(0, -1) })).status).toBe(400);
    expect((await signIn(app, { password: own.trim() })).status).toBe(own.trim() === own ? 200 : 400);
  });
});

describe('with a password', () => {
  it('says the same of a wrong password, an unknown address and what is no address', async () => {
    const app = start();
    await setUpOwner(app.app);
    const answers = [];
    for (const typed of [
      { password: 'wrong' },
      { email: 'nobody@example.com' },
      { email: 'nobody' },
      { password: '' },
    ]) {
      const { status, body, headers } = await signIn(app, typed);
      const { requestId, ...error } = body.error;
      const { 'x-request-id': _, date, 'content-security-policy': policy, ...rest } = headers;
      answers.push({ status, error, rest });
    }
    expect(answers[0]).toMatchObject({ status: 400, error: { code: 'invalid', field: 'password' } });
    for (const each of answers) expect(each).toEqual(answers[0]);
    expect(answers[0]?.rest).not.toHaveProperty('set-cookie');
  });

  it('notes who came in and who did not, and from where', async () => {
    const app = start();
    await setUpOwner(app.app);
    await signIn(app, { password: 'wrong' });
    await signIn(app, { email: 'nobody@example.com' });
    const cookie = cookieOf((await signIn(app)).headers);
    await app.post('/sign-out', {}, cookie).expect(303);
    const address = expect.stringContaining('127.0.0.1');
    expect(await noted()).toEqual([
      { action: 'signIn.succeeded', actor: OWNER.name, details: { how: 'setup' }, user_id: 1, address },
      { action: 'signIn.failed', actor: OWNER.name, details: { how: 'password' }, user_id: 1, address },
      { action: 'signIn.failed', actor: 'nobody@example.com', details: { how: 'password' }, user_id: null, address },
      { action: 'signIn.succeeded', actor: OWNER.name, details: { how: 'password' }, user_id: 1, address },
      { action: 'signIn.ended', actor: OWNER.name, details: { sessions: 1 }, user_id: 1, address },
    ]);
  });

  it('stops guesses at one account, after a restart as well, while its owner can choose a new password', async () => {
    const app = start();
    await setUpOwner(app.app);
    for (let guess = 0; guess < 5; guess++)
      expect((await signIn(app, { password: `guess ${guess}` })).status).toBe(400);
    const refused = await signIn(app);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await signIn(start())).status).toBe(429);
    await app.post('/api/sign-in/forgot', { email }).expect(200);
    await app.accounts.recovery.settled();
    const reader = { team: 1 as TeamId, role: 'owner', all: false } as const;
    const { items } = await app.mail.outbox(reader, null);
    const token = new URL(await app.mail.link(reader, items[0]?.id ?? '')).searchParams.get('token');
    const reset = await app.post('/api/sign-in/new-password', { token, password: 'treze garrafas de vinagre' });
    expect(reset.status).toBe(200);
    expect(await app.who(cookieOf(reset.headers))).toBe(OWNER.name);
  });

  it('takes what is typed from the body alone, so that every guess is counted for the account that it is at', async () => {
    const app = start();
    await setUpOwner(app.app);
    const inAddress = `/api/sign-in/password?email=${encodeURIComponent(email)}&password=${encodeURIComponent(password)}`;
    for (const body of [
      { email: '', password: '' },
      { email: '', password },
      { email, password: '' },
    ]) {
      const refused = await app.post(inAddress, body);
      expect([refused.status, refused.headers['set-cookie']]).toEqual([400, undefined]);
    }
    expect(await database.query('select 1 from sign_in_sessions')).toHaveLength(1);
  });

  it('stops guesses at many accounts from one place', async () => {
    const app = start();
    await setUpOwner(app.app);
    const statuses = new Set<number>();
    for (let guess = 0; guess < 30; guess++)
      statuses.add((await signIn(app, { email: `person-${guess}@a.example` })).status);
    expect([...statuses]).toEqual([400]);
    expect((await signIn(app)).status).toBe(429);
  });

  it('leaves a disabled account outside', async () => {
    const app = start();
    const { cookie } = await setUpOwner(app.app);
    await database.query('update users set disabled_at = $1', [new Date(START)]);
    expect((await signIn(app)).status).toBe(400);
    expect(await app.who(cookie)).toBeNull();
    // Nor does what is left of the session become a mistake of ours.
    clock.advance(6 * 60_000);
    for (const path of ['/api/trpc/accounts.me', '/api/trpc/accounts.me'])
      expect((await app.get(path, cookie)).status).toBe(401);
  });
});

describe('the session', () => {
  it('begins under a new id, and the one before is dead', async () => {
    const app = start();
    const { cookie: first } = await setUpOwner(app.app);
    const second = cookieOf((await signIn(app, {}, first)).headers);
    expect(second).not.toBe(first);
    expect([await app.who(first), await app.who(second)]).toEqual([null, OWNER.name]);
  });

  it('takes no id chosen by others', async () => {
    const app = start();
    await setUpOwner(app.app);
    for (const planted of ['luneta=chosen', 'luneta=s%3Achosen.c2lnbmF0dXJl', 'luneta=s%3Achosen.']) {
      const cookie = cookieOf((await signIn(app, {}, planted)).headers);
      expect(cookie).toMatch(/^luneta=s%3A/);
      expect(cookie).not.toContain('chosen');
    }
    expect(await database.query(`select sid from sign_in_sessions where sid like '%chosen%'`)).toEqual([]);
  });

  it.each([
    ['http', {}, /^luneta=s%3A[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/],
    [
      'https',
      { PUBLIC_APP_URL: 'https://luneta.example.com' },
      /^__Host-luneta=s%3A[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    ],
  ])('has a cookie as strict as %s allows', async (_, config, shape) => {
    const app = start({ config });
    const setupToken = new URL(await app.accounts.signIn.setupAddress()).searchParams.get('token') ?? undefined;
    await setUpOwner(app.app, setupToken);
    const { headers } = await signIn(app);
    const cookies = headers['set-cookie'] as unknown as string[];
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(shape);
  });

  it('makes none for strangers', async () => {
    const app = start();
    await setUpOwner(app.app);
    for (const path of ['/sign-in', '/sign-in/forgot', '/', '/api/trpc/accounts.ways']) {
      expect((await app.get(path)).headers).not.toHaveProperty('set-cookie');
    }
    expect(await database.query('select count(*)::int as sessions from sign_in_sessions')).toEqual([{ sessions: 1 }]);
  });

  it('ends at once, and nothing of it is kept by the browser', async () => {
    const app = start();
    const { cookie } = await setUpOwner(app.app);
    expect((await app.get('/sign-in', cookie)).headers['cache-control']).toContain('no-store');
    expect((await app.get('/api/trpc/accounts.me', cookie)).headers['cache-control']).toContain('no-store');
    const out = await app.post('/sign-out', {}, cookie).expect(303);
    expect([out.headers['location'], out.headers['cache-control']]).toEqual(['/sign-in', 'no-store']);
    expect(await app.who(cookie)).toBeNull();
    const page = await app.get('/project/1/overview', cookie);
    expect([page.status, page.headers['location']]).toEqual([302, '/sign-in?next=%2Fproject%2F1%2Foverview']);
    expect(page.headers['cache-control']).toContain('no-store');
  });

  it('ends after 30 days however often it was used, without a mistake of ours in what was asked for then', async () => {
    for (const [path, answered] of [
      ['/sign-out', 303],
      ['/api/sign-in/password', 200],
    ] as const) {
      clock.set(START);
      await database.query('truncate users, teams, projects cascade');
      const app = start();
      const { cookie } = await setUpOwner(app.app);
      for (let day = 0; day < 30; day += 5) {
        clock.advance(5 * 24 * 3_600_000);
        expect([day, await app.who(cookie)]).toEqual([day, OWNER.name]);
      }
      clock.advance(1);
      expect([path, (await app.post(path, { email, password }, cookie)).status]).toEqual([path, answered]);
      expect(await app.who(cookie)).toBeNull();
    }
    clock.set(START);
  });

  it('outlives a change of the secret while the one before is known', async () => {
    const [before, after] = ['b'.repeat(32), 'a'.repeat(32)];
    const { cookie } = await setUpOwner(start({ config: { AUTH_SECRET: before } }).app);
    const rotated = start({ config: { AUTH_SECRET: after, AUTH_SECRET_PREVIOUS: before } });
    expect(await rotated.who(cookie)).toBe(OWNER.name);
    const renewed = cookieOf((await signIn(rotated)).headers);
    const later = start({ config: { AUTH_SECRET: after } });
    expect([await later.who(cookie), await later.who(renewed)]).toEqual([null, OWNER.name]);
  });

  it('cannot be had from what is stored, even with the key', async () => {
    const secret = 's'.repeat(32);
    const app = start({ config: { AUTH_SECRET: secret } });
    const { cookie } = await setUpOwner(app.app);
    expect(await app.who(cookie)).toBe(OWNER.name);
    const rows = await database.query<{ sid: string }>('select sid from sign_in_sessions');
    for (const { sid } of rows) {
      const signature = createHmac('sha256', secret).update(sid).digest('base64').replace(/=+$/, '');
      expect(cookie).not.toContain(sid);
      expect(await app.who(`luneta=${encodeURIComponent(`s:${sid}.${signature}`)}`)).toBeNull();
    }
  });

  it('outlives a restart when no setting has a secret', async () => {
    const { cookie } = await setUpOwner(start().app);
    expect(await start().who(cookie)).toBe(OWNER.name);
    expect(await database.query('select count(*)::int as kept from secrets')).toEqual([{ kept: 1 }]);
  });
});

describe('who is led where', () => {
  const leadsTo = async (app: AccountsApp, path: string, cookie = '') => {
    const { status, headers } = await app.get(path, cookie);
    return status === 302 ? headers['location'] : status;
  };

  it('redirects to the set-up until it is complete', async () => {
    const app = start();
    expect([await leadsTo(app, '/'), await leadsTo(app, '/sign-in'), await leadsTo(app, '/setup')]).toEqual([
      '/setup',
      '/setup',
      200,
    ]);
    const { cookie } = await setUpOwner(app.app);
    expect([
      await leadsTo(app, '/setup'),
      await leadsTo(app, '/sign-in'),
      await leadsTo(app, '/setup', cookie),
    ]).toEqual(['/sign-in', 200, '/']);
  });

  it.each([
    ['/project/1/live?event=2', '/project/1/live?event=2'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
    ['https:evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
  ])('redirects a signed-in person from next=%j to %j', async (next, to) => {
    const app = start();
    const { cookie } = await setUpOwner(app.app);
    expect(await leadsTo(app, `/sign-in?next=${encodeURIComponent(next)}`, cookie)).toBe(to);
  });

  it('keeps addresses with a secret out of what is asked for next', async () => {
    const app = start();
    expect((await app.get('/setup?token=abc')).headers['referrer-policy']).toBe('no-referrer');
    await setUpOwner(app.app);
    for (const path of ['link', 'new-password', 'confirm']) {
      expect((await app.get(`/sign-in/${path}?token=abc`)).headers['referrer-policy']).toBe('no-referrer');
    }
  });
});
