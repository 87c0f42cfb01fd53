/** Lifecycle: active persons of each interval by what they did before it. */
import type { ActivityQuery } from '#src/columns/columns.ts';
import type { QueryContext } from '../../define.ts';
import type { LifecycleInput, LifecycleResult } from './contract.ts';
import { periodsOf } from './periods.ts';

/** The engine's query. @throws AppError `invalid` for an invalid range, or too many intervals */
export async function prepareLifecycle(context: QueryContext, input: LifecycleInput) {
  const { scope, edges, first, ...shown } = await periodsOf(context, input);
  const did = context.rulesOf(input.event);
  const asked: ActivityQuery = { ...scope, of: input.per ?? 'persons', edges, did, minCount: 1, first };
  return { ...shown, asked };
}

/** @throws AppError `invalid` for a range or filter that cannot be, or too many intervals, `timeout` when the database takes too long */
export async function runLifecycle(context: QueryContext, input: LifecycleInput): Promise<LifecycleResult> {
  const { columns, scope } = context;
  const { range, interval, starts, asked } = await prepareLifecycle(context, input);
  const { periods } = await columns.activity(asked);
  const running = range.until === null ? null : starts.length - 1;
  const shown = periods.slice(1);
  return {
    timeZone: scope.timeZone,
    range,
    interval,
    starts,
    running,
    new: shown.map((each) => each.new),
    returning: shown.map(({ returning }) => returning),
    resurrecting: shown.map(({ active, new: begun, returning }) => active - begun - returning),
    dormant: shown.map(({ returning }, at) =>
      at === running ? null : (periods[at] as (typeof periods)[number]).active - returning,
    ),
  };
}
