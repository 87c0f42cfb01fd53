/** What only a raw socket sends: requests that two servers would read differently, and names of proxies that are not there. */
import { connect } from 'node:net';
import request from 'supertest';
import { publicProcedure, router } from '#src/trpc/procedure.ts';
import { startServer, type WebServer } from '#src/web/server.ts';
import { type TestApp, testApp } from '../kit/app.ts';

const asked = router({
  test: router({ client: publicProcedure.query(({ ctx }) => ctx.client.address) }),
});
let luneta: TestApp;
let server: WebServer;

beforeAll(async () => {
  luneta = testApp({ router: asked, routes: [] });
  server = await startServer(luneta.app, { port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.stop(1_000);
  await luneta.close();
});

/** Everything that comes back until the other side closes; after half a second of silence it counts as left open. */
function send(lines: string): Promise<{ text: string; isClosed: boolean }> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setTimeout(500, () => {
      socket.destroy();
      resolve({ text, isClosed: false });
    });
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('end', () => resolve({ text, isClosed: true }));
    socket.on('error', reject);
    socket.write(lines, 'latin1');
  });
}

const hidden = 'GET /robots.txt HTTP/1.1\r\nHost: localhost\r\n\r\n';
const post = (headers: string, body: string) =>
  `POST /preferences HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`;

describe('a request that can be read in two ways', () => {
  test.each([
    ['a length and chunks', post('Content-Length: 6\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`)],
    ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 6', `0\r\n\r\n${hidden}`)],
    ['two lengths', post('Content-Length: 0\r\nContent-Length: 44', hidden)],
    ['two lengths in one', post('Content-Length: 0, 44', hidden)],
    ['a length that is none', post('Content-Length: +5', 'a=b&c')],
    ['a negative length', post('Content-Length: -1', hidden)],
    ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${hidden}`)],
    ['chunks that are none', post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`)],
    ['a chunk of no size', post('Transfer-Encoding: chunked', `zz\r\n${hidden}`)],
    ['a space before the colon', post('Content-Length : 44', hidden)],
    ['a folded header', post('X-A: b\r\n Content-Length: 44', hidden)],
    ['NUL in a header', post('X-A: a\0b', '')],
    ['a line end alone in a header', post('X-A: a\nX-B: b\rX-C: c', '')],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere.example\r\n\r\n'],
    ['the same host twice', 'GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nhOST: localhost\r\n\r\n'],
    ['no address', 'GET * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['no address, of options', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an address without a slash', 'GET robots.txt HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an address of another kind', 'GET file:///etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a version that is none', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n'],
  ])('is refused, and the connection closed: %s', async (_, lines) => {
    const { text, isClosed } = await send(lines);
    // 403: refused for its headers, before anything of its body was read.
    expect(text).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(text).not.toContain('User-agent');
    expect(isClosed).toBe(true);
  });

  test('is none when it is sent properly, twice in a row', async () => {
    const { text } = await send(hidden + hidden);
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });
});

describe('the address of a client', () => {
  const forged = '198.51.100.1, 198.51.100.2, 198.51.100.3';

  test.each([
    [0, forged, /^(::ffff:)?127\.0\.0\.1$/],
    [1, forged, /^198\.51\.100\.3$/],
    [2, forged, /^198\.51\.100\.2$/],
    [1, undefined, /^(::ffff:)?127\.0\.0\.1$/],
    [2, '198.51.100.9', /^198\.51\.100\.9$/],
  ])('is what %d trusted proxies say of %j', async (trusted, header, wanted) => {
    const { app, close } = testApp({ router: asked, routes: [], deps: { config: { TRUST_PROXY: trusted } } });
    const call = request(app).get('/api/trpc/test.client').set('Forwarded', 'for=203.0.113.1');
    const { body } = await (header === undefined ? call : call.set('X-Forwarded-For', header));
    await close();
    expect(body.result.data.json).toMatch(wanted);
  });
});
