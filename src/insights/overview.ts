/** The overview: five numbers over a range, the same for the range before, and their course by interval. */
import type { Knex } from 'knex';
import type { ProjectId } from '#src/projects/contract.ts';
import { query } from '#src/store/sql.ts';
import {
  type MetricValue,
  type Overview,
  type OverviewInput,
  type OverviewMetric,
  overviewMetrics,
} from './contract.ts';
import { allowedIntervals, type Bucket, chooseInterval, divide, divideComparison, runningIndex } from './intervals.ts';
import { countViews, countVisits, firstEvent, type ViewRow, type VisitRow } from './queries.ts';
import { countedUntil, resolveComparison, resolveRange } from './ranges.ts';
import { zoneOf } from './zone.ts';

/** What of a project the numbers depend on. */
export interface AskedProject {
  id: ProjectId;
  timeZone: string;
  weekStart: 0 | 1;
}

/** Counts of one stretch of time, from which the metrics are made. */
interface Counts {
  visitors: number;
  views: number;
  visits: number;
  bounced: number;
  seconds: number;
}

interface PeriodCounts {
  total: Counts;
  botViews: number;
  internalViews: number;
  /** By bucket. */
  buckets: Counts[];
}

type Series = Overview['series'];

/** Answers the overview. @throws AppError `invalid` for a range that cannot be, `timeout` when the database takes too long. */
export async function askOverview(
  db: Knex,
  project: AskedProject,
  input: Omit<OverviewInput, 'project'>,
  now: number,
): Promise<Overview> {
  const first = await askFirstEvent(db, project.id);
  const zone = zoneOf(project.timeZone);
  const context = { zone, weekStart: project.weekStart, now, firstEvent: first };
  const found = resolveRange(input.range, context);
  const { range } = found;
  const comparison = resolveComparison(found, input.compare, zone);

  const allowed = allowedIntervals(range);
  const interval = chooseInterval(range, allowed, input.interval);
  const buckets = divide(range, interval, context);
  const buckets2 = comparison === null ? [] : divideComparison(buckets, interval, comparison, zone);

  const until = countedUntil(range);
  const until2 = comparison === null ? 0 : countedUntil(comparison.range);
  const [counts, counts2] = await Promise.all([
    countPeriod(db, project.id, { from: range.from, until }, buckets),
    comparison === null ? null : countPeriod(db, project.id, { from: comparison.range.from, until: until2 }, buckets2),
  ]);
  const comparable = counts2 !== null && first !== null && first < until2;

  return {
    timeZone: project.timeZone,
    range,
    comparison: comparison?.range ?? null,
    interval,
    allowedIntervals: allowed,
    metrics: metricValues(counts.total, comparable ? counts2.total : null),
    starts: buckets.map((bucket) => bucket.from),
    running: runningIndex(buckets, range),
    series: seriesOf(counts, buckets, until, first),
    comparisonStarts: buckets2.map((bucket) => bucket.from),
    comparisonSeries: counts2 === null ? null : seriesOf(counts2, buckets2, until2, first),
    excluded: { bots: counts.botViews, internal: counts.internalViews },
  };
}

/** Time of the project's first event in ms, or null before it. */
export async function askFirstEvent(db: Knex, projectId: number): Promise<number | null> {
  const [row] = await query<{ ts: number }>(db, firstEvent(projectId));
  return row?.ts ?? null;
}

const nothing: Counts = { visitors: 0, views: 0, visits: 0, bounced: 0, seconds: 0 };

async function countPeriod(
  db: Knex,
  projectId: number,
  span: { from: number; until: number },
  buckets: Bucket[],
): Promise<PeriodCounts> {
  const { starts, bucketOf } = slotsOf(buckets);
  const [views, visits] = await Promise.all([
    query<ViewRow>(db, countViews(projectId, span, starts)),
    query<VisitRow>(db, countVisits(projectId, span, starts)),
  ]);
  const result: PeriodCounts = {
    total: { ...nothing },
    botViews: 0,
    internalViews: 0,
    buckets: buckets.map(() => ({ ...nothing })),
  };
  for (const row of views) {
    const counts = row.slot === null ? result.total : result.buckets[bucketOf[row.slot] ?? -1];
    if (counts) Object.assign(counts, { visitors: row.visitors, views: row.views });
    if (row.slot === null) Object.assign(result, { botViews: row.botViews, internalViews: row.internalViews });
  }
  for (const { slot, visits: count, bounced, seconds } of visits) {
    for (const counts of [result.total, result.buckets[bucketOf[slot] ?? -1]]) {
      if (!counts) continue;
      counts.visits += count;
      counts.bounced += bounced;
      counts.seconds += seconds;
    }
  }
  return result;
}

/**
 * Ascending edges for `width_bucket`, and which bucket each begins: empty buckets have none, and what lies between two
 * buckets, or after the last, belongs to none.
 */
function slotsOf(buckets: Bucket[]): { starts: number[]; bucketOf: (number | null)[] } {
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
    case 'bounceRate':
      return counts.visits === 0 ? null : counts.bounced / counts.visits;
    case 'visitDuration':
      return counts.visits === 0 ? null : counts.seconds / counts.visits;
  }
}

function partsOf(metric: OverviewMetric, counts: Counts): MetricValue['parts'] {
  if (metric === 'bounceRate') return { numerator: counts.bounced, denominator: counts.visits };
  if (metric === 'visitDuration') return { numerator: counts.seconds, denominator: counts.visits };
  return undefined;
}

function metricValues(counts: Counts, before: Counts | null): Overview['metrics'] {
  const value = (metric: OverviewMetric): MetricValue => {
    const parts = partsOf(metric, counts);
    return {
      value: metricOf(metric, counts),
      before: before === null ? null : metricOf(metric, before),
      ...(parts === undefined ? {} : { parts }),
    };
  };
  return byMetric(value);
}

/** Null in a series: not begun yet, before the project's first event, or nothing to divide by. */
function seriesOf(counts: PeriodCounts, buckets: Bucket[], until: number, first: number | null): Series {
  const known = buckets.map(({ from, to }) => first !== null && to > first && to > from && from <= until);
  return byMetric((metric) => counts.buckets.map((each, index) => (known[index] ? metricOf(metric, each) : null)));
}

function byMetric<Value>(make: (metric: OverviewMetric) => Value): Record<OverviewMetric, Value> {
  return Object.fromEntries(overviewMetrics.map((metric) => [metric, make(metric)])) as Record<OverviewMetric, Value>;
}
