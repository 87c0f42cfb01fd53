/** What is to be said beside numbers, by what there is in the days of their range. */

import type { Presence } from '#src/columns/columns.ts';
import type { Caveat, OverviewMetric } from '../kinds/overview/contract.ts';
import type { ResolvedRange } from './contract.ts';

const VIEW = '$pageview';
/** What ends a bounce besides another view, and the caveat without it. */
const ends: readonly [event: string, without: Caveat][] = [
  ['$autocapture', 'noClicks'],
  ['$pageleave', 'noLeaves'],
];

/** Names of the events that have to be known of. */
export const tracedNames: readonly string[] = [VIEW, ...ends.map(([event]) => event)];

/** In the order in which they are said. @param of the numbers that are shown */
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
