/** The cards of the Overview under hands: tabs, rows that filter, tables in full and their files; by pointer, by keys, and without JavaScript. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const overview = (search = '') => `${luneta.url}/project/2/overview${search}`;

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const now = Date.now();
  const batch = Array.from({ length: 12 }, (_, at) => {
    const start = now - 3_600_000 + at * 60_000;
    const isHere = at < 8;
    const common = {
      ...{ distinct_id: `visitor ${at}`, $session_id: uuidV7(start), $lib: 'web', $host: 'shop.example' },
      ...{
        $geoip_country_code: isHere ? 'BR' : 'PT',
        $browser: isHere ? 'Chrome' : 'Firefox',
        $device_type: 'Desktop',
      },
      ...(isHere && { $geoip_subdivision_1_code: 'SP', $geoip_subdivision_1_name: 'São Paulo' }),
      ...{ $browser_language: isHere ? 'pt-BR' : 'pt-PT', $referrer: isHere ? 'https://www.google.com/' : '$direct' },
      ...(at === 0 ? { utm_source: 'News', utm_campaign: 'Colheita' } : {}),
      $raw_user_agent:
        'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    };
    const page = (path: string, after: number) => ({
      event: '$pageview',
      timestamp: new Date(start + after).toISOString(),
      properties: { ...common, $current_url: `https://shop.example${path}`, $pathname: path },
    });
    const click = {
      event: '$autocapture',
      timestamp: new Date(start + 500).toISOString(),
      properties: { ...common, $event_type: 'click', $external_click_url: 'https://wa.me/55' },
    };
    return [page('/', 0), click, ...Array.from({ length: at }, (__, nth) => page(`/p/${nth}`, 1000 * (nth + 1)))];
  }).flat();
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch, sent_at: new Date(now).toISOString() }),
  });
  expect(sent.status).toBe(200);
});

const desktop = { locale: 'en', viewport: { width: 1440, height: 900 } };
const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };

/** Opens it, and waits until the cards are taken over. */
async function open(address: string, options: Parameters<typeof browser.newPage>[0] = desktop) {
  const watched = await browser.keptPage(options);
  await watched.page.goto(address);
  await hydrated(watched.page, '[aria-labelledby^=card-] table, main input[type=search]');
  return watched;
}

const card = (page: Page, name: string) =>
  page.locator('section', { has: page.getByRole('heading', { name, level: 2 }) });

/** Waits until these are the rows of the table, by their text. */
async function expectRows(page: Page, within: Locator, wanted: string[]): Promise<void> {
  const rows = within.locator('tbody th');
  // While one page gives way to another there are none.
  // Without what only readers hear of a row.
  const text = () =>
    rows
      .evaluateAll((cells) =>
        cells
          .map((cell) => {
            const hidden = [...cell.querySelectorAll('.visually-hidden')].map(({ textContent }) => textContent ?? '');
            return hidden.reduce((left, each) => left.replace(each, ''), cell.textContent ?? '');
          })
          .join('|'),
      )
      .catch(() => '');
  await eventually(wanted.join('|'), async () => (await text()) === wanted.join('|')).catch(async (error) => {
    throw new Error(`${error.message}, but ${await text()} at ${page.url()}`);
  });
}

it('shows another table by its tab, and the address keeps it', async () => {
  const { page, complaints, requests } = await open(overview());
  await expectRows(page, card(page, 'Sources'), ['Google', 'Direct / none', 'news']);
  requests.length = 0;
  await page.getByRole('navigation', { name: 'Locations' }).getByRole('link', { name: 'Languages' }).click();
  await card(page, 'Languages').waitFor();
  await expectRows(page, card(page, 'Languages'), ['pt-BR Brazilian Portuguese', 'pt-PT European Portuguese']);
  expect(page.url()).toBe(overview('?places=language'));
  // Only what the tab shows was asked for.
  const asked = requests.filter((request) => request.includes('/api/trpc/')).join('\n');
  expect(asked).toContain('language');
  expect(asked).not.toContain('source');
  await page.getByRole('navigation', { name: 'Sources' }).getByRole('link', { name: 'Campaigns' }).click();
  await card(page, 'Campaigns').waitFor();
  await expectRows(page, card(page, 'Campaigns'), ['colheita', '(none)']);
  await page.getByRole('link', { name: 'UTM source', exact: true }).click();
  await expectRows(page, card(page, 'UTM sources'), ['news', '(none)']);
  expect(page.url()).toBe(overview('?sources=utmSource&places=language'));
  await page.goBack();
  await card(page, 'Campaigns').waitFor();
  await page.goBack();
  await card(page, 'Sources').waitFor();
  await page.goBack();
  await card(page, 'Countries').waitFor();
  expect(page.url()).toBe(overview());
  await page.goForward();
  await page.reload();
  await expectRows(page, card(page, 'Languages'), ['pt-BR Brazilian Portuguese', 'pt-PT European Portuguese']);
  expect(complaints).toEqual([]);
});

it('draws the states of Brazil, each a filter', async () => {
  const { page, complaints } = await open(overview('?places=region'));
  await expectRows(page, card(page, 'Regions'), ['São Paulo, SP', '(unknown)']);
  const map = page.getByRole('application', { name: 'Visits by Brazilian state (map)' });
  await card(page, 'Regions').getByRole('table').scrollIntoViewIfNeeded();
  await map.waitFor();
  await map.locator('[data-code="BR-SP"]').hover();
  await map.getByText('São Paulo: 8 visits, 66.7%').waitFor();
  await map.locator('[data-code="BR-SP"]').click();
  await page.waitForURL((url) => url.searchParams.get('filter') === 'region:equals:São Paulo, BR-SP');
  await expectRows(page, card(page, 'Regions'), ['São Paulo, SP']);
  expect(complaints).toEqual([]);
});

it('filters by a row, with another of the same table beside it, and takes it away again', async () => {
  const { page, complaints } = await open(overview());
  const portugal = card(page, 'Countries').getByRole('button', { name: 'Portugal' });
  await portugal.click();
  await page.waitForURL(overview('?filter=country:equals:PT'));
  await card(page, 'Countries').locator('[aria-pressed="true"]', { hasText: 'Portugal' }).waitFor();
  await expectRows(page, card(page, 'Sources'), ['Direct / none']);
  await page.getByRole('list', { name: 'Active filters' }).getByText('Portugal').waitFor();
  await page.locator('main li', { hasText: /^Visits\s*4/ }).waitFor();
  const shared = await open(page.url());
  await expectRows(shared.page, card(shared.page, 'Sources'), ['Direct / none']);
  await portugal.focus();
  await page.keyboard.press('Space');
  await page.waitForURL(overview());
  await card(page, 'Sources').getByText('Google', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

it('shows a table in full: sorted, searched, as a file, and back', async () => {
  const { page, complaints } = await open(overview('?pages=page'));
  await card(page, 'Pages').getByRole('link', { name: 'Details' }).click();
  await page.getByRole('heading', { name: 'Pages', level: 1 }).waitFor();
  const first = page.locator('tbody th').first();
  await first.getByText('/', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Sort by Exit rate' }).click();
  await page.locator('th[aria-sort=descending]', { hasText: 'Exit rate' }).waitFor();
  await first.getByText('/p/10', { exact: true }).waitFor();
  // A second click turns it round.
  await page.getByRole('link', { name: 'Sort by Exit rate' }).click();
  await page.locator('th[aria-sort=ascending]', { hasText: 'Exit rate' }).waitFor();
  await first.getByText('/', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Sort by Exit rate' }).click();
  await first.getByText('/p/10', { exact: true }).waitFor();
  expect(await page.locator('tbody tr').first().locator('[title]').last().getAttribute('title')).toBe('1 of 1');
  await page.getByRole('searchbox').fill('p/1');
  await page.waitForURL(/find=p%2F1|find=p\/1/);
  await expectRows(page, page.locator('main'), ['/p/10', '/p/1']);
  await page.getByText('2 rows').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(file.suggestedFilename()).toMatch(/^page-[\d-]+\.csv$/);
  expect(lines.map((line) => line.split(',')[0])).toEqual(['page', '/p/10', '/p/1']);
  await page.reload();
  await expectRows(page, page.locator('main'), ['/p/10', '/p/1']);
  await page.getByRole('link', { name: 'Overview' }).last().click();
  await card(page, 'Pages').waitFor();
  expect(page.url()).toBe(overview());
  expect(complaints).toEqual([]);
});

it('is worked by keys alone', async () => {
  const { page } = await open(overview());
  await card(page, 'Devices').getByRole('link', { name: 'Devices', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Browsers');
  await page.keyboard.press('Enter');
  await expectRows(page, card(page, 'Browsers'), ['Chrome', 'Firefox']);
  await page.keyboard.press('End');
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Screen sizes');
  await page.keyboard.press('Tab');
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Chrome');
  await page.keyboard.press('Enter');
  await page.waitForURL(overview('?tech=browser&filter=browser:equals:Chrome'));
});

it.each([
  ['on a desk', desktop, ''],
  ['on a phone, dark, in Portuguese', phone, ''],
  [
    'on a phone, every other tab',
    phone,
    '?pages=outbound&sources=utmSource&places=language&tech=viewportWidth&filter=country:equals:BR',
  ],
  ['on a phone, a table in full', phone, '?details=channel'],
])('is accessible and fits, %s', async (_, options, search) => {
  const { page, complaints } = await open(overview(search), options);
  await expectSound(page);
  expect(complaints).toEqual([]);
});

it('shows tables, tabs and filters without JavaScript', async () => {
  const { page } = await browser.newPage({ ...desktop, javaScriptEnabled: false });
  // A page that takes long comes once more, whole.
  const expectAddress = (wanted: string) =>
    eventually(wanted, async () => page.url().replace(/[?&]wait=1/, '') === wanted);
  await page.goto(overview());
  await settled(page);
  await page.getByRole('link', { name: 'Outbound links' }).click();
  await expectRows(page, card(page, 'Outbound links'), ['wa.me/55']);
  await settled(page);
  await card(page, 'Countries').getByRole('button', { name: 'Portugal' }).click();
  await expectAddress(overview('?pages=outbound&filter=country:equals:PT'));
  await card(page, 'Outbound links').getByRole('cell', { name: '4', exact: true }).waitFor();
  await settled(page);
  await card(page, 'Outbound links').getByRole('link', { name: 'Details' }).click();
  await page.getByRole('heading', { name: 'Outbound links', level: 1 }).waitFor();
  await settled(page);
  const file = page.getByRole('link', { name: 'CSV' });
  await file.waitFor();
  expect(await file.getAttribute('href')).toBe(
    '/project/2/overview/table.csv?details=outbound&pages=outbound&filter=country:equals:PT',
  );
});

it('links the figures of the chart as a file once, at any width', async () => {
  const { page, complaints } = await open(overview('?metric=views&view=table'));
  const href = '/project/2/overview/figures.csv?metric=views&view=table';
  const file = page.getByRole('link', { name: 'Download chart data as CSV' });
  const below = page.getByRole('link', { name: 'CSV: Page views' });
  expect(await file.getAttribute('href')).toBe(href);
  expect(await below.count()).toBe(0);
  const [download] = await Promise.all([page.waitForEvent('download'), file.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/^views-[\d-]+\.csv$/);
  await page.setViewportSize({ width: 390, height: 844 });
  await below.waitFor();
  expect(await below.getAttribute('href')).toBe(href);
  expect(await file.count()).toBe(0);
  // The account says how tables are written.
  await page.goto(`${luneta.url}/account`);
  const format = page.getByRole('combobox', { name: 'Table downloads' });
  await format.selectOption({ label: 'Excel workbook (XLSX)' });
  await expectSound(page);
  await page.getByRole('button', { name: 'Save changes' }).press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/account-tables-phone.png`, fullPage: true });
  await page.goto(overview('?metric=views&view=table'));
  const workbook = page.getByRole('link', { name: 'XLSX: Page views' });
  await workbook.waitFor();
  const [saved] = await Promise.all([page.waitForEvent('download'), workbook.press('Enter')]);
  expect(saved.suggestedFilename()).toMatch(/^views-[\d-]+\.xlsx$/);
  await database.query('update users set table_format = null');
  expect(complaints).toEqual([]);
});

it('tells pages of several hosts apart, and filters by both', async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const start = Date.now() - 20 * 86_400_000;
  const views = ['shop.example', 'shop.example', 'help.shop.example'].map((host, at) => ({
    ...{ event: '$pageview', timestamp: new Date(start + at).toISOString() },
    properties: {
      ...{ distinct_id: `of ${at}`, $session_id: uuidV7(start + at), $lib: 'web', $host: host },
      ...{ $current_url: `https://${host}/start`, $pathname: '/start' },
      $raw_user_agent: 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0',
    },
  }));
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch: views, sent_at: new Date().toISOString() }),
  });
  expect(sent.status).toBe(200);
  const [from, to] = [start - 86_400_000, start + 86_400_000].map((ms) => new Date(ms).toISOString().slice(0, 10));
  const range = `?from=${from}&to=${to}`;
  const { page, complaints } = await open(overview(`${range}&pages=page`));
  await expectRows(page, card(page, 'Pages'), ['shop.example/start', 'help.shop.example/start']);
  await card(page, 'Pages').getByRole('button', { name: 'help.shop.example/start' }).click();
  await page.waitForURL(/filter=host:equals:help.shop.example&filter=page:equals:\/start/);
  await expectRows(page, card(page, 'Pages'), ['/start']);
  await page.locator('main li', { hasText: /^Visits\s*1/ }).waitFor();
  await page.goto(overview(`${range}&pages=entryPage`));
  await hydrated(page, '[aria-labelledby^=card-] table');
  await card(page, 'Entry pages').getByRole('button', { name: 'help.shop.example/start' }).click();
  await page.waitForURL(/filter=entryHost:equals:help.shop.example&filter=entryPath:equals:(%2F|\/)start/);
  await page.getByRole('list', { name: 'Active filters' }).getByText('Entry host').waitFor();
  expect(complaints).toEqual([]);
  const small = await open(overview(`${range}&pages=page`), phone);
  await expectSound(small.page);
  await small.page.goto(overview(`${range}&details=page`));
  await expectSound(small.page);
  expect(small.complaints).toEqual([]);
});
