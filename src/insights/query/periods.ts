/** The range that is asked about and the one that it is compared with, as moments. */
import type { Comparison, RangeInput, ResolvedRange } from './contract.ts';
import { beginRange, type FirstEventColumns } from './first-event.ts';
import { countedUntil, type RangeContext, resolveComparison, resolveRange } from './ranges.ts';
import type { QueryProject } from './scope.ts';

interface Span {
  from: number;
  until: number;
  starts: number[];
}

export interface Periods {
  context: RangeContext;
  range: ResolvedRange;
  comparison: ResolvedRange | null;
  span: Span;
  /** Null: without a comparison. */
  before: Span | null;
  /** False without a comparison, and when it ends before the project's first event. Resolves together with the parallel query. */
  isComparable: Promise<boolean>;
}

/** @throws AppError `invalid` for a range that cannot be */
export async function periodsOf(
  columns: FirstEventColumns,
  project: QueryProject,
  { range, compare }: { range: RangeInput; compare: Comparison },
  now: number,
): Promise<Periods> {
  const { context, firstEvent } = await beginRange(columns, project, range, now);
  const found = resolveRange(range, context);
  const comparison = resolveComparison(found, compare, context.zone)?.range ?? null;
  const before = comparison && spanOf(comparison);
  const isComparable = firstEvent.then((at) => before !== null && at !== null && at < before.until);
  isComparable.catch(() => undefined); // its waiters get the error
  return { context, range: found.range, comparison, span: spanOf(found.range), before, isComparable };
}

function spanOf(range: ResolvedRange): Span {
  return { from: range.from, until: countedUntil(range), starts: [] };
}
