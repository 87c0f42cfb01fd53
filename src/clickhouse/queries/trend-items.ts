/** Numbers of a trend by stretch and line, as the engine's algorithm takes them. */
import type { TrendPart } from '#src/columns/kernels/count-trend.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { type DecimalSeparator, numberOf } from '#src/kit/numbers/values.ts';
import type { Sql } from '#src/store/sql.ts';
import { type QueryParts, Unsupported } from './events.ts';

/** An actor by its number, or the value of a property as JSON ('': none), and how many events have it. */
export interface ItemRow {
  /** From 1 on. */
  stretch: number;
  line: number;
  item: string;
  times: number;
}

/** More rows and more numbers are left to the engine. */
export const MAX_ROWS = 500_000;
const MAX_ITEMS = 3_000_000;

/** @throws Unsupported when they are too many */
export async function readItems({ house }: QueryParts, statement: Sql): Promise<ItemRow[]> {
  const rows = await house.query<ItemRow>(statement);
  if (rows.length > MAX_ROWS) throw new Unsupported('too many numbers');
  return rows;
}

interface Cell {
  stretch: number;
  line: number;
  count: number;
  ignored: number;
  items: number[];
  times: number[];
}

/** @param decimal how texts write numbers; null: items are actors */
export function itemsOfRows(rows: readonly ItemRow[], decimal: DecimalSeparator | null): TrendPart {
  const cells = new Map<string, Cell>();
  let length = 0;
  for (const { stretch, line, item, times } of rows) {
    const name = `${stretch} ${line}`;
    const cell = cells.get(name) ?? { stretch: stretch - 1, line, count: 0, ignored: 0, items: [], times: [] };
    cells.set(name, cell);
    cell.count += times;
    if (decimal === null) {
      if (item === '0') continue;
      cell.items.push(Number(item));
      cell.times.push(times);
      length++;
      continue;
    }
    const value = item === '' ? null : (JSON.parse(item) as JsonValue);
    const number = numberOf(value, decimal);
    if (Number.isNaN(number)) {
      if (value !== null) cell.ignored += times;
      continue;
    }
    length += times;
    if (length > MAX_ITEMS) throw new Unsupported('too many numbers');
    for (let at = 0; at < times; at++) {
      cell.items.push(number);
      cell.times.push(1);
    }
  }
  return partOf([...cells.values()], length);
}

function partOf(cells: readonly Cell[], length: number): TrendPart {
  const lines = [...new Set(cells.map(({ line }) => line))];
  const placeOf = new Map(lines.map((line, place) => [line, place]));
  const items = new Float64Array(length);
  const times = new Int32Array(length);
  let end = 0;
  const ends = cells.map((cell) => {
    items.set(cell.items, end);
    times.set(cell.times, end);
    end += cell.items.length;
    return end;
  });
  return {
    keys: lines,
    stretches: Int32Array.from(cells, ({ stretch }) => stretch),
    keyed: Int32Array.from(cells, ({ line }) => placeOf.get(line) as number),
    counts: Int32Array.from(cells, ({ count }) => count),
    ignored: Int32Array.from(cells, ({ ignored }) => ignored),
    ends: Int32Array.from(ends),
    items,
    times,
  };
}
