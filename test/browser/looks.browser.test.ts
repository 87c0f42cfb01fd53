/** How the screens look and behave under hands: accessible in both themes and languages, by keyboard, on a phone, without jumps. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useBrowser, type WatchedPage, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { storeRecording } from '#test/kit/recording.ts';
import { startSlowPages } from '#test/kit/slow-pages.ts';
import { screens } from '#views/screen-list.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, watchShifts } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);

const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
/** A project of the team's own: the built-in one also receives what these pages report of themselves. */
const token = 'lnt_looks';
let project = '';
let sent = 0;

beforeAll(async () => {
  const [row] = await database.query<{ id: number }>(
    `with made as (
       insert into projects (name, time_zone, team_id, created_at)
       values ('Café Serrana', 'America/Sao_Paulo', 1, $1) returning id
     ), known as (insert into project_tokens (token, project_id, created_at) select $2, id, $1 from made)
     select id from made`,
    [new Date(performance.timeOrigin), token],
  );
  project = `/project/${row?.id}`;
  const hour = 3_600_000;
  const now = Math.floor(performance.timeOrigin + performance.now());
  const paths = ['/', '/produtos', '/assinatura', '/blog/como-moer-cafe-em-casa-com-um-moedor-manual', '/carrinho'];
  await send(
    Array.from({ length: 300 }, (_, index) => ({
      event: index % 10 === 9 ? 'adicionou_ao_carrinho' : '$pageview',
      distinct_id: `visitor-${index % 23}`,
      timestamp: new Date(now - index * 2 * hour).toISOString(),
      properties: {
        $pathname: paths[(index * index) % 5],
        $referring_domain: ['google.com', '$direct', 'instagram.com'][index % 3],
        produto: 'Bourbon <b>Amarelo</b>',
        $current_url: 'https://loja.example/produtos',
      },
    })),
  );
  // Something for the screen of the intake to say: an event that is dropped, and a time that lies in the future.
  await send([
    { event: '$$heatmap', distinct_id: 'visitor-1', properties: { $heatmap_data: {} } },
    {
      event: 'W'.repeat(150),
      distinct_id: 'visitor-1',
      timestamp: new Date(now + 90 * 24 * hour).toISOString(),
      properties: { nota: '<b>moedor</b>' },
    },
  ]);
  for (const body of ['{"api_key":"lnt_nobody","event":"a","distinct_id":"b"}', 'rubbish']) {
    await fetch(`${luneta.url}/ingest/e/`, { method: 'POST', body });
  }
  await makeGoal();
});

interface Sent {
  event: string;
  distinct_id: string;
  timestamp?: string;
  properties: Record<string, unknown>;
}

async function send(batch: Sent[]): Promise<void> {
  const body = JSON.stringify({
    api_key: token,
    batch: batch.map(({ properties, ...rest }) => ({
      ...rest,
      properties: { $host: 'loja.example', $raw_user_agent: agent, ...properties },
    })),
  });
  const headers = { 'content-type': 'application/json', 'user-agent': agent };
  const answer = await fetch(`${luneta.url}/ingest/batch/`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

/** A goal to look at. */
async function makeGoal(): Promise<void> {
  const rule = { kind: 'event', event: 'adicionou_ao_carrinho', filters: { match: 'all', of: [] } };
  const input = { project: project.split('/').at(-1), name: 'Carrinho', rule, amount: null };
  const answer = await fetch(`${luneta.url}/api/trpc/insights.goals.create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: luneta.cookie, origin: luneta.url },
    body: JSON.stringify({ json: input }),
  });
  expect(answer.status).toBe(200);
}

/** An event that happens now. */
async function sendNow(event: string): Promise<void> {
  sent += 1;
  await send([{ event, distinct_id: `live-${sent}`, properties: { $pathname: `/live-${sent}` } }]);
}

const desktop: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  colorScheme: 'light',
  locale: 'en-US',
};
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'pt-BR' };

/** Opens a screen and waits until it hears keys. */
async function open(path: string, options: BrowserContextOptions = desktop): Promise<WatchedPage> {
  const watched = await browser.keptPage(options, watchShifts);
  await watched.page.goto(`${luneta.url}${project}${path}`);
  await listening(watched.page);
  return watched;
}

/** Keys are listened for in an effect, which comes after the page is taken over, when there is time. */
async function listening(page: Page): Promise<void> {
  await hydrated(page, 'h1');
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 50)))');
}

/** What the keyboard is at, without its numbers. */
const focusedName = (page: Page) =>
  page.evaluate<string>(
    `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).replace(/[\\d\\s].*/s, '')`,
  );

const openDateRange = async (page: Page) => {
  await page.keyboard.press('d');
  await page.locator('input[name=typed]').waitFor();
};

const openExamples = async (page: Page) => {
  const examples = page.locator('details > summary');
  await examples.first().waitFor();
  for (let nth = 0; nth < (await examples.count()); nth++) await examples.nth(nth).click();
};

/** What is looked at, one after the other, of one page. */
const nothingMore: [string, (page: Page) => Promise<unknown>][] = [];

describe.each([
  ['on a desk, light, in English', desktop],
  ['on a phone, dark, in Portuguese', phone],
])('%s', (_, options) => {
  it.each<[string, string, typeof nothingMore]>([
    [
      'the overview',
      '/overview',
      [
        ['the choice of dates', openDateRange],
        ['the palette', (page) => page.keyboard.press('Escape').then(() => page.keyboard.press('Control+k'))],
      ],
    ],
    ['the chart as a table', '/overview?view=table&range=last_7_days', nothingMore],
    ['a table in full', '/overview?details=page', nothingMore],
    [
      'the stream',
      '/live',
      [
        ['the keys', (page) => page.keyboard.press('?')],
        [
          'an event',
          async (page) => {
            await page.keyboard.press('Escape');
            await page.locator('ol a[aria-expanded]').first().click();
            await page.getByRole('tabpanel').waitFor();
          },
        ],
      ],
    ],
    ['what arrives and what becomes of it', '/ingestion', [['its examples', openExamples]]],
    ['an address where nothing is', '/nothing', nothingMore],
  ])('%s: accessible, fitting, without a complaint', async (name, path, more) => {
    const { page, complaints } = path === '/nothing' ? await browser.newPage(options) : await open(path, options);
    if (path === '/nothing') await page.goto(luneta.url + path);
    for (const [what, act] of [[name, async () => undefined] as const, ...more]) {
      await act(page);
      await page.waitForTimeout(300);
      await expectSound(page, what);
    }
    expect(complaints.filter((complaint) => !/status of 404/.test(complaint))).toEqual([]);
    // Rows that arrive push the others down: that is what a stream does.
    if (path.startsWith('/overview'))
      expect(await page.evaluate('window.shifted < 0.02 ? [] : window.whatShifted')).toEqual([]);
    if (options === desktop) return;
    await page.setViewportSize({ width: 320, height: 640 });
    // Charts are drawn again when they hear of it.
    await eventually('it fits into 320 pixels', () =>
      page.evaluate<boolean>('document.documentElement.scrollWidth <= 320'),
    );
  });
});

it('moves nothing on a phone while a screen comes in pieces, in Portuguese, and says nothing on the console', async () => {
  const slow = await startSlowPages(luneta.url);
  const [person] = await database.query<{ id: string }>(
    'select uuid as id from persons where project_id = $1 order by number limit 1',
    [Number(project.split('/').at(-1))],
  );
  const [insight] = await database.query<{ id: number }>(
    `insert into insights (project_id, owner, kind, name, description, tags, definition, revision, created_at, changed_at)
     values ($1, 1, 'trends', 'Visitas', '', '{}', $2, 1, now(), now()) returning id`,
    [
      Number(project.split('/').at(-1)),
      {
        version: 1,
        kind: 'trends',
        query: { range: 'last_28_days', series: [{ event: { event: '$pageview' } }] },
        segment: null,
        display: {},
      },
    ],
  );
  const [dashboard] = await database.query<{ id: number }>(
    `insert into dashboards (project_id, owner, name, description, tags, content, revision, created_at, changed_at)
     values ($1, 1, 'Site', '', '{}', $2, 1, now(), now()) returning id`,
    [
      Number(project.split('/').at(-1)),
      {
        version: 1,
        tiles: [
          { id: 'a', kind: 'metric', metric: 'visitors', width: 3, height: 1 },
          { id: 'b', kind: 'insight', insight: insight?.id, width: 6, height: 2 },
          { id: 'c', kind: 'breakdown', dimension: 'page', width: 6, height: 2 },
        ],
      },
    ],
  );
  const [alert] = await database.query<{ id: number }>(
    `insert into alerts (project_id, created_by, language, name, subject, interval, condition, active, since, state, state_at,
                         revision, created_at, changed_at)
     values ($1, 1, 'pt-BR', 'Visitas', $2, 'day', $3, false, now(), 'ok', now(), 1, now(), now()) returning id`,
    [Number(project.split('/').at(-1)), { kind: 'metric', metric: 'visits' }, { kind: 'above', value: 10 }],
  );
  const [issue] = await database.query<{ id: number }>(
    `insert into issues (project_id, type, message, culprit, status, level, unhandled, grouped_by, events, first_seen, last_seen,
                         resolved_fingerprint, fingerprints, created_at, changed_at)
     values ($1, 'TypeError', 'x is undefined', 'total', 'active', 'error', true, $2, 1, now(), now(), false, 0, now(), now()) returning id`,
    [Number(project.split('/').at(-1)), { by: 'message', parts: ['TypeError', 'x is undefined'] }],
  );
  await database.query(
    `with type as (insert into group_types (project_id, type_index, name) values ($1, 0, 'company'))
     insert into groups (project_id, type_index, key, properties, created_at) values ($1, 0, 'acme', '{"plan": "pro"}', now())`,
    [Number(project.split('/').at(-1))],
  );
  const session = '01900000-0000-7000-8000-000000000001';
  const own = { project: Number(project.split('/').at(-1)), session, distinctId: 'ana' };
  await storeRecording(database, { ...own, at: Date.now() - 120_000, seconds: 60 });
  const parts: Record<string, string> = {
    type: '0',
    key: 'acme',
    alert: String(alert?.id),
    issue: String(issue?.id),
    session,
    project: project.split('/').at(-1) ?? '',
    insight: String(insight?.id),
    dashboard: String(dashboard?.id),
    team: '1',
    person: person?.id ?? '',
    token: 'unknown',
  };
  const paths = screens.map(({ path }) => path.replaceAll(/:(\w+)/g, (_, part: string) => parts[part] ?? ''));
  const moved: string[] = [];
  const complaints: string[] = [];
  try {
    const inside = await browser.newContext(phone);
    const outside = await browser.newContext(phone);
    await outside.clearCookies();
    // A page waits for its pieces most of the time: several are looked at side by side.
    const waiting = [...paths];
    const lookAtThem = async (): Promise<void> => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const isOutside = /^\/(setup|sign-in|invite)/.test(path);
        const found = await lookAt(await (isOutside ? outside : inside).newPage(), slow.url, path);
        complaints.push(...found.complaints);
        moved.push(...found.moved);
      }
    };
    await Promise.all([lookAtThem(), lookAtThem(), lookAtThem()]);
  } finally {
    slow.close();
  }
  expect({ moved, complaints }).toEqual({ moved: [], complaints: [] });
});

/** What moves on a page that comes slowly, and what it says on its console, violations of its policy among it, and asks for elsewhere; as wide as on a desk, too. */
async function lookAt(page: Page, base: string, path: string): Promise<{ moved: string[]; complaints: string[] }> {
  const watched = watch(page);
  await watchShifts(page);
  await page.goto(base + path, { waitUntil: 'load' });
  await page.waitForTimeout(100);
  const [shifted, what] = await page.evaluate<[number, string[]]>('[window.shifted, window.whatShifted]');
  // What is drawn on a desk alone is drawn by code.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))');
  const elsewhere = watched.requests.filter((each) => !/^\S+ (http:\/\/localhost:|data:)/.test(each));
  const said = watched.complaints.filter((text) => !isExpected(text, path));
  await page.close();
  return {
    moved: shifted > 0.02 ? [`${path}: ${shifted.toFixed(3)} ${what.slice(0, 3).join(' | ')}`] : [],
    complaints: [...said, ...elsewhere].map((text) => `${path}: ${text}`),
  };
}

/** What a browser says by itself: of links that were made up, of a second step without the first, and of files that a slow page uses late. */
function isExpected(complaint: string, path: string): boolean {
  if (/was preloaded using link preload but not used|^A preload for \S+ is found, but is not used/.test(complaint))
    return true;
  if (path === '/sign-in/second-step') return /status of 401/.test(complaint);
  return /unknown/.test(path) && /status of 404/.test(complaint);
}

describe('by keyboard', () => {
  it('begins with a link past the navigation', async () => {
    const { page } = await open('/overview');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.querySelector('main').contains(document.activeElement)`)).toBe(true);
  });

  it('goes to a screen by a sequence, and reads from its heading', async () => {
    const { page } = await open('/overview');
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.waitForURL('**/live');
    await eventually('the heading has the focus', () =>
      page.evaluate<boolean>(
        `document.activeElement?.tagName === 'H1' && document.activeElement.textContent === 'Live'`,
      ),
    );
  });

  it('reads the chart out point by point', async () => {
    const { page } = await open('/overview');
    const chart = page.getByRole('application').first();
    await hydrated(page, '[role=application]');
    await chart.focus();
    await page.keyboard.press('End');
    const said = chart.locator('[aria-live]');
    await eventually('the last day', async () => /: Visitors \d/.test((await said.textContent()) ?? ''));
    const last = await said.textContent();
    await page.keyboard.press('ArrowLeft');
    await eventually('the day before', async () => (await said.textContent()) !== last);
    await page.keyboard.press('Escape');
    await eventually('nothing', async () => (await said.textContent()) === '');
  });

  it('takes a period as one types it, and says what it did not understand', async () => {
    const { page } = await open('/overview');
    await openDateRange(page);
    await page.locator('input[name=typed]').fill('next winter');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.locator('input[name=typed]').fill('last 10 days');
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
    await page.goBack();
    expect(new URL(page.url()).search).toBe('');
  });

  it.each([
    ['/overview', 'metric=visits'],
    ['/overview', 'filter=page:equals:/produtos'],
    ['/overview', 'sources=referringDomain'],
    ['/overview?details=page', 'sort=visitors'],
    ['/goals', 'per=visit'],
    ['/persons', 'who=all'],
    ['/events/definitions', 'kind=property'],
  ])('stays where it is when another question is asked: %s, %s', async (path, asked) => {
    const { page } = await open(path);
    const link = `main a[href*="${asked}"]`;
    await hydrated(page, link);
    await page.locator(link).first().focus();
    const pressed = await focusedName(page);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.search.includes(asked));
    await eventually('the answer is there', async () => (await page.locator('[aria-busy=true]').count()) === 0);
    expect(await focusedName(page)).toBe(pressed);
  });

  it('goes on at the heading where what was pressed is gone with what it was in', async () => {
    const { page } = await open('/overview');
    await hydrated(page, 'main a[href*="details=page"]');
    await page.locator('main a[href*="details=page"]').focus();
    await page.keyboard.press('Enter');
    await eventually('the heading', async () => (await focusedName(page)) === 'Pages');
  });

  it('finds and does things in the palette, and gives the focus back', async () => {
    const { page } = await open('/overview');
    const search = page.getByRole('button', { name: /Search/ }).first();
    await search.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await search.evaluate((button) => button === document.activeElement)).toBe(true);
    for (const [typed, option, leadsTo] of [
      ['definitions', 'Event definitions', '/events/definitions'],
      ['ana@shop', 'Search people: ana@shop', '/persons?search=ana%40shop'],
      ['2fa', 'Sign-in & security', '/account?show=sign-in'],
      ['last 7 days', 'Last 7 days, ', '/overview?range=last_7_days'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(typed);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => `${url.pathname}${url.search}`.endsWith(leadsTo));
    }
    await page.goto(`${luneta.url}/project/2/overview`);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.goto(`${luneta.url}${project}/overview`);
    await listening(page);
    await page.keyboard.press('Control+k');
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    // Known once the role is.
    await recent.filter({ hasText: 'Event definitions' }).waitFor();
    expect(await recent.allTextContents()).toEqual(['Sign-in & security', 'Event definitions', 'Theme: Dark']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/events/definitions');
  });

  it('finds people in the palette, and opens them by keyboard', async () => {
    await send([{ event: 'ping', distinct_id: 'palette', properties: { $set: { name: 'Somebody of the palette' } } }]);
    const { page } = await open('/overview');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('somebody of the palette');
    await page.getByRole('option', { name: 'Search people: somebody of the palette', selected: true }).waitFor();
    const found = page.getByRole('group', { name: 'People', exact: true }).getByRole('option');
    await found.first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/persons\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { name: /Somebody of the palette/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    expect(await page.getByRole('group', { name: 'Recent' }).count()).toBe(0);
  });
});

describe('theme and language', () => {
  it('change through a form without it, and lead back', async () => {
    const { page } = await browser.newPage({ ...desktop, javaScriptEnabled: false });
    await page.goto(`${luneta.url}${project}/overview?metric=views`);
    await page.getByRole('button', { name: 'Marina Duarte' }).click();
    await page.getByRole('button', { name: 'Português (Brasil)' }).click();
    await page.getByRole('heading', { name: 'Visão geral' }).waitFor();
    // A page that is late without JavaScript asks to be given whole.
    const url = new URL(page.url());
    url.searchParams.delete('wait');
    expect(url.href).toBe(`${luneta.url}${project}/overview?metric=views`);
  });
});

describe('Live', () => {
  it('lets new rows in, unless someone reads: then they wait', async () => {
    const { page } = await open('/live');
    const status = page.getByRole('status').filter({ hasText: 'Live' });
    await status.waitFor();
    const rows = page.locator('ol > li');
    await sendNow('first');
    await rows.first().getByText('first', { exact: true }).waitFor();
    await rows.nth(2).hover();
    await sendNow('second');
    const waiting = page.getByRole('button', { name: '1 new event' });
    await waiting.waitFor();
    expect(await rows.first().textContent()).toContain('first');
    await waiting.click();
    await rows.first().getByText('second', { exact: true }).waitFor();
  });

  it('holds everything while it is paused', async () => {
    const { page } = await open('/live');
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await sendNow('third');
    await page.getByRole('button', { name: '1 new event' }).waitFor();
    await page.keyboard.press('p');
    await page.locator('ol > li').first().getByText('third', { exact: true }).waitFor();
  });

  it('opens an event in place, under an address of its own', async () => {
    const { page } = await open('/live');
    await page.locator('ol a[aria-expanded]').filter({ hasText: 'adicionou_ao_carrinho' }).first().click();
    await page.getByRole('row', { name: /produto Bourbon <b>Amarelo<\/b>/ }).waitFor();
    const address = page.url();
    expect(address).toContain('event=');
    const again = await open(`/live${new URL(address).search}`);
    await again.page.getByRole('row', { name: /produto Bourbon/ }).waitFor();
  });

  // The last one: what it leaves behind fills the list.
  it.each([
    ['Live', '1,500', /^1,500 events were skipped in this list/, desktop],
    ['Ao vivo', '1.500', /^1\.500 eventos não aparecem nesta lista/, phone],
  ])('says how many of a rush it left out: %s, %s', async (on, _, said, options) => {
    const { page } = await open('/live', options);
    await page.getByRole('status').filter({ hasText: on }).waitFor();
    const at = new Date(Math.floor(performance.timeOrigin + performance.now()));
    await database.query(
      `with rush as (
         insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, page, epoch, marks)
         select $2, $2, gen_random_uuid(), project_id, person, distinct_id, event, page, epoch, 0
         from (select * from events where project_id = $1 limit 1) as one, generate_series(1, 2500) returning project_id)
       select pg_notify('luneta_events', min(project_id)::text) from rush`,
      [Number(project.split('/').at(-1)), at],
    );
    await page.getByText(said).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport?.width);
  });
});
