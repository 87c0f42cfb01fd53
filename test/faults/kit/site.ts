/** A site with Luneta behind its own reverse proxy, as it is deployed: knows each request of its visitors, also those that the server never got. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** What a visitor gets while the server is away: an answer of the proxy, or none. */
export type WhileAway = 'answers 502' | 'resets';

/** An element of a request: an event, or a part of a recording. */
export interface SentElement {
  event: string;
  uuid: string;
  /** Answered with 200. */
  isAccepted: boolean;
  /** The client does not send it again. */
  isGivenUp: boolean;
}

export interface Site {
  url: string;
  /** By uuid; each once however often it was sent. */
  sent: ReadonlyMap<string, SentElement>;
  stop(): Promise<void>;
}

export interface SiteOptions {
  /** Of the server; the same before and after it was away. */
  port: number;
  page: string;
  whileAway: WhileAway;
  /** Retries after which posthog-js gives up a request. */
  retries: number;
}

export async function openSite(root: string, { port, page, whileAway, retries }: SiteOptions): Promise<Site> {
  const client = await readFile(join(root, 'node_modules/posthog-js/dist/module.mjs'));
  const sent = new Map<string, SentElement>();
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://site');
    if (pathname === '/client.mjs') return void res.setHeader('content-type', 'text/javascript').end(client);
    if (!pathname.startsWith('/ingest/')) return void res.setHeader('content-type', 'text/html').end(page);
    const tries = Number(searchParams.get('retry_count') ?? 0);
    void passOn(req, res).catch(() => res.destroy());

    async function passOn(from: IncomingMessage, to: ServerResponse): Promise<void> {
      const body = await readAll(from);
      const elements = from.method === 'POST' && isCapture(pathname) ? elementsOf(body) : [];
      for (const element of elements) if (!sent.has(element.uuid)) sent.set(element.uuid, element);
      const answer = await ask(port, from, body);
      if (answer?.status !== 200) {
        for (const { uuid } of elements) if (tries >= retries) (sent.get(uuid) as SentElement).isGivenUp = true;
      } else for (const { uuid } of elements) (sent.get(uuid) as SentElement).isAccepted = true;
      if (answer !== null) to.writeHead(answer.status, answer.headers).end(answer.body);
      else if (whileAway === 'resets') from.socket.resetAndDestroy();
      else to.writeHead(502, { 'content-type': 'text/plain' }).end('Bad gateway');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    sent,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Null: no whole answer. */
function ask(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answered | null> {
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (res) => {
      readAll(res).then(
        (answer) => {
          const { 'transfer-encoding': _, ...kept } = res.headers;
          resolve({ status: res.statusCode ?? 0, headers: kept, body: answer });
        },
        () => resolve(null),
      );
    });
    call.on('error', () => resolve(null));
    call.end(body);
  });
}

async function readAll(from: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of from) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function isCapture(path: string): boolean {
  return /^\/ingest\/(?:s|e|batch|i\/v0\/e)\/$/.test(path);
}

/** Elements of a body as posthog-js sends it: gzip, or a form field in base64 (beacons). */
function elementsOf(body: Buffer): SentElement[] {
  const text = body[0] === 0x1f ? gunzipSync(body).toString('utf8') : body.toString('utf8');
  const json = text.startsWith('data=')
    ? Buffer.from(new URLSearchParams(text).get('data') ?? '', 'base64').toString('utf8')
    : text;
  const parsed = JSON.parse(json) as ElementBody | ElementBody[] | { batch: ElementBody[] };
  const list = Array.isArray(parsed) ? parsed : 'batch' in parsed ? parsed.batch : [parsed];
  return list.map(({ event, uuid }) => ({ event, uuid, isAccepted: false, isGivenUp: false }));
}

interface ElementBody {
  event: string;
  uuid: string;
}
