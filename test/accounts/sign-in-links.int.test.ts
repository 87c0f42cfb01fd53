/** Links by email: they work once, and do not disclose who has an account. */
import { createHash } from 'node:crypto';
import type { TeamId } from '#src/accounts/contract.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { type AccountsApp, type AccountsAppOptions, startAccounts } from '#test/kit/accounts.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type MailService, startMailService } from '#test/kit/sendgrid.ts';
import { cookieOf, OWNER, setUpOwner } from '#test/kit/sign-in.ts';

const MINUTE_MS = 60_000;
const { email } = OWNER;
const password = 'treze garrafas de vinagre';
const unknown = 'nobody@serrana.example';

const database = useDatabase();
/** Sessions end by the clock of the system. */
const START = Date.now();
const clock = fixedClock(START);
let service: MailService;
let app: AccountsApp;
let owner: string;

async function start(options: AccountsAppOptions = {}): Promise<void> {
  app = startAccounts(database, { clock, ...options });
  const setup = new URL(await app.accounts.signIn.setupAddress());
  owner = (await setUpOwner(app.app, setup.searchParams.get('token') ?? undefined)).cookie;
}

/** With a mail service, which has taken the mail that confirms the owner's address. */
async function startWithMail(options: AccountsAppOptions['config'] = {}): Promise<void> {
  const config = { SENDGRID_API_KEY: 'SG.test', MAIL_FROM: 'Luneta <luneta@serrana.example>', ...options };
  await start({ config, sendgridUrl: service.url });
  await service.arrived(1);
}

beforeEach(async () => {
  clock.set(START);
  service = await startMailService();
});
afterEach(async () => {
  await app.close();
  await service.close();
});

/** Links of the mails that were sent, oldest first. */
const mailed = () =>
  service.sent.map(({ body }) => {
    const [text] = body.content.filter(({ type }) => type === 'text/plain');
    return new URL(/https?:\/\/\S+/.exec(text?.value ?? '')?.[0] ?? '');
  });

/** Asks, and gives the link of the mail that comes. */
async function ask(way: 'link' | 'forgot', body: object = { email }): Promise<URL> {
  const before = service.sent.length;
  await app.post(`/api/sign-in/${way}`, body).expect(200);
  await service.arrived(before + 1);
  return mailed()[before] as URL;
}

const tokenIn = (link: URL) => link.searchParams.get('token') ?? '';
const use = (token: string, path = 'link/use', more: object = {}) =>
  app.post(`/api/sign-in/${path}`, { token, ...more });
const reset = (token: string) => use(token, 'new-password', { password });
const verified = async () => {
  const [row] = await database.query<{ at: Date | null }>('select email_verified_at as at from users where id = 1');
  return row?.at !== null;
};

describe('asking for one', () => {
  it.each(['link', 'forgot'])('answers alike whether there is an account or not (%s)', async (way) => {
    await startWithMail();
    const answers = [];
    for (const to of [email, unknown]) {
      const { status, body, headers } = await app.post(`/api/sign-in/${way}`, { email: to });
      const { 'x-request-id': _, date, 'content-security-policy': policy, ...rest } = headers;
      answers.push({ status, body, rest });
    }
    expect(answers[0]).toMatchObject({ status: 200, body: {} });
    expect(answers[1]).toEqual(answers[0]);
    await service.arrived(2);
    await app.accounts.recovery.settled();
    expect(service.sent.map(({ body }) => body.personalizations[0]?.to[0]?.email)).toEqual([email, email]);
  });

  it('sends three an hour to one mailbox, and answers all the same', async () => {
    await startWithMail();
    for (let asked = 0; asked < 5; asked++) await app.post('/api/sign-in/forgot', { email }).expect(200, {});
    await app.accounts.recovery.settled();
    await service.arrived(4);
    expect(service.sent).toHaveLength(4);
  });

  it('makes links with the configured address, regardless of the request', async () => {
    await startWithMail({ AUTH_URL: 'https://auth.serrana.example' });
    await app.post('/api/sign-in/forgot', { email }).set('Host', 'localhost').set('X-Forwarded-Host', 'evil.example');
    await service.arrived(2);
    expect(mailed().map(({ origin }) => origin)).toEqual(Array(2).fill('https://auth.serrana.example'));
  });

  it('keeps only a hash', async () => {
    await startWithMail();
    const token = tokenIn(await ask('forgot'));
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const rows = await database.query<{ hash: Buffer; row: string }>(
      `select hash, to_json(one_time_links)::text as row from one_time_links where purpose = 'reset'`,
    );
    expect(rows.map(({ hash }) => hash)).toEqual([createHash('sha256').update(token).digest()]);
    expect(rows[0]?.row).not.toContain(token);
  });

  it('offers no link where no mail is sent, and lets an owner pass a new password on', async () => {
    await start();
    expect(app.accounts.signIn.ways('127.0.0.1').link).toBe(false);
    await app.post('/api/sign-in/link', { email }).expect(200);
    await app.post('/api/sign-in/forgot', { email }).expect(200);
    await app.accounts.recovery.settled();
    const reader = { team: 1 as TeamId, role: 'owner', all: false } as const;
    const { items } = await app.mail.outbox(reader, null);
    expect(items.map(({ kind, hasLink }) => [kind, hasLink])).toEqual([['resetPassword', true]]);
    const { items: asAdmin } = await app.mail.outbox({ ...reader, role: 'admin' }, null);
    expect(asAdmin.map(({ hasLink }) => hasLink)).toEqual([false]);
    const link = await app.mail.link(reader, items[0]?.id ?? '');
    expect((await reset(tokenIn(new URL(link)))).status).toBe(200);
    expect(await verified()).toBe(false);
  });

  it('is shown to the operator only when the person is in several teams', async () => {
    await start();
    await database.query(`with made as (insert into teams (name, created_at) values ('Outra', now()) returning id)
      insert into members (team_id, user_id, role, joined_at) select id, 1, 'viewer', now() from made`);
    await app.post('/api/sign-in/forgot', { email }).expect(200);
    await app.accounts.recovery.settled();
    for (const team of [1, 2] as TeamId[]) {
      expect((await app.mail.outbox({ team, role: 'owner', all: false }, null)).items).toEqual([]);
    }
    expect((await app.mail.outbox({ team: 1 as TeamId, role: 'owner', all: true }, null)).items).toHaveLength(1);
  });
});

describe('a link that signs in', () => {
  it('is looked at as often as one likes and works once, in any browser', async () => {
    await startWithMail();
    const link = await ask('link', { email: ` ${email.toUpperCase()}`, next: '/project/1/live' });
    expect([link.pathname, link.searchParams.get('next')]).toEqual(['/sign-in/link', '/project/1/live']);
    for (let looked = 0; looked < 3; looked++) {
      const page = await app.get(link.pathname + link.search);
      expect(page.status).toBe(200);
      expect(page.text).toContain(email);
      expect(page.headers).not.toHaveProperty('set-cookie');
    }
    const used = await use(tokenIn(link));
    expect(used.body).toEqual({});
    expect(await app.who(cookieOf(used.headers))).toBe(OWNER.name);
    expect((await use(tokenIn(link))).status).toBe(404);
    expect((await app.get(link.pathname + link.search)).text).not.toContain(email);
  });

  it('works for one of two who use it at once', async () => {
    await startWithMail();
    const token = tokenIn(await ask('link'));
    const both = await Promise.all([use(token), use(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('ends after ten minutes', async () => {
    await startWithMail();
    const token = tokenIn(await ask('link'));
    clock.advance(10 * MINUTE_MS);
    expect((await use(token)).status).toBe(404);
  });

  it('ends when a newer one is made, which works', async () => {
    await startWithMail();
    const [older, newer] = [tokenIn(await ask('link')), tokenIn(await ask('link'))];
    expect((await use(older)).status).toBe(404);
    expect((await use(newer)).status).toBe(200);
  });

  it('is nothing to the other purposes', async () => {
    await startWithMail();
    const token = tokenIn(await ask('link'));
    expect([(await reset(token)).status, (await use(token, 'confirm')).status]).toEqual([404, 404]);
    expect((await use(token)).status).toBe(200);
  });

  it('starts a new session with any cookie', async () => {
    await startWithMail();
    const token = tokenIn(await ask('link'));
    const used = await app.post('/api/sign-in/link/use', { token }, owner);
    expect(cookieOf(used.headers)).not.toBe(owner);
    expect(await app.who(owner)).toBeNull();
  });

  it('shows that the mailbox is theirs', async () => {
    await startWithMail();
    expect(await verified()).toBe(false);
    await use(tokenIn(await ask('link')));
    expect(await verified()).toBe(true);
  });

  it('is not enough where a second step is needed', async () => {
    await startWithMail();
    await database.query(`update users set totp_secret = 'x', totp_confirmed_at = now()`);
    const used = await use(tokenIn(await ask('link')));
    expect(used.body).toEqual({ secondStep: true });
    expect(await app.who(cookieOf(used.headers))).toBeNull();
  });

  it('is none for a disabled account', async () => {
    await startWithMail();
    const token = tokenIn(await ask('link'));
    await database.query('update users set disabled_at = now()');
    expect((await use(token)).status).toBe(404);
  });

  it.each(['', 'x', 'x'.repeat(43), "' or 1=1 --"])('is not %j', async (token) => {
    await startWithMail();
    expect((await use(token)).status).toBe(404);
    expect((await reset(token)).status).toBe(404);
  });
});

describe('a link to a new password', () => {
  it('sets it, ends every session, and signs in', async () => {
    await startWithMail();
    const token = tokenIn(await ask('forgot'));
    const done = await reset(token);
    expect(await app.who(cookieOf(done.headers))).toBe(OWNER.name);
    expect(await app.who(owner)).toBeNull();
    const typed = (own: string) => app.post('/api/sign-in/password', { email, password: own });
    expect([(await typed(OWNER.password)).status, (await typed(password)).status]).toEqual([400, 200]);
    expect((await reset(token)).status).toBe(404);
    await service.arrived(3);
    expect(mailed()[2]?.pathname).toBe('/account');
    const actions = await database.query<{ action: string }>('select action from audit order by id');
    expect(actions.map(({ action }) => action)).toContain('password.reset');
  });

  it.each([
    ['removes other credentials when the mailbox was not proved before', false, [0, 0, 0]],
    ['keeps them when it was', true, [1, 1, 1]],
  ])('%s', async (_, isShown, left) => {
    await startWithMail();
    await database.query(`with p as (insert into passkeys (credential_id, user_id, public_key, counter, transports, name, created_at)
        values ('k', 1, '', 0, '{}', 'Key', now())), i as (insert into identities (issuer, subject, user_id, created_at)
        values ('https://id.example', 's', 1, now()))
      insert into api_keys (user_id, name, hash, hint, scopes, created_at) values (1, 'Key', 'x', 'lnk_1234', '{}', now())`);
    if (isShown) await use(tokenIn(mailed()[0] as URL), 'confirm');
    expect((await reset(tokenIn(await ask('forgot')))).status).toBe(200);
    const counts = await database.query(`select (select count(*)::int from passkeys) as a,
      (select count(*)::int from identities) as b, (select count(*)::int from api_keys) as c`);
    expect(counts).toEqual([{ a: left[0], b: left[1], c: left[2] }]);
  });

  it('survives a password that is refused', async () => {
    await startWithMail();
    const token = tokenIn(await ask('forgot'));
    for (const refused of ['password1', 'short', 'x'.repeat(129)]) {
      const answer = await use(token, 'new-password', { password: refused });
      expect([answer.status, answer.body.error.field]).toEqual([400, 'password']);
    }
    expect((await reset(token)).status).toBe(200);
  });

  it('ends after an hour', async () => {
    await startWithMail();
    const token = tokenIn(await ask('forgot'));
    clock.advance(59 * MINUTE_MS);
    expect((await app.get(`/sign-in/new-password?token=${token}`)).text).toContain(email);
    clock.advance(MINUTE_MS);
    expect((await reset(token)).status).toBe(404);
  });

  it('ends what links could do before', async () => {
    await startWithMail();
    const link = tokenIn(await ask('link'));
    expect((await reset(tokenIn(await ask('forgot')))).status).toBe(200);
    expect((await use(link)).status).toBe(404);
  });

  it('ends when the account gets another address', async () => {
    await startWithMail();
    const token = tokenIn(await ask('forgot'));
    await database.query(`update users set email = 'new@serrana.example', email_key = 'new@serrana.example'`);
    expect((await reset(token)).status).toBe(404);
  });
});

describe('a link that confirms an address', () => {
  it('comes after setting up, is good for three days, and signs nobody in', async () => {
    await startWithMail();
    const link = mailed()[0] as URL;
    expect(link.pathname).toBe('/sign-in/confirm');
    clock.advance(3 * 24 * 60 * MINUTE_MS - 1);
    await app.get(link.pathname + link.search).expect(200);
    expect(await verified()).toBe(false);
    const done = await use(tokenIn(link), 'confirm');
    expect([done.status, done.body, done.headers['set-cookie']]).toEqual([200, { email }, undefined]);
    expect(await verified()).toBe(true);
  });

  it('can be copied by the operator only: owners of a team cannot vouch for a mailbox', async () => {
    await start();
    await app.post('/api/trpc/accounts.askForVerification', { json: null }, owner).expect(200);
    const seen = async (all: boolean) =>
      (await app.mail.outbox({ team: 1 as TeamId, role: 'owner', all }, null)).items.map(({ kind }) => kind);
    expect([await seen(false), await seen(true)]).toEqual([[], ['verifyEmail']]);
  });

  it('can be asked for again, by its person alone', async () => {
    await startWithMail();
    const path = '/api/trpc/accounts.askForVerification';
    expect((await app.post(path, { json: null })).status).toBe(401);
    expect((await app.post(path, { json: null }, owner)).status).toBe(200);
    await service.arrived(2);
    const [older, newer] = mailed().map(tokenIn);
    expect((await use(older ?? '', 'confirm')).status).toBe(404);
    expect((await use(newer ?? '', 'confirm')).status).toBe(200);
  });
});
