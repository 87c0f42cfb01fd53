/** What an experiment asks the columns engine: who was exposed to which variant, and what they did. */
import * as z from 'zod/mini';
import type { ArmMetric, Arms } from '#src/columns/columns.ts';
import type { QueryContext, RunnableKind } from '#src/insights/define.ts';
import type { EventsQuery } from '#src/insights/query/people/contract.ts';
import { rangeInput } from '#src/kit/range.ts';
import { dayMs } from '#src/kit/zone.ts';
import { type Measured, type MeasuredAmount, type MeasuredTotal, type Metric, metric } from './contract.ts';
import { MAX_ARMS, MAX_SEGMENTS, PRE_DAYS } from './values.ts';

const measureInput = z.strictObject({
  /** Days that the exposures lie in; `from` and `until` are exact. */
  range: rangeInput,
  from: z.number(),
  until: z.number(),
  flag: z.string(),
  variants: z.array(z.string()).check(z.maxLength(MAX_ARMS)),
  metrics: z.array(metric),
  windowDays: z.int(),
  /** Property of exposures that divides people. */
  segment: z.nullable(z.string()),
});
export type MeasureInput = z.infer<typeof measureInput>;

/** Not one of the kinds of insights: it is run and kept as they are. */
export const measure: RunnableKind<'experiment', MeasureInput, Arms> = {
  name: 'experiment',
  input: measureInput,
  access: 'viewer',
  events: ({ flag, variants, metrics }) => [...exposuresOf(flag, variants), ...metrics.flatMap(eventsOf)],
  usesGoals: true,
  run: runMeasure,
};

function runMeasure({ columns, scope, rulesOf, goals }: QueryContext, input: MeasureInput): Promise<Arms> {
  const { from, until, flag, variants, metrics, windowDays, segment } = input;

  function totalOf(each: MeasuredTotal) {
    if ('count' in each) return { rules: rulesOf(asEvents(each.count)), amount: null };
    const rules = rulesOf(asEvents(each.sum));
    if ('event' in each.sum) {
      return { rules, amount: { property: each.sum.property, currencyProperty: null, currency: null } };
    }
    const { goal } = each.sum;
    return { rules, amount: goals.find(({ id }) => id === goal)?.amount ?? null };
  }

  function asked(each: Metric): ArmMetric {
    switch (each.kind) {
      case 'conversion':
        return { kind: 'steps', of: [rulesOf(asEvents(each.of))] };
      case 'funnel':
        return { kind: 'steps', of: each.steps.map((step) => rulesOf(asEvents(step))) };
      default:
        return { kind: 'sums', of: totalsOf(each).map(totalOf) };
    }
  }

  return columns.arms({
    projectId: scope.id,
    filters: null,
    span: { from, until },
    arms: exposuresOf(flag, variants).map(rulesOf),
    by: segment === null ? null : { about: 'event', name: segment },
    most: MAX_SEGMENTS,
    // The last measures nothing: it counts people.
    metrics: [...metrics.map(asked), { kind: 'sums', of: [] }],
    windowMs: windowDays * dayMs,
    preMs: PRE_DAYS * dayMs,
  });
}

/** Calls of the flag with each variant. */
function exposuresOf(flag: string, variants: readonly string[]): EventsQuery[] {
  return variants.map((variant) => ({
    event: '$feature_flag_called',
    filters: {
      match: 'all',
      of: [
        { about: 'event', name: '$feature_flag', operator: 'equals', values: [flag] },
        { about: 'event', name: '$feature_flag_response', operator: 'equals', values: [variant] },
      ],
    },
  }));
}

/** Totals whose sums of people are measured; two of a ratio. */
export function totalsOf(each: Extract<Metric, { kind: 'count' | 'revenue' | 'ratio' }>): MeasuredTotal[] {
  if (each.kind === 'count') return [{ count: each.of }];
  return each.kind === 'revenue' ? [{ sum: each.of }] : [each.of, each.per];
}

/** Goals and events that a metric names, in its order. */
export function measuredIn(each: Metric): (Measured | MeasuredAmount)[] {
  if (each.kind === 'conversion') return [each.of];
  if (each.kind === 'funnel') return each.steps;
  return totalsOf(each).map((total) => ('count' in total ? total.count : total.sum));
}

/** Amounts that a metric sums. */
export function summedIn(each: Metric): MeasuredAmount[] {
  if (each.kind === 'conversion' || each.kind === 'funnel') return [];
  return totalsOf(each).flatMap((total) => ('sum' in total ? [total.sum] : []));
}

function eventsOf(each: Metric): EventsQuery[] {
  return measuredIn(each).map(asEvents);
}

function asEvents(each: Measured | MeasuredAmount): EventsQuery {
  return 'goal' in each ? { goal: each.goal } : { event: each.event };
}
