import type { Overview } from '#src/insights/contract.ts';

/** Whether there is anything of the period before: it may lie before the first event. */
export function isCompared({ comparisonSeries }: Overview): boolean {
  return comparisonSeries?.views.some((value) => value !== null) ?? false;
}
