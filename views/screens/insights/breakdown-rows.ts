/** Rows of breakdown tables, for cards and for tables in full. Pure. */
import type { Breakdown } from '#src/insights/contract.ts';
import { shareOf } from '#src/insights/kinds/breakdown/values.ts';
import type { BarRow } from '#views/kit/BarTable.tsx';
import { type Format, missing } from '#views/words/format.ts';

/** A dash where no visit began: there are visitors alone. */
export function shareText(count: number, data: Breakdown, format: Format): string {
  const share = shareOf(count, data);
  return share === null ? missing : format.percent(share);
}

/** Most visits come by no campaign: they close the table, and bars are measured by the largest of those that do. */
export function withoutNone({ dimension, rows }: Breakdown): [named: Breakdown['rows'], none: Breakdown['rows']] {
  if (!dimension.startsWith('utm')) return [rows, []];
  return [rows.filter(([value]) => value !== ''), rows.filter(([value]) => value === '')];
}

export function othersRow(
  data: Breakdown,
  text: (n: number, text: string) => string,
  format: Format,
  withoutShare = false,
): BarRow[] {
  const { values, count } = data.other;
  if (values === 0) return [];
  return [
    {
      key: '\u0000others',
      label: text(values, format.number(values)),
      cells: [
        format.number(count),
        withoutShare ? '' : shareText(count, data, format),
        ...(data.cols.includes('reached') ? [''] : []),
      ],
      bar: null,
      tick: null,
      rest: true,
    },
  ];
}
