/** Visits that count, and those of them in which something was done. */

import type { CountParts } from '../count/count-parts.ts';
import { countSessionsOf, visitsOf } from '../count/counting.ts';
import { edgesOf, placesOf } from '../count/edges.ts';
import { mergeTallies } from '../count/summing-up.ts';
import type { SessionList } from '../kernels/session-set.ts';
import type { Visits } from '../threads/tasks.ts';
import type { Question } from './answer.ts';

/** Visits of a bucket, and the converted ones. */
export interface VisitShare {
  visits: number;
  converted: number;
}

/** Counted visits of a span, and their number by bucket of start. */
export interface ChosenVisits {
  choice: Visits;
  counts: Float64Array;
}

/** Visit columns to gather. */
export const NEEDED_OF_VISITS = ['id', 'ts', 'length', 'views', 'autocaptures', 'bot'];

type Span = Question['spans'][number];

/** @param views of the question; `sessions` are those that hold one that the filters keep */
export async function chooseVisits(
  views: CountParts,
  sessions: SessionList[],
  span: Span,
  at: number,
): Promise<ChosenVisits> {
  const choice = await visitsOf(views, views.conditions === null ? null : sessions, at);
  return { choice, counts: await countsOf(views, choice, span) };
}

/** @param held the visits that hold what was done */
export async function countVisitsWith(
  views: CountParts,
  { choice, counts }: ChosenVisits,
  held: SessionList[],
  span: Span,
): Promise<{ total: VisitShare; stretches: VisitShare[] }> {
  const without = await countsOf(views, { ...choice, without: [...(choice.without ?? []), ...held] }, span);
  const converted = counts.map((count, place) => count - (without[place] as number));
  return {
    total: { visits: sumOf(counts), converted: sumOf(converted) },
    stretches: placesOf(span).map((place) =>
      place === null
        ? { visits: 0, converted: 0 }
        : { visits: counts[place] as number, converted: converted[place] as number },
    ),
  };
}

/** Counts by bucket. */
async function countsOf(views: CountParts, choice: Visits, span: Span): Promise<Float64Array> {
  const edges = edgesOf(span);
  return (await mergeTallies(views, edges.length - 1, await countSessionsOf(views, edges, choice))).counts;
}

function sumOf(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
