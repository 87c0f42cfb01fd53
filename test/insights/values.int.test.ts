/** What is not counted but measured, and weekdays by hours: equal to the plain reference, for any history. */

import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import { runBreakdown } from '#src/insights/kinds/breakdown/run.ts';
import { hostOf } from '#src/insights/kinds/breakdown/values.ts';
import { runHeatmap } from '#src/insights/kinds/heatmap/run.ts';
import { runOverview } from '#src/insights/kinds/overview/run.ts';
import { vitalNames, vitalPercentiles } from '#src/insights/kinds/vitals/contract.ts';
import { runVitals } from '#src/insights/kinds/vitals/run.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { useEngine } from './engine.ts';
import { cases, finishedEvent, sessionId } from './histories.ts';
import { type Happened, Reference } from './reference.ts';
import { hoursOf, measurements, medianVisit, quantile, readingOf } from './reference-values.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);

/** What events may say besides: of vitals, and of the page before. */
const measured = fc.oneof(
  fc.record({
    event: fc.constant('$web_vitals'),
    loose: fc.dictionary(
      fc.constantFrom(...vitalNames.map((name) => `$web_vitals_${name}_value`)),
      fc.oneof(fc.constantFrom(0, 0.1, 0.25, 200, 500, 2_500, 4_000.5, 'slow', -1), fc.integer({ min: 0, max: 6_000 })),
    ),
  }),
  fc.record({
    event: fc.constantFrom('$pageview', '$pageleave', 'ping'),
    loose: fc.record(
      {
        $prev_pageview_pathname: fc.constantFrom('/', '/a', '/b', '/gone', '/caf%c3%a9'),
        $prev_pageview_duration: fc.oneof(
          fc.constantFrom(0, 1_799.5, 1_800, 1_801, 90_000, true),
          fc.double({ min: 0, max: 60, noNaN: true }),
        ),
        $prev_pageview_max_scroll_percentage: fc.constantFrom(0, 0.25, 1, 1.04),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.constant({}),
);

const told = cases.chain((given) =>
  fc
    .array(measured, { minLength: given.history.length, maxLength: given.history.length })
    .map((more) => ({ ...given, history: given.history.map((each, at) => withMore(each, more[at] ?? {})) })),
);

/** Persons are fixed. */
function withMore(happened: Happened, more: Partial<Happened>): Happened {
  return happened.event === '$identify' ? happened : { ...happened, ...more };
}

function expectClose(found: number | null | undefined, wanted: number | null): void {
  if (wanted === null || found === null || found === undefined) expect(found).toBe(wanted);
  else expect(found).toBeCloseTo(wanted, 6);
}

it('equals the plain reference implementation, for any history and query', async () => {
  await fc.assert(
    fc.asyncProperty(told, async ({ question, history, batches, seals }) => {
      const { timeZone, weekStart, now } = question;
      const project = await engine.projects.create({ name: 'model', timeZone, weekStart });
      for (let at = 0, batch = 0; at < history.length; batch++) {
        const size = batches[batch % batches.length] as number;
        await engine.events.store(history.slice(at, at + size).map((happened) => finishedEvent(project.id, happened)));
        at += size;
        if (seals[batch % seals.length]) await engine.columns.seal();
      }
      const reference = new Reference(history, question);
      const filters = question.filters as Filters | undefined;
      const { include = [] } = question;
      const asked = { range: question.preset as RangeInput, include, ...(filters && { filters }) };

      const found = await runHeatmap(engine.columns, project, asked, now);
      const { range: _, timeZone: __, weekStart: ___, ...hours } = found;
      expect(hours).toEqual(hoursOf(reference));

      const overview = await runOverview(engine.columns, project, { ...asked, compare: 'none' }, now);
      expectClose(overview.metrics.visitDuration.median, medianVisit(reference));

      for (const [vital, percentile] of vitalNames.flatMap((name) =>
        vitalPercentiles.map((each) => [name, each] as const),
      )) {
        const found = await runVitals(engine.columns, project, { ...asked, vital, percentile, limit: 2 }, now);
        const all = measurements(reference, vital);
        const own = found.vitals[vital];
        expect(own.samples).toBe(all.length);
        expectClose(
          own.value,
          quantile(
            all.map(({ value }) => value),
            percentile / 100,
          ),
        );
        const byHost = new Set(all.flatMap(({ host }) => (host === '' ? [] : [host]))).size > 1;
        for (const row of found.pages) {
          expect(row.host !== undefined).toBe(byHost);
          const isIt = (each: (typeof all)[number]) => each.page === row.page && (!byHost || each.host === row.host);
          const values = all.filter(isIt).map(({ value }) => value);
          expect(row.samples).toBe(values.length);
          expectClose(row.value, quantile(values, percentile / 100));
        }
        const shown = found.pages.reduce((sum, { samples }) => sum + samples, 0);
        expect(shown + found.other.samples).toBe(all.length);
        expect(found.pages.length + found.other.pages).toBe(
          new Set(all.map(({ page, host }) => (byHost ? `${host} ${page}` : page))).size,
        );
      }

      const pages = await runBreakdown(
        engine.columns,
        project,
        { ...asked, compare: 'none', dimension: 'page', limit: 9, more: true },
        now,
      );
      for (const row of pages.rows) {
        const [seconds, share] = readingOf(reference, row[0], hostOf(pages, row) ?? null);
        expectClose(row[pages.cols.indexOf('timeOnPage')] as number | null, seconds);
        expectClose(row[pages.cols.indexOf('scrollDepth')] as number | null, share);
      }
    }),
    { numRuns: Number(process.env['MODEL_RUNS'] ?? 15), endOnFailure: true },
  );
});

describe('a small project', () => {
  let project: Project;
  const start = Date.parse('2026-11-18T12:00:00Z');

  beforeEach(async () => {
    project = await engine.projects.create({ name: 'small', timeZone: 'UTC' });
  });

  async function happened(...list: Partial<Happened>[]): Promise<void> {
    await engine.events.store(
      list.map((each, at) =>
        finishedEvent(project.id, {
          ...{ uuid: uuidV7(start + at), event: '$pageview', distinctId: 'browser', ts: start + at },
          ...{ session: sessionId(`visit ${at}`), bot: false, path: '/', referringDomain: '$direct' },
          ...each,
        }),
      ),
    );
  }

  const day = { range: { from: '2026-11-18', to: '2026-11-18' } };

  it('rates measurements: good up to the limit, poor beyond the other, and three of four are at most the headline', async () => {
    const vital = (value: number, path = '/') => ({
      event: '$web_vitals',
      path,
      loose: { $web_vitals_INP_value: value },
    });
    await happened(...[200, 201, 500, 501, 40].map((value) => vital(value)), vital(1_000, '/slow'), {
      ...vital(9_000),
      bot: true,
    });
    const { vitals, pages } = await runVitals(
      engine.columns,
      project,
      { ...day, vital: 'INP', percentile: 75, limit: 8 },
      start + 60_000,
    );
    expect(vitals.INP).toEqual({ value: 500.75, samples: 6, good: 2, poor: 2, rating: 'poor' });
    expect(vitals.LCP).toEqual({ value: null, samples: 0, good: 0, poor: 0, rating: null });
    expect(pages).toEqual([
      { page: '/', value: 500, samples: 5, good: 2, poor: 1, rating: 'fair' },
      { page: '/slow', value: 1_000, samples: 1, good: 0, poor: 1, rating: 'poor' },
    ]);
  });

  it('counts a person who returns at the same hour of the week once, and gives the number of such days', async () => {
    const week = 7 * 24 * 3_600_000;
    await happened(
      { ts: start },
      { ts: start - week },
      { ts: start - week, distinctId: 'other' },
      { ts: start - week + 3_600_000 },
    );
    const found = await runHeatmap(
      engine.columns,
      project,
      { range: { from: '2026-11-10', to: '2026-11-18' } },
      start + 60_000,
    );
    expect(found.visitors[3]?.slice(11, 15)).toEqual([0, 2, 1, 0]);
    expect(found.views[3]?.slice(11, 15)).toEqual([0, 3, 1, 0]);
    expect(found.dates).toEqual([1, 1, 2, 2, 1, 1, 1]);
  });

  it('says the same of a page when it alone is asked for, whichever page came after it', async () => {
    const end = (event: string, path: string, seconds: number, more?: Partial<Happened>): Partial<Happened> => ({
      ...{ event, path, session: sessionId('one'), host: 'shop.example', ...more },
      loose: { $prev_pageview_pathname: '/', $prev_pageview_duration: seconds },
    });
    await happened(
      ...['/', '/a', '/', '/'].map((path) => ({ path, session: sessionId('one'), host: 'shop.example' })),
      ...[end('$pageview', '/a', 10), end('$pageleave', '/', 30), end('$pageview', '/', 50, { plan: 'pro' })],
    );
    const timeOn = async (...of: Omit<FilterCondition, 'about'>[]) => {
      const filters: Filters = { match: 'all', of: of.map((each) => ({ about: 'event', ...each })) };
      const asked = { ...day, compare: 'none' as const, dimension: 'page' as const, limit: 9, more: true, filters };
      const { cols, rows } = await runBreakdown(engine.columns, project, asked, start + 60_000);
      return Object.fromEntries(rows.map((row) => [row[0], row[cols.indexOf('timeOnPage')]]));
    };
    expect(await timeOn()).toEqual({ '/': 30, '/a': null });
    expect(await timeOn({ name: '$pathname', operator: 'equals', values: ['/'] })).toEqual({ '/': 30 });
    expect(await timeOn({ name: '$pathname', operator: 'notEquals', values: ['/a'] })).toEqual({ '/': 30 });
    expect(await timeOn({ name: '$pathname', operator: 'equals', values: ['/a'] })).toEqual({ '/a': null });
    expect(await timeOn({ name: '$host', operator: 'equals', values: ['shop.example'] })).toEqual({
      '/': 30,
      '/a': null,
    });
    // Its address: as far as host and path tell it, and otherwise where the page was left.
    const address = { name: '$current_url', operator: 'contains' } as const;
    expect(await timeOn({ ...address, values: ['https://shop.example/'] })).toEqual({ '/': 30, '/a': null });
    expect(await timeOn({ ...address, values: ['?at='] })).toEqual({ '/': 30, '/a': null });
    // What else is known is known of the end.
    expect(await timeOn({ name: 'plan', operator: 'equals', values: ['pro'] })).toEqual({ '/': 50 });
  });

  it('takes the middle visit, or what lies between the two in the middle', async () => {
    const visit = (name: string, seconds: number) => [
      { session: sessionId(name), ts: start },
      { session: sessionId(name), ts: start + seconds * 1_000, event: '$pageleave' },
    ];
    await happened(...visit('one', 10), ...visit('two', 20), ...visit('three', 100));
    const ask = async () =>
      (await runOverview(engine.columns, project, { ...day, compare: 'none' }, start + 600_000)).metrics.visitDuration
        .median;
    expect(await ask()).toBe(20);
    await happened(...visit('four', 31).map((each, at) => ({ ...each, uuid: uuidV7(start + 50 + at) })));
    expect(await ask()).toBe(25.5);
  });
});
