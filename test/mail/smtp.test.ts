import { createSmtp } from '#src/mail/smtp.ts';
import { type SmtpService, startSmtp } from '#test/kit/smtp.ts';

const mail = {
  id: '0199b5a8-0000-7000-8000-000000000001',
  to: 'marina@example.com',
  subject: 'A semana do Café Serrana',
  html: '<!doctype html><p>Olá</p>',
  text: 'Olá',
  headers: {
    'List-Unsubscribe': `<https://luneta.example.com/unsubscribe/${'x'.repeat(90)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
};
const from = { name: 'Luneta', email: 'luneta@example.com' };
let service: SmtpService | undefined;
afterEach(() => service?.close());

it('hands a mail over with both texts, the same id at every try, and headers on one line', async () => {
  service = await startSmtp();
  const smtp = createSmtp({ url: service.url, from });
  expect(await smtp.send(mail)).toEqual({ ok: true });
  expect(await smtp.send(mail)).toEqual({ ok: true });
  expect(service.sent).toHaveLength(2);
  for (const sent of service.sent) {
    expect(sent).toContain('From: Luneta <luneta@example.com>');
    expect(sent).toContain('To: marina@example.com');
    expect(sent).toContain(`Message-ID: <${mail.id}@example.com>`);
    expect(sent).toContain(`List-Unsubscribe: ${mail.headers['List-Unsubscribe']}\r\n`);
    expect(sent).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    expect(sent).toContain('Content-Type: text/plain; charset=utf-8');
    expect(sent).toContain('Content-Type: text/html; charset=utf-8');
  }
  const login = Buffer.from('\0marina\0s@cret-of-the-test').toString('base64');
  expect(service.lines).toContain(`AUTH PLAIN ${login}`);
});

it('tries again what the server postpones, and not what it refuses', async () => {
  service = await startSmtp();
  const smtp = createSmtp({ url: service.url, from });
  service.answers.push('451 Later', '554 No such user: s@cret-of-the-test');
  expect(await smtp.send(mail)).toMatchObject({
    ok: false,
    isFinal: false,
    error: { kind: 'refused', detail: '451 Later' },
  });
  expect(await smtp.send(mail)).toMatchObject({
    ok: false,
    isFinal: true,
    error: { kind: 'refused', detail: '554 No such user: [hidden]' },
  });
});

it('waits for the right password, and for a server that is away', async () => {
  service = await startSmtp('535 Wrong password of marina');
  const smtp = createSmtp({ url: service.url, from });
  expect(await smtp.send(mail)).toMatchObject({
    ok: false,
    isFinal: false,
    error: { kind: 'refused', detail: '535 Wrong password of [hidden]' },
  });
  await service.close();
  service = undefined;
  expect(await smtp.send(mail)).toMatchObject({ ok: false, isFinal: false, error: { kind: 'unreachable' } });
});
