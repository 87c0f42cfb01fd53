/** What is asked about the people behind a number. Pure. */
import type { ResolvedRange } from '#src/insights/contract.ts';
import type { Interval } from '#src/insights/query/contract.ts';
import type { PointListInput } from '#src/profiles/points/contract.ts';
import { hasKey, type Insight, inputOf } from './insight.ts';
import type { Point } from './points.ts';

/** What answers of all kinds say of themselves. */
export interface AnswerFrame {
  timeZone: string;
  range: ResolvedRange;
  /** Of those that have points in time, when their intervals begin, ms. */
  starts?: number[];
  interval?: Interval;
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

/** Which of the people are listed, and in which order. */
export type PeopleOrder = Pick<PointListInput, 'search' | 'sort'>;

/**
 * Asks about the same events as the answer: of a range that is not over, up to the same moment; of one that is over, by its dates, so that
 * "yesterday" stays the same day after midnight.
 */
export function pointQuery(insight: Insight, { range, interval }: AnswerFrame, { kind, ...point }: Point): PointQuery {
  const input = inputOf(insight);
  if (range.until !== null) return { kind, query: { ...input }, point, asOf: range.until };
  const dates = { from: range.fromDate, to: range.toDate };
  const keepsInterval = interval !== undefined && hasKey(kind, 'interval');
  return { kind, query: { ...input, range: dates, ...(keepsInterval && { interval }) }, point };
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
