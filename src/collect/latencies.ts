/** How long requests waited for their commit, for percentiles on demand: how often about how long, in slices of time. */
import type { Clock } from '#src/kit/clock.ts';

export type Percentiles = Record<'p50' | 'p99', number>;

/** How often about how long: step of an eighth of a power of two, times. What several processes measured can be added up so. */
export type LatencySteps = [step: number, times: number][];

const SLICE_MS = 10_000;
/** The last minute: the slice that has begun, and those before it. */
const SLICES = 6;
const STEPS_PER_DOUBLING = 8;
/** Some microseconds, and an hour or so: what is shorter or longer counts as that. */
const LOWEST_STEP = -64;
const HIGHEST_STEP = 176;

interface Slice {
  /** Index of the slice since the epoch. */
  number: number;
  times: Uint32Array;
}

/** The latencies of the last minute: however many, they cost the same. */
export function createLatencies(clock: Clock) {
  const slices: Slice[] = Array.from({ length: SLICES }, () => ({
    number: Number.NEGATIVE_INFINITY,
    times: new Uint32Array(HIGHEST_STEP - LOWEST_STEP + 1),
  }));
  const current = () => Math.floor(clock.elapsed() / SLICE_MS);

  function sliceOf(number: number): Slice {
    const slice = slices[number % SLICES] as Slice;
    if (slice.number !== number) {
      slice.number = number;
      slice.times.fill(0);
    }
    return slice;
  }

  function steps(): LatencySteps {
    const oldest = current() - SLICES;
    const recent = slices.filter(({ number }) => number > oldest);
    const all: LatencySteps = [];
    for (let step = LOWEST_STEP; step <= HIGHEST_STEP; step++) {
      const times = recent.reduce((sum, slice) => sum + (slice.times[step - LOWEST_STEP] as number), 0);
      if (times > 0) all.push([step, times]);
    }
    return all;
  }

  return {
    add(ms: number) {
      const step = Math.round(Math.log2(ms) * STEPS_PER_DOUBLING);
      const { times } = sliceOf(current());
      (times[Math.min(HIGHEST_STEP, Math.max(LOWEST_STEP, step)) - LOWEST_STEP] as number)++;
    },
    steps,
  };
}

/** Percentiles over several histograms, within about 4%. */
export function percentilesOf(all: readonly LatencySteps[]): Percentiles | null {
  const steps = all.flat().sort(([one], [other]) => one - other);
  const total = steps.reduce((sum, [, times]) => sum + times, 0);
  if (total === 0) return null;
  const at = (share: number) => {
    const place = Math.min(total - 1, Math.floor(total * share));
    let upTo = 0;
    const found = steps.find(([, times]) => {
      upTo += times;
      return upTo > place;
    });
    return 2 ** ((found as LatencySteps[number])[0] / STEPS_PER_DOUBLING);
  };
  return { p50: at(0.5), p99: at(0.99) };
}
