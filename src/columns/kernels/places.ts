/**
 * Persons or visits as places of lists: of persons the ones who they are now. Numbers of visits of all projects are given in turn, so those of one
 * may lie far apart. Pure.
 */

import { currentOf } from './merges.ts';

/** Beyond so many between the first and the last they are looked up. */
const MAX_PLACES = 1 << 25;

export class Places {
  /** All lie before it. */
  readonly length: number;
  private readonly mergedInto: Int32Array | null;
  private readonly least: number;
  private readonly known: Map<number, number> | null;
  /** Numbers by index; null until all indexes are assigned. */
  private numbers: number[] | null = null;

  /**
   * @param lists all numbers that need an index
   * @param mergedInto by person number, the person it was merged into; null: they are no persons, or there are no merges
   */
  constructor(lists: readonly ArrayLike<number>[], mergedInto: Int32Array | null) {
    this.mergedInto = mergedInto;
    // Targets of merges need an index, too.
    let [least, most] = mergedInto === null ? [Number.POSITIVE_INFINITY, 0] : [0, mergedInto.reduce(larger, 0)];
    for (const list of lists) {
      for (let at = 0; at < list.length; at++) {
        const number = list[at] as number;
        if (number < least) least = number;
        if (number > most) most = number;
      }
    }
    this.least = Math.min(least, most);
    const isNear = most - this.least < MAX_PLACES;
    this.known = isNear ? null : new Map();
    this.length = isNear ? most - this.least + 1 : lists.reduce((sum, list) => sum + list.length, 0);
  }

  of(number: number): number {
    const now = currentOf(this.mergedInto, number);
    if (this.known === null) return now - this.least;
    const place = this.known.get(now) ?? this.known.size;
    this.known.set(now, place);
    return place;
  }

  /** The index of each number. */
  ofAll(numbers: Float64Array): Int32Array {
    const places = new Int32Array(numbers.length);
    const { mergedInto, least } = this;
    if (this.known !== null || mergedInto !== null) {
      for (let at = 0; at < places.length; at++) places[at] = this.of(numbers[at] as number);
    } else {
      for (let at = 0; at < places.length; at++) places[at] = (numbers[at] as number) - least;
    }
    return places;
  }

  /** The number at an index: of persons, the current one. */
  numberAt(place: number): number {
    if (this.known === null) return place + this.least;
    this.numbers ??= [...this.known.keys()];
    return this.numbers[place] as number;
  }
}

function larger(one: number, other: number): number {
  return Math.max(one, other);
}
