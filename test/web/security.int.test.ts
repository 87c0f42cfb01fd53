/** Promises about every route at once, held against the whole application; the routes are listed by itself (test/kit/routes.ts). */
import type { Test } from 'supertest';
import { useDatabase } from '#test/kit/database.ts';
import { scoreHeaders } from '#test/kit/header-score.ts';
import request from '#test/kit/request.ts';
import { filled, type HttpRoute, httpRoutes, procedures, screenPaths } from '#test/kit/routes.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

/** Everything is called: that takes its time where other things run as well. */

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };
const trace = /node_modules|\bat \w[\w.]* \(|\.tsx?:\d+/;
const stack = new RegExp(`${trace.source}|\\bselect [\\w., "*]+ from \\w|insert into \\w|update \\w+ set `);
/** These tell an owner what the database was slow with, as it may be under a busy test. */
const showsQuestions = /^\/(status|api\/trpc\/status\.)/;

const known = () => ({ project: whole.project, team: whole.team });

function ask({ method, path }: HttpRoute, as: 'owner' | 'nobody' = 'owner'): Test {
  const agent = request(whole.app);
  const test = agent[method.toLowerCase() as 'get'](filled(path, known()));
  return as === 'owner' ? test.set('Cookie', whole.owner) : test;
}

const STAGE_LOSES = ['unsafe sources', 'form-action', 'frame-ancestors', 'X-Frame-Options'];

/** Routes that change something and are reached with a cookie: all but those of clients, of keys and of links with a secret, which carry their own proof. */
function unsafeRoutes(): HttpRoute[] {
  const own = httpRoutes(whole.app).filter(
    ({ path }) => !/^\/(ingest|e|reports|api\/(v1|projects|symbol-sets))(\/|$)/.test(path),
  );
  const calls = procedures()
    .filter(({ type }) => type === 'mutation')
    .map(({ path }) => ({ method: 'POST', path: `/api/trpc/${path}` }));
  return [...own.filter(({ method }) => !['GET', 'OPTIONS'].includes(method)), ...calls];
}

/** What every table holds, but for what a mere look may write. */
async function everything(): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname not in ('rate_limits', 'sign_in_sessions', 'job_runs') and c.relname not like 'knex%'`,
  );
  const sums = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as all from ${name} t`,
  );
  const rows = await database.query<{ name: string; all: string }>(sums.join(' union all '));
  return Object.fromEntries(rows.map(({ name, all }) => [name, all]));
}

it('lists the routes', () => {
  expect(unsafeRoutes().length).toBeGreaterThan(8);
  expect(unsafeRoutes()).toContainEqual({ method: 'POST', path: '/api/sign-in/password' });
  expect(unsafeRoutes()).toContainEqual({ method: 'POST', path: '/api/trpc/mail.link' });
  expect(procedures().length).toBeGreaterThan(15);
});

describe('requests that another site makes a browser send', () => {
  it.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['a sister domain', { 'Sec-Fetch-Site': 'same-site', Origin: 'http://sister.localhost:3000' }],
    ['a bookmark', { 'Sec-Fetch-Site': 'none' }],
    ['another origin, of an old browser', { Origin: 'https://evil.example' }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['another port', { Origin: 'http://localhost:3001' }],
    ['our name as a part of theirs', { Origin: 'http://localhost:3000.evil.example' }],
    ['nobody who says so', {}],
  ])('from %s are refused everywhere, and change nothing', async (_, headers) => {
    const before = await everything();
    for (const route of unsafeRoutes()) {
      const { status, body } = await ask(route)
        .set(headers)
        .send({ json: known(), ...known() });
      expect([route.path, status]).toEqual([route.path, 403]);
      const refused = route.path.startsWith('/api/trpc/') ? body.error.json.data.appCode : body.error?.code;
      if (route.path.startsWith('/api/')) expect([route.path, refused]).toEqual([route.path, 'forbidden']);
    }
    expect(await everything()).toEqual(before);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
  ])('as %s are no calls, even from our own pages', async (type) => {
    const before = await everything();
    for (const { path } of unsafeRoutes().filter(({ path }) => path.startsWith('/api/trpc/'))) {
      const sent = await request(whole.app)
        .post(path)
        .set({ ...sameOrigin, 'Content-Type': type, Cookie: whole.owner })
        .send(JSON.stringify({ json: known() }));
      expect([path, sent.status]).toEqual([path, 415]);
      expect(sent.body.error).toMatchObject({ code: 'invalid', requestId: expect.stringMatching(/^[\da-f]{16}$/) });
    }
    expect(await everything()).toEqual(before);
  });

  it('as GET never change anything', async () => {
    const before = await everything();
    const input = encodeURIComponent(JSON.stringify({ json: known() }));
    for (const { method, path } of unsafeRoutes()) {
      const { status } = await ask({ method: 'GET', path: `${path}?input=${input}` }).set(sameOrigin);
      const isCall = path.startsWith('/api/trpc/');
      expect([method, path, status]).toEqual([method, path, isCall ? 405 : 404]);
    }
    expect(await everything()).toEqual(before);
  });

  it('as methods that nothing here answers are refused', async () => {
    for (const method of ['put', 'patch', 'delete', 'trace', 'propfind'] as const) {
      for (const path of ['/', '/api/trpc/accounts.me', `/project/${whole.project}/overview`]) {
        const { status } = await request(whole.app)
          [method](path)
          .set({ ...sameOrigin, Cookie: whole.owner });
        expect([method, path, status]).toEqual([method, path, 405]);
      }
    }
  });
});

describe('headers', () => {
  const gets = (): HttpRoute[] => [
    ...screenPaths(known()).map((path) => ({ method: 'GET', path })),
    ...httpRoutes(whole.app).filter(
      ({ method, path }) => method === 'GET' && !/^\/(ingest|e|readyz|healthz)\b/.test(path),
    ),
    ...procedures().map(({ path }) => ({ method: 'GET', path: `/api/trpc/${path}` })),
    ...['/nowhere', '/api/nowhere', '/_app', '/project/0/overview', '/%c0%ae', '/.env'].map((path) => ({
      method: 'GET',
      path,
    })),
  ];

  it.each(['owner', 'nobody'] as const)(
    'of everything that %s gets are worth A+, keep what is private out of every cache, and let no other site read it',
    async (who) => {
      const queries = procedures().filter(({ type }) => type === 'query');
      const pages = [...screenPaths(known()), ...queries.map(({ path }) => `/api/trpc/${path}`)];
      const isPrivate = ({ method, path }: HttpRoute) => method !== 'GET' || pages.includes(path);
      expect(gets().length).toBeGreaterThan(40);
      expect(gets().filter(isPrivate).length).toBeGreaterThan(40);
      let answered = 0;
      for (const route of [...gets(), ...unsafeRoutes()]) {
        const asked = ask(route, who).timeout(30_000);
        // With the cookies of a reader another site may ask as well, and reads nothing.
        const isElsewhere = who === 'owner' && route.method === 'GET';
        const { headers, status } = await (isElsewhere ? asked.set('Origin', 'https://evil.example') : asked);
        if (status === 200) answered += 1;
        // Recorded pages bring their styles, and are drawn in a frame without scripts.
        const lost = route.path === '/replay-stage' ? STAGE_LOSES : [];
        const points = 120 - (lost.length === 0 ? 0 : 20 + 10 * lost.length);
        expect([route.path, scoreHeaders(headers, false)]).toEqual([route.path, { points, lost }]);
        expect([route.path, headers['access-control-allow-credentials']]).toEqual([route.path, undefined]);
        if (isPrivate(route))
          expect([route.path, headers['cache-control']]).toEqual([route.path, expect.stringContaining('no-store')]);
      }
      if (who === 'owner') expect(answered).toBeGreaterThan(60);
    },
  );
});

describe('odd input', () => {
  const queries = [
    'a=1&a=2&a[b]=1&a[]=1&next[]=x&next=y&token=a&token=b',
    '__proto__[polluted]=1&constructor[prototype][polluted]=1&__proto__=1',
    'range=today&range=all_time&before=1&before=2&project=1&team=2',
    '%00=%00&a=%ff&&==&before=%00&token=%00&next=%00',
  ];

  it.each(queries)('in the query (%s) crashes nothing and pollutes nothing', async (query) => {
    const paths = [
      ...screenPaths(known()),
      ...httpRoutes(whole.app)
        .filter(({ method }) => method === 'GET')
        .map(({ path }) => filled(path, known())),
      ...procedures()
        .filter(({ type }) => type === 'query')
        .map(({ path }) => `/api/trpc/${path}`),
    ];
    for (const path of paths) {
      const { status, text } = await request(whole.app).get(`${path}?${query}`).set('Cookie', whole.owner);
      expect([path, status < 500 || path === '/readyz']).toEqual([path, true]);
      const inner = showsQuestions.test(path) ? trace : stack;
      if (!path.startsWith('/metrics')) expect([path, inner.exec(text ?? '')?.[0]]).toEqual([path, undefined]);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  const bodies: [string, string][] = [
    [
      'an own property named __proto__',
      '{"__proto__":{"polluted":1,"role":"owner"},"json":{"__proto__":{"polluted":1}}}',
    ],
    [
      'a constructor',
      '{"constructor":{"prototype":{"polluted":1}},"json":{"constructor":{"prototype":{"polluted":1}}}}',
    ],
    ['notes that lead into the prototype', '{"json":{"a":1},"meta":{"values":{"__proto__.polluted":["Date"]}}}'],
    ['lists where texts are', '{"email":["a","b"],"password":{"$gt":""},"json":{"team":[1],"id":{"a":1}}}'],
    ['numbers where texts are', '{"email":1e999,"password":-1,"token":0,"json":{"team":1e308,"id":0}}'],
    ['nulls', '{"email":null,"password":null,"json":null}'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['half of it', '{"email":'],
    ['nothing', ''],
    [
      'NUL and lone surrogates',
      '{"email":"a\\u0000b@x.example","password":"\\ud800","json":{"team":1,"id":"\\u0000"}}',
    ],
    ['great depth', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ];

  it.each(bodies)('in the body (%s) crashes nothing, pollutes nothing, and tells nothing', async (_, body) => {
    for (const route of unsafeRoutes().filter(({ path }) => path !== '/sign-out')) {
      const { status, text } = await ask(route)
        .set({ ...sameOrigin, 'Content-Type': 'application/json' })
        .send(body);
      expect([route.path, status]).toEqual([route.path, expect.any(Number)]);
      expect([route.path, status < 500]).toEqual([route.path, true]);
      expect([route.path, stack.exec(text)?.[0]]).toEqual([route.path, undefined]);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
  });

  it('makes no new header, and no second line in the log', async () => {
    const names = [
      '%0d%0aSet-Cookie:%20evil=1',
      '%0aLocation:%20//evil.example',
      '%E5%98%8A%E5%98%8DSet-Cookie:evil=1',
    ];
    for (const name of names) {
      for (const path of [
        `/${name}`,
        `/project/${name}/overview`,
        `/sign-in?next=/${name}`,
        `/team/${name}/mail?before=${name}`,
      ]) {
        const from = whole.lines.length;
        const { headers } = await request(whole.app)
          .get(path)
          .set({ 'X-Request-Id': 'forged', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' });
        expect(JSON.stringify(headers)).not.toMatch(/evil=1|"location":"\/\/|forged/);
        const written = whole.lines.slice(from).map((line) => JSON.parse(line) as { msg: string });
        expect(written.filter(({ msg }) => msg === 'request')).toHaveLength(1);
        for (const line of whole.lines.slice(from)) expect(line.trimEnd()).not.toMatch(/[\r\n]/);
      }
    }
  });
});

describe('addresses that lead elsewhere', () => {
  const payloads = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    'https:evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://localhost:3000@evil.example',
    '@evil.example',
    '.evil.example',
  ];

  it.each(payloads)('%j leads nowhere but to us', async (payload) => {
    const next = encodeURIComponent(payload);
    for (const path of [`/sign-in?next=${next}`, `/setup?next=${next}`, `/?next=${next}`]) {
      for (const cookie of [whole.owner, '']) {
        const { headers, text } = await request(whole.app).get(path).set('Cookie', cookie);
        if (headers['location'] !== undefined) {
          expect(new URL(headers['location'], 'http://localhost:3000').origin).toBe('http://localhost:3000');
          expect(headers['location']).not.toMatch(/^[/\\]{2}/);
        }
        expect(text.replace(/<script[^>]*>.*?<\/script>/gs, '')).not.toMatch(/(href|action|content)="[^"]*\/\/evil/);
      }
    }
    for (const path of ['/preferences', '/sign-out']) {
      const led = await request(whole.app)
        .post(path)
        .type('form')
        .set(sameOrigin)
        .send({ theme: 'dark', back: payload });
      expect([path, led.status]).toEqual([path, 303]);
      expect(new URL(led.headers['location'] ?? '', 'http://localhost:3000').origin).toBe('http://localhost:3000');
    }
  });

  it('are never made of what a request says our name is', async () => {
    const { text, headers, status } = await request(whole.app)
      .get('/')
      .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' });
    expect(status).toBe(403);
    expect(`${text}${JSON.stringify(headers)}`).not.toContain('evil.example');
    const proxied = await request(whole.app).get('/').set({ 'X-Forwarded-Host': 'evil.example' });
    expect(`${proxied.text}${JSON.stringify(proxied.headers)}`).not.toContain('evil.example');
  });
});

describe('files', () => {
  it.each([
    '/.env',
    '/.git/config',
    '/.git/HEAD',
    '/.luneta/',
    '/package.json',
    '/package-lock.json',
    '/dist/main.js',
    '/main.js',
    '/main.js.map',
    '/assets/',
    '/assets',
    '/assets/browser-TEST.js.map',
    '/assets/..%2fmain.js',
    '/assets/%2e%2e/main.js',
    '/assets/..%5c..%5cmain.js',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/src/config.ts',
    '/server-status',
    '/wp-login.php',
    '/.well-known/../.env',
  ])('%s is not given out', async (path) => {
    const { status, text } = await request(whole.app).get(path).set('Cookie', whole.owner);
    expect(status).toBe(404);
    expect(text).not.toMatch(/root:|"dependencies"|DATABASE_URL/);
  });
});

describe('errors', () => {
  /** What a reader gets of a failure: a general sentence, its code and the request's id. */
  const said = (text: string) => ({
    stack: stack.exec(text)?.[0],
    path: /\/(work|home|root|app)\/\w+/.exec(text)?.[0],
  });

  it('say nothing of what failed, in whichever layer it did', async () => {
    // A database that lacks what the program asks for: every layer above it fails in earnest.
    const broken = ['projects', 'users', 'mails', 'persons', 'events', 'members'];
    for (const name of broken) await database.query(`alter table ${name} rename to ${name}_away`);
    let failures = 0;
    try {
      const input = encodeURIComponent(JSON.stringify({ json: known() }));
      const asked: HttpRoute[] = [
        ...screenPaths(known()).map((path) => ({ method: 'GET', path })),
        ...procedures()
          .filter(({ type }) => type === 'query')
          .map(({ path }) => ({ method: 'GET', path: `/api/trpc/${path}?input=${input}` })),
        ...unsafeRoutes(),
      ];
      for (const route of asked) {
        const { status, text, headers } = await ask(route)
          .set({ ...sameOrigin, Accept: 'text/html' })
          .send(route.method === 'POST' ? { email: 'a@b.example', password: 'x', json: known() } : undefined);
        if (status >= 500) failures += 1;
        expect([route.path, said(text ?? '')]).toEqual([route.path, { stack: undefined, path: undefined }]);
        expect([route.path, text.includes('_away') || text.includes('does not exist, relation')]).toEqual([
          route.path,
          false,
        ]);
        expect(headers['x-request-id']).toMatch(/^[\da-f]{16}$/);
      }
    } finally {
      for (const name of broken) await database.query(`alter table ${name}_away rename to ${name}`);
    }
    expect(failures).toBeGreaterThan(20);
    expect((await ask({ method: 'GET', path: `/project/${whole.project}/overview` })).status).toBe(200);
  });
});
