/** The numbers of a chosen goal, one after the other, as the chart and the row of numbers take them. Pure. */
import type { MetricValue, OverviewGoal } from '#src/insights/contract.ts';
import type { ValueKind } from '#views/charts/scale.ts';
import type { GoalMetric } from '#views/question/question.ts';
import type { conversionWords } from '#views/words/conversions.ts';

type Own = (typeof conversionWords)['en'];

/** A number over time. */
export interface GoalPoints {
  label: string;
  kind: ValueKind;
  good: 'up' | 'down';
  values: (number | null)[];
  comparison: (number | null)[] | null;
  /** Of money: of how many conversions, by interval, here or in the comparison, where there are more. */
  events?: number[];
}

export interface GoalNumber extends GoalPoints {
  metric: GoalMetric;
  value: MetricValue;
  /** `events` of all intervals. */
  allEvents?: number;
}

/** Conversions, their rate, and revenue by currency where there is any. */
export function goalNumbers(goal: OverviewGoal, own: Own): GoalNumber[] {
  const { per, series, comparisonSeries, conversions, conversionRate: rate, revenue, revenueSeries } = goal;
  const events = series.conversions.map((count, at) => more(count, comparisonSeries?.conversions[at]));
  const allEvents = more(conversions.value, conversions.previous);
  return [
    {
      metric: 'conversions',
      label: own.conversions,
      kind: 'count',
      good: 'up',
      value: conversions,
      values: series.conversions,
      comparison: comparisonSeries?.conversions ?? null,
    },
    {
      metric: 'conversionRate',
      label: own.rate[per],
      kind: 'share',
      good: 'up',
      value: rate,
      values: series.conversionRate,
      comparison: comparisonSeries?.conversionRate ?? null,
    },
    ...revenue.map(
      ({ currency, sum }, place): GoalNumber => ({
        metric: `revenue.${currency}`,
        label: own.revenue(currency),
        kind: `money ${currency}`,
        good: 'up',
        value: sum,
        values: revenueSeries[place]?.series ?? [],
        events,
        allEvents,
        comparison: revenueSeries[place]?.comparisonSeries ?? null,
      }),
    ),
  ];
}

function more(one: number | null, other: number | null | undefined): number {
  return Math.max(one ?? 0, other ?? 0);
}

/** Null for a currency that does not occur. */
export function goalPoints(goal: OverviewGoal, metric: GoalMetric, own: Own): GoalPoints | null {
  return goalNumbers(goal, own).find((number) => number.metric === metric) ?? null;
}
