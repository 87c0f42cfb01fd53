/** Caveats of numbers, by the presence of events in the range's days. */

import type { Presence } from '#src/columns/columns.ts';
import type { Caveat, OverviewMetric } from '../kinds/overview/contract.ts';
import type { ResolvedRange } from './contract.ts';

const VIEW = '$pageview';
/** Events that end a bounce besides another view, with the caveat of their absence. */
const ends: readonly [event: string, without: Caveat][] = [
  ['$autocapture', 'noClicks'],
  ['$pageleave', 'noLeaves'],
];

/** Names of the events that have to be known of. */
export const tracedNames: readonly string[] = [VIEW, ...ends.map(([event]) => event)];

/** Caveats in display order. @param of the shown numbers */
export function caveatsOf(
  presence: Presence | null,
  { fromDate, toDate }: ResolvedRange,
  of: Partial<Record<OverviewMetric, boolean>>,
): Caveat[] {
  if (presence === null) return [];
  const { names, isCookieless } = presence;
  return [
    ...(of.visitors && isCookieless && fromDate !== toDate ? (['visitorDays'] as const) : []),
    ...(of.bounceRate && names.includes(VIEW)
      ? ends.flatMap(([event, without]) => (names.includes(event) ? [] : without))
      : []),
  ];
}
