/**
 * One chunk's partial result: counts by group (a bucket, or a value), each with its distinct persons. Computed once per chunk
 * and cached, since chunks are immutable; persons are as in the rows, before merges, so that merges do not invalidate it. Pure.
 *
 * One shared buffer: int32 groups and persons, then per group four float64 sums, its id, and the end of its persons.
 */
import type { Slabs } from '../storage/slabs.ts';
import { SCRATCH, scratch } from './scratch.ts';

export type TallyBytes = Uint8Array<SharedArrayBuffer>;

export interface Tally {
  /** Numbers of the groups. */
  ids: Int32Array;
  /** End offset of each group's persons. */
  ends: Int32Array;
  counts: Float64Array;
  /** Of events: bot events, which are not in `counts`. Of visits: bounces. */
  others: Float64Array;
  /** Of events: internal traffic, which is in neither. Of visits: total duration, ms. */
  sums: Float64Array;
  /** Of visits: total views. */
  extras: Float64Array;
  /** Persons of the first group, then those of the second; some are listed more than once. */
  persons: Int32Array;
}

/** Gathers a tally, group by group; one at a time, in memory that is used again. */
export class TallyBuilder {
  private readonly ids: number[] = [];
  private readonly ends: number[] = [];
  private readonly figures: number[] = [];
  private people = scratch(SCRATCH.tally, 1024);
  private length = 0;

  /** Adds persons to the group that is being gathered: those from `from` to before `until`. */
  persons(numbers: Int32Array, from: number, until: number): void {
    const end = this.length + until - from;
    if (end > this.people.length) {
      const larger = scratch(SCRATCH.tally, Math.max(this.people.length * 2, end));
      larger.set(this.people);
      this.people = larger;
    }
    this.people.set(numbers.subarray(from, until), this.length);
    this.length += until - from;
  }

  /** Ends the current group; an empty one is skipped. */
  end(id: number, count: number, other = 0, sum = 0, extra = 0): void {
    if (count === 0 && other === 0 && sum === 0 && extra === 0) return;
    this.ids.push(id);
    this.ends.push(this.length);
    this.figures.push(count, other, sum, extra);
  }

  /** @param memory shared with other tallies; absent: separate */
  finish(memory?: Slabs): TallyBytes {
    const groups = this.ids.length;
    const size = 8 + groups * 40 + this.length * 4;
    const bytes = memory?.take('', size) ?? new Uint8Array(new SharedArrayBuffer(size));
    new Int32Array(bytes.buffer, bytes.byteOffset, 2).set([groups, this.length]);
    const tally = openTally(bytes);
    tally.ids.set(this.ids);
    tally.ends.set(this.ends);
    for (let at = 0; at < groups; at++) {
      tally.counts[at] = this.figures[at * 4] as number;
      tally.others[at] = this.figures[at * 4 + 1] as number;
      tally.sums[at] = this.figures[at * 4 + 2] as number;
      tally.extras[at] = this.figures[at * 4 + 3] as number;
    }
    tally.persons.set(this.people.subarray(0, this.length));
    return bytes;
  }
}

export function openTally({ buffer, byteOffset }: TallyBytes): Tally {
  const [groups = 0, persons = 0] = new Int32Array(buffer, byteOffset, 2);
  const from = byteOffset + 8;
  const floats = (place: number) => new Float64Array(buffer, from + place * groups * 8, groups);
  const ints = (place: number, length: number) =>
    new Int32Array(buffer, from + groups * 32 + place * groups * 4, length);
  return {
    counts: floats(0),
    others: floats(1),
    sums: floats(2),
    extras: floats(3),
    ids: ints(0, groups),
    ends: ints(1, groups),
    persons: ints(2, persons),
  };
}
