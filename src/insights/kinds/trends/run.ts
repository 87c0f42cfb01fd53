/** Trends: series of events by interval, beside those of a comparison. */

import type { Measure, TrendRow, TrendSpan, TrendsQuery } from '#src/columns/columns.ts';
import { type GroupSubject, isGroupSubject } from '#src/columns/values.ts';
import { dayMs, type Zone } from '#src/kit/zone.ts';
import type { QueryContext } from '../../define.ts';
import { begin } from '../../query/begin.ts';
import type { ResolvedRange } from '../../query/contract.ts';
import { type Bucket, chooseTrendInterval, divide, divideComparison, runningIndex } from '../../query/intervals.ts';
import { type CoveredProperty, queryCoverage } from '../../query/property-coverage.ts';
import { countedUntil, resolveComparison } from '../../query/ranges.ts';
import { resolveBreakdown } from './breakdowns.ts';
import type { TrendsResult } from './contract.ts';
import {
  activeDays,
  breakdownParts,
  firstMeasures,
  quantileOf,
  type TrendMeasure,
  type TrendsInput,
} from './contract.ts';
import { formulaRows, readFormulas } from './formulas.ts';
import { weeklyCells, weeklyDates, weeklyPoints } from './weekly-heatmap.ts';

/** The engine's query, and the layout of its result. @throws AppError `invalid` for an invalid range */
export async function prepareTrends(
  { columns, scope: project, people, rulesOf, now }: QueryContext,
  input: TrendsInput,
) {
  const formulas = readFormulas(input);
  const { zone, context, first, found, scope } = await begin(columns, project, input, people, now);
  const { range } = found;
  const compared = resolveComparison(found, input.compare, zone);
  const interval = chooseTrendInterval(range, input.interval);
  const buckets = divide(range, interval, context);
  const buckets2 = compared === null ? [] : divideComparison(buckets, interval, compared, zone);
  const periods = [{ range, buckets }, ...(compared === null ? [] : [{ range: compared.range, buckets: buckets2 }])];
  const weekly = input.weeklyHeatmap === true ? weeklyCells(input, range, zone) : null;
  const counted = {
    ...scope,
    // Without any event there is no first one.
    ...(first !== null && { first }),
    series: input.series.map(({ event: of, measure, per }) => ({
      rules: rulesOf(of),
      measure: measureOf(measure, isGroupSubject(per) ? per : null),
      spans: periods.map((period, at) => ({
        ...spanOf(period, zone, daysOf(measure), input.cumulative === true),
        ...(at === 0 && weekly !== null && { cells: weekly }),
      })),
    })),
  };
  const { by, edges } = await resolveBreakdown(columns, input, counted);
  const asked: TrendsQuery = { ...counted, by, most: input.limit, together: formulas.length > 0 };
  return { asked, edges, formulas, first, range, compared, interval, buckets, buckets2, periods, zone };
}

/** @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long */
export async function runTrends(context: QueryContext, input: TrendsInput): Promise<TrendsResult> {
  const { columns, scope: project } = context;
  const prepared = await prepareTrends(context, input);
  const { formulas, first, range, compared, interval, buckets, buckets2, periods, zone } = prepared;
  const weekly = input.weeklyHeatmap === true ? weeklyDates(range, first, zone) : null;
  const span = { from: range.from, until: countedUntil(range) };
  const [answers, coverage] = await Promise.all([
    columns.trends(prepared.asked),
    queryCoverage(columns, prepared.asked, span, coveredProperties(input, prepared.asked)),
  ]);
  const pointsOf = ({ course }: TrendRow, { range: own, buckets: all }: (typeof periods)[number]) =>
    course.map((value, at) => (isKnown(all[at] as Bucket, own, first) ? value : null));
  const comparable = compared !== null && first !== null && first < countedUntil(compared.range);
  const rows = answers.map(([trend, earlier]) =>
    (trend?.rows ?? []).map((row, at) => {
      const before = earlier?.rows[at];
      return {
        value: row.value,
        total: row.total,
        ignored: row.ignored,
        points: pointsOf(row, periods[0] as (typeof periods)[number]),
        previous: comparable && before ? before.total : null,
        comparisonPoints: before === undefined || periods[1] === undefined ? null : pointsOf(before, periods[1]),
        cells: weekly && weeklyPoints(row.cells ?? [], weekly.datesByHour),
      };
    }),
  );
  return {
    timeZone: project.timeZone,
    range,
    comparison: compared?.range ?? null,
    interval,
    starts: buckets.map(({ from }) => from),
    comparisonStarts: buckets2.map(({ from }) => from),
    running: runningIndex(buckets, range),
    coverage,
    edges: prepared.edges,
    weeklyHeatmap: weekly && { weekStart: project.weekStart, ...weekly },
    series: answers.map(([trend], at) => ({
      values: trend?.values ?? 0,
      rows: input.series[at]?.hidden === true ? [] : (rows[at] ?? []),
    })),
    formulas: formulas.map(({ name, formula }) => ({ name, rows: formulaRows(formula, rows) })),
  };
}

/** Properties of the breakdown, of the events of all series, and of measures. */
function coveredProperties(input: TrendsInput, { series }: TrendsQuery): CoveredProperty[] {
  const all = series.flatMap(({ rules }) => rules);
  const divided = breakdownParts(input).flatMap((part) =>
    part.about === 'name' || 'values' in part ? [] : { about: part.about, name: part.name, rules: all },
  );
  const measured = input.series.flatMap(({ measure }, at) =>
    typeof measure === 'object' && 'property' in measure
      ? { about: 'event' as const, name: measure.property, rules: series[at]?.rules ?? [] }
      : [],
  );
  return [...divided, ...measured];
}

type Active = keyof typeof activeDays;

function daysOf(measure: TrendMeasure): number | null {
  return typeof measure === 'string' && measure in activeDays ? activeDays[measure as Active] : null;
}

/** @param group the type whose groups are counted; null: persons */
function measureOf(measure: TrendMeasure, group: GroupSubject | null): Measure {
  const of = group === null ? {} : { of: group };
  if (typeof measure === 'string') {
    if (measure === 'firstEver' || measure === 'firstMatching') return { first: firstMeasures[measure], ...of };
    return measure in activeDays ? (group ?? 'persons') : (measure as Measure);
  }
  if ('property' in measure) {
    const { property, as } = measure;
    const quantile = quantileOf(as);
    return { property, as: quantile === null ? (as as 'sum') : { quantile } };
  }
  const quantile = quantileOf(measure.eventsPerPerson);
  return { eventsPerPerson: quantile === null ? (measure.eventsPerPerson as 'mean') : { quantile }, ...of };
}

/**
 * @param days length of the window that ends with each interval; null: the interval itself
 * @param isCumulative instead of the interval, all from the beginning of the range up to its end
 */
function spanOf(
  { range, buckets }: { range: ResolvedRange; buckets: readonly Bucket[] },
  zone: Zone,
  days: number | null,
  isCumulative: boolean,
): TrendSpan {
  const until = countedUntil(range);
  const windows = buckets.map(({ from, to }) => ({
    from: Math.min(days === null ? (isCumulative ? range.from : from) : daysBefore(to, days, zone), until),
    until: Math.min(to, until),
  }));
  const whole = { from: range.from, until };
  const last = windows.findLast((_, at) => (buckets[at] as Bucket).from < until);
  return { ...whole, windows, total: days === null ? whole : (last ?? whole) };
}

/** The same time of the clock so many dates before; the beginning of a date for the end of one. */
function daysBefore(moment: number, days: number, zone: Zone): number {
  const day = zone.dayAt(moment);
  if (zone.startOfDay(day) === moment) return zone.startOfDay(day - days);
  return zone.instantOf(zone.localAt(moment) - days * dayMs);
}

/** It has begun, and not before the project's first event. */
function isKnown({ from, to }: Bucket, range: ResolvedRange, first: number | null): boolean {
  return first !== null && to > first && to > from && from <= countedUntil(range);
}
