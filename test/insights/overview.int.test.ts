/** The worked examples of the definitions, stored as the collector stores events and asked as a screen asks. */

import { type Columns, createColumns } from '#src/columns/columns.ts';
import { eventMarks } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { type BreakdownInput, type OverviewInput, overviewInput } from '#src/insights/contract.ts';
import type { ExplainInput } from '#src/insights/explain/contract.ts';
import { createInsights, type Insights } from '#src/insights/insights.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project, type Projects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { finishedEvent, sessionId } from './histories.ts';
import type { Happened } from './reference.ts';

const database = useDatabase({ between: 'nothing' });
let deps: TestDeps;
let projects: Projects;
let events: Events;
let columns: Columns;
let insights: Insights;
let project: Project;

beforeAll(() => {
  deps = testDeps(database.url);
  projects = createProjects(deps);
  events = createEvents(deps, { persons: createPersons(deps), projects });
  columns = createColumns(deps, { threads: 0 });
  insights = createInsights(deps, { columns, changes: { version: () => null } });
});

beforeEach(async () => {
  deps.clock.set(at('12:00', '2026-11-21'));
  project = await projects.create({ name: 'examples', timeZone: 'America/Sao_Paulo' });
});

afterAll(async () => {
  await events.stop();
  await deps.close();
});

/** A moment of São Paulo's wall clock: on 18 November unless a date is given. */
function at(clock: string, date = '2026-11-18'): number {
  return Date.parse(`${date}T${clock.padEnd(8, ':00')}-03:00`);
}

type Told = Partial<Happened> & { ts: number };

async function happened(...told: Told[]): Promise<void> {
  const batch = told.map((each) =>
    finishedEvent(project.id, {
      uuid: uuidV7(each.ts),
      event: '$pageview',
      distinctId: 'browser',
      session: sessionId('visit'),
      bot: false,
      path: '/',
      referringDomain: '$direct',
      ...each,
    }),
  );
  await events.store(batch);
}

function overview(question: Partial<OverviewInput> = {}) {
  return insights.query(
    kinds.overview,
    { ...project, seesPersons: true },
    {
      range: { from: '2026-11-18', to: '2026-11-18' },
      compare: 'none',
      ...question,
    },
  );
}

function breakdown(question: Partial<BreakdownInput> = {}) {
  return insights.query(
    kinds.breakdown,
    { ...project, seesPersons: true },
    {
      range: { from: '2026-11-18', to: '2026-11-18' },
      compare: 'none',
      dimension: 'page',
      limit: 8,
      ...question,
    },
  );
}

async function figures(question?: Partial<OverviewInput>) {
  const { metrics } = await overview(question);
  const { visitors, visits, views, bounceRate, visitDuration } = metrics;
  return {
    visitors: visitors.value,
    visits: visits.value,
    views: views.value,
    bounceRate: bounceRate.value,
    visitDuration: visitDuration.value,
  };
}

describe('what is said beside the numbers', () => {
  const dates = (from: string, to = '2026-11-18') => ({ range: { from: `2026-11-${from}`, to } });
  const explain = async (question: Partial<ExplainInput>) =>
    (
      await insights.explain(
        { ...project, seesPersons: true },
        { project: String(project.id), of: 'visitors', ...dates('17'), ...question },
      )
    ).caveats;

  const onPage = (...values: string[]) => ({
    filters: {
      match: 'all' as const,
      of: [{ about: 'event' as const, name: '$pathname', operator: 'equals' as const, values }],
    },
  });
  const ofVisitors = async (question: Partial<OverviewInput>) =>
    (await overview(question)).caveats.filter((each) => each === 'visitorDays');

  it.each([false, true])('each day of visitors without storage is another visitor, sealed: %s', async (isSealed) => {
    const withMarks = (marks: number, date: string) => ({
      ...finishedEvent(project.id, {
        ...{ uuid: uuidV7(at('10:00', date)), event: '$pageview', distinctId: `${marks} on ${date}`, bot: false },
        ...{ session: sessionId(date), ts: at('10:00', date), path: '/', referringDomain: '$direct' },
      }),
      marks,
    });
    await events.store([
      withMarks(0, '2026-11-15'),
      withMarks(eventMarks.cookieless | eventMarks.personless, '2026-11-17'),
      withMarks(eventMarks.cookieless | eventMarks.personless, '2026-11-18'),
    ]);
    if (isSealed) await columns.seal();
    expect(await ofVisitors(dates('17'))).toEqual(['visitorDays']);
    expect(await ofVisitors(dates('18'))).toEqual([]);
    expect(await ofVisitors(dates('13', '2026-11-16'))).toEqual([]);
    expect(await ofVisitors({ ...dates('10'), ...onPage('/') })).toEqual(['visitorDays']);
    expect(await ofVisitors({ ...dates('10'), ...onPage('/none') })).toEqual([]);
    expect(await explain({})).toEqual(['visitorDays']);
    expect(await explain(dates('18'))).toEqual([]);
    expect(await explain({ of: 'views' })).toEqual([]);
  });

  it('visits count as bounces that are none where clicks, or leaving a page, are not recorded', async () => {
    const told = async (question: Partial<OverviewInput> = {}) => (await overview(question)).caveats;
    expect(await told()).toEqual([]);
    await happened({ ts: at('10:00') }, { ts: at('10:01'), event: 'order' });
    expect(await told()).toEqual(['noClicks', 'noLeaves']);
    expect(await explain({ of: 'bounceRate' })).toEqual(['noClicks', 'noLeaves']);
    expect(await explain({ of: 'visits' })).toEqual([]);
    expect(await told(onPage('/none'))).toEqual([]);
    expect(await told(dates('13', '2026-11-14'))).toEqual([]);
    await happened({ ts: at('10:02'), event: '$pageleave' });
    expect(await told()).toEqual(['noClicks']);
    await columns.seal();
    expect(await told()).toEqual(['noClicks']);
    await happened({ ts: at('10:03'), event: '$autocapture' });
    expect(await told()).toEqual([]);
    // Of the day before nothing is known by that.
    await happened({ ts: at('10:00', '2026-11-16') });
    expect(await told(dates('16', '2026-11-16'))).toEqual(['noClicks', 'noLeaves']);
    // Apps have neither.
    await happened({ ts: at('10:00', '2026-11-14'), event: '$screen' });
    expect(await told(dates('14', '2026-11-14'))).toEqual([]);
  });
});

describe('A. sessions and bounce', () => {
  it.each([
    ['a view and a leave after 8 s: a bounce', [{ event: '$pageleave', ts: at('10:00:08') }], 1, 8],
    ['a leave after 10 s: not a bounce', [{ event: '$pageleave', ts: at('10:00:10') }], 0, 10],
    [
      'a click and a leave after 8 s: not a bounce',
      [
        { event: '$autocapture', ts: at('10:00:03') },
        { event: '$pageleave', ts: at('10:00:08') },
      ],
      0,
      8,
    ],
    ['a view alone: a bounce of no length', [], 1, 0],
    ['two views: not a bounce', [{ ts: at('10:00:02') }], 0, 2],
  ])('%s', async (_, more: Told[], bounceRate, visitDuration) => {
    await happened({ ts: at('10:00:00') }, ...more);
    expect(await figures()).toMatchObject({ visits: 1, bounceRate, visitDuration });
  });

  it('uses the project’s threshold, for the past as well, also with cached results', async () => {
    await happened({ ts: at('10:00:00') }, { event: '$pageleave', ts: at('10:00:08') });
    await columns.seal();
    const rates: unknown[] = [];
    for (const bounceSeconds of [10, 8, 9, 10]) {
      await projects.update(project.id, { settings: { bounceSeconds } });
      project = (await projects.get(project.id)) as Project;
      const { rows, cols } = await breakdown({ dimension: 'channel', more: true });
      rates.push([(await figures()).bounceRate, rows[0]?.[cols.indexOf('bounced')]]);
    }
    expect(rates).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  it('does not count a visit without a view, and knows of no bounce in it', async () => {
    await happened({ event: 'ping', ts: at('10:00') });
    expect(await figures()).toEqual({ visitors: 0, visits: 0, views: 0, bounceRate: null, visitDuration: null });
  });

  it('counts two server-made sessions apart', async () => {
    await happened({ ts: at('10:00') }, { ts: at('10:29:59') }, { ts: at('11:00'), session: sessionId('the next') });
    expect(await figures()).toMatchObject({ visitors: 1, visits: 2, views: 3 });
  });

  it('counts a visit over midnight on its first day, its views on theirs', async () => {
    await happened({ ts: at('23:50') }, { ts: at('00:10', '2026-11-19') });
    expect(await figures()).toMatchObject({ visitors: 1, visits: 1, views: 1, visitDuration: 1200 });
    const second = { range: { from: '2026-11-19', to: '2026-11-19' } };
    expect(await figures(second)).toMatchObject({ visitors: 1, visits: 0, views: 1, bounceRate: null });
    const both = { range: { from: '2026-11-18', to: '2026-11-19' } };
    expect(await figures(both)).toMatchObject({ visitors: 1, visits: 1, views: 2 });
    const { series } = await overview({ ...both, interval: 'day' });
    expect([series.visitors, series.visits, series.views]).toEqual([
      [1, 1],
      [1, 0],
      [1, 1],
    ]);
    expect(series.bounceRate).toEqual([0, null]);
  });
});

it('B. the bounce rate is over visits with a view', async () => {
  const visits = (count: number, kind: string, more: (start: number) => Told[]): Told[] =>
    Array.from({ length: count }, (_, index) => {
      const start = at('09:00') + index * 60_000;
      return more(start).map((each) => ({
        ...each,
        session: sessionId(`${kind} ${index}`),
        distinctId: `${kind} ${index}`,
      }));
    }).flat();
  await happened(
    ...visits(6, 'short', (ts) => [{ ts }]),
    ...visits(3, 'long', (ts) => [{ ts }, { event: '$pageleave', ts: ts + 30_000 }]),
    ...visits(1, 'without a view', (ts) => [{ event: 'ping', ts }]),
  );
  const { metrics } = await overview();
  expect(metrics.visits.value).toBe(9);
  expect(metrics.bounceRate).toEqual({ value: 6 / 9, previous: null, parts: { numerator: 6, denominator: 9 } });
  expect(metrics.visitDuration.parts).toEqual({ numerator: 90, denominator: 9 });
});

it('G. a merge counts one person, also for the past; a refused one counts two', async () => {
  const identify = (distinctId: string, anonymousId: string, clock: string): Told => ({
    event: '$identify',
    distinctId,
    anonymousId,
    ts: at(clock),
  });
  await happened(
    ...['10:00', '10:01', '10:02'].map((clock) => ({ ts: at(clock), distinctId: 'a1' })),
    identify('u1', 'a1', '10:03'),
    { event: 'paid', ts: at('10:04'), distinctId: 'u1', session: null },
    { ts: at('11:00'), distinctId: 'a2', session: sessionId('second browser') },
    identify('u1', 'a2', '11:01'),
  );
  expect(await figures()).toMatchObject({ visitors: 1, views: 4, visits: 2 });
  expect((await breakdown()).rows).toEqual([['/', 1, 4, null]]);
  await happened({ ts: at('11:58'), distinctId: 'u2', session: sessionId('third') }, identify('u2', 'a2', '12:00'), {
    ts: at('12:01'),
    distinctId: 'u2',
    session: sessionId('third'),
  });
  expect(await figures()).toMatchObject({ visitors: 2, views: 6 });
});

it('H. days and hours are those of the project', async () => {
  await happened({ ts: Date.parse('2026-11-20T02:30:00Z') });
  const day = await overview({ range: { from: '2026-11-19', to: '2026-11-19' } });
  expect(day.metrics.views.value).toBe(1);
  expect(day.interval).toBe('hour');
  expect(day.series.views.indexOf(1)).toBe(23);
  expect(await figures({ range: { from: '2026-11-18', to: '2026-11-18' } })).toMatchObject({ views: 0 });
});

it('counts what a filter keeps, and visits by any of their views', async () => {
  await happened(
    { ts: at('10:00'), path: '/', distinctId: 'one', session: sessionId('one') },
    { ts: at('10:05'), path: '/preços', distinctId: 'one', session: sessionId('one') },
    { ts: at('11:00'), path: '/', distinctId: 'two', session: sessionId('two'), referringDomain: 'wa.me' },
  );
  const asked = (filters: unknown) => {
    const project = '1';
    return overviewInput.parse({ project, range: { from: '2026-11-18', to: '2026-11-18' }, compare: 'none', filters });
  };
  const path = { about: 'event', name: '$pathname', operator: 'contains', values: ['PREÇO'] };
  const domain = { about: 'session', name: 'referringDomain', operator: 'equals', values: ['wa.me'] };
  const nothing = { visitors: 0, visits: 0, views: 0, bounceRate: null };
  expect(await figures(asked({ match: 'all', of: [path] }))).toMatchObject({
    visitors: 1,
    visits: 1,
    views: 1,
    visitDuration: 300,
  });
  expect(await figures(asked({ match: 'any', of: [path, domain] }))).toMatchObject({
    visitors: 2,
    visits: 2,
    views: 2,
    bounceRate: 0.5,
  });
  expect(await figures(asked({ match: 'all', of: [path, { match: 'any', of: [domain] }] }))).toMatchObject(nothing);
  expect(
    await figures(asked({ match: 'all', of: [{ about: 'event', name: 'plan', operator: 'isNotSet' }] })),
  ).toMatchObject({ views: 3 });
  const { rows } = await breakdown({ dimension: 'referringDomain', ...asked({ match: 'all', of: [path] }) });
  expect(rows).toEqual([['$direct', 1, 1, null]]);
});

describe('what stands around the numbers', () => {
  it('leaves the team’s own traffic out like bots, and names it apart', async () => {
    const own = finishedEvent(project.id, {
      ...{ uuid: uuidV7(at('10:01')), event: '$pageview', distinctId: 'own', session: sessionId('own'), bot: true },
      ...{ path: '/', referringDomain: '$direct', ts: at('10:01') },
    });
    await happened({ ts: at('10:00') });
    await events.store([{ ...own, marks: eventMarks.bot | eventMarks.internal }]);
    expect((await overview()).excluded).toEqual({ bots: 0, internal: 1 });
    expect(await figures()).toMatchObject({ visitors: 1, visits: 1, views: 1 });
  });

  it('leaves bots out of everything and says how many views they had', async () => {
    await happened({ ts: at('10:00') }, { ts: at('10:01'), bot: true, distinctId: 'bot', session: sessionId('bot') });
    const answer = await overview();
    expect(answer.excluded).toEqual({ bots: 1, internal: 0 });
    expect(await figures()).toMatchObject({ visitors: 1, visits: 1, views: 1 });
    expect((await breakdown()).count).toBe(1);
    expect((await breakdown({ dimension: 'referringDomain' })).count).toBe(1);
  });

  it('draws a gap before the first event and after now, and a zero between', async () => {
    deps.clock.set(at('14:32', '2026-11-20'));
    await happened({ ts: at('10:00') });
    const answer = await overview({ range: 'this_week', compare: 'previous' });
    expect(answer.series.views).toEqual([null, null, 1, 0, 0, null, null]);
    expect(answer.running).toBe(4);
    expect(answer.comparisonSeries?.views).toEqual(new Array(7).fill(null));
    expect(answer.metrics.views).toEqual({ value: 1, previous: null });
  });

  it('compares the running day with the same part of the day before', async () => {
    deps.clock.set(at('14:32', '2026-11-20'));
    const visit = (date: string, clock: string) => ({ ts: at(clock, date), session: sessionId(date + clock) });
    await happened(visit('2026-11-19', '14:31:59'), visit('2026-11-19', '14:32:00'), visit('2026-11-20', '09:00'));
    const { metrics } = await overview({ range: 'today', compare: 'previous' });
    expect([metrics.views.value, metrics.views.previous]).toEqual([1, 1]);
    expect([metrics.visits.value, metrics.visits.previous]).toEqual([1, 1]);
  });

  describe('of a project whose first event is less than a day old', () => {
    const days = { range: 'last_28_days', compare: 'previous', firstDay: true } as const;

    it('shows the hours of that date and of today, compared with nothing, and the same numbers', async () => {
      await happened({ ts: at('14:30', '2026-11-20') }, { ts: at('09:15', '2026-11-21') });
      const answer = await overview(days);
      expect([answer.interval, answer.starts.length]).toEqual(['hour', 48]);
      expect(answer.starts[0]).toBe(at('00:00', '2026-11-20'));
      expect(answer.starts.at(-1)).toBe(at('23:00', '2026-11-21'));
      const told: (number | null)[] = Array.from({ length: 48 }, (_, hour) => (hour < 14 || hour > 36 ? null : 0));
      expect(answer.series.views).toEqual(told.with(14, 1).with(33, 1));
      expect([answer.running, answer.comparison, answer.comparisonSeries]).toEqual([36, null, null]);
      const { metrics, range } = await overview({ ...days, firstDay: false });
      expect([answer.metrics, answer.range]).toEqual([metrics, range]);
      expect(metrics.views).toEqual({ value: 2, previous: null });
    });

    it.each<[string, string, Partial<OverviewInput>]>([
      ['a day after its first event', '12:00', {}],
      ['when an interval is asked for', '14:30', { interval: 'day' }],
      ['of a range that is over', '14:30', { range: { from: '2026-11-10', to: '2026-11-20' } }],
      ['compared with a time that is known', '14:30', { compare: { from: '2026-11-20', to: '2026-11-20' } }],
      ['when nobody asked for it', '14:30', { firstDay: false }],
    ])('shows days %s', async (_, clock, asked) => {
      await happened({ ts: at(clock, '2026-11-20') });
      expect(await overview({ ...days, ...asked })).toMatchObject({ interval: 'day' });
    });
  });

  it('compares with nothing what lies before the first event, in any table', async () => {
    const { from, to } = { from: '2026-11-19', to: '2026-11-20' };
    await happened({ ts: at('10:00', '2026-11-19') });
    const asked = { range: { from, to }, compare: 'previous' } as const;
    expect((await breakdown(asked)).rows).toEqual([['/', 1, 1, null]]);
    await happened({ ts: at('10:00', '2026-11-18'), path: '/other' });
    expect((await breakdown(asked)).rows).toEqual([['/', 1, 1, 0]]);
  });

  it('answers for a project that has nothing yet', async () => {
    const answer = await overview({ range: 'all_time', compare: 'previous' });
    expect(answer.metrics.visitors).toEqual({ value: 0, previous: null });
    expect(answer.metrics.bounceRate.value).toBeNull();
    expect(new Set(answer.series.views)).toEqual(new Set([null]));
    expect(await breakdown()).toMatchObject({ rows: [], total: 0, other: { values: 0, count: 0 } });
  });

  it('counts a path once with any query strings, and sums up the rest', async () => {
    await happened(
      ...['/a', '/a', '/a', '/b', '/b', '/c', null].map((path, index) => ({
        ts: at('10:00') + index,
        path,
        distinctId: `browser ${index % 2}`,
      })),
    );
    const answer = await breakdown({ limit: 2 });
    expect(answer.rows).toEqual([
      ['/a', 2, 3, null],
      ['/b', 2, 2, null],
    ]);
    expect([answer.count, answer.other]).toEqual([7, { values: 2, count: 2 }]);
  });

  it('refuses what cannot be asked', async () => {
    await expect(overview({ range: { from: '2026-11-18', to: '2026-11-01' } })).rejects.toMatchObject({
      code: 'invalid',
      field: 'range',
    });
  });

  it('keeps projects apart', async () => {
    await happened({ ts: at('10:00') });
    project = await projects.create({ name: 'other', timeZone: 'UTC' });
    expect(await figures()).toMatchObject({ visitors: 0, visits: 0, views: 0 });
    expect((await breakdown({ dimension: 'referringDomain' })).rows).toEqual([]);
  });
});
