/** What else the Overview tells: ratios and what they were divided from, other dates to compare with, the hours of the week, web vitals, the map. */
import type { Page } from 'playwright-core';
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const overview = (search = '') => `${luneta.url}/project/2/overview${search}`;

const HOUR = 3_600_000;
/** Five past an hour that is over, on the clock of São Paulo. */
const start = Math.floor(Date.now() / HOUR) * HOUR - 2 * HOUR + 5 * 60_000;
const local = new Date(start - 3 * HOUR);
const [weekday, hour] = [local.getUTCDay(), local.getUTCHours()];

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const batch = Array.from({ length: 4 }, (_, at) => {
    const session = uuidV7(start + at * 60_000);
    const event = (name: string, after: number, more: object = {}) => ({
      event: name,
      timestamp: new Date(start + at * 60_000 + after).toISOString(),
      properties: {
        ...{ distinct_id: `visitor ${at}`, $session_id: session, $lib: 'web', $host: 'shop.example', $pathname: '/' },
        ...{ $current_url: 'https://shop.example/', $geoip_country_code: at === 0 ? 'PT' : 'BR' },
        $raw_user_agent:
          'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
        ...more,
      },
    });
    return [
      event('$pageview', 0),
      event('$pageview', 10_000, { $pathname: '/p' }),
      ...Array.from({ length: 3 }, (__, nth) =>
        event('$web_vitals', 11_000 + nth, { $web_vitals_LCP_value: 2_400 + nth, $web_vitals_INP_value: 600 }),
      ),
    ];
  }).flat();
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch, sent_at: new Date().toISOString() }),
  });
  expect(sent.status).toBe(200);
});

const desktop = { locale: 'en', viewport: { width: 1440, height: 900 } };
const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };

/** Opens it, and waits until all of it is taken over. */
async function open(search = '', options: Parameters<typeof browser.newPage>[0] = desktop) {
  const watched = await browser.keptPage(options);
  await watched.page.goto(overview(search));
  await eventually('the page is taken over', () =>
    watched.page.evaluate<boolean>(
      `['[role=grid]', 'main header, main nav', '[popover] a'].every((each) => Object.keys(document.querySelector(each) ?? { __react: 1 }).some((key) => key.startsWith('__react')))`,
    ),
  );
  return watched;
}

const map = (page: Page) => page.getByRole('application', { name: /^(Visits by country|Mapa)/ });

/** It loads when it becomes visible. */
async function comeToMap(page: Page): Promise<void> {
  await page.locator('.CountryMap_room').or(map(page)).first().scrollIntoViewIfNeeded();
  await map(page).waitFor();
}

it('draws views per visit when it is chosen, and says what it was divided from', async () => {
  const { page, complaints } = await open();
  const metric = page.getByRole('link', { name: /^Views per visit 2\.0/ });
  await metric.click();
  await page.waitForURL(overview('?metric=viewsPerVisit'));
  await page.getByRole('figure', { name: /^Views per visit/ }).waitFor();
  await metric.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await page.getByText('8 views of any page in 4 visits that started in the period').waitFor();
  await page.getByRole('link', { name: /^Visit duration/ }).hover();
  await page.getByText('44s ÷ Visits 4; median 11s').waitFor();
  expect(complaints).toEqual([]);
});

it('compares with other dates, which the address keeps and both legends say', async () => {
  const { page, complaints } = await open('?range=yesterday');
  await page.getByRole('button', { name: 'Previous period' }).click();
  const form = page.getByRole('group', { name: 'Compare' });
  await form.locator('td[tabindex="0"]').focus();
  // The later date first: they are put in order.
  const last = form.locator('[data-date="2026-01-31"]');
  while ((await last.count()) === 0) await page.keyboard.press('PageUp');
  await last.click();
  await form.getByText('Select the other date').waitFor();
  await form.locator('[data-date="2026-01-01"]').click();
  await form.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?compareFrom=2026-01-01&compareTo=2026-01-31&range=yesterday'));
  await page.getByRole('button', { name: /^vs. 1.–.31.Jan/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: /^vs. 1.–.31.Jan/ }).click();
  await page.getByRole('link', { name: 'Year over year (match weekday)' }).click();
  await page.waitForURL(overview('?range=yesterday&compare=weekday'));
  await page.goBack();
  await page.waitForURL(overview('?compareFrom=2026-01-01&compareTo=2026-01-31&range=yesterday'));
  expect(complaints).toEqual([]);
});

it('reads the hours of the week out, under the pointer and by arrow keys', async () => {
  const { page, complaints } = await open('?range=last_7_days');
  const days = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
  const clock = (at: number) => `${String(at % 24).padStart(2, '0')}:00`;
  const wanted = `${days[weekday]}, ${clock(hour)}–${clock(hour + 1)}: 4 visitors, 8 page views, over 1 day`;
  await page.locator(`[data-cell="${weekday} ${hour}"]`).hover();
  await page.getByText(wanted).waitFor();
  await page.getByRole('heading', { name: 'Weekly heatmap' }).hover();
  await page.getByRole('grid').locator('td[tabindex="0"]').focus();
  // The first cell is that of the first weekday at midnight: down and to the right from there.
  const first = await page.evaluate<string>('document.activeElement.dataset.cell');
  for (let at = 0; at < (weekday - Number(first.split(' ')[0]) + 7) % 7; at++) await page.keyboard.press('ArrowDown');
  for (let at = 0; at < hour; at++) await page.keyboard.press('ArrowRight');
  await page.getByText(wanted).waitFor();
  expect(complaints).toEqual([]);
});

it('tells the vitals over all and by page, and nothing where nothing was measured', async () => {
  const { page, complaints } = await open();
  await page.getByRole('link', { name: /LCP.* 2\.4.s Good 100%/ }).waitFor();
  await page.getByRole('link', { name: /INP.* 600.ms Poor 0%/ }).click();
  await page.waitForURL(overview('?vital=INP'));
  const table = page.getByRole('table', { name: 'Web Vitals: Interaction to Next Paint (INP)' });
  await table.getByText('600\u00a0ms').waitFor();
  expect(await table.locator('tbody tr').first().locator('td').allTextContents()).toEqual(['600\u00a0ms', '0%', '12']);
  const percentiles = page.getByRole('group', { name: 'Percentile' });
  await percentiles.getByRole('link', { name: 'p99' }).click();
  await table.getByText('99th percentile (p99)').waitFor();
  expect(page.url()).toBe(overview('?vital=INP&percentile=99'));
  await percentiles.getByRole('link', { name: 'p75' }).click();
  await table.getByText('75th percentile (p75)').waitFor();
  await page.getByRole('link', { name: /^Details\s?: Web Vitals/ }).click();
  await page.getByRole('heading', { name: 'Web Vitals', level: 1 }).waitFor();
  expect(page.url()).toBe(overview('?vital=INP&details=vitals'));
  await page.getByRole('link', { name: 'Sort by 75th percentile' }).click();
  await page.locator('th[aria-sort=descending]', { hasText: '75th percentile (p75)' }).waitFor();
  await page.getByRole('searchbox').fill('nowhere');
  await page.getByText('No results for “nowhere”').waitFor();
  await page.getByRole('searchbox').fill('');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^vitals-[\d-]+\.csv$/);
  await page.waitForURL(overview('?vital=INP&details=vitals&sort=percentile'));
  await page.getByRole('link', { name: /^LCP|Largest/ }).click();
  await page.getByRole('table', { name: 'Web Vitals: Largest Contentful Paint (LCP)' }).waitFor();
  // A row filters, there as on the Overview.
  await page.getByRole('table').getByRole('button', { name: '/', exact: true }).click();
  await page.waitForURL(overview('?details=vitals&sort=percentile&filter=page:equals:/'));
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Overview' }).click();
  await page.waitForURL(overview('?filter=page:equals:/'));
  await page
    .getByRole('table', { name: 'Web Vitals: Largest Contentful Paint (LCP)' })
    .locator('[aria-pressed=true]')
    .waitFor();
  const filtered = await open('?filter=page:equals:/p');
  await filtered.page.getByRole('grid').waitFor();
  expect(await filtered.page.getByRole('heading', { name: 'Web Vitals' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

it('filters by a country of the map, by pointer and by keys', async () => {
  const { page, complaints } = await open();
  await comeToMap(page);
  await page.locator('[data-code=BR]').hover();
  await page.getByText('Brazil: 3 visits, 75.0%').waitFor();
  await page.locator('[data-code=BR]').click();
  await page.waitForURL(overview('?filter=country:equals:BR'));
  await page.goBack();
  await page.waitForURL(overview());
  await comeToMap(page);
  await map(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.getByText('Portugal: 1 visit, 25.0%').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(overview('?filter=country:equals:PT'));
  expect(complaints).toEqual([]);
});

it.each([
  ['on a desk', desktop, ''],
  ['on a phone, dark, in Portuguese', phone, '?vital=CLS&compare=weekday'],
])('is accessible, fits, and stays where it is, %s', async (_, options, search) => {
  const { page, complaints } = await open(search, options);
  await comeToMap(page);
  await page.locator('[data-code=BR]').waitFor();
  await expectSound(page);
  expect(complaints).toEqual([]);
});

it('shows the hours and the vitals without JavaScript', async () => {
  const { page } = await browser.newPage({ ...desktop, javaScriptEnabled: false });
  await page.goto(overview());
  await settled(page);
  expect(await page.locator(`[data-cell="${weekday} ${hour}"]`).textContent()).toBe('4');
  await page.getByRole('link', { name: /INP/ }).click();
  expect(page.url().replace('&wait=1', '')).toBe(overview('?vital=INP'));
  expect(await page.locator('[data-code]').count()).toBe(0);
});
