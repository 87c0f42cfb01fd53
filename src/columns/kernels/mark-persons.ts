/** Marks persons with a minimum number of events, over all their numbers. Pure. */
import type { TrendPart } from './count-trend.ts';

export interface MarkPlan {
  mergedInto: Int32Array | null;
  /** At least so many events. */
  least: number;
}

/** 1 for each number, in memory that all threads see. */
export function markPersons({ mergedInto, least }: MarkPlan, parts: readonly { part: TrendPart }[]): Uint8Array {
  const nowOf = (person: number) => (mergedInto?.[person] ?? 0) || person;
  // A merge target may have a higher number than all listed persons.
  let size = mergedInto?.length ?? 0;
  for (const { part } of parts) for (const person of part.items) size = Math.max(size, person + 1, nowOf(person) + 1);
  const counts = new Int32Array(size);
  for (const { part } of parts) {
    for (let at = 0; at < part.items.length; at++) {
      const now = nowOf(part.items[at] as number);
      counts[now] = (counts[now] as number) + (part.times[at] as number);
    }
  }
  const marks = new Uint8Array(new SharedArrayBuffer(size));
  for (let person = 0; person < size; person++) {
    marks[person] = (counts[nowOf(person)] ?? 0) >= least ? 1 : 0;
  }
  return marks;
}
