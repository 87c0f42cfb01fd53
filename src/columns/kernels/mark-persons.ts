/** Marks persons with a minimum number of events, over all their numbers. Pure. */
import type { TrendPart } from './count-trend.ts';
import { currentOf } from './merges.ts';
import { sharedInts } from './shared.ts';

export interface MarkPlan {
  mergedInto: Int32Array | null;
  /** At least so many events. */
  least: number;
}

/** By person number, before merges, the number of events: in memory that all threads see. */
export function countEach(parts: readonly { part: TrendPart }[]): Int32Array {
  let most = -1;
  for (const { part } of parts) {
    for (let at = 0; at < part.items.length; at++)
      if ((part.items[at] as number) > most) most = part.items[at] as number;
  }
  const counts = sharedInts(most + 1);
  for (const { part } of parts) {
    for (let at = 0; at < part.items.length; at++) {
      const person = part.items[at] as number;
      counts[person] = (counts[person] as number) + (part.times[at] as number);
    }
  }
  return counts;
}

/** 1 for each number, in memory that all threads see. @param counted what `countEach` gave, of different parts */
export function markPersons({ mergedInto, least }: MarkPlan, counted: readonly Int32Array[]): Uint8Array {
  const merged = mergedInto ?? new Int32Array(0);
  let size = counted.reduce((most, { length }) => Math.max(most, length), merged.length);
  // A merge target may have a higher number than all listed persons.
  for (let at = 0; at < merged.length; at++) if ((merged[at] as number) >= size) size = (merged[at] as number) + 1;
  const counts = new Int32Array(size);
  for (const list of counted) {
    for (let person = 0; person < list.length; person++) {
      const now = currentOf(mergedInto, person);
      counts[now] = (counts[now] as number) + (list[person] as number);
    }
  }
  const marks = new Uint8Array(new SharedArrayBuffer(counts.length));
  for (let person = 0; person < counts.length; person++) {
    marks[person] = (counts[currentOf(mergedInto, person)] as number) >= least ? 1 : 0;
  }
  return marks;
}
