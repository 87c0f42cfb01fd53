/** Who did something so many times: a mark for each number that a person ever had. Pure. */
import type { TrendPart } from './count-trend.ts';

export interface MarkPlan {
  survivors: Int32Array | null;
  /** At least so many events. */
  least: number;
}

/** 1 for each number, in memory that all threads see. */
export function markPersons({ survivors, least }: MarkPlan, parts: readonly { part: TrendPart }[]): Uint8Array {
  const size = parts.reduce(
    (max, { part }) => part.items.reduce((own, person) => Math.max(own, person + 1), max),
    survivors?.length ?? 0,
  );
  const counts = new Int32Array(size);
  for (const { part } of parts) {
    for (let at = 0; at < part.items.length; at++) {
      const person = part.items[at] as number;
      const now = (survivors?.[person] ?? 0) || person;
      counts[now] = (counts[now] as number) + (part.times[at] as number);
    }
  }
  const marks = new Uint8Array(new SharedArrayBuffer(size));
  for (let person = 0; person < size; person++) {
    const count = counts[(survivors?.[person] ?? 0) || person] as number;
    marks[person] = count >= least ? 1 : 0;
  }
  return marks;
}
