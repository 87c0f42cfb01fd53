/** Minutes of intake, added up and laid out. */
import type { IngestMinute } from '#src/collect/contract.ts';

const MINUTES = 60;
const MINUTE_MS = 60_000;

/** Outcomes of the minutes with how often, the most frequent first. */
export function sumOutcomes(minutes: readonly IngestMinute[]): [outcome: string, times: number][] {
  const sums = new Map<string, number>();
  for (const { outcomes } of minutes) {
    for (const [name, times] of Object.entries(outcomes)) sums.set(name, (sums.get(name) ?? 0) + times);
  }
  return [...sums].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}

/** A number for each of the last minutes, oldest first; the last one still runs. */
export function byMinute(
  minutes: readonly IngestMinute[],
  at: number,
  countOf: (minute: IngestMinute) => number,
): number[] {
  const running = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const counts = new Map(minutes.map((minute) => [minute.at, countOf(minute)]));
  return Array.from({ length: MINUTES }, (_, index) => counts.get(running - (MINUTES - 1 - index) * MINUTE_MS) ?? 0);
}
