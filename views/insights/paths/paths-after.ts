/** Paths of the people of a funnel's number, from their last step in it on. Pure. */
import { isGroupSubject } from '#src/columns/values.ts';
import { firstOwn, type Insight, type InsightOf } from '../insight.ts';
import type { Point } from '../points.ts';

/** Null where a number is not of a step alone. */
export function pathsAfter(insight: Insight, point: Point): InsightOf<'paths'> | null {
  if (insight.kind !== 'funnel' || point.kind !== 'funnel') return null;
  const { step, dropped, value, interval, time } = point;
  const { per, ...own } = insight.own;
  if (interval !== undefined || time !== undefined) return null;
  const after = { funnel: { ...own, per }, point: { step, dropped, ...(value !== undefined && { value }) } };
  return {
    kind: 'paths',
    question: { ...insight.question, compare: 'none', interval: null },
    // Paths are of the same groups, or of people.
    own: { ...firstOwn('paths'), stepType: 'all', after, ...(isGroupSubject(per) && { per }) },
    display: {},
    ...(insight.people && { people: insight.people }),
  };
}
