/** Statistics of experiments: against a library, and what they promise when somebody looks every day. */
import { chiSquaredDistributionTable, cumulativeStdNormalProbability } from 'simple-statistics';
import {
  type Arm,
  chiSquareTail,
  compareArms,
  neededPeople,
  normalCdf,
  sampleRatio,
  sequenceFactor,
} from '#src/experiments/statistics.ts';

/** Numbers between 0 and 1, the same in each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Conversions among so many people: the normal approximation is close for what is used here, and quick. */
function conversionsOf(people: number, rate: number, random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const drawn = Math.round(people * rate + normal * Math.sqrt(people * rate * (1 - rate)));
  return Math.min(people, Math.max(0, drawn));
}

interface Plan {
  rates: [number, number];
  aDay: number;
  days: number;
}

/** Whether a difference was reported on any day, and whether the last interval held the true lift. */
function watched({ rates, aDay, days }: Plan, random: () => number): { reported: boolean; covered: boolean } {
  const arms: [Arm, Arm] = [
    { people: 0, conversions: 0 },
    { people: 0, conversions: 0 },
  ];
  let reported = false;
  let last = { from: 0, to: 0 };
  for (let day = 0; day < days; day++) {
    for (const [at, arm] of arms.entries()) {
      arm.people += aDay;
      arm.conversions += conversionsOf(aDay, rates[at] as number, random);
    }
    const { lift, isSignificant } = compareArms(...arms);
    reported ||= isSignificant;
    last = lift ?? last;
  }
  const lift = rates[1] / rates[0] - 1;
  return { reported, covered: last.from <= lift && lift <= last.to };
}

it('agrees with a library', () => {
  for (let z = -3; z <= 3; z += 0.25) expect(normalCdf(z)).toBeCloseTo(cumulativeStdNormalProbability(z), 3);
  for (const [degrees, byShare] of Object.entries(chiSquaredDistributionTable)) {
    for (const [share, value] of Object.entries(byShare)) {
      // The table has two decimals.
      const [from, to] = [chiSquareTail(value + 0.006, Number(degrees)), chiSquareTail(value - 0.006, Number(degrees))];
      expect([degrees, share, Number(share) >= from - 1e-3 && Number(share) <= to + 1e-3]).toEqual([
        degrees,
        share,
        true,
      ]);
    }
  }
});

it('reports a difference that is not there in at most 5 % of 10,000 experiments, though somebody looks every day', () => {
  const random = randomOf(1);
  for (const [rate, aDay] of [
    [0.1, 200],
    [0.5, 50],
    [0.03, 1_000],
  ] as const) {
    const runs = Array.from({ length: 10_000 }, () => watched({ rates: [rate, rate], aDay, days: 28 }, random));
    const reported = runs.filter((run) => run.reported).length;
    expect([rate, reported <= 500]).toEqual([rate, true]);
  }
});

it('has the true lift in its interval, and finds one of 5 % with the people that are needed for it', () => {
  const random = randomOf(2);
  const rates: [number, number] = [0.3, 0.315];
  const days = 28;
  const aDay = Math.ceil(neededPeople(0.3, 0.05) / days);
  const runs = Array.from({ length: 2_000 }, () => watched({ rates, aDay, days }, random));
  const share = (of: (run: (typeof runs)[number]) => boolean) => runs.filter(of).length / runs.length;
  expect(share((run) => run.covered)).toBeGreaterThanOrEqual(0.95);
  expect(share((run) => run.reported)).toBeGreaterThanOrEqual(0.8);
});

it('shares the error among several variants', () => {
  expect(sequenceFactor(10_000, 0.025)).toBeGreaterThan(sequenceFactor(10_000, 0.05));
  const [control, arm] = [
    { people: 5_000, conversions: 500 },
    { people: 5_000, conversions: 600 },
  ];
  const width = (comparisons: number) => {
    const { lift } = compareArms(control, arm, comparisons);
    return (lift?.to ?? 0) - (lift?.from ?? 0);
  };
  expect(width(3)).toBeGreaterThan(width(1));
});

it('answers without people and without conversions', () => {
  const nobody = { people: 0, conversions: 0 };
  const none = { people: 100, conversions: 0 };
  const all = { people: 100, conversions: 100 };
  for (const [control, arm] of [nobody, none, all].flatMap((a) => [nobody, none, all].map((b) => [a, b] as const))) {
    const { lift, better, isSignificant } = compareArms(control, arm);
    expect(isSignificant).toBe(false);
    expect(better === null || (better >= 0 && better <= 1)).toBe(true);
    if (lift) expect([lift.value, lift.from, lift.to].every(Number.isFinite)).toBe(true);
  }
});

it('finds a split that is off, also of a variant that nobody saw', () => {
  expect(sampleRatio([5_000, 5_040], [50, 50])).toBeGreaterThan(0.5);
  expect(sampleRatio([5_000, 5_600], [50, 50])).toBeLessThan(0.001);
  expect(sampleRatio([5_000, 0], [50, 50])).toBeLessThan(0.001);
  expect(sampleRatio([5_000, 1], [100, 0])).toBe(0);
  expect(sampleRatio([], [])).toBeNull();
  expect(sampleRatio([0, 0], [50, 50])).toBeNull();
  expect(sampleRatio([7_500, 2_500], [75, 25])).toBe(1);
});
