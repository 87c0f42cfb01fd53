/** Counts visits of a block that hold a view and are no bot's, by when they began or by a value; and finds visits by their fields. Pure. */
import { type Fit, fitTest } from '../fits.ts';
import { type Column, openColumn } from '../format.ts';
import { columnOf } from './count-events.ts';
import type { ChunkColumns } from './select.ts';
import type { SessionSet } from './session-set.ts';
import { TallyBuilder, type TallyBytes } from './tally.ts';

export interface SessionPlan {
  by: { column: string; values: Int32Array } | null;
  withPersons: boolean;
  /** Visits with one thing done and shorter than this are bounces. */
  bounceMs: number;
}

export interface SessionChunk {
  columns: ChunkColumns;
  /** As of events: stretches of time in which visits begin. */
  edges: readonly number[];
  /** Numbers of visits that are told of elsewhere, with what happened since. */
  except: readonly number[];
}

/** @param only visits that are counted; null: all */
export function countSessions(plan: SessionPlan, chunk: SessionChunk, only: SessionSet | null): TallyBytes {
  const { columns, edges } = chunk;
  const rows = visitsWithin(chunk, only);
  const builder = new TallyBuilder();
  const begins = columnOf(columns, 'ts');
  if (plan.by === null) {
    let at = 0;
    for (let slot = 0; slot < edges.length - 1; slot++) {
      const from = at;
      while (
        at < rows.length &&
        (begins.codes[rows[at] as number] as number) + begins.base < (edges[slot + 1] as number)
      )
        at++;
      countRows(builder, plan, columns, rows.subarray(from, at), slot);
    }
    return builder.finish();
  }
  const bytes = columns[plan.by.column];
  const column = bytes === undefined ? null : openColumn(bytes);
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const number = column === null ? 0 : numberAt(column, row);
    const value = plan.by.values[number] ?? 0;
    const group = groups.get(value);
    if (group) group.push(row);
    else groups.set(value, [row]);
  }
  for (const [value, group] of groups) countRows(builder, plan, columns, Int32Array.from(group), value);
  return builder.finish();
}

/** Rows of the visits that count, in order of their begin. */
function visitsWithin({ columns, edges, except }: SessionChunk, only: SessionSet | null): Int32Array {
  const begins = columnOf(columns, 'ts');
  const ids = columnOf(columns, 'id');
  const views = columns['views'];
  if (views === undefined || edges.length < 2) return new Int32Array(0);
  const viewColumn = openColumn(views);
  const bot = columns['bot'];
  const botColumn = bot === undefined ? null : openColumn(bot);
  const left = except.length === 0 ? null : new Set(except);
  const [from, until] = [edges[0] as number, edges.at(-1) as number];
  const rows = new Int32Array(begins.rows);
  let count = 0;
  for (let row = 0; row < begins.rows; row++) {
    const begin = (begins.codes[row] as number) + begins.base;
    if (begin < from || begin >= until) continue;
    if (numberAt(viewColumn, row) === 0) continue;
    if (botColumn !== null && numberAt(botColumn, row) !== 0) continue;
    const id = (ids.codes[row] as number) + ids.base;
    if (left?.has(id) || (only !== null && !only.has(id))) continue;
    rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function countRows(
  builder: TallyBuilder,
  plan: SessionPlan,
  columns: ChunkColumns,
  rows: Int32Array,
  group: number,
): void {
  if (rows.length === 0) return;
  const lengths = columnOf(columns, 'length');
  const views = columnOf(columns, 'views');
  const clicks = columns['autocaptures'] === undefined ? null : openColumn(columns['autocaptures']);
  let bounces = 0;
  let sum = 0;
  let viewSum = 0;
  for (const row of rows) {
    const length = (lengths.codes[row] as number) + lengths.base;
    const viewed = numberAt(views, row);
    const done = viewed + (clicks === null ? 0 : numberAt(clicks, row));
    if (done === 1 && length < plan.bounceMs) bounces++;
    sum += length;
    viewSum += viewed;
  }
  if (plan.withPersons) {
    const persons = columnOf(columns, 'person');
    for (const person of new Set(Array.from(rows, (row) => persons.codes[row] as number))) {
      builder.person(persons.numbers?.[person] as number);
    }
  }
  builder.end(group, rows.length, bounces, sum, viewSum);
}

/** How a field of visits is asked about: by number (`mask`), by the number itself, or, of plain numbers, divided by `per`. */
export type SessionTest =
  | { column: string; mask: Uint8Array }
  | { column: string; fit: Fit }
  | { column: string; fit: Fit; per: number };

/** Numbers of the visits of which the test is true. */
export function findSessions(
  test: SessionTest,
  { columns, except }: Pick<SessionChunk, 'columns' | 'except'>,
): Float64Array<SharedArrayBuffer> {
  const ids = columnOf(columns, 'id');
  const bytes = columns[test.column];
  const column = bytes === undefined ? null : openColumn(bytes);
  const fits = 'fit' in test ? fitTest(test.fit) : (value: number) => test.mask[value] === 1;
  const per = 'per' in test ? test.per : 1;
  const left = new Set(except);
  const found: number[] = [];
  for (let row = 0; row < ids.rows; row++) {
    const code = column === null ? 0 : (column.codes[row] as number);
    const value = column === null ? 0 : (column.numbers?.[code] ?? code + column.base);
    const id = (ids.codes[row] as number) + ids.base;
    if (fits(value / per) && !left.has(id)) found.push(id);
  }
  const list = new Float64Array(new SharedArrayBuffer(found.length * 8));
  list.set(found);
  return list;
}

/** What a column of numbers says of a row. */
function numberAt({ numbers, codes }: Column, row: number): number {
  return (numbers as Int32Array)[codes[row] as number] as number;
}
