/** Charts of trends, and what each asks for. Pure. */
import { isGroupSubject } from '#src/columns/values.ts';
import { activeDays, breakdownParts, type TrendSeries, type TrendsInput } from '#src/insights/kinds/trends/contract.ts';
import type { ChartName } from '../display.ts';
import type { InsightOf } from '../insight.ts';
import { COUNTRY_CODE } from '../names.ts';

export const trendsCharts = [
  'line',
  'area',
  'bar',
  'stacked',
  'percent',
  'number',
  'pie',
  'heatmap',
  'map',
  'table',
] as const satisfies readonly ChartName[];

/** As many countries as a breakdown can have. */
const ALL_COUNTRIES = 100;

/** Whether rows are countries. */
export function isByCountry(asked: Pick<TrendsInput, 'breakdown'>): boolean {
  const [only, ...others] = breakdownParts(asked);
  return only?.about === 'event' && only.name === COUNTRY_CODE && others.length === 0;
}

/** The insight drawn as another chart: a heatmap asks for hours of the week, a map for countries. */
export function withChart(insight: InsightOf<'trends'>, chart: ChartName): InsightOf<'trends'> {
  const { weeklyHeatmap: _, ...own } = insight.own;
  const { rows, ...others } = insight.display;
  const shown = { ...others, ...(rows && { rows }), chart };
  if (chart === 'heatmap') {
    const series = own.series.map(hourly);
    return { ...insight, own: { ...own, series, weeklyHeatmap: true }, display: shown };
  }
  if (chart === 'map' && !isByCountry(own)) {
    const breakdown = { about: 'event' as const, name: COUNTRY_CODE };
    return { ...insight, own: { ...own, breakdown, limit: ALL_COUNTRIES }, display: { ...others, chart } };
  }
  return { ...insight, own, display: shown };
}

/** People, or groups, active over days have no hour. */
function hourly(series: TrendSeries): TrendSeries {
  const { per, ...others } = series;
  if (typeof series.measure !== 'string' || !(series.measure in activeDays)) return series;
  return { ...others, measure: isGroupSubject(per) ? per : 'persons' };
}
