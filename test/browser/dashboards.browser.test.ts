/** Dashboards under hands: made from a template, arranged by keyboard and pointer, asked for another range, read on a phone by a viewer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import type { Locator, Page } from 'playwright-core';
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, openWithoutCode, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const dashboards = () => `${luneta.url}/project/2/dashboards`;

/** Of two zones half a day apart, one in which the last hours were of today. */
function daytimeZone(now: number): string {
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(now));
  return hourIn('America/Sao_Paulo') >= 3 ? 'America/Sao_Paulo' : 'Asia/Tokyo';
}

beforeAll(async () => {
  const changed = await fetch(`${luneta.url}/api/trpc/projects.update`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: luneta.cookie, origin: luneta.url },
    body: JSON.stringify({ json: { project: '2', timeZone: daytimeZone(Date.now()) } }),
  });
  expect(changed.status).toBe(200);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const now = Date.now();
  const batch = Array.from({ length: 10 }, (_, at) => ({
    event: at % 3 === 0 ? 'order completed' : '$pageview',
    timestamp: new Date(now - 3_600_000 + at * 60_000).toISOString(),
    properties: {
      $raw_user_agent:
        'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      ...{ distinct_id: `visitor ${at % 4}`, $session_id: uuidV7(now - 3_600_000 + (at % 4) * 1000), $lib: 'web' },
      ...{ $current_url: 'https://shop.example/', $pathname: '/', $host: 'shop.example', $browser: 'Chrome' },
    },
  }));
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch, sent_at: new Date(now).toISOString() }),
  });
  expect(sent.status).toBe(200);
});

const tilesOf = (page: Page): Promise<string[]> =>
  page
    .locator('[data-tile]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')?.replace('Tile: ', '') ?? ''));

it('is made from a template, arranged by keyboard and by pointer, and saved as it stands', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en', viewport: { width: 1440, height: 900 } });
  await page.goto(dashboards());
  await hydrated(page, 'main button');
  await page.getByRole('button', { name: 'New dashboard' }).click();
  const dialog = page.getByRole('dialog', { name: 'New dashboard' });
  await dialog.getByLabel('Name').fill('Monday');
  await dialog.getByLabel(/Website traffic/).check();
  await expectSound(page);
  await dialog.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByRole('region', { name: 'Tile: Visitors' }).getByText('4', { exact: true }).waitFor();
  const address = page.url();
  await settled(page);
  await expectSound(page);

  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Move Visitors' }).focus();
  await page.keyboard.press('Space');
  await page
    .locator('[id^=DndLiveRegion]')
    .getByText(/Visitors (picked up|is at position 1)/)
    .waitFor();
  await page.keyboard.press('ArrowRight');
  await eventually('the order', async () => (await tilesOf(page)).slice(0, 2).join() === 'Visits,Visitors');
  await page.locator('[id^=DndLiveRegion]').getByText('Visitors is at position 2 of 10.').waitFor();
  await page.keyboard.press('Space');

  const handle = await page.getByRole('button', { name: 'Move Bounce rate' }).boundingBox();
  const target = await page.getByRole('region', { name: 'Tile: Visits' }).boundingBox();
  if (!handle || !target) throw new Error('The tiles are not there.');
  await page.mouse.move(handle.x + 10, handle.y + 10);
  await page.mouse.down();
  await page.mouse.move(target.x + 30, target.y + 60, { steps: 8 });
  await page.mouse.up();
  await eventually('the order', async () => (await tilesOf(page))[0] === 'Bounce rate');

  await page.getByRole('button', { name: 'Options of Visits', exact: true }).click();
  await page.getByRole('button', { name: 'Remove tile' }).click();
  await page.getByRole('button', { name: 'Add tile' }).click();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Text', exact: true }).last().click();
  await page
    .getByLabel('Text in Markdown')
    .fill('# Plan\n\n**Ship** <img src=x onerror=alert(1)> [x](javascript:alert(1))');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expectSound(page);
  await page.getByRole('button', { name: 'Save layout' }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
  expect(page.url()).toBe(address);
  const saved = await tilesOf(page);
  expect(saved[0]).toBe('Bounce rate');
  expect(saved).not.toContain('Visits');
  await page.reload();
  expect(await tilesOf(page)).toEqual(saved);
  const text = page.getByRole('region', { name: 'Tile: Text' });
  expect(await text.locator('img, a[href^=javascript]').count()).toBe(0);
  await text.getByRole('heading', { name: 'Plan' }).waitFor();

  await page.getByRole('button', { name: /Last 28 days/ }).click();
  await page.getByRole('link', { name: 'Yesterday' }).click();
  await page.getByRole('region', { name: 'Tile: Visitors' }).getByText('0', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save range and filters' }).click();
  await page.getByText('Range and filters saved for everyone').waitFor();
  await page.goto(address);
  await page.getByRole('button', { name: /Yesterday/ }).waitFor();
  expect(complaints).toEqual([]);
});

/** Picks the handle up with a finger, and drops it on another tile's. */
async function dragByTouch(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const [begin, end] = [await centerOf(from), await centerOf(to)];
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  await touch('touchStart', begin);
  for (let step = 1; step <= 10; step++) {
    const part = step / 10;
    await touch('touchMove', { x: begin.x + (end.x - begin.x) * part, y: begin.y + (end.y - begin.y) * part });
  }
  await touch('touchEnd');
}

async function centerOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

it('is read on a phone, in Portuguese, in the order of its tiles and within 320 px, and arranged by touch', async () => {
  const { page, complaints } = await browser.newPage({
    ...{ locale: 'pt-BR', hasTouch: true, viewport: { width: 320, height: 1_400 } },
  });
  await page.goto(dashboards());
  await page.getByRole('link', { name: 'Monday' }).click();
  await page.getByRole('region', { name: 'Bloco: Visitantes' }).waitFor();
  await settled(page);
  const tops = await page
    .locator('[data-tile]')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
  expect(await page.evaluate('document.documentElement.scrollWidth <= 320')).toBe(true);
  await expectSound(page);
  const before = await tilesOf(page);
  await page.getByRole('link', { name: 'Editar', exact: true }).click();
  const handles = page.getByRole('button', { name: /^Mover / });
  await handles.nth(1).waitFor();
  await dragByTouch(page, handles.nth(1), handles.nth(0));
  const [first, second, ...rest] = before;
  await eventually('the tiles to change places', async () => (await tilesOf(page))[0] === second);
  expect(await tilesOf(page)).toEqual([second, first, ...rest]);
  await page.getByRole('link', { name: 'Cancelar' }).click();
  await page.getByRole('link', { name: 'Editar', exact: true }).waitFor();
  expect(await tilesOf(page)).toEqual(before);
  expect(complaints).toEqual([]);
});

/** A site of someone else, with the shared page in a frame. */
async function openSite(): Promise<{ origin: string; embed(page: string): void; close(): void }> {
  let embedded = '';
  const server = createServer((_, res) => {
    res.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Site</title><iframe src="${embedded}">`);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    embed(page) {
      embedded = page;
    },
    close: () => server.close(),
  };
}

it('is shared with a password, and shown in a frame of the site that it names alone', async () => {
  const sites = [await openSite(), await openSite()] as const;
  const { page, complaints } = await browser.keptPage({ locale: 'en', viewport: { width: 1440, height: 900 } });
  await page.goto(dashboards());
  await page.getByRole('link', { name: 'Monday' }).click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Monday' });
  await dialog.getByLabel('Password').fill('twelve bottles');
  await dialog.getByLabel('Sites that can embed it').fill(sites[0].origin);
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Public · 0 views in 7 days').waitFor();
  expect(complaints).toEqual([]);

  const reader = await browser.newPage({ locale: 'en', viewport: { width: 390, height: 844 } });
  await reader.page.context().clearCookies();
  await reader.page.goto(link);
  await expectSound(reader.page);
  await reader.page.getByLabel('Password').fill('twelve bottles');
  await reader.page.getByRole('button', { name: 'Open' }).click();
  await reader.page.getByRole('heading', { name: 'Monday' }).waitFor();
  await expectSound(reader.page);
  expect(await reader.page.evaluate('document.documentElement.scrollWidth <= 390')).toBe(true);
  expect(await reader.page.locator('script').count()).toBe(0);
  expect(reader.complaints).toEqual([]);

  const framing = await browser.newPage({ locale: 'en' });
  await framing.page.context().clearCookies();
  for (const site of sites) site.embed(link);
  await framing.page.goto(sites[0].origin);
  const frame = framing.page.frameLocator('iframe');
  await frame.getByLabel('Password').fill('twelve bottles');
  await frame.getByRole('button', { name: 'Open' }).click();
  await frame.getByRole('heading', { name: 'Monday' }).waitFor();
  await framing.page.goto(sites[1].origin);
  await eventually('the refusal', async () => framing.page.frames()[1]?.url() === 'chrome-error://chromewebdata/');
  for (const site of sites) site.close();
});

it('is taken over as it was drawn, when what it shows beside its tiles came late', async () => {
  const [row] = await database.query<{ id: number }>(`select id from dashboards where name = 'Monday'`);
  const { page, complaints } = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1440, height: 900 } });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin; lock table share_links in access exclusive mode');
  const release = await openWithoutCode(page, `${dashboards()}/${row?.id}`);
  await page.locator('[data-tile]').first().waitFor();
  await client.query('commit');
  await client.end();
  await eventually('the link has come', () =>
    page.evaluate<boolean>(`/"views":/.test(JSON.stringify(self.__q.slice(1)))`),
  );
  expect(await page.getByText(/^Público/).count()).toBe(0);
  release();
  await page.getByText(/^Público/).waitFor();
  await hydrated(page, '[data-tile]');
  expect(complaints).toEqual([]);
});

/** Has the screen drawn so many times, each with another address. @returns how often a link of it led on from that address */
const drawAgain = (page: Page, times: number) =>
  page.evaluate<number>(`(async () => {
    const { port1, port2 } = new MessageChannel();
    let drawn = 0;
    for (let time = 0; time < ${times}; time++) {
      const address = new URL(location.href);
      address.searchParams.set('n', String(time));
      history.replaceState(history.state, '', address);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
      const links = [...document.querySelectorAll('main a[href*="n="]')];
      if (links.some(({ href }) => new URL(href).searchParams.get('n') === String(time))) drawn++;
    }
    return drawn;
  })()`);

it('writes its layout when that is asked for: not in 1,000 renders at all widths', async () => {
  const tiles = [
    { id: 'a', kind: 'metric', metric: 'visitors', width: 3, height: 1 },
    { id: 'b', kind: 'heading', text: 'Plan', width: 6, height: 1 },
  ];
  const made = await fetch(`${luneta.url}/api/trpc/dashboards.create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: luneta.cookie, origin: luneta.url },
    body: JSON.stringify({ json: { project: '2', name: 'Small', content: { tiles } } }),
  });
  expect(made.status).toBe(200);
  const stored = () =>
    database.query<{ id: number }>(`select id, content, revision, changed_at from dashboards where name = 'Small'`);
  const before = await stored();
  const viewport = { width: 1440, height: 900 };
  const { page, complaints, requests } = await browser.keptPage({ locale: 'en', viewport });
  let drawn = 0;
  for (const isEditing of [false, true]) {
    await page.goto(`${dashboards()}/${before[0]?.id}?custom=1&n=first${isEditing ? '&edit=1' : ''}`);
    await settled(page);
    await hydrated(page, '[data-tile]');
    for (const width of [320, 390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      if (isEditing) {
        await page.getByRole('button', { name: 'Move Visitors' }).press('Space');
        await page.keyboard.press('ArrowDown');
      }
      drawn += await drawAgain(page, 100);
      if (isEditing) await page.keyboard.press('Escape');
      else if (width === 1440) await page.getByRole('button', { name: 'Refresh' }).click();
    }
  }
  expect(drawn).toBe(1_000);
  expect(requests.filter((each) => /dashboards\.(?!get|list|viewed)/.test(each))).toEqual([]);
  expect(await stored()).toEqual(before);
  expect(complaints).toEqual([]);
});

it('is previewed and sent by email, to someone who subscribes to it', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en', viewport: { width: 1440, height: 900 } });
  await page.goto(dashboards());
  await page.getByRole('link', { name: 'Monday' }).click();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Get “Monday” by email' });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const mail = dialog.frameLocator('iframe');
  await mail.getByRole('heading', { name: 'Monday' }).waitFor();
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByText('You’ll get this report').waitFor();
  await page.goto(`${luneta.url}/project/2/reports`);
  await hydrated(page, 'main button');
  await page.getByRole('button', { name: 'Actions for Monday' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Sent to 1 recipient').waitFor();
  const mails = await database.query<{ subject: string }>("select subject from mails where kind = 'report'");
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Monday · .*: /)]);
  expect(complaints).toEqual([]);
});

// The last one: an hour of refreshes in a minute uses up what a session may ask in it.
it('stands on a wall: counted again for hours without growing, also after the server was away', async () => {
  const [row] = await database.query<{ id: number }>(`select id from dashboards where name = 'Monday'`);
  const { page, complaints } = await browser.newPage({ locale: 'en', viewport: { width: 1440, height: 900 } });
  await page.clock.install();
  await page.goto(`${dashboards()}/${row?.id}/wall?custom=1&range=today&compare=none`);
  await page.getByRole('region', { name: 'Tile: Visitors' }).getByText('4', { exact: true }).waitFor();
  await hydrated(page, 'footer a');
  // Its clock runs ahead from here: what is not hydrated yet would find newer numbers than it was drawn with.
  const areTaken = `[...document.querySelectorAll('[data-tile]')].every((tile) => Object.keys(tile).some((key) => key.startsWith('__react')))`;
  await eventually('tiles are taken over', () => page.evaluate<boolean>(areTaken));
  expect(complaints).toEqual([]);
  await page.getByText('Connected').waitFor();
  await expectSound(page);
  const cdp = await page.context().newCDPSession(page);
  const grow = async (minutes: number): Promise<number> => {
    for (let minute = 0; minute < minutes; minute++) {
      const answered = page.waitForResponse(/insights\.query\.overview/);
      await page.clock.runFor(60_000);
      await answered;
    }
    await cdp.send('HeapProfiler.collectGarbage');
    return (await cdp.send('Runtime.getHeapUsage')).usedSize;
  };
  const before = await grow(5);
  const after = await grow(30);
  expect(after - before).toBeLessThan(1_000_000);
  expect(await page.locator('[data-tile]').count()).toBeGreaterThan(3);
  await page.context().setOffline(true);
  await page.getByText('Reconnecting').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Connected').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/dashboards\/\d+\?/);
  expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([]);
});
