/** Statistics of experiments: against a library, and what they promise when somebody looks every day. */
import {
  chiSquaredDistributionTable,
  cumulativeStdNormalProbability,
  linearRegression,
  mean,
  probit,
  sampleCovariance,
  sampleVariance,
} from 'simple-statistics';
import { estimatesOf } from '#src/experiments/estimates.ts';
import {
  type Arm,
  chiSquareTail,
  compareArms,
  compareEstimates,
  neededBy,
  neededPeople,
  normalCdf,
  normalQuantile,
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

function normalOf(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

type Moments = Parameters<typeof estimatesOf>[1][number];

function momentsOf(values: readonly (readonly number[])[]): Moments {
  const places = [0, 1, 2, 3];
  const sum = (of: (each: readonly number[]) => number) => values.reduce((all, each) => all + of(each), 0);
  return {
    people: values.length,
    active: values.filter(([y]) => y !== 0).length,
    sums: places.map((at) => sum((each) => each[at] ?? 0)),
    products: places.flatMap((one) => places.map((other) => sum((each) => (each[one] ?? 0) * (each[other] ?? 0)))),
  };
}

/** Adds people who pay sums that are far apart, and paid alike before. @param lift of what they pay now */
function addPayers(moments: Moments, people: number, lift: number, random: () => number): void {
  const { sums, products } = moments;
  for (let nth = 0; nth < people; nth++) {
    const habit = normalOf(random);
    const pays = random() < 0.3;
    const y = pays ? (1 + lift) * Math.exp(0.6 * habit + 0.6 * normalOf(random)) : 0;
    const x = Math.exp(0.6 * habit);
    moments.people++;
    if (pays) moments.active++;
    sums[0] = (sums[0] as number) + y;
    sums[2] = (sums[2] as number) + x;
    products[0] = (products[0] as number) + y * y;
    products[2] = (products[2] as number) + x * y;
    products[10] = (products[10] as number) + x * x;
  }
}

interface Plan {
  rates: [number, number];
  aDay: number;
  days: number;
}

/** Whether a difference was reported on any day, and whether the last interval held the true lift. */
function watched({ rates, aDay, days }: Plan, random: () => number, comparisons = 1) {
  const arms: [Arm, Arm] = [
    { people: 0, conversions: 0 },
    { people: 0, conversions: 0 },
  ];
  let reported = false;
  let last = { from: 0, to: 0, once: { from: 0, to: 0 } };
  for (let day = 0; day < days; day++) {
    for (const [at, arm] of arms.entries()) {
      arm.people += aDay;
      arm.conversions += conversionsOf(aDay, rates[at] as number, random);
    }
    const { lift, isSignificant } = compareArms(...arms, comparisons);
    reported ||= isSignificant;
    last = lift ?? last;
  }
  const lift = rates[1] / rates[0] - 1;
  const isWithin = ({ from, to }: { from: number; to: number }) => from <= lift && lift <= to;
  return { reported, covered: isWithin(last), coveredOnce: isWithin(last.once) };
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
    const coveredOnce = runs.filter((run) => run.coveredOnce).length;
    expect([rate, coveredOnce > 9_400 && coveredOnce < 9_600]).toEqual([rate, true]);
  }
});

it.each([
  [0.3, 0.05, 1],
  [0.02, 0.1, 1],
  [0.1, 0.2, 1],
  [0.3, 0.05, 3],
])(
  'of a rate of %d has a lift of %d in its interval, and finds it in four of five experiments: %d comparisons',
  (rate, lift, comparisons) => {
    const random = randomOf(2);
    const rates: [number, number] = [rate, rate * (1 + lift)];
    const days = 28;
    const aDay = Math.ceil(neededPeople(rate, lift, comparisons) / days);
    const runs = Array.from({ length: 4_000 }, () => watched({ rates, aDay, days }, random, comparisons));
    const share = (of: (run: (typeof runs)[number]) => boolean) => runs.filter(of).length / runs.length;
    expect(share((run) => run.covered)).toBeGreaterThanOrEqual(0.95);
    expect(share((run) => run.reported)).toBeGreaterThanOrEqual(0.8);
    // Nor are many more people asked for than that takes.
    expect(share((run) => run.reported)).toBeLessThan(0.9);
  },
);

it('asks for more people for smaller lifts and more comparisons, and for a number of them whatever is rare', () => {
  expect(neededBy(5, 0.05)).toBeGreaterThan(neededBy(5, 0.1));
  expect(neededBy(5, 0.1, 3)).toBeGreaterThan(neededBy(5, 0.1));
  for (const relative of [1e-9, 1, 1e9, 1e300]) {
    const people = neededBy(relative, 0.005);
    expect([relative, Number.isSafeInteger(people), people >= 1]).toEqual([relative, true, true]);
  }
});

it('estimates means and ratios as a library does, and takes away what values from before explain', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 5); // R: qnorm(0.975)
  expect(normalQuantile(0.9875)).toBeCloseTo(2.241403, 5); // R: qnorm(0.9875)
  for (let share = 0.05; share < 1; share += 0.05) expect(normalQuantile(share)).toBeCloseTo(probit(share), 2);

  const random = randomOf(3);
  const arms = [150, 90].map((people) =>
    Array.from({ length: people }, () => {
      const habit = 2 + normalOf(random);
      return [habit + normalOf(random), 1 + random(), habit + random(), 1 + random()];
    }),
  );
  const [y, x] = [0, 2].map((at) => arms.map((arm) => arm.map((each) => each[at] as number))) as [
    number[][],
    number[][],
  ];
  const { arms: means, reduction } = estimatesOf('mean', arms.map(momentsOf));
  // Within arms: the slope is that of a regression on differences from each arm's own mean.
  const centered = (all: number[][]) => all.map((own) => own.map((each) => each - mean(own)));
  const pairs = centered(x).flatMap((own, arm) => own.map((each, at) => [each, centered(y)[arm]?.[at] as number]));
  const { m: slope } = linearRegression(pairs);
  const all = mean(x.flat());
  for (const [at, own] of y.entries()) {
    const before = x[at] as number[];
    const adjusted = own.map((each, nth) => each - slope * ((before[nth] as number) - all));
    expect(means[at]?.value).toBeCloseTo(mean(adjusted), 2);
    expect(means[at]?.variance).toBeCloseTo(sampleVariance(adjusted) / own.length, 4);
  }
  expect(reduction).toBeCloseTo(
    sampleCovariance(x.flat(), y.flat()) ** 2 / (sampleVariance(x.flat()) * sampleVariance(y.flat())),
    1,
  );

  // Without anything before, a ratio's variance is that of what each person adds to it.
  const plain = arms.map((arm) => arm.map(([a, b]) => [a as number, b as number]));
  const { arms: ratios, reduction: none } = estimatesOf('ratio', plain.map(momentsOf));
  expect(none).toBeNull();
  for (const [at, own] of plain.entries()) {
    const [a, b] = [0, 1].map((place) => mean(own.map((each) => each[place] as number))) as [number, number];
    const added = own.map(([one = 0, other = 0]) => (one - (a / b) * other) / b);
    expect(ratios[at]?.value).toBeCloseTo(a / b, 12);
    expect(ratios[at]?.variance).toBeCloseTo(sampleVariance(added) / own.length, 12);
  }
  expect(estimatesOf('ratio', [momentsOf([[1, 0]]), momentsOf([])]).arms).toMatchObject([
    { value: null },
    { value: null },
  ]);
});

/** Payers of two arms, looked at each day. */
function paying(aDay: number, days: number, lift: number, random: () => number) {
  const arms = [momentsOf([]), momentsOf([])] as [Moments, Moments];
  let reported = false;
  let last: ReturnType<typeof compareEstimates>['lift'] = null;
  for (let day = 0; day < days; day++) {
    for (const [at, arm] of arms.entries()) addPayers(arm, aDay, at * lift, random);
    const { arms: estimates } = estimatesOf('mean', arms);
    const compared = compareEstimates(estimates[0] as never, estimates[1] as never);
    reported ||= compared.isSignificant;
    last = compared.lift;
  }
  const isWithin = (range: { from: number; to: number } | undefined) =>
    range !== undefined && range.from <= lift && lift <= range.to;
  return { reported, covered: isWithin(last ?? undefined), coveredOnce: isWithin(last?.once) };
}

it('keeps its word for sums that are far apart, with values from before: 10,000 experiments looked at daily', () => {
  const random = randomOf(4);
  const runs = Array.from({ length: 10_000 }, () => paying(25, 28, 0, random));
  expect(runs.filter((run) => run.reported).length).toBeLessThanOrEqual(500);
  const share = (of: (run: (typeof runs)[number]) => boolean) => runs.filter(of).length / runs.length;
  expect(share((run) => run.covered)).toBeGreaterThanOrEqual(0.95);
  // At one look the narrower interval has the true lift as often as it says.
  expect(share((run) => run.coveredOnce)).toBeGreaterThan(0.94);
  expect(share((run) => run.coveredOnce)).toBeLessThan(0.96);
});

it('finds a lift of 20 % of a mean in four of five experiments with the people that are needed for it, and fewer with values from before', () => {
  const random = randomOf(6);
  const sample = momentsOf([]);
  addPayers(sample, 200_000, 0, random);
  const [estimate] = estimatesOf('mean', [sample, sample]).arms;
  const relative = ((estimate?.variance ?? 0) * sample.people) / (estimate?.value ?? 1) ** 2;
  const [y = 0] = sample.sums;
  const without = (sample.products[0] as number) / sample.people / (y / sample.people) ** 2 - 1;
  expect(relative).toBeLessThan(without * 0.95);
  const days = 14;
  const aDay = Math.ceil(neededBy(relative, 0.2) / days);
  const runs = Array.from({ length: 1_500 }, () => paying(aDay, days, 0.2, random));
  const found = runs.filter((run) => run.reported).length / runs.length;
  expect(found).toBeGreaterThanOrEqual(0.8);
  expect(found).toBeLessThan(0.9);
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
