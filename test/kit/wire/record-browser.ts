/** Plays one browser case with one version of posthog-js and writes what came of it. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { BrowserCase, Visit } from './browser-cases.ts';
import { type FixtureHead, type SaidEvent, writeFixture } from './fixture.ts';
import type { Recorder } from './recorder.ts';

const SITE = 'http://shop.example';
const CAPTURE_PATH = /^\/(?:e|i\/v0\/e|capture|track|engage|s)\/?(?:\?|$)/;

/** @param packageFolder where posthog-js of this version is */
export async function recordInBrowser(
  browser: Browser,
  recorder: Recorder,
  test: BrowserCase,
  version: string,
  packageFolder: string,
): Promise<string> {
  const token = `phc_wire_${version.replaceAll('.', '_')}_${test.name}`;
  recorder.begin({
    token,
    dist: join(packageFolder, 'dist'),
    page: pageFor(token, test),
    remote: test.remote ?? {},
    ...(test.refuse === undefined ? {} : { refuse: test.refuse }),
  });
  const context = await browser.newContext({
    proxy: { server: `http://127.0.0.1:${recorder.port}` },
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
  });
  const page = await context.newPage();
  const known: Record<string, string> = {};
  const said: SaidEvent[] = [];
  await page.exposeFunction('tell', (event: SaidEvent) => said.push(event));
  await page.goto(SITE + entryOf(test));
  await page.waitForFunction('window.posthog && posthog.__loaded');
  const visit: Visit = {
    page,
    async call(method, ...args) {
      await page.evaluate(`posthog[${JSON.stringify(method)}](...${JSON.stringify(args)})`);
    },
    async know(name, method = 'get_distinct_id') {
      const id = await page.evaluate<string>(`posthog[${JSON.stringify(method)}]()`);
      known[name] = id;
      const session = await page.evaluate<string | null>('posthog.get_session_id ? posthog.get_session_id() : null');
      if (session) known[name.replace(/^anon/, 'session')] = session;
    },
    async sent(count) {
      const until = Date.now() + 60_000;
      while (recorder.requests().filter(({ path }) => CAPTURE_PATH.test(path)).length < count) {
        if (Date.now() > until) throw new Error(`${test.name} ${version}: fewer than ${count} requests with events`);
        await page.waitForTimeout(50);
      }
    },
    pause: (ms) => page.waitForTimeout(ms),
    async leave() {
      await page.goto('about:blank');
      await page.waitForTimeout(700);
    },
  };
  try {
    await test.drive(visit);
  } finally {
    await context.close();
  }
  const head: FixtureHead = {
    client: 'posthog-js',
    version,
    case: test.name,
    about: test.about,
    project: token,
    known,
    said,
  };
  if (test.clockAheadMs !== undefined) head.clockAheadMs = test.clockAheadMs;
  if (test.settings !== undefined) head.settings = test.settings;
  const name = `posthog-js-${version}-${test.name}`;
  writeFixture(name, head, recorder.requests());
  return name;
}

function entryOf(test: BrowserCase): string {
  return test.name === 'campaign' ? '/sale?utm_source=google&utm_medium=cpc&utm_campaign=natal&gclid=abc123' : '/';
}

function pageFor(token: string, test: BrowserCase): string {
  const ahead = test.clockAheadMs ?? 0;
  const options = {
    api_host: '/ingest',
    ui_host: 'http://luneta.example',
    defaults: '2025-05-24',
    ...test.options,
  };
  return `<!doctype html>
<html lang="pt-BR">
<title>Café Serrana</title>
<script>${ahead === 0 ? '' : wrongClock(ahead)}</script>
<h1>Café Serrana</h1>
<p><button id="buy" class="cta big" data-ph-capture-attribute-product="coffee">Buy <b>now</b></button></p>
<p><a href="/about">About</a> <input name="card" type="password" value="4111 1111 1111 1111"></p>
<script type="module">
import posthog from '/client.js';
window.posthog = posthog;
const tell = (name, data) => window.tell({ event: name, uuid: data && data.uuid, timestamp: data && data.timestamp && new Date(data.timestamp).toISOString() });
posthog.init(${JSON.stringify(token)}, {
  ...${JSON.stringify(options)},
  _onCapture: (name, data) => { if (!posthog.on) tell(name, data); },
  loaded: (client) => { if (client.on) client.on('eventCaptured', (data) => tell(data.event, data)); },
});
</script>
</html>`;
}

/** A clock that is wrong from before the client loads. */
function wrongClock(aheadMs: number): string {
  return `{
    const Right = Date;
    window.Date = class extends Right {
      constructor(...given) { given.length === 0 ? super(Right.now() + ${aheadMs}) : super(...given); }
      static now() { return Right.now() + ${aheadMs}; }
    };
  }`;
}
