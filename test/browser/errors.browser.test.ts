/** Errors from the visitor's browser to the one who resolves them: the real posthog-js throws, the issue is found, read, resolved, and comes back. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import express from 'express';
import type { Page } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, inBothThemes, looks, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
let site: Server;
let token: string;
let script: { code: string; map: string };

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  token = row?.token as string;
  const contents = `
interface Rate { value: number }
function findRate(code: string): Rate | undefined {
  return ({ south: { value: 12 } } as Record<string, Rate>)[code];
}
export function calculateShipping(code: string): number {
  const rate = findRate(code);
  return rate!.value * 2;
}
document.querySelector('#buy')!.addEventListener('click', () => {
  document.title = String(calculateShipping('north'));
});
`;
  const built = await build({
    stdin: { contents, sourcefile: 'src/shipping.ts', loader: 'ts', resolveDir: '/shop' },
    ...{ bundle: true, minify: true, sourcemap: 'external', outfile: '/shop/dist/app-B7x2Kq9f.js', write: false },
  });
  const text = (end: string) => built.outputFiles.find(({ path }) => path.endsWith(end))?.text as string;
  script = { code: text('.js'), map: text('.map') };
  startSite();
});
afterAll(() => void site.close());

/** The site: a page with a minified script and the unmodified client. */
function startSite(): void {
  const client = readFileSync('node_modules/posthog-js/dist/module.mjs', 'utf8');
  const config = JSON.stringify({ api_host: `${luneta.url}/ingest`, capture_exceptions: true });
  const routes = express();
  routes.get('/client.mjs', (_req, res) => void res.type('text/javascript').send(client));
  routes.get('/assets/{*path}', (_req, res) => void res.type('text/javascript').send(script.code));
  routes.get('/checkout', (_req, res) => {
    res.type('text/html').send(`<!doctype html><title>Checkout</title><button id="buy">Buy</button>
      <script src="/assets/app-B7x2Kq9f.js"></script>
      <script type="module">import posthog from '/client.mjs'; window.posthog = posthog;
      posthog.init('${token}', { ...${config}, loaded: () => { posthog.register({ release: '1.4.2' }); window.ready = true; } });</script>`);
  });
  site = routes.listen(0, '127.0.0.1');
}

/** A visitor of the site presses the button that throws. */
async function visit(times: number): Promise<void> {
  const context = await browser.newContext({ userAgent: DESKTOP });
  const page = await context.newPage();
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/checkout`);
  await page.waitForFunction('window.ready && typeof window.onerror === "function"');
  const before = await stored();
  for (let time = 0; time < times; time++) await page.click('#buy');
  await eventually('the exceptions', async () => (await stored()) >= before + times);
  await context.close();
}

const DESKTOP = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

async function stored(): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    `select count(*)::int as n from events join event_names n on n.project_id = events.project_id and n.number = event
      where name = '$exception' and events.project_id = 2`,
  );
  return row?.n ?? 0;
}

/** The state of the only issue, once it is this one. */
function isOnce(status: string, events: number): Promise<boolean> {
  return eventually(`${status}, ${events}`, async () => {
    const rows = await database.query<{ status: string; events: string }>('select status, events from issues');
    return rows.length === 1 && rows[0]?.status === status && Number(rows[0].events) === events;
  });
}

const issueLink = (page: Page) => page.getByRole('link', { name: /TypeError: Cannot read properties of undefined/ });

it('leads from the error to the issue, its stack and back, until it is resolved', async () => {
  await visit(2);
  await isOnce('active', 2);
  const { page, complaints } = await browser.newPage({ locale: 'en', viewport: { width: 1440, height: 900 } });
  await page.goto(`${luneta.url}/project/2/errors`);
  await issueLink(page).waitFor();
  await hydrated(page, 'main table input');
  await expectSound(page);
  await issueLink(page).click();
  await page.getByRole('heading', { name: 'Stack trace' }).waitFor();
  await settled(page);
  await page.getByText('assets/app-B7x2Kq9f.js:1:').first().waitFor();
  await page.getByText('First seen', { exact: false }).first().waitFor();
  await page.getByText('Same error type, message and files of built code.', { exact: false }).waitFor();
  await expect(page.getByRole('listitem').filter({ hasText: '$pageview' }).count()).resolves.toBe(1);
  await expectSound(page);

  await page.getByRole('combobox', { name: 'Assignee' }).selectOption({ index: 1 });
  await page.getByText('Assignee changed').waitFor();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await isOnce('resolved', 2);
  await visit(1);
  await isOnce('active', 3);
  await page.goto(`${luneta.url}/project/2/errors`);
  await page.getByRole('cell', { name: 'Regressed' }).waitFor();
  await hydrated(page, 'main table input');
  await page.getByRole('checkbox', { name: 'Select all issues' }).check();
  await page.getByRole('button', { name: 'Ignore' }).click();
  await page.getByRole('button', { name: 'For 7 days' }).click();
  await isOnce('ignored', 3);
  await page.getByText('No issues match.').waitFor();
  expect(complaints).toEqual([]);
});

it.each(looks)('can be read in $locale by light at $light px and by dark at $dark px', async (look) => {
  const [row] = await database.query<{ id: number }>('select id from issues');
  const { page, complaints } = await browser.newPage({ locale: look.locale });
  for (const path of ['errors?state=all', `errors/${row?.id}?frames=all`]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${luneta.url}/project/2/${path}`);
    await settled(page);
    await inBothThemes(page, look, (name) => expectSound(page, `${path}, ${name}`));
    await page.setViewportSize({ width: 320, height: 900 });
    await expectSound(page, `${path}, 320 px`);
  }
  expect(complaints).toEqual([]);
});
