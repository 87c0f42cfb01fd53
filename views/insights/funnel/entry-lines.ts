/** Lines of conversion over time: one for each step after the first, or for each value of the breakdown. Pure. */
import type { FunnelResult, FunnelResultRow } from '#src/insights/kinds/funnel/contract.ts';
import type { Values } from '#views/charts/stacks.ts';

/** Lines that are drawn: of the values that most entered with. */
const MAX_LINES = 8;

export interface EntryLine {
  label: string;
  /** Index of the step. */
  step: number;
  row: FunnelResultRow;
  /** Of a line of a breakdown, its value. */
  point: { value?: string | null };
  /** Of those who entered in each interval; null: nobody did. */
  values: Values;
}

interface EntryWords {
  /** Label of a step, the first is 1. */
  reached(step: number): string;
  all: string;
  valueText(value: string | null): string;
}

export function entryLines(
  { total, rows }: Pick<FunnelResult, 'total' | 'rows'>,
  { reached, all, valueText }: EntryWords,
): EntryLine[] {
  const last = total.steps.length - 1;
  const line = (label: string, row: FunnelResultRow, step: number, point: EntryLine['point']): EntryLine => ({
    label,
    step,
    row,
    point,
    values: sharesOf(row, step),
  });
  if (rows.length === 0) return total.steps.slice(1).map((_, at) => line(reached(at + 2), total, at + 1, {}));
  return [
    line(all, total, last, {}),
    ...rows.slice(0, MAX_LINES - 1).map((row) => line(valueText(row.value), row, last, { value: row.value })),
  ];
}

function sharesOf({ steps }: FunnelResultRow, step: number): (number | null)[] {
  const entered = steps[0]?.points ?? [];
  return entered.map((all, at) => (all === 0 ? null : (steps[step]?.points[at] ?? 0) / all));
}
