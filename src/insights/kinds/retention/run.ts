/** Retention: by the period in which they began, how many came back in each period from it on. */

import type { RetentionRow } from '#src/columns/columns.ts';
import { invalid } from '#src/kit/errors.ts';
import { hourMs, startOfMonth, weekdayOf } from '#src/kit/zone.ts';
import type { QueryContext } from '../../define.ts';
import { type Begun, begin } from '../../query/begin.ts';
import type { Interval, ResolvedRange } from '../../query/contract.ts';
import { bucketStarts, firstOf } from '../../query/intervals.ts';
import { countedUntil, withDates } from '../../query/ranges.ts';
import { MOST_PERIODS, type RetentionInput, type RetentionResult } from './contract.ts';

/** @throws AppError `invalid` for a range or filter that cannot be, or too many periods, `timeout` when the database takes too long */
export async function runRetention(
  { columns, scope: project, people, rulesOf, now }: QueryContext,
  input: RetentionInput,
): Promise<RetentionResult> {
  const { kind, minCount: least, period, rolling, breakdown } = input;
  if (breakdown !== undefined && kind !== 'recurring') {
    throw invalid('breakdown', 'Only retention of those who begin again and again can be told by value.');
  }
  const begun = await begin(columns, project, input, people, now);
  const range = widened(begun, period);
  const until = countedUntil(range);
  const begins = bucketStarts({ ...range, to: until }, period, begun.context);
  const starts = firstOf(begins, MOST_PERIODS + 1).filter((from) => from < until);
  if (starts.length > MOST_PERIODS) throw invalid('period', `A range has ${MOST_PERIODS} periods at most.`);
  const running = range.until === null ? null : starts.length - 1;
  const { rows, values } = await columns.retention({
    ...{ ...begun.scope, kind, least, isRolling: rolling, by: breakdown ?? null, most: input.limit },
    ...{ edges: [...starts, until], start: rulesOf(input.startEvent), back: rulesOf(input.returningEvent) },
    first: begun.first ?? range.from,
  });
  return {
    ...{ timeZone: project.timeZone, range, period, starts, running, values },
    rows: rows.map((row) => ({ ...row, ...meansOf(row, running ?? starts.length) })),
  };
}

/** From the beginning of the period in which the range begins to the end of that in which it ends. */
function widened({ found, zone, context }: Begun, period: Interval): ResolvedRange {
  const { from, to } = found.range;
  const between = (begins: number, ends: number) =>
    withDates(begins, ends, context.now < ends ? context.now : null, zone);
  if (period === 'hour') {
    const hourOf = (moment: number) => Math.floor(zone.localAt(moment) / hourMs) * hourMs;
    return between(zone.instantOf(hourOf(from)), zone.instantOf(hourOf(to - 1) + hourMs));
  }
  const first = (day: number): number => {
    if (period === 'week') return day - ((weekdayOf(day) - context.weekStart + 7) % 7);
    return period === 'month' ? startOfMonth(day) : day;
  };
  const last = first(zone.dayAt(to - 1));
  const next = period === 'month' ? startOfMonth(last, 1) : last + (period === 'week' ? 7 : 1);
  return between(zone.startOfDay(first(zone.dayAt(from))), zone.startOfDay(next));
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
