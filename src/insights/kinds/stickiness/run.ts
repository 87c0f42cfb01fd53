/** Stickiness: persons by the number of intervals in which they were active. */
import type { ActivityQuery } from '#src/columns/columns.ts';
import type { QueryContext } from '../../define.ts';
import { type Begun, begin } from '../../query/begin.ts';
import { countedUntil } from '../../query/ranges.ts';
import { periodStarts } from '../../query/whole-periods.ts';
import type { StickinessInput, StickinessResult } from './contract.ts';

/** The intervals of the range, cut at its edges. @throws AppError `invalid` for a range that cannot be, or too many intervals */
export async function startsOf(
  { columns, scope, people, now }: QueryContext,
  input: StickinessInput,
): Promise<Begun & { starts: number[]; edges: number[] }> {
  const begun = await begin(columns, scope, input, people, now);
  const { range } = begun.found;
  const starts = periodStarts(range, input.interval, begun.context, 'interval');
  return { ...begun, starts, edges: [...starts, countedUntil(range)] };
}

/** The engine's query. @throws AppError `invalid` for an invalid range, or too many intervals */
export async function prepareStickiness(context: QueryContext, input: StickinessInput) {
  const { found, starts, edges, scope } = await startsOf(context, input);
  const did = context.rulesOf(input.event);
  const asked: ActivityQuery = {
    ...scope,
    of: input.per ?? 'persons',
    edges,
    did,
    minCount: input.minCount,
    first: null,
  };
  return { asked, found, starts };
}

/** @throws AppError `invalid` for a range or filter that cannot be, or too many intervals, `timeout` when the database takes too long */
export async function runStickiness(context: QueryContext, input: StickinessInput): Promise<StickinessResult> {
  const { interval, cumulative } = input;
  const { asked, found, starts } = await prepareStickiness(context, input);
  const { byPeriods } = await context.columns.activity(asked);
  const orMore = byPeriods.map((_, at) => byPeriods.slice(at).reduce((sum, people) => sum + people, 0));
  return {
    timeZone: context.scope.timeZone,
    range: found.range,
    interval,
    starts,
    running: found.range.until === null ? null : starts.length - 1,
    people: cumulative ? orMore : byPeriods,
    total: orMore[0] ?? 0,
  };
}
