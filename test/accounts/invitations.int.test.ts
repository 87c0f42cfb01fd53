/** Invitations over HTTP: links that work once, for those they are for, and tell nobody who has an account. */
import { createHash } from 'node:crypto';
import { createAudit } from '#src/accounts/audit.ts';
import { createInvitations } from '#src/accounts/teams/invitations.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { createMail } from '#src/mail/mail.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import { callsOf, joinTeam, type Person, tokenOf } from '#test/kit/people.ts';
import { startMailService } from '#test/kit/sendgrid.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const DAY_MS = 86_400_000;
const database = useDatabase({ between: 'nothing' });
/** Sessions end by the clock of the system. */
const START = Date.now();
const clock = fixedClock(START);
const whole = useWholeApp(database, {}, { clock });

let made = 0;
let team: number;
let calls: ReturnType<typeof callsOf>;
let ana: Person;

beforeEach(async () => {
  made += 1;
  calls = callsOf(whole);
  const { body } = await calls.mutation(whole.owner, 'accounts.teams.create', { name: `Equipe ${made}` }).expect(200);
  team = body.result.data.json.id;
  ana = await joinTeam(whole, { team, role: 'admin', name: `Ana ${made}`, cookie: whole.owner });
});
afterEach(() => database.query('truncate rate_limits'));

const call = (cookie: string, procedure: string, input: object = {}) =>
  calls.mutation(cookie, `accounts.teams.${procedure}`, { team, ...input });
const look = async (token: string, cookie = '') =>
  (await calls.query(cookie, 'accounts.teams.invitation', { token }).expect(200)).body.result.data.json;

async function invite(email: string, { role = 'viewer', cookie = whole.owner } = {}) {
  const { body } = await call(cookie, 'invite', { email, role, by: 'link' }).expect(200);
  const { id, link } = body.result.data.json as { id: number; link: string };
  return { id, link, token: tokenOf(link) };
}

const account = (token: string) => ({
  ...{ token, name: 'Joana Prado', password: 'nove xícaras de café', language: 'pt-BR' },
  timeZone: 'America/Sao_Paulo',
});
const join = (token: string, changes: object = {}) =>
  calls.post('/api/sign-in/invitation', { ...account(token), ...changes });

async function memberships(email: string) {
  return database.query<{ role: string; email_verified_at: Date | null; language: string }>(
    `select role, email_verified_at, language
       from members join users on users.id = user_id where team_id = $1 and email = $2`,
    [team, email],
  );
}

it('makes a link of 256 bits to this installation and keeps only its hash', async () => {
  const { link, token } = await invite('joana@example.com');
  expect(link).toMatch(/^http:\/\/localhost:3000\/invite\/[\w-]{43}$/);
  const [row] = await database.query<{ hash: Buffer }>('select hash from invitations order by id desc limit 1');
  expect(row?.hash).toEqual(createHash('sha256').update(token).digest());
  const { text } = await calls.query(whole.owner, 'accounts.teams.view', { team });
  expect(text).toContain('joana@example.com');
  expect(text).not.toContain(token);
  expect(whole.lines.join('\n')).not.toContain(token);
});

it('can be accepted once without an account', async () => {
  const email = `joana.${made}@example.com`;
  const { token } = await invite(email, { role: 'member' });
  expect(await look(token)).toEqual({
    ...{ state: 'open', team: { name: `Equipe ${made}` }, inviter: 'Marina Duarte', email, role: 'member' },
    isYou: null,
  });
  const joined = await join(token, { email: 'other@example.com', role: 'owner', team: 1 }).expect(200);
  expect(joined.body).toEqual({ team });
  expect(joined.headers['set-cookie']?.[0]).toMatch(/HttpOnly.*SameSite=Lax/i);
  // A link that was passed on by hand says nothing about the mailbox.
  expect(await memberships(email)).toEqual([{ role: 'member', email_verified_at: null, language: 'pt-BR' }]);
  await join(token).expect(404);
  expect(await look(token)).toEqual({ state: 'gone' });
});

it('lets only one in when two come with the same link', async () => {
  const { token } = await invite(`joana.${made}@example.com`);
  const answers = await Promise.all([join(token), join(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

it('can be accepted with an account in one call, only by the invited person', async () => {
  const { token } = await invite('outra@example.com');
  expect(await look(token, ana.cookie)).toMatchObject({ state: 'open', isYou: false });
  await calls.mutation(ana.cookie, 'accounts.teams.join', { token }).expect(403);
  await calls.mutation('', 'accounts.teams.join', { token }).expect(401);
  await call(whole.owner, 'remove', { user: ana.id }).expect(200);
  const again = await invite(ana.email.toUpperCase(), { role: 'member' });
  expect(await look(again.token, ana.cookie)).toMatchObject({ state: 'open', isYou: true });
  const joined = await calls.mutation(ana.cookie, 'accounts.teams.join', { token: again.token }).expect(200);
  expect(joined.body.result.data.json).toEqual({ team });
  expect(await memberships(ana.email)).toMatchObject([{ role: 'member' }]);
  expect(await look(again.token, ana.cookie)).toEqual({ state: 'joined', team: { id: team, name: `Equipe ${made}` } });
  expect(await look(again.token)).toEqual({ state: 'gone' });
  await calls.mutation(ana.cookie, 'accounts.teams.join', { token: again.token }).expect(404);
});

it('looks the same for an address with an account and one without', async () => {
  await call(whole.owner, 'remove', { user: ana.id }).expect(200);
  const known = await invite(ana.email);
  const unknown = await invite('nobody@example.com');
  const [one, other] = [await look(known.token), await look(unknown.token)];
  expect({ ...one, email: '' }).toEqual({ ...other, email: '' });
  const taken = await join(known.token).expect(409);
  expect(taken.body.error).toMatchObject({ code: 'conflict' });
  expect(await memberships(ana.email)).toEqual([]);
});

it('ends after seven days', async () => {
  const { token } = await invite('joana@example.com');
  clock.advance(7 * DAY_MS - 1);
  expect(await look(token)).toMatchObject({ state: 'open' });
  clock.advance(1);
  expect(await look(token)).toEqual({ state: 'gone' });
  await join(token).expect(404);
  clock.set(START);
});

it('is withdrawn, or given another link, after which the one before is dead', async () => {
  const first = await invite('joana@example.com');
  const renewed = await call(ana.cookie, 'renewInvitation', { invitation: first.id, by: 'link' }).expect(200);
  const token = tokenOf(renewed.body.result.data.json.link);
  expect(await look(first.token)).toEqual({ state: 'gone' });
  expect(await look(token)).toMatchObject({ state: 'open' });
  await call(ana.cookie, 'revokeInvitation', { invitation: first.id }).expect(200);
  expect(await look(token)).toEqual({ state: 'gone' });
  await call(ana.cookie, 'revokeInvitation', { invitation: first.id }).expect(404);
  await call(ana.cookie, 'renewInvitation', { invitation: first.id, by: 'link' }).expect(404);
});

it('takes the place of an earlier one to the same address', async () => {
  const first = await invite('Joana@Example.com');
  const second = await invite('joana@example.com', { role: 'member' });
  expect(await look(first.token)).toEqual({ state: 'gone' });
  expect(await look(second.token)).toMatchObject({ role: 'member' });
});

it('belongs to one team: another cannot touch it', async () => {
  const { id, token } = await invite('joana@example.com');
  const foreign = { team: whole.team, invitation: id };
  await calls.mutation(whole.owner, 'accounts.teams.revokeInvitation', foreign).expect(404);
  await calls.mutation(whole.owner, 'accounts.teams.renewInvitation', { ...foreign, by: 'link' }).expect(404);
  expect(await look(token)).toMatchObject({ state: 'open' });
});

it('gives no role above that of the inviting member', async () => {
  const refused = await call(ana.cookie, 'invite', { email: 'a@example.com', role: 'owner', by: 'link' }).expect(400);
  expect(refused.body.error.json.data.field).toBe('role');
  const owner = await invite('b@example.com', { role: 'owner' });
  await call(ana.cookie, 'renewInvitation', { invitation: owner.id, by: 'link' }).expect(400);
  await call(ana.cookie, 'invite', { email: 'c@example.com', role: 'admin', by: 'link' }).expect(200);
});

it('refuses members, addresses that are none, common passwords and time zones that are none', async () => {
  const member = await call(whole.owner, 'invite', { email: ana.email, role: 'viewer', by: 'link' }).expect(409);
  expect(member.body.error.json.data.field).toBe('email');
  await call(whole.owner, 'invite', { email: 'a@b\nbcc: c@d.example', role: 'viewer', by: 'mail' }).expect(400);
  const { token } = await invite('joana@example.com');
  for (const [field, value] of [
    ['password', 'password1'],
    ['password', 'short'],
    ['timeZone', 'Mars/Olympus'],
    ['name', ''],
  ] as const) {
    const { body } = await join(token, { [field]: value }).expect(400);
    expect(body.error.field).toBe(field);
  }
  expect(await look(token)).toMatchObject({ state: 'open' });
});

it('is shown as a link when mail is not set up', async () => {
  const { body } = await call(whole.owner, 'invite', { email: 'a@example.com', role: 'viewer', by: 'mail' }).expect(
    200,
  );
  expect(body.result.data.json.link).toContain('/invite/');
});

it('can be sent by mail only so often', async () => {
  const send = (email: string) => call(whole.owner, 'invite', { email, role: 'viewer', by: 'mail' });
  const statuses: number[] = [];
  for (let sent = 0; sent < 5; sent++) statuses.push((await send('same@example.com')).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
});

describe('by mail', () => {
  const settings = { SENDGRID_API_KEY: 'SG.test', MAIL_FROM: 'Luneta <luneta@example.com>' };

  let close = async (): Promise<void> => undefined;
  afterEach(() => close());

  async function mailed() {
    const service = await startMailService();
    const deps = testDeps(database.url, { config: settings });
    const mail = createMail(deps, { secrets: createSecrets(deps), sendgridUrl: service.url });
    const { projects, limits } = whole.parts.rooms;
    const invitations = createInvitations(deps, { mail, projects, limits, audit: createAudit(deps) });
    const [row] = await database.query<{ id: number }>(`select id from users where email = 'marina@serrana.example'`);
    const reader = await whole.parts.rooms.accounts.reader(row?.id as number);
    if (reader === null) throw new Error('no owner');
    const by = {
      reader,
      team: reader.teams.find(({ id }) => id === team)?.id as never,
      role: 'owner',
      address: '',
    } as const;
    const email = `mailed.${made}@example.com`;
    close = async () => {
      await mail.stop();
      await deps.close();
      await service.close();
    };
    return { service, mail, invitations, by, email };
  }

  it('proves the mailbox, and shows the inviting member no link', async () => {
    const { service, mail, invitations, by, email } = await mailed();
    const { link } = await invitations.invite(by, { email, role: 'viewer', by: 'mail' });
    expect(link).toBeNull();
    await mail.stop();
    const token = /\/invite\/([\w-]{43})/.exec(JSON.stringify(service.sent))?.[1] ?? '';
    expect(token).not.toBe('');
    await invitations.acceptAsNew(account(token) as never, '203.0.113.7');
    expect(await memberships(email)).toMatchObject([{ email_verified_at: expect.any(Date) }]);
  });

  it('proves nothing when the link was copied from the outbox, or renewed to be copied', async () => {
    const { service, mail, invitations, by, email } = await mailed();
    service.answers.push({ status: 400, body: {} });
    const { id } = await invitations.invite(by, { email, role: 'viewer', by: 'mail' });
    await mail.stop();
    const [row] = await database.query<{ id: string }>('select id from mails where to_address = $1', [email]);
    const link = await mail.link({ team: by.team, role: 'owner', all: false }, row?.id as string);
    await mail.resend({ team: by.team, role: 'owner', all: false }, row?.id as string);
    await mail.stop();
    await invitations.acceptAsNew(account(tokenOf(link)) as never, '203.0.113.7');
    expect(await memberships(email)).toMatchObject([{ email_verified_at: null }]);
    await expect(invitations.renew(by, id, 'link')).rejects.toThrow('Invitation not found');
  });
});
