/** Moving about without loading pages: focus, title, scroll, prefetch, races, and code that is gone after a release. */

import type { Page } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { hydrated } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database, { env: { TAG_MANAGER_HOSTS: '', PUBLIC_TAG_MANAGER_ID: 'GTM-TEST' } });
const browser = useBrowser(luneta);

const overview = () => `${luneta.url}/project/1/overview`;
const link = (name: RegExp) => ({ name });

/** Waits without a script in the page, which its policy forbids. */
async function becomes(page: Page, expression: string): Promise<void> {
  // In between two documents there is nothing to ask.
  await eventually(expression, () => page.evaluate<boolean>(expression).catch(() => false));
}

/** A page that is interactive; the tag manager's own address is not reached. */
async function open(address = overview(), prepare: (page: Page) => Promise<unknown> = async () => undefined) {
  const watched = await browser.newPage({ serviceWorkers: 'block' });
  await prepare(watched.page);
  await watched.page.route('https://www.googletagmanager.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
  await watched.page.goto(address);
  await hydrated(watched.page, 'h1');
  return watched;
}

it('moves focus to the heading, names the screen, and comes back to where it was', async () => {
  const { page } = await open();
  await page.setViewportSize({ width: 390, height: 500 });
  await page.evaluate('window.sameDocument = true');
  await page.evaluate('window.scrollTo(0, 240)');
  await page.waitForTimeout(300);
  // A browser may say that scrolling rests before the new screen is drawn.
  await page.evaluate(`{
    const own = window.scrollTo;
    window.scrollTo = (...to) => { own.apply(window, to); dispatchEvent(new Event('scrollend')); };
  }`);
  await page.getByRole('link', link(/^Live/)).last().click();
  await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor();
  expect(await page.title()).toBe('Live · Luneta');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Live');
  expect(await page.evaluate(`document.querySelector('[aria-live="polite"][aria-atomic]').textContent`)).toBe('Live');
  expect(await page.evaluate('window.scrollY')).toBe(0);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await eventually('back where it was', async () => (await page.evaluate('window.scrollY')) === 240);
  expect(await page.evaluate('window.sameDocument')).toBe(true);
});

it('is where it was before its code has come, and stays there, when it is reloaded or come back to', async () => {
  const { page } = await open();
  await page.setViewportSize({ width: 390, height: 500 });
  await page.evaluate('window.scrollTo(0, 240)');
  await page.evaluate('window.first = true');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/overview-*.js', async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await page.reload({ waitUntil: 'commit' });
  await becomes(page, 'window.first === undefined && scrollY === 240');
  release();
  await hydrated(page, 'h1');
  expect(await page.evaluate('scrollY')).toBe(240);

  await page.getByRole('link', link(/^Live/)).last().click();
  await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor();
  await page.goto(`${luneta.url}/status`);
  await hydrated(page, 'h1');
  await page.evaluate('history.go(-2)');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await becomes(page, 'scrollY === 240');
});

it('has code and data of a link before it is followed', async () => {
  const { page, requests } = await open();
  await page.getByRole('link', link(/^Live/)).first().hover();
  const asked = (part: RegExp) => requests.filter((request) => part.test(request)).length;
  await eventually('its code is here', async () => asked(/\/assets\/explorer-\w+\.js/) > 0);
  await eventually('its data are asked', async () => asked(/events\.live\?/) > 0);
  await page.waitForTimeout(300);
  const before = requests.length;
  expect(asked(/events\.live\?/)).toBe(1);
  await page.getByRole('link', link(/^Live/)).first().click();
  await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor();
  await page.waitForTimeout(300);
  const after = requests.slice(before);
  expect(after.filter((request) => /events\.live\?|explorer-\w+\.js/.test(request))).toEqual([]);
});

it('ends where the last click led', async () => {
  const { page } = await open(overview(), (each) =>
    each.route('**/assets/explorer-*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    }),
  );
  await page.getByRole('link', link(/^Live/)).first().click();
  await page
    .getByRole('link', link(/^Overview/))
    .first()
    .click();
  await page.waitForTimeout(900);
  expect(page.url()).toBe(overview());
  expect(await page.title()).toBe('Overview · Luneta');
});

it('reloads the page when a release has removed its code, once', async () => {
  const { page, requests } = await open(overview(), (each) =>
    each.route('**/assets/explorer-*.js', (route) => route.fulfill({ status: 404, body: 'gone' })),
  );
  await page.evaluate('window.sameDocument = true');
  const loads = () => requests.filter((request) => request === `GET ${luneta.url}/project/1/live`).length;
  await page.getByRole('link', link(/^Live/)).first().click();
  await becomes(page, 'window.sameDocument === undefined');
  await page.waitForTimeout(1_000);
  expect(page.url()).toBe(`${luneta.url}/project/1/live`);
  expect(loads()).toBe(1);
  // The server drew the screen all the same.
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Live');
});

it('changes theme and language at once, and keeps both', async () => {
  const { page, requests } = await open();
  await page.getByRole('button', { name: 'Marina Duarte' }).first().click();
  // Its code comes later; until then the browser would send the form itself, and leave the page.
  await hydrated(page, 'button[name=theme]');
  await page.getByRole('button', { name: 'Dark' }).first().click();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.getByRole('button', { name: 'Português (Brasil)' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Visão geral' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
  expect(requests.filter((request) => request === `GET ${overview()}`)).toHaveLength(1);
  await page.reload();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.title()).toBe('Visão geral · Luneta');
});

it('tells the tag manager which screens are shown, by their pattern', async () => {
  const { page } = await open(`${overview()}?range=last_7_days`);
  await becomes(page, 'window.dataLayer?.length >= 2');
  await page.getByRole('link', link(/^Live/)).first().click();
  await becomes(page, 'window.dataLayer.length >= 3');
  const pushed = await page.evaluate<{ event: string; page_path?: string }[]>('window.dataLayer');
  expect(pushed.map(({ event, page_path }) => [event, page_path])).toEqual([
    ['gtm.js', undefined],
    ['page_view', '/project/:project/overview'],
    ['page_view', '/project/:project/live'],
  ]);
  expect(await page.locator('#tag-manager').getAttribute('src')).toBe(
    'https://www.googletagmanager.com/gtm.js?id=GTM-TEST',
  );
});

it('refuses to read a setting of the server in the browser', async () => {
  const { page } = await open();
  expect(await page.evaluate('window.luneta.settings.PUBLIC_APP_URL')).toBe(luneta.url);
  for (const name of ['DATABASE_URL', 'AUTH_SECRET', 'NODE_ENV']) {
    await expect(page.evaluate(`window.luneta.settings.${name}`)).rejects.toThrow(
      'Attempted to access a server-side environment variable on the client',
    );
  }
});
