/** Cells of retention: what they say, and which of them are not complete. Pure. */
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';

export type Cohort = RetentionResult['rows'][number]['cohorts'][number];
export type CellSort = 'cohort' | 'previous' | 'people';

export interface RetentionCell {
  people: number;
  /** Of the cohort, or of those of the period before; null: there are none. */
  share: number | null;
  /** Its period still runs. */
  isRunning: boolean;
}

/** The cells of a cohort, of periods that have begun. @param cohort index of its period */
export function cellsOf(
  { size, returned }: Cohort,
  cohort: number,
  { starts, running }: Pick<RetentionResult, 'starts' | 'running'>,
  sort: CellSort,
): RetentionCell[] {
  return returned.slice(0, starts.length - cohort).map((people, later) => {
    const whole = sort === 'previous' && later > 0 ? (returned[later - 1] ?? 0) : size;
    return { people, share: whole === 0 ? null : people / whole, isRunning: cohort + later === running };
  });
}

/** Classes of shares for colours, 0 (none) to 7, up to the largest of them. */
export function shadeOf(share: number | null, largest: number): number {
  if (share === null || share === 0 || largest === 0) return 0;
  return Math.min(7, Math.max(1, Math.ceil((share / largest) * 7)));
}
