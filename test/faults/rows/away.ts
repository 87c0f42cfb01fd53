/** The server is away for a minute while browsers record: what posthog-js still has is stored once, and can be watched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '#test/kit/chromium.ts';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { check, type Result, type Row, time } from '../kit/row.ts';
import type { Scene } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';
import { openSite, type Site, type WhileAway } from '../kit/site.ts';

const MARK_MS = 500;
/** Marks between two events, and between two exceptions. */
const EVENT_EVERY = 2;
const EXCEPTION_EVERY = 8;
/** posthog-js sends again ten times after an answer that is no success, and three times after none at all. */
const RETRIES: Record<WhileAway, number> = { 'answers 502': 10, resets: 3 };
/** The client's pauses double from 3 s, and are up to a quarter longer: of a minute's outage the last is at most this long. */
const CATCH_UP_MS = 150_000;
/** The program knows settings of a project for so long. */
const SETTINGS_MS = 11_000;

interface Mark {
  n: number;
  at: number;
}

interface Visitor {
  whileAway: WhileAway;
  site: Site;
  page: Page;
  marks: Mark[];
}

export const r32: Row = {
  id: 'R32',
  title: 'the server away for a minute (kill -9) while the unmodified posthog-js records in Chromium',
  async run(stage) {
    const scene = await stage.open();
    const awayMs = stage.pace === 'full' ? 60_000 : 8_000;
    const aroundMs = stage.pace === 'full' ? 20_000 : 6_000;
    let server = scene.server();
    await server.ready();
    const port = Number(new URL(server.url).port);
    const { cookie, project } = await setUpOwner(server.url);
    const token = await recordAll(scene, project);
    const browser = await launchChromium();
    const visitors: Visitor[] = [];
    try {
      for (const whileAway of ['answers 502', 'resets'] as const) {
        const options = { port, page: pageOf(token, whileAway), whileAway, retries: RETRIES[whileAway] };
        const site = await openSite(stage.root, options);
        visitors.push({ whileAway, site, page: await openPage(await newContext(browser), site.url), marks: [] });
      }
      await goOn(visitors, aroundMs);
      await server.end('SIGKILL');
      const killedAt = Date.now();
      await goOn(visitors, awayMs);
      server = scene.server({ port });
      await server.ready();
      const backAt = Date.now();
      await goOn(visitors, aroundMs);
      for (const visitor of visitors) visitor.marks = await visitor.page.evaluate<Mark[]>('stopMarks()');
      const waitedMs = await untilStored(scene, visitors);
      const [watched] = visitors as [Visitor];
      const moment = watched.marks.find(({ at }) => at > (killedAt + backAt) / 2) as Mark;
      const isShown = await watchMoment(browser, server, { cookie, project, moment, scene });
      return await resultOf(scene, server, { visitors, killedAt, backAt, waitedMs, isShown });
    } finally {
      await browser.close();
      for (const { site } of visitors) await site.stop();
    }
  },
};

/** @returns the project's token */
async function recordAll(scene: Scene, project: number): Promise<string> {
  await scene.query(
    `update projects set settings = jsonb_set(settings, '{replay}', coalesce(settings -> 'replay', '{}') || '{"mode": "all", "minimumSeconds": 0}') where id = $1`,
    [project],
  );
  await sleep(SETTINGS_MS);
  const [row] = await scene.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    project,
  ]);
  return row?.token ?? '';
}

/** A page whose text changes all the time, and that reports each second. */
function pageOf(token: string, name: string): string {
  const config = JSON.stringify({ persistence: 'memory', capture_pageview: true, autocapture: false });
  return `<!doctype html>
<html lang="en"><head><title>Shop</title></head>
<body><h1>Coffees</h1><p id="mark">none</p>
<script>
const marks = [];
let ticking;
function startMarks() {
  ticking = setInterval(() => {
    const n = marks.length + 1;
    marks.push({ n, at: Date.now() });
    document.querySelector('#mark').textContent = 'mark-' + n + '-end';
    if (n % ${EVENT_EVERY} === 0) posthog.capture('mark', { n });
    if (n % ${EXCEPTION_EVERY} === 0) posthog.captureException(new Error('Order ' + n + ' failed'));
  }, ${MARK_MS});
}
function stopMarks() {
  clearInterval(ticking);
  return marks;
}
</script>
<script type="module">
import posthog from '/client.mjs';
window.posthog = posthog;
posthog.init('${token}', { ...${config}, api_host: location.origin + '/ingest' });
posthog.identify(${JSON.stringify(name)});
</script></body></html>`;
}

async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  await context.addInitScript('delete Navigator.prototype.userAgentData');
  return context;
}

/** Opens a page, and waits until its recording has begun: the recorder keeps what it has until the visitor does something. */
async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  let sends = 0;
  page.on('request', (request) => {
    if (request.url().includes('/ingest/s/')) sends++;
  });
  await page.goto(url);
  await page.waitForFunction(`['active', 'sampled'].includes(window.posthog?.sessionRecording?.status)`);
  while (sends === 0) {
    await page.click('h1');
    await sleep(700);
  }
  await page.evaluate('startMarks()');
  return page;
}

/** The visitors stay active. */
async function goOn(visitors: readonly Visitor[], ms: number): Promise<void> {
  for (const until = performance.now() + ms; performance.now() < until; await sleep(2_000)) {
    for (const { page } of visitors) await page.click('h1');
  }
}

/** Waits for all that clients did not give up. @returns ms */
async function untilStored(scene: Scene, visitors: readonly Visitor[]): Promise<number> {
  const since = performance.now();
  let quietSince = performance.now();
  let known = 0;
  while (performance.now() - since < CATCH_UP_MS) {
    await sleep(1_000);
    const sent = visitors.flatMap(({ site }) => [...site.sent.values()]);
    if (sent.length !== known) quietSince = performance.now();
    known = sent.length;
    // What is waiting in the page was sent before: buffers of the client are emptied every three seconds.
    const isWaiting = sent.some(({ isAccepted, isGivenUp }) => !isAccepted && !isGivenUp);
    if (!isWaiting && performance.now() - quietSince > 6_000) break;
  }
  for (let ungrouped = 1; ungrouped > 0; await sleep(500)) {
    const [row] = await scene.query<{ n: number }>('select count(*)::int as n from new_exceptions');
    ungrouped = row?.n ?? 0;
  }
  return performance.now() - since;
}

interface Watching {
  scene: Scene;
  cookie: string;
  project: number;
  moment: Mark;
}

/** Seeks to a moment within the outage, and looks at what the player shows. */
async function watchMoment(browser: Browser, { url }: Server, { scene, ...watching }: Watching): Promise<boolean> {
  const { cookie, project, moment } = watching;
  const [row] = await scene.query<{ session: string; begin: number }>(
    `select session, extract(epoch from first_at)::float8 * 1000 as begin from replay_sessions where project_id = $1 and distinct_id = $2`,
    [project, 'answers 502'],
  );
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/project/${project}/replay/${row?.session}`);
  const slider = page.locator('input[type=range]');
  await slider.waitFor({ timeout: 60_000 }).catch(async () => {
    const text = await page.evaluate<string>('document.body.innerText');
    throw new Error(`no player at ${page.url()}: ${text.slice(0, 300)}`);
  });
  const ms = Math.round(moment.at - (row?.begin ?? 0) + MARK_MS / 2);
  const shows = `document.querySelector('iframe[sandbox]')?.contentDocument?.querySelector('.replayer-wrapper iframe')?.contentDocument?.querySelector('#mark')?.textContent === 'mark-${moment.n}-end'`;
  try {
    for (const until = performance.now() + 30_000; performance.now() < until; await sleep(500)) {
      await slider.evaluate((element, to) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, to);
        element.dispatchEvent(new Event('input', { bubbles: true }));
      }, String(ms));
      await sleep(700);
      if (await page.evaluate<boolean>(shows)) return true;
    }
    return false;
  } finally {
    await context.close();
  }
}

interface Seen {
  visitors: readonly Visitor[];
  killedAt: number;
  backAt: number;
  waitedMs: number;
  isShown: boolean;
}

async function resultOf(scene: Scene, server: Server, seen: Seen): Promise<Result> {
  const { visitors, killedAt, backAt, waitedMs, isShown } = seen;
  const stored = await storedTimes(scene);
  const result: Result = {
    figures: [`away for ${time(backAt - killedAt)}; all that came later was there after ${time(waitedMs)}`],
    checks: [],
  };
  for (const { whileAway, site, marks } of visitors) {
    const sent = [...site.sent.values()];
    const kept = sent.filter(({ isAccepted, isGivenUp }) => isAccepted || !isGivenUp);
    const lost = kept.filter(({ uuid }) => !stored.has(uuid)).length;
    const found = await markTimes(scene, whileAway);
    const unrecorded = marks.filter(({ n }) => !found.has(n));
    const twice =
      sent.filter(({ uuid }) => (stored.get(uuid) ?? 0) > 1).length + [...found.values()].filter((n) => n > 1).length;
    const per = (name: string) => sent.filter(({ event }) => event === name).length;
    const seconds = unrecorded.map(({ at }) => (at - killedAt) / 1_000);
    result.figures.push(
      `${whileAway}: lost ${lost}, twice ${twice} of ${per('$snapshot')} parts of recordings, ${per('mark')} events, ${per('$exception')} exceptions; given up by the client ${sent.length - kept.length}; ` +
        (unrecorded.length === 0
          ? `all ${marks.length} changes of the page recorded once`
          : `${unrecorded.length} of ${marks.length} changes of the page missing, from ${seconds[0]?.toFixed(1)} to ${seconds.at(-1)?.toFixed(1)} s of the outage`),
    );
    result.checks.push(
      check(`${whileAway}: lost 0`, lost === 0, lost),
      check(`${whileAway}: twice 0`, twice === 0, twice),
      check(`${whileAway}: something of each kind was sent`, ['$snapshot', 'mark', '$exception'].every(per)),
    );
    if (whileAway === 'answers 502') {
      result.checks.push(check('answers 502: every change of the page recorded', unrecorded.length === 0));
    }
  }
  const [row] = await scene.query<{ grouped: number; exceptions: number }>(
    `select (select coalesce(sum(events), 0)::int from issues) as grouped,
            (select count(*)::int from events join event_names on event_names.project_id = events.project_id and event_names.number = events.event where event_names.name = '$exception') as exceptions`,
  );
  result.checks.push(
    check('exceptions are grouped once', row !== undefined && row.grouped === row.exceptions, row?.grouped ?? 0),
    check('the player shows a moment of the outage', isShown),
    check('still ready', await server.isReady()),
  );
  return result;
}

/** How often each uuid is stored, as an event or as a part of a recording. */
async function storedTimes(scene: Scene): Promise<Map<string, number>> {
  const rows = await scene.query<{ uuid: string; times: number }>(
    `select uuid, count(*)::int as times from (select uuid from events union all select uuid from replay_uuids) as every group by uuid`,
  );
  return new Map(rows.map(({ uuid, times }) => [uuid, times]));
}

/** How often each change of a visitor's page is recorded. Full snapshots have the text of their moment as well. */
async function markTimes(scene: Scene, distinctId: string): Promise<Map<number, number>> {
  const rows = await scene.query<{ body: Buffer }>(
    `select body from replay_blocks join replay_sessions using (project_id, session) where distinct_id = $1`,
    [distinctId],
  );
  const found = new Map<number, number>();
  for (const { body } of rows) {
    for (const line of zstdDecompressSync(body).toString('utf8').split('\n')) {
      if (line === '' || (JSON.parse(line) as { type: number }).type !== 3) continue;
      for (const [, n] of line.matchAll(/mark-(\d+)-end/g)) found.set(Number(n), (found.get(Number(n)) ?? 0) + 1);
    }
  }
  return found;
}
