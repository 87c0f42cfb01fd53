/** A stand-in for the mail service: takes what SendGrid's API takes, keeps it, and answers as it is told to. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface SentMail {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: {
    from: { email: string; name?: string };
    personalizations: { to: { email: string; name?: string }[] }[];
    subject: string;
    content: { type: string; value: string }[];
    [key: string]: unknown;
  };
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface MailService {
  url: string;
  /** Requests that came, oldest first. */
  sent: SentMail[];
  /** What the next requests get, one after the other; after them 202. `hang up` cuts the connection. */
  answers: (Answer | 'hang up')[];
  /** Resolves when `count` requests have come. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startMailService(): Promise<MailService> {
  const sent: SentMail[] = [];
  const answers: MailService['answers'] = [];
  let waiting: { count: number; resolve(): void }[] = [];
  const server = createServer(async (req, res) => {
    const body = (await json(req)) as SentMail['body'];
    sent.push({ method: req.method, path: req.url, headers: req.headers, body });
    const answer = answers.shift() ?? { status: 202 };
    if (answer === 'hang up') req.socket.destroy();
    else {
      res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      res.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
    }
    for (const { resolve } of waiting.filter(({ count }) => sent.length >= count)) resolve();
    waiting = waiting.filter(({ count }) => sent.length < count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    answers,
    arrived: (count) =>
      new Promise((resolve) => {
        if (sent.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
