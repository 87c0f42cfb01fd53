/** The explorer as a person uses it: looking, choosing, opening, taking along, describing; by keyboard, on a phone, for everybody. */
import { readFileSync } from 'node:fs';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { runLuneta } from './luneta.ts';
import { expectSound, hydrated, inBothThemes, looks, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const events = () => `${luneta.url}/project/2/events`;

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const at = Date.now() - 600_000;
  const batch = Array.from({ length: 120 }, (_, index) => ({
    event: index % 3 === 0 ? 'order' : '$pageview',
    distinct_id: `person ${index % 4}`,
    timestamp: new Date(at + index * 1000).toISOString(),
    properties: {
      ...{
        $current_url: `https://shop.example/${index % 2}`,
        $pathname: `/${index % 2}`,
        plan: index % 2 ? 'pro' : 'free',
      },
      ...(index === 0 ? { $set: { email: 'ana@shop.example' } } : {}),
    },
  }));
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch }),
  });
  expect(sent.status).toBe(200);
});

it('filters, pages, opens one and copies it', async () => {
  const { page, complaints } = await browser.newPage({
    locale: 'en',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.goto(`${luneta.url}/project/2/ingestion`);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Events' }).click();
  await page.getByText('120 events.').waitFor();
  expect(await page.locator('tbody tr').count()).toBe(50);

  await page.getByRole('button', { name: 'All events' }).click();
  await page.getByRole('link', { name: 'order', exact: true }).click();
  await page.getByText('40 events.').waitFor();
  expect(new URL(page.url()).searchParams.getAll('name')).toEqual(['order']);
  await page.goBack();
  await page.getByText('120 events.').waitFor();

  await page.getByRole('link', { name: 'Older events' }).click();
  await page.getByRole('link', { name: 'Newest' }).waitFor();
  await page.getByRole('link', { name: 'Older events' }).click();
  await page.getByRole('link', { name: 'Older events' }).waitFor({ state: 'detached' });
  expect(await page.locator('tbody tr').count()).toBe(20);
  await page.reload();
  expect(await page.locator('tbody tr').count()).toBe(20);

  await page.goto(`${events()}?filter=plan:equals:pro`);
  await page.getByText('60 events.').waitFor();
  const first = page.locator('tbody tr').first();
  await first.getByRole('link').first().click();
  await page.getByRole('tab', { name: /Properties/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('event')).toMatch(/^\d+_[0-9a-f-]{36}$/);
  await page.getByRole('button').filter({ hasText: 'Copy as JSON' }).click();
  await page.getByText('Copied').waitFor();
  const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
  expect(copied).toMatchObject({
    event: '$pageview',
    distinct_id: 'person 3',
    properties: { plan: 'pro', $pathname: '/1' },
  });
  const shared = page.url();
  await page.goto('about:blank');
  await page.goto(shared);
  await page.getByRole('tab', { name: /Properties/ }).waitFor();
  await page.getByRole('link', { name: 'Close event' }).click();
  await page.getByRole('tab', { name: /Properties/ }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

it('chooses columns, and takes along what it shows', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(`${events()}?filter=plan:equals:pro&name=order`);
  await page.getByText('20 events.').waitFor();
  await page.getByRole('button', { name: 'Edit columns' }).click();
  await page.getByRole('combobox', { name: 'Add property column' }).fill('plan');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('columnheader', { name: 'plan' }).waitFor();
  expect(new URL(page.url()).searchParams.getAll('column')).toContain('event.plan');

  await page.getByRole('button', { name: 'Export' }).click();
  const [table] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV (visible columns)' }).click(),
  ]);
  expect(table.suggestedFilename()).toBe('events.csv');
  const lines = readFileSync(await table.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines[0]).toBe('time,uuid,event,detail,person,country,plan');
  expect(lines).toHaveLength(21);
  expect(lines.slice(1).every((line) => line.endsWith(',pro'))).toBe(true);

  if (!(await page.getByRole('button', { name: 'NDJSON', exact: true }).isVisible())) {
    await page.getByRole('button', { name: 'Export' }).click();
  }
  await page.getByRole('button', { name: 'NDJSON', exact: true }).click();
  await page.waitForURL('**/events/exports');
  await page.getByText('Ready').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  const kept = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n');
  expect(kept.map((line) => JSON.parse(line).properties.plan)).toEqual(Array(20).fill('pro'));
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No exports yet').waitFor();
  expect(complaints).toEqual([]);
});

it('describes events and properties, by keyboard alone', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(`${events()}/definitions`);
  await page.getByText('Last seen is updated hourly.').waitFor();
  await page.getByRole('link', { name: 'Edit definition of order' }).waitFor();
  await hydrated(page, 'main table');
  await page.getByRole('link', { name: 'Edit definition of order' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Description' }).waitFor();
  await page.getByRole('textbox', { name: 'Description' }).focus();
  await page.keyboard.type('Somebody paid.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Save changes' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  const row = page.locator('tbody tr').filter({ hasText: 'order' }).first();
  expect(await row.textContent()).toContain('Verified');
  expect(await row.textContent()).toContain('Somebody paid.');

  await page.goto(`${events()}/definitions?kind=property&open=plan`);
  await hydrated(page, 'main table');
  expect(await page.locator('tbody tr').filter({ hasText: 'plan' }).first().textContent()).toContain('120');
  await page.getByLabel('Hidden').check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByPlaceholder('Search by name or description').fill('pathn');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Edit definition of plan' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Edit definition of $pathname' }).waitFor();
  expect(complaints).toEqual([]);
});

it('works as links, without scripts', async () => {
  const { page } = await browser.newPage({ locale: 'en', javaScriptEnabled: false });
  await page.goto(`${events()}?name=order`);
  await settled(page);
  await page.locator('tbody tr').first().waitFor();
  expect(await page.locator('tbody tr').count()).toBe(40);
  await page.locator('tbody tr').first().getByRole('link').first().click();
  await page.getByRole('tab', { name: /Properties/ }).waitFor();
  await settled(page);
  const rows = () => page.locator('tbody').textContent();
  await page.goto(`${events()}?column=event&column=id`);
  await settled(page);
  const newest = await rows();
  await page.getByRole('link', { name: 'Older events' }).click();
  await page.getByRole('link', { name: 'Newer events' }).waitFor();
  await settled(page);
  const older = await rows();
  await page.getByRole('link', { name: 'Older events' }).click();
  await page.getByRole('link', { name: 'Older events' }).waitFor({ state: 'detached' });
  await settled(page);
  await page.getByRole('link', { name: 'Newer events' }).click();
  await page.getByRole('link', { name: 'Older events' }).waitFor();
  await settled(page);
  expect(await rows()).toEqual(older);
  await page.getByRole('link', { name: 'Newer events' }).click();
  await page.getByRole('link', { name: 'Newer events' }).waitFor({ state: 'detached' });
  await settled(page);
  expect(await rows()).toEqual(newest);
  expect(new URL(page.url()).searchParams.getAll('column')).toEqual(['event', 'id']);
  await page.goto(`${events()}/definitions`);
  await page.getByRole('link', { name: 'Edit definition of order' }).waitFor();
  await database.query(
    `insert into property_names (project_id, name, value_type, first_seen, last_seen)
     select 2, 'extra ' || n, 'number', '2026-02-01', '2026-03-01' from generate_series(1, 150) n`,
  );
  await page.goto(`${events()}/definitions?kind=property&sort=name`);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByText(/^101–/).waitFor();
  await page.getByRole('link', { name: 'Previous page' }).waitFor();
  await page.getByPlaceholder('Search by name or description').fill('extra 149');
  await page.keyboard.press('Enter');
  await page.getByText('1–1 of 1').waitFor();
  const { searchParams } = new URL(page.url());
  // A page that came late asks for itself once more, whole.
  searchParams.delete('wait');
  expect(String(searchParams)).toBe('kind=property&sort=name&search=extra+149');
});

it.each(looks)('can be read by everybody: $locale', async (look) => {
  const { page, complaints } = await browser.keptPage({ locale: look.locale });
  const screens = [
    '?name=order&filter=plan:equals:pro',
    '/definitions?open=order',
    '/definitions?kind=property',
    '/exports',
  ];
  for (const address of screens.map((each) => events() + each)) {
    await page.goto(address);
    await page.locator('main table:visible, main p:visible').first().waitFor();
    if (address.includes('?name')) {
      await page.locator('tbody tr').first().getByRole('link').first().click();
      await page.getByRole('tab').first().waitFor();
    }
    await inBothThemes(page, look, (name) => expectSound(page, `${address}, ${name}`));
  }
  expect(complaints).toEqual([]);
});
