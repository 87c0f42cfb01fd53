/** Sorting and searching the rows of a table. Pure. */
import type { Breakdown } from '#src/insights/contract.ts';
import type { SortColumn } from './question.ts';

export type BreakdownRow = Breakdown['rows'][number];

/** Rows whose value holds what was typed, without regard to case. */
export function matching(rows: readonly BreakdownRow[], typed: string): readonly BreakdownRow[] {
  const wanted = typed.trim().toLowerCase();
  return wanted === '' ? rows : rows.filter(([value]) => value.toLowerCase().includes(wanted));
}

/** A sorted copy; equal rows keep the order they came in, which is by count. */
export function sorted(rows: readonly BreakdownRow[], column: SortColumn): BreakdownRow[] {
  switch (column) {
    case 'count':
      return [...rows];
    case 'value':
      return rows.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    case 'visitors':
      return rows.toSorted(([, a], [, b]) => b - a);
    case 'change':
      return rows.toSorted((a, b) => gain(b) - gain(a));
  }
}

function gain([, , count, before]: BreakdownRow): number {
  return count - (before ?? count);
}
