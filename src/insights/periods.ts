/** The range that is asked about and the one that it is compared with, as moments. */
import type { Columns } from '#src/columns/columns.ts';
import { zoneOf } from '#src/kit/zone.ts';
import type { AskedProject } from './asked.ts';
import type { Comparison, RangeInput, ResolvedRange } from './contract.ts';
import { countedUntil, type RangeContext, resolveComparison, resolveRange } from './ranges.ts';

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
  /** Null: without a comparison, and where that lies before the project's first event. */
  before: Span | null;
}

/** @throws AppError `invalid` for a range that cannot be */
export async function periodsOf(
  columns: Pick<Columns, 'firstEvent'>,
  project: AskedProject,
  { range, compare }: { range: RangeInput; compare: Comparison },
  now: number,
): Promise<Periods> {
  const zone = zoneOf(project.timeZone);
  const firstEvent = await columns.firstEvent(project.id);
  const context = { zone, weekStart: project.weekStart, now, firstEvent };
  const found = resolveRange(range, context);
  const comparison = resolveComparison(found, compare, zone)?.range ?? null;
  const before = comparison && spanOf(comparison);
  const isComparable = before !== null && firstEvent !== null && firstEvent < before.until;
  return { context, range: found.range, comparison, span: spanOf(found.range), before: isComparable ? before : null };
}

function spanOf(range: ResolvedRange): Span {
  return { from: range.from, until: countedUntil(range), starts: [] };
}
