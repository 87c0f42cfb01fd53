/** The real posthog-js in a real browser, sending to the real collector on a real database. */
import type { BrowserContext, Page } from 'playwright-core';
import { flagDefinition } from '#src/flags/contract.ts';
import { systemClock } from '#src/kit/clock.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { Project } from '#src/projects/projects.ts';
import { useBrowser, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { pageAddress, type SiteOptions, siteRoutes } from '#test/kit/wire/site.ts';
import { readStored, type Stored } from '#test/kit/wire/stored.ts';

const QUIET = {
  autocapture: false,
  capture_pageview: false,
  capture_pageleave: false,
  capture_exceptions: false,
  capture_performance: false,
};

describe('posthog-js in a browser', () => {
  const database = useDatabase({ between: 'nothing' });
  const browser = useBrowser();
  let collector: TestCollector;
  let project: Project;
  /** What happens to requests that bring events, before the collector sees them. */
  let inTheWay: ((path: string) => 'pass' | 'busy' | 'cut') | null = null;

  beforeAll(async () => {
    const site = siteRoutes();
    collector = await startCollector(database.url, {
      clock: systemClock as never,
      routes(req, res, next) {
        const isCapture = /^\/ingest\/(?:e|i\/v0\/e)\/$/.test(req.path);
        const fate = (isCapture && inTheWay?.(req.path)) || 'pass';
        if (fate === 'busy') return void res.writeHead(503, { 'Retry-After': '1' }).end('busy');
        // Taken, and the connection breaks before the answer reaches the client.
        if (fate === 'cut') res.end = () => req.socket.destroy() as never;
        site(req, res, next);
      },
    });
  });
  afterAll(() => collector.stop());
  beforeEach(async () => {
    inTheWay = null;
    project = await collector.projects.create({ name: 'Shop', timeZone: 'UTC' });
  });

  async function open(
    context: BrowserContext,
    options: JsonObject = {},
    more: Partial<SiteOptions> = {},
  ): Promise<Page> {
    const page = await context.newPage();
    await page.goto(pageAddress(collector.url, { token: project.token, options, ...more }));
    await page.waitForFunction('window.ready');
    return page;
  }

  /** What is stored, once `isEnough` says so; as it is after 10 s. */
  async function storedOnce(isEnough: (stored: Stored) => boolean, timeoutMs = 30_000): Promise<Stored> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const stored = await readStored(database, project.id);
      if (isEnough(stored) || performance.now() > until) return stored;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  const has = (event: string) => (stored: Stored) => stored.events.some((each) => each.event === event);
  const names = ({ events }: Stored) => events.map(({ event }) => event).sort();
  const distinctId = (page: Page) => page.evaluate<string>('posthog.get_distinct_id()');

  it.each([
    ['the package', false],
    ['the pasted script', true],
  ])('asks for everything that a client can, as %s, without a word in the console', async (_, asScript) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const { complaints, requests } = watch(page);
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() !== 200) failed.push(`${response.status()} ${response.url()}`);
    });
    const options = {
      capture_exceptions: true,
      capture_performance: { web_vitals: true, network_timing: true },
      capture_heatmaps: true,
      capture_dead_clicks: true,
      session_recording: { maskAllInputs: true },
      enable_recording_console_log: true,
      disable_web_experiments: false,
      person_profiles: 'always',
    };
    await page.goto(pageAddress(collector.url, { token: project.token, options, asScript }));
    await page.waitForFunction('window.ready');
    // Answered at start, though nobody asked for a reload: pages wait for it to show what depends on flags.
    expect(await page.evaluate(`new Promise((resolve) => posthog.onFeatureFlags(resolve))`)).toEqual([]);
    await page.evaluate(`new Promise((resolve) => posthog.getEarlyAccessFeatures(resolve, true))`);
    await page.evaluate(`posthog.getSurveys(() => {}, true)`);
    await page.evaluate(`posthog.startSessionRecording()`);
    await page.evaluate(`posthog.reloadFeatureFlags()`);
    await page.evaluate(`posthog.setPersonProperties({ plan: 'free' })`);
    await page.click('#buy');
    await page.evaluate(`setTimeout(() => { throw new TypeError('of the page') })`);
    const stored = await storedOnce((now) => has('$autocapture')(now) && has('$exception')(now));
    expect(names(stored)).toEqual(expect.arrayContaining(['$autocapture', '$exception', '$pageview', '$set']));
    expect(complaints).toEqual(['TypeError: of the page']);
    expect(failed).toEqual([]);
    expect(requests.length).toBeGreaterThan(5);
  });

  it('gives flags: the same after a reload, sign-in and on another device; off at once, and before the answer by bootstrap', async () => {
    const author = { id: null, name: 'Ana', note: async () => undefined };
    const create = (key: string, filters: object, rest = {}) =>
      collector.flags.create(
        project.id,
        { key, description: '', definition: flagDefinition.parse({ active: true, filters, ...rest }) },
        author,
      );
    const variants = ['control', 'test'].map((key) => ({ key, rollout_percentage: 50 }));
    const split = { groups: [{}], multivariate: { variants }, payloads: { control: '[1]', test: '[2]' } };
    await create('checkout', split, { ensure_experience_continuity: true });
    const kill = await create('kill', { groups: [{}] });
    const flagIn = (page: Page, key: string) => page.evaluate(`posthog.getFeatureFlag('${key}')`);
    const answered = (page: Page) => page.evaluate(`new Promise((resolve) => posthog.onFeatureFlags(resolve))`);
    /** After the next answer. */
    const reloaded = (page: Page) =>
      page.evaluate(`new Promise((resolve) => {
        let calls = 0;
        posthog.onFeatureFlags(() => ++calls > 1 && resolve());
        posthog.reloadFeatureFlags();
      })`);

    const context = await browser.newContext();
    const page = await open(context, QUIET);
    await answered(page);
    const variant = await flagIn(page, 'checkout');
    expect(['control', 'test']).toContain(variant);
    expect(await page.evaluate(`posthog.getFeatureFlagPayload('checkout')`)).toEqual([variant === 'test' ? 2 : 1]);
    expect(await flagIn(page, 'kill')).toBe(true);
    await page.reload();
    await page.waitForFunction('window.ready');
    await answered(page);
    expect(await flagIn(page, 'checkout')).toBe(variant);
    await page.evaluate(`posthog.identify('ana', { plan: 'pro' })`);
    await storedOnce(has('$identify'));
    await reloaded(page);
    expect(await flagIn(page, 'checkout')).toBe(variant);

    const phone = await open(await browser.newContext(), QUIET);
    await phone.evaluate(`posthog.identify('ana')`);
    await reloaded(phone);
    expect(await flagIn(phone, 'checkout')).toBe(variant);

    await page.evaluate(`posthog.group('company', 'acme')`);
    await storedOnce(has('$groupidentify'));
    await create('company', { groups: [{}], aggregation_group_type_index: 0 });
    for (const each of [page, phone]) await reloaded(each);
    expect([await flagIn(page, 'company'), await flagIn(phone, 'company')]).toEqual([true, false]);

    // A page that stays open asks again by itself: each five minutes, or as often as it is told to.
    const idle = await open(await browser.newContext(), { ...QUIET, remote_config_refresh_interval_ms: 1_000 });
    await answered(idle);
    expect(await flagIn(idle, 'kill')).toBe(true);
    await collector.flags.setActive(project.id, kill.id, false, author);
    await reloaded(page);
    expect(await flagIn(page, 'kill')).toBe(false);
    await idle.waitForFunction(`posthog.getFeatureFlag('kill') === false`);

    // What a server put into the page holds before anything was answered, and the answer changes nothing: no flicker.
    const offline = await browser.newContext();
    await offline.route('**/flags/**', (route) => route.abort());
    const bootstrap = { distinctID: 'ana', featureFlags: { checkout: variant, kill: false } };
    const rendered = await open(offline, { ...QUIET, bootstrap } as JsonObject);
    expect([await flagIn(rendered, 'checkout'), await flagIn(rendered, 'kill')]).toEqual([variant, false]);
    await rendered.evaluate(`shown = []; posthog.onFeatureFlags(() => shown.push(posthog.getFeatureFlag('checkout')))`);
    await offline.unroute('**/flags/**');
    await reloaded(rendered);
    expect(new Set(await rendered.evaluate<string[]>('shown'))).toEqual(new Set([variant]));
  });

  /** Whether the page came to the end of what it does when it is left: a busy browser takes a tab away that needs more than half a second for it. */
  async function closeTab(page: Page): Promise<boolean> {
    await page.evaluate(`addEventListener('pagehide', () => localStorage.setItem('left', 'in time'))`);
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
    const { origins } = await page.context().storageState();
    return origins.some(({ localStorage }) => localStorage.some(({ name }) => name === 'left'));
  }

  it('closes a tab while events wait, and loses none', async () => {
    for (let isInTime = false; !isInTime; ) {
      project = await collector.projects.create({ name: 'Shop', timeZone: 'UTC' });
      const page = await open(await browser.newContext(), { request_queue_config: { flush_interval_ms: 5000 } });
      await storedOnce(has('$pageview'));
      for (const nth of [1, 2, 3]) await page.evaluate(`posthog.capture('waiting', { nth: ${nth} })`);
      isInTime = await closeTab(page);
    }
    const stored = await storedOnce(has('$pageleave'));
    expect(names(stored).filter((name) => name !== '$web_vitals')).toEqual([
      '$pageleave',
      '$pageview',
      'waiting',
      'waiting',
      'waiting',
    ]);
  });

  it('sends 500 events of one page, each once', async () => {
    const options = { ...QUIET, rate_limiting: { events_per_second: 1000, events_burst_limit: 1000 } };
    const page = await open(await browser.newContext(), options);
    await page.evaluate(
      `for (let nth = 0; nth < 500; nth++) posthog.capture('many', { nth, filler: 'x'.repeat(300) })`,
    );
    const stored = await storedOnce(({ events }) => events.length >= 500);
    const numbers = stored.events.map(({ properties }) => properties['nth'] as number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, nth) => nth));
    expect(stored.counted).toBe(500);
  });

  it.each([
    ['a day ahead', 86_400_000],
    ['a day behind', -86_400_000],
  ])('stores the right time of a device whose clock is %s', async (_, aheadMs) => {
    const context = await browser.newContext();
    await context.addInitScript(`{
      const Right = Date;
      window.Date = class extends Right {
        constructor(...given) { given.length === 0 ? super(Right.now() + ${aheadMs}) : super(...given); }
        static now() { return Right.now() + ${aheadMs}; }
      };
    }`);
    const page = await open(context, { ...QUIET, capture_pageview: true });
    const before = systemClock.now();
    await page.evaluate(`posthog.capture('now')`);
    const stored = await storedOnce((now) => has('now')(now) && has('$pageview')(now));
    for (const { ts, session, marks } of stored.events) {
      expect(Math.abs(ts - before)).toBeLessThan(60_000); // not a day
      expect(session).not.toBeNull();
      expect(marks).toEqual(['personless']);
    }
    expect(stored.sessions).toMatchObject([{ events: 2, views: 1 }]);
  });

  it('counts two tabs as one visit of one visitor', async () => {
    const context = await browser.newContext();
    const [first, second] = [await open(context), await open(context)];
    await second.click('#buy');
    await first.goto('about:blank');
    const stored = await storedOnce((now) => has('$autocapture')(now) && has('$pageleave')(now));
    expect(stored.sessions).toMatchObject([{ views: 2, autocaptures: 1 }]);
    expect(stored.persons).toHaveLength(1);
    expect(new Set(stored.events.map(({ properties }) => properties['$window_id'])).size).toBe(2);
  });

  it('keeps two people of one device apart when they sign out', async () => {
    const page = await open(await browser.newContext(), QUIET);
    const device = await distinctId(page);
    await page.evaluate(`posthog.capture('looked'); posthog.identify('ana', { email: 'ana@example.com' })`);
    await page.evaluate(`posthog.capture('bought'); posthog.reset()`);
    const between = await distinctId(page);
    await page.evaluate(
      `posthog.capture('looked'); posthog.identify('bia', { email: 'bia@example.com' }); posthog.capture('bought')`,
    );
    const stored = await storedOnce(({ events }) => events.length >= 6);
    // Which of the two gets the lower number is left to whose request comes first.
    const people = new Map(
      stored.persons.map(({ properties, distinctIds, identified }) => [
        properties['email'],
        { ids: [...distinctIds].sort(), identified },
      ]),
    );
    expect(stored.persons).toHaveLength(2);
    expect(people).toEqual(
      new Map([
        ['ana@example.com', { ids: [device, 'ana'].sort(), identified: true }],
        ['bia@example.com', { ids: [between, 'bia'].sort(), identified: true }],
      ]),
    );
    expect(new Set(stored.events.map(({ session }) => session)).size).toBe(2);
    // What each did before signing in follows them.
    const emailOf = (number: number) =>
      stored.persons.find((person) => person.number === number)?.properties['email'] as string;
    const done = stored.events.map(({ event, person }) => `${emailOf(person)} ${event}`).sort();
    const each = ['$identify', 'bought', 'looked'];
    expect(done).toEqual(['ana', 'bia'].flatMap((name) => each.map((event) => `${name}@example.com ${event}`)));
  });

  it('does not merge two identified people when one forgets to sign out', async () => {
    const page = await open(await browser.newContext(), QUIET);
    const device = await distinctId(page);
    await page.evaluate(`posthog.identify('ana', { email: 'ana@example.com' }); posthog.identify('bia')`);
    await page.evaluate(`posthog.capture('bought'); posthog.alias('ana')`);
    // The same device once more, whose client has forgotten that it is known here.
    const other = await open(await browser.newContext(), { ...QUIET, bootstrap: { distinctID: device } });
    await other.evaluate(`posthog.identify('caio'); posthog.capture('sold')`);
    const stored = await storedOnce((now) => has('$create_alias')(now) && has('sold')(now));
    const owners = stored.persons.map(({ distinctIds }) => [...distinctIds].sort());
    expect(owners.sort()).toEqual([[device, 'ana'].sort(), ['bia'], ['caio']].sort());
    const warnings = await database.query<{ reason: string; times: number }>(
      'select reason, sum(times)::int as times from ingestion_warnings where project_id = $1 group by 1',
      [project.id],
    );
    expect(warnings.reduce((sum, { times }) => sum + times, 0)).toBe(2);
  });

  it('takes views and events of @vercel/analytics, as of a visitor of whom nothing is kept', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const { complaints } = watch(page);
    const component = { scriptSrc: `/ingest/va/${project.token}/script.js`, mode: 'production' };
    await page.goto(pageAddress(collector.url, { token: project.token, component }));
    await page.waitForFunction('window.ready && window.vai');
    await page.evaluate(`history.pushState({}, '', '/site/checkout')`);
    // Each goes in a request of its own, and those of the same millisecond are in no order.
    await storedOnce(({ events }) => events.length >= 2);
    await page.evaluate(`analytics.track('bought', { price: 12.5, currency: 'BRL' })`);
    const stored = await storedOnce(({ events }) => events.length >= 3);
    expect(complaints).toEqual([]);
    expect(stored.events.map(({ event, properties }) => [event, properties['$pathname'], properties['price']])).toEqual(
      [
        ['$pageview', '/site/', undefined],
        ['$pageview', '/site/checkout', undefined],
        ['bought', '/site/checkout', 12.5],
      ],
    );
    for (const { marks, properties } of stored.events) {
      expect(marks.sort()).toEqual(['cookieless', 'personless']);
      for (const name of ['$raw_user_agent', '$ip', '$device_id']) expect(Object.keys(properties)).not.toContain(name);
    }
    expect(stored.persons).toMatchObject([{ identified: false, hasProfile: false }]);
    expect(stored.sessions).toMatchObject([{ views: 2, events: 3 }]);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate('Object.keys(localStorage).length + Object.keys(sessionStorage).length')).toBe(0);
  });

  it('sends nothing after opting out, and again after opting in', async () => {
    const page = await open(await browser.newContext(), QUIET);
    const { requests } = watch(page);
    await page.evaluate(`posthog.capture('before')`);
    await storedOnce(has('before'));
    await page.evaluate(`posthog.opt_out_capturing(); posthog.capture('while out')`);
    const heard = requests.length;
    await page.waitForTimeout(1000);
    expect(requests.slice(heard).filter((request) => /\/e\/$/.test(request))).toEqual([]);
    await page.evaluate(`posthog.opt_in_capturing(); posthog.capture('after')`);
    const stored = await storedOnce(has('after'));
    expect(names(stored)).toEqual(['$opt_in', 'after', 'before']);
    expect(stored.persons).toHaveLength(1);
  });

  it('gets every event through once when the server is away for a while', async () => {
    let busy = 2;
    inTheWay = () => (busy-- > 0 ? 'busy' : 'pass');
    const page = await open(await browser.newContext(), QUIET);
    await page.evaluate(`for (const nth of [1, 2, 3]) posthog.capture('patient', { nth })`);
    const stored = await storedOnce(({ events }) => events.length >= 3, 40_000);
    await page.waitForTimeout(500);
    expect(busy).toBeLessThan(0);
    expect(names(await readStored(database, project.id))).toEqual(['patient', 'patient', 'patient']);
    expect(stored.counted).toBe(3);
  });

  it('stores once what it took without the client hearing of it', async () => {
    const fates: string[] = [];
    inTheWay = () => {
      fates.push(fates.length === 0 ? 'cut' : 'pass');
      return fates.at(-1) as 'cut' | 'pass';
    };
    const page = await open(await browser.newContext(), QUIET);
    await page.evaluate(`for (const nth of [1, 2, 3]) posthog.capture('again', { nth })`);
    const until = performance.now() + 40_000;
    while (fates.length < 2 && performance.now() < until) await page.waitForTimeout(200);
    await page.waitForTimeout(1000);
    expect(fates.length).toBeGreaterThanOrEqual(2);
    const stored = await readStored(database, project.id);
    expect(names(stored)).toEqual(['again', 'again', 'again']);
    expect(stored.counted).toBe(3);
  });
});
