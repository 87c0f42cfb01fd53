/** The number that the chart draws, as chart, table and file: the chosen one of all visitors, or of the chosen goal. Pure. */
import type { Overview } from '#src/insights/contract.ts';
import { kinds } from '#views/question/metric-kinds.ts';
import { isGoalMetric, type Metric } from '#views/question/question.ts';
import type { conversionWords } from '#views/words/conversions.ts';
import type { Words } from '#views/words/en.ts';
import { type GoalPoints, goalPoints } from './goal-metrics.ts';

export interface DrawnSeries extends GoalPoints {
  metric: Metric;
}

/** Visitors, where the goal or the currency is not there. */
export function drawnSeries(
  data: Overview,
  asked: Metric,
  words: Words,
  own: (typeof conversionWords)['en'],
): DrawnSeries {
  const ofGoal = data.goal && isGoalMetric(asked) ? goalPoints(data.goal, asked, own) : null;
  if (ofGoal !== null) return { ...ofGoal, metric: asked };
  const metric = isGoalMetric(asked) ? 'visitors' : asked;
  return {
    metric,
    ...kinds[metric],
    label: words.metrics[metric],
    values: data.series[metric],
    comparison: data.comparisonSeries?.[metric] ?? null,
  };
}
