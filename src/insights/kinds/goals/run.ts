/** Numbers about goals: a table of them, what a goal that is not saved would count, and the course of one by interval. */

import type { Columns, SpanConversions } from '#src/columns/columns.ts';
import { zoneOf } from '#src/kit/zone.ts';
import {
  type Goal,
  type GoalDraft,
  type GoalFigure,
  type GoalPreview,
  goalRevealsPersons,
  type LastConversions,
  type Revenue,
} from '../../goals/contract.ts';
import { selectionOf } from '../../goals/selection.ts';
import type { GoalPer, MetricValue } from '../../query/contract.ts';
import type { FirstEventColumns } from '../../query/first-event.ts';
import { divide } from '../../query/intervals.ts';
import { periodsOf } from '../../query/periods.ts';
import { countedUntil, resolveRange } from '../../query/ranges.ts';
import { eventScopeOf, type QueryProject, type Resolved, viewsOf } from '../../query/scope.ts';
import type { GoalFigures, GoalFiguresInput } from './contract.ts';

/** Texts without an amount that are shown. */
const MAX_SAMPLES = 3;

type GoalColumns = Pick<Columns, 'conversions'> & FirstEventColumns;

/** @throws AppError `invalid` for a range or filter that cannot be, `timeout` */
export async function runGoalFigures(
  columns: GoalColumns,
  project: QueryProject,
  goals: readonly Goal[],
  input: Resolved<GoalFiguresInput>,
  now: number,
): Promise<GoalFigures> {
  const { range, comparison, span, before, ...periods } = await periodsOf(columns, project, input, now);
  // Without a goal the visitors are still asked for: a rule that nothing fulfils.
  const selections = [{ rules: [], amount: null }, ...goals.map(selectionOf)];
  const question = {
    ...viewsOf(project),
    ...eventScopeOf(input),
    spans: before === null ? [span] : [span, before],
  };
  const { per = 'visitor' } = input;
  const [[none, ...answers], isComparable] = await Promise.all([
    columns.conversions(question, selections, { byVisit: per === 'visit' }),
    periods.isComparable,
  ]);
  const [seen, ...earlier] = none as SpanConversions[];
  const [seenBefore] = isComparable ? earlier : [];
  const { total, visits } = seen as SpanConversions;
  return {
    range,
    comparison,
    per,
    visitors: { value: total.visitors, previous: seenBefore?.total.visitors ?? null },
    visits: visits && { value: visits.total.visits, previous: seenBefore?.visits?.total.visits ?? null },
    goals: goals.map(({ id, name, rule }, place) => {
      const [current, before] = answers[place] as SpanConversions[];
      const compared = isComparable ? (before ?? null) : null;
      return { id, name, kind: rule.kind, ...figureOf(per, current as SpanConversions, compared) };
    }),
  };
}

/** The newest day on which each goal was reached. @throws AppError `timeout` */
export async function runLastConversions(
  columns: GoalColumns,
  project: QueryProject,
  goals: readonly Goal[],
  now: number,
): Promise<LastConversions> {
  const context = { zone: zoneOf(project.timeZone), weekStart: project.weekStart, now, firstEvent: null };
  const { range } = resolveRange('last_90_days', context);
  const days = divide(range, 'day', context).map(({ from }) => from);
  const span = { from: range.from, until: countedUntil(range), starts: days };
  const question = { ...viewsOf(project), filters: null, spans: [span] };
  const answers = goals.length === 0 ? [] : await columns.conversions(question, goals.map(selectionOf));
  return goals.map(({ id }, place) => {
    const stretches = answers[place]?.[0]?.stretches ?? [];
    return { id, day: days[stretches.findLastIndex(({ count }) => count > 0)] ?? null };
  });
}

/** Numbers of a goal before it is saved. */
export const PREVIEWED = 'last_28_days';

export function unsaved(draft: GoalDraft, now: number): Goal {
  return { ...draft, id: 0, name: '', createdAt: now, changedAt: now };
}

/** @throws AppError as `runGoalFigures` */
export async function runGoalPreview(
  columns: GoalColumns,
  project: QueryProject,
  draft: GoalDraft,
  now: number,
): Promise<GoalPreview> {
  const asked = { range: PREVIEWED, compare: 'none' } as const;
  const { range, visitors, goals } = await runGoalFigures(columns, project, [unsaved(draft, now)], asked, now);
  const { conversions, people, visits, conversionRate, revenue, withoutAmount } = goals[0] as GoalFigure;
  const revealsPersons = goalRevealsPersons(draft);
  return {
    range,
    visitors: visitors.value ?? 0,
    conversions,
    people,
    visits,
    conversionRate,
    revenue,
    withoutAmount,
    revealsPersons,
  };
}

/** @param before null: nothing to compare with */
export function figureOf(per: GoalPer, current: SpanConversions, before: SpanConversions | null): GoalFigure {
  const { some, all } = sharesOf(per, current);
  const value = (of: (span: SpanConversions) => number | null): MetricValue => ({
    value: of(current),
    previous: before && of(before),
  });
  return {
    conversions: value((span) => span.total.count),
    people: value((span) => span.total.people),
    visits: per === 'visit' ? value((span) => sharesOf(per, span).some) : null,
    conversionRate: { ...value((span) => rateOf(sharesOf(per, span))), parts: { numerator: some, denominator: all } },
    revenue: revenueOf(current, before),
    withoutAmount: current.unreadable && {
      count: current.unreadable.count,
      samples: current.unreadable.texts.slice(0, MAX_SAMPLES),
    },
  };
}

interface Share {
  some: number;
  all: number;
}

/** Converted visitors or visits. @param place index of a bucket; absent: total */
export function sharesOf(per: GoalPer, { total, stretches, visits }: SpanConversions, place?: number): Share {
  if (per === 'visit') {
    const found = place === undefined ? visits?.total : visits?.stretches[place];
    return { some: found?.converted ?? 0, all: found?.visits ?? 0 };
  }
  const found = place === undefined ? total : stretches[place];
  return { some: found?.converted ?? 0, all: found?.visitors ?? 0 };
}

/** Null where there is nothing to divide by. */
export function rateOf({ some, all }: Share): number | null {
  return all === 0 ? null : some / all;
}

function revenueOf({ sums }: SpanConversions, before: SpanConversions | null): Revenue[] {
  const earlier = new Map(before?.sums.map(({ currency, total }) => [currency, total.value]));
  const gone = [...earlier.keys()].filter((currency) => !sums.some((sum) => sum.currency === currency));
  const current = sums.map(({ currency, total }) => ({ currency, ...total }));
  return [...current, ...gone.map((currency) => ({ currency, count: 0, value: 0 }))]
    .sort((one, other) => other.count - one.count || (one.currency < other.currency ? -1 : 1))
    .map(({ currency, count, value }) => ({
      currency,
      count,
      sum: { value, previous: before && (earlier.get(currency) ?? 0) },
    }));
}
