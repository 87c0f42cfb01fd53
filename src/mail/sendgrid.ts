/** Sends one mail through SendGrid and interprets the response. Uses no table. */
import type sendgrid from '@sendgrid/mail';
import { oneLine, type Sender } from './contract.ts';
import { ANSWER_MS, type Handover, LONGEST_ERROR, type Transport } from './transport.ts';

export interface SendgridOptions {
  apiKey: string;
  from: Sender;
  /** Another address than SendGrid's: tests. */
  baseUrl?: string | undefined;
}

/** The package's types cover only its shared instance; ours has its own key. */
type Service = Pick<typeof sendgrid, 'setApiKey' | 'setTimeout' | 'send'> & {
  client: { setDefaultRequest(name: 'baseUrl', value: string): void };
};

export function createSendgrid({ apiKey, from, baseUrl }: SendgridOptions): Transport {
  let opened: Promise<Service> | undefined;

  /** With the first mail: the package holds memory that installations without a key never need. */
  async function open(): Promise<Service> {
    const loaded = (await import('@sendgrid/mail')) as unknown as { default: { MailService: new () => Service } };
    const service = new loaded.default.MailService();
    service.setApiKey(apiKey);
    service.setTimeout(ANSWER_MS);
    if (baseUrl !== undefined) service.client.setDefaultRequest('baseUrl', baseUrl);
    return service;
  }

  return {
    async send({ to, subject, html, text, headers }) {
      try {
        opened ??= open();
        const service = await opened;
        await service.send({
          to: { email: to },
          from: from.name === '' ? { email: from.email } : { email: from.email, name: from.name },
          subject,
          text,
          html,
          ...(Object.keys(headers).length > 0 && { headers }),
          // A tracked link goes through another's server, which would then know links that sign people in.
          trackingSettings: {
            clickTracking: { enable: false, enableText: false },
            openTracking: { enable: false },
            subscriptionTracking: { enable: false },
          },
        });
        return { ok: true };
      } catch (error) {
        return failureOf(error, apiKey);
      }
    },
  };
}

interface SendGridError {
  code?: unknown;
  response?: { headers?: Record<string, unknown>; body?: { errors?: { message?: unknown }[] } };
}

function failureOf(thrown: unknown, apiKey: string): Handover {
  const { code, response } = thrown as SendGridError;
  if (response === undefined || typeof code !== 'number') {
    const detail = typeof code === 'string' && /^[A-Z_\d]+$/.test(code) ? code : '';
    return { ok: false, error: { kind: 'unreachable', detail }, isFinal: false, retryAfterMs: 0 };
  }
  const said = response.body?.errors?.[0]?.message;
  const words = typeof said === 'string' ? `: ${said.replaceAll(apiKey, '[hidden]')}` : '';
  const seconds = Number(response.headers?.['retry-after']);
  return {
    ok: false,
    error: { kind: 'refused', detail: oneLine(`${code}${words}`, LONGEST_ERROR) },
    isFinal: code >= 400 && code < 500 && code !== 429,
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0,
  };
}
