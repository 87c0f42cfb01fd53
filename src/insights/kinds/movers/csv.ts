/** A line for each value of each dimension, then what has no row. */
import * as z from 'zod/mini';
import { type Cell, defineFile, exact, tableRows } from '../../query/file.ts';
import type { Movers, MoversInput } from './contract.ts';

export const moversFile = defineFile<MoversInput, Movers, object>({
  options: z.strictObject({}),
  rows: ({ dimensions }) => tableRows(['dimension', 'value', 'total', 'previous', 'change'], rowsOf(dimensions)),
});

function* rowsOf(dimensions: Movers['dimensions']): Generator<Cell[]> {
  for (const { dimension, rows, other } of dimensions) {
    for (const { value, total, previous, change } of rows) {
      yield [dimension, value, exact(total), exact(previous), exact(change)];
    }
    if (other.values > 0) {
      yield [dimension, '(other)', exact(other.total), exact(other.previous), exact(other.change)];
    }
  }
}
