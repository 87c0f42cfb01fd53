/** Profile, password and e-mail address over HTTP, with the mails that tell about it. */
import { fixedClock } from '#src/kit/clock.ts';
import { useDatabase } from '#test/kit/database.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { type Person, person, signedIn } from './person.ts';

const database = useDatabase({ between: 'nothing' });
const clock = fixedClock(Date.now());
const whole = useWholeApp(database, { AUTH_URL: 'https://entrada.example' }, { clock });
const NEW = 'marina@nova.example';
let password: string = OWNER.password;
let email: string = OWNER.email;
let owner: Person;

beforeAll(() => {
  owner = person(whole.app, whole.owner);
});
beforeEach(async () => {
  await database.query('delete from rate_limits');
  await database.query('delete from mails');
});

const isIn = async (someone: Person) => (await someone.ask('get')).status === 200;
const enter = async (typed: { email: string; password: string }) =>
  (await person(whole.app).post('password', typed)).status;
const mails = () =>
  database.query<{ id: string; kind: string; to_address: string; language: string }>(
    'select id, kind, to_address, language from mails order by kind, id',
  );
/** What the outbox would let an owner copy. */
async function linkIn(id: string): Promise<URL> {
  const team = whole.parts.rooms.mail;
  return new URL(await team.link({ team: whole.team as never, role: 'owner', all: true }, id));
}

describe('the profile', () => {
  it('keeps name, language and time zone', async () => {
    const changed = { name: 'Marina D. Reis', language: 'pt-BR', timeZone: 'Europe/Lisbon' };
    expect((await owner.call('setProfile', changed)).status).toBe(200);
    expect((await owner.ask('get')).data).toMatchObject(changed);
  });

  it.each([
    ['timeZone', { name: 'Marina', language: 'en', timeZone: 'Mars/Olympus' }],
    ['language', { name: 'Marina', language: 'tlh', timeZone: 'UTC' }],
    ['name', { name: ' ', language: 'en', timeZone: 'UTC' }],
    ['name', { name: 'Marina\r\nBcc: all@example.com', language: 'en', timeZone: 'UTC' }],
  ])('refuses a wrong %s', async (field, input) => {
    expect(await owner.call('setProfile', input)).toMatchObject({ status: 400, error: { appCode: 'invalid', field } });
  });

  it('does not take what is not offered', async () => {
    const more = { id: 99, email: 'x@y.example', operator: false, disabledAt: 1, role: 'viewer', createdAt: 0 };
    const input = { name: 'Marina', language: 'pt-BR', timeZone: 'UTC', ...more };
    expect((await owner.call('setProfile', input)).status).toBe(200);
    const rows = await database.query<{ email: string; disabled_at: unknown }>('select email, disabled_at from users');
    expect(rows).toEqual([{ email: OWNER.email, disabled_at: null }]);
  });

  it('tells nothing that is secret', async () => {
    const { data } = await owner.ask('get');
    expect(Object.keys(data).sort()).toEqual(
      [
        'at',
        'email',
        'emailVerified',
        'hasCodes',
        'hasPassword',
        'language',
        'name',
        'passkeys',
        'recoveryCodesLeft',
        'signIns',
        'tableFormat',
        'timeZone',
      ].sort(),
    );
    expect(JSON.stringify(data)).not.toMatch(/argon2|hash|secret/i);
  });
});

describe('the password', () => {
  it.each([
    ['current', { current: 'not it', password: 'quatro sacas de café' }],
    ['current', { password: 'quatro sacas de café' }],
    ['password', { current: OWNER.password, password: 'short' }],
    ['password', { current: OWNER.password, password: 'x'.repeat(129) }],
    ['password', { current: OWNER.password, password: 'password1' }],
    ['password', { current: OWNER.password, password: 'QWERTYUIOP' }],
  ])('is not changed with a wrong %s', async (field, input) => {
    expect(await owner.call('setPassword', input)).toMatchObject({ status: 400, error: { appCode: 'invalid', field } });
    expect(await mails()).toEqual([]);
  });

  it.each([
    ['8 characters', 'zq8kfw2p'],
    ['128 characters, no cut at 72 bytes', `${'é'.repeat(64)}${'k'.repeat(64)}`],
    ['spaces and emoji, kept', '  ☕️ manhã de chuva 🌧  '],
  ])('may be of any composition: %s', async (_, next) => {
    expect((await owner.call('setPassword', { current: password, password: next })).status).toBe(200);
    expect(await enter({ email, password })).toBe(400);
    expect(await enter({ email, password: next.slice(0, -1) })).toBe(400);
    expect(await enter({ email, password: next })).toBe(200);
    password = next;
  });

  it('signs out everywhere else, and tells its owner in their language', async () => {
    const other = await signedIn(whole.app, password);
    const next = 'quatro sacas de café';
    expect((await owner.call('setPassword', { current: password, password: next })).status).toBe(200);
    password = next;
    expect([await isIn(owner), await isIn(other)]).toEqual([true, false]);
    const [mail] = await mails();
    expect(mail).toMatchObject({ kind: 'passwordChanged', to_address: email, language: 'pt-BR' });
    const audit = await database.query(`select action from audit where action = 'password.changed'`);
    expect(audit.length).toBeGreaterThan(0);
  });

  it('limits guesses of the current one, and discloses nothing', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      statuses.push(
        (await owner.call('setPassword', { current: `wrong ${index}`, password: 'seis sacas de café' })).status,
      );
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('can be set without a current one after recent authentication', async () => {
    await database.query('update users set password_hash = null');
    const next = { password: 'cinco sacas de café' };
    clock.advance(11 * 60_000);
    expect(await owner.call('setPassword', next)).toMatchObject({ status: 403, error: { field: 'proof' } });
    await database.query(`update sign_in_sessions set sess = jsonb_set(sess::jsonb, '{luneta,provedAt}', $1)::json`, [
      String(clock.now()),
    ]);
    expect((await owner.call('setPassword', next)).status).toBe(200);
    password = next.password;
    expect(await enter({ email, password })).toBe(200);
  });
});

describe('the e-mail address', () => {
  const ask = async (address: string) => owner.call('setEmail', { email: address });
  let token: string;

  it('needs a recent proof, an address, and another than before', async () => {
    clock.advance(11 * 60_000);
    expect(await ask(NEW)).toMatchObject({ status: 403, error: { appCode: 'forbidden', field: 'proof' } });
    expect((await owner.post('prove', { password })).status).toBe(200);
    expect(await ask('no address')).toMatchObject({ status: 400, error: { field: 'email' } });
    expect(await ask(OWNER.email.toUpperCase())).toMatchObject({ status: 400, error: { field: 'email' } });
    expect(await mails()).toEqual([]);
  });

  it('is changed by the link in the mail to the new one, which is made from the configured address', async () => {
    expect((await ask(NEW)).status).toBe(200);
    const [mail] = await mails();
    expect(mail).toMatchObject({ kind: 'emailChangeConfirm', to_address: NEW });
    const link = await linkIn(mail?.id ?? '');
    expect(link.origin).toBe('https://entrada.example');
    token = link.searchParams.get('token') ?? '';
    expect(token.length).toBeGreaterThan(40);
    const [stored] = await database.query<{ text: string }>('select one_time_links::text as text from one_time_links');
    expect(stored?.text).not.toContain(token);

    const stranger = person(whole.app);
    expect((await stranger.ask('emailOfLink', { token })).data).toBe(NEW);
    expect((await owner.ask('get')).data.email).toBe(OWNER.email);
    expect(await stranger.call('confirmEmail', { token })).toMatchObject({ status: 200, data: NEW });
    email = NEW;
    expect((await owner.ask('get')).data).toMatchObject({ email: NEW, emailVerified: true });
    expect(await enter({ email: OWNER.email, password })).toBe(400);
    expect(await enter({ email: NEW, password })).toBe(200);
  });

  it('tells the address before', async () => {
    clock.advance(1_000);
    expect((await ask('outra@nova.example')).status).toBe(200);
    const [asked] = await mails();
    const link = await linkIn(asked?.id ?? '');
    const again = link.searchParams.get('token') ?? '';
    expect((await owner.call('confirmEmail', { token: again })).status).toBe(200);
    email = 'outra@nova.example';
    expect((await mails()).map(({ kind, to_address }) => [kind, to_address])).toEqual([
      ['emailChangeConfirm', 'outra@nova.example'],
      ['emailChanged', NEW],
    ]);
  });

  it('works once, not after an hour, and not for another purpose', async () => {
    expect(await owner.call('confirmEmail', { token })).toMatchObject({ status: 404 });
    expect((await owner.ask('emailOfLink', { token })).data).toBeNull();
    expect((await ask(NEW)).status).toBe(200);
    const [asked] = await mails();
    const late = (await linkIn(asked?.id ?? '')).searchParams.get('token') ?? '';
    clock.advance(60 * 60_000 + 1);
    expect((await owner.ask('emailOfLink', { token: late })).data).toBeNull();
    expect(await owner.call('confirmEmail', { token: late })).toMatchObject({ status: 404 });
    expect(await owner.call('confirmEmail', { token: 'made up' })).toMatchObject({ status: 404 });
  });

  it('is not changed by links from before the password was changed or reset', async () => {
    const asked = async () => {
      await database.query('delete from mails');
      expect((await ask(NEW)).status).toBe(200);
      const [mail] = await mails();
      return (await linkIn(mail?.id ?? '')).searchParams.get('token') ?? '';
    };
    expect((await owner.post('prove', { password })).status).toBe(200);
    const first = await asked();
    expect((await owner.call('setPassword', { current: password, password: 'sete sacas de café' })).status).toBe(200);
    expect(await owner.call('confirmEmail', { token: first })).toMatchObject({ status: 404 });
    const second = await asked();
    await database.query('delete from mails');
    expect((await person(whole.app).post('forgot', { email })).status).toBe(200);
    await whole.parts.rooms.accounts.recovery.settled();
    const [sent] = await mails();
    const reset = (await linkIn(sent?.id ?? '')).searchParams.get('token');
    password = 'oito sacas de café';
    expect((await owner.post('new-password', { token: reset, password })).status).toBe(200);
    expect(await owner.call('confirmEmail', { token: second })).toMatchObject({ status: 404 });
    expect((await owner.ask('get')).data.email).toBe(email);
  });

  it('does not disclose that an address is in use, and never takes it', async () => {
    await database.query(
      `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
       values (gen_random_uuid(), 'Taken@x.example', 'taken@x.example', 'Ana', 'en', 'UTC', '2026-01-01')`,
    );
    expect((await owner.post('prove', { password })).status).toBe(200);
    const [taken, free] = [await ask('taken@x.example'), await ask('free@x.example')];
    expect(taken).toEqual(free);
    expect((await mails()).map(({ to_address }) => to_address)).toEqual(['free@x.example']);
    const [mail] = await mails();
    const link = (await linkIn(mail?.id ?? '')).searchParams.get('token') ?? '';
    await database.query(`update users set email = 'free@x.example', email_key = 'free@x.example' where name = 'Ana'`);
    expect(await owner.call('confirmEmail', { token: link })).toMatchObject({ status: 409 });
    expect((await owner.ask('get')).data.email).toBe(email);
  });
});
