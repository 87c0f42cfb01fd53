/** Live with filters and places, and how a number is counted: by hand, on a phone, without JavaScript, for everybody. */
import type { Page } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const live = () => `${luneta.url}/project/2/live`;
const overview = () => `${luneta.url}/project/2/overview`;

interface Sent {
  event?: string;
  path: string;
  person: string;
  referrer?: string;
  /** What is sent twice with it is stored once. */
  uuid?: string;
}

async function send(...events: Sent[]): Promise<void> {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const at = Date.now() - 1000;
  const batch = events.map(({ event = '$pageview', path, person, referrer = '$direct', uuid }, place) => ({
    event,
    uuid,
    distinct_id: person,
    timestamp: new Date(at + place).toISOString(),
    properties: {
      $current_url: `https://shop.example${path}`,
      $pathname: path,
      $referring_domain: referrer,
      $session_entry_referring_domain: referrer,
    },
  }));
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch }),
  });
  expect(sent.status).toBe(200);
}

beforeAll(() =>
  send(
    { path: '/', person: 'a' },
    { path: '/offer', person: 'a' },
    { path: '/offer', person: 'b', referrer: 'wa.me' },
    { event: 'order', path: '/offer', person: 'b', referrer: 'wa.me' },
  ),
);

/** Visitors during a test; also for counts of later tests, whether that test ran or not. */
const later: Sent[] = [
  { path: '/', person: 'c', uuid: '0199aaaa-0000-7000-8000-000000000001' },
  { event: 'order', path: '/cart', person: 'c', uuid: '0199aaaa-0000-7000-8000-000000000002' },
];

const rows = (page: Page) => page.getByRole('list', { name: 'Event stream' }).getByRole('listitem');

it('filters the stream on the server: by typing, by a page that people are on, from the address', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(live());
  await rows(page).nth(3).waitFor();
  const pages = page.getByRole('table', { name: 'Current pages' });
  expect(await pages.getByRole('row').allInnerTexts()).toEqual([
    expect.stringContaining('Current pages'),
    expect.stringMatching(/^\/offer\s+2$/),
  ]);
  expect(await page.getByRole('table', { name: 'Current sources' }).getByRole('row').count()).toBe(3);
  await expectSound(page, page.url(), { rules: { region: { enabled: false } } });

  await hydrated(page, '[data-hotkey=f]');
  await page.keyboard.press('f');
  await page.getByLabel('Event equals', { exact: true }).fill('order');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Remove filter' }).waitFor();
  expect(await rows(page).count()).toBe(1);
  expect(new URL(page.url()).searchParams.getAll('name')).toEqual(['order']);
  // The keyboard goes on where it was.
  expect(await page.evaluate('document.activeElement.dataset.hotkey')).toBe('f');

  await send(...later);
  await rows(page).nth(1).waitFor();
  await pages.getByText('/cart').waitFor();
  expect(await rows(page).count()).toBe(2);

  await page.getByRole('link', { name: 'Remove filter' }).click();
  await rows(page).nth(5).waitFor();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/trpc/events.live?*', async (route) => {
    await held;
    await route.continue();
  });
  await pages.getByRole('button', { name: '/offer' }).press('Enter');
  await page.locator('main [aria-busy="true"]').waitFor();
  expect(await rows(page).count()).toBe(6);
  release();
  await page.getByRole('link', { name: 'Remove filter' }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('/offer');
  expect(new URL(page.url()).searchParams.get('page')).toBe('/offer');
  await page.reload();
  await rows(page).nth(2).waitFor();
  expect(await rows(page).count()).toBe(3);
  expect(complaints).toEqual([]);
});

it('keeps the server’s markup until its code has loaded, also when events arrive before', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'en' });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/explain-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${live()}?name=ping&explain=now`);
  await hydrated(page, '[data-hotkey=p]');
  const panel = 'main dialog';
  await page.evaluate(`document.querySelector('${panel}').mark = 'drawn by the server'`);
  await send({ event: 'ping', path: '/', person: 'a', uuid: '0199aaaa-0000-7000-8000-000000000003' });
  await rows(page).nth(0).waitFor();
  release();
  await hydrated(page, `${panel} a`);
  expect(await page.evaluate(`document.querySelector('${panel}').mark`)).toBe('drawn by the server');
  expect(complaints).toEqual([]);
});

describe('once all have come', () => {
  beforeAll(() =>
    send(...later, { event: 'ping', path: '/', person: 'a', uuid: '0199aaaa-0000-7000-8000-000000000003' }),
  );

  it('explains a figure and a table, with SQL that gives the number', async () => {
    const { page, complaints } = await browser.newPage({ locale: 'en', viewport: { width: 1440, height: 900 } });
    await page.goto(overview());
    await page.getByRole('link', { name: 'How it’s calculated: Visitors' }).click();
    const panel = page.getByRole('region', { name: 'Visitors', exact: true });
    await panel.getByText('Unique people with at least one page view').waitFor();
    expect(new URL(page.url()).searchParams.get('explain')).toBe('visitors');
    const [row] = await database.query<{ value: string }>((await panel.locator('pre').textContent()) ?? '');
    expect(Number(row?.value)).toBe(3);
    await expectSound(page, page.url(), { rules: { region: { enabled: false } } });

    await page.getByRole('link', { name: 'How it’s calculated: Pages' }).click();
    const table = page.getByRole('region', { name: 'Pages', exact: true }).last();
    await table.getByText('Page views and screens by path').waitFor();
    const counted = await database.query<{ value: string; count: string }>(
      (await table.locator('pre').textContent()) ?? '',
    );
    expect(counted.map(({ value, count }) => [value, Number(count)])).toEqual([
      ['/', 2],
      ['/offer', 2],
    ]);
    await page.goBack();
    await panel.waitFor();
    await page.getByRole('dialog', { name: 'Visitors' }).getByRole('link', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    // Beside the page: the focus goes in, and Esc gives it back to what opened it.
    await page.getByRole('link', { name: 'How it’s calculated: Visitors' }).press('Enter');
    await panel.waitFor();
    await eventually('the focus is in it', async () => page.evaluate(`document.activeElement.tagName === 'DIALOG'`));
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'How it’s calculated: Visitors',
    );
    expect(complaints).toEqual([]);
  });

  it.each([
    ['live', 'Live', 'now', { people: 3 }],
    ['ingestion', 'Ingestion', 'numbers', { outcome: 'stored', events: 7 }],
    ['persons', 'Number of people', 'numbers', { people: 3 }],
    ['events/definitions', 'Definitions', 'numbers', { name: '$pageview', events: 4 }],
    ['events', 'Number of events', 'numbers', { events: 7 }],
    ['settings', 'Stored events', 'numbers', { events: 7 }],
    ['/', 'Visitors and people online', 'numbers', { project: 2, visitors: 3 }],
    ['/status', 'Status', 'numbers', {}],
  ])('explains the numbers of %s, with SQL that gives them', async (path, name, explain, first) => {
    const { page, complaints } = await browser.keptPage({ locale: 'en', viewport: { width: 390, height: 844 } });
    await page.goto(`${luneta.url}${path.startsWith('/') ? path : `/project/2/${path}`}`);
    await page.getByRole('link', { name: `How it’s calculated: ${name}` }).click();
    const panel = page.getByRole('region', { name, exact: true });
    await panel.locator('pre').first().waitFor();
    expect(new URL(page.url()).searchParams.get('explain')).toBe(explain);
    const rows = await database.query<Record<string, string>>((await panel.locator('pre').first().textContent()) ?? '');
    const values = rows.map((row) =>
      Object.fromEntries(
        Object.entries(first).map(([column, value]) => [
          column,
          typeof value === 'number' ? Number(row[column]) : row[column],
        ]),
      ),
    );
    // Home tells of Luneta's own project as well.
    expect(path === '/' ? values : [values[0]]).toContainEqual(first);
    await expectSound(page, page.url(), { rules: { region: { enabled: false } } });
    await page.getByRole('dialog', { name }).getByRole('link', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('works on a phone, in Portuguese, in the dark', async () => {
    const { page, complaints } = await browser.newPage({
      locale: 'pt-BR',
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.goto(`${live()}?not=%24autocapture&country=BR&who=anonymous`);
    await page.getByText('Nenhum evento recente corresponde aos filtros').waitFor();
    await expectSound(page, page.url(), { rules: { region: { enabled: false } } });
    await page.getByRole('link', { name: 'Remover filtro' }).nth(1).click();
    await page.waitForURL((url) => !url.searchParams.has('country'));
    await page.goto(`${overview()}?explain=bounceRate&metric=bounceRate`);
    await page.getByText('Visitas com uma única visualização de página ou tela, sem interação').waitFor();
    await expectSound(page, page.url(), { rules: { region: { enabled: false } } });
    expect(complaints).toEqual([]);
  });

  it('shows the same without JavaScript', async () => {
    const { page } = await browser.newPage({ locale: 'en', javaScriptEnabled: false });
    await page.goto(`${live()}?name=order`);
    await settled(page);
    await rows(page).nth(1).waitFor();
    expect(await rows(page).count()).toBe(2);
    await page.goto(`${overview()}?explain=visitors`);
    await settled(page);
    await page.getByText('Unique people with at least one page view').waitFor();
    expect(await page.locator('pre').textContent()).toContain('count(distinct');
  });
});
