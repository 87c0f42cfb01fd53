/** Cells of retention: what they say, and which of them are not complete. Pure. */
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';

export type Cohort = RetentionResult['rows'][number]['cohorts'][number];
export type CellSort = 'cohort' | 'previous' | 'people';

export interface RetentionCell {
  people: number;
  /** Of the cohort, or of those of the period before; null: there are none. */
  share: number | null;
  /** Not all of its periods are over. */
  isRunning: boolean;
}

/** The cells of a cohort, of columns that have begun. @param cohort index of its period */
export function cellsOf(
  { size, returned }: Cohort,
  cohort: number,
  { starts, columns, running }: Pick<RetentionResult, 'starts' | 'columns' | 'running'>,
  sort: CellSort,
): RetentionCell[] {
  const over = running ?? starts.length;
  const begun = columns.filter(({ from }) => cohort + from < starts.length).length;
  return returned.slice(0, begun).map((people, column) => {
    const whole = sort === 'previous' && column > 0 ? (returned[column - 1] ?? 0) : size;
    const isRunning = cohort + (columns[column]?.to ?? column) >= over;
    return { people, share: whole === 0 ? null : people / whole, isRunning };
  });
}

/** Classes of shares for colours, 0 (none) to 7, up to the largest of them. */
export function shadeOf(share: number | null, largest: number): number {
  if (share === null || share === 0 || largest === 0) return 0;
  return Math.min(7, Math.max(1, Math.ceil((share / largest) * 7)));
}
