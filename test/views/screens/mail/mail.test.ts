/** The mail screen as the server sends it. */
import request from 'supertest';
import { fixedClock } from '#src/kit/clock.ts';
import { type MailItem, type MailStatus, type Outbox, outboxInput } from '#src/mail/contract.ts';
import { publicProcedure, router, teamProcedure } from '#src/trpc/procedure.ts';
import { type TestApp, testApp } from '#test/kit/app.ts';
import { testReader, testSessions } from '#test/kit/reader.ts';
import { SAMPLE_TIME } from '#test/kit/sample-answers.ts';

const MINUTE_MS = 60_000;
const item = (n: number, changes: Partial<MailItem>): MailItem => ({
  id: `019aa1c4-7b52-7e01-9a3f-00000000000${n}`,
  kind: 'invitation',
  to: `n${n}@exemplo.example`,
  subject: 'Marina convida você para <b>Serrana</b>',
  state: 'outbox',
  createdAt: SAMPLE_TIME - n * MINUTE_MS,
  sentAt: null,
  nextAttemptAt: null,
  attempts: 0,
  error: null,
  hasLink: false,
  hasCopy: false,
  ...changes,
});

const items = [
  item(1, { hasLink: true }),
  item(2, {
    state: 'queued',
    attempts: 2,
    nextAttemptAt: SAMPLE_TIME + 4 * MINUTE_MS,
    error: { kind: 'refused', detail: '503' },
  }),
  item(3, { state: 'failed', attempts: 9, error: { kind: 'unreachable', detail: 'ECONNREFUSED' }, hasLink: true }),
  item(4, { state: 'sent', sentAt: SAMPLE_TIME - 3 * MINUTE_MS, attempts: 1 }),
  item(5, { state: 'failed', error: { kind: 'expired', detail: '' } }),
];

const apps: TestApp[] = [];

async function pageOf(
  { status, outbox }: { status?: MailStatus; outbox?: Partial<Outbox> },
  { language = 'en', path = '/team/1/mail', role = 'owner' as 'owner' | 'member', asked = [] as unknown[] } = {},
) {
  const answers = router({
    accounts: router({ me: publicProcedure.query(({ ctx }) => ctx.reader) }),
    mail: router({
      status: publicProcedure.query(() => status ?? { isSetUp: false, service: null, from: null }),
      outbox: teamProcedure.input(outboxInput).query(async ({ input }) => {
        asked.push(input);
        return { items, before: null, at: SAMPLE_TIME, ...outbox };
      }),
    }),
  });
  const app = testApp({
    router: answers,
    sessions: testSessions(testReader(role)),
    deps: { clock: fixedClock(SAMPLE_TIME) },
  });
  apps.push(app);
  return await request(app.app).get(path).set('Accept-Language', language);
}

function textOf(html: string): string {
  return html
    .replace(/<script[^>]*>.*?<\/script>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/\s+/g, ' ');
}

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

it('says that mail is not set up and how to set it up', async () => {
  const text = textOf((await pageOf({})).text);
  expect(text).toContain('Email isn’t set up Messages are listed below.');
  expect(text).toContain('Set SMTP_URL to your mail server');
  expect(text).not.toContain('Resend');
});

it('shows each mail with its state, why it waits, and what can be done', async () => {
  const { text: html } = await pageOf({
    status: { isSetUp: true, service: 'SendGrid', from: 'Luneta <luneta@example.com>' },
  });
  const text = textOf(html);
  for (const piece of [
    'Emails are sent via SendGrid from Luneta &lt;luneta@example.com&gt;.',
    'n1@exemplo.example Marina convida você para &lt;b&gt;Serrana&lt;/b&gt; To be shared manually 1 min ago Show link Resend',
    'Next retry at Fri 20 Nov, 14:36 Email service rejected the message: 503',
    'Failed Email service didn’t respond (ECONNREFUSED). 3 min ago Show link Resend',
    'Sent Fri 20 Nov, 14:29',
    'Link expired before it could be sent.',
  ]) {
    expect(text).toContain(piece);
  }
  expect(text.match(/Show link/g)).toHaveLength(2);
  expect(html.split('ph-no-capture')[0]).not.toContain('exemplo.example');
  expect(html).not.toMatch(/ style=|undefined|NaN/);
});

it('speaks Portuguese', async () => {
  const text = textOf((await pageOf({}, { language: 'pt-BR' })).text);
  expect(text).toContain('Envio de e-mails não configurado.');
  expect(text).toContain('Envio manual');
  expect(text).toContain('O serviço de e-mail retornou 503');
});

it('is whole without mails, and leads to older ones', async () => {
  expect(textOf((await pageOf({ outbox: { items: [] } })).text)).toContain('No messages yet');
  const { text } = await pageOf({ outbox: { before: items[4]?.id as string } });
  expect(text).toContain(`href="/team/1/mail?before=${items[4]?.id}"`);
  const asked: unknown[] = [];
  const older = await pageOf({}, { path: `/team/1/mail?before=${items[4]?.id}`, asked });
  expect(asked).toEqual([{ team: 1, before: items[4]?.id }]);
  expect(older.text).toMatch(/<a[^>]*>(<[^>]*>)*Newest/);
  const nonsense: unknown[] = [];
  await pageOf({}, { path: '/team/1/mail?before=1%27', asked: nonsense });
  expect(nonsense).toEqual([{ team: 1 }]);
});

it('is for admins of the team', async () => {
  expect((await pageOf({}, { role: 'member' })).status).toBe(403);
  expect((await pageOf({}, { path: '/team/2/mail' })).status).toBe(404);
});
