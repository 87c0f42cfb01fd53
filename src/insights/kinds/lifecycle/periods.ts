/** The intervals of a lifecycle, with the one before them: by that those who return are known. */

import type { QueryContext } from '../../define.ts';
import { type Begun, begin } from '../../query/begin.ts';
import type { Interval, ResolvedRange } from '../../query/contract.ts';
import { chooseInterval } from '../../query/intervals.ts';
import { countedUntil } from '../../query/ranges.ts';
import { periodStarts, startOfPeriod, toWholePeriods } from '../../query/whole-periods.ts';
import type { LifecycleInput } from './contract.ts';

interface Periods extends Begun {
  range: ResolvedRange;
  interval: Interval;
  starts: number[];
  /** Starts of the intervals and of the one before them, and the end of the last. */
  edges: number[];
}

/** @throws AppError `invalid` for a range that cannot be, or too many intervals */
export async function periodsOf(
  { columns, scope, people, now }: QueryContext,
  input: LifecycleInput,
): Promise<Periods> {
  const begun = await begin(columns, scope, input, people, now);
  const { found, context } = begun;
  const interval = chooseInterval(found.range, input.interval);
  const range = toWholePeriods(begun, interval);
  const starts = periodStarts(range, interval, context, 'interval');
  const before = startOfPeriod(range.from - 1, interval, begun);
  return { ...begun, range, interval, starts, edges: [before, ...starts, countedUntil(range)] };
}
