/** Weekdays by hours, in the project's zone. */
import type { Columns } from '#src/columns/columns.ts';
import { quarterMs, type Zone } from '#src/kit/zone.ts';
import { countDates } from '../../query/clock-dates.ts';
import { byWeekday, clockHours, HOURS, WEEKDAYS } from '../../query/clock-hours.ts';
import { beginRange, type FirstEventColumns } from '../../query/first-event.ts';
import { countedUntil, resolveRange } from '../../query/ranges.ts';
import { eventScopeOf, type QueryProject, type Resolved, viewNames } from '../../query/scope.ts';
import type { HeatmapInput, HeatmapResult } from './contract.ts';

/** Answers the grid. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long. */
export async function runHeatmap(
  columns: Pick<Columns, 'cells'> & FirstEventColumns,
  project: QueryProject,
  input: Resolved<HeatmapInput>,
  now: number,
): Promise<HeatmapResult> {
  const { context, firstEvent } = await beginRange(columns, project, input.range, now);
  const { zone } = context;
  const { range } = resolveRange(input.range, context);
  const until = countedUntil(range);
  const cells = await columns.cells(
    {
      projectId: project.id,
      views: viewNames,
      ...eventScopeOf(input),
      spans: [{ from: range.from, until, starts: [] }],
    },
    {
      cells: WEEKDAYS * HOURS,
      between: (begin, end) => [...clockHours(begin, end, zone)],
      isInQuarters: isInQuarters(range.from, zone),
    },
  );
  const table = (figure: 'visitors' | 'views') => byWeekday(cells.map((cell) => cell[figure]));
  const first = (await firstEvent) ?? Number.POSITIVE_INFINITY;
  const { dates, datesByCell } = countDates({ from: range.from, to: range.to, until }, first, zone);
  return {
    timeZone: project.timeZone,
    weekStart: project.weekStart,
    range,
    visitors: table('visitors'),
    views: table('views'),
    dates,
    datesByHour: byWeekday(datesByCell),
  };
}

/** Offsets were others only before clocks were set by quarters, so it is enough to know the first. */
function isInQuarters(from: number, zone: Zone): boolean {
  return (zone.localAt(from) - from) % quarterMs === 0;
}
