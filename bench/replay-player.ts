/** Watching an hour's recording in a browser, with the built program: time to the first frame, and of seeking. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Page } from 'playwright-core';
import { uuidV7 } from '#src/kit/ids.ts';
import { startServer } from '#test/faults/kit/server.ts';
import { launchChromium } from '#test/kit/chromium.ts';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { appSession } from './recorded-app.ts';

export interface PlayerOptions {
  databaseUrl: string;
  folder: string;
  port: number;
  minutes: number;
  mutations: number;
  post(url: string, path: string, body: Buffer): Promise<void>;
}

const VISITS = 5;
const SEEKS = 20;

/** Records, packs and watches. Prints ms: the median and the most. */
export async function measurePlayer(options: PlayerOptions): Promise<void> {
  const { databaseUrl, folder, port, minutes } = options;
  const server = startServer({ root: process.cwd(), port, databaseUrl, folder, env: { LOG_LEVEL: 'warn' } });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await server.ready(60_000);
    const { cookie, project } = await setUpOwner(server.url);
    const session = await record(client, server.url, project, options);
    const { rows } = await client.query(
      `select raw_bytes::float8 / 1e6 as raw, bytes::float8 / 1e6 as bytes, (select count(*)::int from replay_blocks b where b.session = r.session) as blocks
         from replay_sessions r where session = $1`,
      [session],
    );
    const { raw, bytes, blocks } = rows[0] as { raw: number; bytes: number; blocks: number };
    console.log(
      `a recording of ${minutes} min: ${raw.toFixed(1)} MB of JSON, ${bytes.toFixed(2)} MB in ${blocks} blocks`,
    );
    await watch(server.url, cookie, { path: `/project/${project}/replay/${session}`, lengthMs: minutes * 60_000 });
  } finally {
    await client.end();
    await server.end('SIGTERM');
  }
}

async function record(
  client: Client,
  url: string,
  project: number,
  { minutes, mutations, post }: PlayerOptions,
): Promise<string> {
  await client.query(`update projects set settings = settings || '{"replay": {"mode": "all"}}' where id = $1`, [
    project,
  ]);
  const { rows } = await client.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    project,
  ]);
  // The program has read the settings before.
  await sleep(11_000);
  const from = Date.now() - minutes * 60_000;
  const session = uuidV7(from);
  const token = rows[0]?.token ?? '';
  const { bodies } = appSession({ token, session, from, minutes, mutationsPerMinute: mutations, seed: 1 });
  for (const body of bodies) await post(url, '/ingest/s/', body);
  await client.query(`update replay_sessions set received_at = received_at - interval '1 hour'`);
  for (;;) {
    await client.query(`select graphile_worker.add_job('replay-pack')`);
    await sleep(2_000);
    const waiting = await client.query('select from replay_sessions where packed_at is null');
    if (waiting.rowCount === 0) return session;
  }
}

async function watch(
  url: string,
  cookie: string,
  { path, lengthMs }: { path: string; lengthMs: number },
): Promise<void> {
  const browser = await launchChromium();
  const [frames, fromBlocks, seeks]: [number[], number[], number[]] = [[], [], []];
  const ways: Record<string, number>[] = [];
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url }]);
    for (let visit = 0; visit < VISITS; visit++) {
      const page = await context.newPage();
      const begun = performance.now();
      let blocksAt = begun;
      page.on('request', (request) => {
        if (blocksAt === begun && request.url().includes('/blocks?')) blocksAt = performance.now();
      });
      await page.goto(`${url}${path}`, { waitUntil: 'commit' });
      await drawn(page);
      frames.push(performance.now() - begun);
      fromBlocks.push(performance.now() - blocksAt);
      ways.push(await page.evaluate<Record<string, number>>(onTheWay));
      if (visit === VISITS - 1) {
        for (let seek = 0; seek < SEEKS; seek++) {
          const part = ((seek * 7919) % 1000) / 1000;
          seeks.push(await page.evaluate<number>(seekTo(Math.round(part * lengthMs))));
          await sleep(250);
        }
      }
      await page.close();
    }
  } finally {
    await browser.close();
  }
  console.log(
    `first frame: ${inWords(frames)} after the request for the page, ${inWords(fromBlocks)} after that for blocks`,
  );
  const parts = Object.keys(ways[0] ?? {}).map((part) => `${part} ${median(ways.map((way) => way[part] ?? 0))}`);
  console.log(`  there after, ms: ${parts.join(', ')}`);
  console.log(`first seek ${(seeks[0] ?? 0).toFixed(0)} ms`);
  console.log(`seek to one of ${SEEKS} places: ${inWords(seeks)}`);
}

/** When what the first frame needs was there, ms after the navigation began. */
const onTheWay = `(() => {
  const [page] = performance.getEntriesByType('navigation');
  const got = performance.getEntriesByType('resource');
  const end = (part) => Math.max(0, ...got.filter(({ name }) => part.test(name)).map(({ responseEnd }) => responseEnd));
  return {
    document: page.responseEnd,
    scripts: Math.max(...got.filter(({ name }) => /assets.*js$/.test(name) && !/replayer-|posthog-|measuring-/.test(name)).map(({ responseEnd }) => responseEnd)),
    replayer: end(/replayer-/),
    stage: end(/replay-stage/),
    block: Math.min(...got.filter(({ name }) => /blocks\\?/.test(name)).map(({ responseEnd }) => responseEnd)),
  };
})()`;

/** The player has the recorded page, and no message over it. */
const isDrawn = `(() => {
  const stage = document.querySelector('iframe[sandbox]')?.contentDocument;
  const body = stage?.querySelector('.replayer-wrapper iframe')?.contentDocument?.body;
  const isWaiting = [...document.querySelectorAll('[role=status]')].some((each) => each.textContent.startsWith('Loading'));
  return Boolean(body?.firstElementChild) && !isWaiting;
})()`;

async function drawn(page: Page): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; ) {
    if (await page.evaluate<boolean>(isDrawn).catch(() => false)) return;
    await sleep(5);
  }
  throw new Error('the recording was not drawn');
}

/** Done in the frame after the moment was drawn. */
function seekTo(ms: number): string {
  return `new Promise((resolve) => {
    const slider = document.querySelector('input[type=range]');
    const begun = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(slider, '${ms}');
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    const look = () => {
      if (${isDrawn}) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun), 0));
      else setTimeout(look, 4);
    };
    // The state is set in a later task.
    setTimeout(look, 8);
  })`;
}

function median(values: number[]): string {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(0);
}

function inWords(values: number[]): string {
  const sorted = [...values].sort((one, other) => one - other);
  return `${median(values)} ms, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
}
