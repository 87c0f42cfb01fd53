/** Weekdays by hours, in the project's zone. */
import type { Columns } from '#src/columns/columns.ts';
import { dayMs, hourMs, weekdayOf, type Zone, zoneOf } from '#src/kit/zone.ts';
import { beginFirstEvent } from '../../query/first-event.ts';
import { divide } from '../../query/intervals.ts';
import { countedUntil, resolveRange } from '../../query/ranges.ts';
import { eventScopeOf, type QueryProject, type Resolved, rareNames, viewNames } from '../../query/scope.ts';
import type { HeatmapInput, HeatmapResult } from './contract.ts';

const HOURS = 24;
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

/** Answers the grid. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long. */
export async function runHeatmap(
  columns: Pick<Columns, 'cells' | 'firstEvent'>,
  project: QueryProject,
  input: Resolved<HeatmapInput>,
  now: number,
): Promise<HeatmapResult> {
  const zone = zoneOf(project.timeZone);
  const firstEvent = await beginFirstEvent(columns, project.id, input.range);
  const context = { zone, weekStart: project.weekStart, now, firstEvent: firstEvent.toResolve };
  const { range } = resolveRange(input.range, context);
  const until = countedUntil(range);
  const hours = divide(range, 'hour', context).filter(({ from }) => from < until);
  const starts = hours.map(({ from }) => from);
  const rare = rareNames();
  const cells = await columns.cells(
    {
      onRare: rare.onRare,
      ...{ projectId: project.id, views: viewNames, ...eventScopeOf(input) },
      spans: [{ from: range.from, until, starts }],
    },
    starts.map((start) => cellAt(start, zone)),
    WEEKDAYS.length * HOURS,
  );
  const table = (figure: 'visitors' | 'views') =>
    WEEKDAYS.map((day) => cells.slice(day * HOURS, (day + 1) * HOURS).map((cell) => cell[figure]));
  const dates = new Set(starts.map((start) => zone.dayAt(start)));
  const datesOf = Array.from({ length: WEEKDAYS.length * HOURS }, () => new Set<number>());
  const first = (await firstEvent.told) ?? Number.POSITIVE_INFINITY;
  for (const { from, to } of hours) if (to > first) datesOf[cellAt(from, zone)]?.add(zone.dayAt(from));
  return {
    timeZone: project.timeZone,
    weekStart: project.weekStart,
    range,
    rare: rare.names(),
    visitors: table('visitors'),
    views: table('views'),
    dates: WEEKDAYS.map((day) => [...dates].filter((date) => weekdayOf(date) === day).length),
    datesByHour: WEEKDAYS.map((day) => datesOf.slice(day * HOURS, (day + 1) * HOURS).map(({ size }) => size)),
  };
}

function cellAt(start: number, zone: Zone): number {
  const local = zone.localAt(start);
  const day = Math.floor(local / dayMs);
  return weekdayOf(day) * HOURS + Math.floor((local - day * dayMs) / hourMs);
}
