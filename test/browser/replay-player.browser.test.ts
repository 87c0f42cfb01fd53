/**
 * A visit to a single-page app, recorded by the unmodified client in two tabs and watched afterwards: the player shows the page as it was at
 * each sampled moment, and nothing that was typed in secret is anywhere in the database.
 */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Page } from 'playwright-core';
import { useBrowser, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const visitors = useBrowser();
let site: Server;

const replay = { mode: 'all', minimumSeconds: 0, samplePercent: 100 };
const secrets = { pass: 'S3nha-da-Ana', cpf: '529.982.247-25', card: '4111 1111 1111 1111' };
/** Typed whole or in part. */
const told = ['S3nha', '529.982', '4111 1'];

beforeAll(async () => {
  await database.query(
    `update projects set settings = jsonb_set(settings, '{replay}', coalesce(settings -> 'replay', '{}') || $1::jsonb) where id = 2`,
    [JSON.stringify(replay)],
  );
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const client = readFileSync('node_modules/posthog-js/dist/module.mjs', 'utf8');
  const routes = express();
  routes.get('/client.mjs', (_req, res) => void res.type('text/javascript').send(client));
  routes.get('/favicon.ico', (_req, res) => void res.status(204).end());
  routes.get('/{*path}', (_req, res) => void res.type('text/html').send(appPage(row?.token as string)));
  site = routes.listen(0, '127.0.0.1');
});
afterAll(() => void site.close());

/** Not even the client masks what is typed, but for passwords. */
function appPage(token: string): string {
  const config = JSON.stringify({
    api_host: `${luneta.url}/ingest`,
    session_recording: { maskAllInputs: false },
    capture_pageview: 'history_change',
  });
  return `<!doctype html>
<html lang="en"><head><title>Shop</title><style>.open { color: #123456 } shop-card { display: block }</style></head>
<body>
<nav><button id="to-cart">Cart</button></nav>
<main id="view"><h1>Coffees</h1><ul id="list"><li>Bourbon</li></ul></main>
<form>
  <input id="mail" name="email"><input id="pass" type="password"><input id="cpf" name="cpf"><input id="card" autocomplete="cc-number">
</form>
<canvas id="chart" width="120" height="40"></canvas>
<shop-card></shop-card>
<iframe id="help" srcdoc="<body><p id='inner'>Help</p></body>"></iframe>
<script>
customElements.define('shop-card', class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = '<style>p { color: red }</style><p class="price">R$ 49</p><slot></slot>';
  }
});
const brush = document.querySelector('#chart').getContext('2d');
brush.fillRect(4, 4, 80, 20);
</script>
<script type="module">import posthog from '/client.mjs'; window.posthog = posthog; posthog.init('${token}', ${config});</script>
</body></html>`;
}

/** The body as nested lists: tags, ids, classes, texts, values, shadow roots and frames. Scripts are not recorded. */
const treeOf = `(root) => {
  const secret = ['pass', 'cpf', 'card'];
  const list = (nodes) => {
    const all = [];
    for (const node of nodes) {
      if (node.nodeType === 3 && node.textContent.trim() !== '') all.push(node.textContent.trim());
      if (node.nodeType !== 1 || ['script', 'noscript', 'style'].includes(node.localName)) continue;
      const classes = [...node.classList].filter((name) => !name.startsWith(':')).join(' ');
      const value = 'value' in node && !secret.includes(node.id) ? node.value : '';
      const inner = node.localName === 'iframe' ? list(node.contentDocument?.body?.childNodes ?? []) : list(node.childNodes);
      const shadow = node.shadowRoot ? ['#shadow', ...list(node.shadowRoot.childNodes)] : [];
      all.push([[node.localName, node.id, classes, value].join('|'), ...shadow, ...inner]);
    }
    return all;
  };
  return list(root.childNodes);
}`;

interface Moment {
  at: number;
  tree: unknown;
}

/** What the page looks like, well after the last change and well before the next one. */
async function sample(page: Page, moments: Moment[]): Promise<void> {
  await page.waitForTimeout(350);
  moments.push(await page.evaluate<Moment>(`({ at: Date.now(), tree: (${treeOf})(document.body) })`));
  await page.waitForTimeout(350);
}

const steps: [string, string][] = [
  ['a list that grows', `for (let n = 0; n < 40; n++) list.insertAdjacentHTML('beforeend', '<li>Lot ' + n + '</li>')`],
  ['navigation', `history.pushState({}, '', '/cart'); view.innerHTML = '<h1>Cart</h1><p class="sum">R$ 98</p>'`],
  [
    'a shadow root',
    `document.querySelector('shop-card').shadowRoot.querySelector('.price').textContent = 'R$ 59';
     document.querySelector('shop-card').className = 'open'`,
  ],
  [
    'a frame',
    `const inner = document.querySelector('#help').contentDocument.body;
     inner.append(Object.assign(document.createElement('b'), { textContent: 'Write to us' }))`,
  ],
];

/** 10 MB of text that comes and goes. */
const flood = `new Promise((resolve) => {
  let round = 0;
  const step = () => {
    view.insertAdjacentHTML('beforeend', '<p>' + (round + ' Bourbon, Geisha, Catuai ').repeat(20_000) + '</p>');
    if (view.children.length > 4) view.children[2].remove();
    if (++round < 22) setTimeout(step, 20);
    else resolve();
  };
  step();
})`;

async function recordVisit(): Promise<Moment[]> {
  const moments: Moment[] = [];
  const context = await visitors.newContext({ viewport: { width: 900, height: 700 } });
  const base = `http://localhost:${(site.address() as AddressInfo).port}`;
  // The first recordings do not arrive: the client sends them again.
  let fails = 1;
  await context.route('**/ingest/s/**', (route) => (fails-- > 0 ? route.abort() : route.continue()));
  const page = await open(await context.newPage(), `${base}/coffees`);
  await sample(page, moments);
  for (const [, step] of steps) {
    await page.evaluate(
      `{ const list = document.querySelector('#list'), view = document.querySelector('#view'); ${step} }`,
    );
    await sample(page, moments);
  }
  for (const [id, text] of Object.entries(secrets)) await page.locator(`#${id}`).pressSequentially(text);
  await page.fill('#mail', 'ana@shop.example');
  await page.evaluate(`document.querySelector('#pass').type = 'text'`);
  await sample(page, moments);
  await page.evaluate(`{ const view = document.querySelector('#view'); ${flood} }`);
  await page.waitForTimeout(800);
  await sample(page, moments);

  const second = await open(await context.newPage(), `${base}/about`);
  await second.click('#to-cart');
  await sample(second, moments);
  await second.evaluate(`document.querySelector('#view').innerHTML = '<h1>About</h1>'`);
  await second.click('h1');
  await sample(second, moments);
  // Closed while its last recordings are on their way.
  await second.evaluate(`document.querySelector('#view').append('bye')`);
  await second.close({ runBeforeUnload: true });
  await page.bringToFront();
  await page.click('h1');
  await page.evaluate(`document.querySelector('#view').innerHTML = '<h1>Thanks</h1>'`);
  await sample(page, moments);
  await page.click('h1');
  const last = moments.at(-1)?.at ?? 0;
  await eventually('the last moment', async () => {
    const rows = await database.query('select from replay_sessions where windows = 2 and last_at > to_timestamp($1)', [
      last / 1000,
    ]);
    return rows.length === 1;
  });
  return moments;
}

/** Opens a page, and waits until the recorder has what there is: frames come after the page. */
async function open(page: Page, address: string): Promise<Page> {
  let sends = 0;
  page.on('request', (request) => {
    if (request.url().includes('/ingest/s/')) sends++;
  });
  await page.goto(address);
  await page.waitForFunction(
    `['active', 'sampled'].includes(window.posthog?.sessionRecording?.status) && document.querySelector('#help').contentDocument.readyState === 'complete'`,
  );
  // It keeps what it has until the visitor does something.
  while (sends === 0) {
    await page.click('h1');
    await page.waitForTimeout(700);
  }
  return page;
}

/** What the player shows. Its frame runs no scripts, so that it is read from outside. */
const shown = `(() => {
  const stage = document.querySelector('iframe[sandbox]')?.contentDocument;
  const body = stage?.querySelector('.replayer-wrapper iframe')?.contentDocument?.body;
  return body ? (${treeOf})(body) : null;
})()`;

async function seek(page: Page, ms: number): Promise<void> {
  await page.locator('input[type=range]').evaluate(
    (slider, value) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, value);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    },
    String(Math.round(ms)),
  );
}

async function rowsWith(text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select format('%I', table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.query<{ n: number }>(
      `select count(*)::int as n from ${name} as t where position($1 in t::text) > 0 or position($2 in t::text) > 0`,
      [text, Buffer.from(text).toString('hex')],
    );
    if (row?.n) found.push(name);
  }
  return found;
}

it('shows the page as it was at each moment, and keeps no secret', async () => {
  const moments = await recordVisit();
  expect(moments).toHaveLength(10);
  const [row] = await database.query<{ session: string; begin: number; height: number }>(
    'select session, extract(epoch from first_at)::float8 * 1000 as begin, height from replay_sessions',
  );
  const { session, begin } = row as { session: string; begin: number };
  const blocks = `${luneta.url}/project/2/replay/${session}/blocks?from=0&to=100000`;
  const lines = await (await fetch(blocks, { headers: { cookie: luneta.cookie } })).text();
  expect(lines.length).toBeGreaterThan(10_000_000);
  expect(lines).toContain('ana@shop.example');
  for (const text of told) expect([text, lines.includes(text), await rowsWith(text)]).toEqual([text, false, []]);

  const { page, complaints, requests } = watch(await (await browser.newContext()).newPage());
  await page.goto(`${luneta.url}/project/2/replay/${session}`);
  await eventually('the first frame', () => page.evaluate<boolean>(`${shown} !== null`));
  // Backwards too: what is shown depends on the moment alone.
  const order = [...moments.keys()].sort((one, other) => ((one * 7) % 10) - ((other * 7) % 10));
  for (const place of order) {
    const { at, tree } = moments[place] as Moment;
    await seek(page, at - begin);
    const wanted = JSON.stringify(tree);
    await eventually(`moment ${place}`, async () => JSON.stringify(await page.evaluate(shown)) === wanted, 8_000).catch(
      () => undefined,
    );
    expect([place, await page.evaluate(shown)]).toEqual([place, tree]);
  }
  const foreign = requests.filter((each) => !each.includes(`${luneta.url}/`) && !/ (data|blob):/.test(each));
  expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
});
