/**
 * A line per interval of the chart, with its comparison. `from` and `to` are both included dates; for hours `to` is the end. For the
 * current interval `to` is the time of the last data.
 */
import * as z from 'zod/mini';
import { zoneOf } from '#src/kit/zone.ts';
import { type Cell, defineFile, edgesOf, exact, rounded, tableRows, timeIn } from '../../query/file.ts';
import { type Overview, type OverviewInput, type OverviewMetric, overviewMetrics } from './contract.ts';

const options = z.strictObject({
  /** One of the overview's, or of the goal: `conversions`, `conversionRate`, or `revenue.` and a currency. */
  metric: z._default(z.string().check(z.maxLength(20)), 'visitors'),
});

const columns: Record<OverviewMetric, string> = {
  visitors: 'visitors',
  visits: 'visits',
  views: 'views',
  viewsPerVisit: 'views_per_visit',
  bounceRate: 'bounce_rate',
  visitDuration: 'visit_duration_seconds',
};

type Points = readonly (number | null)[];

interface Series {
  column: string;
  points: Points;
  comparison: Points | null;
}

export const overviewFile = defineFile<OverviewInput, Overview, z.infer<typeof options>>({
  options,
  name: (result, { metric }) => seriesOf(result, metric).column,
  rows(result, { options: { metric } }) {
    const { range, comparison, running } = result;
    const { column, points, comparison: earlier } = seriesOf(result, metric);
    const written = metric.startsWith('revenue.') ? exact : rounded;
    const zone = zoneOf(result.timeZone);
    const { until } = running === null ? { until: null } : range;
    const intervals = { zone, interval: result.interval, starts: result.starts, to: range.to };
    const compared = comparison && { ...intervals, starts: result.comparisonStarts, to: comparison.to };
    const isCompared = compared !== null && earlier !== null;
    const head = [
      'from',
      'to',
      column,
      ...(until === null ? [] : ['until']),
      ...(isCompared ? ['previous_from', 'previous_to', 'previous', 'change'] : []),
    ];
    const rows = result.starts.map((_, index): Cell[] => {
      const value = points[index] ?? null;
      const previous = earlier?.[index] ?? null;
      return [
        ...edgesOf(intervals, index),
        written(value),
        ...(until === null ? [] : [index === running ? timeIn(until, zone) : null]),
        ...(isCompared ? [...edgesOf(compared, index), written(previous)] : []),
        ...(isCompared ? [value === null || previous === null ? null : written(value - previous)] : []),
      ];
    });
    return tableRows(head, rows);
  },
});

/** Visitors, where the goal or the currency does not occur. */
function seriesOf(result: Overview, metric: string): Series {
  const own = overviewMetrics.find((each) => each === metric);
  if (own === undefined) return goalSeries(result, metric) ?? seriesOf(result, 'visitors');
  return { column: columns[own], points: result.series[own], comparison: result.comparisonSeries?.[own] ?? null };
}

function goalSeries({ goal }: Overview, metric: string): Series | null {
  if (!goal) return null;
  const { series, comparisonSeries, revenueSeries } = goal;
  if (metric === 'conversions' || metric === 'conversionRate') {
    const column = metric === 'conversions' ? metric : 'conversion_rate';
    return { column, points: series[metric], comparison: comparisonSeries?.[metric] ?? null };
  }
  const place = goal.revenue.findIndex(({ currency }) => `revenue.${currency}` === metric);
  const revenue = revenueSeries[place];
  if (revenue === undefined) return null;
  const column = metric.replace('.', '_').replace(/_$/, '');
  return { column, points: revenue.series, comparison: revenue.comparisonSeries ?? null };
}
