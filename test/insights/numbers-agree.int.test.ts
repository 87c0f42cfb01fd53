/**
 * One history, asked in every way there is: the screen as the server draws it, the calls of the browser, the REST API, the table as a file;
 * and its raw events, taken out as a file and counted by the plain script below. All say the same.
 */

import request from 'supertest';
import type { Filters } from '#src/columns/contract.ts';
import type { GoalFigures } from '#src/insights/contract.ts';
import { type Breakdown, breakdownDimensions, type Overview, type OverviewMetric } from '#src/insights/contract.ts';
import type { Explanation } from '#src/insights/explain/contract.ts';
import type { GoalInput } from '#src/insights/goals/contract.ts';
import type { HeatmapResult } from '#src/insights/kinds/heatmap/contract.ts';
import type { Vital, Vitals } from '#src/insights/kinds/vitals/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { PointPage } from '#src/profiles/points/contract.ts';
import { keyScopes } from '#src/projects/api-keys/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf } from '#test/kit/people.ts';
import type { TEST_TEAM } from '#test/kit/reader.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import type { ValueKind } from '#views/charts/scale.ts';
import { valueText } from '#views/charts/values.ts';
import { insightOf } from '#views/insights/address.ts';
import { inputOf, type KindName, schemas } from '#views/insights/insight.ts';
import { pointFilter } from '#views/insights/point-filter.ts';
import type { AnswerFrame } from '#views/insights/point-query.ts';
import type { Point } from '#views/insights/points.ts';
import { overviewInput } from '#views/question/inputs.ts';
import { readQuestion } from '#views/question/question.ts';
import { en } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const dayMs = 86_400_000;
const day = (back: number): string => new Date(Date.now() - back * dayMs).toISOString().slice(0, 10);
const range = { from: day(4), to: day(2) };
let project: Project;
let key = '';

const PROGRAM = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function history(): object[] {
  const pick = numbers(7);
  const events: object[] = [];
  for (let visit = 0; visit < 120; visit++) {
    let ts = Date.parse(`${day(5)}T18:00:00Z`) + pick(4 * 24 * 60) * 60_000;
    const session = uuidV7(ts);
    const browser = visit % 9 === 4 ? 'of the team' : `browser ${pick(25)}`;
    // Some visits are programs' from the start, in others only some of the events say so.
    const programs = visit % 7 === 3 ? 1 : visit % 11 === 5 ? 2 : 0;
    const domain = ['$direct', 'wa.me', 'blog.example', 'www.google.com'][pick(4)];
    for (let step = pick(5); step >= 0; step--) {
      const event = ['$pageview', '$pageview', '$pageview', '$autocapture', 'order', '$identify'][pick(6)] as string;
      const path = ['/', '/a', '/b', '/c/d', '/é "x", y'][pick(5)];
      const isIdentify = event === '$identify';
      const worth = { total: [19.9, 5, '10.05', 'free'][pick(4)], currency: ['BRL', 'usd', 'BRL'][pick(3)] };
      const chain = pick(2) === 0 ? 'button:text="Comprar"nth-child="1";body' : 'a:text="Ajuda"nth-child="2";body';
      events.push({
        ...{ event, distinct_id: isIdentify ? `user of ${browser}` : browser, uuid: uuidV7(ts) },
        timestamp: new Date(ts).toISOString(),
        properties: {
          ...{
            $session_id: session,
            $host: 'shop.example',
            $current_url: `https://shop.example${path}`,
            $pathname: path,
          },
          ...(programs > 0 && step % programs === 0 ? { $raw_user_agent: PROGRAM } : {}),
          ...{ $referring_domain: domain, $referrer: domain === '$direct' ? domain : `https://${domain}/` },
          ...(isIdentify ? { $anon_distinct_id: browser } : {}),
          ...(event === 'order' ? worth : {}),
          ...(event === '$autocapture' ? { $event_type: 'click', $elements_chain: chain } : {}),
        },
      });
      if (event === '$pageview' && pick(3) > 0) {
        events.push({
          ...{
            event: '$web_vitals',
            distinct_id: browser,
            uuid: uuidV7(ts),
            timestamp: new Date(ts + 500).toISOString(),
          },
          properties: {
            ...{ $session_id: session, $host: 'shop.example', $pathname: path },
            ...{ $web_vitals_LCP_value: 800 + pick(4_000), $web_vitals_INP_value: pick(600) },
          },
        });
      }
      ts += [2_000, 9_000, 30_000, 200_000][pick(4)] as number;
    }
  }
  return events;
}

beforeAll(async () => {
  const teamId = whole.team as typeof TEST_TEAM;
  const settings = { internalIds: ['of the team'] };
  project = await whole.parts.rooms.projects.create({ name: 'agree', timeZone: 'America/Sao_Paulo', teamId, settings });
  const batch = history();
  for (let at = 0; at < batch.length; at += 40) {
    const some = batch.slice(at, at + 40);
    await request(whole.app).post('/ingest/batch/').send({ api_key: project.token, batch: some }).expect(200);
  }
  const input = { name: 'agree', scopes: [...keyScopes], projects: null, days: 'never' };
  const made = await callsOf(whole).mutation(whole.owner, 'projects.apiKeys.create', input).expect(200);
  key = made.body.result.data.json.key;
  for (const { goal } of goals) {
    await callsOf(whole)
      .mutation(whole.owner, 'insights.goals.create', { project: String(project.id), ...goal })
      .expect(200);
  }
});

function asked<Answer>(path: string, more: object): Promise<Answer> {
  return called(path, { range, compare: 'none', ...more });
}

async function called<Answer>(path: string, more: object): Promise<Answer> {
  const input = { project: String(project.id), ...more };
  return (await callsOf(whole).query(whole.owner, path, input).expect(200)).body.result.data.json;
}

async function byKey(path: string, compare = '&compare=none') {
  const { body } = await request(whole.app)
    .get(`/api/v1/projects/${project.id}/query/${path}from=${range.from}&to=${range.to}${compare}`)
    .set('Authorization', `Bearer ${key}`)
    .expect(200);
  return body;
}

async function page(path: string): Promise<string> {
  const { text } = await request(whole.app)
    .get(`/project/${project.id}/${path}`)
    .set('Cookie', whole.owner)
    .set('Accept-Language', 'en')
    .expect(200);
  return text;
}

interface Exported {
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, string | undefined>;
  person: string;
  session: string | null;
  marks: string[];
}

const none: Filters = { match: 'all', of: [] };
const amount = { property: 'total', currencyProperty: 'currency', currency: null };
/** A goal of each kind, and what it means for an event as it was taken out. */
const goals: { goal: GoalInput; reaches: (event: Exported) => boolean }[] = [
  {
    goal: { name: 'Ordered', rule: { kind: 'event', event: 'order', filters: none }, amount },
    reaches: ({ event }) => event === 'order',
  },
  {
    goal: { name: 'Looked at it', rule: { kind: 'page', pages: ['/c/*'] }, amount: null },
    reaches: ({ event, properties }) => event === '$pageview' && properties['$pathname'] === '/c/d',
  },
  {
    goal: {
      ...{ name: 'Pressed', amount: null },
      rule: {
        kind: 'action',
        any: [{ of: 'element', text: 'Comprar', href: null, selector: null, page: null, filters: none }],
      },
    },
    reaches: ({ event, properties }) =>
      event === '$autocapture' && (properties['$elements_chain'] ?? '').includes('text="Comprar"'),
  },
];

/** The clock of the project. */
function local({ timestamp }: Exported): Date {
  return new Date(Date.parse(timestamp) - 3 * 3_600_000);
}

function within(event: Exported): boolean {
  const date = local(event).toISOString().slice(0, 10);
  return date >= range.from && date <= range.to;
}

const person = (event: Exported): string => event.person;
const isLeftOut = ({ marks }: Exported): boolean => marks.includes('bot') || marks.includes('internal');

/** What counts; a visit in which anything does not is none. */
function human(all: Exported[]): Exported[] {
  const out = new Set(all.filter(isLeftOut).map(({ session }) => session));
  return all
    .filter((event) => !isLeftOut(event))
    .map((event) => (out.has(event.session) ? { ...event, session: null } : event));
}

/** What the definitions say, of a list of events and nothing else. */
/** The events of each visit that began in the range and holds a view. */
function visitsIn(all: Exported[]): Exported[][] {
  const named = all.filter(({ session }) => session !== null);
  return Object.values(Object.groupBy(named, ({ session }) => session ?? ''))
    .map((events) => (events ?? []).toSorted((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp)))
    .filter((events) => events.some(({ event }) => event === '$pageview') && within(events[0] as Exported));
}

function counted(all: Exported[], bounceMs = 10_000) {
  const views = all.filter(({ event }) => event === '$pageview');
  const visits = visitsIn(all).map((events) => {
    const ms = Date.parse(events.at(-1)?.timestamp ?? '') - Date.parse(events[0]?.timestamp ?? '');
    const done = events.filter(({ event }) => event === '$pageview' || event === '$autocapture').length;
    return {
      ms,
      isBounce: done === 1 && ms < bounceMs,
      views: events.filter(({ event }) => event === '$pageview').length,
    };
  });
  const seen = views.filter(within);
  const sum = (figure: (visit: (typeof visits)[number]) => number): number =>
    visits.reduce((total, visit) => total + figure(visit), 0);
  return {
    visitors: new Set(seen.map(person)).size,
    visits: visits.length,
    views: seen.length,
    viewsPerVisit: sum((visit) => visit.views) / visits.length,
    bounceRate: visits.filter(({ isBounce }) => isBounce).length / visits.length,
    visitDuration: sum(({ ms }) => ms) / 1000 / visits.length,
    pages: Object.fromEntries(
      Object.entries(Object.groupBy(seen, ({ properties }) => properties['$pathname'] ?? '')).map(
        ([path, own = []]) => [path, [new Set(own.map(person)).size, own.length]],
      ),
    ),
  };
}

/** Of each goal: conversions, people, converted of the visitors, and what it was worth by currency. */
function countedGoals(all: Exported[]) {
  const own = all.filter(within);
  const visitors = new Set(own.filter(({ event }) => event === '$pageview').map(person));
  return goals.map(({ goal, reaches }) => {
    const done = own.filter(reaches);
    const people = new Set(done.map(person));
    const worth: Record<string, number> = {};
    for (const { properties } of goal.amount === null ? [] : done) {
      const total = Number(properties['total']);
      if (Number.isNaN(total)) continue;
      const currency = (properties['currency'] ?? '').toUpperCase();
      worth[currency] = Math.round(((worth[currency] ?? 0) + total) * 100) / 100;
    }
    const converted = [...people].filter((each) => visitors.has(each)).length;
    return { name: goal.name, conversions: done.length, people: people.size, converted, of: visitors.size, worth };
  });
}

/** By visit: those in which each goal was reached, of all. */
function countedVisits(all: Exported[]) {
  const visits = visitsIn(all);
  return goals.map(({ goal, reaches }) => ({
    ...{ name: goal.name, of: visits.length },
    converted: visits.filter((events) => events.some(reaches)).length,
  }));
}

/** Of four in order the third, or another share of them, or what lies between two of them; and how many there are. */
function countedVital(all: Exported[], vital: string, path: string | null = null, share = 0.75) {
  const values = all
    .filter((each) => each.event === '$web_vitals' && within(each))
    .filter(({ properties }) => path === null || properties['$pathname'] === path)
    .map(({ properties }) => Number(properties[`$web_vitals_${vital}_value`]))
    .sort((one, other) => one - other);
  const place = share * (values.length - 1);
  const [below = 0, above = 0] = [values[Math.floor(place)], values[Math.ceil(place)]];
  return { samples: values.length, value: (below + (above - below) * (place % 1)).toFixed(6) };
}

async function everything(): Promise<Exported[]> {
  const { text } = await request(whole.app)
    .get(`/project/${project.id}/events/export?format=ndjson&from=${day(6)}&to=${day(0)}`)
    .set('Cookie', whole.owner)
    .buffer(true)
    .parse((answer, done) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => done(null, Buffer.concat(pieces).toString()));
    })
    .expect(200)
    .then(({ body }) => ({ text: body as string }));
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function exported(): Promise<Exported[]> {
  return human(await everything());
}

it('shows the figures that a script counts in the raw events', async () => {
  const whole = await everything();
  expect(whole).toHaveLength(history().length);
  const all = human(whole);
  for (const mark of ['bot', 'internal']) {
    expect(whole.filter(({ marks }) => marks.includes(mark)).length).toBeGreaterThan(10);
  }
  const { pages, ...figures } = counted(all);
  const { metrics } = await asked<Overview>('insights.query.overview', {});
  expect(figures.visits).toBeGreaterThan(50);
  for (const [name, value] of Object.entries(figures)) {
    const { value: shown } = metrics[name as keyof Overview['metrics']];
    expect([name, shown?.toFixed(9)]).toEqual([name, value.toFixed(9)]);
  }
  const { rows } = await asked<Breakdown>('insights.query.breakdown', { dimension: 'page' });
  expect(Object.fromEntries(rows.map(([path, visitors, count]) => [path, [visitors, count]]))).toEqual(pages);
});

const goalFigures = ({ goals: found }: GoalFigures) =>
  Object.fromEntries(
    found.map(({ name, conversions, people, conversionRate: rate, revenue }) => [
      name,
      {
        ...{ name, conversions: conversions.value, people: people.value },
        ...{ converted: rate.parts?.numerator, of: rate.parts?.denominator },
        worth: Object.fromEntries(revenue.map(({ currency, sum }) => [currency, sum.value])),
      },
    ]),
  );

it('shows the goals, the hours and the web vitals that a script counts in the raw events', async () => {
  const all = await exported();
  const wanted = Object.fromEntries(countedGoals(all).map((goal) => [goal.name, goal]));
  for (const { conversions, people } of Object.values(wanted)) expect(Math.min(conversions, people)).toBeGreaterThan(5);
  expect(Object.keys(wanted['Ordered']?.worth ?? {}).sort()).toEqual(['BRL', 'USD']);
  expect(goalFigures(await asked<GoalFigures>('insights.query.goals', {}))).toEqual(wanted);
  const byVisit = countedVisits(all);
  for (const { converted, of } of byVisit) expect(converted > 5 && converted < of).toBe(true);
  const found = await asked<GoalFigures>('insights.query.goals', { per: 'visit' });
  expect(goalFigures(found)).toEqual(
    Object.fromEntries(byVisit.map((goal) => [goal.name, { ...wanted[goal.name], ...goal }])),
  );
  expect(found.goals.map(({ visits, conversionRate: rate }) => visits?.value === rate.parts?.numerator)).not.toContain(
    false,
  );

  const views = all.filter((each) => each.event === '$pageview' && within(each));
  const hours = await asked<HeatmapResult>('insights.query.heatmap', {});
  const cells = Array.from({ length: 7 * 24 }, (_, cell) =>
    views.filter((each) => local(each).getUTCDay() * 24 + local(each).getUTCHours() === cell),
  );
  expect(hours.views.flat()).toEqual(cells.map((cell) => cell.length));
  expect(hours.visitors.flat()).toEqual(cells.map((cell) => new Set(cell.map(person)).size));

  for (const [vital, percentile] of [
    ['LCP', 75],
    ['INP', 75],
    ['INP', 90],
    ['LCP', 99],
  ] as const) {
    const { vitals, pages } = await asked<Vitals>('insights.query.vitals', { vital, percentile, limit: 100 });
    const told = ({ samples, value }: Vital) => ({ samples, value: value?.toFixed(6) });
    const counted = (path?: string) => countedVital(all, vital, path, percentile / 100);
    expect(told(vitals[vital])).toEqual(counted());
    expect(pages.length).toBeGreaterThan(3);
    for (const row of pages) expect(told(row)).toEqual(counted(row.page));
  }
});

it('explains goals, hours and web vitals with SQL that gives what is shown', async () => {
  const explained = async (more: object) =>
    database.query<Record<string, unknown>>((await asked<Explanation>('insights.explain', more)).sql);
  const { goals: found } = await asked<GoalFigures>('insights.query.goals', {});
  const byVisit = await asked<GoalFigures>('insights.query.goals', { per: 'visit' });
  for (const [at, { id: goal, conversions, conversionRate: rate, revenue }] of found.entries()) {
    const { numerator, denominator } = byVisit.goals[at]?.conversionRate.parts ?? {};
    expect(await explained({ of: 'conversionRate', per: 'visit', goal })).toMatchObject([
      { converted: `${numerator}`, visits: `${denominator}` },
    ]);
    expect(await explained({ of: 'conversions', goal })).toMatchObject([{ value: `${conversions.value}` }]);
    expect(await explained({ of: 'conversionRate', goal })).toMatchObject([
      { converted: `${rate.parts?.numerator}`, visitors: `${rate.parts?.denominator}` },
    ]);
    for (const { currency, sum } of revenue) {
      const [row] = await explained({ of: 'revenue', goal, currency });
      expect(Number(row?.['value'])).toBe(sum.value);
    }
  }
  const { views } = await asked<HeatmapResult>('insights.query.heatmap', {});
  expect(await explained({ of: 'hours' })).toHaveLength(views.flat().filter((count) => count > 0).length);
  for (const percentile of [75, 90, 99] as const) {
    const { vitals } = await asked<Vitals>('insights.query.vitals', { vital: 'INP', percentile });
    const [row] = await explained({ of: 'vitals', vital: 'INP', percentile });
    expect(row).toMatchObject({ page: null, [`p${percentile}`]: vitals.INP.value });
  }
});

it('says the same by the API', async () => {
  const { metrics, series } = await asked<Overview>('insights.query.overview', {});
  expect(await byKey('overview?')).toMatchObject({ metrics, series });
  for (const dimension of breakdownDimensions) {
    const { rows, count, other } = await asked<Breakdown>('insights.query.breakdown', { dimension, limit: 1000 });
    expect(await byKey(`breakdown?dimension=${dimension}&limit=1000&`)).toMatchObject({ rows, count, other });
  }
  expect(await byKey('goals?')).toMatchObject(await asked<GoalFigures>('insights.query.goals', {}));
  expect(await byKey('goals?per=visit&')).toMatchObject(
    await asked<GoalFigures>('insights.query.goals', { per: 'visit' }),
  );
  const { goals: found } = await asked<GoalFigures>('insights.query.goals', {});
  for (const { id, conversions, people, conversionRate, revenue } of found) {
    const { goal } = await byKey(`overview?goal=${id}&`);
    expect(goal).toMatchObject({ id, conversions, people, conversionRate, revenue });
    const { goal: byVisit } = await asked<Overview>('insights.query.overview', { goal: id, per: 'visit' });
    expect((await byKey(`overview?goal=${id}&per=visit&`)).goal).toEqual(byVisit);
    expect(byVisit).toMatchObject({ per: 'visit', conversionRate: { parts: { denominator: metrics.visits.value } } });
    const course: number[] = goal.series.conversions;
    expect(course.reduce((sum, count) => sum + count, 0)).toBe(conversions.value);
  }
  const { views, visitors } = await asked<HeatmapResult>('insights.query.heatmap', {});
  expect(await byKey('heatmap?', '')).toMatchObject({ views, visitors });
  const { vitals, pages } = await asked<Vitals>('insights.query.vitals', { vital: 'INP', limit: 100 });
  expect(await byKey('vitals?vital=INP&limit=100&', '')).toMatchObject({ vitals, pages });
  const at99 = await asked<Vitals>('insights.query.vitals', { vital: 'INP', limit: 100, percentile: 99 });
  expect(at99.vitals.INP.value).toBeGreaterThan(vitals.INP.value ?? 0);
  expect(await byKey('vitals?vital=INP&limit=100&percentile=99&', '')).toMatchObject(at99);
});

it('draws the same on the server', async () => {
  const { metrics } = await asked<Overview>('insights.query.overview', {});
  const html = await page(`overview?from=${range.from}&to=${range.to}&compare=none&sources=channel`);
  const text = html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ');
  const words = text.replace(/\s+/g, ' ');
  expect(words).toContain(` ${en.metrics.visitors} ${metrics.visitors.value} `);
  expect(words).toContain(` ${en.metrics.visits} ${metrics.visits.value} `);
  expect(words).toContain(` ${en.metrics.views} ${metrics.views.value} `);
  expect(words).toContain(` ${metrics.bounceRate.parts?.numerator} of ${metrics.bounceRate.parts?.denominator} `);
  const { rows } = await asked<Breakdown>('insights.query.breakdown', { dimension: 'channel' });
  for (const [channel, , count] of rows) expect(words).toContain(` ${channel} ${count} `);

  const { visitors, views, datesByHour } = await asked<HeatmapResult>('insights.query.heatmap', {});
  const cells = [...html.matchAll(/data-cell="(\d) (\d+)"[^>]*><span[^>]*>(\d*|–)<\/span>/g)];
  expect(cells).toHaveLength(views.flat().length);
  const at = (table: number[][], day: unknown, hour: unknown) => table[Number(day)]?.[Number(hour)];
  for (const [, day, hour, text] of cells) {
    expect(text).toBe(at(datesByHour, day, hour) === 0 ? '–' : String(at(visitors, day, hour)));
  }
  const { vitals } = await asked<Vitals>('insights.query.vitals', { vital: 'LCP' });
  expect(words).toContain(` ${vitals.LCP.samples} samples `);
  expect(words).toContain(` ${((vitals.LCP.value ?? 0) / 1000).toFixed(1)}\u00a0s `.replace(/\s/g, ' '));
});

it('draws the goals on the server', async () => {
  const found = await asked<GoalFigures>('insights.query.goals', {});
  const [ordered] = found.goals.filter(({ name }) => name === 'Ordered');
  const dates = `from=${range.from}&to=${range.to}&compare=none`;
  const html = await page(`overview?${dates}&done=goal&metric=conversions&goal=${ordered?.id}`);
  const words = html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
  for (const { name, conversions } of found.goals) expect(words).toContain(` ${name} ${conversions.value} `);
  expect(words).toContain(` Conversions ${ordered?.conversions.value} `);
  for (const { currency, sum } of ordered?.revenue ?? []) {
    expect(words).toContain(`Revenue (${currency})`);
    expect(words).toContain(sum.value?.toFixed(2));
  }
});

it('says the same everywhere of bounces by the threshold of the project', async () => {
  const all = await exported();
  const shown = (await asked<Overview>('insights.query.overview', {})).metrics.bounceRate.value;
  const change = (bounceSeconds: number) =>
    callsOf(whole)
      .mutation(whole.owner, 'projects.update', { project: String(project.id), settings: { bounceSeconds } })
      .expect(200);
  await change(3);
  try {
    const wanted = counted(all, 3_000).bounceRate;
    expect(wanted).not.toBe(shown);
    const { bounceRate, visits } = (await asked<Overview>('insights.query.overview', {})).metrics;
    expect(bounceRate.value?.toFixed(9)).toBe(wanted.toFixed(9));
    expect((await byKey('overview?')).metrics.bounceRate).toEqual(bounceRate);
    const { sql, bounceSeconds } = await asked<Explanation>('insights.explain', { of: 'bounceRate' });
    expect(bounceSeconds).toBe(3);
    expect(Number((await database.query<{ value: string }>(sql))[0]?.value).toFixed(9)).toBe(wanted.toFixed(9));
    const bounced = bounceRate.parts?.numerator ?? 0;
    const { rows, cols } = await asked<Breakdown>('insights.query.breakdown', { dimension: 'channel', more: true });
    expect(rows.reduce((sum, row) => sum + Number(row[cols.indexOf('bounced')]), 0)).toBe(bounced);
    const lines = await fileOf('table', '&details=channel');
    const inFile = lines.reduce((sum, line) => sum + Number(line['bounce_rate']) * Number(line['visits']), 0);
    expect(Math.round(inFile)).toBe(bounced);
    const html = await page(
      `overview?from=${range.from}&to=${range.to}&compare=none&explain=bounceRate&metric=bounceRate`,
    );
    const words = html
      .replace(/<!--.*?-->/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    expect(words).toContain(` ${bounced} of ${visits.value} `);
    expect(words).toContain('under 3 seconds');
  } finally {
    await change(10);
  }
});

/** Lines of a file, each by the names of its head. */
async function fileOf(name: string, more = ''): Promise<Record<string, string>[]> {
  const csv = await page(`overview/${name}.csv?from=${range.from}&to=${range.to}&compare=none${more}`);
  const [head = [], ...lines] = csv
    .trim()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/"((?:[^"]|"")*)"|([^,]+|(?<=,|^)(?=,|$))/g)].map(([, quoted, plain]) => {
        return quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"');
      }),
    );
  return lines.map((cells) => Object.fromEntries(head.map((column, place) => [column, cells[place] ?? ''])));
}

it('writes goals, hours and web vitals into files as a script counts them in the raw events', async () => {
  const all = await exported();
  const wanted = countedGoals(all);
  const lines = await fileOf('goals');
  expect(lines.map(({ goal }) => goal)).toEqual(wanted.map(({ name }) => name).sort());
  for (const { name, conversions, people, converted, of, worth } of wanted) {
    const line = lines.find(({ goal }) => goal === name) ?? {};
    expect([line['conversions'], line['people'], line['visitors_converted'], line['visitors']].map(Number)).toEqual([
      ...[conversions, people, converted, of],
    ]);
    expect(Number(line['rate'])).toBeCloseTo(converted / of, 4);
    for (const currency of ['BRL', 'USD']) expect(Number(line[`revenue_${currency}`])).toBe(worth[currency] ?? 0);
  }
  const byVisit = await fileOf('goals', '&per=visit');
  for (const { name, converted, of } of countedVisits(all)) {
    const line = byVisit.find(({ goal }) => goal === name) ?? {};
    expect([line['visits_converted'], line['visits']].map(Number)).toEqual([converted, of]);
    expect(Number(line['rate'])).toBeCloseTo(converted / of, 4);
    expect(line).not.toHaveProperty('visitors');
  }

  const views = all.filter((each) => each.event === '$pageview' && within(each));
  const hours = await fileOf('hours');
  expect(hours).toHaveLength(7 * 24);
  for (const { weekday, hour, ...counts } of hours) {
    const own = views.filter((each) => {
      const name = local(each).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
      return name === weekday && local(each).getUTCHours() === Number(hour);
    });
    expect([counts['views'], counts['visitors']].map(Number)).toEqual([own.length, new Set(own.map(person)).size]);
  }

  for (const [vital, percentile] of [
    ['LCP', 75],
    ['INP', 90],
  ] as const) {
    const measured = await fileOf('vitals', `&vital=${vital}&percentile=${percentile}`);
    const told = (found: Record<string, string> | undefined) => ({
      samples: Number(found?.['measurements']),
      value: Number(found?.[`p${percentile}`]).toFixed(4),
    });
    const counted = (path: string | null) => {
      const { samples, value } = countedVital(all, vital, path, percentile / 100);
      return { samples, value: Number(value).toFixed(4) };
    };
    expect(told(measured.find((line) => line['vital'] === vital))).toEqual(counted(null));
    const byPage = measured.slice(4);
    expect(byPage.length).toBeGreaterThan(3);
    for (const line of byPage) expect(told(line)).toEqual(counted(line['page'] ?? ''));
  }
});

describe('the chart as a file', () => {
  const dates = `from=${range.from}&to=${range.to}`;
  const ordered = async () =>
    (await asked<GoalFigures>('insights.query.goals', {})).goals.find(({ name }) => name === 'Ordered')?.id;
  const UNTIL = new RegExp(`^${day(0).slice(0, 4)}-\\d\\d-\\d\\dT\\d\\d:\\d\\d-03:00$`);
  const dateOf = (ms: number) => new Date(ms - 3 * 3_600_000).toISOString().slice(0, 10);
  const hourOf = (ms: number) => `${new Date(ms - 3 * 3_600_000).toISOString().slice(0, 16)}-03:00`;
  const rounded = (value: number | null | undefined) => (value == null ? '' : String(Math.round(value * 1e4) / 1e4));

  /** The numbers of a series, with where each of its intervals begins and ends. */
  function linesOf(data: Overview, starts: number[], to: number, values: (number | null)[]): string[][] {
    return data.starts.map((_, index) => {
      const [start, end = to] = [starts[index], starts[index + 1]];
      if (start === undefined) return ['', '', rounded(values[index])];
      const edges = data.interval === 'hour' ? [hourOf(start), hourOf(end)] : [dateOf(start), dateOf(end - 1)];
      return [...edges, rounded(values[index])];
    });
  }

  /** Rows of the table that stands in place of the chart: period, value, the one before. */
  async function tableOf(search: string): Promise<string[][]> {
    const html = await page(`overview?view=table&${search}`);
    const table =
      html.split('<table').find((each) => /<caption[^>]*>[^<]* by (hour|day|week|month), /.test(each)) ?? '';
    return [...table.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)].map(([row]) =>
      row.split(/<\/t[hd]>/).map((cell) => cell.replace(/<svg.*?<\/svg>|<[^>]+>/g, '')),
    );
  }

  type Course = (number | null)[];
  type Pick = (data: Overview) => [now: Course, before?: Course | null | undefined];
  const of =
    (metric: OverviewMetric): Pick =>
    ({ series, comparisonSeries }) => [series[metric], comparisonSeries?.[metric]];
  const ofGoal =
    (metric: 'conversions' | 'conversionRate'): Pick =>
    ({ goal }) => [goal?.series[metric] ?? [], goal?.comparisonSeries?.[metric]];
  const inReais: Pick = ({ goal }) => {
    const worth = goal?.revenueSeries.find(({ currency }) => currency === 'BRL');
    return [worth?.series ?? [], worth?.comparisonSeries];
  };

  it.each<[search: string, column: string, kind: ValueKind, pick: Pick]>([
    [`${dates}&compare=none`, 'visitors', 'count', of('visitors')],
    [`${dates}&metric=views`, 'views', 'count', of('views')],
    [`${dates}&metric=visits&interval=hour`, 'visits', 'count', of('visits')],
    [`${dates}&metric=viewsPerVisit&compare=none`, 'views_per_visit', 'mean', of('viewsPerVisit')],
    [
      `${dates}&metric=bounceRate&compareFrom=${day(5)}&compareTo=${day(3)}`,
      ...(['bounce_rate', 'share', of('bounceRate')] as const),
    ],
    [`${dates}&metric=visitDuration&compare=year`, 'visit_duration_seconds', 'seconds', of('visitDuration')],
    ['range=last_7_days&metric=views', 'views', 'count', of('views')],
    [`${dates}&metric=views&interval=month`, 'views', 'count', of('views')],
    ['range=last_90_days&interval=week&metric=views', 'views', 'count', of('views')],
    ['range=last_12_months&metric=views&compare=none', 'views', 'count', of('views')],
    [`${dates}&filter=referringDomain:equals:wa.me&who=did:this_year:1:order`, 'visitors', 'count', of('visitors')],
    [`${dates}&metric=views&bots=include&internal=include`, 'views', 'count', of('views')],
    [`${dates}&metric=conversions&goal=GOAL`, 'conversions', 'count', ofGoal('conversions')],
    [
      `${dates}&metric=conversionRate&goal=GOAL&per=visit&filter=referringDomain:equals:wa.me`,
      ...(['conversion_rate', 'share', ofGoal('conversionRate')] as const),
    ],
    [`${dates}&metric=revenue.BRL&goal=GOAL`, 'revenue_BRL', 'money BRL', inReais],
    // Of a currency that does not occur, and without a goal.
    [`${dates}&metric=revenue.EUR&goal=GOAL`, 'visitors', 'count', of('visitors')],
    [`${dates}&metric=conversions`, 'visitors', 'count', of('visitors')],
  ])('%s', async (template, column, kind, pick) => {
    const search = template.replace('GOAL', String(await ordered()));
    const question = readQuestion(new URLSearchParams(search));
    const data = await asked<Overview>('insights.query.overview', overviewInput(String(project.id), question));
    if (question.interval !== null) expect(data.interval).toBe(question.interval);
    const [values, before = null] = pick(data);
    expect(values.some((value) => (value ?? 0) > 0)).toBe(true);

    const csv = await page(`overview/figures.csv?${search}`);
    const [head, ...lines] = csv
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const isRunning = data.running !== null;
    const more = before ? ['previous_from', 'previous_to', 'previous', 'change'] : [];
    expect(head).toEqual(['from', 'to', column, ...(isRunning ? ['until'] : []), ...more]);
    const now = linesOf(data, data.starts, data.range.to, values);
    const then = before && linesOf(data, data.comparisonStarts, data.comparison?.to ?? 0, before);
    expect(lines).toEqual(
      now.map((line, at) => {
        const [value, earlier] = [values[at] ?? null, before?.[at] ?? null];
        const until = at === data.running ? expect.stringMatching(UNTIL) : '';
        const change = value === null || earlier === null ? '' : rounded(value - earlier);
        return [...line, ...(isRunning ? [until] : []), ...(then ? [...(then[at] ?? []), change] : [])];
      }),
    );

    const format = formatOf(en);
    const table = await tableOf(search);
    expect(table.map(([, value]) => value)).toEqual(values.map((value) => valueText(value, kind, format)));
    if (before) {
      const shown = data.starts.map((_, at) => valueText(before[at] ?? null, kind, format));
      expect(table.map(([, , value]) => value)).toEqual(shown);
    }
  });

  it('is named by what it holds, and requires access to the screen', async () => {
    const address = `/project/${project.id}/overview/figures.csv?${dates}&metric=bounceRate`;
    const { headers } = await request(whole.app).get(address).set('Cookie', whole.owner).expect(200);
    expect(headers['content-disposition']).toBe(`attachment; filename="bounce_rate-${range.from}-${range.to}.csv"`);
    await request(whole.app).get(address).expect(401);
    await request(whole.app).get(`${address}&filter=garbage`).set('Cookie', whole.owner).expect(400);
  });
});

it('writes the same into files', async () => {
  for (const dimension of ['page', 'entryPage', 'referringDomain', 'event']) {
    const csv = await page(`overview/table.csv?details=${dimension}&from=${range.from}&to=${range.to}&compare=none`);
    const { rows } = await asked<Breakdown>('insights.query.breakdown', { dimension, limit: 1000 });
    const lines = csv.trim().split('\r\n').slice(1);
    expect(lines).toHaveLength(rows.length);
    for (const [value, visitors, count] of rows) {
      const cell = /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
      expect(lines).toContainEqual(expect.stringContaining(`${cell},${visitors},${count},`));
    }
  }
});

const order = { event: 'order' };
const pathIs = (path: string): Filters => ({
  match: 'all',
  of: [{ about: 'event', name: '$pathname', operator: 'equals', values: [path] }],
});

it.each<[KindName, object, Record<string, unknown>[]]>([
  [
    'trends',
    { series: [{ event: order, measure: 'persons' }], breakdown: { about: 'event', name: '$referring_domain' } },
    [
      ...['wa.me', 'blog.example'].map((value) => ({ series: 0, value, interval: null })),
      { series: 0, value: 'wa.me', interval: 1 },
    ],
  ],
  [
    'trends',
    {
      series: [{ event: { ...order, filters: pathIs('/a') } }],
      breakdown: { about: 'event', name: 'total', bins: { edges: [6] } },
    },
    ['', '<6', '>=6'].map((value) => ({ series: 0, value, interval: null })),
  ],
  ['funnel', { steps: [{ event: '$pageview' }, order], filters: pathIs('/b') }, [{ step: 1, dropped: false }]],
  [
    'retention',
    { startEvent: { event: '$pageview' }, returningEvent: order, kind: 'recurring' },
    [
      { cohort: 0, period: null },
      { cohort: 0, period: 1 },
      { cohort: 1, period: 1 },
    ],
  ],
  [
    'lifecycle',
    { event: { event: '$pageview' }, interval: 'day' },
    ['new', 'returning', 'resurrecting', 'dormant'].map((state) => ({ interval: 1, state })),
  ],
])('means the same people by a filter as behind a number of %s', async (kind, given, points) => {
  const insight = insightOf(kind, schemas[kind].parse({ range, ...given }) as never, {});
  const result = await called<AnswerFrame>(`insights.query.${kind}`, inputOf(insight));
  for (const point of points) {
    const people = pointFilter(insight, result, { kind, ...point } as unknown as Point);
    const behind = await called<PointPage>(`profiles.behind.${kind}`, { query: inputOf(insight), point });
    const { size } = await called<{ size: number }>('insights.cohorts.preview', { people });
    expect([point, size]).toEqual([point, behind.people]);
  }
});
