/** Requests that are handed to another thread are answered as if they had not been. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as ask, createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Request } from 'express';
import request from 'supertest';
import { handOver, takeOver } from '#src/web/handover.ts';
import { until } from '#test/kit/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'luneta-handover-'));
const servers: Server[] = [];
let made = 0;
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const refuse: RequestListener = (_req, res) => res.writeHead(503).end('away');

/** Listens in front of `listener`, which is behind a socket. */
async function handed(listener: RequestListener, hops = 0) {
  const address = join(folder, String(made++));
  const inner = createServer(
    { requireHostHeader: false, keepAliveTimeout: 0 },
    takeOver(listener, { TRUST_PROXY: hops }),
  );
  inner.listen(address);
  const outer = createServer(handOver({ open: async () => address, refuse })).listen(0, '127.0.0.1');
  servers.push(outer, inner);
  await Promise.all([once(inner, 'listening'), once(outer, 'listening')]);
  return { inner, outer, port: (outer.address() as AddressInfo).port };
}

/** What comes back for this text, byte by byte. */
async function rawAnswer(port: number, text: string, isWhole: (answer: string) => boolean): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.write(text);
  await until(() => isWhole(answer));
  socket.destroy();
  return answer;
}

describe('who asks', () => {
  const facts = ({ ip, protocol, secure, hostname, socket, headers }: Request) => ({
    ...{ ip, protocol, secure, hostname, remote: socket.remoteAddress, local: socket.localAddress },
    known: headers['x-luneta-client'] ?? null,
  });

  it.each([
    [0, {}],
    [0, { 'X-Forwarded-For': '9.9.9.9', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'other.example' }],
    [1, { 'X-Forwarded-For': '8.8.8.8, 9.9.9.9', 'X-Forwarded-Proto': 'https' }],
    [2, { 'X-Forwarded-For': '7.7.7.7, 8.8.8.8, 9.9.9.9', 'X-Forwarded-Proto': 'https' }],
    [3, { 'X-Forwarded-For': '9.9.9.9' }],
    [1, {}],
  ])('is known as it was, behind %i proxies: %j', async (hops, headers) => {
    const app = express();
    app.set('trust proxy', hops);
    app.use((req, res) => res.json(facts(req)));
    const { outer } = await handed(app, hops);
    const forged = { ...headers, 'x-luneta-client': '6.6.6.6 5.5.5.5', 'X-LUNETA-CLIENT': '4.4.4.4' };
    const direct = createServer(app).listen(0, '127.0.0.1');
    servers.push(direct);
    const [one, other] = [await request(outer).get('/').set(forged), await request(direct).get('/').set(headers)];
    const loopback = (said: ReturnType<typeof facts>) => ({ ...said, remote: said.remote, local: said.local });
    expect(loopback(one.body)).toEqual(loopback(other.body));
    expect(one.body.remote).toBe('127.0.0.1');
    expect(one.body.known).toBeNull();
  });

  it('is still who asked when the connection is another’s by then', async () => {
    const asked: Request[] = [];
    const app = express();
    app.set('trust proxy', 1);
    app.use((req, res) => {
      asked.push(req);
      res.end();
    });
    const { outer } = await handed(app, 1);
    await request(outer).get('/').set('X-Forwarded-For', '1.1.1.1');
    await request(outer).get('/').set('X-Forwarded-For', '2.2.2.2');
    expect(asked.map(({ ip }) => ip)).toEqual(['1.1.1.1', '2.2.2.2']);
    expect(asked[0]?.socket).toBe(asked[1]?.socket);
  });
});

describe('what is asked', () => {
  it('comes as it was sent, names, order and repetitions', async () => {
    const { outer } = await handed((req, res) => {
      const others = req.rawHeaders.filter((_, at) => at >= 4);
      res.end(JSON.stringify({ method: req.method, url: req.url, others: others.slice(0, 8) }));
    });
    const { port } = outer.address() as AddressInfo;
    const answer = await rawAnswer(
      port,
      'PUT /a%20b?c=%C3%A9&c=2 HTTP/1.1\r\nHost: luneta.example\r\nX-One: 1\r\nx-two: a\r\nConnection: close\r\nx-two: b\r\nTE: trailers\r\nCookie: x="é"\r\n\r\n',
      (text) => text.includes('}'),
    );
    expect(answer).toContain('{"method":"PUT","url":"/a%20b?c=%C3%A9&c=2"');
    expect(answer).toMatch(/"x-two","a","x-two","b","Cookie"/);
    expect(answer).not.toContain('trailers');
  });

  it.each([
    ['with a length', { 'Content-Length': '200000' }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
    ['after 100 Continue', { 'Content-Length': '200000', Expect: '100-continue' }],
  ])('has its body, %s', async (_, headers) => {
    const { port } = await handed(async (req, res) => {
      let bytes = 0;
      for await (const piece of req) bytes += piece.length;
      res.end(`${bytes} ${req.headers.expect}`);
    });
    const asked = ask({ port, method: 'POST', headers });
    asked.end(Buffer.alloc(200_000));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(await textOf(answer)).toBe('200000 undefined');
  });

  it('reaches the other thread before its body does', async () => {
    const { port } = await handed((_req, res) => res.writeHead(403).end('no'));
    const asked = ask({ port, method: 'POST', headers: { 'Content-Length': '1000' } });
    asked.flushHeaders();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(403);
    asked.destroy();
  });

  it('may be answered while it is being sent, and holds no connection afterwards', async () => {
    const { port, inner } = await handed((_req, res) => res.writeHead(413).end('too large'));
    const answer = await rawAnswer(
      port,
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000000\r\n\r\n${'x'.repeat(300_000)}`,
      (text) => text.includes('too large'),
    );
    expect(answer).toContain('413');
    await until(async () => (await connectionsOf(inner)) === 0);
  });
});

it('goes on over the same connection after an answer that came before the body', async () => {
  const { port } = await handed((_req, res) => res.writeHead(403).end('no'));
  const body = 'x'.repeat(900_000);
  const first = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await rawAnswer(
    port,
    `${first}GET / HTTP/1.1\r\nHost: a\r\n\r\n`,
    (text) => text.split('403').length > 2,
  );
  expect(answer.match(/HTTP\/1\.1 403/g)).toHaveLength(2);
});

describe('the answer', () => {
  it('comes as it was given', async () => {
    const app = express();
    app.get('/cookies', (_req, res) => res.cookie('a', '1').cookie('b', '2').send('set'));
    app.get('/none', (_req, res) => res.status(204).end());
    app.get('/same', (_req, res) => res.status(304).set('ETag', '"1"').end());
    app.get('/long', (_req, res) => res.type('html').send('x'.repeat(3_000_000)));
    const { outer } = await handed(app);
    const direct = createServer(app).listen(0, '127.0.0.1');
    servers.push(direct);
    for (const [method, path] of [
      ['get', '/cookies'],
      ['head', '/cookies'],
      ['get', '/none'],
      ['get', '/same'],
      ['get', '/long'],
      ['head', '/long'],
      ['options', '/long'],
      ['get', '/missing'],
    ] as const) {
      const answers = await Promise.all([outer, direct].map((server) => request(server)[method](path)));
      const [one, other] = answers.map(({ status, headers, text }) => ({
        status,
        headers: { ...headers, date: '' },
        text,
      }));
      expect(one).toEqual(other);
    }
  });

  it('keeps what was said of the connection here', async () => {
    const address = join(folder, String(made++));
    const inner = createServer((_req, res) => res.setHeader('Set-Cookie', ['a=1', 'b=2']).end('last')).listen(address);
    const listener = handOver({ open: async () => address, refuse });
    const outer = createServer((req, res) => listener(req, res.setHeader('Connection', 'close') as typeof res));
    servers.push(inner);
    const { headers, text } = await request(outer).get('/').set('Connection', 'keep-alive');
    expect([headers['connection'], headers['set-cookie'], headers['content-length'], text]).toEqual([
      ...['close', ['a=1', 'b=2'], '4', 'last'],
    ]);
  });

  it('comes piece by piece, headers first', async () => {
    let goOn = () => {};
    const { port } = await handed((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      goOn = () => void res.write('data: 1\n\n');
    });
    const asked = ask({ port });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    goOn();
    const [piece] = (await once(answer, 'data')) as [Buffer];
    expect(String(piece)).toBe('data: 1\n\n');
    asked.destroy();
  });

  it('waits for slow clients', async () => {
    let sent = 0;
    const { port } = await handed((_req, res) => {
      const piece = Buffer.alloc(100_000);
      const more = () => {
        while (sent < 500 && res.write(piece)) sent++;
        if (sent < 500) res.once('drain', more);
      };
      more();
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent).toBeLessThan(400);
    socket.destroy();
  });

  it('is nobody’s when who asked is gone', async () => {
    const ends: string[] = [];
    const arrived: (string | undefined)[] = [];
    const { port } = await handed((req, res) => {
      res.on('close', () => ends.push(`answer ${res.writableFinished}`));
      req.on('close', () => ends.push('question'));
      if (req.url === '/stream') res.write('a');
      arrived.push(req.url);
    });
    for (const path of ['/stream', '/question']) {
      const asked = ask({ port, path });
      asked.on('error', () => undefined);
      asked.end();
      if (path === '/stream') await once(asked, 'response');
      await until(() => arrived.includes(path));
      asked.destroy();
    }
    await until(() => ends.filter((each) => each === 'answer false').length === 2);
  });

  it('is cut short where it was cut short', async () => {
    const { port } = await handed((_req, res) => {
      res.writeHead(200, { 'Content-Length': '100' }).write('half');
      setTimeout(() => res.destroy(), 20);
    });
    const asked = ask({ port });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await expect(textOf(answer)).rejects.toThrow('aborted');
  });

  it('says that the other thread is away', async () => {
    const outer = createServer(handOver({ open: async () => join(folder, 'nothing'), refuse }));
    const never = createServer(handOver({ open: () => Promise.reject(new Error('away')), refuse }));
    for (const server of [outer, never]) await request(server).post('/a').send({ a: 1 }).expect(503, 'away');
    const { outer: dying } = await handed((req) => req.socket.destroy());
    await request(dying).get('/').expect(503, 'away');
  });
});

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer) text += piece;
  return text;
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
