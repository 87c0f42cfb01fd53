/** The short way of events past express: the same answers, the same lines in the log, the same addresses. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import request from 'supertest';
import { createFrontApp, sortRequests, streamPaths } from '#src/front-app.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { appRouter } from '#src/router.ts';
import { type FrontRequest, inFront } from '#src/web/front.ts';
import { createHealth } from '#src/web/health.ts';
import { metricsRoutes } from '#src/web/metrics.ts';
import { eventsLog, requestLog } from '#src/web/request-log.ts';
import { unavailablePage } from '#src/web/unavailable-page.ts';
import { testConfig } from '#test/kit/deps.ts';
import { testServer } from '../collect/server.ts';

const body = { api_key: 'lnt_shop', event: 'click', distinct_id: 'ana', properties: {} };
const notCompared = new Set(['date', 'x-request-id']);

/** The application as it is put together, with the log's lines. */
function open(level = 'info', trusted = 0) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog(level, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const { routes, front } = testServer();
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('trust proxy', trusted);
  app.use(requestLog(log, systemClock, 'dados'));
  app.use(['/ingest', '/dados'], routes);
  const config = { TRUST_PROXY: trusted, INGEST_ALIAS: 'dados' };
  const ways: Record<'short' | 'long', RequestListener> = {
    short: inFront(app, { config, ...front, log: eventsLog(log, systemClock, level) }),
    long: app,
  };
  return { ...ways, lines };
}

describe('events past express', () => {
  it.each([
    ['stored', '/ingest/e/?_=1', JSON.stringify(body), {}],
    ['stored from a page', '/dados/e', JSON.stringify(body), { Origin: 'https://loja.example' }],
    ['without a token', '/ingest/batch/', '[{"event":"a"}]', { Origin: 'https://loja.example' }],
    ['unreadable', '/ingest/e/?compression=gzip', 'no', {}],
    ['with data in the URL', `/ingest/e/?data=${encodeURIComponent(JSON.stringify(body))}`, '', {}],
  ] as const)('are answered the same: %s', async (_, path, sent, headers) => {
    const { short, long } = open();
    const [one, other] = await Promise.all(
      [short, long].map((app) => request(app).post(path).set(headers).type('text').send(sent)),
    );
    const shown = (answer: typeof one) => [
      answer?.status,
      answer?.text,
      Object.entries(answer?.headers ?? {})
        .filter(([name]) => !notCompared.has(name))
        .sort(),
    ];
    expect(shown(one)).toEqual(shown(other));
    expect(one?.headers['x-request-id']).toMatch(/^[\da-f]{16}$/);
    expect(other?.headers['x-request-id']).toMatch(/^[\da-f]{16}$/);
    expect(one?.headers['x-request-id']).not.toBe(other?.headers['x-request-id']);
  });

  it('leave the same lines in the log, without query or token', async () => {
    const { short, long, lines } = open('debug');
    for (const app of [short, long]) {
      await request(app).post('/ingest/e/?token=lnt_shop').send(body).expect(200);
      await request(app).post('/ingest/batch').send('[]').expect(400);
    }
    const shown = lines.map(({ time: _time, ms, requestId, ...line }) => [typeof ms, String(requestId).length, line]);
    expect(shown.slice(0, 2)).toMatchObject([
      ['number', 16, { level: 20, method: 'POST', path: '/ingest/e/', status: 200, msg: 'request' }],
      ['number', 16, { level: 30, method: 'POST', path: '/ingest/batch', status: 400, msg: 'request' }],
    ]);
    expect(shown.slice(2)).toEqual(shown.slice(0, 2));
  });

  it('make no line when all goes well and nobody reads it', async () => {
    const { short, lines } = open('info');
    await request(short).post('/ingest/e/').send(body).expect(200);
    await request(short).post('/ingest/e/').send('[]').expect(400);
    expect(lines).toMatchObject([{ status: 400, path: '/ingest/e/' }]);
  });

  it.each([
    [0, '203.0.113.9'],
    [1, '203.0.113.9'],
    [1, '198.51.100.1, 203.0.113.9'],
    [1, ' 198.51.100.1 ,203.0.113.9 , '],
    [2, '198.51.100.1, 203.0.113.9'],
    [2, '192.0.2.1, 198.51.100.1, 203.0.113.9'],
    [3, '203.0.113.9'],
    [2, ''],
    [2, ' , '],
  ])('come from the address that express would name: %i hops, %j', async (hops, forwarded) => {
    const seen: (string | undefined)[] = [];
    const app = express();
    app.set('trust proxy', hops);
    app.use((req, res) => {
      seen.push(req.ip);
      res.end();
    });
    const server = await listen(
      inFront(app, {
        config: { TRUST_PROXY: hops, INGEST_ALIAS: 'dados' },
        takes: () => true,
        take(req: FrontRequest, res) {
          seen.push(req.ip);
          res.end();
        },
        log: { begin: () => 'id' },
      }),
    );
    try {
      const { port } = server.address() as AddressInfo;
      for (const method of ['POST', 'GET'])
        await fetch(`http://127.0.0.1:${port}/ingest/e/`, { method, headers: { 'X-Forwarded-For': forwarded } });
    } finally {
      server.close();
    }
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
  });
});

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('the main thread', () => {
  it.each([
    ['POST', '/ingest/e/', 'front'],
    ['GET', '/ingest', 'front'],
    ['OPTIONS', '/Dados/array/lnt_shop/config?a=/b', 'front'],
    ['GET', 'http://luneta.example/ingest/decide', 'front'],
    ['GET', '/healthz', 'front'],
    ['HEAD', '/readyz/?a', 'front'],
    ['GET', '/metrics#a', 'front'],
    ['GET', '/api/trpc/events.liveStream?input=%7B%7D', 'front'],
    ['POST', '/api/trpc/events.liveStream', 'screens'],
    ['GET', '/api/trpc/events.liveStream,status.read?batch=1', 'screens'],
    ['POST', '/metrics', 'screens'],
    ['GET', '/ingestion', 'screens'],
    ['GET', '//ingest/e/', 'screens'],
    ['GET', '/', 'screens'],
    ['OPTIONS', '*', 'screens'],
    ['POST', '/api/trpc/projects.update?input=/ingest/', 'screens'],
  ])('sends %s %s to: %s', (method, url, wanted) => {
    let found = '';
    const to =
      (name: string): RequestListener =>
      () => {
        found = name;
      };
    sortRequests({ INGEST_ALIAS: 'dados' }, to('front'), to('screens'))({ method, url } as never, {} as never);
    expect(found).toBe(wanted);
  });

  it('says so in the language of who asks', () => {
    const asking = { get: (name: string) => (name === 'accept-language' ? 'pt-BR' : undefined), headers: {} };
    expect(unavailablePage(asking as never)).toMatch(/<html lang="pt-BR">.*A página está reiniciando/);
  });

  it('streams are all that the router has', () => {
    const procedures = Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
    );
    const subscriptions = procedures.filter(([, { _def }]) => _def.type === 'subscription');
    expect(subscriptions.map(([name]) => `/api/trpc/${name}`)).toEqual(streamPaths);
  });

  it.each([
    ['/metrics', 'text/html', 403, /Metrics require a bearer token/],
    ['/project/1/overview', 'text/html', 503, /<html lang="en">.*Restarting/],
    ['/project/1/overview', 'text/plain', 503, /page renderer is restarting/],
    ['/api/trpc/status.read', 'application/json', 503, /"appCode":"unavailable"/],
  ])('answers %s in words while nobody draws', async (path, accept, status, words) => {
    const config = { ...testConfig(), METRICS_TOKEN: 'secret' };
    const deps = { log: createLog('silent'), clock: systemClock };
    const measure = { exception: () => undefined, event: () => undefined, stop: async () => undefined };
    const front = createFrontApp({
      ...{ config, deps, measure, health: createHealth(), ingest: express.Router() },
      metrics: metricsRoutes([], config.METRICS_TOKEN),
      streams: express.Router(),
    });
    const answer = await request(front).get(path).set('Accept', accept).expect(status);
    expect(answer.text).toMatch(words);
    expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f]{16}$/);
  });
});
