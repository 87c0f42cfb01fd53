/** How long requests waited for their commit, for percentiles on demand. */
import type { Clock } from '#src/kit/clock.ts';

export type Percentiles = Record<'p50' | 'p99', number>;

/** How often about how long: step of an eighth of a power of two, times. What several processes measured can be added up so. */
export type LatencySteps = [step: number, times: number][];

const LATENCIES = 4_096;
const LATENCY_WINDOW_MS = 60_000;
const STEPS_PER_DOUBLING = 8;
/** Some microseconds. */
const LOWEST_STEP = -64;

/** The latest latencies. */
export function createLatencies(clock: Clock) {
  const values = new Float64Array(LATENCIES);
  const times = new Float64Array(LATENCIES).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  const recent = () => {
    const since = clock.elapsed() - LATENCY_WINDOW_MS;
    return values.filter((_, index) => (times[index] as number) >= since).sort();
  };
  return {
    add(ms: number) {
      values[next] = ms;
      times[next] = clock.elapsed();
      next = (next + 1) % LATENCIES;
    },
    read(): Percentiles | null {
      const sorted = recent();
      return percentiles(sorted.length, (place) => sorted[place] as number);
    },
    steps(): LatencySteps {
      const counts = new Map<number, number>();
      for (const ms of recent()) {
        const step = Math.max(LOWEST_STEP, Math.round(Math.log2(ms) * STEPS_PER_DOUBLING));
        counts.set(step, (counts.get(step) ?? 0) + 1);
      }
      return [...counts];
    },
  };
}

/** Of what several measured, to some four parts in a hundred. */
export function percentilesOf(all: readonly LatencySteps[]): Percentiles | null {
  const steps = all.flat().sort(([one], [other]) => one - other);
  const total = steps.reduce((sum, [, times]) => sum + times, 0);
  return percentiles(total, (place) => {
    let upTo = 0;
    const found = steps.find(([, times]) => {
      upTo += times;
      return upTo > place;
    });
    return 2 ** ((found as LatencySteps[number])[0] / STEPS_PER_DOUBLING);
  });
}

function percentiles(count: number, at: (place: number) => number): Percentiles | null {
  if (count === 0) return null;
  const of = (share: number) => at(Math.min(count - 1, Math.floor(count * share)));
  return { p50: of(0.5), p99: of(0.99) };
}
