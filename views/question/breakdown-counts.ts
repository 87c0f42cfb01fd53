/** Rows of breakdown tables, their order and shares: on screens and in reports. Pure. */
import type { Breakdown } from '#src/insights/contract.ts';
import { type BreakdownRow, shareOf } from '#src/insights/kinds/breakdown/values.ts';
import { type Format, missing } from '#views/words/format.ts';

/** A dash where no visit began: there are visitors alone. */
export function shareText(count: number, data: Breakdown, format: Format): string {
  const share = shareOf(count, data);
  return share === null ? missing : format.percent(share);
}

/** Most visits come by no campaign: those have no bar, and close the table. */
export function isWithoutCampaign(dimension: Breakdown['dimension'], value: string): boolean {
  return dimension.startsWith('utm') && value === '';
}

export function noneLast({ dimension, rows }: Breakdown): BreakdownRow[] {
  const isNone = ([value]: BreakdownRow) => isWithoutCampaign(dimension, value);
  return [...rows.filter((row) => !isNone(row)), ...rows.filter(isNone)];
}

/** The count by which bars are measured. */
export function largestCount(data: Breakdown): number {
  return noneLast(data)[0]?.[2] || 1;
}
