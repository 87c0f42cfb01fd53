/** Retention: by the period in which they began, how many came back in each period from it on. */

import type { RetentionQuery, RetentionRow } from '#src/columns/columns.ts';
import type { QueryContext } from '../../define.ts';
import { begin } from '../../query/begin.ts';
import { coveredBy, queryCoverage } from '../../query/property-coverage.ts';
import { countedUntil } from '../../query/ranges.ts';
import { periodStarts, toWholePeriods } from '../../query/whole-periods.ts';
import type { RetentionInput, RetentionResult } from './contract.ts';

/** The engine's query. @throws AppError `invalid` for an invalid range, or too many periods */
export async function prepareRetention(
  { columns, scope: project, people, rulesOf, now }: QueryContext,
  input: RetentionInput,
) {
  const { kind, minCount: least, period, rolling, breakdown } = input;
  const begun = await begin(columns, project, input, people, now);
  const range = toWholePeriods(begun, period);
  const until = countedUntil(range);
  const starts = periodStarts(range, period, begun.context, 'period');
  const running = range.until === null ? null : starts.length - 1;
  const cells = columnsOf(input.brackets, starts.length);
  const asked: RetentionQuery = {
    ...begun.scope,
    kind,
    of: input.per ?? 'persons',
    least,
    isRolling: rolling,
    columns: cells,
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
  const span = { from: range.from, until: countedUntil(range) };
  const [{ rows, values }, coverage] = await Promise.all([
    columns.retention(asked),
    queryCoverage(columns, asked, span, coveredBy(input.breakdown, asked.start)),
  ]);
  return {
    timeZone: project.timeZone,
    range,
    period: input.period,
    starts,
    columns: [...asked.columns],
    running,
    values,
    coverage,
    rows: rows.map((row) => ({ ...row, ...meansOf(row, asked.columns, running ?? starts.length) })),
  };
}

/** A column for each period, or for each bracket that begins within so many. */
function columnsOf(brackets: readonly number[] | undefined, periods: number): RetentionResult['columns'] {
  if (brackets === undefined) return Array.from({ length: periods }, (_, at) => ({ from: at, to: at }));
  return brackets
    .map((to, at) => ({ from: at === 0 ? 0 : (brackets[at - 1] as number) + 1, to }))
    .filter(({ from }) => from < periods);
}

/** @param over so many periods are over */
function meansOf({ cohorts }: RetentionRow, columns: RetentionQuery['columns'], over: number) {
  const by = (mean: (complete: { size: number; count: number }[]) => number) =>
    columns.map(({ to }, column) => {
      const complete = cohorts.flatMap(({ size, returned }, period) =>
        size > 0 && period + to < over ? { size, count: returned[column] as number } : [],
      );
      return complete.length === 0 ? null : mean(complete);
    });
  const sum = (values: number[]) => values.reduce((all, each) => all + each, 0);
  return {
    mean: by((all) => sum(all.map(({ count }) => count)) / sum(all.map(({ size }) => size))),
    simpleMean: by((all) => sum(all.map(({ count, size }) => count / size)) / all.length),
  };
}
