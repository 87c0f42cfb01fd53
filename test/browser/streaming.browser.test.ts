/**
 * How screens come to a real browser: a slow query of one part holds nothing else back and is asked once; what is asked later are calls as
 * the specification writes them, and a first visit takes no more than it needs.
 */
import { Client } from 'pg';
import type { Request } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { hydrated, watchShifts } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);

/** The tables under the chart read `property_groups`; the figures and the frame do not. Only the chart reads `annotations`. */
async function holdTables(held: 'property_groups' | 'annotations' = 'property_groups'): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`begin; lock table ${held} in access exclusive mode`);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 1');
  const batch = ['/menu', '/café'].map((path) => ({
    event: '$pageview',
    distinct_id: 'someone',
    properties: { $current_url: `https://shop.example${path}`, $host: 'shop.example', $pathname: path },
  }));
  const headers = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' };
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ api_key: row?.token, batch }),
  });
  expect(sent.status).toBe(200);
  // On a busy machine they may come by way of the spool; once the tables are held they could not.
  await eventually('both views are stored', async () => {
    const [stored] = await database.query<{ count: string }>(
      `select count(*) from events join event_names on event_names.project_id = events.project_id
         and event_names.number = events.event where event_names.name = '$pageview'`,
    );
    return Number(stored?.count) === batch.length;
  });
});

it('streams the late region into a page that could be read before, without a request of its own', async () => {
  const { page, complaints, requests } = await browser.newPage();
  await watchShifts(page);
  const release = await holdTables();
  const begin = performance.now();
  // How soon it can be read is measured where no browser takes part of the machine (test/web/ssr.test.tsx): here it is before
  // the tables let go.
  await page.goto(`${luneta.url}/project/1/overview`, { waitUntil: 'commit' });
  const main = page.locator('main');
  await main.getByText('Page views').first().waitFor();
  await main.getByText('Pages', { exact: true }).first().waitFor();
  expect(await main.getByText('/menu').count()).toBe(0);
  expect(await main.locator('[aria-busy="true"]').count()).toBeGreaterThan(0);

  // Hydrated while the region is still out: the page works.
  await eventually('the palette opens', async () => {
    await page.keyboard.press('Control+k');
    return page.getByRole('dialog').isVisible();
  });
  await page.keyboard.press('Escape');
  await page.waitForTimeout(Math.max(0, 2_000 - (performance.now() - begin)));
  expect(await main.getByText('/menu').count()).toBe(0);

  await release();
  await main.getByText('/menu').first().waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(300);
  expect(await main.locator('[aria-busy="true"]').count()).toBe(0);
  // The palette, which was opened, asks for what it lists.
  const asked = requests.filter((request) => request.includes('/api/trpc') && !request.includes('insights.saved.list'));
  expect(asked).toEqual([]);
  expect(complaints).toEqual([]);
  expect(await page.evaluate('window.shifted ?? 0')).toBeLessThan(0.02);
});

it('gives readers without JavaScript the whole page', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const release = await holdTables();
  setTimeout(() => void release(), 1_000);
  await page.goto(`${luneta.url}/project/1/overview`);
  await page.locator('main').getByText('/menu').first().waitFor();
  expect(new URL(page.url()).searchParams.get('wait')).toBe('1');
});

it.each([
  ['chart', 1440],
  ['table', 1440],
  ['chart', 390],
  ['table', 390],
] as const)('keeps the place of the chart as a %s, %i px', async (view, width) => {
  const { page } = await browser.newPage({ viewport: { width, height: 900 } });
  await watchShifts(page);
  const release = await holdTables('annotations');
  // Where the tables begin, before the chart is there and after.
  const below = async () => (await page.locator('h2', { hasText: /^Pages$/ }).boundingBox())?.y ?? Number.NaN;
  await page.goto(`${luneta.url}/project/1/overview?view=${view}&range=last_7_days&interval=day`, {
    waitUntil: 'commit',
  });
  const main = page.locator('main');
  await main.getByText('/menu').first().waitFor();
  expect(await main.getByText('Bots excluded').count()).toBe(0);
  const before = await below();
  await release();
  await main.getByText('Bots excluded').waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(300);
  expect(Math.abs((await below()) - before)).toBeLessThan(2);
  expect(await page.evaluate('window.shifted ?? 0')).toBeLessThan(0.002);
});

it.each([
  ['Main', 1440],
  ['Quick navigation', 390],
])('keeps the place of what says how a number is counted, come to by %s, %i px', async (menu, width) => {
  const { page, complaints } = await browser.newPage({ viewport: { width, height: 900 }, locale: 'en' });
  await page.goto(`${luneta.url}/project/1/live`);
  await hydrated(page, 'h1');
  const held = Promise.withResolvers<void>();
  let isAsked = false;
  await page.route(/\/assets\/explain-\w+\.js$/, async (route) => {
    isAsked = true;
    await held.promise;
    await route.continue();
  });
  await page.getByRole('navigation', { name: menu }).getByRole('link', { name: 'Overview' }).click();
  const main = page.locator('main');
  await main.getByText('Bots excluded').waitFor();
  await main.getByText('/menu').first().waitFor();
  const heading = page.locator('h2', { hasText: /^Pages$/ });
  const tables = async () => Number((await heading.boundingBox())?.y) + (await page.evaluate<number>('scrollY'));
  const before = await tables();
  // The link is there from the start; what it opens is asked for when it is opened.
  const link = main.getByText('How it’s calculated').first();
  await link.waitFor();
  expect(isAsked).toBe(false);
  await link.click();
  await eventually('its code is asked for', async () => isAsked);
  held.resolve();
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click();
  await eventually('nothing has moved', async () => (await tables()) === before);
  expect(complaints).toEqual([]);
});

it('has nothing to complain about when the code of a part comes late, and draws the part in its own style', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'en' });
  await page.goto(`${luneta.url}/project/1/overview`);
  const filter = page.getByRole('button', { name: 'Filter', exact: true });
  await hydrated(page, 'search button');
  let isAsked = false;
  await page.route(/\/assets\/question-forms-\w+\.js$/, async (route) => {
    isAsked = true;
    // Chromium looks some seconds after a page has loaded whether what was preloaded is used.
    await page.waitForTimeout(6_000);
    await route.continue();
  });
  await filter.click();
  const form = page.getByRole('dialog', { name: 'Filter', exact: true });
  const drawn = form.getByRole('option').first();
  await drawn.waitFor();
  expect(isAsked).toBe(true);
  const sheets = `[...document.styleSheets].filter(({ href }) => /question-forms/.test(href) && href).length`;
  expect(await page.evaluate(sheets)).toBe(1);
  expect(complaints).toEqual([]);
});

const FIRST_SECONDS_MS = 4_000;

it('takes at most 260 kB of scripts in 25 requests in the first four seconds of Overview', async () => {
  const { page } = await browser.newPage();
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.goto(`${luneta.url}/project/1/overview`);
  await page.waitForTimeout(FIRST_SECONDS_MS);
  const scripts = requests.filter((request) => request.resourceType() === 'script');
  const sizes = await Promise.all(scripts.map((request) => request.sizes()));
  expect(scripts.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)).toBeLessThanOrEqual(260_000);
  // Queries that the server did not answer in time are sent by the page: a busy machine, not what is held here.
  const others = requests.filter((request) => !isCall(request));
  expect(others.map((request) => request.url()).slice(25)).toEqual([]);
});

/** Paths, query parameters and inputs of a call's request. */
function callOf(request: Request) {
  const { pathname, searchParams } = new URL(request.url());
  const input = request.postData() ?? searchParams.get('input') ?? '{}';
  return {
    method: request.method(),
    paths: pathname.slice('/api/trpc/'.length).split(','),
    batch: searchParams.get('batch'),
    inputs: Object.values(JSON.parse(input) as Record<string, { json: unknown }>),
  };
}

const isCall = (request: Request) => new URL(request.url()).pathname.startsWith('/api/trpc/');

it('sends the queries of one tick in one GET, and a mutation by POST', async () => {
  const { page } = await browser.newPage();
  await page.goto(`${luneta.url}/project/1/overview`);
  await hydrated(page, 'h1');
  const asked = page.waitForRequest(isCall);
  await page.locator('nav a[href="/project/1/goals"]').first().click();
  const query = callOf(await asked);
  expect(query).toMatchObject({ method: 'GET', batch: '1' });
  expect(query.paths.length).toBeGreaterThan(1);
  expect(query.inputs.map((input) => Object.keys(input))).toEqual(query.paths.map(() => ['json']));

  await page.goto(`${luneta.url}/project/1/overview`);
  await hydrated(page, 'h1');
  await page.locator('main li button').first().click();
  const form = page.locator('dialog[open]');
  await form.locator('textarea, input:not([type=date], [type=time], [type=url])').first().fill('Release');
  const changed = page.waitForRequest((request) => isCall(request) && request.method() === 'POST');
  await form.locator('[type=submit]').click();
  const request = await changed;
  expect(request.headers()['content-type']).toBe('application/json');
  expect(callOf(request)).toMatchObject({
    method: 'POST',
    paths: ['insights.annotations.create'],
    batch: '1',
    inputs: [{ json: expect.objectContaining({ project: '1', text: 'Release' }) }],
  });
});

it('asks again after 1, 2 and 4 s when the server fails', async () => {
  const { page } = await browser.newPage();
  await page.goto(`${luneta.url}/project/1/overview`);
  await hydrated(page, 'h1');
  /** When each procedure was asked, ms. */
  const asked = new Map<string, number[]>();
  await page.route('**/api/trpc/**', async (route) => {
    for (const path of callOf(route.request()).paths) asked.set(path, [...(asked.get(path) ?? []), performance.now()]);
    await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
  });
  await page.locator('nav a[href="/project/1/goals"]').first().click();
  const times = await eventually('four attempts', async () => {
    const [first] = asked.values();
    return first !== undefined && first.length >= 4 && first;
  });
  const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1_000);
  // At least: a busy machine takes longer.
  for (const [index, least] of [1, 2, 4].entries()) expect(waits[index]).toBeGreaterThan(least - 0.1);
});
