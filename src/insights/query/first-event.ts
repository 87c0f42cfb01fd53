/** What ranges are resolved against, with the project's first event: asked for at the same moment, and waited for only where the range depends on it. */
import type { Columns, FirstEvents } from '#src/columns/columns.ts';
import { zoneOf } from '#src/kit/zone.ts';
import type { RangeInput } from './contract.ts';
import type { RangeContext } from './ranges.ts';
import type { QueryProject } from './scope.ts';

/** What tells when events began. */
export type FirstEventColumns = Pick<Columns, 'firstEvent' | 'firstEvents'>;

export interface BegunRange {
  /** For resolving the range; without the first event where that does not depend on it. */
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

/** What a range is resolved against. */
export function beginningOf({ plausible, early }: FirstEvents): Pick<RangeContext, 'firstEvent' | 'earlyEvents'> {
  return { firstEvent: plausible, earlyEvents: early };
}
