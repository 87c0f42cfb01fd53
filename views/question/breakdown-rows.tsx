/** Rows of breakdown tables: in cards, in tables in full, in tiles. Pure. */
import type { ReactNode } from 'react';
import type { Breakdown } from '#src/insights/contract.ts';
import { type BreakdownRow, hostOf } from '#src/insights/kinds/breakdown/values.ts';
import type { BarRow } from '#views/kit/BarTable.tsx';
import type { Format } from '#views/words/format.ts';
import { BreakdownValue } from './BreakdownValue.tsx';
import { isWithoutCampaign, shareText } from './breakdown-counts.ts';

/** @param of the table that the row is from */
export function breakdownRow(row: BreakdownRow, of: Breakdown, largest: number, cells: ReactNode[]): BarRow {
  const [value, , count, before] = row;
  const host = hostOf(of, row);
  const isNone = isWithoutCampaign(of.dimension, value);
  return {
    key: `${host ?? ''} ${value}`,
    label: <BreakdownValue dimension={of.dimension} value={value} host={host} />,
    cells,
    bar: isNone ? null : count / largest,
    tick: isNone || before === null ? null : before / largest,
  };
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
