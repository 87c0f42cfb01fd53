/** How long requests waited for their commit, for percentiles on demand. */
import type { Clock } from '#src/kit/clock.ts';

export type Percentiles = Record<'p50' | 'p99', number>;

const LATENCIES = 4_096;
const LATENCY_WINDOW_MS = 60_000;

/** The latest latencies. */
export function createLatencies(clock: Clock) {
  const values = new Float64Array(LATENCIES);
  const times = new Float64Array(LATENCIES).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  return {
    add(ms: number) {
      values[next] = ms;
      times[next] = clock.elapsed();
      next = (next + 1) % LATENCIES;
    },
    read(): Percentiles | null {
      const since = clock.elapsed() - LATENCY_WINDOW_MS;
      const recent = values.filter((_, index) => (times[index] as number) >= since).sort();
      if (recent.length === 0) return null;
      const at = (share: number) => recent[Math.min(recent.length - 1, Math.floor(recent.length * share))] as number;
      return { p50: at(0.5), p99: at(0.99) };
    },
  };
}
