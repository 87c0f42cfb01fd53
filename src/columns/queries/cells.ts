/** Questions about stretches of time that belong together, such as one hour of one weekday: who was there in any of them, once. */

import { countEventsOf } from '../count/counting.ts';
import type { Edges } from '../count/edges.ts';
import { mergeTallies } from '../count/summing-up.ts';
import type { Span } from '../storage/span.ts';
import { prepare, type Question } from './answer.ts';
import type { AnswerParts } from './answer-parts.ts';

/** Counts of a cell over all its time ranges. */
export interface Cell {
  visitors: number;
  views: number;
}

/** A time range and its cell. */
export interface CellStretch extends Span {
  cell: number;
}

/** How time is divided into cells. */
export interface CellDivision {
  /** How many cells there are. */
  cells: number;
  /** The time ranges within `[from, until)`, ascending, clipped. Called only for times with events, so long spans are cheap. */
  between(from: number, until: number): readonly CellStretch[];
  /** True when all time ranges start on a quarter of an hour. */
  isInQuarters: boolean;
}

/**
 * @param question with one span, without stretches
 * @throws AppError as `querySeries`
 */
export async function queryCells(parts: AnswerParts, question: Question, division: CellDivision): Promise<Cell[]> {
  const [span, ...others] = question.spans;
  if (span === undefined || others.length > 0) throw new Error('cells are of one span');
  const { ready } = await prepare(parts, question, [], question.views, {
    countsEvents: true,
    needsTimes: !division.isInQuarters,
  });
  const { edges, into } = divided(timesWithEvents(span, ready.gathered.events), division);
  const { parts: counted } = await countEventsOf(ready, edges, 0);
  const { counts, persons } = await mergeTallies(ready, division.cells, counted, { into });
  return Array.from(counts, (views, cell) => ({ views, visitors: persons[cell] as number }));
}

/** Time ranges of the chunks, clipped to the span; ascending, overlapping ones merged. */
function timesWithEvents(span: Span, chunks: readonly { minTs: number; maxTs: number }[]): Span[] {
  const times = chunks
    .map(({ minTs, maxTs }) => ({ from: Math.max(minTs, span.from), until: Math.min(maxTs + 1, span.until) }))
    .filter(({ from, until }) => from < until)
    .sort((one, other) => one.from - other.from);
  const joined: Span[] = [];
  for (const time of times) {
    const last = joined.at(-1);
    if (last !== undefined && time.from <= last.until) last.until = Math.max(last.until, time.until);
    else joined.push(time);
  }
  return joined;
}

/** Edges of all stretches; those that lie between the times are part of no cell (-1). */
function divided(times: readonly Span[], division: CellDivision): { edges: Edges; into: Int32Array } {
  const edges: number[] = [];
  const into: number[] = [];
  for (const { from: begin, until: end } of times) {
    for (const { from, until, cell } of division.between(begin, end)) {
      if (edges.length > 0 && edges.at(-1) !== from) into.push(-1);
      if (edges.at(-1) !== from) edges.push(from);
      edges.push(until);
      into.push(cell);
    }
  }
  return { edges, into: Int32Array.from(into) };
}
