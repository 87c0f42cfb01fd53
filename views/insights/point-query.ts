/** Query for the people behind a number. Pure. */
import type { ResolvedRange } from '#src/insights/contract.ts';
import { type BreakdownPart, breakdownParts, type TrendsInput } from '#src/insights/kinds/trends/contract.ts';
import type { Interval, TrendInterval } from '#src/insights/query/contract.ts';
import type { PointListInput } from '#src/profiles/points/contract.ts';
import { hasKey, type Insight, inputOf } from './insight.ts';
import type { Point } from './points.ts';

/** Fields that results of all kinds have. */
export interface AnswerFrame {
  timeZone: string;
  range: ResolvedRange;
  /** Of those that have points in time, when their intervals begin, ms. */
  starts?: number[];
  interval?: TrendInterval;
  /** Of trends: intervals of numbers that they are broken down by. */
  edges?: (number[] | null)[];
  /** As retention calls its interval. */
  period?: Interval;
  /** Of retention: how many periods later each column begins and ends. */
  columns?: { from: number; to: number }[];
  /** Of a funnel: intervals of the time to convert. */
  times?: { widthSeconds: number; counts: number[] } | null;
}

/** A number as procedures and files take it. */
export interface PointQuery {
  kind: Insight['kind'];
  query: Record<string, unknown>;
  point: Record<string, unknown>;
  asOf?: number;
}

/** Search and order of the listed people. */
export type PeopleOrder = Pick<PointListInput, 'search' | 'sort'>;

/**
 * Asks about the same events as the answer: of a range that is not over, up to the same moment; of one that is over, by its dates, so that
 * "yesterday" stays the same day after midnight.
 */
export function pointQuery(
  insight: Insight,
  { range, interval, edges }: AnswerFrame,
  { kind, ...point }: Point,
): PointQuery {
  const input = { ...inputOf(insight), ...(insight.kind === 'trends' && asAnswered(insight.own.breakdown, edges)) };
  if (range.until !== null) return { kind, query: { ...input }, point, asOf: range.until };
  const dates = { from: range.fromDate, to: range.toDate };
  const keepsInterval = interval !== undefined && hasKey(kind, 'interval');
  return { kind, query: { ...input, range: dates, ...(keepsInterval && { interval }) }, point };
}

/** Intervals of numbers as they were in the answer, not as they would be divided now. */
function asAnswered(
  breakdown: TrendsInput['breakdown'],
  edges: AnswerFrame['edges'] = [],
): Pick<TrendsInput, 'breakdown'> {
  if (breakdown === undefined) return {};
  const parts = breakdownParts({ breakdown }).map((part, at) => {
    const own = edges[at];
    return own && 'bins' in part ? { ...part, bins: { edges: own } } : part;
  });
  return { breakdown: Array.isArray(breakdown) ? parts : (parts[0] as BreakdownPart) };
}

/** The same people as a file. */
export function peopleFileAddress(
  reference: string,
  { kind, query, point, asOf }: PointQuery,
  order: PeopleOrder,
): string {
  const params = {
    input: JSON.stringify(query),
    point: JSON.stringify(point),
    options: JSON.stringify({ asOf, ...order }),
  };
  return `/project/${encodeURIComponent(reference)}/query/${kind}/people.csv?${new URLSearchParams(params)}`;
}
