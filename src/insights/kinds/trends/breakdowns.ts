/** What trends are broken down by, as the engine takes it: intervals of numbers have their edges. */
import type { Breakdown, TrendSpan, TrendsQuery } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import { COHORT } from '#src/columns/values.ts';
import { invalid } from '#src/kit/errors.ts';
import { withoutNoise } from '#src/kit/numbers/decimals.ts';
import type { QueryColumns } from '../../define.ts';
import { type Bins, type BreakdownPart, breakdownParts, type TrendsInput } from './contract.ts';

type Combined = Extract<Breakdown, { about: 'combined' }>;

export interface ResolvedBreakdown {
  by: Breakdown | null;
  /** Of each property; null: it has no intervals. */
  edges: (number[] | null)[];
}

/**
 * @param asked the series without a breakdown: equal intervals lie between the least and the greatest number of their events in the range
 * @throws AppError `invalid` for intervals that cannot be, also of a property without numbers
 */
export async function resolveBreakdown(
  columns: Pick<QueryColumns, 'trends'>,
  input: Pick<TrendsInput, 'breakdown'>,
  asked: Pick<TrendsQuery, 'projectId' | 'filters' | 'people' | 'include' | 'series'>,
): Promise<ResolvedBreakdown> {
  const parts = breakdownParts(input);
  const edges = await Promise.all(parts.map((part, at) => edgesOf(columns, part, at, asked)));
  const [only] = parts;
  if (only === undefined) return { by: null, edges };
  const of = parts.map((part, at) => combinedPart(part, edges[at] ?? null));
  const isPlain = parts.length === 1 && edges[0] === null && !isCohort(only);
  if (!isPlain) return { by: { about: 'combined', of }, edges };
  return { by: only.about === 'name' ? only : { about: only.about, name: only.name }, edges };
}

function isCohort(part: BreakdownPart): part is Extract<BreakdownPart, { values: unknown }> {
  return part.about === 'person' && part.name === COHORT && 'values' in part;
}

function combinedPart(part: BreakdownPart, edges: number[] | null): Combined['of'][number] {
  if (part.about === 'name') return part;
  if (isCohort(part)) return { about: 'cohort', name: part.values[0] };
  return { about: part.about, name: part.name, ...(edges && { edges }) };
}

async function edgesOf(
  columns: Pick<QueryColumns, 'trends'>,
  part: BreakdownPart,
  at: number,
  asked: Pick<TrendsQuery, 'projectId' | 'filters' | 'people' | 'include' | 'series'>,
): Promise<number[] | null> {
  if (!('bins' in part) || part.bins === undefined) return null;
  const { bins } = part;
  if ('edges' in bins) return bins.edges;
  if (part.about !== 'event') {
    throw invalid(`breakdown.${at}.bins`, 'Set the edges of intervals for properties of people, groups and visits.');
  }
  const found = await countedEdges(columns, part.name, bins, asked);
  if (found !== null) return found;
  if (await isSaid(columns, part.name, asked)) {
    throw invalid(`breakdown.${at}.bins`, `"${part.name}" has no numbers to divide. Set the edges of its intervals.`);
  }
  return [0];
}

/** Whether any of the events has the property. */
async function isSaid(
  columns: Pick<QueryColumns, 'trends'>,
  name: string,
  { series, ...scope }: Pick<TrendsQuery, 'projectId' | 'filters' | 'people' | 'include' | 'series'>,
): Promise<boolean> {
  const isSet: Filters = { match: 'all', of: [{ about: 'event', name, operator: 'isSet', values: [] }] };
  const rules = series.flatMap((each) => each.rules.map((rule) => ({ ...rule, filters: [...rule.filters, isSet] })));
  const [trend] = (
    await columns.trends({
      ...scope,
      series: [{ rules, measure: 'events', spans: wholeSpan(series) }],
      by: null,
      most: 1,
    })
  ).flat();
  return (trend?.rows[0]?.total ?? 0) > 0;
}

/** The first span of the series, without windows. */
function wholeSpan(series: TrendsQuery['series']): TrendSpan[] {
  return (series[0]?.spans ?? [])
    .slice(0, 1)
    .map(({ from, until }) => ({ from, until, windows: [], total: { from, until } }));
}

/** Null: the events have no numbers. */

async function countedEdges(
  columns: Pick<QueryColumns, 'trends'>,
  property: string,
  { count, by }: Extract<Bins, { count: number }>,
  { series, ...scope }: Pick<TrendsQuery, 'projectId' | 'filters' | 'people' | 'include' | 'series'>,
): Promise<number[] | null> {
  const rules = series.flatMap((each) => each.rules);
  const spans = wholeSpan(series);
  const inner = Array.from({ length: count - 1 }, (_, at) => (at + 1) / count);
  const statistics = by === 'width' ? (['min', 'max'] as const) : inner.map((quantile) => ({ quantile }));
  const answers = await columns.trends({
    ...scope,
    series: [...statistics, 'min' as const].map((as) => ({ rules, measure: { property, as }, spans })),
    by: null,
    most: 1,
  });
  const found = answers.map(([trend]) => trend?.rows[0]?.total ?? null);
  const [least] = found.slice(-1);
  if (least === null || least === undefined) return null;
  const greatest = found[1] ?? least;
  const edges =
    by === 'width'
      ? inner.map((share) => withoutNoise(least + (greatest - least) * share))
      : found.slice(0, -1).flatMap((edge) => edge ?? []);
  // An interval without numbers below it is none.
  const divided = [...new Set(edges)].filter((edge) => edge > least);
  return divided.length === 0 ? [least] : divided;
}
