/**
 * Figures of a trend that are drawn once and kept, for parts to be added to: of a trend that is asked again, only windows with new events are
 * counted again. Pure.
 */
import type { TrendPart } from './count-trend.ts';
import { cellsByRow, type DrawnRow, type DrawPlan, drawTrend, overlap, type Window } from './draw-trend.ts';
import { sharedInts } from './shared.ts';

type Parts = readonly { part: TrendPart; shift: number }[];

/** Figures of some parts, and who is among the total of each row. */
export interface TrendBase {
  rows: DrawnRow[];
  /** A bit for each person, `words` for a row. Null: there are too many, so nothing can be added. */
  bits: Int32Array | null;
  words: number;
}

/** Maximum words of all rows together: a megabyte. */
const MAX_WORDS = 262_144;

/** True when parts can be added to figures: to numbers of events or persons in windows that lie apart. */
export function canDrawOnto({ figure, windows, cells }: DrawPlan): boolean {
  return (figure === 'count' || figure === 'distinct') && cells === null && !overlap(windows);
}

export function trendBase(plan: DrawPlan, parts: Parts): TrendBase {
  const rows = drawTrend(plan, parts);
  if (plan.figure === 'count') return { rows, bits: sharedInts(0), words: 0 };
  const nowOf = survivorsOf(plan);
  let most = 0;
  for (const { part } of parts) {
    for (let at = 0; at < part.items.length; at++) {
      const person = nowOf(part.items[at] as number);
      if (person > most) most = person;
    }
  }
  const words = (most >> 5) + 1;
  if (words * plan.rows > MAX_WORDS) return { rows, bits: null, words };
  const bits = sharedInts(words * plan.rows);
  eachCell(plan, parts, (row, part, cell) => {
    for (let at = beginOf(part, cell); at < (part.ends[cell] as number); at++) {
      const person = nowOf(part.items[at] as number);
      const word = row * words + (person >> 5);
      bits[word] = (bits[word] as number) | (1 << (person & 31));
    }
  });
  return { rows, bits, words };
}

export function bytesOfTrendBase({ rows, bits }: TrendBase): number {
  return (bits?.byteLength ?? 0) + rows.reduce((sum, { course }) => sum + course.length * 8 + 100, 0);
}

/** The same as drawing all parts at once. @param parts those of the base @param fresh the parts to add */
export function drawOnto(plan: DrawPlan, base: TrendBase, parts: Parts, fresh: Parts): DrawnRow[] {
  if (base.bits === null) return drawTrend(plan, [...parts, ...fresh]);
  const isNew = stretchesWith(fresh);
  const again = plan.windows.flatMap((window, at) => (isNew.some((stretch) => isIn(window, stretch)) ? [at] : []));
  const windows = again.map((at) => plan.windows[at] as Window);
  const isNeeded = ({ part, shift }: Parts[number]) =>
    part.stretches.some((stretch) => windows.some((window) => isIn(window, stretch + shift)));
  const drawn = drawTrend({ ...plan, windows, total: [0, 0] }, [...parts, ...fresh].filter(isNeeded));
  const added = addedTo(plan, base.bits, base.words, fresh);
  return base.rows.map(({ course, total }, row) => {
    const own = course.slice();
    for (const [place, at] of again.entries()) own[at] = drawn[row]?.course[place] ?? 0;
    return { course: own, total: (total ?? 0) + (added[row] as number), cells: null, ignored: 0 };
  });
}

/** By row, what new parts add to the total. */
function addedTo(plan: DrawPlan, bits: Int32Array, words: number, fresh: Parts): number[] {
  const added = Array.from({ length: plan.rows }, () => 0);
  const newcomers = added.map(() => new Set<number>());
  const nowOf = survivorsOf(plan);
  eachCell(plan, fresh, (row, part, cell) => {
    if (plan.figure === 'count') added[row] = (added[row] as number) + (part.counts[cell] as number);
    else
      for (let at = beginOf(part, cell); at < (part.ends[cell] as number); at++) {
        const person = nowOf(part.items[at] as number);
        const word = person >> 5;
        const isKnown = word < words && ((bits[row * words + word] as number) & (1 << (person & 31))) !== 0;
        if (!isKnown) newcomers[row]?.add(person);
      }
  });
  return added.map((sum, row) => sum + (newcomers[row] as Set<number>).size);
}

/** Calls for each cell of the total. */
function eachCell(plan: DrawPlan, parts: Parts, call: (row: number, part: TrendPart, cell: number) => void): void {
  for (const [row, own] of cellsByRow(plan, parts).entries()) {
    for (let stretch = plan.total[0]; stretch < plan.total[1]; stretch++)
      for (const { part, at } of own[stretch] ?? []) call(row, part, at);
  }
}

function beginOf({ ends }: TrendPart, cell: number): number {
  return cell === 0 ? 0 : (ends[cell - 1] as number);
}

function isIn([from, until]: Window, stretch: number): boolean {
  return stretch >= from && stretch < until;
}

/** Each stretch that has a cell, once. */
function stretchesWith(parts: Parts): number[] {
  return [...new Set(parts.flatMap(({ part, shift }) => Array.from(part.stretches, (stretch) => stretch + shift)))];
}

/** Of persons, the ones who they are now. */
function survivorsOf({ mergedInto }: DrawPlan): (person: number) => number {
  if (mergedInto === null) return (person) => person;
  return (person) => (person < mergedInto.length ? (mergedInto[person] as number) || person : person);
}
