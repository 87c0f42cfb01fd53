/**
 * Sends a request to an address that a member entered. Addresses of private networks are refused when the connection is made, by the
 * address that it is made to; redirects are not followed, and nothing of the answer but its status is kept.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { WebhookRequest } from './shapes.ts';
import type { DeliveryError } from './values.ts';

export type SendOutcome = { ok: true; status: number } | { ok: false; status: number | null; error: DeliveryError };

export type Send = (request: WebhookRequest) => Promise<SendOutcome>;

const TIMEOUT_MS = 10_000;

/** @param allowed addresses of private networks that are reached nevertheless: only tests have any */
export function createSend(allowed: readonly string[] = []): Send {
  const options = { allowIPAddressList: [...allowed], keepAlive: false };
  const agents = { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) };

  return ({ url, headers, body }) =>
    new Promise((resolve) => {
      const isPlain = url.startsWith('http:');
      const end = (outcome: SendOutcome) => {
        clearTimeout(timer);
        resolve(outcome);
      };
      const sent = (isPlain ? httpRequest : httpsRequest)(
        url,
        {
          method: 'POST',
          agent: isPlain ? agents.http : agents.https,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          const status = response.statusCode ?? 0;
          response.on('error', () => undefined);
          // What it says is of no use, and may have no end.
          response.destroy();
          end(status >= 200 && status < 300 ? { ok: true, status } : { ok: false, status, error: 'status' });
        },
      );
      const timer = setTimeout(() => {
        end({ ok: false, status: null, error: 'timeout' });
        sent.destroy();
      }, TIMEOUT_MS);
      sent.on('error', (error) =>
        end({ ok: false, status: null, error: isRefusal(error) ? 'refused' : 'unreachable' }),
      );
      sent.end(body);
    });
}

/** The agent's own errors have no code of the system. */
function isRefusal(error: NodeJS.ErrnoException): boolean {
  return error.message.includes('is not allowed');
}
