/** What comes in: foreign origins, odd methods and bodies, files, health, metrics, and what the log says of it. */
import request from 'supertest';
import * as z from 'zod/mini';
import { publicProcedure, router } from '#src/trpc/procedure.ts';
import { type TestApp, testApp } from '../kit/app.ts';

let changed: string[] = [];
const calls = router({
  test: router({
    change: publicProcedure.input(z.object({ to: z.string() })).mutation(({ input }) => {
      changed.push(input.to);
      return 'done';
    }),
    long: publicProcedure.query(() => 'x'.repeat(50_000)),
    undefinedInput: publicProcedure.input(z.unknown()).query(({ input }) => typeof input),
    stored: publicProcedure.input(z.object({ id: z.int() })).query(() => z.object({ kind: z.string() }).parse({})),
  }),
});
const apps: TestApp[] = [];

function start(config = {}) {
  const app = testApp({ deps: { config }, router: calls, routes: [] });
  apps.push(app);
  return app;
}

beforeEach(() => {
  changed = [];
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const body = JSON.stringify({ json: { to: 'x' } });
const own = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };

describe('requests that change something', () => {
  test.each<[string, Record<string, string>, number]>([
    ['of our own pages', own, 200],
    ['of browsers that only send Origin', { Origin: 'http://localhost:3000', 'Content-Type': 'application/json' }, 200],
    ['of another site', { ...own, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['of a sister domain', { ...own, 'Sec-Fetch-Site': 'same-site' }, 403],
    ['typed by hand', { ...own, 'Sec-Fetch-Site': 'none' }, 403],
    [
      'of another site that claims our origin',
      { ...own, 'Sec-Fetch-Site': 'cross-site', Origin: 'http://localhost:3000' },
      403,
    ],
    ['of a foreign origin', { Origin: 'http://evil.example', 'Content-Type': 'application/json' }, 403],
    ['of a sandbox', { Origin: 'null', 'Content-Type': 'application/json' }, 403],
    ['of no one', { 'Content-Type': 'application/json' }, 403],
    ['as a form of ours', { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'text/plain' }, 415],
    ['as multipart', { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'multipart/form-data; boundary=x' }, 415],
    ['as bytes', { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/octet-stream' }, 415],
    ['without a type', { 'Sec-Fetch-Site': 'same-origin' }, 415],
  ])('%s', async (_name, headers, status) => {
    const { app } = start();
    const call = request(app).post('/api/trpc/test.change').set(headers);
    if (!('Content-Type' in headers)) call.unset('Content-Type');
    const res = await call.send(body);
    expect(res.status).toBe(status);
    expect(changed).toEqual(status === 200 ? ['x'] : []);
  });

  test('are never made by GET', async () => {
    const { app } = start();
    await request(app)
      .get(`/api/trpc/test.change?input=${encodeURIComponent(body)}`)
      .set(own)
      .expect(405);
    expect(changed).toEqual([]);
  });

  test('may be one megabyte long', async () => {
    const { app } = start();
    const res = await request(app)
      .post('/api/trpc/test.change')
      .set(own)
      .send(JSON.stringify({ json: { to: 'x'.repeat(2_500_001) } }));
    expect(res.status).toBe(413);
    expect(res.body.error.json.data.appCode).toBe('too_large');
  });
});

describe('odd questions', () => {
  const ask = (app: TestApp, input: string) =>
    request(app.app).get(`/api/trpc/test.undefinedInput?input=${encodeURIComponent(input)}`);

  test.each([
    '{"json":{},"meta":{"values":{"__proto__.polluted":["Date"]}}}',
    '{"json":{"a":1},"meta":{"values":{"constructor.prototype.x":["undefined"]}}}',
    '{"json":{"a":"x"},"meta":{"values":{"a":[["class","Nothing"]]}}}',
    '{"json',
    '[]',
    '"text"',
  ])('%s is answered without harm', async (input) => {
    const app = start();
    const res = await ask(app, input);
    expect(res.status).toBeLessThan(500);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(res.text).not.toMatch(/node_modules|at \w+ \(/);
  });

  test('wrong input is the caller’s fault, and what a procedure failed to parse is ours', async () => {
    const { app, reported } = start();
    const call = (id: unknown) =>
      request(app).get(`/api/trpc/test.stored?input=${encodeURIComponent(JSON.stringify({ json: { id } }))}`);
    const wrong = await call('x').expect(400);
    expect(wrong.body.error.json.data).toMatchObject({ appCode: 'invalid', httpStatus: 400, field: 'id' });
    expect(reported).toEqual([]);
    const broken = await call(1).expect(500);
    expect(broken.body.error.json.data).toMatchObject({ appCode: 'internal', httpStatus: 500 });
    expect(broken.body.error.json.data.field).toBeNull();
    expect(broken.text).not.toContain('kind');
    expect(reported).toHaveLength(1);
  });

  test.each([
    '/api/trpc/test.long?a=1&a=2&b[c]=1&d[]=2',
    '/_app?a=1&a=2',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/.git/config',
    '/assets/..%2fmain.js',
  ])('%s does not crash anything', async (path) => {
    const app = start();
    const res = await request(app.app).get(path);
    expect(res.status).toBeLessThan(500);
    expect(res.text).not.toContain('root:');
  });

  test('long answers of calls are compressed', async () => {
    const app = start();
    const res = await request(app.app).get('/api/trpc/test.long').set('Accept-Encoding', 'gzip');
    expect(res.headers['content-encoding']).toBe('gzip');
    expect(res.headers['cache-control']).toBe('private, no-store');
  });
});

describe('files', () => {
  test('are kept for ever, and sent as the build compressed them', async () => {
    const { app } = start();
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['', undefined],
    ] as const) {
      const res = await request(app).get('/assets/browser-TEST.js').set('Accept-Encoding', accepted);
      expect(res.text).toBe('entry');
      expect(res.headers['content-encoding']).toBe(encoding);
      expect(res.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(res.headers['vary']).toBe('Accept-Encoding');
    }
    await request(app).get('/assets/gone-OLD.js').expect(404);
  });

  test('that browsers ask for by name are there', async () => {
    const { app } = start();
    await request(app).get('/robots.txt').expect(200, 'User-agent: *\nDisallow: /api/\nDisallow: /ingest/\n');
    const icon = await request(app).get('/favicon.svg').expect('Content-Type', /svg/);
    expect(String(icon.body)).toContain('<svg');
    const manifest = await request(app)
      .get('/manifest.webmanifest')
      .expect('Content-Type', /manifest\+json/);
    expect(JSON.parse(String(manifest.text ?? manifest.body))).toMatchObject({ name: 'Luneta', start_url: '/' });
    const worker = await request(app).get('/service-worker.js').expect('Cache-Control', 'no-cache');
    // Another release is another text: browsers compare.
    expect(worker.text.split('\n')[0]).toBe('// /assets/browser-TEST.js');
  });
});

describe('health', () => {
  test('says ready between the start and the stop, and alive always', async () => {
    const { app, health } = start();
    await request(app).get('/readyz').expect(503, 'starting\n');
    health.ready();
    await request(app).get('/readyz').expect(200, 'ready\n');
    health.stopping();
    health.ready();
    await request(app).get('/readyz').expect(503, 'stopping\n');
    await request(app).get('/healthz').expect(200);
  });
});

describe('metrics', () => {
  test('are for this machine, as long as no proxy passes them on', async () => {
    const { app } = start();
    const res = await request(app).get('/metrics').expect(200);
    expect(res.text).toContain('nodejs_eventloop_lag_p99_seconds');
    await request(app).get('/metrics').set('X-Forwarded-For', '203.0.113.9').expect(403);
    await request(app).get('/metrics').set('Forwarded', 'for=203.0.113.9').expect(403);
  });

  test('with a token set are for who has it', async () => {
    const token = 'a-token-of-16-and-more';
    const { app } = start({ METRICS_TOKEN: token });
    await request(app).get('/metrics').expect(403);
    await request(app).get('/metrics').set('Authorization', 'Bearer wrong').expect(403);
    await request(app)
      .get('/metrics')
      .set('Authorization', `Bearer ${token}`)
      .set('X-Forwarded-For', '203.0.113.9')
      .expect(200);
  });
});

test('a thousand calls in one address are refused', async () => {
  const paths = Array.from({ length: 1_000 }, () => 'test.long').join(',');
  await request(start().app).get(`/api/trpc/${paths}?batch=1`).expect(400);
});

describe('preferences', () => {
  const send = (app: TestApp, form: Record<string, string>) =>
    request(app.app).post('/preferences').type('form').set('Origin', 'http://localhost:3000').send(form);

  test('are kept in cookies, and lead back', async () => {
    const app = start();
    const res = await send(app, { theme: 'dark', back: '/project/1/live?x=1' });
    expect(res.status).toBe(303);
    expect(res.headers['location']).toBe('/project/1/live?x=1');
    expect(res.headers['set-cookie']?.[0]).toMatch(
      /^luneta_theme=dark; Max-Age=31536000; Path=\/; Expires=.*; SameSite=Lax$/,
    );
    expect((await send(app, { language: 'pt-BR', back: '/' })).headers['set-cookie']?.[0]).toMatch(
      /^luneta_lang=pt-BR;/,
    );
    expect((await send(app, { theme: 'system', back: '/' })).headers['set-cookie']?.[0]).toMatch(
      /^luneta_theme=; .*1970/,
    );
    expect((await send(app, { theme: 'evil', language: '<script>', back: '/' })).headers['set-cookie']).toBeUndefined();
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '',
    '/%2f%2fevil',
    '/.//evil.example',
    '/..//evil.example/x',
  ])('do not lead to %j', async (back) => {
    const { headers } = await send(start(), { theme: 'dark', back });
    expect(new URL(headers['location'] ?? '', 'http://localhost:3000').origin).toBe('http://localhost:3000');
  });
});

describe('the log', () => {
  test('has one line per request, without query, token or line breaks', async () => {
    const { app, deps } = start();
    await request(app).get('/project/lnt_secretToken1/overview?email=marina@serrana.example').expect(404);
    await request(app).get('/%0d%0aforged').set('X-Request-Id', 'forged');
    const lines = deps.logged.filter(({ msg }) => msg === 'request');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ method: 'GET', path: '/project/lnt_…/overview', status: 404, level: 30 });
    expect(JSON.stringify(lines)).not.toMatch(/marina|secretToken|\\n|\\r|"requestId":"forged"/);
    expect(lines[0]?.['requestId']).toMatch(/^[0-9a-f]{16}$/);
  });

  test('does not keep credentials', async () => {
    const { app, deps } = start();
    const token = 'q8ZrV1Yt9sD3fGh2KlMnPq5TuVwXyZ0123456789abc';
    for (const path of [
      `/invite/${token}`,
      `/Invite/${token}`,
      `/shared/${token}/x`,
      `/sign-in/${token}`,
      `/api/v1/lnk_${token}`,
    ]) {
      await request(app).get(path);
    }
    expect(JSON.stringify(deps.logged)).not.toContain('q8ZrV1Yt9s');
    expect(deps.logged.map(({ path }) => path)).toContain('/invite/…');
  });
});
