/** The project's first event, asked for beside the question: at the same moment, and waited for only where the range depends on it. */
import type { Columns } from '#src/columns/columns.ts';
import type { RangeInput } from './contract.ts';

export interface FirstEvent {
  /** For resolving the range; null also where that does not depend on it. */
  toResolve: number | null;
  /** Time of it in ms, or null before it. @throws as `Columns.firstEvent` */
  told: Promise<number | null>;
}

/** @throws as `Columns.firstEvent` */
export async function beginFirstEvent(
  columns: Pick<Columns, 'firstEvent'>,
  projectId: number,
  range: RangeInput,
): Promise<FirstEvent> {
  const told = columns.firstEvent(projectId);
  told.catch(() => undefined); // who waits for it is told, and a range that cannot be is said first
  return { told, toResolve: range === 'all_time' ? await told : null };
}
