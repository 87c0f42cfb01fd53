/** People: a visitor browses with posthog-js and signs up, is found, viewed, and split again. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Page } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { pageAddress, siteRoutes } from '#test/kit/wire/site.ts';
import { readStored } from '#test/kit/wire/stored.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, inBothThemes, looks, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const TAKEN = 'main form, main ol';
const people = () => `${luneta.url}/project/2/persons`;
const email = 'ana@exemplo.example';
let shop: Server;
/** The id that the browser had before it was known whose it is. */
let anonymous: string;

beforeAll(async () => {
  shop = createServer(express().set('query parser', 'simple').use(siteRoutes()));
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const site = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const page = await (await browser.newContext()).newPage();
  const address = pageAddress(site, { token: row?.token as string, options: { api_host: `${luneta.url}/ingest` } });
  await page.goto(`${address}&utm_source=news&utm_campaign=colheita`);
  await page.waitForFunction('window.ready');
  anonymous = await page.evaluate<string>('posthog.get_distinct_id()');
  await page.evaluate(`posthog.capture('buscou_produto', { busca: 'bourbon' })`);
  await page.evaluate(`posthog.identify('${email}', { name: 'Ana Prado', email: '${email}', plano: 'pro' })`);
  await page.evaluate(`posthog.capture('pedido_concluido', { produto: 'Catuaí' })`);
  await eventually('stored', async () => {
    const { events } = await readStored(database, 2);
    return events.some(({ event }) => event === 'pedido_concluido');
  });
  await page.close();
});
afterAll(() => new Promise((resolve) => shop.close(resolve)));

async function open(page: Page): Promise<void> {
  await page.goto(people());
  await page.getByRole('link', { name: 'Ana Prado' }).click();
  await page.getByRole('heading', { name: 'Activity' }).waitFor();
}

it('finds who signed up, and tells what they did from the first page on', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(people());
  await hydrated(page, TAKEN);
  await page.getByLabel('Search people').fill('ANA@');
  await page.keyboard.press('Enter');
  await page.waitForURL(/search=ANA/);
  await page.getByText('1 person', { exact: true }).waitFor();
  await page.getByText('Filters and columns').click();
  await page.getByLabel('Property', { exact: true }).fill('plano');
  await page.getByLabel('Value', { exact: true }).fill('pro');
  await page.keyboard.press('Enter');
  await page.waitForURL(/property=plano/);
  await page.getByRole('combobox', { name: 'Column' }).fill('plano');
  await page.keyboard.press('Enter');
  await page.waitForURL(/column=plano/);
  await page.getByRole('group', { name: 'Sort by' }).getByRole('link', { name: 'Events' }).click();
  await page.waitForURL(/sort=events/);
  await page.getByRole('columnheader', { name: 'plano' }).waitFor();
  await page.getByRole('cell', { name: 'pro', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Ana Prado' }).click();
  await page.getByRole('heading', { name: 'Ana Prado', level: 1 }).waitFor();
  const rows = await page.locator('ol li .mono').allTextContents();
  // Who searches, signs up and buys at once does it all within a millisecond.
  expect(rows.at(-1)).toBe('$pageview');
  expect(rows).toEqual(expect.arrayContaining(['buscou_produto', 'pedido_concluido', '$identify']));
  const touch = await page.getByRole('region', { name: 'First touch' }).textContent();
  expect(touch).toContain('news');
  expect(touch).toContain('colheita');
  const ids = page.getByRole('region', { name: 'IDs' });
  expect(await ids.textContent()).toContain(anonymous);
  expect(await ids.textContent()).toContain(email);
  expect(await page.locator('main').textContent()).toContain('Online now');
  await page.getByRole('link', { name: 'Custom events' }).click();
  await page.waitForURL(/kind=own/);
  await page.locator('ol li .mono', { hasText: '$identify' }).waitFor({ state: 'detached' });
  await page.locator('ol li a', { hasText: 'pedido_concluido' }).click();
  await page.getByRole('rowheader', { name: 'produto' }).waitFor();
  expect(complaints).toEqual([]);
});

it('keeps people as cohorts, from a list and by conditions, and finds them by these', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  const cohorts = `${luneta.url}/project/2/cohorts`;
  const folder = process.env['LOOKS'];
  const lookAt = async (screen: string) => {
    for (const look of looks) {
      await inBothThemes(page, look, async (name) => {
        await expectSound(page, `${screen}, ${name}`);
        if (folder) await page.screenshot({ path: `${folder}/${screen}-${name}.png`, fullPage: true });
      });
    }
  };
  await page.goto(cohorts);
  await page.getByRole('link', { name: 'From CSV' }).click();
  await hydrated(page, 'main form');
  await page.getByLabel('Name', { exact: true }).fill('Wholesale');
  await page.getByLabel('IDs or email addresses').fill(`email\n${email.toUpperCase()}\nnobody@exemplo.example`);
  await page.getByRole('button', { name: 'Save cohort' }).click();
  await page.getByText('List: 1 of 2 values matched.').waitFor();
  await page.getByText('Not found: nobody@exemplo.example').waitFor();
  await page.getByRole('link', { name: 'New cohort' }).click();
  await hydrated(page, 'main form');
  await page.getByLabel('Name', { exact: true }).fill('Buyers');
  await page.getByLabel('Event', { exact: true }).fill('pedido_concluida');
  await page.getByRole('button', { name: 'Use “pedido_concluido”' }).click();
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByLabel('Condition').nth(1).selectOption('in');
  await page.getByLabel('Cohort', { exact: true }).selectOption('Wholesale');
  await page.getByText('Size now: 1 person').waitFor();
  await lookAt('cohort-form');
  await page.getByRole('button', { name: 'Save cohort' }).click();
  await page.getByRole('link', { name: 'Buyers', exact: true }).waitFor();
  await lookAt('cohorts');
  await page.getByRole('link', { name: 'Buyers', exact: true }).click();
  await page.getByRole('link', { name: 'Ana Prado' }).waitFor();
  await page.goto(cohorts);
  await hydrated(page, 'main table');
  await page.getByRole('button', { name: 'Delete Wholesale' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Cohort not deleted because other cohorts, segments, insights or flags use it.').waitFor();
  expect(complaints.filter((each) => !each.includes('409'))).toEqual([]);
});

it('shows both screens without JavaScript, and finds by a plain form', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' });
  const page = await context.newPage();
  await page.goto(people());
  await settled(page);
  await page.getByLabel('Search people').fill('pro');
  await page.keyboard.press('Enter');
  await page.waitForURL(/search=pro/);
  await settled(page);
  await page.getByRole('link', { name: 'Ana Prado' }).click();
  await page.getByRole('heading', { name: 'Activity' }).waitFor();
  await settled(page);
  expect(await page.locator('ol li').count()).toBeGreaterThanOrEqual(4);
  await page.goto(`${people()}/00000000-0000-4000-8000-000000000000`);
  expect(await page.locator('h1').textContent()).not.toContain('Ana');
});

it.each(looks)('can be read by everybody: $locale', async (look) => {
  const { locale } = look;
  const { page, complaints } = await browser.keptPage({ locale });
  const folder = process.env['LOOKS'];
  const lookAt = (screen: string) =>
    inBothThemes(page, look, async (name) => {
      await expectSound(page, `${screen}, ${name}`);
      if (folder) await page.screenshot({ path: `${folder}/${screen}-${locale}-${name}.png`, fullPage: true });
    });
  await page.goto(`${people()}?property=plano&value=pro`);
  await hydrated(page, TAKEN);
  await lookAt('people');
  await page.getByRole('link', { name: 'Ana Prado' }).click();
  await page.locator('ol li a', { hasText: 'buscou_produto' }).click();
  await page.getByRole('rowheader', { name: 'busca' }).first().waitFor();
  const said = [
    await page.getByRole('region', { name: /First touch|Primeiro contato/ }).textContent(),
    await page.getByText(/ · “colheita” · /).textContent(),
  ].map((text) => text?.match(/Direct|Direto/)?.[0]);
  expect(said).toEqual(locale === 'en' ? ['Direct', 'Direct'] : ['Direto', 'Direto']);
  await hydrated(page, TAKEN);
  await lookAt('person');
  expect(complaints).toEqual([]);
});

it('takes the id of another browser out again', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await open(page);
  await hydrated(page, TAKEN);
  await page.getByRole('button', { name: `Split ${anonymous}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Creates a new person with this ID').waitFor();
  await dialog.getByRole('button', { name: 'Split' }).click();
  await page.getByText(`${anonymous} split off`).waitFor();
  await page.locator('ol li', { hasText: 'buscou_produto' }).waitFor({ state: 'detached' });
  expect(await page.locator('ol li', { hasText: 'pedido_concluido' }).count()).toBe(1);
  await page.getByRole('link', { name: 'View other person' }).click();
  await page.getByText('split from another person').waitFor();
  expect(await page.locator('ol li', { hasText: 'buscou_produto' }).count()).toBe(1);
  expect(await page.locator('main').textContent()).toContain('Anonymous');
  const [audit] = await database.query<{ action: string }>("select action from audit where action = 'data.split'");
  expect(audit).toBeDefined();
  expect(complaints).toEqual([]);
});
