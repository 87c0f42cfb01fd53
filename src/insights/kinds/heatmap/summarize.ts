/** Visitors by weekday and hour. */
import type { ResultSummary } from '../../query/contract.ts';
import { greatestOf, shareOf } from '../../query/summaries.ts';
import type { HeatmapResult } from './contract.ts';

export function summarizeHeatmap({ visitors }: HeatmapResult): ResultSummary {
  const greatest = greatestOf(visitors.flat());
  return { shape: 'cells', rows: visitors.map((hours) => hours.map((count) => shareOf(count, greatest))) };
}
