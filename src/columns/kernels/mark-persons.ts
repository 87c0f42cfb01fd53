/** Marks persons with a minimum number of events, over all their numbers. Pure. */
import type { TrendPart } from './count-trend.ts';

export interface MarkPlan {
  mergedInto: Int32Array | null;
  /** At least so many events. */
  least: number;
}

/** 1 for each number, in memory that all threads see. */
export function markPersons({ mergedInto, least }: MarkPlan, parts: readonly { part: TrendPart }[]): Uint8Array {
  const merged = mergedInto ?? new Int32Array(0);
  let most = merged.length - 1;
  // A merge target may have a higher number than all listed persons.
  for (let at = 0; at < merged.length; at++) if ((merged[at] as number) > most) most = merged[at] as number;
  for (const { part } of parts) {
    for (let at = 0; at < part.items.length; at++)
      if ((part.items[at] as number) > most) most = part.items[at] as number;
  }
  const counts = new Int32Array(most + 1);
  for (const { part } of parts) {
    for (let at = 0; at < part.items.length; at++) {
      const person = part.items[at] as number;
      counts[person] = (counts[person] as number) + (part.times[at] as number);
    }
  }
  for (let person = 0; person < merged.length; person++) {
    const now = merged[person] as number;
    if (now !== 0) counts[now] = (counts[now] as number) + (counts[person] as number);
  }
  const marks = new Uint8Array(new SharedArrayBuffer(counts.length));
  for (let person = 0; person < counts.length; person++) {
    const now = person < merged.length ? (merged[person] as number) || person : person;
    marks[person] = (counts[now] as number) >= least ? 1 : 0;
  }
  return marks;
}
