import { allKinds } from '#src/insights/kinds/all-kinds.ts';
import { vitalNames } from '#src/insights/kinds/vitals/contract.ts';
import type { ResultSummary } from '#src/insights/query/contract.ts';
import fc from '#test/kit/fast-check.ts';

const count = fc.nat(1_000_000);
const counts = fc.array(count, { maxLength: 90 });
const rowsOf = (width: number) => fc.array(fc.array(count, { minLength: width, maxLength: width }), { maxLength: 30 });
const metric = count.map((value) => ({ value, previous: null }));

/** The parts of each kind's result that a summary reads. */
const results: Record<string, fc.Arbitrary<unknown>> = {
  overview: metric.map((visitors) => ({ metrics: { visitors } })),
  breakdown: counts.map((all) => ({ rows: all.map((each) => ['value', each, 0, null]) })),
  heatmap: fc
    .array(fc.array(count, { minLength: 24, maxLength: 24 }), { minLength: 7, maxLength: 7 })
    .map((visitors) => ({ visitors })),
  vitals: fc.tuple(count, count).map(([good, rest]) => ({
    vitals: Object.fromEntries(vitalNames.map((name) => [name, { good, samples: good + rest }])),
  })),
  goals: fc.array(metric, { maxLength: 30 }).map((all) => ({ goals: all.map((conversions) => ({ conversions })) })),
  movers: count.map((change) => ({ whole: { change } })),
  trends: fc.array(fc.array(fc.option(count), { minLength: 90, maxLength: 90 }), { maxLength: 12 }).map((rows) => {
    const [first, ...others] = rows.map((points) => ({ points, total: 1 }));
    const negative = first && { total: -1, points: first.points.map((point) => point && -point) };
    return { series: [{ rows: others }], formulas: [{ rows: negative ? [negative] : [] }] };
  }),
  funnel: counts.map((all) => ({ total: { steps: all.slice(0, 10).map((each) => ({ count: each })) } })),
  retention: rowsOf(12).map((all) => ({
    columns: all.map((_, at) => ({ from: at, to: at })),
    rows: [{ cohorts: all.map((returned) => ({ size: Math.max(...returned), returned })) }],
  })),
  paths: fc
    .array(fc.record({ step: fc.integer({ min: 1, max: 6 }), from: fc.option(fc.string()), to: fc.string(), count }))
    .map((edges) => ({ edges })),
  lifecycle: rowsOf(4).map((all) =>
    Object.fromEntries(
      ['new', 'returning', 'resurrecting', 'dormant'].map((name, at) => [name, all.map((each) => each[at])]),
    ),
  ),
  stickiness: counts.map((people) => ({ people })),
};

it.each(allKinds)('summarizes results of $name as shares of the greatest number', ({ name, summarize }) => {
  const result = results[name];
  if (!result) throw new Error(`No results of the kind ${name} are generated.`);
  fc.assert(
    fc.property(result, (given) => {
      const summary = summarize(given, {});
      const shares = sharesOf(summary);
      expect(shares.length).toBeLessThanOrEqual(300);
      for (const share of shares) {
        expect(Number.isFinite(share)).toBe(true);
        expect(Math.abs(share)).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 50 },
  );
});

it('keeps the last point of long lines, and the number of a trend that is shown as one', () => {
  const trends = allKinds.find(({ name }) => name === 'trends');
  const points = Array.from({ length: 150 }, (_, at) => at + 1);
  const given = { series: [{ rows: [{ points, total: 7 }] }], formulas: [] };
  const summary = trends?.summarize(given, {});
  expect(summary).toMatchObject({ shape: 'lines' });
  expect(sharesOf(summary as ResultSummary)).toHaveLength(50);
  expect(sharesOf(summary as ResultSummary).at(-1)).toBe(1);
  expect(trends?.summarize(given, { chart: 'number' })).toEqual({ shape: 'number', number: 7 });
});

function sharesOf(summary: ResultSummary): number[] {
  switch (summary.shape) {
    case 'number':
      return [];
    case 'lines':
      return summary.lines.flat().filter((each) => each !== null);
    case 'bars':
      return summary.bars;
    case 'stacks':
      return summary.stacks.flat();
    case 'cells':
      return summary.rows.flat().filter((each) => each !== null);
    case 'flows':
      return [...summary.columns.flat(), ...summary.links.map(([, , , share]) => share)];
  }
}
