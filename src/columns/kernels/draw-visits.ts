/**
 * Trends of visits, each in the stretch in which it began, regardless of its events' times; without excluded visits. A visit begins once, so
 * that windows, cells and totals are sums over stretches. Pure.
 */
import type { BegunVisits } from './begun-visits.ts';
import type { TrendPart } from './count-trend.ts';
import type { DrawnRow, DrawPlan, Window } from './draw-trend.ts';
import { sharedInts } from './shared.ts';

type Parts = readonly { part: TrendPart }[];
type Begun = readonly { part: BegunVisits; shift: number }[];

/** Parts of events by visit, and where visits began. */
export interface VisitParts {
  parts: Parts;
  begun: Begun;
}

/** By row, the number of visits that began in each stretch. */
export type VisitCounts = Int32Array<SharedArrayBuffer>;

/** Of all parts at once. */
export function countVisits(plan: DrawPlan, { parts, begun }: VisitParts): VisitCounts {
  const visits = new VisitPlaces();
  for (const { part, shift } of begun) visits.begin(part, shift, null);
  return countAmong(plan, parts, visits);
}

/**
 * The same of all parts, from the counts of those that last: only visits of the other parts are counted again.
 * @param base counts of `lasting`
 */
export function addVisits(plan: DrawPlan, base: VisitCounts, lasting: VisitParts, fresh: VisitParts): VisitCounts {
  const named = new VisitPlaces();
  for (const { part } of fresh.parts) named.name(part.items);
  // Those that may have been counted before: they began in parts that last.
  const [before, now] = [new VisitPlaces(), new VisitPlaces()];
  for (const { part, shift } of lasting.begun) {
    before.begin(part, shift, named);
    now.begin(part, shift, named);
  }
  for (const { part, shift } of fresh.begun) now.begin(part, shift, null);
  const counted = countAmong(plan, lasting.parts, before);
  const found = countAmong(plan, [...lasting.parts, ...fresh.parts], now);
  for (let at = 0; at < found.length; at++) {
    found[at] = (base[at] as number) - (counted[at] as number) + (found[at] as number);
  }
  return found;
}

/** Figures of these counts. */
export function rowsOfVisits(plan: DrawPlan, counts: VisitCounts): DrawnRow[] {
  const { windows, total, cells, rows } = plan;
  const width = stretchesOf(plan);
  return Array.from({ length: rows }, (_, row) => {
    const own = counts.subarray(row * width, (row + 1) * width);
    const within = ([from, until]: Window) =>
      own.subarray(Math.max(from, 0), Math.max(until, 0)).reduce((sum, count) => sum + count, 0);
    return {
      course: windows.map(within),
      cells: cells && cellsOf(own, cells),
      total: within(total),
      ignored: 0,
    };
  });
}

function cellsOf(counts: Int32Array, { count, cellOf }: NonNullable<DrawPlan['cells']>): number[] {
  const cells = new Array<number>(count).fill(0);
  for (let stretch = 0; stretch < cellOf.length; stretch++) {
    const cell = cellOf[stretch] as number;
    if (cell >= 0) cells[cell] = (cells[cell] as number) + (counts[stretch] as number);
  }
  return cells;
}

/** Stretches that matter to the plan, from the first on. */
export function stretchesOf({ windows, total, cells }: DrawPlan): number {
  return windows.reduce((most, [, until]) => Math.max(most, until), Math.max(total[1], cells?.cellOf.length ?? 0));
}

/** Visits of the parts, each once in a row, by the stretch in which they began. */
function countAmong(plan: DrawPlan, parts: Parts, visits: VisitPlaces): VisitCounts {
  const { rowOf, rows, other } = plan;
  const width = stretchesOf(plan);
  const counts = sharedInts(rows * width);
  const stretches = visits.stretches;
  /** By place, one more than the row that counted it last. */
  const countedIn = new Int32Array(stretches.length);
  const rowsOfKeys = parts.map(({ part }) => part.keys.map((key) => (rowOf === null ? 0 : (rowOf.get(key) ?? other))));
  for (let row = 0; row < rows; row++) {
    for (const [at, { part }] of parts.entries()) {
      const rowOfKey = rowsOfKeys[at] as number[];
      const { items, ends, keyed } = part;
      for (let cell = 0; cell < ends.length; cell++) {
        if (rowOfKey[keyed[cell] as number] !== row) continue;
        const end = ends[cell] as number;
        for (let item = cell === 0 ? 0 : (ends[cell - 1] as number); item < end; item++) {
          const place = visits.placeOf(items[item] as number);
          if (place < 0 || countedIn[place] === row + 1) continue;
          countedIn[place] = row + 1;
          const stretch = stretches[place] as number;
          if (stretch >= 0 && stretch < width) {
            const to = row * width + stretch;
            counts[to] = (counts[to] as number) + 1;
          }
        }
      }
    }
  }
  return counts;
}

const PAGE = 1024;

/** Visits with the stretch in which each began: those of a chunk lie close together, so they are kept in pages. */
class VisitPlaces {
  private readonly pages = new Map<number, number>();
  private lists = new Int32Array(PAGE).fill(-1);
  private lastPage = -1;
  private lastFirst = -1;
  private least = Number.POSITIVE_INFINITY;
  private most = Number.NEGATIVE_INFINITY;

  /** By place; below 0: not known. */
  get stretches(): Int32Array {
    return this.lists;
  }

  /** Place of a visit; below 0: none of its page is known. */
  placeOf(visit: number): number {
    if (visit < this.least || visit > this.most) return -1;
    const page = Math.floor(visit / PAGE);
    if (page !== this.lastPage) {
      this.lastPage = page;
      this.lastFirst = this.pages.get(page) ?? -1;
    }
    return this.lastFirst < 0 ? -1 : this.lastFirst + visit - page * PAGE;
  }

  /** Notes visits. @param among only those that were named; null: all */
  begin({ ids, stretches }: BegunVisits, shift: number, among: VisitPlaces | null): void {
    for (let at = 0; at < ids.length; at++) {
      const visit = ids[at] as number;
      if (among === null || among.has(visit)) this.set(visit, (stretches[at] as number) + shift);
    }
  }

  name(visits: ArrayLike<number>): void {
    for (let at = 0; at < visits.length; at++) this.set(visits[at] as number, 0);
  }

  private has(visit: number): boolean {
    const place = this.placeOf(visit);
    return place >= 0 && (this.lists[place] as number) >= 0;
  }

  private set(visit: number, stretch: number): void {
    if (visit < this.least) this.least = visit;
    if (visit > this.most) this.most = visit;
    let place = this.placeOf(visit);
    if (place < 0) {
      const page = Math.floor(visit / PAGE);
      const first = this.pages.size * PAGE;
      this.pages.set(page, first);
      if (first + PAGE > this.lists.length) {
        const larger = new Int32Array(this.lists.length * 2).fill(-1);
        larger.set(this.lists);
        this.lists = larger;
      }
      this.lastPage = page;
      this.lastFirst = first;
      place = first + visit - page * PAGE;
    }
    this.lists[place] = stretch;
  }
}
