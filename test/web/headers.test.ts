/** Security headers of every kind of answer, held against our own scorer (the points of the HTTP Observatory). */
import request from 'supertest';
import { type TestApp, testApp } from '../kit/app.ts';
import { directivesOf, scoreHeaders } from '../kit/header-score.ts';
import { testRouter, testRoutes } from '../kit/screen.tsx';

const router = testRouter({ number: async () => 1, list: async () => [] });
const apps: TestApp[] = [];

function start(config = {}, own = true) {
  const app = testApp({ deps: { config }, ...(own ? { router, routes: testRoutes } : {}) });
  apps.push(app);
  return app.app;
}

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const answers: [string, string, number][] = [
  ['GET', '/', 404],
  ['GET', '/project/1/test', 200],
  ['HEAD', '/project/1/test', 200],
  ['GET', '/project/lnt_test/test', 302],
  ['GET', '/project/1/broken', 500],
  ['GET', '/_app', 200],
  ['GET', '/nowhere', 404],
  ['GET', '/api/trpc/insights.query.overview?input=%7B%22json%22%3A%7B%22project%22%3A%221%22%7D%7D', 200],
  ['GET', '/api/trpc/nothing', 404],
  ['GET', '/api/nothing', 404],
  ['POST', '/api/trpc/insights.query.overview', 403],
  ['POST', '/preferences', 403],
  ['GET', '/assets/browser-TEST.js', 200],
  ['GET', '/assets/none.js', 404],
  ['GET', '/favicon.svg', 200],
  ['GET', '/manifest.webmanifest', 200],
  ['GET', '/robots.txt', 200],
  ['GET', '/service-worker.js', 200],
  ['GET', '/metrics', 200],
  ['TRACE', '/', 405],
  ['DELETE', '/project/1/test', 405],
];

test.each(answers)('%s %s', async (method, path, status) => {
  for (const [appUrl, https] of [
    ['http://localhost:3000', false],
    ['https://luneta.example', true],
  ] as const) {
    const agent = request(start({ PUBLIC_APP_URL: appUrl }));
    const res = await (method === 'TRACE' ? agent.trace(path) : agent[method.toLowerCase() as 'get'](path));
    expect(res.status).toBe(status);
    expect(scoreHeaders(res.headers, https)).toEqual({ points: 120, lost: [] });
    expect(res.headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/);
  }
});

test('every response has a nonce of its own, and every script of a page carries it', async () => {
  const app = start();
  const nonces = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const { text, headers } = await request(app).get('/project/1/test');
    const policy = directivesOf(headers['content-security-policy']);
    const nonce = policy['script-src']?.[0]?.match(/^'nonce-([\w+/]{22}==)'$/)?.[1] ?? '';
    expect(policy['script-src']?.[1]).toBe("'strict-dynamic'");
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    nonces.add(nonce);
    const scripts = [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(1);
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
    expect(text.match(/<script[^>]*src="[^"]*"[^>]*>/)?.[0]).toContain('integrity="sha384-');
    expect(text).not.toMatch(/\son\w+="/);
  }
  expect(nonces.size).toBe(20);
});

test('hosts are added only when settings name them', async () => {
  const config = { TAG_MANAGER_HOSTS: ['https://tags.example'], PUBLIC_SUPABASE_URL: 'https://backend.example/path' };
  const { headers } = await request(start(config)).get('/project/1/test');
  const policy = directivesOf(headers['content-security-policy']);
  expect(policy['connect-src']).toEqual(["'self'", 'https://backend.example', 'https://tags.example']);
  expect(policy['img-src']).toEqual(["'self'", 'data:', 'https://tags.example']);
  const plain = directivesOf((await request(start()).get('/project/1/test')).headers['content-security-policy']);
  expect(plain['connect-src']).toEqual(["'self'"]);
});
