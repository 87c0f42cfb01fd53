/** Pages: status and headers before the first byte, data in it, late data after it, and what happens when things go wrong. */
import { once } from 'node:events';
import { get as httpGet, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import request from 'supertest';
import { fixedClock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Sessions } from '#src/web/session.ts';
import { holdEarlyPresses } from '#views/kit/early-press.ts';
import { projectsOf, type TestApp, testApp, testProject } from '../kit/app.ts';
import { messagesOf } from '../kit/page-messages.ts';
import { testSessions } from '../kit/reader.ts';
import { type TestAnswers, testRouter, testRoutes } from '../kit/screen.tsx';

const page = '/project/1/test';
const open: TestApp[] = [];

function start(answers: Partial<TestAnswers> = {}, options: Parameters<typeof testApp>[0] = {}): TestApp {
  const router = testRouter({ number: async () => 4321, list: async () => ['/café'], ...answers });
  const app = testApp({ router, routes: testRoutes, ...options });
  open.push(app);
  return app;
}

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => undefined);

const pipelines: Record<string, (res: IncomingMessage) => NodeJS.ReadableStream> = {
  br: (res) => res.pipe(createBrotliDecompress()),
  gzip: (res) => res.pipe(createGunzip()),
  zstd: (res) => res.pipe(createZstdDecompress()),
};

/** A page as it comes; `onText` hears what there is so far with every piece. */
async function stream(
  app: TestApp,
  path: string,
  headers: Record<string, string> = {},
  onText: (text: string) => void = () => undefined,
) {
  const server = app.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let whole = '';
  const answered = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
    httpGet({ port, path, headers, agent: false }, (res) => {
      const text = pipelines[res.headers['content-encoding'] ?? '']?.(res) ?? res;
      text.on('data', (piece) => {
        whole += String(piece);
        onText(whole);
      });
      text.on('end', () => resolve(res.headers));
      text.on('error', reject);
    }).on('error', reject);
  });
  await new Promise((resolve) => server.close(resolve));
  return { whole, headers: answered };
}

/** A query that answers once the page, as far as it has come, holds a text. */
function heldUntil(text: string) {
  const gate = Promise.withResolvers<string>();
  return {
    /** The page when it was let go. */
    early: gate.promise,
    onText: (soFar: string) => {
      if (soFar.includes(text)) gate.resolve(soFar);
    },
  };
}

const ofList = expect.stringContaining('"breakdown"');

describe('a page', () => {
  test('holds its numbers, its data and its title in one answer', async () => {
    const { app } = start();
    const res = await request(app).get(page).expect(200);
    expect(res.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(res.headers['cache-control']).toBe('private, no-store');
    expect(res.text).toContain('<p data-test="number">4321</p>');
    expect(res.text).toContain('/café');
    expect(res.text.match(/data-test="count">1</g)).toHaveLength(2);
    expect(res.text).toContain('<title>Test · Luneta</title>');
    expect(res.text).not.toContain('is late');
    expect(res.text).not.toContain(' style=');
    expect(res.text).not.toContain('wait=1');
    expect(messagesOf(res.text)).toEqual([
      { b: expect.objectContaining({ language: 'en', token: 'lnt_own', shell: false, dev: false }) },
      { k: [['insights', 'query', 'overview'], { type: 'query', input: expect.anything() }], d: 4321 },
      { k: [['insights', 'query', 'breakdown'], { type: 'query', input: expect.anything() }], d: ['/café'] },
    ]);
  });

  test('holds early presses before there is anything to press', async () => {
    const { text, headers } = await request(start().app).get(page);
    const [head = ''] = text.split('<body>');
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? [];
    expect(nonce).not.toBe('');
    expect(head).toContain(`<script nonce="${nonce}">${holdEarlyPresses}</script>`);
    expect(text.split(holdEarlyPresses)).toHaveLength(2);
  });

  test('is compressed in one go when nothing is pending', async () => {
    const app = start();
    const { whole, headers } = await stream(app, page, { 'accept-encoding': 'gzip, br' });
    expect(headers['content-encoding']).toBe('br');
    expect(Number(headers['content-length'])).toBeLessThan(whole.length / 2);
    expect(whole).toContain('4321');
    for (const [accepted, used] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
    ]) {
      const res = await request(app.app)
        .head('/')
        .set('Accept-Encoding', accepted ?? '');
      expect(res.headers['content-encoding']).toBeUndefined();
      expect((await stream(app, page, { 'accept-encoding': accepted ?? '' })).headers['content-encoding']).toBe(used);
    }
  });

  test('speaks the language and wears the theme of the cookies', async () => {
    const { app } = start();
    const res = await request(app).get(page).set('Cookie', 'luneta_lang=pt-BR; luneta_theme=dark');
    expect(res.text).toContain('<html lang="pt-BR" data-theme="dark">');
    const other = await request(app)
      .get(page)
      .set('Accept-Language', 'pt-PT,pt;q=0.9')
      .set('Cookie', 'luneta_theme=%E0');
    expect(other.text).toContain('<html lang="pt-BR">');
  });

  test('holds no setting that is not public', async () => {
    const { app } = start({}, { deps: { config: { SENDGRID_API_KEY: 'SG.secret', AUTH_SECRET: 'x'.repeat(40) } } });
    const { text } = await request(app).get(page);
    for (const hidden of ['SG.secret', 'xxxxxxxx', 'DATABASE_URL', 'postgres://']) expect(text).not.toContain(hidden);
    expect(text).toContain('"PUBLIC_APP_URL":"http://localhost:3000"');
  });

  test('escapes what the data holds', async () => {
    const nasty = '</script><script>alert(1)</script><!-- & \u2028';
    const { app } = start({ list: async () => [nasty] });
    const { text } = await request(app).get(page);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('\u2028alert');
    expect(messagesOf(text).at(-1)).toMatchObject({ d: [nasty] });
  });

  test('answers HEAD with status and headers, and asks nothing', async () => {
    let asked = 0;
    const { app } = start({ number: async () => ++asked });
    const res = await request(app).head(page).expect(200);
    expect(res.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(asked).toBe(0);
  });
});

describe('before the first byte', () => {
  test('a token leads to the number of its project', async () => {
    const { app } = start();
    await request(app).get('/project/lnt_test/test?range=today').expect(302).expect('Location', `${page}?range=today`);
  });

  test('what does not exist is 404, with a page, JSON or text', async () => {
    const { app } = start();
    for (const path of ['/nowhere', '/project/7/test', '/project/%E0%A4%A/test', '/project/1/test/more']) {
      const res = await request(app).get(path).set('Accept', 'text/html');
      expect([path, res.status]).toEqual([path, 404]);
      expect(res.text).toContain('Page not found');
      expect(res.text).toContain(res.headers['x-request-id']?.slice(0, 8));
      expect(res.text).not.toContain(' style=');
    }
    const json = await request(app).get('/nowhere').set('Accept', 'application/json').expect(404);
    expect(json.body.error).toMatchObject({ code: 'not_found', requestId: json.headers['x-request-id'] });
    await request(app)
      .get('/nowhere')
      .set('Accept', '*/*')
      .expect(404)
      .expect('Content-Type', /text\/plain/);
  });

  test('a database that is away is 503 with a time to come back', async () => {
    const projects = { byRef: () => Promise.reject(new AppError('unavailable', 'away', { retryAfterSec: 5 })) };
    const { app } = start({}, { rooms: { projects: projects as never } });
    const res = await request(app).get(page).set('Accept', 'text/html').expect(503);
    expect(res.headers['retry-after']).toBe('5');
  });

  test('a database that hangs is one that is away', async () => {
    const { app } = start({}, { rooms: { projects: { byRef: never } as never }, limits: { statusMs: 50 } });
    const res = await request(app).get(page).set('Accept', 'text/html').expect(503);
    expect(res.headers['retry-after']).toBe('5');
  });

  test('what is waited for before a page is waited for once: to find out who asks takes of the same time', async () => {
    const clock = fixedClock(0);
    // As long as a database that hangs takes to be given up, then a page that would wait for it for ever.
    const handler: Sessions['handler'] = (_req, _res, next) => {
      clock.advance(60_000);
      next();
    };
    const { app } = start(
      {},
      {
        deps: { clock },
        rooms: { projects: { byRef: never } as never },
        sessions: { ...testSessions(), handler },
        limits: { statusMs: 60_000 },
      },
    );
    await request(app).get(page).set('Accept', 'text/html').expect(503);
  });

  test('a screen that cannot be drawn is 500, and says nothing of why', async () => {
    const { app, reported, deps } = start();
    const res = await request(app).get('/project/1/broken').set('Accept', 'text/html').expect(500);
    expect(res.text).not.toContain('secret');
    expect(reported).toHaveLength(1);
    expect(deps.logged.filter(({ level }) => level >= 50).map(({ err }) => (err as Error)?.message)).toContain(
      'select secret from nowhere',
    );
  });
});

const NoReader = () => <p>no reader</p>;

describe('streaming', () => {
  test('a query that is held holds nothing else back', async () => {
    const held = heldUntil('list is late');
    const app = start({ list: () => held.early.then(() => ['late value']) });
    const { whole } = await stream(app, page, { 'accept-encoding': 'br' }, held.onText);
    const early = await held.early;
    expect(early).toContain('4321');
    expect(early).toContain('list is late');
    expect(early).toContain('<title>Test · Luneta</title>');
    expect(early).toContain(`content="0; url=${page}?wait=1"`);
    expect(early).not.toContain('late value');
    expect(messagesOf(whole).slice(2)).toEqual([
      { k: [['insights', 'query', 'breakdown'], expect.anything()], h: ofList },
      // A part of the shell, which was drawn before the value came.
      { p: [expect.any(String)] },
      { h: ofList, d: ['late value'] },
    ]);
    // The value stands before the markup that used it.
    expect(whole.indexOf('"d":["late value"]')).toBeLessThan(whole.indexOf('data-test="list"'));
    // What waits for nothing is drawn by what is known then.
    expect(whole.match(/data-test="count">unknown/g)).toHaveLength(1);
    expect(whole.match(/data-test="count">1</g)).toHaveLength(1);
  });

  test('the first byte waits for what is critical, but not for long', async () => {
    const soon = start({ number: () => wait(50).then(() => 4321) }, { limits: { criticalMs: 5_000 } });
    expect((await stream(soon, page)).whole).not.toContain('number is late');
    const held = heldUntil('number is late');
    const late = start({ number: () => held.early.then(() => 4321) });
    const { whole } = await stream(late, page, {}, held.onText);
    expect(await held.early).not.toContain('4321');
    expect(whole).toContain('4321');
  });

  test('data that nothing suspends on comes before the end', async () => {
    const routes = testRoutes.map((route) => ({
      ...route,
      load: async () => ({ ...(await route.load()), Screen: NoReader }),
    }));
    const app = start({ list: () => wait(300).then(() => ['for later']) }, { routes });
    const { whole } = await stream(app, page);
    expect(messagesOf(whole).at(-1)).toEqual({ h: ofList, d: ['for later'] });
  });

  test('robots, and readers without JavaScript, get the whole page', async () => {
    const app = start({ list: () => wait(300).then(() => ['late value']) });
    for (const [path, agent] of [
      [`${page}?wait=1`, 'Mozilla/5.0 Firefox/140'],
      [page, 'Googlebot/2.1 (+http://www.google.com/bot.html)'],
    ] as const) {
      const { whole } = await stream(app, path, { 'user-agent': agent });
      expect(whole).not.toContain('list is late');
      expect(whole).toContain('<p data-test="list">[&quot;late value&quot;]</p>');
      expect(whole).not.toContain('http-equiv');
    }
  });

  test('a whole page that takes too long is unavailable, and nothing breaks', async () => {
    const app = start({ list: never }, { limits: { wholeMs: 300 } });
    const answer = await request(app.app).get(`${page}?wait=1`).set('Accept', 'text/html');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.text).not.toContain('is late');
    expect(app.reported).toEqual([]);
  });

  test.each(['', '?wait=1'])('a page whose frame cannot be drawn is answered as an error: %p', async (query) => {
    const routes = testRoutes.map((route) => ({
      ...route,
      load: async () => ({
        queries: () => [],
        title: () => {
          throw new Error('no frame');
        },
        Screen: NoReader,
      }),
    }));
    const app = start({}, { routes: routes as unknown as typeof testRoutes });
    const { status, text } = await request(app.app).get(`${page}${query}`).set('Accept', 'text/html');
    expect(status).toBe(500);
    expect(text).not.toContain('no frame');
    expect(new Set(app.reported.map(String))).toEqual(new Set(['Error: no frame']));
  });

  test('a failing query crosses as its code, without its text', async () => {
    const app = start({ list: () => wait(200).then(() => Promise.reject(new Error('password is hunter2'))) });
    const { whole } = await stream(app, page);
    expect(whole).toContain('4321');
    expect(whole).not.toContain('hunter2');
    expect(messagesOf(whole).at(-1)).toEqual({ h: ofList, e: 'internal' });
    expect(app.reported).toEqual([expect.objectContaining({ message: 'password is hunter2' })]);
  });

  test('a page that takes too long is ended, and its queries with it', async () => {
    let aborted = false;
    const app = start(
      {
        list: ({ signal }) => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
          return never();
        },
      },
      { limits: { wholeMs: 400 } },
    );
    const { whole } = await stream(app, page);
    expect(messagesOf(whole).at(-1)).toEqual({ z: 'timeout' });
    expect(aborted).toBe(true);
  });

  test('a reader who leaves ends the queries', async () => {
    const left = new Promise<void>((resolve) => {
      const app = start({
        list: ({ signal }) => {
          signal.addEventListener('abort', () => resolve());
          return never();
        },
      });
      const server = app.app.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        const req = httpGet({ port, path: page, agent: false }, (res) => {
          res.once('data', () => {
            req.destroy();
            server.close();
          });
          res.on('error', () => undefined);
        });
        req.on('error', () => undefined);
      });
    });
    await left;
  });
});

test('a page looks its project up once, however many questions are about it', async () => {
  const { byRef, ...others } = projectsOf([testProject({ id: 1 })]);
  const asked: string[] = [];
  const counted = (ref: string) => {
    asked.push(ref);
    return byRef(ref);
  };
  const { app } = start({}, { rooms: { projects: { ...others, byRef: counted } as never } });
  await request(app).get(page).expect(200);
  expect(asked).toEqual(['1']);
  await request(app).get(page).expect(200);
  expect(asked).toEqual(['1', '1']);
});

test('pages whose questions hang hold no other page up', async () => {
  const answered = Promise.withResolvers<number>();
  const { app } = start({ number: () => answered.promise }, { limits: { criticalMs: 30_000 } });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hang = Promise.all(Array.from({ length: 6 }, () => fetch(`http://127.0.0.1:${port}${page}`)));
  // Another page, about a project that is not there.
  expect((await fetch(`http://127.0.0.1:${port}/project/9/test`)).status).toBe(404);
  answered.resolve(4321);
  for (const res of await hang) expect(await res.text()).toContain('4321');
  await new Promise((resolve) => server.close(resolve));
});

test('eighty readers at once see their own project only', async () => {
  const projects = [1, 2, 3, 4].map((id) => testProject({ id, tokens: [`lnt_${id}`], token: `lnt_${id}` }));
  const { app } = start(
    {
      number: async ({ project }) => {
        await wait(Math.random() * 20);
        return project.id * 1_111;
      },
      list: async ({ project }) => {
        await wait(Math.random() * 150);
        return [`of-${project.id}`];
      },
    },
    { rooms: { projects: projectsOf(projects) } },
  );
  const answers = await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const id = (index % 4) + 1;
      return { id, text: (await request(app).get(`/project/${id}/test`)).text };
    }),
  );
  for (const { id, text: page } of answers) {
    // Times of data hold any digits.
    const text = page.replaceAll(/"(?:dehydratedAt|dataUpdatedAt)":\d+/g, '');
    expect(text).toContain(`>${id * 1_111}<`);
    expect(text).toContain(`of-${id}`);
    for (const other of [1, 2, 3, 4].filter((each) => each !== id)) {
      expect(text).not.toContain(String(other * 1_111));
      expect(text).not.toContain(`of-${other}`);
    }
  }
});

test('the kept shell is the same for everyone, holds no data and no nonce', async () => {
  const { app } = start({}, { deps: { clock: fixedClock(1) } });
  const first = await request(app).get('/_app').expect(200);
  const second = await request(app).get('/_app');
  expect(second.text).toBe(first.text);
  expect(first.text).not.toMatch(/nonce|4321|Serrana/);
  expect(first.text).not.toContain(' style=');
  expect(first.text).toContain('<meta name="files" content="/assets/chunk-TEST.js"/>');
  // But for its entry, which React preloads by itself.
  expect(first.text.match(/"modulepreload"[^>]*/g)?.join()).not.toContain('chunk-TEST');
  expect(messagesOf(first.text)).toEqual([{ b: expect.objectContaining({ shell: true, now: 0 }) }]);
  const policy = first.headers['content-security-policy'];
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+'/);
  expect(policy).not.toContain('nonce');
  const dark = await request(app).get('/_app').set('Cookie', 'luneta_theme=dark');
  expect(dark.text).toContain('data-theme="dark"');
});

it('tells when a screen is about to be drawn, and not when nobody looks', async () => {
  let screens = 0;
  const { app } = start({}, { onScreen: () => screens++ });
  await request(app).get('/healthz');
  await request(app).head(page);
  await request(app).get('/not-there');
  expect(screens).toBe(0);
  await request(app).get(page).expect(200);
  expect(screens).toBe(1);
});
