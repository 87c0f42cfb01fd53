/** What the Overview shows besides its tables, as lines of CSV: the chart, goals, weekdays by hours, web vitals. Names are the same in every language. */
import type { GoalFigures, Overview, OverviewMetric } from '#src/insights/contract.ts';
import type { HeatmapResult } from '#src/insights/kinds/heatmap/contract.ts';
import { type Vital, type Vitals, vitalNames } from '#src/insights/kinds/vitals/contract.ts';
import { matchingPages, sortedPages, type VitalColumn } from '#src/insights/kinds/vitals/pages/contract.ts';
import { csvLine } from '#src/kit/csv.ts';
import { isGoalMetric, type Metric, type Question } from '#views/question/question.ts';
import type { DrawnCourse } from '#views/screens/insights/drawn-course.ts';
import { dateIn, offsetMinutes } from '#views/words/zone.ts';

type Cell = string | number | null;

const metrics: Record<OverviewMetric, string> = {
  visitors: 'visitors',
  visits: 'visits',
  views: 'views',
  viewsPerVisit: 'views_per_visit',
  bounceRate: 'bounce_rate',
  visitDuration: 'visit_duration_seconds',
};

/** What a number of the chart is called in files. */
export function metricColumn(metric: Metric): string {
  if (!isGoalMetric(metric)) return metrics[metric];
  if (metric === 'conversions') return metric;
  return metric === 'conversionRate' ? 'conversion_rate' : metric.replace('.', '_').replace(/_$/, '');
}

/**
 * A line for each interval of the chart, with what it is compared with. Both dates are in it; of an hour, `to` is its end. The one that still
 * runs says until when it is counted.
 */
export function* figureLines(data: Overview, { metric, values, comparison: past }: DrawnCourse): Generator<string> {
  const { range, comparison, starts, comparisonStarts, running } = data;
  const before = comparison && past && { starts: comparisonStarts, to: comparison.to, values: past };
  const { until } = running === null ? { until: null } : range;
  yield csvLine([
    ...['from', 'to', metricColumn(metric)],
    ...(until === null ? [] : ['until']),
    ...(before ? ['previous_from', 'previous_to', 'previous', 'change'] : []),
  ]);
  for (const index of starts.keys()) {
    const value = values[index] ?? null;
    const earlier = before?.values[index] ?? null;
    yield csvLine([
      ...[...edges(data, starts, range.to, index), rounded(value)],
      ...(until === null ? [] : [index === running ? moment(until, data.timeZone) : null]),
      ...(before ? [...edges(data, before.starts, before.to, index), rounded(earlier)] : []),
      ...(before ? [value === null || earlier === null ? null : rounded(value - earlier)] : []),
    ]);
  }
}

/** First and last date of an interval, or when an hour begins and ends. */
function edges({ interval, timeZone }: Overview, starts: readonly number[], to: number, index: number): Cell[] {
  const start = starts[index];
  if (start === undefined) return [null, null];
  const end = starts[index + 1] ?? to;
  if (interval === 'hour') return [moment(start, timeZone), moment(end, timeZone)];
  return [dateIn(start, timeZone), dateIn(Math.max(start, end - 1), timeZone)];
}

/** `2026-11-24T13:00-03:00`. */
function moment(ms: number, timeZone: string): string {
  const minutes = offsetMinutes(ms, timeZone);
  const two = (value: number): string => String(value).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return new Date(ms + minutes * 60_000).toISOString().slice(0, 16) + offset;
}

/** A line for each goal, in the order of their names; each currency of theirs has a column. The head says what the rate is a share of. */
export function* goalLines({ goals, per, visitors, comparison }: GoalFigures): Generator<string> {
  const currencies = [...new Set(goals.flatMap(({ revenue }) => revenue.map(({ currency }) => currency)))].sort();
  const compared = comparison !== null && visitors.previous !== null;
  yield csvLine([
    ...['goal', 'kind', 'conversions', 'people', `${per}s_converted`, `${per}s`, 'rate'],
    ...currencies.map((currency) => (currency === '' ? 'revenue' : `revenue_${currency}`)),
    ...(compared ? ['conversions_previous', 'people_previous', 'rate_previous'] : []),
  ]);
  for (const { name, kind, conversions, people, conversionRate: rate, revenue } of goals) {
    const { numerator = null, denominator = null } = rate.parts ?? {};
    const worth = new Map(revenue.map(({ currency, sum }) => [currency, sum.value]));
    yield csvLine([
      ...[name, kind, conversions.value, people.value, numerator, denominator, rounded(rate.value)],
      ...currencies.map((currency) => worth.get(currency) ?? null),
      ...(compared ? [conversions.previous, people.previous, rounded(rate.previous)] : []),
    ]);
  }
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A line for each hour of the week, from the day on which the project's weeks begin. */
export function* hourLines({ visitors, views, datesByHour, weekStart }: HeatmapResult): Generator<string> {
  yield csvLine(['weekday', 'hour', 'visitors', 'views', 'dates']);
  for (let place = 0; place < weekdays.length; place++) {
    const day = (place + weekStart) % weekdays.length;
    for (const [hour, count] of (visitors[day] ?? []).entries()) {
      yield csvLine([weekdays[day] as string, hour, count, views[day]?.[hour] ?? 0, datesByHour[day]?.[hour] ?? 0]);
    }
  }
}

/** A line for each vital over all pages, and then for each page by the one that was asked for; of the table in full, as it is shown. */
export function* vitalLines(
  { vitals, percentile, pages, other: others }: Vitals,
  question: Question,
): Generator<string> {
  const { vital, details, find, sort, reversed } = question;
  const isInFull = details === 'vitals';
  const shown = isInFull ? sortedPages(matchingPages(pages, find), { sort: sort as VitalColumn, reversed }) : pages;
  const byHost = pages.some(({ host }) => host !== undefined);
  const hostCell = (host: Cell): Cell[] => (byHost ? [host] : []);
  yield csvLine(['vital', 'page', ...hostCell('host'), `p${percentile}`, 'measurements', 'good', 'poor', 'rating']);
  const cells = ({ value, samples, good, poor, rating }: Vital): Cell[] => [
    rounded(value),
    samples,
    good,
    poor,
    rating,
  ];
  for (const name of vitalNames) yield csvLine([name, '(all pages)', ...hostCell(null), ...cells(vitals[name])]);
  for (const { page, host = null, ...own } of shown) yield csvLine([vital, page, ...hostCell(host), ...cells(own)]);
  if (others.pages === 0 || (isInFull && find.trim() !== '')) return;
  yield csvLine([vital, `(${others.pages} others)`, ...hostCell(null), null, others.samples, null, null, null]);
}

/** As in tables: to the ten-thousandth. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000;
}
