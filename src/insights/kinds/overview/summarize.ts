/** How many visitors there were. */
import type { ResultSummary } from '../../query/contract.ts';
import type { Overview } from './contract.ts';

export function summarizeOverview({ metrics }: Overview): ResultSummary {
  return { shape: 'number', number: metrics.visitors.value };
}
