import type { TeamId, UserId } from '#src/accounts/contract.ts';
import type { MailMessage } from '#src/mail/contract.ts';
import { createMail, type Mail, type Reader } from '#src/mail/mail.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { type MailService, startMailService } from '#test/kit/sendgrid.ts';

const database = useDatabase();
let service: MailService;
let deps: TestDeps;

const settings = {
  SENDGRID_API_KEY: 'SG.key-of-the-test',
  MAIL_FROM: 'Luneta <luneta@example.com>',
  AUTH_SECRET: 'a secret of thirty-two characters or more',
};
const link = 'https://luneta.example.com/sign-in/link?token=9f8e7d6c5b4a';
const magic: MailMessage = {
  kind: 'magicLink',
  to: 'marina@example.com',
  language: 'pt-BR',
  data: { link, minutes: 10 },
};
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const forever = () => new AbortController().signal;

function open(config: Partial<TestDeps['config']> = settings): Mail {
  const configured = { ...deps, config: { ...deps.config, ...config } };
  return createMail(configured, { secrets: createSecrets(configured), sendgridUrl: service.url });
}

async function rows() {
  return await database.query('select * from mails order by id');
}

async function makeTeam(): Promise<{ team: TeamId; user: UserId }> {
  const [team] = await database.query<{ id: TeamId }>(
    `insert into teams (name, created_at) values ('Café', to_timestamp(0)) returning id`,
  );
  const [user] = await database.query<{ id: UserId }>(
    `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
     values (gen_random_uuid(), 'm@example.com', 'm@example.com', 'M', 'en', 'UTC', to_timestamp(0)) returning id`,
  );
  return { team: team?.id as TeamId, user: user?.id as UserId };
}

const readerOf = (team: TeamId, role: Reader['role'], all = false): Reader => ({ team, role, all });

beforeEach(async () => {
  service = await startMailService();
  deps = testDeps(database.url);
});
afterEach(async () => {
  await deps.close();
  await service.close();
});

describe('with a key', () => {
  it('hands a mail to the service as its API wants it', async () => {
    const mail = open();
    await mail.send(deps.db, magic);
    await service.arrived(1);
    await mail.stop();
    const [request] = service.sent;
    expect(request).toMatchObject({ method: 'POST', path: '/v3/mail/send' });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer SG.key-of-the-test',
      'content-type': 'application/json',
    });
    expect(request?.body).toMatchObject({
      from: { email: 'luneta@example.com', name: 'Luneta' },
      personalizations: [{ to: [{ email: 'marina@example.com' }] }],
      subject: 'Seu link de acesso à Luneta',
      tracking_settings: {
        click_tracking: { enable: false, enable_text: false },
        open_tracking: { enable: false },
      },
    });
    const { personalizations, content } = request?.body ?? { personalizations: [], content: [] };
    expect(Object.keys(personalizations[0] ?? {})).toEqual(['to']);
    expect(content.map(({ type }) => type)).toEqual(['text/plain', 'text/html']);
    expect(content[0]?.value).toContain(link);
    expect(content[1]?.value).toContain('<!doctype html><html lang="pt-BR">');
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'sent', attempts: 1, body: null, next_attempt_at: null, error_kind: null });
  });

  it('sends after the commit, and not at all after a rollback', async () => {
    const mail = open();
    const refusal = new Error('changed my mind');
    const rolledBack = deps.db.transaction(async (trx) => {
      await mail.send(trx, { ...magic, to: 'rolled.back@example.com' });
      throw refusal;
    });
    await expect(rolledBack).rejects.toBe(refusal);
    await deps.db.transaction(async (trx) => {
      await mail.send(trx, magic);
      await mail.deliver(forever());
      expect(service.sent).toHaveLength(0);
    });
    await service.arrived(1);
    await mail.stop();
    await mail.deliver(forever());
    expect(service.sent.map(({ body }) => body.personalizations[0]?.to)).toEqual([[{ email: 'marina@example.com' }]]);
    expect(await rows()).toHaveLength(1);
  });

  it('is sent once, however many processes deliver', async () => {
    const mails = [open(), open(), open()];
    for (let n = 0; n < 12; n++) await mails[0]?.send(deps.db, { ...magic, to: `n${n}@example.com` });
    await Promise.all(mails.map((mail) => mail.deliver(forever())));
    await Promise.all(mails.map((mail) => mail.stop()));
    const receivers = service.sent.map(({ body }) => body.personalizations[0]?.to[0]?.email);
    expect(receivers).toHaveLength(12);
    expect(new Set(receivers).size).toBe(12);
  });

  it('tries again later and later after an outage, then gives up', async () => {
    const mail = open();
    service.answers.push('hang up', { status: 503 }, { status: 429, headers: { 'retry-after': '1200' } });
    await mail.send(deps.db, magic);
    await mail.stop();
    const [first] = await rows();
    expect(first).toMatchObject({ state: 'queued', attempts: 1, error_kind: 'unreachable' });
    expect(first?.['next_attempt_at'].getTime()).toBe(deps.clock.now() + MINUTE_MS);

    expect(await mail.deliver(forever())).toEqual({ sent: 0, failed: 0 });
    deps.clock.advance(MINUTE_MS);
    expect(await mail.deliver(forever())).toEqual({ sent: 0, failed: 1 });
    const [second] = await rows();
    expect(second).toMatchObject({ attempts: 2, error_kind: 'refused', error_detail: '503' });
    expect(second?.['next_attempt_at'].getTime()).toBe(deps.clock.now() + 2 * MINUTE_MS);

    deps.clock.advance(2 * MINUTE_MS);
    await mail.deliver(forever());
    const [third] = await rows();
    expect(third?.['next_attempt_at'].getTime()).toBe(deps.clock.now() + 20 * MINUTE_MS);

    let runs = 0;
    for (; (await rows())[0]?.['state'] === 'queued' && runs < 100; runs++) {
      service.answers.push({ status: 500 });
      deps.clock.set((await rows())[0]?.['next_attempt_at'].getTime());
      await mail.deliver(forever());
    }
    expect(runs).toBeGreaterThan(10);
    expect((await rows())[0]).toMatchObject({ state: 'failed', next_attempt_at: null });
    expect(deps.clock.now() - first?.['created_at'].getTime()).toBeLessThanOrEqual(2 * DAY_MS);
    expect(deps.clock.now() - first?.['created_at'].getTime()).toBeGreaterThan(1.8 * DAY_MS);
  });

  it('does not repeat what was refused for good, and keeps the key out of what it says', async () => {
    const mail = open();
    const message = 'The key SG.key-of-the-test may not send\r\nfrom here.';
    service.answers.push({ status: 403, body: { errors: [{ message, field: 'from' }] } });
    await mail.send(deps.db, magic);
    await mail.stop();
    expect((await rows())[0]).toMatchObject({
      state: 'failed',
      error_kind: 'refused',
      error_detail: '403: The key [hidden] may not send from here.',
    });
    deps.clock.advance(DAY_MS);
    expect(await mail.deliver(forever())).toEqual({ sent: 0, failed: 0 });
    expect(service.sent).toHaveLength(1);
    const log = JSON.stringify(deps.logged);
    for (const secret of [link, '9f8e7d6c5b4a', settings.SENDGRID_API_KEY, magic.to]) expect(log).not.toContain(secret);
  });

  it('takes up what a process left that died while sending', async () => {
    const mail = open();
    await mail.send(deps.db, magic);
    await service.arrived(1);
    await mail.stop();
    await database.query(
      `update mails set state = 'queued', body = $1, attempts = 1, next_attempt_at = $2, sent_at = null`,
      [await bodyOf(open({ ...settings, SENDGRID_API_KEY: undefined })), new Date(deps.clock.now() + 2 * MINUTE_MS)],
    );
    expect(await mail.deliver(forever())).toEqual({ sent: 0, failed: 0 });
    deps.clock.advance(2 * MINUTE_MS);
    const outcome = await mail.deliver(forever());
    expect(outcome.sent + outcome.failed).toBe(1);

    async function bodyOf(outbox: Mail): Promise<Buffer> {
      const { id } = await outbox.send(deps.db, magic);
      const [row] = await database.query('delete from mails where id = $1 returning body', [id]);
      return row?.['body'];
    }
  });

  it('does not send a link that has ended', async () => {
    const mail = open();
    service.answers.push({ status: 500 });
    await mail.send(deps.db, { ...magic, until: deps.clock.now() + 10 * MINUTE_MS });
    await mail.stop();
    deps.clock.advance(11 * MINUTE_MS);
    await mail.deliver(forever());
    expect((await rows())[0]).toMatchObject({ state: 'failed', error_kind: 'expired' });
    expect(service.sent).toHaveLength(1);
  });

  it('sends a test at once and says what became of it', async () => {
    const { team } = await makeTeam();
    const to = { address: 'rafael@example.com', name: 'Rafael', language: 'en', teamId: team } as const;
    expect(await open().test(to)).toEqual({ state: 'sent', to: to.address, error: null });
    service.answers.push({ status: 401, body: { errors: [{ message: 'bad key' }] } });
    expect(await open().test(to)).toEqual({
      state: 'failed',
      to: to.address,
      error: { kind: 'refused', detail: '401: bad key' },
    });
  });
});

it('sends ten tests of a team in an hour', async () => {
  const { team } = await makeTeam();
  const mail = open({});
  const to = { address: 'rafael@example.com', name: 'Rafael', language: 'en', teamId: team } as const;
  for (let n = 0; n < 10; n++) {
    await mail.test(to);
    deps.clock.advance(MINUTE_MS);
  }
  await expect(mail.test(to)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSec: 50 * 60 });
  deps.clock.advance(51 * MINUTE_MS);
  await expect(mail.test(to)).resolves.toMatchObject({ state: 'outbox' });
});

describe('what is kept', () => {
  it('is unreadable without the secret, and goes when the mail is sent', async () => {
    const mail = open({ ...settings, SENDGRID_API_KEY: undefined });
    const { id } = await mail.send(deps.db, magic);
    const [dump] = await database.query(`select m::text || encode(m.body, 'escape') as all from mails m`);
    expect(dump?.['all']).not.toContain('9f8e7d6c5b4a');
    const reader = readerOf(1 as TeamId, 'viewer', true);
    expect(await mail.link(reader, id)).toBe(link);
    const elsewhere = open({ AUTH_SECRET: 'another secret of thirty-two characters' });
    await expect(elsewhere.link(reader, id)).rejects.toMatchObject({ code: 'conflict' });
    const rotated = open({
      AUTH_SECRET: 'another secret of thirty-two characters',
      AUTH_SECRET_PREVIOUS: settings.AUTH_SECRET,
    });
    expect(await rotated.link(reader, id)).toBe(link);
  });

  it('cannot be moved to another row', async () => {
    const mail = open({ AUTH_SECRET: settings.AUTH_SECRET });
    const { id } = await mail.send(deps.db, magic);
    const { id: other } = await mail.send(deps.db, { ...magic, to: 'eve@example.com' });
    await database.query('update mails set body = (select body from mails where id = $1) where id = $2', [id, other]);
    await expect(mail.link(readerOf(1 as TeamId, 'owner', true), other)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('loses its text after 30 days and is gone after 90', async () => {
    const mail = open({});
    await mail.send(deps.db, magic);
    deps.clock.advance(29 * DAY_MS);
    await mail.deliver(forever());
    expect((await rows())[0]?.['body']).not.toBeNull();
    deps.clock.advance(2 * DAY_MS);
    await mail.deliver(forever());
    expect((await rows())[0]).toMatchObject({ state: 'outbox', body: null });
    deps.clock.advance(60 * DAY_MS);
    await mail.deliver(forever());
    expect(await rows()).toEqual([]);
  });

  it('goes with the person and with the team', async () => {
    const mail = open({});
    const { team, user } = await makeTeam();
    await mail.send(deps.db, { ...magic, userId: user });
    await mail.send(deps.db, { ...magic, teamId: team });
    await database.query('delete from users');
    await database.query('delete from teams');
    expect(await rows()).toEqual([]);
  });
});

describe('without a key', () => {
  it('keeps the link for readers with access', async () => {
    const mail = open({});
    const { team, user } = await makeTeam();
    const { team: other } = await makeTeamNamed('Other');
    const invitation: MailMessage = {
      kind: 'invitation',
      to: 'joana@example.com',
      language: 'en',
      teamId: team,
      data: { link, inviter: 'M', team: 'Café', role: 'member', days: 7 },
    };
    const { id } = await mail.send(deps.db, invitation);
    deps.clock.advance(1);
    const reset: MailMessage = { ...magic, userId: user, teamId: team, readableBy: 'owner' };
    const { id: guarded } = await mail.send(deps.db, reset);
    const { id: nobodys } = await mail.send(deps.db, magic);

    expect(await mail.status()).toEqual({ isSetUp: false, service: null, from: null });
    const seen = await mail.outbox(readerOf(team, 'admin'), null);
    expect(seen.items.map((item) => [item.id, item.state, item.hasLink])).toEqual([
      [guarded, 'outbox', false],
      [id, 'outbox', true],
    ]);
    expect(JSON.stringify(seen)).not.toContain('9f8e7d6c5b4a');
    expect(await mail.link(readerOf(team, 'admin'), id)).toBe(link);
    await expect(mail.link(readerOf(team, 'admin'), guarded)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await mail.link(readerOf(team, 'owner'), guarded)).toBe(link);

    await expect(mail.link(readerOf(other, 'owner'), id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(mail.link(readerOf(team, 'owner'), nobodys)).rejects.toMatchObject({ code: 'not_found' });
    expect((await mail.outbox(readerOf(other, 'owner'), null)).items).toEqual([]);
    expect(await mail.link(readerOf(other, 'owner', true), nobodys)).toBe(link);
    expect((await mail.outbox(readerOf(other, 'owner', true), null)).items).toHaveLength(3);

    await expect(mail.resend(readerOf(team, 'owner'), id)).rejects.toMatchObject({ code: 'conflict' });
    const later = open({ ...settings, AUTH_SECRET: undefined });
    await later.resend(readerOf(team, 'admin'), id);
    await service.arrived(1);
    await later.stop();
    await expect(later.link(readerOf(team, 'owner'), id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(later.resend(readerOf(team, 'owner'), id)).rejects.toMatchObject({ code: 'conflict' });
    expect(service.sent).toHaveLength(1);
  });

  it('shows pages of mails, newest first', async () => {
    const mail = open({});
    const { team } = await makeTeam();
    for (let n = 0; n < 60; n++) {
      deps.clock.advance(1);
      await mail.send(deps.db, { ...magic, to: `n${n}@example.com`, teamId: team });
    }
    const first = await mail.outbox(readerOf(team, 'admin'), null);
    const second = await mail.outbox(readerOf(team, 'admin'), first.before);
    expect(first.items).toHaveLength(50);
    expect(second.before).toBeNull();
    const receivers = [...first.items, ...second.items].map(({ to }) => to);
    expect(receivers).toEqual(Array.from({ length: 60 }, (_, index) => `n${59 - index}@example.com`));
  });

  it('takes over what a service that is gone has left', async () => {
    service.answers.push({ status: 500 });
    const before = open();
    await before.send(deps.db, magic);
    await before.stop();
    await open({}).deliver(forever());
    expect((await rows())[0]).toMatchObject({ state: 'outbox', next_attempt_at: null });
  });

  async function makeTeamNamed(name: string): Promise<{ team: TeamId }> {
    const [row] = await database.query<{ id: TeamId }>(
      `insert into teams (name, created_at) values ($1, to_timestamp(0)) returning id`,
      [name],
    );
    return { team: row?.id as TeamId };
  }
});

it('knows domains in letters of other languages', async () => {
  await open({}).send(deps.db, { ...magic, to: 'joana@ação.example' });
  expect(await rows()).toMatchObject([{ to_address: 'joana@xn--ao-siap.example' }]);
});

it.each([
  'joão@example.com',
  'a@example.com/x',
  'a@example.com, b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'A <a@example.com>',
  'a',
])('writes nothing for %j', async (to) => {
  const mail = open();
  await expect(mail.send(deps.db, { ...magic, to })).rejects.toMatchObject({ code: 'invalid', field: 'email' });
  expect(await rows()).toEqual([]);
});
