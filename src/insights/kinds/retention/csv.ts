/** A line for each value and period in which persons began, with how many came back in each column. */
import * as z from 'zod/mini';
import { zoneOf } from '#src/kit/zone.ts';
import { type Cell, defineFile, edgesOf, tableRows } from '../../query/file.ts';
import type { RetentionInput, RetentionResult } from './contract.ts';

export const retentionFile = defineFile<RetentionInput, RetentionResult, object>({
  options: z.strictObject({}),
  rows(result) {
    const later = result.columns.map(({ from, to }) => (from === to ? `returned_${from}` : `returned_${from}_${to}`));
    return tableRows(['value', 'from', 'to', 'people', ...later], rowsOf(result));
  },
});

function* rowsOf({ rows, starts, columns, period, range, timeZone }: RetentionResult): Generator<Cell[]> {
  const intervals = { zone: zoneOf(timeZone), interval: period, starts, to: range.to };
  for (const { value, cohorts } of rows) {
    for (const [index, { size, returned }] of cohorts.entries()) {
      const own = [value, ...edgesOf(intervals, index), size, ...returned];
      yield [...own, ...Array.from({ length: columns.length - returned.length }, () => null)];
    }
  }
}
