/** Keys and privacy under hands: a key is made, used and revoked; somebody is found, handed out and erased; both screens for everybody. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { runLuneta } from './luneta.ts';
import { expectSound, hydrated, inBothThemes, looks } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const privacy = () => `${luneta.url}/project/2/privacy`;

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const batch = ['ana', 'ana', 'bia'].map((id) => ({
    event: '$pageview',
    distinct_id: id,
    properties: { $current_url: 'https://shop.example/', $set: { email: `${id}@shop.example` } },
  }));
  const body = JSON.stringify({ api_key: row?.token, batch });
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(sent.status).toBe(200);
});

it('makes a key that works, shows it once, and ends it', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'en' });
  await page.goto(`${luneta.url}/account`);
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('No API keys yet').waitFor();
  await hydrated(page, 'main form');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText('Enter a name.').waitFor();
  expect(await page.evaluate<string>('document.activeElement.name')).toBe('name');
  await page.keyboard.type('Weekly spreadsheet');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Copy your API key' }).waitFor();
  const shown = (await page.textContent('main')) ?? '';
  const key = /lnk_[0-9A-Za-z]{40}/.exec(shown)?.[0] ?? '';
  // What it suggests to try is something that this key may.
  const example = /http:[^\s']+\/api\/v1\/[^\s']+/.exec(shown)?.[0] ?? '';
  const ask = () => fetch(example, { headers: { Authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);
  await page.reload();
  await page.getByText('Weekly spreadsheet lnk_').waitFor();
  expect(await page.content()).not.toContain(key);
  await page.getByRole('button', { name: 'Revoke API key Weekly spreadsheet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No API keys yet').waitFor();
  expect((await ask()).status).toBe(401);
  expect(complaints).toEqual([]);
});

it('finds somebody, hands out what is known and erases it', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'en' });
  await page.goto(privacy());
  await hydrated(page, 'main form');
  await find(page, 'nobody@shop.example');
  await page.getByText('No matching person').waitFor();
  await find(page, 'ANA@shop.example');
  await page.getByRole('button', { name: 'Export all data' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export all data' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('person.ndjson');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['person', 'event', 'event']);
  await page.getByText('2 events · 1 person · 1 id').waitFor();
  await page.getByRole('button', { name: 'Erase ana@shop.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByText('Erasure started').waitFor();
  for (let tries = 0; ; tries++) {
    const events = await database.query('select 1 from events where project_id = 2');
    if (events.length === 1) break;
    expect(tries).toBeLessThan(300);
    await page.waitForTimeout(1_000);
  }
  await find(page, 'ana');
  await page.getByText('No matching person').waitFor();
  await page.getByText('2 matching receipts below.').waitFor();
  expect(complaints).toEqual([]);
});

it.each(looks)('can be read by everybody: $locale', async (look) => {
  const { page } = await browser.newPage({ locale: look.locale });
  for (const address of [privacy(), `${luneta.url}/account/keys`]) {
    await page.goto(address);
    await page.locator('main form').first().waitFor();
    await hydrated(page, 'main form');
    if (address === privacy()) {
      await page.locator('input[name=search]').fill('bia');
      await page.keyboard.press('Enter');
      await page.getByText('bia@shop.example').first().waitFor();
    } else await page.locator('select[name=projects]').selectOption('some');
    await inBothThemes(page, look, async (name) => {
      await expectSound(page, `${address}, ${name}`);
      const folder = process.env['LOOKS'];
      const file = `${folder}/${address.split('/').at(-1)}-${look.locale}-${name}.png`;
      if (folder) await page.screenshot({ path: file, fullPage: true });
    });
  }
});

async function find(page: Page, search: string): Promise<void> {
  await page.getByLabel('Email or distinct ID').fill(search);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
}
