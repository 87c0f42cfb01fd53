/** Tables of the overview through HTTP: what browsers send to `/ingest`, and what a screen and a file say of it. */
import { readXlsx } from 'hucre/xlsx';
import request from 'supertest';
import type { Breakdown, BreakdownDimension } from '#src/insights/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { asBuffer } from '#test/kit/buffer.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { finishedEvent, sessionId } from './histories.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const site = 'https://shop.example';
/** What the API adds to an answer. */
const nothingToNote = { caveats: [], unknownEvents: [], waitingEvents: 0 };

interface Visit {
  id: string;
  landing: string;
  referrer?: string;
  device: Record<string, unknown>;
  country: string;
  daysBack?: number;
  /** Pages after the first, a second apart; clicks on links to other sites; events by name. */
  next?: { page?: string; click?: string; event?: string }[];
}

const phone = {
  ...{ $os: 'iOS', $browser: 'Mobile Safari', $device_type: 'Mobile', $viewport_width: 390, $screen_width: 390 },
  ...{ $browser_language: 'pt-BR', $timezone: 'America/Sao_Paulo' },
};
const desktop = {
  ...{ $os: 'Windows', $browser: 'Firefox', $device_type: 'Desktop', $viewport_width: 1440, $screen_width: 2560 },
  ...{ $browser_language: 'en-US', $timezone: 'Europe/Lisbon' },
};

const visits: Visit[] = [
  {
    ...{ id: 'ana', landing: '/?utm_source=News&utm_medium=email&utm_campaign=Colheita', device: phone, country: 'BR' },
    next: [{ page: '/produtos' }, { click: 'https://wa.me/55' }, { page: '/checkout' }, { event: 'order' }],
  },
  { id: 'bia', landing: '/?utm_source=news&utm_medium=Email&utm_campaign=colheita', device: phone, country: 'BR' },
  {
    ...{ id: 'caio', landing: '/produtos', referrer: 'https://www.google.com/', device: desktop, country: 'PT' },
    next: [{ click: 'https://wa.me/55' }, { click: `${site}/own` }, { event: 'order' }, { event: 'order' }],
  },
  {
    ...{ id: 'davi', landing: '/=1+1?utm_term=%3D1%2B1', country: 'PT' },
    device: { ...desktop, $viewport_width: 1000 },
  },
  { id: 'ana', landing: '/', device: phone, country: 'BR', daysBack: 10 },
];

beforeAll(async () => {
  const { rooms } = whole.parts;
  const project = await rooms.projects.byRef(String(whole.project));
  const now = rooms.deps.clock.now();
  const batch = visits.flatMap(
    ({ id, landing, referrer = '$direct', device, country, daysBack = 0, next = [] }, at) => {
      const start = now - daysBack * 86_400_000 - 600_000 + at * 1000;
      const session = uuidV7(start);
      const url = new URL(landing, site);
      const entry = Object.fromEntries(url.searchParams);
      let path = url.pathname;
      return [{ page: landing }, ...next].map(({ page, click, event }: NonNullable<Visit['next']>[number], step) => {
        if (page !== undefined) path = new URL(page, site).pathname;
        const isOutside = click !== undefined && !click.startsWith(site);
        return {
          uuid: uuidV7(start + step * 1000),
          event: event ?? (click === undefined ? '$pageview' : '$autocapture'),
          timestamp: new Date(start + step * 1000).toISOString(),
          properties: {
            ...{ token: project?.token, distinct_id: id, $session_id: session, $lib: 'web', $host: 'shop.example' },
            ...{ $current_url: `${site}${path}`, $pathname: path, $referrer: referrer, ...entry, ...device },
            ...(country === 'BR' && {
              $geoip_subdivision_1_code: 'SP',
              $geoip_subdivision_1_name: 'São Paulo',
              $geoip_city_name: 'Campinas',
            }),
            ...{ $geoip_country_code: country, $raw_user_agent: 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' },
            ...(isOutside ? { $external_click_url: click, $event_type: 'click' } : {}),
          },
        };
      });
    },
  );
  const sent = { api_key: project?.token, batch, sent_at: new Date(now).toISOString() };
  await request(whole.app).post('/ingest/e/').send(sent).expect(200);
});

async function table(dimension: BreakdownDimension, more?: object): Promise<Breakdown> {
  const input = { project: String(whole.project), range: 'last_7_days', compare: 'none', dimension, limit: 8, ...more };
  const { body } = await callsOf(whole).query(whole.owner, 'insights.query.breakdown', input).expect(200);
  return body.result.data.json;
}

type Row = [value: string, visitors: number, count: number];

it.each<[BreakdownDimension, Row[]]>([
  [
    'page',
    [
      ['/', 2, 2],
      ['/produtos', 2, 2],
      ['/=1+1', 1, 1],
      ['/checkout', 1, 1],
    ],
  ],
  [
    'entryPage',
    [
      ['/', 2, 2],
      ['/=1+1', 1, 1],
      ['/produtos', 1, 1],
    ],
  ],
  [
    'exitPage',
    [
      ['/', 1, 1],
      ['/=1+1', 1, 1],
      ['/checkout', 1, 1],
      ['/produtos', 1, 1],
    ],
  ],
  ['outbound', [['https://wa.me/55', 2, 2]]],
  [
    'channel',
    [
      ['Email', 2, 2],
      ['Direct', 1, 1],
      ['Organic Search', 1, 1],
    ],
  ],
  [
    'source',
    [
      ['news', 2, 2],
      ['$direct', 1, 1],
      ['Google', 1, 1],
    ],
  ],
  [
    'referringDomain',
    [
      ['$direct', 3, 3],
      ['www.google.com', 1, 1],
    ],
  ],
  [
    'utmSource',
    [
      ['', 2, 2],
      ['news', 2, 2],
    ],
  ],
  [
    'utmMedium',
    [
      ['', 2, 2],
      ['email', 2, 2],
    ],
  ],
  [
    'utmCampaign',
    [
      ['', 2, 2],
      ['colheita', 2, 2],
    ],
  ],
  [
    'utmTerm',
    [
      ['', 3, 3],
      ['=1+1', 1, 1],
    ],
  ],
  ['utmContent', [['', 4, 4]]],
  [
    'country',
    [
      ['BR', 2, 2],
      ['PT', 2, 2],
    ],
  ],
  [
    'region',
    [
      ['', 2, 2],
      ['São Paulo, BR-SP', 2, 2],
    ],
  ],
  [
    'city',
    [
      ['', 2, 2],
      ['Campinas, BR-SP', 2, 2],
    ],
  ],
  [
    'language',
    [
      ['en-US', 2, 2],
      ['pt-BR', 2, 2],
    ],
  ],
  [
    'timeZone',
    [
      ['America/Sao_Paulo', 2, 2],
      ['Europe/Lisbon', 2, 2],
    ],
  ],
  [
    'deviceType',
    [
      ['Desktop', 2, 2],
      ['Mobile', 2, 2],
    ],
  ],
  [
    'browser',
    [
      ['Firefox', 2, 2],
      ['Mobile Safari', 2, 2],
    ],
  ],
  [
    'os',
    [
      ['Windows', 2, 2],
      ['iOS', 2, 2],
    ],
  ],
  [
    'viewportWidth',
    [
      ['0-575', 2, 2],
      ['1440+', 1, 1],
      ['992-1439', 1, 1],
    ],
  ],
  [
    'event',
    [
      ['$pageview', 4, 6],
      ['$autocapture', 2, 3],
      ['order', 2, 3],
    ],
  ],
])('tells visits, views and events apart by %s', async (dimension, rows) => {
  const found = await table(dimension);
  expect(found.rows).toEqual(rows.map((row) => [...row, null]));
  expect(found.count).toBe(rows.reduce((sum, [, , count]) => sum + count, 0));
});

it('filters every table, and visits by fields without regard to the case of campaigns', async () => {
  const filters = (name: string, value: string) => ({
    filters: { match: 'all', of: [{ about: 'session', name, operator: 'equals', values: [value] }] },
  });
  expect((await table('event', filters('country', 'PT'))).rows.map(([name, , count]) => [name, count])).toEqual([
    ['$autocapture', 2],
    ['$pageview', 2],
    ['order', 2],
  ]);
  expect((await table('outbound', filters('browser', 'Mobile Safari'))).count).toBe(1);
  expect((await table('channel', filters('utmCampaign', 'COLHEITA'))).rows).toEqual([['Email', 2, 2, null]]);
  expect((await table('referringDomain', filters('source', 'google'))).rows).toEqual([['www.google.com', 1, 1, null]]);
  expect((await table('page', filters('viewportWidth', '992-1439'))).rows).toEqual([['/=1+1', 1, 1, null]]);
});

it('says of pages how visits went that began or ended there', async () => {
  const { cols, rows } = await table('page', { more: true });
  const places = ['entries', 'bounced', 'exits'].map((name) => (cols as string[]).indexOf(name));
  expect(rows.map((row) => [row[0], ...places.map((place) => row[place])])).toEqual([
    ['/', 2, 1, 1],
    ['/produtos', 1, 0, 1],
    ['/=1+1', 1, 1, 1],
    ['/checkout', 0, 0, 1],
  ]);
});

/** What the API says of a query. */
async function api() {
  const input = { name: 'test', scopes: ['query:read'], projects: null, days: 'month' };
  const made = await callsOf(whole).mutation(whole.owner, 'projects.apiKeys.create', input).expect(200);
  return (query: string) =>
    request(whole.app)
      .get(`/api/v1/projects/${whole.project}/query/breakdown?range=last_7_days&limit=8&${query}`)
      .set('Authorization', `Bearer ${made.body.result.data.json.key}`);
}

describe('with a goal', () => {
  const all = { match: 'all', of: [] };
  let goal = 0;

  beforeAll(async () => {
    const asked = { rule: { kind: 'event', event: 'order', filters: all }, amount: null };
    const made = await callsOf(whole)
      .mutation(whole.owner, 'insights.goals.create', { project: String(whole.project), name: 'Order', ...asked })
      .expect(200);
    goal = made.body.result.data.json.id;
  });

  const told = ({ cols, rows }: Breakdown, ...names: string[]) =>
    rows.map((row) => [row[0], ...names.map((name) => row[(cols as string[]).indexOf(name)])]);

  it('pages say how often it was reached on them, and how many of those who saw them reached it anywhere', async () => {
    expect(told(await table('page', { more: true, goal }), 'visitors', 'conversions', 'converters')).toEqual([
      ['/', 2, 0, 1],
      ['/produtos', 2, 2, 2],
      ['/=1+1', 1, 0, 0],
      ['/checkout', 1, 1, 1],
    ]);
    expect((await table('page', { more: true })).cols).not.toContain('conversions');
    const order = { sort: 'conversionRate', reversed: false, find: '', page: 1 };
    const inOrder = await table('page', { more: true, goal, order });
    expect(inOrder.rows.map(([value]) => value).slice(0, 2)).toEqual(['/produtos', '/checkout']);
  });

  it('visits say in how many of them it was reached', async () => {
    expect(told(await table('country', { more: true, goal }), 'count', 'converted')).toEqual([
      ['BR', 2, 1],
      ['PT', 2, 1],
    ]);
    expect(told(await table('event', { more: true, goal }), 'visitors', 'converters')).toEqual([
      ['$pageview', 4, 2],
      ['$autocapture', 2, 2],
      ['order', 2, 2],
    ]);
    expect(told(await table('event', { goal }), 'reached', 'reachable')[0]).toEqual(['$pageview', 2, 4]);
  });

  it('is on the screen, in the file and in the API', async () => {
    const get = (path: string) =>
      request(whole.app)
        .get(`/project/${whole.project}/overview${path}range=last_7_days&compare=none&goal=${goal}`)
        .set('Cookie', whole.owner);
    const { text } = await get('/table.csv?details=page&sort=conversions&').expect(200);
    const [head, first] = text.split('\r\n');
    expect(head).toMatch(/,scroll_depth,conversions_here,conversion_rate$/);
    expect(first).toMatch(/^\/produtos,.*,2,1$/);
    expect((await get('/table.csv?details=country&').expect(200)).text).toMatch(
      /,converted_visits,converted_visits_rate\r\nBR,.*,1,0\.5\r\n/,
    );
    const page = (await get('?details=page&explain=page&').expect(200)).text;
    expect(page).toContain('sort=conversionRate');
    expect(page).not.toContain('per=visit');
    expect(page).toMatch(/title="1 of 2[^"]*">50.0%/);
    expect(page).toContain('visitors of the page who converted in the period, on any page');
    expect(page).toContain('pages.visitors');
    expect((await get('?details=event&').expect(200)).text).toContain('sort=conversionRate');

    const ask = await api();
    const asked = `dimension=page&more=true&goal=${goal}`;
    const { body } = await ask(asked).expect(200);
    expect(body).toEqual({ ...nothingToNote, ...(await table('page', { more: true, goal })) });
    expect((await ask(`${asked}&sort=-conversions`).expect(200)).body.rows.at(-1)[0]).toBe('/produtos');
    await ask('dimension=page&more=true&goal=999999').expect(404);
  });
});

it('says the same by the API', async () => {
  const ask = await api();
  for (const dimension of ['page', 'utmSource', 'viewportWidth', 'event', 'outbound'] as const) {
    const { body } = await ask(`dimension=${dimension}&more=true`).expect(200);
    expect(body).toEqual({ ...nothingToNote, ...(await table(dimension, { more: true })) });
  }
  const { body: plain } = await ask('dimension=event&more=false').expect(200);
  expect(plain).toEqual({ ...nothingToNote, ...(await table('event')) });
  await ask('dimension=shoeSize').expect(400);
});

it('names the app of an in-app browser instead of the browser in it, and filters by it', async () => {
  const made = await callsOf(whole)
    .mutation(whole.owner, 'projects.create', { team: whole.team, name: 'Apps', timeZone: 'UTC', weekStart: 1 })
    .expect(200);
  const { id } = made.body.result.data.json;
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [id]);
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const visits = [
    { $browser: 'Mobile Safari', $raw_user_agent: `${iphone} Mobile/15E148 Instagram 406.0.0.27.84` },
    { $browser: 'Chrome', $webview_app: 'TikTok' },
    { $browser: 'Chrome', $webview_app: 'TikTok' },
    { $browser: 'Chrome' },
  ];
  const batch = visits.map((device, at) => ({
    ...{ event: '$pageview', distinct_id: `visitor ${at}` },
    properties: {
      $raw_user_agent: iphone,
      ...device,
      $lib: 'web',
      $session_id: uuidV7(Date.now()),
      $current_url: `${site}/`,
    },
  }));
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
  const rows = async (more: object) => {
    const { rows: found } = await table('browser', { project: String(id), ...more });
    return found.map(([value, , count]) => [value, count]);
  };
  expect(await rows({})).toEqual([
    ['TikTok', 2],
    ['Chrome', 1],
    ['Instagram', 1],
  ]);
  const of = [{ about: 'session', name: 'browser', operator: 'equals', values: ['TikTok'] }];
  expect(await rows({ filters: { match: 'all', of } })).toEqual([['TikTok', 2]]);
});

describe('as a file', () => {
  const file = (query: string, cookie = whole.owner, language = 'en') =>
    request(whole.app)
      .get(`/project/${whole.project}/overview/table.csv?range=last_7_days&${query}`)
      .set('Cookie', cookie)
      .set('Accept-Language', language);

  it('has the rows and columns of the screen, in its order, the same in every language', async () => {
    const english = await file('compare=none&details=browser&sort=value').expect(200);
    expect(english.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(english.headers['content-disposition']).toMatch(
      /^attachment; filename="browser-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d.csv"$/,
    );
    expect(english.headers['cache-control']).toBe('private, no-store');
    expect(english.text).toBe(
      [
        'browser,visitors,visits,share,bounce_rate,duration_seconds',
        'Firefox,2,2,0.5,0.5,2',
        'Mobile Safari,2,2,0.5,0.5,2',
        '',
      ].join('\r\n'),
    );
    expect((await file('compare=none&details=browser&sort=value', whole.owner, 'pt-BR')).text).toBe(english.text);
  });

  it('is written as the account has chosen, by its language at first', async () => {
    const { cookie, email } = await joinTeam(whole, {
      ...{ team: whole.team, role: 'viewer', name: 'Bia', cookie: whole.owner },
    });
    const set = (over: object) =>
      callsOf(whole)
        .mutation(cookie, 'accounts.own.setProfile', { name: 'Bia', language: 'pt-BR', timeZone: 'UTC', ...over })
        .expect(200);
    const query = 'compare=none&details=browser&sort=value';
    await set({});
    const semicolons = await file(query, cookie).expect(200);
    expect(semicolons.text.split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFbrowser;visitors;visits;share;bounce_rate;duration_seconds',
      'Firefox;2;2;0,5;0,5;2',
    ]);
    await set({ tableFormat: 'comma' });
    expect((await file(query, cookie)).text).toBe((await file(query)).text);
    await set({ tableFormat: 'xlsx' });
    const workbook = await file(query, cookie).buffer().parse(asBuffer).expect(200);
    expect(workbook.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(workbook.headers['content-disposition']).toMatch(/^attachment; filename="browser-[\d-]+\.xlsx"$/);
    const { sheets } = await readXlsx(workbook.body);
    expect(sheets[0]?.rows.slice(0, 2)).toEqual([
      ['browser', 'visitors', 'visits', 'share', 'bounce_rate', 'duration_seconds'],
      ['Firefox', 2, 2, 0.5, 0.5, 2],
    ]);
    await callsOf(whole).mutation(cookie, 'accounts.own.setProfile', { name: 'Bia', language: 'en', timeZone: 'UTC' });
    const kept = await database.query('select table_format from users where email = $1', [email]);
    expect(kept).toEqual([{ table_format: 'xlsx' }]);
  });

  it('compares as the screen does', async () => {
    const { text } = await file('compare=previous&details=event').expect(200);
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'event,visitors,events,share,previous,change',
      '$pageview,4,6,0.5,1,5',
    ]);
  });

  it('holds what was looked for, by what is sent and by the names in the reader’s language', async () => {
    const found = async (query: string, language = 'en') =>
      (await file(`compare=none&${query}`, whole.owner, language)).text.split('\r\n').slice(1, -1);
    expect(await found('details=country&find=brazil')).toEqual([expect.stringMatching(/^BR,/)]);
    expect(await found('details=country&find=brasil', 'pt-BR')).toEqual([expect.stringMatching(/^BR,/)]);
    expect(await found('details=country&find=brasil')).toEqual([]);
    expect(await found('details=page&find=prod')).toEqual([expect.stringMatching(/^\/produtos,/)]);
  });

  it('is filtered as the screen, and runs nothing in a spreadsheet', async () => {
    const { text } = await file('compare=none&details=utmCampaign&filter=country:equals:BR').expect(200);
    expect(text.split('\r\n')[1]).toMatch(/^colheita,2,2,1,/);
    const terms = await file('compare=none&details=utmTerm').expect(200);
    expect(terms.text).toContain("\r\n'=1+1,1,1,0.25,");
  });

  it('is refused without access, and for an unknown table', async () => {
    const { cookie } = await joinTeam(whole, { team: whole.team, role: 'viewer', name: 'Vera', cookie: whole.owner });
    await file('details=page', cookie).expect(200);
    await file('details=page&filter=person.email:equals:a', cookie).expect(403);
    await file('details=page', '').expect(401);
    await file('', whole.owner).expect(400);
    await file('details=password', whole.owner).expect(400);
    await request(whole.app)
      .get('/project/999999/overview/table.csv?details=page')
      .set('Cookie', whole.owner)
      .expect(404);
  });
});

describe('pages of several hosts', () => {
  let project = '';

  /** @param views who saw which page of which host, each in a visit of their own */
  async function projectWith(views: [distinctId: string, host: string | null, path: string, daysBack?: number][]) {
    const made = await callsOf(whole)
      .mutation(whole.owner, 'projects.create', { team: whole.team, name: 'Hosts', timeZone: 'UTC', weekStart: 1 })
      .expect(200);
    const { id } = made.body.result.data.json;
    const now = whole.parts.rooms.deps.clock.now();
    await whole.parts.rooms.events.store(
      views.flatMap(([distinctId, host, path, daysBack = 0], at) => {
        const ts = now - daysBack * 86_400_000 - 60_000 + at * 100;
        const common = { distinctId, host, path, session: sessionId(`${id} ${at}`), bot: false, referringDomain: null };
        const end = { $prev_pageview_pathname: path, $prev_pageview_duration: (at + 1) * 10 };
        return [
          finishedEvent(id, { ...common, uuid: uuidV7(ts), event: '$pageview', ts }),
          finishedEvent(id, { ...common, uuid: uuidV7(ts + 9), event: '$pageleave', ts: ts + 9, loose: end }),
          finishedEvent(id, {
            ...{ ...common, uuid: uuidV7(ts + 5), event: '$web_vitals', ts: ts + 5 },
            loose: { $web_vitals_LCP_value: (at + 1) * 1_000 },
          }),
        ];
      }),
    );
    project = String(id);
  }

  const of = (dimension: BreakdownDimension, more?: object) => table(dimension, { project, ...more });
  const csv = async (query: string, name = 'table') =>
    (
      await request(whole.app)
        .get(`/project/${project}/overview/${name}.csv?range=last_7_days&compare=none&${query}`)
        .set('Cookie', whole.owner)
        .expect(200)
    ).text
      .trim()
      .split('\r\n');

  it('are found by letters that browsers send as bytes', async () => {
    await projectWith([
      ['ana', 'shop.example', '/busca/caf%C3%A9'],
      ['bia', 'shop.example', '/busca/cha'],
    ]);
    for (const find of ['/BUSCA/café', 'caf%c3', '/busca/cafe']) {
      const { rows } = await of('page', { order: { sort: 'count', reversed: false, find, page: 1 } });
      expect([find, rows.map(([value]) => value)]).toEqual([find, ['/busca/café']]);
      expect((await csv(`details=page&find=${encodeURIComponent(find)}`)).slice(1)).toEqual([
        expect.stringMatching(/^\/busca\/café,/),
      ]);
    }
  });

  it('are separated by host, in a separate column', async () => {
    await projectWith([
      ['ana', 'shop.example', '/'],
      ['bia', 'shop.example', '/'],
      ['ana', 'blog.example', '/'],
      ['caio', 'www.shop.example', '/'],
      ['davi', null, '/'],
      ['bia', 'blog.example', '/news'],
    ]);
    const pages = await of('page', { more: true });
    expect(pages.cols.at(-1)).toBe('host');
    const time = pages.cols.indexOf('timeOnPage');
    expect(pages.rows.map((row) => [row.at(-1), ...row.slice(0, 3), ...row.slice(4, 7), row[time]])).toEqual([
      ['shop.example', '/', 2, 2, 2, 2, 2, 15],
      ['', '/', 1, 1, 1, 1, 1, 50],
      ['blog.example', '/', 1, 1, 1, 1, 1, 30],
      ['www.shop.example', '/', 1, 1, 1, 1, 1, 40],
      ['blog.example', '/news', 1, 1, 1, 1, 1, 60],
    ]);
    const found = await of('page', { order: { sort: 'count', reversed: false, find: 'BLOG.example/n', page: 1 } });
    expect(found.rows.map(([value]) => value)).toEqual(['/news']);
    for (const dimension of ['entryPage', 'exitPage'] as const) {
      expect((await of(dimension)).rows.map((row) => [row.at(-1), row[2]])).toEqual([
        ...[
          ['shop.example', 2],
          ['', 1],
          ['blog.example', 1],
          ['www.shop.example', 1],
          ['blog.example', 1],
        ],
      ]);
    }

    expect((await csv('details=page&find=/news'))[0]).toMatch(/^page,host,visitors,views,share,/);
    expect((await csv('details=page&find=blog'))[1]).toMatch(/^\/,blog.example,1,1,/);
    expect((await csv('vital=LCP', 'vitals')).filter((line) => /^vital|^LCP/.test(line))).toEqual([
      'vital,page,host,p75,measurements,good,poor,rating',
      'LCP,(all pages),,4750,6,2,2,poor',
      'LCP,/,shop.example,1750,2,2,0,good',
      'LCP,/,,5000,1,0,1,poor',
      'LCP,/,blog.example,3000,1,0,0,fair',
      'LCP,/,www.shop.example,4000,1,0,0,fair',
      'LCP,/news,blog.example,6000,1,0,1,poor',
    ]);
  });

  it('lead to the filter by both, on the screen too', async () => {
    const html = async (query: string) =>
      (
        await request(whole.app)
          .get(`/project/${project}/overview?range=last_7_days&compare=none&${query}`)
          .set('Cookie', whole.owner)
          .expect(200)
      ).text;
    const page = await html('details=page');
    expect(page).toContain('blog.example/news');
    expect(page).toContain(`filter=host:equals:blog.example&amp;filter=page:equals:/news`);
    const entry = await html('details=entryPage');
    expect(entry).toContain('filter=entryHost:equals:blog.example&amp;filter=entryPath:equals:/news');

    const filters = {
      match: 'all',
      of: [
        { about: 'event', name: '$host', operator: 'equals', values: ['blog.example'] },
        { about: 'event', name: '$pathname', operator: 'equals', values: ['/'] },
      ],
    };
    const one = await of('page', { filters });
    expect(one.cols).not.toContain('host');
    expect(one.rows).toEqual([['/', 1, 1, null]]);
  });

  it('are not separated when the range has one host, regardless of the previous period', async () => {
    await projectWith([
      ['ana', 'shop.example', '/'],
      ['ana', null, '/'],
      ['bia', 'shop.example', '/a'],
      ['caio', 'old.example', '/', 8],
      ['davi', 'older.example', '/', 8],
    ]);
    const pages = await of('page', { more: true, compare: 'previous' });
    expect(pages.cols).not.toContain('host');
    expect(pages.rows.map((row) => [...row.slice(0, 7), row[pages.cols.indexOf('timeOnPage')]])).toEqual([
      ['/', 1, 2, 2, 2, 2, 2, 15],
      ['/a', 1, 1, 0, 1, 1, 1, 30],
    ]);
    expect((await csv('details=page'))[0]).toMatch(/^page,visitors,views,share,/);
    expect((await csv('vital=LCP', 'vitals')).filter((line) => /^vital|^LCP/.test(line))).toEqual([
      'vital,page,p75,measurements,good,poor,rating',
      'LCP,(all pages),2500,3,2,0,good',
      'LCP,/,1750,2,2,0,good',
      'LCP,/a,3000,1,0,0,fair',
    ]);
  });
});

describe('the pages of a vital in full', () => {
  let project = '';
  const ask = async (more: object) => {
    const question = { project, range: 'last_7_days', vital: 'LCP', limit: 2, ...more };
    const { body } = await callsOf(whole).query(whole.owner, 'insights.query.vitals', question).expect(200);
    return body.result.data.json;
  };
  const pages = async (order?: object) => {
    const by = { sort: 'count', reversed: false, find: '', page: 1, ...order };
    const { pages, total, other } = await ask(order ? { order: by } : {});
    return [pages.map(({ page }: { page: string }) => page), total, other];
  };

  beforeAll(async () => {
    const made = await callsOf(whole)
      .mutation(whole.owner, 'projects.create', { team: whole.team, name: 'Vitals', timeZone: 'UTC', weekStart: 1 })
      .expect(200);
    const { id } = made.body.result.data.json;
    project = String(id);
    const now = whole.parts.rooms.deps.clock.now();
    const measured = (path: string, value: number, times: number) =>
      Array.from({ length: times }, (_, at) => {
        const ts = now - 60_000 + at * 10;
        return finishedEvent(id, {
          ...{ uuid: uuidV7(ts), event: '$web_vitals', distinctId: path, ts, session: sessionId(`${path} ${at}`) },
          ...{ path, bot: false, referringDomain: null, loose: { $web_vitals_LCP_value: value } },
        });
      });
    await whole.parts.rooms.events.store([
      ...measured('/a', 1_000, 12),
      ...measured('/caf%C3%A9', 3_000, 11),
      ...measured('/slow', 5_000, 10),
      ...measured('/seldom', 9_000, 9),
    ]);
  });

  it('come by measurements, and so many at a time', async () => {
    expect(await pages()).toEqual([['/a', '/café'], 4, { pages: 2, samples: 19 }]);
    expect(await pages({ page: 2 })).toEqual([['/slow', '/seldom'], 4, { pages: 2, samples: 23 }]);
    expect((await pages({ page: 3 }))[0]).toEqual([]);
    expect((await pages({ reversed: true }))[0]).toEqual(['/seldom', '/slow']);
  });

  it('come by what was measured, those with few measurements last', async () => {
    expect((await pages({ sort: 'percentile' }))[0]).toEqual(['/slow', '/café']);
    expect((await pages({ sort: 'percentile', page: 2 }))[0]).toEqual(['/a', '/seldom']);
    expect((await pages({ sort: 'percentile', reversed: true }))[0]).toEqual(['/a', '/café']);
    expect((await pages({ sort: 'good' }))[0]).toEqual(['/a', '/café']);
    expect((await pages({ sort: 'value', reversed: true }))[0]).toEqual(['/slow', '/seldom']);
  });

  it('are found by what their path holds', async () => {
    expect(await pages({ find: 'CAFÉ' })).toEqual([['/café'], 1, { pages: 3, samples: 31 }]);
  });

  it('are a page whose rows filter, and a file in its order', async () => {
    const get = async (address: string) =>
      (await request(whole.app).get(`/project/${project}/overview${address}`).set('Cookie', whole.owner).expect(200))
        .text;
    const html = await get('?range=last_7_days&details=vitals&sort=percentile');
    expect(html).toContain('filter=page:equals:/slow');
    expect(html.indexOf('Not enough data')).toBeGreaterThan(html.indexOf('filter=page:equals:/a'));
    const lines = (await get('/vitals.csv?range=last_7_days&details=vitals&sort=percentile&find=s'))
      .trim()
      .split('\r\n');
    expect(lines.slice(5)).toEqual(['LCP,/slow,5000,10,0,10,poor', 'LCP,/seldom,9000,9,0,9,poor']);
    // That of the overview leaves out nothing, and is not sorted by what only other tables have.
    expect((await get('/vitals.csv?range=last_7_days&sort=visitors&find=s')).trim().split('\r\n')).toHaveLength(9);
    await request(whole.app)
      .get(`/project/${project}/overview/table.csv?details=vitals`)
      .set('Cookie', whole.owner)
      .expect(400);
  });
});

describe('a table of more rows than are given at once', () => {
  const PAGES = 1_203;
  let project = '';
  const path = (at: number) => `/p/${String(at).padStart(4, '0')}`;
  const ask = async (order?: object): Promise<Breakdown> => {
    const question = { project, range: 'last_7_days', compare: 'none', dimension: 'page', limit: 1000, more: true };
    const { body } = await callsOf(whole)
      .query(whole.owner, 'insights.query.breakdown', { ...question, ...(order && { order }) })
      .expect(200);
    return body.result.data.json;
  };
  const values = ({ rows }: Breakdown) => rows.map(([value]) => value);

  beforeAll(async () => {
    const made = await callsOf(whole)
      .mutation(whole.owner, 'projects.create', { team: whole.team, name: 'Long', timeZone: 'UTC', weekStart: 1 })
      .expect(200);
    const { id } = made.body.result.data.json;
    project = String(id);
    const now = whole.parts.rooms.deps.clock.now();
    const views = Array.from({ length: PAGES + 2 }, (_, at) =>
      finishedEvent(id, {
        ...{ uuid: uuidV7(now - at), event: '$pageview', distinctId: `d${at % 50}`, session: sessionId(`s${at % 50}`) },
        // The last page is seen three times.
        ...{ ts: now - 3_600_000 + at, bot: false, path: path(Math.min(at, PAGES - 1)), referringDomain: '$direct' },
      }),
    );
    for (let at = 0; at < views.length; at += 400) await whole.parts.rooms.events.store(views.slice(at, at + 400));
  });

  it('is given page by page, in any order, and searched as a whole', async () => {
    const first = await ask();
    expect(first).toMatchObject({ total: PAGES, count: PAGES + 2, other: { values: 203, count: 203 } });
    expect(values(first).slice(0, 2)).toEqual([path(1_202), path(0)]);

    const order = { sort: 'value', reversed: true, find: '', page: 1 };
    const [one, two, three] = [await ask(order), await ask({ ...order, page: 2 }), await ask({ ...order, page: 3 })];
    const wanted = Array.from({ length: PAGES }, (_, at) => path(PAGES - 1 - at));
    expect([...values(one), ...values(two), ...values(three)]).toEqual(wanted);
    expect([one.other.values, two.other.values, three.total]).toEqual([203, 1_000, PAGES]);
    const rare = await ask({ ...order, sort: 'count', reversed: true });
    expect(rare.rows.at(-1)?.[2]).toBe(1);
    const found = await ask({ ...order, reversed: false, find: 'P/12' });
    expect([values(found), found.total]).toEqual([[path(1_200), path(1_201), path(1_202)], 3]);
    expect(found.rows.map(([, visitors]) => visitors)).toEqual([1, 1, 3]);
  });

  it('is whole in its file, and can be turned round', async () => {
    const { text } = await request(whole.app)
      .get(`/project/${project}/overview/table.csv?range=last_7_days&compare=none&details=page&sort=-value`)
      .set('Cookie', whole.owner)
      .expect(200);
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(PAGES + 1);
    expect([lines[1], lines.at(-1)]).toEqual([
      expect.stringMatching(/^\/p\/1202,3,3,/),
      expect.stringMatching(/^\/p\/0000,1,1,/),
    ]);
  });

  it('is a page of links without scripts', async () => {
    const page = async (query: string) =>
      (
        await request(whole.app)
          .get(`/project/${project}/overview?range=last_7_days&compare=none&details=page${query}`)
          .set('Cookie', whole.owner)
          .expect(200)
      ).text;
    const first = await page('');
    expect(first).toContain('rel="next"');
    expect(first).not.toContain('rel="prev"');
    const last = await page('&sort=-value&page=2');
    expect(last).toMatch(/aria-sort="descending"[^>]*><a [^>]*sort=value[^"]*"/);
    expect(last).toContain('1,001–1,203');
    const rows = last.slice(last.indexOf('<tbody'), last.indexOf('</tbody'));
    expect(rows.match(/<tr/g)).toHaveLength(203);
    expect([rows.includes('/p/0202'), rows.includes('/p/0000'), rows.includes('/p/0203')]).toEqual([true, true, false]);
    expect(last).not.toContain('rel="next"');
  });
});
