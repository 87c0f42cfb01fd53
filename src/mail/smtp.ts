/** Sends one mail through an SMTP server and interprets the response. Uses no table. */
import type { Transporter } from 'nodemailer';
import { oneLine, type Sender } from './contract.ts';
import { ANSWER_MS, type Handover, LONGEST_ERROR, type Transport } from './transport.ts';

export interface SmtpOptions {
  /** `smtp://` (STARTTLS where the server offers it) or `smtps://`, with user and password. */
  url: string;
  from: Sender;
}

export function createSmtp({ url, from }: SmtpOptions): Transport {
  const { username, password } = new URL(url);
  const secrets = [url, decodeURIComponent(password), password, decodeURIComponent(username), username];
  let opened: Promise<Transporter> | undefined;

  /** With the first mail: the package holds memory that installations without SMTP never need. */
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: ANSWER_MS,
      greetingTimeout: ANSWER_MS,
      socketTimeout: ANSWER_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  return {
    async send({ id, to, subject, html, text, headers }) {
      try {
        opened ??= open();
        await (await opened).sendMail({
          messageId: `<${id}@${from.email.slice(from.email.lastIndexOf('@') + 1)}>`,
          from: { name: from.name, address: from.email },
          to: { name: '', address: to },
          subject,
          text,
          html,
          // Values of ours, on one line: long addresses must not be folded or encoded.
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name, { prepared: true, value: oneLine(value, 900) }]),
          ),
        });
        return { ok: true };
      } catch (error) {
        return failureOf(error, secrets);
      }
    },
  };
}

interface SmtpError {
  code?: unknown;
  /** Of the server's answer. */
  responseCode?: unknown;
  response?: unknown;
}

function failureOf(thrown: unknown, secrets: readonly string[]): Handover {
  const { code, responseCode, response } = thrown as SmtpError;
  if (typeof responseCode !== 'number') {
    const detail = typeof code === 'string' && /^[A-Z_\d]+$/.test(code) ? code : '';
    return { ok: false, error: { kind: 'unreachable', detail }, isFinal: false, retryAfterMs: 0 };
  }
  const said = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '[hidden]'), typeof response === 'string' ? response : '');
  return {
    ok: false,
    error: { kind: 'refused', detail: oneLine(said === '' ? String(responseCode) : said, LONGEST_ERROR) },
    // A wrong password is put right by a restart with the right one: its mails wait for that.
    isFinal: responseCode >= 500 && code !== 'EAUTH',
    retryAfterMs: 0,
  };
}
