/** A bar per goal: its conversions. */
import type { ResultSummary } from '../../query/contract.ts';
import { MAX_SUMMARY_BARS, sharesOf } from '../../query/summaries.ts';
import type { GoalFigures } from './contract.ts';

export function summarizeGoals({ goals }: GoalFigures): ResultSummary {
  return {
    shape: 'bars',
    bars: sharesOf(goals.slice(0, MAX_SUMMARY_BARS).map(({ conversions }) => conversions.value)),
  };
}
