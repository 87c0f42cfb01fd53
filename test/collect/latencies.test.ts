import { createLatencies, percentilesOf } from '#src/collect/latencies.ts';
import { fixedClock } from '#src/kit/clock.ts';

const measured = (...all: [times: number, ms: number][]) => {
  const latencies = createLatencies(fixedClock(0));
  for (const [times, ms] of all) for (let n = 0; n < times; n++) latencies.add(ms);
  return latencies.steps();
};

it('counts a busy process for all that it took in', () => {
  const [busy, idle] = [measured([20_000, 1]), measured([100, 64])];
  expect(percentilesOf([busy, idle])).toEqual({ p50: 1, p99: 1 });
  expect(percentilesOf([idle, measured([98, 1])])).toEqual({ p50: 64, p99: 64 });
  expect(percentilesOf([])).toBeNull();
});

it('tells latencies to some four parts in a hundred, and the shortest and longest somehow', () => {
  const { p50, p99 } = percentilesOf([measured([98, 12.3], [2, 871])]) ?? { p50: 0, p99: 0 };
  expect(Math.abs(p50 / 12.3 - 1)).toBeLessThan(0.05);
  expect(Math.abs(p99 / 871 - 1)).toBeLessThan(0.05);
  expect(measured([3, 0], [2, 1e12]).map(([, times]) => times)).toEqual([3, 2]);
});

it('forgets them after a minute, slice by slice', () => {
  const clock = fixedClock(0);
  const latencies = createLatencies(clock);
  for (const ms of [1, 2, 4]) {
    latencies.add(ms);
    clock.advance(25_000);
  }
  expect(latencies.steps()).toEqual([
    [8, 1],
    [16, 1],
  ]);
  clock.advance(25_000);
  expect(latencies.steps()).toEqual([[16, 1]]);
  latencies.add(1);
  clock.advance(3_600_000);
  expect(latencies.steps()).toEqual([]);
});
