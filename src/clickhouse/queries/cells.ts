/** Views and visitors by cells of time, such as one hour of one weekday: the same figures as those of the engine (src/columns/queries/cells.ts). */
import type { Cell, CellDivision, Question } from '#src/columns/columns.ts';
import { sql } from '#src/store/sql.ts';
import { fromEvents, fromEventsAlone, person, type QueryParts, type Span, stretchOf, Unsupported } from './events.ts';
import { namesSql, scopeSql } from './scope.ts';

/** More stretches of time are left to the engine. */
const MAX_STRETCHES = 100_000;

/** @param question with one span @throws AppError as the engine */
export async function clickhouseCells(parts: QueryParts, question: Question, division: CellDivision): Promise<Cell[]> {
  const [span] = question.spans as [Question['spans'][number]];
  const [named, scope] = await Promise.all([namesSql(parts, question.views), scopeSql(parts, question, span)]);
  const [times] = await parts.house.query<{ first: number; last: number; total: number }>(
    sql`select min(ts) as first, max(ts) as last, count() as total ${fromEventsAlone(parts, span, named)}`,
  );
  const cells = Array.from({ length: division.cells }, () => ({ views: 0, visitors: 0 }));
  if (times === undefined || times.total === 0) return cells;
  const { edges, cellOf } = dividedBy(division, { from: times.first, until: times.last + 1 });
  if (edges.length > MAX_STRETCHES) throw new Unsupported('many cells');
  const rows = await parts.house.query<Cell & { cell: number }>(
    sql`select ${stretchOf(edges, cellOf, sql`ts`)} as cell, count() as views, groupBitmap(toUInt32(${person})) as visitors
          ${fromEvents(parts, span, sql`${named} and ${scope}`)} group by cell having cell >= 0`,
  );
  for (const { cell, ...counts } of rows) cells[cell] = counts;
  return cells;
}

/** When stretches begin, ascending, and their cells; -1: of none. */
function dividedBy(division: CellDivision, { from, until }: Span): { edges: number[]; cellOf: number[] } {
  const edges = [from];
  const cellOf = [-1];
  for (const stretch of division.between(from, until)) {
    if (edges.at(-1) === stretch.from) cellOf[cellOf.length - 1] = stretch.cell;
    else {
      edges.push(stretch.from);
      cellOf.push(stretch.cell);
    }
    edges.push(stretch.until);
    cellOf.push(-1);
  }
  return { edges, cellOf };
}
