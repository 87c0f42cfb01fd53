/** Range context with the project's first event, which is read in parallel and awaited only when the range depends on it. */
import type { Columns, FirstEvents } from '#src/columns/columns.ts';
import { zoneOf } from '#src/kit/zone.ts';
import type { RangeInput } from './contract.ts';
import type { RangeContext } from './ranges.ts';
import type { QueryProject } from './scope.ts';

/** The part of the engine with the first events. */
export type FirstEventColumns = Pick<Columns, 'firstEvent' | 'firstEvents'>;

export interface BegunRange {
  /** Context of the range; without the first event when the range does not depend on it. */
  context: RangeContext;
  /** Time of the first event in ms, or null before it; early ones count. @throws as `Columns.firstEvent` */
  firstEvent: Promise<number | null>;
}

/** @throws as `Columns.firstEvents` */
export async function beginRange(
  columns: FirstEventColumns,
  { id, timeZone, weekStart }: QueryProject,
  range: RangeInput,
  now: number,
): Promise<BegunRange> {
  const clock = { zone: zoneOf(timeZone), weekStart, now };
  if (range === 'all_time') {
    const found = await columns.firstEvents(id);
    return { context: { ...clock, ...beginningOf(found) }, firstEvent: Promise.resolve(found.first) };
  }
  const firstEvent = columns.firstEvent(id);
  firstEvent.catch(() => undefined); // its rejection is seen where it is awaited; an invalid range is refused first
  return { context: { ...clock, firstEvent: null }, firstEvent };
}

/** The first event as part of the range context. */
export function beginningOf({ plausible, early }: FirstEvents): Pick<RangeContext, 'firstEvent' | 'earlyEvents'> {
  return { firstEvent: plausible, earlyEvents: early };
}
