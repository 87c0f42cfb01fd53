/** Parts of a change sum to it exactly, and chance is told as tables and simulations tell it. */
import * as statistics from 'simple-statistics';
import { adjusted, pairedTest, studentTail } from '#src/insights/kinds/movers/chance.ts';
import { decompose } from '#src/insights/kinds/movers/parts.ts';
import { DecimalSum } from '#src/kit/numbers/decimals.ts';
import fc from '#test/kit/fast-check.ts';

const count = fc.nat(1_000_000);
const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((value) => value / 100);
const figureOf = (number: fc.Arbitrary<number>) => fc.record({ total: number, previous: number });

function sumOf(values: readonly number[]): number {
  const sum = new DecimalSum();
  for (const value of values) sum.add(value);
  return sum.value;
}

it.each([
  ['visitors', count, true],
  ['conversions', count, false],
  ['revenue', cents, false],
] as const)('sums the parts of %s to the whole', (_, number, overlaps) => {
  fc.assert(
    fc.property(
      figureOf(number),
      fc.array(figureOf(number), { maxLength: 6 }),
      fc.array(figureOf(number), { maxLength: 6 }),
      (whole, shown, others) => {
        const rows = shown.map((figure, at) => ({ ...figure, value: String(at), differences: [] }));
        const found = decompose(whole, rows, { others, overlaps }, []);
        const parts = [...found.rows, found.other, ...(found.overlap ? [found.overlap] : [])];
        for (const of of ['total', 'previous'] as const) expect(sumOf(parts.map((part) => part[of]))).toBe(whole[of]);
        expect(sumOf(parts.map(({ change }) => change))).toBe(sumOf([whole.total, -whole.previous]));
        const changed = whole.total !== whole.previous;
        for (const { share } of parts) expect(share === null).toBe(!changed);
        if (overlaps) expect(found.other.total).toBe(sumOf(others.map(({ total }) => total)));
      },
    ),
    { numRuns: 200 },
  );
});

it('has the p-values of the t distribution', () => {
  // Two-sided 5% and 1% points of printed tables.
  const table = [
    [1, 12.7062, 0.05],
    [2, 4.3027, 0.05],
    [4, 2.7764, 0.05],
    [6, 2.4469, 0.05],
    [6, 3.7074, 0.01],
    [27, 2.0518, 0.05],
    [29, 2.7564, 0.01],
    [89, 1.987, 0.05],
  ] as const;
  for (const [degrees, t, wanted] of table) expect(studentTail(t, degrees)).toBeCloseTo(wanted, 4);
  // And of its density, summed by hand.
  for (const degrees of [1, 2, 3, 7, 28, 90]) {
    for (const t of [0, 0.3, 1, 2.5, 6]) expect(studentTail(t, degrees)).toBeCloseTo(1 - within(t, degrees), 5);
  }
});

/** The integral of the density from -t to t, by Simpson's rule. */
function within(t: number, degrees: number): number {
  const scale = Math.exp(statistics.gammaln((degrees + 1) / 2) - statistics.gammaln(degrees / 2));
  const density = (x: number) =>
    (scale / Math.sqrt(degrees * Math.PI)) * (1 + (x * x) / degrees) ** (-(degrees + 1) / 2);
  const steps = 2_000;
  const width = t / steps;
  let sum = density(0) + density(t);
  for (let at = 1; at < steps; at++) sum += density(at * width) * (at % 2 === 1 ? 4 : 2);
  return (2 * sum * width) / 3;
}

it('tests differences as simple-statistics does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 5, maxLength: 90 }), (differences) => {
      const p = pairedTest(differences);
      const spread = statistics.sampleStandardDeviation(differences);
      if (spread === 0) return;
      const t = statistics.mean(differences) / (spread / Math.sqrt(differences.length));
      expect(p).toBeCloseTo(studentTail(t, differences.length - 1), 10);
    }),
    { numRuns: 100 },
  );
  expect(pairedTest([1, 2, 3, 4])).toBeNull();
  expect(pairedTest([0, 0, 0, 0, 0, 0, 0])).toBe(1);
  expect(pairedTest([3, 3, 3, 3, 3, 3, 3])).toBe(2 / 128);
});

it('finds a change by chance in one of twenty weeks, and a real one nearly always', () => {
  // A seeded generator: the same weeks in every run.
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const week = [100, 120, 120, 115, 110, 60, 50];
  const share = (lift: number) => {
    let found = 0;
    for (let run = 0; run < 2_000; run++) {
      const day = (mean: number) => Math.round(mean * (1 + 0.1 * normal()));
      const differences = week.map((mean) => day(mean * lift) - day(mean));
      if ((pairedTest(differences) ?? 1) < 0.05) found++;
    }
    return found / 2_000;
  };
  expect(share(1)).toBeLessThan(0.075);
  expect(share(1.4)).toBeGreaterThan(0.9);
});

it('shares the error among several tests', () => {
  expect(adjusted([0.01, null, 0.04, 0.03])).toEqual([0.03, null, 0.06, 0.06]);
  expect(adjusted([0.9, 0.5])).toEqual([1, 1]);
  expect(adjusted([])).toEqual([]);
});
