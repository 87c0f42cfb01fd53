/**
 * The server of bench/ssr.ts: the product's own application over answers that are ready, and beside it an Express application that
 * answers the very bytes of the page. Prints its port; answers /cpu with the CPU time it has used.
 */
import { brotliCompressSync, constants } from 'node:zlib';
import express, { Router } from 'express';
import { createApp } from '#src/app.ts';
import { loadConfig } from '#src/config.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Context, Rooms } from '#src/trpc/context.ts';
import { readAssets } from '#src/web/assets.ts';
import { createHealth } from '#src/web/health.ts';
import { TEST_TEAM, testSessions } from '#test/kit/reader.ts';
import { SAMPLE_TIME, sampleRouter, sampleShop } from '#test/kit/sample-answers.ts';

const [, , dist = 'dist'] = process.argv;
const config = loadConfig({
  DATABASE_URL: 'postgresql://nowhere/nothing',
  PUBLIC_APP_URL: 'http://localhost:3000',
  NODE_ENV: 'production',
  LOG_LEVEL: 'error',
});
const log = createLog('error');
const assets = readAssets(dist);
const project = {
  id: 2,
  name: 'Café Serrana',
  timeZone: 'America/Sao_Paulo',
  weekStart: 1,
  teamId: TEST_TEAM,
  tokens: [],
} as unknown as Project;

/** Answers are worked out once: what is measured is the page, not the questions. */
const shop = sampleShop();
const prepared = new Map<string, unknown>();
const rooms = {
  deps: { config, log, clock: fixedClock(SAMPLE_TIME) },
  projects: {
    ofTeams: async () => shop.projects,
    byRef: async (ref: string) => (ref === '2' ? project : null),
  },
  insights: {
    overview: async () => prepared.get('overview'),
    breakdown: async (_project: unknown, { dimension }: { dimension: string }) => prepared.get(dimension),
  },
  live: { now: async () => prepared.get('now') },
  events: {},
  collect: null,
} as unknown as Rooms;
await prepare();

const app = createApp({
  config,
  rooms,
  health: createHealth(),
  ingest: Router(),
  metrics: Router(),
  assets: () => assets,
  measure: { exception: () => undefined, event: () => undefined, stop: async () => undefined },
  ownToken: () => 'lnt_7Qd2vXk9',
  sessions: testSessions(),
});

/** The same bytes with nothing behind them: what Express and Node cost by themselves. */
const same = express();
same.disable('x-powered-by');
let page: Buffer | null = null;
same.get('/same', (_req, res) => {
  res.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Encoding': 'br',
    'Cache-Control': 'private, no-store',
  });
  res.end(page);
});
same.get('/cpu', (_req, res) => {
  res.json(process.cpuUsage());
});
same.post('/same', (_req, res) => {
  const { port } = server.address() as { port: number };
  fetch(`http://127.0.0.1:${port}/project/2/overview`, { headers: { 'accept-encoding': 'identity' } })
    .then((answer) => answer.arrayBuffer())
    .then(
      (bytes) => {
        page = brotliCompressSync(Buffer.from(bytes), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
        res.json({ raw: bytes.byteLength, compressed: page.length });
      },
      (error: unknown) => res.status(500).json(String(error)),
    );
});
same.use(app);

const server = same.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`);
});

async function prepare(): Promise<void> {
  const caller = sampleRouter(shop).createCaller({ projects: rooms.projects } as Context);
  const question = { project: '2', range: 'last_28_days', compare: 'previous' } as const;
  prepared.set('overview', await caller.insights.overview(question));
  prepared.set('now', await caller.events.now({ project: '2' }));
  for (const dimension of ['page', 'referringDomain'] as const) {
    prepared.set(dimension, await caller.insights.breakdown({ ...question, dimension, limit: 8 }));
  }
}
