/**
 * Nothing captured is ever executed or rendered as markup: texts that would be scripts, elements, links and style anywhere but in
 * data, captured in every place that a sender fills in, and then looked at on the screens of the running program.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { systemClock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { createProjects } from '#src/projects/projects.ts';
import { type Server, startServer } from '#test/faults/kit/server.ts';
import { useBrowser, type WatchedPage } from '#test/kit/chromium.ts';
import { compileCache } from '#test/kit/compile-cache.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import { freePort } from '#test/kit/free-port.ts';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { send } from '#test/kit/wire/replay.ts';
import { eventually } from './luneta.ts';

/** Each would leave a mark: `pwned()` called, an element with `data-pwned`, a request to evil.example. */
const texts = [
  '<script>pwned(1)</script>',
  '</script><script>pwned(2)</script>',
  '"><img src=x onerror=pwned(3) data-pwned>',
  "'><svg/onload=pwned(4) data-pwned>",
  '<!--<script>pwned(5)//',
  '--><img src=//evil.example/x.png data-pwned>',
  'javascript:pwned(6)//',
  ' jAvAsCrIpT:pwned(7)//',
  'java\nscript:pwned(8)//',
  'data:text/html,<script>pwned(9)</script>',
  'https://evil.example/"onmouseover="pwned(10)',
  '//evil.example/path',
  '<iframe srcdoc="<script>parent.pwned(11)</script>" data-pwned></iframe>',
  '<a href="javascript:pwned(12)" data-pwned>x</a>',
  '<base href=//evil.example/ data-pwned>',
  '<meta http-equiv=refresh content="0;url=//evil.example" data-pwned>',
  '<link rel=stylesheet href=//evil.example/x.css data-pwned>',
  '<style data-pwned>*{display:none}</style>',
  '<form action=//evil.example data-pwned><input name=a autofocus onfocus=pwned(13)></form>',
  '<noscript><p title="</noscript><img src=x onerror=pwned(14) data-pwned>">',
  '</title></textarea></style><details open ontoggle=pwned(15) data-pwned>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=pwned(16)&gt;" data-pwned>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a template would take for code
  '`${pwned(17)}`',
  '{{constructor.constructor("pwned(18)")()}}',
  '\u2028pwned(19)\u2029',
  '&lt;img src=x onerror=pwned(20) data-pwned&gt;',
  '\u202e<b data-pwned>gnp.exe',
  '__proto__',
  "$&$1$`$'<i data-pwned>", // patterns of String.replace
  `${'W'.repeat(3_000)}<b data-pwned>`,
];

const TOKEN = 'phc_captured_markup';

describe('captured markup', () => {
  const database = useDatabase({ between: 'nothing' });
  let cookie = '';
  let folder: string;
  let server: Server;
  const browser = useBrowser({
    get url() {
      return server.url;
    },
    get cookie() {
      return cookie;
    },
  });
  let project: number;

  beforeAll(async () => {
    const deps = testDeps(database.url, { clock: systemClock as never });
    const made = await createProjects(deps).create({ name: texts[2] as string, timeZone: 'UTC', extraToken: TOKEN });
    project = made.id;
    await deps.close();
    folder = await mkdtemp(join(tmpdir(), 'luneta-markup-'));
    server = startServer({
      ...{ root: process.cwd(), port: await freePort(), databaseUrl: database.url, folder },
      env: compileCache,
    });
    await server.ready();
    ({ cookie } = await setUpOwner(server.url));
    await database.query('update projects set team_id = 1 where id = $1', [project]);
    await capture(texts.flatMap((text, at) => eventsAbout(text, at)));
  });
  afterAll(async () => {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true });
  });

  async function capture(events: JsonObject[]): Promise<void> {
    const text = JSON.stringify({ api_key: TOKEN, batch: events });
    const answer = await send(server.url, { method: 'POST', path: '/batch/', headers: {}, text });
    expect(answer).toMatchObject({ status: 200 });
  }

  /** Opens a screen with everything watched, and returns what it must not have done. */
  async function open(path: string, more: Parameters<typeof browser.newPage>[0] = {}): Promise<Watched> {
    const { page, complaints, requests } = await browser.newPage(more);
    const signs: string[] = [];
    page.on('dialog', (dialog) => {
      signs.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.context().on('page', () => signs.push('another page was opened'));
    await page.exposeFunction('pwned', (which: unknown) => signs.push(`executed ${String(which)}`));
    await page.exposeFunction('violated', (what: string) => signs.push(`content security policy: ${what}`));
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (e) => violated(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample))`,
    );
    await goTo(page, path);
    return { page, complaints, requests, signs };
  }

  async function goTo(page: Page, path: string): Promise<void> {
    await page.goto(server.url + path);
    await page.waitForLoadState('load');
    await page.waitForTimeout(300); // for what the scripts of the page still do
  }

  async function expectHarmless({ page, complaints, requests, signs }: Watched): Promise<void> {
    expect(signs).toEqual([]);
    expect(complaints).toEqual([]);
    expect(requests.filter((request) => !request.split(' ')[1]?.startsWith(`${server.url}/`))).toEqual([]);
    expect(await page.evaluate(marksInPage)).toEqual([]);
  }

  it.each(['en', 'pt-BR'])('is text in the HTML as the server sends it (%s)', async (language) => {
    const parsed = await (await browser.newContext()).newPage();
    const screens = [
      `/project/${project}/overview`,
      `/project/${project}/overview?details=page`,
      `/project/${project}/live`,
      `/project/${project}/ingestion`,
    ];
    for (const path of screens) {
      const answer = await fetch(server.url + path, { headers: { 'accept-language': language, cookie } });
      const html = await answer.text();
      expect(answer.status).toBe(200);
      expect(html).toContain('data-pwned'); // it is there, so this test looks at something
      expect(await parsed.evaluate(`(${marksInText})(${JSON.stringify(html)})`)).toEqual([]);
    }
  });

  it('is text on the Overview and in its tables', async () => {
    const overview = await open(`/project/${project}/overview?range=last_7_days`);
    await expectHarmless(overview);
    for (const details of ['page', 'referringDomain', 'event', 'language', 'utmCampaign', 'outbound']) {
      await goTo(overview.page, `/project/${project}/overview?range=last_7_days&details=${details}`);
      await expectHarmless(overview);
    }
  });

  it('is text in the examples of Ingestion', async () => {
    const longAgo = new Date(begin - 60 * 86_400_000).toISOString();
    await capture([{ event: 'late <b data-pwned>', distinct_id: 'late', timestamp: longAgo, properties: {} }]);
    const address = `/project/${project}/ingestion`;
    await eventually('the warning', async () =>
      (await (await fetch(server.url + address, { headers: { cookie } })).text()).includes('late &lt;b data-pwned'),
    );
    const ingestion = await open(address);
    const examples = ingestion.page.locator('details > summary');
    expect(await examples.count()).toBeGreaterThan(0);
    for (let nth = 0; nth < (await examples.count()); nth++) await examples.nth(nth).click();
    expect(await ingestion.page.locator('details[open] dd').allTextContents()).toContainEqual(
      expect.stringContaining('data-pwned'),
    );
    await expectHarmless(ingestion);
  });

  it('is text on a phone', async () => {
    const phone = await open(`/project/${project}/overview`, { viewport: { width: 390, height: 844 } });
    await expectHarmless(phone);
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await goTo(phone.page, `/project/${project}/live`);
    await expectHarmless(phone);
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('is text on Live: as it is there, as it arrives, and opened', async () => {
    const live = await open(`/project/${project}/live`);
    const { page } = live;
    await capture([
      {
        event: 'arrived <b data-pwned>',
        distinct_id: 'newcomer <i data-pwned>',
        properties: { $pathname: texts[2] as string },
      },
    ]);
    await page.getByText('arrived <b data-pwned>').first().waitFor();
    await expectHarmless(live);
  });

  it('is text in every event that is opened', async () => {
    const opened = await open(`/project/${project}/live`);
    const rows = await database.query<{ ts: string; uuid: string }>(
      'select extract(epoch from ts) * 1000 as ts, uuid from events where uuid = any($1)',
      [texts.map((_, at) => uuidOf(at, 1))],
    );
    expect(rows).toHaveLength(texts.length);
    for (const { ts, uuid } of rows) {
      await opened.page.goto(`${server.url}/project/${project}/live?event=${Math.round(Number(ts))}_${uuid}`);
      const tabs = opened.page.getByRole('tab');
      await tabs.first().waitFor();
      for (let tab = 0; tab < (await tabs.count()); tab++) await tabs.nth(tab).click();
      await expectHarmless(opened);
    }
  });
});

interface Watched extends WatchedPage {
  page: Page;
  signs: string[];
}

/** Runs in the page: what would not be there if all texts were texts. */
const marksInPage = `(() => {
  const found = [...document.querySelectorAll('[data-pwned], iframe, base, object, embed, meta[http-equiv=refresh]')].map((e) => e.outerHTML.slice(0, 200));
  for (const link of document.querySelectorAll('[href], [src], [action]')) {
    const address = link.getAttribute('href') ?? link.getAttribute('src') ?? link.getAttribute('action') ?? '';
    if (/^\\s*(javascript|data|vbscript):/i.test(address) && !address.startsWith('data:image/svg')) found.push(link.outerHTML.slice(0, 200));
    if (/^\\/\\//.test(address)) found.push(link.outerHTML.slice(0, 200));
  }
  if (({}).polluted !== undefined) found.push('prototype');
  return found;
})()`;

/** The same of HTML that is only parsed; besides, what our own pages never have. */
const marksInText = `(html) => {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const found = [...parsed.querySelectorAll('[data-pwned], [style], iframe, base, object, embed, meta[http-equiv=refresh]')];
  for (const element of parsed.querySelectorAll('*')) {
    if (element.getAttributeNames().some((name) => name.startsWith('on'))) found.push(element);
    if (element.localName === 'script' && !element.getAttribute('nonce')) found.push(element);
    const address = element.getAttribute('href') ?? element.getAttribute('src') ?? element.getAttribute('action') ?? '';
    if (/^\\s*(javascript|vbscript):/i.test(address) || address.startsWith('//')) found.push(element);
  }
  return found.map((element) => element.outerHTML.slice(0, 200));
}`;

const begin = systemClock.now() - 3_600_000;

function uuidOf(at: number, nth: number): string {
  return `0190aaaa-bbbb-7ccc-8ddd-${String(at * 10 + nth).padStart(12, '0')}`;
}

/** The text in every place that a sender fills in, as a view and as a click, by a person who is called so. */
function eventsAbout(text: string, at: number): JsonObject[] {
  const ts = begin + at * 60_000;
  const session = uuidV7(ts);
  const everywhere: JsonObject = {
    $lib: 'web',
    $session_id: session,
    ...Object.fromEntries(
      [
        ...[
          '$current_url',
          '$host',
          '$pathname',
          '$referrer',
          '$referring_domain',
          '$browser',
          '$os',
          '$device_type',
          '$browser_language',
        ],
        ...[
          '$raw_user_agent',
          '$screen_name',
          'title',
          'utm_source',
          'utm_medium',
          'utm_campaign',
          'utm_content',
          'utm_term',
          'gclid',
        ],
        ...[
          '$session_entry_url',
          '$session_entry_host',
          '$session_entry_pathname',
          '$session_entry_referring_domain',
          '$timezone',
        ],
        ...[
          '$el_text',
          '$elements_chain',
          '$event_type',
          '$exception_message',
          '$lib_version',
          '$feature/x',
          '$geoip_country_code',
          '$ip',
        ],
        ...['$exception_type', '$survey_id', 'free', text.slice(0, 200)],
      ].map((name) => [name, text]),
    ),
    $exception_list: [{ type: text, value: text, stacktrace: { frames: [{ filename: text, function: text }] } }],
    $groups: { [text.slice(0, 100)]: text },
    nested: { [text.slice(0, 100)]: [text, { deep: text }] },
  };
  const common = { distinct_id: text, timestamp: new Date(ts).toISOString() };
  return [
    { ...common, event: '$pageview', uuid: uuidOf(at, 0), properties: everywhere },
    {
      ...common,
      event: text,
      uuid: uuidOf(at, 1),
      properties: { ...everywhere, $set: { name: text, email: text, [text.slice(0, 100)]: text } },
    },
    { ...common, event: '$autocapture', properties: everywhere },
    { ...common, event: '$exception', properties: everywhere },
    {
      ...common,
      event: '$identify',
      distinct_id: `user ${text}`,
      properties: { $anon_distinct_id: text, $set: { name: text } },
    },
  ];
}
