/** The screens in a real browser: the first paint is the answer, with and without JavaScript, and without a connection. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { useBrowser, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { readStored } from '#test/kit/wire/stored.ts';
import { eventually, runLuneta } from './luneta.ts';
import { settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);

async function ownToken(): Promise<string> {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 1');
  return (row as { token: string }).token;
}

/** An internal page view, as any client sends it. */
async function sendView(token: string, path: string): Promise<void> {
  const event = {
    api_key: token,
    event: '$pageview',
    distinct_id: 'someone',
    properties: { $current_url: `https://shop.example${path}`, $host: 'shop.example', $pathname: path, $lib: 'web' },
  };
  const userAgent =
    'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent };
  const sent = await fetch(`${luneta.url}/ingest/e/`, { method: 'POST', headers, body: JSON.stringify(event) });
  expect(sent.status).toBe(200);
}

it('shows the install card on a fresh install, which turns into numbers by itself', async () => {
  const { page } = await browser.newPage();
  await page.goto(`${luneta.url}/project/1/overview`);
  await page.getByRole('heading', { name: 'Install the snippet' }).waitFor();
  await page.evaluate('window.sameDocument = true');
  await sendView(await ownToken(), '/first');
  await page.getByRole('heading', { name: 'Install the snippet' }).waitFor({ state: 'detached' });
  await page.getByText('/first').waitFor();
  expect(await page.evaluate('window.sameDocument')).toBe(true);
});

it('draws the first day by its hours, and all days of the range when they are chosen', async () => {
  const { page } = await browser.newPage();
  await page.goto(`${luneta.url}/project/1/overview`);
  const main = page.getByRole('main');
  /** The dates that the chart says it shows, which stand beside its line too. */
  const datesBy = async (interval: 'hour' | 'day') => {
    const name = await main.getByLabel(`Visitors by ${interval}, `).first().getAttribute('aria-label');
    const [, dates = ''] = name?.split(', ') ?? [];
    expect(await main.getByRole('listitem').filter({ hasText: dates }).count()).toBe(1);
    return dates;
  };
  const ofHours = await datesBy('hour');
  expect(await page.getByRole('link', { name: 'Hour', exact: true }).getAttribute('aria-current')).toBe('true');
  await page.getByRole('link', { name: 'Day', exact: true }).click();
  expect(await datesBy('day')).not.toBe(ofHours);
});

it('asks for nothing again after the page has come, and has nothing to complain about', async () => {
  const { page, complaints, requests } = await browser.newPage();
  await page.goto(`${luneta.url}/project/1/overview`);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  expect(requests.filter((request) => request.includes('/api/trpc'))).toEqual([]);
  expect(new Set(requests.filter((request) => request.startsWith('GET'))).size).toBe(
    requests.filter((request) => request.startsWith('GET')).length,
  );
  expect(complaints).toEqual([]);
});

it('waits for at most 13 kB of style sheets, those of the parts that it draws included', async () => {
  const { page } = await browser.newPage();
  await page.goto(`${luneta.url}/project/1/overview`);
  const sheets = await page.evaluate<string[]>(
    `[...document.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href'))`,
  );
  expect(sheets.length).toBeGreaterThan(3);
  expect(new Set(sheets).size).toBe(sheets.length);
  const sizes = await Promise.all(sheets.map(async (href) => (await stat(join('dist', `${href}.gz`))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(13_000);
});

it('loads each file once on every visit, also when the service worker is in charge', async () => {
  let visits: string[][] | null = null;
  let complaints: string[] = [];
  while (visits === null) {
    const watched = await browser.newPage();
    visits = await filesOfVisits(watched.page);
    complaints = watched.complaints;
  }
  for (const files of visits) {
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

/**
 * What each visit loaded. Null when the server began to answer so late that the shell stood in: what the worker answered for the shell
 * Chromium loads again for the page after it, and says so.
 */
async function filesOfVisits(page: Page): Promise<string[][] | null> {
  await page.goto(`${luneta.url}/project/1/overview`);
  await eventually('the worker is in charge', () =>
    page.evaluate<boolean>('navigator.serviceWorker.controller !== null'),
  );
  const visits: string[][] = [];
  for (const screen of ['overview', 'live', 'live', 'ingestion', 'overview?details=page', 'overview']) {
    await page.goto(`${luneta.url}/project/1/${screen}`);
    await page.waitForLoadState('networkidle');
    const waitedMs = await page.evaluate<number>(`performance.getEntriesByType('navigation')[0].responseStart`);
    if (waitedMs > 3_500) return null;
    const files = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/assets/'))`,
    );
    visits.push(files);
  }
  return visits;
}

it('can be read with JavaScript off', async () => {
  await sendView(await ownToken(), '/without-script');
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${luneta.url}/project/1/overview`);
  await settled(page);
  for (const words of ['Visitors', 'Page views', '/without-script', 'Pages', 'Channels']) {
    // Visible, not only there: what streams in late needs a script to be shown, or the page once more in one go.
    await page.locator('main').getByText(words).first().waitFor({ state: 'visible' });
  }
  expect(await page.locator('main svg path').count()).toBeGreaterThan(0);
  expect(await page.locator('[aria-busy="true"]').count()).toBe(0);
  await page.goto(`${luneta.url}/project/1/live`);
  await settled(page);
  await page.locator('main').getByText('/without-script').first().waitFor({ state: 'visible' });
  await page.goto(`${luneta.url}/project/1/ingestion`);
  await settled(page);
  for (const words of ['Delivery guarantee', 'Ingestion results', 'Stored', 'Background jobs']) {
    await page.locator('main').getByText(words).first().waitFor({ state: 'visible' });
  }
  expect(await page.locator('[aria-busy="true"]').count()).toBe(0);
});

it('measures itself with the small component where posthog-js is blocked: three screens, three views', async () => {
  const blocked = await assetsWith('posthog-js');
  expect(blocked.length).toBeGreaterThan(0);
  const before = await ownViews();
  const { page } = await browser.newPage();
  await page.route(
    (url) => blocked.includes(url.pathname),
    (route) => route.abort(),
  );
  await page.goto(`${luneta.url}/project/1/overview`);
  await eventually('the first view', async () => (await ownViews()) === before + 1);
  await page.getByRole('link', { name: /^Live/ }).first().click();
  await eventually('the second view', async () => (await ownViews()) === before + 2);
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await eventually('the third view', async () => (await ownViews()) === before + 3);
  await page.waitForTimeout(500);
  expect(await ownViews()).toBe(before + 3);
});

it('shows the shell when the server is gone, and says when it is the connection', async () => {
  const context = await browser.newContext();
  const { page, complaints } = watch(await context.newPage());
  await page.goto(`${luneta.url}/project/1/overview`);
  await eventually('the worker is in charge and the shell is kept', () =>
    page.evaluate<boolean>(
      `caches.match('/_app').then((kept) => kept !== undefined && navigator.serviceWorker.controller !== null)`,
    ),
  );
  await luneta.stop();
  await page.goto(`${luneta.url}/project/1/live`);
  await page.getByText('Can’t reach the server').waitFor();
  await context.setOffline(true);
  await page.getByText('You’re offline').waitFor();
  expect(await page.locator('nav').count()).toBeGreaterThan(0);
  expect(await page.content()).not.toContain('/without-script');
  // What the network refuses, and that a file asked for early was of no use, the browser says by itself.
  const isOfNetwork =
    /net::ERR_|was preloaded using link preload but not used|preload for .* is found, but is not used/;
  expect(complaints.filter((complaint) => !isOfNetwork.test(complaint))).toEqual([]);
});

/** Addresses of the browser's files that hold a package. */
async function assetsWith(name: string): Promise<string[]> {
  const meta = JSON.parse(await readFile(join(process.cwd(), 'dist/browser.meta.json'), 'utf8')) as {
    outputs: Record<string, { inputs: Record<string, unknown> }>;
  };
  return Object.entries(meta.outputs)
    .filter(([, { inputs }]) => Object.keys(inputs).some((path) => path.includes(`node_modules/${name}/`)))
    .map(([path]) => `/assets/${path.split('/').at(-1)}`);
}

/** Views that Luneta's own screens reported. */
async function ownViews(): Promise<number> {
  const { events } = await readStored(database, 1);
  return events.filter(({ event, properties }) => event === '$pageview' && properties['$host'] !== 'shop.example')
    .length;
}
