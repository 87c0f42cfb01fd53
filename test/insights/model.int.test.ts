import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import {
  type BreakdownDimension,
  breakdownDimensions,
  type Overview,
  type OverviewMetric,
  type RangeInput,
} from '#src/insights/contract.ts';
import { conditionsOf } from '#src/insights/kinds/breakdown/filters/values.ts';
import { runBreakdown } from '#src/insights/kinds/breakdown/run.ts';
import { hostOf } from '#src/insights/kinds/breakdown/values.ts';
import { runOverview } from '#src/insights/kinds/overview/run.ts';
import type { QueryProject } from '#src/insights/query/scope.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { useEngine } from './engine.ts';
import { type Case, cases, finishedEvent, withRareProperties } from './histories.ts';
import { type Numbers, Reference } from './reference.ts';
import { fieldOf, isByHost, pageFigures, tableOf, visitFigures } from './reference-tables.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);

/** Stores the history in a project of its own. */
async function arrange({ question, history, batches, seals }: Case) {
  const project = await engine.projects.create({
    name: 'model',
    timeZone: question.timeZone,
    weekStart: question.weekStart,
    settings: { bounceSeconds: question.bounceSeconds ?? 10 },
  });
  const areRare = batches.length % 2 === 0;
  let at = 0;
  for (let batch = 0; at < history.length; batch++) {
    const size = batches[batch % batches.length] as number;
    const events = history.slice(at, at + size).map((happened) => finishedEvent(project.id, happened));
    await engine.events.store(areRare ? events.map(withRareProperties) : events);
    at += size;
    if (seals[batch % seals.length]) await engine.columns.seal();
    if (seals[batch % seals.length] && batch === 1) await engine.columns.runMaintenance();
  }
  return project;
}

function metricIn(metric: OverviewMetric, numbers: Numbers): number | null {
  const { visits, bounced, seconds, visitViews } = numbers;
  if (metric === 'viewsPerVisit') return visits === 0 ? null : visitViews / visits;
  if (metric === 'bounceRate') return visits === 0 ? null : bounced / visits;
  if (metric === 'visitDuration') return visits === 0 ? null : seconds / visits;
  return numbers[metric];
}

const metrics: OverviewMetric[] = ['visitors', 'visits', 'views', 'viewsPerVisit', 'bounceRate', 'visitDuration'];

function expectEqual(found: number | null, wanted: number | null): void {
  if (found === null || wanted === null) expect(found).toBe(wanted);
  else expect(found).toBeCloseTo(wanted, 6);
}

/** A gap may stand where nothing was counted, and nowhere else. */
function expectSeries(found: Overview['series'], index: number, wanted: Numbers): void {
  const isGap = (found.views[index] ?? null) === null;
  if (isGap)
    expect({ ...wanted, botViews: 0, internalViews: 0 }).toEqual({
      visitors: 0,
      visits: 0,
      views: 0,
      bounced: 0,
      seconds: 0,
      visitViews: 0,
      botViews: 0,
      internalViews: 0,
    });
  for (const metric of metrics) expectEqual(found[metric][index] ?? null, isGap ? null : metricIn(metric, wanted));
}

/** More of them find what is rare: `MODEL_RUNS=300`. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 40);

/** Not all each time: each is asked for in its own query. */
const someDimensions = fc.shuffledSubarray([...breakdownDimensions], { minLength: 4, maxLength: 4 });

type Asked = Omit<Parameters<typeof runOverview>[2], 'interval'>;

async function expectTable(
  project: QueryProject,
  { question }: Case,
  reference: Reference,
  asked: Asked,
  dimension: BreakdownDimension,
): Promise<void> {
  const limit = 2;
  const found = await runBreakdown(engine.columns, project, { ...asked, dimension, limit, more: true }, question.now);
  const byHost = isByHost(reference, dimension, reference.current);
  const table = tableOf(reference, dimension, reference.current, byHost);
  const total = table.reduce((sum, [, , count]) => sum + count, 0);
  expect(found.cols.includes('host')).toBe(byHost);
  expect([dimension, ...found.rows.map((row) => [...row.slice(0, 3), hostOf(found, row) ?? null])]).toEqual([
    dimension,
    ...table.slice(0, limit),
  ]);
  expect(found.count).toBe(total);
  expect(found.other).toEqual({
    values: Math.max(0, table.length - limit),
    count: table.slice(limit).reduce((sum, [, , count]) => sum + count, 0),
  });
  const numbers = reference.count(reference.current);
  const field = fieldOf(dimension);
  if (field !== null) expect(total).toBe(numbers.visits);
  if (dimension === 'page') expect(total).toBe(numbers.views);
  const earlier = reference.before && tableOf(reference, dimension, reference.before, byHost);
  for (const row of found.rows) {
    const [value, visitors, count, before, ...further] = row;
    const host = hostOf(found, row) ?? null;
    const wantedCount = earlier?.find(([other, , , its]) => other === value && its === host)?.[2] ?? 0;
    if (before === null) expect(wantedCount).toBe(0);
    else expect(before).toBe(wantedCount);
    if (dimension === 'page')
      expect(further.slice(0, 3)).toEqual(pageFigures(reference, value, reference.current, host));
    // Each takes a query: of one row, here with visits, there without.
    const isLast = row === found.rows.at(-1);
    const named: Parameters<typeof conditionsOf> = [dimension, value, host ?? undefined];
    if (dimension === 'page' && isLast) await expectFilterGives(project, question, asked, named, { visitors });
    if (field === null) continue;
    const [bounced, seconds] = visitFigures(reference, field, value, reference.current, host);
    expect(further[0]).toBe(bounced);
    expectEqual(Number(further[1]), seconds);
    if (isLast) await expectFilterGives(project, question, asked, named, { visitors, visits: count });
  }
}

/** The headline, filtered by a row, says what the row says. */
async function expectFilterGives(
  project: QueryProject,
  { now }: Case['question'],
  asked: Asked,
  row: Parameters<typeof conditionsOf>,
  wanted: { visitors: number; visits?: number },
): Promise<void> {
  const conditions = (conditionsOf(...row) ?? []).map(
    ({ about, name, value }): FilterCondition => ({
      ...{ about, name },
      ...(value === null ? { operator: 'isNotSet', values: [] } : { operator: 'equals', values: [value] }),
    }),
  );
  // What already has lists within takes no more around it.
  const own = asked.filters?.of.filter((each): each is FilterCondition => !('match' in each)) ?? [];
  if (asked.filters !== undefined && (asked.filters.match !== 'all' || own.length < asked.filters.of.length)) return;
  const filters: Filters = { match: 'all', of: [...own, ...conditions] };
  const { metrics } = await runOverview(engine.columns, project, { ...asked, filters }, now);
  const found = { visitors: metrics.visitors.value, visits: metrics.visits.value };
  expect([row, found]).toMatchObject([row, wanted]);
}

it(
  'equals the plain reference implementation, for any history and query',
  async () => {
    await fc.assert(
      fc.asyncProperty(cases, someDimensions, async (given, dimensions) => {
        const { question, interval } = given;
        const project = await arrange(given);
        const reference = new Reference(given.history, question);
        const filters = question.filters as Filters | undefined;
        const { compare, include = [] } = question;
        const asked = { range: question.preset as RangeInput, compare, include, ...(filters && { filters }) };

        const overview = await runOverview(engine.columns, project, { ...asked, interval }, question.now);
        const wanted = reference.count(reference.current);
        const wantedBefore = reference.before && reference.count(reference.before);
        // Exact with any filters, and on the right side of the threshold.
        const [out, into] = [false, true].map((isIn) => ({
          bots: include.includes('bots') === isIn ? wanted.botViews : 0,
          internal: include.includes('internal') === isIn ? wanted.internalViews : 0,
        }));
        expect([overview.excluded, overview.included]).toEqual([out, into]);
        for (const metric of metrics) {
          expectEqual(overview.metrics[metric].value, metricIn(metric, wanted));
          const { previous: before } = overview.metrics[metric];
          if (wantedBefore === null) expect(before).toBeNull();
          else if (before !== null || overview.metrics.views.previous !== null)
            expectEqual(before, metricIn(metric, wantedBefore));
          else expect(wantedBefore.views + wantedBefore.visits).toBe(0);
        }
        for (const [index, start] of overview.starts.entries()) {
          expectSeries(overview.series, index, reference.count(reference.bucket(overview.interval, start)));
          if (overview.comparisonSeries === null) continue;
          const compared = reference.count(reference.comparedBucket(overview.interval, start));
          expectSeries(overview.comparisonSeries, index, compared);
        }

        for (const dimension of dimensions) await expectTable(project, given, reference, asked, dimension);
      }),
      { numRuns: RUNS },
    );
  },
  Math.max(RUNS * 3_000, process.env['TEST_CLICKHOUSE'] === '1' ? 1_200_000 : 0),
);
