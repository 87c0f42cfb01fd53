/** From a customer's page in a real browser, through the collector, to the live screen: each thing once, without a reload. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Page } from 'playwright-core';
import { PostHog } from 'posthog-node';
import { useBrowser, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { pageAddress, siteRoutes } from '#test/kit/wire/site.ts';
import { readStored, type Stored } from '#test/kit/wire/stored.ts';
import { eventually, runLuneta } from './luneta.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
let shop: Server;
let shopUrl: string;

beforeAll(async () => {
  const app = express();
  app.set('query parser', 'simple');
  app.use(siteRoutes());
  app.get('/walk{/*path}', (req, res) => {
    const src = String(req.query['src']);
    res.type('text/html').send(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="/favicon.ico">
      <script>window.va = window.va || function () { (window.vaq = window.vaq || []).push(arguments); };</script>
      <script defer src="${src}"></script><h1>Shop</h1></html>`);
  });
  shop = createServer(app);
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => shop.close(resolve)));

interface Shop {
  id: number;
  token: string;
}

/** A project of its own for each journey. */
async function newProject(name: string): Promise<Shop> {
  const token = `lnt_${name}`;
  const [row] = await database.query<{ id: number }>(
    `insert into projects (name, time_zone, team_id, created_at) values ($1, 'America/Sao_Paulo', 1, now()) returning id`,
    [name],
  );
  const { id } = row as { id: number };
  await database.query('insert into project_tokens (token, project_id, created_at) values ($1, $2, now())', [
    token,
    id,
  ]);
  return { id, token };
}

async function openLive(project: Shop): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const streams = page.waitForRequest(/liveStream/);
  await page.goto(`${luneta.url}/project/${project.id}/live`);
  await page.evaluate(`window.sameDocument = true`);
  await streams;
  return page;
}

async function storedOnce(project: Shop, isEnough: (stored: Stored) => boolean): Promise<Stored> {
  return eventually('stored', async () => {
    const stored = await readStored(database, project.id);
    return isEnough(stored) && stored;
  });
}

const countOf = (stored: Stored) => {
  const counts: Record<string, number> = {};
  for (const { event } of stored.events) counts[event] = (counts[event] ?? 0) + 1;
  return counts;
};

/** Rows of the live screen that show this event. */
async function rowsOf(page: Page, event: string): Promise<number> {
  return page.locator('li a', { has: page.locator(`.mono:text-is("${event}")`) }).count();
}

it('follows a visitor with posthog-js to the live screen', async () => {
  const project = await newProject('shop');
  const live = await openLive(project);
  const context = await browser.newContext();
  const page = await context.newPage();
  const { complaints } = watch(page);
  const options = { api_host: `${luneta.url}/ingest`, capture_exceptions: true };
  await page.goto(pageAddress(shopUrl, { token: project.token, options }));
  await page.waitForFunction('window.ready');
  const isConfigured = 'window._POSTHOG_REMOTE_CONFIG && posthog.autocapture && posthog.autocapture.isEnabled';
  await page.waitForFunction(isConfigured);
  await page.click('#buy');
  await page.evaluate(`history.pushState(null, '', '/site/produtos' + location.search)`);
  await page.evaluate(`posthog.capture('pedido_concluido', { produto: 'Catuaí Vermelho 500 g', valor: 67.9 })`);
  await page.evaluate(`posthog.identify('ana@exemplo.example', { name: 'Ana Prado', email: 'ana@exemplo.example' })`);
  await page.evaluate(`setTimeout(() => { throw new TypeError('frete is undefined') })`);
  await storedOnce(project, (stored) => countOf(stored)['$exception'] === 1);
  // Not closed: of a tab, a busy browser takes away what needs more than half a second to leave.
  await page.goto('about:blank');

  const wanted = {
    $pageview: 2,
    $autocapture: 1,
    pedido_concluido: 1,
    $identify: 1,
    $exception: 1,
    $pageleave: 1,
  };
  const names = Object.keys(wanted);
  await storedOnce(project, (stored) => names.every((name) => countOf(stored)[name]));
  for (const [name, count] of Object.entries(wanted)) {
    await eventually(`${name} on Live`, async () => (await rowsOf(live, name)) === count);
  }
  const stored = await readStored(database, project.id);
  expect(countOf(stored)).toMatchObject(wanted);
  expect(new Set(stored.events.map(({ uuid }) => uuid)).size).toBe(stored.events.length);
  expect(stored.persons).toHaveLength(1);
  expect(stored.persons[0]).toMatchObject({ identified: true, properties: { name: 'Ana Prado' } });
  expect(stored.sessions).toMatchObject([{ views: 2, autocaptures: 1, bot: false }]);
  expect(await live.evaluate('window.sameDocument')).toBe(true);
  expect(await live.locator('li', { hasText: 'Catuaí Vermelho 500 g' }).count()).toBe(1);
  expect(await live.locator('li', { hasText: 'Ana Prado' }).count()).toBeGreaterThan(0);
  expect(complaints).toEqual(['TypeError: frete is undefined']);
});

it('shows what a server sends with posthog-node, once', async () => {
  const project = await newProject('server');
  const live = await openLive(project);
  const client = new PostHog(project.token, { host: `${luneta.url}/ingest`, flushAt: 1 });
  client.identify({ distinctId: 'caio', properties: { name: 'Caio Brandão' } });
  client.capture({ distinctId: 'caio', event: 'pedido_enviado', properties: { pedido: 'CS-1' } });
  client.captureException(new RangeError('estoque negativo'), 'caio');
  await client.shutdown();
  for (const name of ['$identify', 'pedido_enviado', '$exception']) {
    await eventually(`${name} on Live`, async () => (await rowsOf(live, name)) === 1);
  }
  const stored = await storedOnce(project, ({ events }) => events.length >= 3);
  expect(countOf(stored)).toEqual({ $identify: 1, pedido_enviado: 1, $exception: 1 });
  expect(stored.persons).toMatchObject([{ identified: true, properties: { name: 'Caio Brandão' } }]);
  expect(stored.events.every(({ marks }) => !marks.includes('bot'))).toBe(true);
});

it('counts a walk through three pages with the web-analytics script alone as three views of one visit', async () => {
  const project = await newProject('walk');
  const { page, complaints } = await browser.newPage();
  const src = `${luneta.url}/ingest/va/${project.token}/script.js`;
  await page.goto(`${shopUrl}/walk/?src=${encodeURIComponent(src)}`);
  await storedOnce(project, ({ events }) => events.length >= 1);
  for (const path of ['produtos', 'carrinho']) await page.evaluate(`history.pushState(null, '', '/walk/${path}')`);
  const stored = await storedOnce(project, ({ events }) => events.length >= 3);
  await page.waitForTimeout(500);
  expect(countOf(await readStored(database, project.id))).toEqual({ $pageview: 3 });
  expect(stored.events.map(({ properties }) => properties['$pathname']).sort()).toEqual([
    '/walk/',
    '/walk/carrinho',
    '/walk/produtos',
  ]);
  expect(stored.sessions).toMatchObject([{ views: 3 }]);
  expect(stored.persons).toHaveLength(1);
  expect(complaints).toEqual([]);
});
