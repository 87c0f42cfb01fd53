/** Funnels: how many came how far, and how long it took. */

import type { FunnelPart, FunnelQuery } from '#src/columns/columns.ts';
import { invalid } from '#src/kit/errors.ts';
import type { QueryContext } from '../../define.ts';
import { begin } from '../../query/begin.ts';
import { countedUntil } from '../../query/ranges.ts';
import { type FunnelInput, type FunnelResult, type FunnelResultRow, windowMs } from './contract.ts';

/** What the engine is asked. @throws AppError `invalid` for a range or an exclusion that cannot be */
export async function prepareFunnel(
  { columns, scope: project, people, rulesOf, now }: QueryContext,
  input: FunnelInput,
) {
  checkExclusions(input);
  const { found, scope } = await begin(columns, project, input, people, now);
  const { range } = found;
  const asked: FunnelQuery = {
    ...scope,
    span: { from: range.from, until: countedUntil(range) },
    order: input.order,
    windowMs: windowMs(input.conversionWindow),
    of: input.per,
    by: input.breakdown ?? null,
    most: input.limit,
    steps: input.steps.map(rulesOf),
    exclusions: input.exclusions.map(({ event: of, afterStep: after, beforeStep: before }) => ({
      rules: rulesOf(of),
      after,
      before,
    })),
  };
  return { asked, range };
}

/** @throws AppError `invalid` for a range, a filter or an exclusion that cannot be, `timeout` when the database takes too long */
export async function runFunnel(context: QueryContext, input: FunnelInput): Promise<FunnelResult> {
  const { columns, scope: project } = context;
  const { asked, range } = await prepareFunnel(context, input);
  const { total, rows, values, excluded, open } = await columns.funnel(asked);
  return {
    timeZone: project.timeZone,
    range,
    values,
    excluded,
    open,
    total: { ...rowOf(total), value: null },
    rows: rows.map(rowOf),
  };
}

function checkExclusions({ exclusions, steps, order }: FunnelInput): void {
  for (const { afterStep: after, beforeStep: before } of exclusions) {
    if (after < 1 || after >= before || before > steps.length) {
      throw invalid('exclusions', 'An exclusion must be between a step and a later step.');
    }
    if (order === 'any' && (after > 1 || before < steps.length)) {
      throw invalid('exclusions', 'In any-order funnels, an exclusion must span the first to the last step.');
    }
  }
}

function rowOf({ value, steps, meanMs, medianMs }: FunnelPart): FunnelResultRow {
  const shareOf = (count: number, all: number | undefined) => (all === undefined || all === 0 ? null : count / all);
  return {
    value,
    steps: steps.map(({ count, ...took }, at) => ({
      count,
      conversionFromStart: shareOf(count, steps[0]?.count),
      conversionFromPrevious: shareOf(count, steps[Math.max(at - 1, 0)]?.count),
      meanSecondsToConvert: secondsOf(took.meanMs),
      medianSecondsToConvert: secondsOf(took.medianMs),
    })),
    meanSecondsToConvert: secondsOf(meanMs),
    medianSecondsToConvert: secondsOf(medianMs),
  };
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
