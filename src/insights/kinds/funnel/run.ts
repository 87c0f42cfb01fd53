/** Funnels: how many came how far, and how long it took. */

import type { FunnelPart, FunnelQuery } from '#src/columns/columns.ts';
import { stepBefore } from '#src/columns/values.ts';
import { invalid } from '#src/kit/errors.ts';
import type { QueryContext } from '../../define.ts';
import { begin } from '../../query/begin.ts';
import type { ResolvedRange } from '../../query/contract.ts';
import { chooseInterval, divide } from '../../query/intervals.ts';
import { coveredBy, queryCoverage } from '../../query/property-coverage.ts';
import { countedUntil, resolveComparison } from '../../query/ranges.ts';
import { type FunnelInput, type FunnelResult, type FunnelResultRow, windowMs } from './contract.ts';

/** The engine's query. @throws AppError `invalid` for an invalid range, step or exclusion */
export async function prepareFunnel(
  { columns, scope: project, people, rulesOf, now }: QueryContext,
  input: FunnelInput,
) {
  checkSteps(input);
  checkExclusions(input);
  const { found, scope, first, zone, context } = await begin(columns, project, input, people, now);
  const { range } = found;
  const compared = resolveComparison(found, input.compare, zone);
  const interval = chooseInterval(range, input.interval);
  const until = countedUntil(range);
  const starts = divide(range, interval, context).map(({ from }) => from);
  const asked: FunnelQuery = {
    ...scope,
    span: { from: range.from, until },
    starts,
    earlier: compared === null ? null : earlierOf(compared.range),
    order: input.order,
    windowMs: windowMs(input.conversionWindow),
    of: input.per,
    by: input.breakdown ?? null,
    attribution: input.attribution,
    most: input.limit,
    steps: input.steps.map(rulesOf),
    optional: input.optionalSteps,
    exclusions: input.exclusions.map(({ event: of, afterStep: after, beforeStep: before }) => ({
      rules: rulesOf(of),
      after,
      before,
    })),
  };
  const ends = starts.map((_, at) => Math.min(starts[at + 1] ?? range.to, until));
  const openFrom = ends.findIndex((end) => end + asked.windowMs > until);
  return { asked, first, range, compared, interval, openFrom: openFrom < 0 ? null : openFrom };
}

/** @throws AppError `invalid` for a range, a filter, a step or an exclusion that cannot be, `timeout` when the database takes too long */
export async function runFunnel(context: QueryContext, input: FunnelInput): Promise<FunnelResult> {
  const { columns, scope: project } = context;
  const { asked, first, range, compared, interval, openFrom } = await prepareFunnel(context, input);
  const [{ total, times, rows, values, excluded, open, earlier }, coverage] = await Promise.all([
    columns.funnel(asked),
    queryCoverage(columns, asked, asked.span, coveredBy(input.breakdown, asked.steps[0] ?? [])),
  ]);
  const isComparable = compared !== null && first !== null && first < countedUntil(compared.range);
  const before = isComparable ? earlier : null;
  const { optional } = asked;
  return {
    timeZone: project.timeZone,
    range,
    comparison: compared?.range ?? null,
    interval,
    starts: [...asked.starts],
    openFrom,
    values,
    coverage,
    excluded,
    open,
    times: times && { widthSeconds: times.width / 1000, counts: times.counts, longer: times.longer },
    total: { ...rowOf(total, before?.total, optional), value: null },
    rows: rows.map((row, at) => rowOf(row, before?.rows[at], optional)),
  };
}

function earlierOf(range: ResolvedRange): NonNullable<FunnelQuery['earlier']> {
  return { span: { from: range.from, until: countedUntil(range) }, starts: [range.from] };
}

function checkSteps({ steps, optionalSteps, order, attribution }: FunnelInput): void {
  if (optionalSteps.length > 0 && order !== 'ordered') {
    throw invalid('optionalSteps', 'Optional steps are only available in sequential funnels.');
  }
  if (optionalSteps.some((step) => step === 1 || step >= steps.length)) {
    throw invalid('optionalSteps', 'The first and the last step can’t be optional.');
  }
  if (typeof attribution === 'string') return;
  if (order === 'any') {
    throw invalid('attribution', 'In any-order funnels, the breakdown can’t be attributed to a step by its number.');
  }
  if (attribution.step > steps.length) throw invalid('attribution', `There is no step ${attribution.step}.`);
}

function checkExclusions({ exclusions, steps, optionalSteps, order }: FunnelInput): void {
  for (const { afterStep: after, beforeStep: before } of exclusions) {
    if (after < 1 || after >= before || before > steps.length) {
      throw invalid('exclusions', 'An exclusion must be between a step and a later step.');
    }
    if (optionalSteps.includes(after) || optionalSteps.includes(before)) {
      throw invalid('exclusions', 'An exclusion can’t begin or end at an optional step.');
    }
    if (order === 'any' && (after > 1 || before < steps.length)) {
      throw invalid('exclusions', 'In any-order funnels, an exclusion must span the first to the last step.');
    }
  }
}

function rowOf(
  { value, steps, meanMs, medianMs }: FunnelPart,
  earlier: FunnelPart | undefined,
  optional: readonly number[],
): FunnelResultRow {
  const shareOf = (count: number, all: number | undefined) => (all === undefined || all === 0 ? null : count / all);
  return {
    value,
    steps: steps.map(({ count, course, ...took }, at) => ({
      count,
      points: course,
      previous: earlier?.steps[at]?.count ?? null,
      conversionFromStart: shareOf(count, steps[0]?.count),
      conversionFromPrevious: shareOf(count, steps[Math.max(stepBefore(at + 1, optional) - 1, 0)]?.count),
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
