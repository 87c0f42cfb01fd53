/** Trends by weekday and hour of the project's time zone: what the engine is asked, and on how many dates each hour was. */
import type { TrendSpan } from '#src/columns/columns.ts';
import { invalid } from '#src/kit/errors.ts';
import type { Zone } from '#src/kit/zone.ts';
import { countDates } from '../../query/clock-dates.ts';
import { byWeekday, clockHours, HOURS, WEEKDAYS } from '../../query/clock-hours.ts';
import type { ResolvedRange } from '../../query/contract.ts';
import { countedUntil, datesIn } from '../../query/ranges.ts';
import { activeDays, MAX_HEATMAP_DATES, type Points, type TrendsInput, type TrendsResult } from './contract.ts';

/** @throws AppError `invalid` for a range that is too long, and for people active over days: these have no hour */
export function weeklyCells(
  { series }: Pick<TrendsInput, 'series'>,
  range: ResolvedRange,
  zone: Zone,
): NonNullable<TrendSpan['cells']> {
  if (datesIn(range) > MAX_HEATMAP_DATES) {
    throw invalid('range', `Weekly heatmaps cover up to ${MAX_HEATMAP_DATES} days. Choose a shorter range.`);
  }
  for (const [at, { measure }] of series.entries()) {
    if (typeof measure === 'string' && measure in activeDays) {
      throw invalid(`series.${at}.measure`, 'Weekly heatmaps have no active users. Choose unique people.');
    }
  }
  return { count: WEEKDAYS * HOURS, stretches: [...clockHours(range.from, countedUntil(range), zone)] };
}

/** @param first time of the first event, ms; null without events */
export function weeklyDates(
  range: ResolvedRange,
  first: number | null,
  zone: Zone,
): Pick<NonNullable<TrendsResult['weeklyHeatmap']>, 'dates' | 'datesByHour'> {
  const whole = { from: range.from, to: range.to, until: countedUntil(range) };
  const { dates, datesByCell } = countDates(whole, first ?? Number.POSITIVE_INFINITY, zone);
  return { dates, datesByHour: byWeekday(datesByCell) };
}

/** Figures by weekday and hour; null where there was no such hour. */
export function weeklyPoints(cells: Points, datesByHour: readonly (readonly number[])[]): Points[] {
  return byWeekday(cells).map((hours, day) =>
    hours.map((figure, hour) => ((datesByHour[day]?.[hour] ?? 0) > 0 ? figure : null)),
  );
}

/** Number of the cell of an hour of the week. */
export function cellAt({ weekday, hour }: { weekday: number; hour: number }): number {
  return weekday * HOURS + hour;
}
