/** The product's own screens over a real database: events come in through /ingest, pages go out with their numbers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { Express } from 'express';
import request from 'supertest';
import { createApp } from '#src/app.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createLog } from '#src/kit/log.ts';
import { createStopper, type Stopper } from '#src/kit/stop.ts';
import { createParts, type Parts } from '#src/parts.ts';
import { metricsOf } from '#src/readings.ts';
import { createHealth } from '#src/web/health.ts';
import { metricsRoutes } from '#src/web/metrics.ts';
import { testAssets } from '../kit/app.ts';
import { useDatabase } from '../kit/database.ts';
import { testConfig } from '../kit/deps.ts';
import { messagesOf } from '../kit/page-messages.ts';
import { setUpOwner } from '../kit/sign-in.ts';

const database = useDatabase({ between: 'nothing' });
const secret = 'a-secret-of-at-least-32-characters!';
let parts: Parts;
let stopper: Stopper;
let folder: string;
let app: Express;
let home: string;
let token: string;
/** Cookie of the signed-in person. */
let owner: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luneta-pages-'));
  const log = createLog('silent');
  const config = { ...testConfig(database.url), SPOOL_DIR: folder, AUTH_SECRET: secret, SENDGRID_API_KEY: 'SG.hidden' };
  stopper = createStopper(log);
  parts = await createParts(config, log, stopper);
  await parts.prepareOwnProject();
  const own = parts.ownProject();
  token = own?.token ?? '';
  home = `/project/${own?.id}`;
  app = createApp({
    config,
    rooms: parts.rooms,
    health: createHealth(),
    ingest: parts.ingest,
    metrics: metricsRoutes(metricsOf(parts), undefined),
    assets: () => testAssets,
    measure: { exception: () => undefined, event: () => undefined, stop: async () => undefined },
    ownToken: () => token,
    sessions: parts.sessions,
    // However busy the machine is: what is waited for is the whole answer.
    limits: { criticalMs: 10_000 },
  });
  owner = (await setUpOwner(app)).cookie;
  await visit('ana', ['/', '/café', '/checkout'], 'https://www.google.com/');
  await visit('bia', ['/'], 'https://news.example/');
});

afterAll(async () => {
  await parts.rooms.live.stop();
  await stopper.stop();
  await rm(folder, { recursive: true });
});

/** A visit of one person, as a browser sends it. */
async function visit(person: string, paths: string[], referrer: string): Promise<void> {
  const begin = parts.rooms.deps.clock.now() - 60_000;
  const session = uuidV7(begin);
  const batch = paths.map((path, index) => ({
    event: '$pageview',
    distinct_id: person,
    timestamp: new Date(begin + index * 1_000).toISOString(),
    properties: {
      $current_url: `https://serrana.example${path}`,
      $host: 'serrana.example',
      $pathname: path,
      $referrer: referrer,
      $referring_domain: new URL(referrer).host,
      $session_id: session,
    },
  }));
  await request(app).post('/ingest/batch/').send({ api_key: token, batch }).expect(200);
}

const screens: [string, string, RegExp[]][] = [
  ['overview', 'Overview', [/Visitors/, /Page views/, /\/café/, />Google</, /<path[^>]*d="M/]],
  ['live', 'Live', [/\$pageview/, /\/checkout/]],
];

test.each(screens)('%s comes whole: numbers, drawing, data', async (screen, title, holds) => {
  const { status, text } = await request(app)
    .get(`${home}/${screen}`)
    .set('Cookie', owner)
    .set('User-Agent', 'Mozilla/5.0 Firefox/140');
  expect(status).toBe(200);
  expect(text).toContain(`<title>${title} · Luneta</title>`);
  for (const pattern of holds) expect(text).toMatch(pattern);
  expect(text).not.toContain(' style=');
  for (const hidden of [secret, 'SG.hidden', database.url]) expect(text).not.toContain(hidden);

  const { queries } = await screenOf(screen);
  const messages = messagesOf(text);
  const brought = messages.filter((message) => 'k' in message);
  // What the first screen does not wait for follows by its hash.
  const later = new Set(messages.flatMap((message) => ('h' in message && 'd' in message ? [message['h']] : [])));
  const missing = brought.filter((message) => !('d' in message) && !later.has(hashKey(message['k'] as QueryKey)));
  expect(missing).toEqual([]);
  const keys = new Set(brought.map(({ k }) => JSON.stringify(k)));
  for (const { options } of queries) expect(keys).toContain(JSON.stringify(options.queryKey));
});

test.each(screens)('%s is written in Portuguese too, and dark', async (screen) => {
  const { text } = await request(app)
    .get(`${home}/${screen}`)
    .set('Cookie', `${owner}; luneta_lang=pt-BR; luneta_theme=dark`);
  expect(text).toContain('<html lang="pt-BR" data-theme="dark">');
  expect(text).not.toContain('Page views');
});

test('the overview counts what came in', async () => {
  const { text } = await request(app).get(`${home}/overview?range=last_7_days`).set('Cookie', owner);
  const overview = messagesOf(text).find(({ k }) => JSON.stringify(k ?? '').includes('"overview"')) as {
    d: { metrics: Record<string, { value: number }> };
  };
  expect(overview.d.metrics['visitors']?.value).toBe(2);
  expect(overview.d.metrics['views']?.value).toBe(4);
});

test('every answer of a call is JSON as it stands, as pages carry it', async () => {
  for (const screen of ['overview', 'live']) {
    for (const { options } of (await screenOf(screen)).queries) {
      const [path, { input }] = options.queryKey as [string[], { input?: unknown }];
      const asked = encodeURIComponent(JSON.stringify({ json: input ?? null }));
      const { body } = await request(app)
        .get(`/api/trpc/${path.join('.')}?input=${asked}`)
        .set('Cookie', owner)
        .expect(200);
      expect(body.result.data.meta).toBeUndefined();
    }
  }
});

async function screenOf(name: string) {
  const { routes } = await import('#views/routes.tsx');
  const { createClient } = await import('#views/trpc.ts');
  const trpc = createTRPCOptionsProxy({ client: createClient(), queryClient: new QueryClient() });
  const route = routes.find((each) => each.name === name);
  if (route === undefined) throw new Error(`There is no screen ${name}`);
  const screen = await route.load();
  const params = { project: home.split('/')[2] ?? '' };
  return { queries: screen.queries(trpc, { params, search: new URLSearchParams() }) };
}
