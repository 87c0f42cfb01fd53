/** The chosen goal on the overview: its numbers, and their course by interval. Pure. */

import type { SpanConversions } from '#src/columns/columns.ts';
import type { Goal } from '../../goals/contract.ts';
import type { GoalPer } from '../../query/contract.ts';
import { figureOf, rateOf, sharesOf } from '../goals/run.ts';
import type { OverviewGoal } from './contract.ts';

/** Counts of a range, and the intervals of its buckets. */
export interface Period {
  found: SpanConversions;
  /** Interval of each bucket. */
  bucketOf: readonly (number | null)[];
  /** By interval, true when it has data. */
  known: readonly boolean[];
}

/**
 * @param before null: nothing to compare with
 * @param isComparable the range before does not lie before the project's first event
 */
export function goalPoints(
  { id, name }: Pick<Goal, 'id' | 'name'>,
  per: GoalPer,
  current: Period,
  before: Period | null,
  isComparable: boolean,
): OverviewGoal {
  const figure = figureOf(per, current.found, isComparable && before !== null ? before.found : null);
  return {
    id,
    name,
    per,
    ...figure,
    series: seriesOf(per, current),
    comparisonSeries: before && seriesOf(per, before),
    revenueSeries: figure.revenue.map(({ currency }) => ({
      currency,
      series: amounts(current, currency),
      comparisonSeries: before && amounts(before, currency),
    })),
  };
}

function seriesOf(per: GoalPer, period: Period): OverviewGoal['series'] {
  return {
    conversions: inIntervals(period, ({ stretches }, place) => stretches[place]?.count ?? null),
    conversionRate: inIntervals(period, (found, place) => rateOf(sharesOf(per, found, place))),
  };
}

function amounts(period: Period, currency: string): (number | null)[] {
  const own = period.found.sums.find((sum) => sum.currency === currency);
  return inIntervals(period, (_, place) => own?.stretches[place]?.value ?? 0);
}

function inIntervals(
  { found, bucketOf, known }: Period,
  value: (found: SpanConversions, place: number) => number | null,
): (number | null)[] {
  const places = new Map(bucketOf.flatMap((bucket, place) => (bucket === null ? [] : [[bucket, place] as const])));
  return known.map((isKnown, bucket) => {
    const place = places.get(bucket);
    return isKnown && place !== undefined ? value(found, place) : null;
  });
}
