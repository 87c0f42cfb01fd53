/** Worked example F: what a browser sends about its referrer, through the collector, to the table of referring domains. */
import { createColumns } from '#src/columns/columns.ts';
import { runBreakdown } from '#src/insights/kinds/breakdown/run.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';

const database = useDatabase({ between: 'nothing' });
let collector: TestCollector;

beforeAll(async () => {
  collector = await startCollector(database.url);
});
afterAll(() => collector.stop());

it('F. tells the domains apart; own pages and campaigns without a referrer are direct', async () => {
  const { projects, deps, url } = collector;
  const project = await projects.create({ name: 'F', timeZone: 'UTC' });
  const now = deps.clock.now();
  const visits: [referrer: string, query: string][] = [
    ['$direct', '?utm_source=newsletter&utm_medium=email'],
    ['https://www.google.com/', '?gclid=x'],
    ['https://wa.me/', ''],
    ['https://chatgpt.com/', ''],
    ['$direct', '?utm_source=foo'],
    ['https://blog.example/post?x=1', ''],
    ['https://shop.example/other', ''],
  ];
  const batch = visits.map(([referrer, query], index) => ({
    uuid: uuidV7(now - index),
    event: '$pageview',
    timestamp: new Date(now - 60_000).toISOString(),
    properties: {
      token: project.token,
      distinct_id: `visitor ${index}`,
      $session_id: uuidV7(now - 60_000),
      $current_url: `https://shop.example/${query}`,
      $host: 'shop.example',
      $pathname: '/',
      $referrer: referrer,
      $lib: 'web',
      $raw_user_agent:
        'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    },
  }));
  const sent = await fetch(`${url}/ingest/e/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: project.token, batch, sent_at: new Date(now).toISOString() }),
  });
  expect(sent.status).toBe(200);
  const question = { range: 'today', compare: 'none', dimension: 'referringDomain', limit: 8 } as const;
  const { rows, count: total } = await runBreakdown(createColumns(deps, { threads: 0 }), project, question, now);
  expect(total).toBe(7);
  expect(rows.map(([value, , count]) => [value, count])).toEqual([
    ['$direct', 3],
    ['blog.example', 1],
    ['chatgpt.com', 1],
    ['wa.me', 1],
    ['www.google.com', 1],
  ]);
});

it('does not count domains on the project’s list: a visit goes on with its source, and one that begins there is direct', async () => {
  const { projects, deps, url } = collector;
  const project = await projects.create({
    name: 'Pay',
    timeZone: 'UTC',
    settings: { ignoredReferrers: ['pay.example'] },
  });
  const now = deps.clock.now();
  const visit = uuidV7(now - 60_000);
  const views: [session: string, referrer: string, path: string][] = [
    [visit, 'https://www.google.com/', '/'],
    [visit, 'https://checkout.pay.example/done', '/obrigado'],
    [uuidV7(now - 50_000), 'https://pay.example/', '/obrigado'],
  ];
  const batch = views.map(([session, referrer, path], at) => ({
    uuid: uuidV7(now - at),
    event: '$pageview',
    timestamp: new Date(now - 45_000 + at * 1_000).toISOString(),
    properties: {
      ...{ distinct_id: 'buyer', $session_id: session, $host: 'shop.example', $pathname: path, $referrer: referrer },
      ...{ $current_url: `https://shop.example${path}`, $lib: 'web' },
      $raw_user_agent:
        'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    },
  }));
  const body = JSON.stringify({ api_key: project.token, batch, sent_at: new Date(now).toISOString() });
  expect((await fetch(`${url}/ingest/e/`, { method: 'POST', body })).status).toBe(200);
  for (const [dimension, wanted] of [
    [
      'referringDomain',
      [
        ['$direct', 1],
        ['www.google.com', 1],
      ],
    ],
    [
      'channel',
      [
        ['Direct', 1],
        ['Organic Search', 1],
      ],
    ],
  ] as const) {
    const question = { range: 'today', compare: 'none', dimension, limit: 8 } as const;
    const { rows } = await runBreakdown(createColumns(deps, { threads: 0 }), project, question, now);
    expect(rows.map(([value, , count]) => [value, count])).toEqual(wanted);
  }
});
