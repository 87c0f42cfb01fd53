/** The relay against a local upstream that behaves, is slow, hangs, resets or is away (R13). */

import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import type { Pool } from 'pg';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { relayRoutes } from '#src/relay/endpoint.ts';
import { createRelay, type Relay } from '#src/relay/relay.ts';
import type { RelayLimits } from '#src/relay/stream-limits.ts';
import { createUpstream } from '#src/relay/upstream.ts';
import { testConfig } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';
import { startUpstream, type TestUpstream } from '#test/kit/upstream.ts';

const quick: Partial<RelayLimits> = {
  connectMs: 300,
  firstByteMs: 300,
  idleMs: 300,
  answerMs: 800,
  bodyBytes: 2_000_000,
};

let upstream: TestUpstream;
let relay: Relay;
let server: Server;
let port: number;
const agent = new Agent({ keepAlive: false });

async function serve(host: string, limits = quick): Promise<void> {
  const deps = {
    config: { ...testConfig(), PUBLIC_POSTHOG_HOST: host },
    // Nobody else has counted anything.
    write: { query: async () => ({ rows: [] }) } as unknown as Pool,
    log: createLog('silent'),
    clock: systemClock,
    fetch: globalThis.fetch,
  };
  relay = createRelay(deps, { limits });
  const app = express();
  app.set('trust proxy', 1);
  app.use('/ingest', relayRoutes(deps, relay));
  app.get('/other', (_req, res) => void res.send('fine'));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
}

beforeEach(async () => {
  upstream = await startUpstream();
  await serve(upstream.url);
});
async function stopServing(): Promise<void> {
  await relay.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
afterEach(async () => {
  await stopServing();
  await upstream.stop();
});

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = options.body ? 'POST' : 'GET', headers = {}, body } = options;
    const call = request({ agent, port, host: '127.0.0.1', path, method, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => {
        text += chunk;
      });
      res.on('error', reject);
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: text,
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** At most the 15 s of the pass mark. */
const untilConnected = (connections: number) => until(() => upstream.connections === connections);

describe('passing on', () => {
  it('sends path, query and bytes as they came, and the answer back', async () => {
    const body = gzipSync('{"event":"seen"}');
    const answer = await ask('/ingest/i/v0/e/?ip=0&_=1', {
      body,
      headers: {
        'content-type': 'text/plain',
        cookie: 'session=secret',
        authorization: 'Bearer x',
        'x-forwarded-for': '6.6.6.6, 198.51.100.4',
      },
    });
    expect(answer).toMatchObject({ status: 200, body: '{"status":1}' });
    const [seen] = upstream.seen;
    expect(seen).toMatchObject({ method: 'POST', path: '/i/v0/e/?ip=0&_=1', body });
    expect(seen?.headers).toMatchObject({ 'content-type': 'text/plain', 'x-forwarded-for': '198.51.100.4' });
    expect(seen?.headers.host).toBe(new URL(upstream.url).host);
    expect(seen?.headers).not.toHaveProperty('cookie');
    expect(seen?.headers).not.toHaveProperty('authorization');
  });

  it('passes statuses and headers on, but never a cookie', async () => {
    upstream.respond = (_req, res) => {
      res.writeHead(401, { 'set-cookie': 'ph=1', 'x-thing': 'kept', 'content-type': 'text/plain' }).end('no');
    };
    const answer = await ask('/ingest/flags/?v=2', { body: Buffer.from('{}') });
    expect(answer).toMatchObject({ status: 401, body: 'no', headers: { 'x-thing': 'kept' } });
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it.each([301, 302, 303, 307, 308])('passes no redirect on, and follows none: %s', async (status) => {
    upstream.respond = (_req, res) => res.writeHead(status, { location: 'http://127.0.0.1:9/elsewhere' }).end();
    const answer = await ask('/ingest/e/', { body: Buffer.from('{}') });
    expect(answer.status).toBe(502);
    expect(answer.headers).not.toHaveProperty('location');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('takes GET, POST and OPTIONS on any path, and no other method', async () => {
    expect((await ask('/ingest/static/array.js')).status).toBe(200);
    expect((await ask('/ingest/anything/at/all', { method: 'OPTIONS' })).status).toBe(200);
    const answer = await ask('/ingest/e/', { method: 'DELETE' });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, POST, OPTIONS' } });
    expect(upstream.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /static/array.js',
      'OPTIONS /anything/at/all',
    ]);
  });

  it('cannot be pointed at another host', async () => {
    await ask('/ingest//evil.example/e/');
    await ask('/ingest/http://evil.example/');
    await ask('/ingest/e/', { headers: { host: 'evil.example' } });
    expect(upstream.seen.map(({ path }) => path)).toEqual(['//evil.example/e/', '/http://evil.example/', '/e/']);
    expect(new Set(upstream.seen.map(({ headers }) => headers.host)).size).toBe(1);
  });

  it('asks the upstream for a path, also where the client named a whole address', async () => {
    for (const path of ['http://evil.example/ingest/e/?a=1', 'http://evil.example/ingest?a=1']) {
      expect((await ask(path, { body: Buffer.from('x') })).status).toBe(200);
    }
    expect(upstream.seen.map(({ path }) => path)).toEqual(['/e/?a=1', '/?a=1']);
  });

  it('streams up: the upstream reads the first part before the client has sent the last', async () => {
    const parts: string[] = [];
    upstream.respond = (req, res) => {
      req.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
      req.on('end', () => res.end('ok'));
    };
    const call = request({ agent, port, host: '127.0.0.1', path: '/ingest/s/', method: 'POST' });
    const status = new Promise((resolve) =>
      call.on('response', (res) => res.resume().on('end', () => resolve(res.statusCode))),
    );
    call.write('first');
    await until(() => parts.length > 0);
    expect(parts).toEqual(['first']);
    call.end('last');
    expect(await status).toBe(200);
    expect(parts.join('')).toBe('firstlast');
  });

  it('streams down: the client reads the first part before the upstream has sent the last', async () => {
    let finish = () => {};
    upstream.respond = (_req, res) => {
      res.write('first');
      finish = () => res.end('last');
    };
    const parts: string[] = [];
    const done = new Promise<void>((resolve) => {
      request({ agent, port, host: '127.0.0.1', path: '/ingest/array/x/config.js' }, (res) => {
        res
          .setEncoding('utf8')
          .on('data', (chunk: string) => parts.push(chunk))
          .on('end', resolve);
      }).end();
    });
    await until(() => parts.length > 0);
    expect(parts).toEqual(['first']);
    finish();
    await done;
    expect(parts).toEqual(['first', 'last']);
  });

  it('carries a large body both ways without holding it', async () => {
    upstream.respond = (req, res) => void req.pipe(res);
    const body = Buffer.alloc(1_900_000, 'a');
    expect((await ask('/ingest/s/', { body })).body.length).toBe(body.length);
  });

  it('refuses a body beyond the limit, announced or not', async () => {
    const body = Buffer.alloc(2_100_000);
    expect((await ask('/ingest/s/', { body })).status).toBe(413);
    const chunked = await ask('/ingest/s/', { body, headers: { 'transfer-encoding': 'chunked' } }).catch(() => ({
      status: 413,
    }));
    expect(chunked.status).toBe(413);
    expect(upstream.seen).toEqual([]);
  });
});

describe('a failing upstream', () => {
  it('is tried once more when it dropped an idle connection', async () => {
    await ask('/ingest/e/', { body: Buffer.from('one') });
    let drops = 1;
    upstream.respond = (req, res) => {
      if (drops-- > 0) req.socket.resetAndDestroy();
      else req.on('data', (chunk: Buffer) => res.end(chunk));
    };
    expect(await ask('/ingest/e/', { body: Buffer.from('two') })).toMatchObject({ status: 200, body: 'two' });
  });

  it('answers 502 with Retry-After when it resets twice', async () => {
    let tries = 0;
    upstream.respond = (req) => {
      tries++;
      req.socket.resetAndDestroy();
    };
    expect(await ask('/ingest/e/', { body: Buffer.from('x') })).toMatchObject({
      status: 502,
      headers: { 'retry-after': '5' },
    });
    expect(tries).toBe(2);
    expect(await relay.status()).toMatchObject({
      mode: 'relay',
      failed: 1,
      inFlight: 0,
      lastProblem: { message: 'Upstream unreachable (ECONNRESET).', kind: 'brokenOff' },
    });
  });

  it('answers 502 at once when it is away', async () => {
    await upstream.stop();
    const answer = await ask('/ingest/e/', { body: Buffer.from('x') });
    expect(answer.status).toBe(502);
    expect(answer.body).not.toContain('127.0.0.1');
    expect(await relay.status()).toMatchObject({ lastProblem: { kind: 'refused', status: null } });
    upstream = await startUpstream(Number(new URL(upstream.url).port));
    expect((await ask('/ingest/e/', { body: Buffer.from('x') })).status).toBe(200);
  });

  it('answers 504 when no first byte comes', async () => {
    upstream.respond = (req) => void req.resume();
    const answer = await ask('/ingest/e/', { body: Buffer.from('x') });
    expect(answer.status).toBe(504);
  });

  it('answers 504 when the connection is never accepted', async () => {
    // An address reserved for documentation: nothing answers there, or the network says that nothing can.
    await relay.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await serve('http://192.0.2.1:9');
    const answer = await ask('/ingest/e/', { body: Buffer.from('x') });
    expect([502, 504]).toContain(answer.status);
  });

  it('breaks the connection when it breaks off in the middle of an answer', async () => {
    upstream.respond = (req, res) => {
      res.writeHead(200, { 'content-length': '100' });
      res.write('half');
      setTimeout(() => req.socket.resetAndDestroy(), 30);
    };
    await expect(ask('/ingest/array/x/config')).rejects.toThrow();
  });

  it('cuts off an answer that stops, and one that drips for ever', async () => {
    upstream.respond = (_req, res) => void res.write('x');
    await expect(ask('/ingest/array/x/config')).rejects.toThrow();
    upstream.respond = (_req, res) => {
      const dripping = setInterval(() => res.write('x'), 50);
      res.on('close', () => clearInterval(dripping));
    };
    await expect(ask('/ingest/array/x/config')).rejects.toThrow();
  });
});

describe('a client that goes away', () => {
  it('takes the upstream request with it', async () => {
    upstream.respond = (req) => void req.resume();
    const socket = connectTcp(port, '127.0.0.1');
    socket.write('POST /ingest/e/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
    await untilConnected(1);
    socket.destroy();
    await untilConnected(0);
    expect(await relay.status()).toMatchObject({ inFlight: 0, failed: 0 });
  });
});

describe('a client that is slow', () => {
  it('gets the error, and the upstream is not blamed', async () => {
    upstream.respond = (req) => void req.resume();
    const socket = connectTcp(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.write('POST /ingest/e/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
    await until(() => answer.includes('\r\n\r\n'));
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    socket.destroy();
    await untilConnected(0);
    expect(await relay.status()).toMatchObject({ inFlight: 0, failed: 0, lastProblem: null });
  });

  it('and does not read its answer is cut off, and the upstream is not blamed', async () => {
    // Filling the buffers between the two may take a busy machine longer than a whole answer may take in the other tests.
    await stopServing();
    await serve(upstream.url, { ...quick, answerMs: 60_000 });
    upstream.respond = (_req, res) => void res.end(Buffer.alloc(30_000_000));
    const socket = connectTcp(port, '127.0.0.1');
    socket.pause();
    socket.write('GET /ingest/array/x/config HTTP/1.1\r\nHost: x\r\n\r\n');
    await untilConnected(1);
    await untilConnected(0);
    socket.destroy();
    expect(await relay.status()).toMatchObject({ inFlight: 0, failed: 0, lastProblem: null });
  });

  it('does not take the blame from an upstream that stops reading', async () => {
    upstream.respond = (req) => void req.pause();
    const answer = await ask('/ingest/e/', { body: Buffer.alloc(1_900_000) });
    expect(answer.status).toBe(504);
    expect(await relay.status()).toMatchObject({ failed: 1 });
  });
});

describe('R13: 200 requests to an upstream that misbehaves', () => {
  it.each([
    ['hangs', (req: IncomingMessage) => void req.resume()],
    ['resets', (req: IncomingMessage) => void req.socket.resetAndDestroy()],
    [
      'drips',
      (_req: IncomingMessage, res: import('node:http').ServerResponse) => {
        const dripping = setInterval(() => res.write('x'), 100);
        res.on('close', () => clearInterval(dripping));
      },
    ],
  ])('%s: the rest of the program answers and every socket comes back', async (_name, respond) => {
    upstream.respond = respond;
    const storm = Array.from({ length: 200 }, () => ask('/ingest/e/', { body: Buffer.from('x') }).catch(() => null));
    for (let nth = 0; nth < 40; nth++) expect(await ask('/other')).toMatchObject({ status: 200, body: 'fine' });
    const answers = await Promise.all(storm);
    for (const answer of answers) if (answer) expect([200, 502, 504]).toContain(answer.status);
    await untilConnected(0);
    expect(await relay.status()).toMatchObject({ inFlight: 0 });
    upstream.respond = (_req, res) => void res.end('back');
    expect((await ask('/ingest/e/', { body: Buffer.from('x') })).body).toBe('back');
  });
});

describe('hosts', () => {
  it.each([
    ['https://us.i.posthog.com', '/e/', 'https://us.i.posthog.com/e/'],
    [
      'https://eu.i.posthog.com',
      '/static/1.2.3/recorder.js',
      'https://eu-assets.i.posthog.com/static/1.2.3/recorder.js',
    ],
    ['https://eu.i.posthog.com', '/array/phc_x/config.js', 'https://eu-assets.i.posthog.com/array/phc_x/config.js'],
    ['https://app.posthog.com', '/array/x/config', 'https://us-assets.i.posthog.com/array/x/config'],
    ['https://ph.example.org', '/static/array.js', 'https://ph.example.org/static/array.js'],
    ['https://example.org/ph/', '/static/array.js', 'https://example.org/ph/static/array.js'],
  ])('%s%s is %s', (host, path, wanted) => {
    expect(createUpstream(host).urlOf(path)).toBe(wanted);
  });

  it('says whether data leaves the country, as far as a name can tell', () => {
    expect(createUpstream('https://eu.i.posthog.com').isAbroad).toBe(true);
    expect(createUpstream('https://ph.empresa.com.br').isAbroad).toBe(false);
    expect(createUpstream('http://10.0.0.4:8000').isAbroad).toBe(false);
  });
});

describe('trying the connection', () => {
  it('says what came back', async () => {
    expect(await relay.test()).toMatchObject({ ok: true, status: 200, kind: null });
    expect(upstream.seen.at(-1)?.path).toBe('/array/test/config');
    upstream.respond = (_req, res) => void res.writeHead(404).end();
    expect(await relay.test()).toMatchObject({ ok: false, status: 404, kind: 'key' });
    await upstream.stop();
    await relay.test(); // on a connection of before, which is reset
    expect(await relay.test()).toMatchObject({
      ok: false,
      status: null,
      message: 'Upstream unreachable (ECONNREFUSED).',
      kind: 'refused',
    });
  });
});
