/** What is to be said beside numbers, by what there is in the days of their range. */
import type { Traces } from '#src/columns/columns.ts';
import type { Caveat, ResolvedRange } from './contract.ts';

/** Names of the events that have to be known of. */
export const tracedNames: readonly string[] = [];

export function caveatsOf(traces: Traces | null, { fromDate, toDate }: ResolvedRange): Caveat[] {
  return traces?.isCookieless && fromDate !== toDate ? ['visitorDays'] : [];
}
