/** A bar per row of a table. */
import type { ResultSummary } from '../../query/contract.ts';
import { MAX_SUMMARY_BARS, sharesOf } from '../../query/summaries.ts';
import type { Breakdown } from './contract.ts';

export function summarizeBreakdown({ rows }: Breakdown): ResultSummary {
  return { shape: 'bars', bars: sharesOf(rows.slice(0, MAX_SUMMARY_BARS).map(([, count]) => count)) };
}
