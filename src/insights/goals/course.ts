/** The chosen goal on the overview: its numbers, and their course by interval. Pure. */
import type { Conversions, SpanConversions } from '#src/columns/columns.ts';
import type { Goal, OverviewGoal } from './contract.ts';
import { amountOf, figureOf, rateOf } from './figures.ts';

/** What was counted in a range, and how its stretches lie in the intervals. */
export interface Period {
  found: SpanConversions;
  /** By stretch, the interval it is. */
  bucketOf: readonly (number | null)[];
  /** By interval, whether anything can be said of it. */
  known: readonly boolean[];
}

/**
 * @param before null: nothing to compare with
 * @param isComparable the range before does not lie before the project's first event
 */
export function courseOf(
  { id, name }: Pick<Goal, 'id' | 'name'>,
  current: Period,
  before: Period | null,
  isComparable: boolean,
): OverviewGoal {
  const figure = figureOf(current.found, isComparable && before !== null ? before.found : null);
  return {
    ...{ id, name, ...figure },
    series: seriesOf(current),
    comparisonSeries: before && seriesOf(before),
    revenueSeries: figure.revenue.map(({ currency }) => ({
      currency,
      series: amounts(current, currency),
      comparisonSeries: before && amounts(before, currency),
    })),
  };
}

function seriesOf(period: Period): OverviewGoal['series'] {
  const stretch = (of: (found: Conversions) => number | null) =>
    inIntervals(period, ({ stretches }, place) => of(stretches[place] as Conversions));
  return { conversions: stretch(({ count }) => count), rate: stretch(rateOf) };
}

function amounts(period: Period, currency: string): (number | null)[] {
  const own = period.found.sums.find((sum) => sum.currency === currency);
  return inIntervals(period, (_, place) => amountOf(own?.stretches[place]?.parts ?? 0));
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
