/** The overview: numbers over a range, the same for the range before, and their course by interval. */

import type { Columns, Counts, SpanCounts } from '#src/columns/columns.ts';
import type { Traffic } from '#src/columns/contract.ts';
import { dayMs, type Zone } from '#src/kit/zone.ts';
import type { Goal } from '../../goals/contract.ts';
import { selectionOf } from '../../goals/selection.ts';
import { caveatsOf, tracedNames } from '../../query/caveats.ts';
import type { MetricValue } from '../../query/contract.ts';
import { type BegunRange, beginRange, type FirstEventColumns } from '../../query/first-event.ts';
import {
  allowedIntervals,
  type Bucket,
  chooseInterval,
  divide,
  divideComparison,
  runningIndex,
} from '../../query/intervals.ts';
import { countedUntil, resolveComparison, resolveRange } from '../../query/ranges.ts';
import { eventScopeOf, type QueryProject, type Resolved, viewsOf } from '../../query/scope.ts';
import type { Overview, OverviewInput, OverviewMetric } from './contract.ts';
import { overviewMetrics } from './contract.ts';
import { goalPoints } from './goal.ts';

interface PeriodCounts {
  total: Counts;
  /** Counts by bucket. */
  buckets: Counts[];
}

type Series = Overview['series'];

/** Answers the overview. @throws AppError `invalid` for a range that cannot be, `timeout` when the database takes too long. */
export async function runOverview(
  columns: AskedColumns,
  project: QueryProject,
  input: OverviewQuery,
  now: number,
): Promise<Overview> {
  const begun = await beginRange(columns, project, input.range, now);
  const answer = await answerSince(columns, project, input, { begun, since: null });
  const since = firstDayOf(answer, input, { zone: begun.context.zone, now, first: await begun.firstEvent });
  // There is little to count, then.
  return since === null ? answer : answerSince(columns, project, input, { begun, since });
}

/** Start of the first day of a running range that is shown by hours; null: not applicable. */
function firstDayOf(
  { range, interval, allowedIntervals, metrics }: Overview,
  asked: Pick<OverviewQuery, 'firstDay' | 'interval'>,
  { zone, now, first }: { zone: Zone; now: number; first: number | null },
): number | null {
  if (asked.firstDay !== true || asked.interval !== undefined || first === null) return null;
  if (first > now || first <= now - dayMs || range.until === null) return null;
  if (interval === 'hour' || !allowedIntervals.includes('hour') || metrics.views.previous !== null) return null;
  const since = zone.startOfDay(zone.dayAt(first));
  return since > range.from ? since : null;
}

type AskedColumns = Pick<Columns, 'series' | 'conversions'> & FirstEventColumns;
type OverviewQuery = Resolved<OverviewInput> & { goal?: Goal | null };

/** @param since by hours, from then on, and compared with nothing; null: as it was asked */
async function answerSince(
  columns: AskedColumns,
  project: QueryProject,
  { goal = null, per = 'visitor', ...input }: OverviewQuery,
  { begun, since }: { begun: BegunRange; since: number | null },
): Promise<Overview> {
  const { context } = begun;
  const { zone } = context;
  const found = resolveRange(input.range, context);
  const { range } = found;
  const comparison = since === null ? resolveComparison(found, input.compare, zone) : null;

  const allowed = allowedIntervals(range);
  const interval = since === null ? chooseInterval(range, input.interval) : 'hour';
  const buckets = divide(range, interval, context).filter(({ to }) => since === null || to > since);
  const buckets2 = comparison === null ? [] : divideComparison(buckets, interval, comparison, zone);

  const until = countedUntil(range);
  const until2 = comparison === null ? 0 : countedUntil(comparison.range);
  const slots = [buckets, buckets2].map(slotsOf) as [Slots, Slots];
  const question = {
    ...viewsOf(project),
    ...eventScopeOf(input),
    withMedian: true,
    presence: tracedNames,
    spans: [
      { from: range.from, until, starts: slots[0].starts },
      ...(comparison === null ? [] : [{ from: comparison.range.from, until: until2, starts: slots[1].starts }]),
    ],
  };
  const [[found1, found2], first, done] = await Promise.all([
    columns.series(question),
    begun.firstEvent,
    goal && columns.conversions(question, [selectionOf(goal)], { byVisit: per === 'visit' }),
  ]);
  const counts = inBuckets(found1 as SpanCounts, slots[0], buckets.length);
  const counts2 = found2 === undefined ? null : inBuckets(found2, slots[1], buckets2.length);
  const comparable = counts2 !== null && first !== null && first < until2;
  const [did1, did2] = done?.[0] ?? [];

  return {
    timeZone: project.timeZone,
    range,
    comparison: comparison?.range ?? null,
    interval,
    allowedIntervals: allowed,
    metrics: withMedian(metricValues(counts.total, comparable ? counts2.total : null), found1 as SpanCounts),
    starts: buckets.map((bucket) => bucket.from),
    running: runningIndex(buckets, range),
    series: seriesOf(counts, buckets, until, first),
    comparisonStarts: buckets2.map((bucket) => bucket.from),
    comparisonSeries: counts2 === null ? null : seriesOf(counts2, buckets2, until2, first),
    ...trafficOf(counts.total, input.include),
    caveats: caveatsOf(found1?.presence ?? null, range, {
      visitors: counts.total.visitors > 0,
      bounceRate: counts.total.visits > 0,
    }),
    goal:
      goal && did1
        ? goalPoints(
            goal,
            per,
            { found: did1, bucketOf: slots[0].bucketOf, known: knownOf(buckets, until, first) },
            did2 === undefined
              ? null
              : { found: did2, bucketOf: slots[1].bucketOf, known: knownOf(buckets2, until2, first) },
            comparable,
          )
        : null,
  };
}

const nothing: Counts = {
  visitors: 0,
  views: 0,
  botViews: 0,
  internalViews: 0,
  visits: 0,
  bounced: 0,
  ms: 0,
  visitViews: 0,
};

function inBuckets({ total, stretches }: SpanCounts, { bucketOf }: Slots, length: number): PeriodCounts {
  const buckets = Array.from({ length }, () => nothing);
  for (const [slot, bucket] of bucketOf.entries()) if (bucket !== null) buckets[bucket] = stretches[slot] as Counts;
  return { total, buckets };
}

/** Views of excludable traffic: excluded, or included on request. */
function trafficOf(
  { botViews, internalViews }: Counts,
  include: readonly Traffic[] = [],
): Pick<Overview, 'excluded' | 'included'> {
  const views: Record<Traffic, number> = { bots: botViews, internal: internalViews };
  const where = (isIn: boolean): Record<Traffic, number> => ({
    bots: include.includes('bots') === isIn ? views.bots : 0,
    internal: include.includes('internal') === isIn ? views.internal : 0,
  });
  return { excluded: where(false), included: where(true) };
}

interface Slots {
  starts: number[];
  bucketOf: (number | null)[];
}

/**
 * Start times, ascending, with the bucket that starts there: empty buckets have none, and gaps between
 * buckets and the time after the last belong to none.
 */
function slotsOf(buckets: Bucket[]): Slots {
  const starts: number[] = [];
  const bucketOf: (number | null)[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const [index, bucket] of buckets.entries()) {
    if (bucket.to <= bucket.from) continue;
    if (bucket.from > end) {
      starts.push(end);
      bucketOf.push(null);
    }
    starts.push(bucket.from);
    bucketOf.push(index);
    end = bucket.to;
  }
  if (starts.length > 0) {
    starts.push(end);
    bucketOf.push(null);
  }
  return { starts, bucketOf };
}

function metricOf(metric: OverviewMetric, counts: Counts): number | null {
  switch (metric) {
    case 'visitors':
    case 'visits':
    case 'views':
      return counts[metric];
    case 'viewsPerVisit':
      return counts.visits === 0 ? null : counts.visitViews / counts.visits;
    case 'bounceRate':
      return counts.visits === 0 ? null : counts.bounced / counts.visits;
    case 'visitDuration':
      return counts.visits === 0 ? null : counts.ms / 1000 / counts.visits;
  }
}

function partsOf(metric: OverviewMetric, counts: Counts): MetricValue['parts'] {
  if (metric === 'viewsPerVisit') return { numerator: counts.visitViews, denominator: counts.visits };
  if (metric === 'bounceRate') return { numerator: counts.bounced, denominator: counts.visits };
  if (metric === 'visitDuration') return { numerator: counts.ms / 1000, denominator: counts.visits };
  return undefined;
}

function metricValues(counts: Counts, before: Counts | null): Overview['metrics'] {
  const value = (metric: OverviewMetric): MetricValue => {
    const parts = partsOf(metric, counts);
    return {
      value: metricOf(metric, counts),
      previous: before === null ? null : metricOf(metric, before),
      ...(parts === undefined ? {} : { parts }),
    };
  };
  return byMetric(value);
}

function withMedian(metrics: Overview['metrics'], { medianMs }: SpanCounts): Overview['metrics'] {
  const median = medianMs === null ? null : medianMs / 1000;
  return { ...metrics, visitDuration: { ...metrics.visitDuration, median } };
}

/** Null in a series: not begun yet, before the project's first event, or nothing to divide by. */
function seriesOf(counts: PeriodCounts, buckets: Bucket[], until: number, first: number | null): Series {
  const known = knownOf(buckets, until, first);
  return byMetric((metric) => counts.buckets.map((each, index) => (known[index] ? metricOf(metric, each) : null)));
}

/** For each bucket, true when it has started, and does not end before the project's first event. */
function knownOf(buckets: Bucket[], until: number, first: number | null): boolean[] {
  return buckets.map(({ from, to }) => first !== null && to > first && to > from && from <= until);
}

function byMetric<Value>(make: (metric: OverviewMetric) => Value): Record<OverviewMetric, Value> {
  return Object.fromEntries(overviewMetrics.map((metric) => [metric, make(metric)])) as Record<OverviewMetric, Value>;
}
