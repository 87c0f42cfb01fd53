/** The worked examples of the definitions, end to end: sent to `/ingest` as clients send them, asked over HTTP as screens ask. */
import request from 'supertest';
import type { Breakdown, Overview } from '#src/insights/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf } from '#test/kit/people.ts';
import type { TEST_TEAM } from '#test/kit/reader.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);

/** Two days that are over, in São Paulo, where the clock is three hours behind UTC all year. */
const dayMs = 86_400_000;
const second = new Date(Date.now() - 2 * dayMs).toISOString().slice(0, 10);
const first = new Date(Date.parse(second) - dayMs).toISOString().slice(0, 10);
let project: Project;

beforeEach(async () => {
  const teamId = whole.team as typeof TEST_TEAM;
  project = await whole.parts.rooms.projects.create({ name: 'examples', timeZone: 'America/Sao_Paulo', teamId });
});

function at(clock: string, day = second): number {
  return Date.parse(`${day}T${clock.padEnd(8, ':00')}-03:00`);
}

interface Sent {
  event?: string;
  person?: string;
  ts: number;
  session?: string | null;
  path?: string;
  properties?: object;
}

/** In the order given, each in a request of its own. */
async function send(...events: Sent[]): Promise<void> {
  for (const { event = '$pageview', person = 'browser', ts, session, path = '/', properties = {} } of events) {
    const body = {
      ...{ api_key: project.token, event, distinct_id: person, timestamp: new Date(ts).toISOString() },
      properties: {
        ...(session === null ? {} : { $session_id: session ?? visitAt(at('09:59')) }),
        ...{ $current_url: `https://shop.example${path}`, $pathname: path.split('?')[0], $host: 'shop.example' },
        ...properties,
      },
    };
    await request(whole.app).post('/ingest/e/').send(body).expect(200);
  }
}

const visits = new Map<number, string>();

/** A session id that a client made then; the same for the same moment. */
function visitAt(ts: number): string {
  const known = visits.get(ts) ?? uuidV7(ts);
  visits.set(ts, known);
  return known;
}

async function overview(from = second, to = from): Promise<Overview> {
  const input = { project: String(project.id), range: { from, to }, compare: 'none' };
  const { body } = await callsOf(whole).query(whole.owner, 'insights.query.overview', input).expect(200);
  return body.result.data.json;
}

async function numbers(from = second, to = from) {
  const { metrics } = await overview(from, to);
  const { visitors, visits, views, bounceRate } = metrics;
  return { visitors: visitors.value, visits: visits.value, views: views.value, bounceRate: bounceRate.value };
}

async function channels(): Promise<[string, number][]> {
  const range = { from: second, to: second };
  const input = { project: String(project.id), range, compare: 'none', dimension: 'channel', limit: 100 };
  const { body } = await callsOf(whole).query(whole.owner, 'insights.query.breakdown', input).expect(200);
  return (body.result.data.json as Breakdown).rows.map(([value, , count]) => [value, count]);
}

describe('A, sessions and bounce', () => {
  it.each<[string, Sent[], object]>([
    [
      'left after 8 seconds',
      [{ ts: at('10:00:00') }, { event: '$pageleave', ts: at('10:00:08') }],
      { visits: 1, bounceRate: 1 },
    ],
    [
      'left after 10 seconds',
      [{ ts: at('10:00:00') }, { event: '$pageleave', ts: at('10:00:10') }],
      { visits: 1, bounceRate: 0 },
    ],
    [
      'a click in between',
      [
        { ts: at('10:00:00') },
        { event: '$autocapture', ts: at('10:00:03') },
        { event: '$pageleave', ts: at('10:00:08') },
      ],
      { visits: 1, bounceRate: 0 },
    ],
    [
      'only an event of their own',
      [{ event: 'ping', ts: at('10:00') }],
      { visitors: 0, visits: 0, views: 0, bounceRate: null },
    ],
  ])('%s', async (_, events, expected) => {
    await send(...events);
    expect(await numbers()).toMatchObject(expected);
  });

  it('restarts after more than 30 minutes', async () => {
    await send(
      { ts: at('10:00'), session: visitAt(at('10:00')) },
      { ts: at('10:29:59'), session: visitAt(at('10:00')) },
      { ts: at('11:00'), session: visitAt(at('11:00')) },
    );
    expect(await numbers()).toMatchObject({ visits: 2, views: 3, visitors: 1 });
  });

  it('belongs to the day on which it began', async () => {
    const session = visitAt(at('23:50', first));
    await send({ ts: at('23:50', first), session }, { ts: at('00:10'), session });
    expect(await numbers(first)).toMatchObject({ visits: 1, views: 1, visitors: 1 });
    expect(await numbers(second)).toMatchObject({ visits: 0, views: 1, visitors: 1 });
    expect(await numbers(first, second)).toMatchObject({ visits: 1, views: 2, visitors: 1 });
  });

  it('has the same visitors in the headline, in its row, and in the headline filtered by the row', async () => {
    const [night, shared] = [visitAt(at('23:50', first)), visitAt(at('10:00'))];
    await send({ ts: at('23:50', first), session: night }, { ts: at('00:10'), session: night });
    for (const person of ['one', 'another']) await send({ ts: at('10:00'), session: shared, person });
    const asked = { project: String(project.id), range: { from: second, to: second }, compare: 'none' };
    const calls = callsOf(whole);
    const table = await calls
      .query(whole.owner, 'insights.query.breakdown', { ...asked, dimension: 'entryPage' })
      .expect(200);
    expect(table.body.result.data.json.rows).toEqual([['/', 3, 1, null]]);
    const filters = {
      match: 'all',
      of: [{ about: 'session', name: 'entryPath', operator: 'equals', values: ['/'] }],
    };
    const { body } = await calls.query(whole.owner, 'insights.query.overview', { ...asked, filters }).expect(200);
    const { visitors, visits } = body.result.data.json.metrics;
    expect([visitors.value, visits.value]).toEqual([3, 1]);
    expect(await numbers()).toMatchObject({ visitors: 3, visits: 1 });
  });
});

it('B: six bounces of nine visits that have a view', async () => {
  const visit = (n: number): string => visitAt(at(`1${n}:00`));
  for (let n = 0; n < 9; n++) await send({ ts: at(`1${n}:00`), session: visit(n) });
  for (let n = 0; n < 3; n++) await send({ ts: at(`1${n}:00:05`), session: visit(n) });
  await send({ event: 'ping', ts: at('20:00'), session: visitAt(at('20:00')) });
  expect((await overview()).metrics.bounceRate).toMatchObject({
    value: 6 / 9,
    parts: { numerator: 6, denominator: 9 },
  });
});

it.each<[string, string, object]>([
  ['/?utm_source=newsletter&utm_medium=email', 'Email', { utm_source: 'newsletter', utm_medium: 'email' }],
  ['/?utm_source=facebook&utm_medium=cpc', 'Paid Social', { utm_source: 'facebook', utm_medium: 'cpc' }],
  [
    '/?gclid=x',
    'Paid Search',
    { gclid: 'x', $referrer: 'https://www.google.com/', $referring_domain: 'www.google.com' },
  ],
  ['/', 'Organic Social', { $referrer: 'https://wa.me/', $referring_domain: 'wa.me' }],
  ['/', 'AI', { $referrer: 'https://chatgpt.com/', $referring_domain: 'chatgpt.com' }],
  ['/?utm_source=foo', 'Direct', { utm_source: 'foo', $referrer: '$direct', $referring_domain: '$direct' }],
  ['/', 'Referral', { $referrer: 'https://blog.example/a', $referring_domain: 'blog.example' }],
  ['/', 'Direct', { $referrer: 'https://shop.example/', $referring_domain: 'shop.example' }],
])('F: %s is %s with %j', async (path, channel, properties) => {
  await send({ ts: at('10:00'), path, properties });
  expect(await channels()).toEqual([[channel, 1]]);
});

it('G: two browsers and a server are one person; another sign-in without a reset is a second one', async () => {
  const identify = (person: string, from: string, minute: string): Sent => ({
    ...{ event: '$identify', person, ts: at(`10:${minute}`), properties: { $anon_distinct_id: from } },
  });
  await send(
    ...['00', '01', '02'].map((minute) => ({ person: 'a1', ts: at(`10:${minute}`) })),
    identify('u1', 'a1', '03'),
    { event: 'paid', person: 'u1', ts: at('10:04'), session: null },
    { person: 'a2', ts: at('10:05'), session: visitAt(at('10:05')) },
    identify('u1', 'a2', '06'),
  );
  expect(await numbers()).toMatchObject({ visitors: 1, views: 4 });
  await send(identify('u2', 'u1', '07'), { person: 'u2', ts: at('10:08') });
  expect(await numbers()).toMatchObject({ visitors: 2, views: 5 });
  const warnings = await database.query('select reason from ingestion_warnings where project_id = $1', [project.id]);
  expect(warnings).toHaveLength(1);
});

it('H: half past two in the night, UTC, is half past eleven in the evening before', async () => {
  await send({ ts: Date.parse(`${second}T02:30:00Z`), session: null });
  const before = await overview(first);
  expect(before.metrics.views.value).toBe(1);
  expect(before.series.views.indexOf(1)).toBe(23);
  expect(await numbers(second)).toMatchObject({ views: 0 });
});

describe('by a key', () => {
  let key: string;

  beforeAll(async () => {
    const input = { name: 'examples', scopes: ['query:read'], projects: null, days: 'never' };
    const made = await callsOf(whole).mutation(whole.owner, 'projects.apiKeys.create', input).expect(200);
    key = made.body.result.data.json.key;
  });

  async function ask(what: string, question: object) {
    const address = `/api/v1/projects/${project.id}/query/${what}`;
    return (await request(whole.app).post(address).set('Authorization', `Bearer ${key}`).send(question).expect(200))
      .body;
  }

  /** One after the other, hours after the midnight that day. */
  function course(person: string, day: string, ...events: [event: string, hours: number][]): Sent[] {
    return events.map(([event, hours]) => ({ event, person, session: null, ts: at('00:00', day) + hours * 3_600_000 }));
  }

  it('C: funnels of three steps within a day', async () => {
    const day = new Date(Date.parse(second) - 3 * dayMs).toISOString().slice(0, 10);
    await send(
      ...course('p1', day, ['A', 0], ['B', 1], ['C', 2]),
      ...course('p2', day, ['A', 0], ['C', 1], ['B', 2]),
      ...course('p3', day, ['A', 0], ['X', 0.5], ['B', 1], ['C', 2]),
      ...course('p4', day, ['A', 0], ['B', 1], ['C', 25]),
      ...course('p5', day, ['A', 0], ['A', 23], ['B', 24.5], ['C', 25]),
      ...course('p6', day, ['B', 0], ['C', 1]),
    );
    const question = {
      range: { from: day, to: second },
      steps: ['A', 'B', 'C'].map((event) => ({ event })),
      conversionWindow: { count: 1, unit: 'day' },
    };
    const counts = async (more: object = {}) => {
      const { total, excluded, open } = await ask('funnel', { ...question, ...more });
      expect(open).toBe(0);
      return [...total.steps.map(({ count }: { count: number }) => count), excluded];
    };
    expect(await counts()).toEqual([5, 5, 3, 0]);
    expect(await counts({ order: 'strict' })).toEqual([5, 3, 2, 0]);
    expect(await counts({ order: 'any' })).toEqual([6, 6, 4, 0]);
    const { total } = await ask('funnel', question);
    expect(total.steps[2]).toMatchObject({ conversionFromStart: 0.6, conversionFromPrevious: 0.6 });
    await send(...course('p7', day, ['A', 0], ['E', 0.5], ['B', 1], ['C', 2]));
    expect(await counts()).toEqual([6, 6, 4, 0]);
    expect(await counts({ exclusions: [{ event: { event: 'E' }, afterStep: 1, beforeStep: 2 }] })).toEqual([
      5, 5, 3, 1,
    ]);
  });

  it('D: who came back in which week', async () => {
    const today = Date.parse(new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10));
    const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * dayMs - 28 * dayMs;
    const inWeek = (week: number) => new Date(monday + week * 7 * dayMs + dayMs).toISOString().slice(0, 10);
    const used = (person: string, ...weeks: number[]) =>
      weeks.flatMap((week) => course(person, inWeek(week), ['use', 12]));
    await send(...used('u1', 0, 2), ...used('u2', 0, 1), ...used('u3', 1, 3), ...used('u4', -3, 0));
    const question = {
      ...{ range: { from: inWeek(0), to: inWeek(3) }, period: 'week' },
      ...{ startEvent: { event: 'use' }, returningEvent: { event: 'use' } },
    };
    const cohorts = async (more: object = {}) => (await ask('retention', { ...question, ...more })).rows[0].cohorts;
    expect((await cohorts()).slice(0, 2)).toEqual([
      { size: 2, returned: [2, 1, 1, 0] },
      { size: 1, returned: [1, 0, 1] },
    ]);
    expect((await cohorts({ rolling: true }))[0]).toEqual({ size: 2, returned: [2, 2, 1, 0] });
    expect((await cohorts({ kind: 'recurring' }))[0].size).toBe(3);
  });

  it('I: active within seven days', async () => {
    const dayOf = (place: number) => new Date(Date.parse(second) - (12 - place) * dayMs).toISOString().slice(0, 10);
    await send(
      ...course('a', dayOf(1), ['use', 9]),
      ...course('b', dayOf(3), ['use', 9]),
      ...course('a', dayOf(9), ['use', 9]),
    );
    for (const measure of ['wau', 'weeklyActive']) {
      const { series } = await ask('trends', {
        ...{ range: { from: dayOf(7), to: dayOf(10) }, interval: 'day' },
        series: [{ event: { event: 'use' }, measure }],
      });
      expect(series[0].rows[0].points).toEqual([2, 1, 2, 1]);
    }
  });

  it('keeps questions about persons from a key that may not know of them', async () => {
    const about = (more: object) => ({ range: 'last_7_days', steps: [{ event: 'A' }, { event: 'B' }], ...more });
    for (const more of [
      { breakdown: { about: 'person', name: 'email' } },
      { people: { match: 'all', of: [{ has: { name: 'email', operator: 'isSet' } }] } },
      { people: { match: 'all', of: [{ listed: { distinctIds: ['ana'] } }] } },
      {
        steps: [
          { event: 'A' },
          { event: 'B', filters: { match: 'all', of: [{ about: 'event', name: '$ip', operator: 'isSet' }] } },
        ],
      },
    ]) {
      const address = `/api/v1/projects/${project.id}/query/funnel`;
      await request(whole.app).post(address).set('Authorization', `Bearer ${key}`).send(about(more)).expect(403);
    }
    const largest = { event: { event: 'A' }, measure: { property: '$user_id', as: 'max' } };
    await request(whole.app)
      .post(`/api/v1/projects/${project.id}/query/trends`)
      .set('Authorization', `Bearer ${key}`)
      .send({ range: 'last_7_days', series: [largest] })
      .expect(403);
    await ask('funnel', about({ people: { match: 'all', of: [{ did: { event: 'A' } }] } }));
  });
});
