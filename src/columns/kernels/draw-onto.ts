/**
 * Figures of a trend that are drawn once and kept, for parts to be added to: of a trend that is asked again, only windows with new events are
 * drawn again. Pure.
 */
import type { TrendPart } from './count-trend.ts';
import {
  type CellPlan,
  cellsByRow,
  type DrawnRow,
  type DrawPlan,
  drawTrend,
  summed,
  type Window,
} from './draw-trend.ts';
import { currentOf } from './merges.ts';
import { sharedInts } from './shared.ts';

type Parts = readonly { part: TrendPart; shift: number }[];

/** Figures of some parts, and what their totals are made of. */
export interface TrendBase {
  rows: DrawnRow[];
  /**
   * Of the total of each row, `width` numbers a row: a bit for each actor, or the number of events of each. Null: it is not known, so a total
   * with new events is drawn again.
   */
  known: Int32Array | null;
  width: number;
}

/** Maximum numbers of all rows together: four megabytes. */
const MAX_KNOWN = 1 << 20;

export function trendBase(plan: DrawPlan, parts: Parts): TrendBase {
  const rows = drawTrend(plan, parts);
  const { figure } = plan;
  if (figure === 'count') return { rows, known: sharedInts(0), width: 0 };
  if (typeof figure === 'object' && 'said' in figure) return { rows, known: null, width: 0 };
  const actors = highestActor(plan, parts) + 1;
  const width = figure === 'distinct' ? (actors + 31) >> 5 : actors;
  if (width * plan.rows > MAX_KNOWN) return { rows, known: null, width };
  const known = sharedInts(width * plan.rows);
  eachItem(plan, parts, (row, actor, times) => {
    const place = row * width + (figure === 'distinct' ? actor >> 5 : actor);
    const before = known[place] as number;
    known[place] = figure === 'distinct' ? before | (1 << (actor & 31)) : before + times;
  });
  return { rows, known, width };
}

export function bytesOfTrendBase({ rows, known }: TrendBase): number {
  const ofRow = ({ course, cells }: DrawnRow) => (course.length + (cells?.length ?? 0)) * 8 + 100;
  return (known?.byteLength ?? 0) + rows.reduce((sum, row) => sum + ofRow(row), 0);
}

/** The same as drawing all parts at once. @param parts those of the base @param fresh the parts to add */
export function drawOnto(plan: DrawPlan, base: TrendBase, parts: Parts, fresh: Parts): DrawnRow[] {
  const isNew = stretchesWith(fresh);
  const hasNew = (window: Window) => isNew.some((stretch) => isIn(window, stretch));
  const again = plan.windows.flatMap((window, at) => (hasNew(window) ? [at] : []));
  const windows = again.map((at) => plan.windows[at] as Window);
  const cells = cellsWith(plan.cells, isNew);
  const total: Window = base.known === null && hasNew(plan.total) ? plan.total : [0, 0];
  const isDrawn = (stretch: number) =>
    isIn(total, stretch) ||
    (cells !== null && (cells.cellOf[stretch] ?? -1) >= 0) ||
    windows.some((window) => isIn(window, stretch));
  const isNeeded = ({ part, shift }: Parts[number]) => part.stretches.some((stretch) => isDrawn(stretch + shift));
  const drawn = drawTrend({ ...plan, windows, cells, total }, [...parts, ...fresh].filter(isNeeded));
  const totals = hasNew(plan.total) ? totalsOf(plan, base, fresh) : null;
  return base.rows.map((row, place) => {
    const now = drawn[place] as DrawnRow;
    const course = row.course.slice();
    for (const [at, window] of again.entries()) course[window] = now.course[at] ?? null;
    return {
      course,
      cells: row.cells?.map((cell, at) => (cells?.again.has(at) ? (now.cells?.[at] ?? null) : cell)) ?? null,
      ...(total[1] > total[0]
        ? { total: now.total, ignored: now.ignored }
        : { total: totals === null ? row.total : (totals[place] ?? null), ignored: row.ignored }),
    };
  });
}

/** The total of each row with new parts; null: it is not known. */
function totalsOf(plan: DrawPlan, { known, width, rows }: TrendBase, fresh: Parts): (number | null)[] | null {
  const { figure } = plan;
  if (known === null) return null;
  if (figure === 'count') {
    const added = rows.map(() => 0);
    eachCell(plan, fresh, (row, part, cell) => {
      added[row] = (added[row] as number) + (part.counts[cell] as number);
    });
    return rows.map(({ total }, row) => (total ?? 0) + (added[row] as number));
  }
  if (figure === 'distinct') {
    const newcomers = rows.map(() => new Set<number>());
    eachItem(plan, fresh, (row, actor) => {
      const word = actor >> 5;
      const isKnown = word < width && ((known[row * width + word] as number) & (1 << (actor & 31))) !== 0;
      if (!isKnown) newcomers[row]?.add(actor);
    });
    return rows.map(({ total }, row) => (total ?? 0) + (newcomers[row] as Set<number>).size);
  }
  if ('said' in figure) return null;
  const eventsOf = rows.map((_, row) => known.slice(row * width, (row + 1) * width));
  const newcomers = rows.map(() => new Map<number, number>());
  eachItem(plan, fresh, (row, actor, times) => {
    const [events, others] = [eventsOf[row] as Int32Array, newcomers[row] as Map<number, number>];
    if (actor < width) events[actor] = (events[actor] as number) + times;
    else others.set(actor, (others.get(actor) ?? 0) + times);
  });
  return eventsOf.map((events, row) => {
    const others = Float64Array.from((newcomers[row] as Map<number, number>).values());
    return summed(figure.each, [Float64Array.from(events.filter((count) => count > 0)), others]);
  });
}

/** The cells with new events, and those alone in a plan; null: there are none. */
function cellsWith(cells: CellPlan | null, isNew: readonly number[]): (CellPlan & { again: Set<number> }) | null {
  if (cells === null) return null;
  const again = new Set(isNew.map((stretch) => cells.cellOf[stretch] ?? -1).filter((cell) => cell >= 0));
  return { count: cells.count, cellOf: cells.cellOf.map((cell) => (again.has(cell) ? cell : -1)), again };
}

function highestActor(plan: DrawPlan, parts: Parts): number {
  let most = 0;
  for (const { part } of parts) {
    for (let at = 0; at < part.items.length; at++) {
      const actor = currentOf(plan.mergedInto, part.items[at] as number);
      if (actor > most) most = actor;
    }
  }
  return most;
}

/** Calls for each actor of each cell of the total, with the number of its events. */
function eachItem(plan: DrawPlan, parts: Parts, call: (row: number, actor: number, times: number) => void): void {
  eachCell(plan, parts, (row, { ends, items, times }, cell) => {
    for (let at = cell === 0 ? 0 : (ends[cell - 1] as number); at < (ends[cell] as number); at++) {
      call(row, currentOf(plan.mergedInto, items[at] as number), times[at] as number);
    }
  });
}

/** Calls for each cell of the total. */
function eachCell(plan: DrawPlan, parts: Parts, call: (row: number, part: TrendPart, cell: number) => void): void {
  for (const [row, own] of cellsByRow(plan, parts).entries()) {
    for (let stretch = plan.total[0]; stretch < plan.total[1]; stretch++)
      for (const { part, at } of own[stretch] ?? []) call(row, part, at);
  }
}

function isIn([from, until]: Window, stretch: number): boolean {
  return stretch >= from && stretch < until;
}

/** Each stretch that has a cell, once. */
function stretchesWith(parts: Parts): number[] {
  return [...new Set(parts.flatMap(({ part, shift }) => Array.from(part.stretches, (stretch) => stretch + shift)))];
}
