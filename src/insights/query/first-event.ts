/** The project's first event, asked for beside the question: at the same moment, and waited for only where the range depends on it. */
import type { Columns, FirstEvents } from '#src/columns/columns.ts';
import type { RangeInput } from './contract.ts';
import type { RangeContext } from './ranges.ts';

type Beginning = Pick<RangeContext, 'firstEvent' | 'earlyEvents'>;

export interface FirstEvent {
  /** For resolving the range; without anything also where that does not depend on it. */
  toResolve: Beginning;
  /** Time of it in ms, or null before it; early ones count. @throws as `Columns.firstEvents` */
  told: Promise<number | null>;
}

/** What tells when events began. */
export type FirstEventColumns = Pick<Columns, 'firstEvent' | 'firstEvents'>;

/** @throws as `Columns.firstEvents` */
export async function beginFirstEvent(
  columns: FirstEventColumns,
  projectId: number,
  range: RangeInput,
): Promise<FirstEvent> {
  if (range === 'all_time') {
    const found = await columns.firstEvents(projectId);
    return { told: Promise.resolve(found.first), toResolve: beginningOf(found) };
  }
  const told = columns.firstEvent(projectId);
  told.catch(() => undefined); // who waits for it is told, and a range that cannot be is said first
  return { told, toResolve: { firstEvent: null } };
}

/** What a range is resolved against. */
export function beginningOf({ plausible, early }: FirstEvents): Beginning {
  return { firstEvent: plausible, earlyEvents: early };
}
