/** Questions about stretches of time that belong together, such as one hour of one weekday: who was there in any of them, once. */

import { countEventsOf } from '../count/counting.ts';
import { edgesOf, placesOf } from '../count/edges.ts';
import { mergeTallies } from '../count/summing-up.ts';
import { type AnswerParts, prepare, type Question } from './answer.ts';

/** What was counted in all stretches of a cell. */
export interface Cell {
  visitors: number;
  views: number;
}

/**
 * @param question with one span
 * @param cellOf for each of the span's `starts`, the cell that its stretch is part of
 * @throws AppError as `askSeries`
 */
export async function askCells(
  parts: AnswerParts,
  question: Question,
  cellOf: readonly number[],
  cells: number,
): Promise<Cell[]> {
  const [span, ...others] = question.spans;
  if (span === undefined || others.length > 0) throw new Error('cells are of one span');
  const { ready } = await prepare(parts, question, [], question.views, { countsEvents: true });
  const edges = edgesOf(span);
  const { parts: counted } = await countEventsOf(ready, edges, 0);
  const into = new Int32Array(edges.length - 1).fill(-1);
  placesOf(span).forEach((place, at) => {
    if (place !== null) into[place] = cellOf[at] as number;
  });
  const { counts, persons } = await mergeTallies(ready, cells, counted, { into });
  return Array.from(counts, (views, cell) => ({ views, visitors: persons[cell] as number }));
}
