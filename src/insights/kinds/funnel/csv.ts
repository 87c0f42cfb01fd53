/** A line for each step: of all, then of each value of the breakdown. */
import * as z from 'zod/mini';
import { type Cell, defineFile, rounded, tableRows } from '../../query/file.ts';
import type { FunnelInput, FunnelResult, FunnelResultRow } from './contract.ts';

export const funnelFile = defineFile<FunnelInput, FunnelResult, object>({
  options: z.strictObject({}),
  rows(result) {
    const head = [
      'value',
      'step',
      'count',
      'conversion_from_start',
      'conversion_from_previous',
      'mean_seconds_to_convert',
      'median_seconds_to_convert',
    ];
    return tableRows(head, rowsOf(result));
  },
});

function* rowsOf({ total, rows }: FunnelResult): Generator<Cell[]> {
  yield* stepsOf('(all)', total);
  for (const row of rows) yield* stepsOf(row.value ?? '(other)', row);
}

function* stepsOf(value: string, { steps }: FunnelResultRow): Generator<Cell[]> {
  for (const [at, step] of steps.entries()) {
    yield [
      value,
      at + 1,
      step.count,
      rounded(step.conversionFromStart),
      rounded(step.conversionFromPrevious),
      rounded(step.meanSecondsToConvert),
      rounded(step.medianSecondsToConvert),
    ];
  }
}
