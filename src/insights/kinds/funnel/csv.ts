/** A line for each step: of all, then of each value of the breakdown; or, of these, for each interval of entry. */
import * as z from 'zod/mini';
import { zoneOf } from '#src/kit/zone.ts';
import { type Cell, defineFile, edgesOf, rounded, tableRows } from '../../query/file.ts';
import type { FunnelInput, FunnelResult, FunnelResultRow } from './contract.ts';

const options = z.strictObject({
  /** Unit of a line. */
  by: z._default(z.enum(['step', 'interval']), 'step'),
});

export const funnelFile = defineFile<FunnelInput, FunnelResult, z.infer<typeof options>>({
  options,
  rows(result, { options: { by } }) {
    if (by === 'interval') return intervalRows(result);
    const isCompared = result.comparison !== null;
    const head = [
      'value',
      'step',
      'count',
      'conversion_from_start',
      'conversion_from_previous',
      'mean_seconds_to_convert',
      'median_seconds_to_convert',
      ...(isCompared ? ['previous'] : []),
    ];
    return tableRows(head, stepRows(result, isCompared));
  },
});

function* namedRows({ total, rows }: FunnelResult): Generator<[string, FunnelResultRow]> {
  yield ['(all)', total];
  for (const row of rows) yield [row.value ?? '(other)', row];
}

function* stepRows(result: FunnelResult, isCompared: boolean): Generator<Cell[]> {
  for (const [name, { steps }] of namedRows(result)) {
    for (const [at, step] of steps.entries()) {
      yield [
        name,
        at + 1,
        step.count,
        rounded(step.conversionFromStart),
        rounded(step.conversionFromPrevious),
        rounded(step.meanSecondsToConvert),
        rounded(step.medianSecondsToConvert),
        ...(isCompared ? [step.previous] : []),
      ];
    }
  }
}

function intervalRows(result: FunnelResult): Generator<readonly Cell[]> {
  const { starts, interval, range, timeZone, total } = result;
  const intervals = { zone: zoneOf(timeZone), interval, starts, to: range.to };
  const rows = [...namedRows(result)].flatMap(([name, { steps }]) =>
    starts.map((_, at): Cell[] => [name, ...edgesOf(intervals, at), ...steps.map(({ points }) => points[at] ?? 0)]),
  );
  return tableRows(['value', 'from', 'to', ...total.steps.map((_, at) => `step_${at + 1}`)], rows);
}
