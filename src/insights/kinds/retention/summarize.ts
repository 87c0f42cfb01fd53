/** The triangle of a retention table: shares of each cohort that returned. */
import type { ResultSummary } from '../../query/contract.ts';
import { MAX_SUMMARY_CELLS, roundedShare } from '../../query/summaries.ts';
import type { RetentionResult } from './contract.ts';

export function summarizeRetention({ rows, columns }: RetentionResult): ResultSummary {
  const cohorts = rows[0]?.cohorts.slice(-MAX_SUMMARY_CELLS) ?? [];
  const width = Math.min(columns.length, MAX_SUMMARY_CELLS);
  return {
    shape: 'cells',
    rows: cohorts.map(({ size, returned }) =>
      returned.slice(0, width).map((count) => (size === 0 ? null : roundedShare(count / size))),
    ),
  };
}
