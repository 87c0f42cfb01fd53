/**
 * A chunk's part of a trend: events by bucket and key, with distinct persons or visits, or property values,
 * without bots and internal traffic. Computed once per chunk and cached; persons are as in the rows, before merges. Pure.
 */

import { type DecimalSeparator, numberOf } from '#src/kit/numbers/values.ts';
import type { ChunkColumns } from '../storage/format.ts';
import { type Column, entriesOf, openColumn } from '../storage/format.ts';
import { placesAt } from '../storage/quarters.ts';
import type { GroupSubject } from '../values.ts';
import { type EventChunk, type EventPlan, keptRows, narrowToCounted, placeIn, rowsIn } from './count-events.ts';
import { type Key, type KeyPlace, keysOfRows } from './row-keys.ts';
import { SCRATCH, scratch } from './scratch.ts';
import type { SessionSet } from './session-set.ts';
import { floatsOf, intsOf, sharedInts } from './shared.ts';

/** Who does something: persons, visits, or the groups of a type. */
export type Actors = 'persons' | 'visits' | GroupSubject;

/** Measure of a trend: events, distinct actors, or a property's numbers (by column name). */
export type TrendOf = 'events' | Actors | { column: string; decimal: DecimalSeparator };

/** Rows of a name that match the condition, without excluded ones. */
export type RowPlan = Pick<EventPlan, 'names' | 'where' | 'botMark' | 'internalMark' | 'include'>;

export interface TrendPlan extends RowPlan {
  /** Breakdown; null: none. */
  by: readonly KeyPlace[] | null;
  of: TrendOf;
}

/** By cell: a combination of bucket and key. */
export interface TrendPart {
  keys: Key[];
  stretches: Int32Array;
  /** Places in `keys`. */
  keyed: Int32Array;
  counts: Int32Array;
  /** Events that say something else than a number. */
  ignored: Int32Array;
  /** End offset of each cell's items. */
  ends: Int32Array;
  /** Distinct numbers of actors, or property values. */
  items: Float64Array;
  /** Events of each item in the cell; empty for property values. */
  times: Int32Array;
}

export function countTrend(plan: TrendPlan, { columns, edges }: EventChunk, sets: readonly SessionSet[]): TrendPart {
  const bounds = placesAt(columns, rowsIn(columns), edges);
  const rows = rowsOfPeople(plan, columns, sets, bounds[0] ?? 0, bounds.at(-1) ?? 0);
  const { keys, places } = keysOfRows(columns, rows, plan.by);
  const items = itemsOf(plan.of, columns);
  const builder = new PartBuilder();
  const counts = new Int32Array(keys.length);
  const ordered = scratch(SCRATCH.people, rows.length);
  let from = 0;
  for (let stretch = 0; stretch < bounds.length - 1; stretch++) {
    const until = placeIn(rows, bounds[stretch + 1] as number);
    order(rows, places, from, until, counts, ordered);
    let at = 0;
    for (let key = 0; key < counts.length; key++) {
      const end = counts[key] as number;
      if (end > at) {
        items?.begin();
        for (let place = at; place < end; place++) items?.add(builder, ordered[place] as number);
        builder.end(stretch, key, end - at, items?.ignored ?? 0);
      }
      at = end;
    }
    from = until;
  }
  return builder.finish(keys);
}

/** Leaves in `ordered` the rows from `from` to before `until`, those of the first key first, and in `counts` where those of each end. */
function order(
  rows: Int32Array,
  places: Int32Array,
  from: number,
  until: number,
  counts: Int32Array,
  ordered: Int32Array,
): void {
  counts.fill(0);
  for (let at = from; at < until; at++) {
    const key = places[at] as number;
    counts[key] = (counts[key] as number) + 1;
  }
  let sum = 0;
  for (let key = 0; key < counts.length; key++) {
    const own = counts[key] as number;
    counts[key] = sum;
    sum += own;
  }
  for (let at = from; at < until; at++) {
    const key = places[at] as number;
    ordered[counts[key] as number] = rows[at] as number;
    counts[key] = (counts[key] as number) + 1;
  }
}

/** The rows of the plan from `from` to before `until`; in memory that is used again. */
export function rowsOfPeople(
  plan: RowPlan,
  columns: ChunkColumns,
  sets: readonly SessionSet[],
  from: number,
  until: number,
): Int32Array {
  const rows = keptRows(plan, columns, sets, from, until);
  return rows.subarray(0, narrowToCounted(columns, plan, rows, rows.length));
}

/** The column with the numbers of actors. */
export function actorColumn(of: Actors): string {
  if (of === 'persons') return 'person';
  return of === 'visits' ? 'session' : of;
}

/** Adds what a row has to the cell that is being gathered. */
interface Items {
  ignored: number;
  begin(): void;
  add(builder: PartBuilder, row: number): void;
}

function itemsOf(of: TrendOf, columns: ChunkColumns): Items | null {
  if (of === 'events') return null;
  const bytes = columns[typeof of === 'object' ? of.column : actorColumn(of)];
  if (bytes === undefined) return null;
  const column = openColumn(bytes);
  return typeof of === 'object' ? new PropertyValues(column, of.decimal) : new DistinctItems(column);
}

/** Each number of the column once; 0 is none. */
class DistinctItems implements Items {
  readonly ignored = 0;
  private readonly codes: Column['codes'];
  private readonly numbers: Int32Array | Float64Array;
  /** By entry: the last cell with it, and its offset. */
  private readonly seen: Int32Array;
  private readonly at: Int32Array;
  private cell = 0;

  constructor({ codes, numbers }: Column) {
    this.codes = codes;
    this.numbers = numbers ?? new Int32Array(0);
    this.seen = new Int32Array(this.numbers.length);
    this.at = new Int32Array(this.numbers.length);
  }

  begin(): void {
    this.cell++;
  }

  add(builder: PartBuilder, row: number): void {
    const entry = this.codes[row] as number;
    if (this.seen[entry] === this.cell) {
      builder.again(this.at[entry] as number);
      return;
    }
    const number = this.numbers[entry] as number;
    if (number === 0) return;
    this.seen[entry] = this.cell;
    this.at[entry] = builder.item(number);
  }
}

/** Values of a property. */
class PropertyValues implements Items {
  ignored = 0;
  private readonly codes: Column['codes'];
  private readonly numbers: Float64Array;
  private readonly isThere: Uint8Array;

  constructor(column: Column, decimal: DecimalSeparator) {
    const entries = entriesOf(column);
    this.codes = column.codes;
    this.numbers = Float64Array.from(entries, (value) => numberOf(value, decimal));
    this.isThere = Uint8Array.from(entries, (value) => (value === undefined || value === null ? 0 : 1));
  }

  begin(): void {
    this.ignored = 0;
  }

  add(builder: PartBuilder, row: number): void {
    const entry = this.codes[row] as number;
    const number = this.numbers[entry] as number;
    if (!Number.isNaN(number)) builder.item(number);
    else this.ignored += this.isThere[entry] as number;
  }
}

class PartBuilder {
  private readonly cells: number[] = [];
  private items = new Float64Array(256);
  private times = new Int32Array(256);
  private length = 0;

  /** Adds an item to the cell. @returns where it stands */
  item(value: number): number {
    if (this.length === this.items.length) {
      const [items, times] = [new Float64Array(this.length * 2), new Int32Array(this.length * 2)];
      items.set(this.items);
      times.set(this.times);
      this.items = items;
      this.times = times;
    }
    this.items[this.length] = value;
    this.times[this.length] = 1;
    return this.length++;
  }

  again(at: number): void {
    this.times[at] = (this.times[at] as number) + 1;
  }

  end(stretch: number, key: number, count: number, ignored: number): void {
    this.cells.push(stretch, key, count, ignored, this.length);
  }

  finish(keys: Key[]): TrendPart {
    const cells = this.cells.length / 5;
    const column = (place: number) => {
      const list = sharedInts(cells);
      for (let at = 0; at < cells; at++) list[at] = this.cells[at * 5 + place] as number;
      return list;
    };
    const items = floatsOf(this.items.subarray(0, this.length));
    const times = intsOf(this.times.subarray(0, this.length));
    return {
      keys,
      items,
      times,
      stretches: column(0),
      keyed: column(1),
      counts: column(2),
      ignored: column(3),
      ends: column(4),
    };
  }
}

export function bytesOfTrend({ keys, items, counts }: TrendPart): number {
  return items.length * 12 + counts.length * 20 + bytesOfKeys(keys);
}

export function bytesOfKeys(keys: readonly Key[]): number {
  return keys.reduce((sum: number, key) => sum + (typeof key === 'string' ? key.length * 2 : 0) + 16, 0);
}
