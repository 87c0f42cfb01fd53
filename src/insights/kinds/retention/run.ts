/** Retention: by the period in which they began, how many came back in each period from it on. */

import type { RetentionQuery, RetentionRow } from '#src/columns/columns.ts';
import { invalid } from '#src/kit/errors.ts';
import type { QueryContext } from '../../define.ts';
import { begin } from '../../query/begin.ts';
import { countedUntil } from '../../query/ranges.ts';
import { periodStarts, toWholePeriods } from '../../query/whole-periods.ts';
import type { RetentionInput, RetentionResult } from './contract.ts';

/** The engine's query. @throws AppError `invalid` for an invalid range, or too many periods */
export async function prepareRetention(
  { columns, scope: project, people, rulesOf, now }: QueryContext,
  input: RetentionInput,
) {
  const { kind, minCount: least, period, rolling, breakdown } = input;
  if (breakdown !== undefined && kind !== 'recurring') {
    throw invalid('breakdown', 'Breakdowns are only available for recurring retention.');
  }
  const begun = await begin(columns, project, input, people, now);
  const range = toWholePeriods(begun, period);
  const until = countedUntil(range);
  const starts = periodStarts(range, period, begun.context, 'period');
  const running = range.until === null ? null : starts.length - 1;
  const asked: RetentionQuery = {
    ...begun.scope,
    kind,
    least,
    isRolling: rolling,
    by: breakdown ?? null,
    most: input.limit,
    edges: [...starts, until],
    start: rulesOf(input.startEvent),
    back: rulesOf(input.returningEvent),
    first: begun.first ?? range.from,
  };
  return { asked, range, starts, running };
}

/** @throws AppError `invalid` for a range or filter that cannot be, or too many periods, `timeout` when the database takes too long */
export async function runRetention(context: QueryContext, input: RetentionInput): Promise<RetentionResult> {
  const { columns, scope: project } = context;
  const { asked, range, starts, running } = await prepareRetention(context, input);
  const { rows, values } = await columns.retention(asked);
  return {
    timeZone: project.timeZone,
    range,
    period: input.period,
    starts,
    running,
    values,
    rows: rows.map((row) => ({ ...row, ...meansOf(row, running ?? starts.length) })),
  };
}

/** @param over so many periods are over */
function meansOf({ cohorts }: RetentionRow, over: number) {
  const by = (mean: (complete: { size: number; count: number }[]) => number) =>
    cohorts.map((_, later) => {
      const complete = cohorts.flatMap(({ size, returned }, period) =>
        size > 0 && period + later < over ? { size, count: returned[later] as number } : [],
      );
      return complete.length === 0 ? null : mean(complete);
    });
  const sum = (values: number[]) => values.reduce((all, each) => all + each, 0);
  return {
    mean: by((all) => sum(all.map(({ count }) => count)) / sum(all.map(({ size }) => size))),
    simpleMean: by((all) => sum(all.map(({ count, size }) => count / size)) / all.length),
  };
}
