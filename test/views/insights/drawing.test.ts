/** What charts of insights are drawn from: sums upon each other, smoothed points, flows between steps. */
import fc from '#test/kit/fast-check.ts';
import { mirrored, stack, topOf } from '#views/charts/stacks.ts';
import { flowOf, followed } from '#views/insights/paths/flow.ts';
import { bracketsText, readBrackets } from '#views/insights/retention/brackets.ts';
import { cellsOf, shadeOf } from '#views/insights/retention/cells.ts';
import { drawnRows, MAX_DRAWN, mostDrawn, type TrendsRow } from '#views/insights/trends/rows.ts';
import { cumulated, smoothed } from '#views/insights/trends/smoothing.ts';

const values = fc.array(fc.option(fc.integer({ min: 0, max: 1000 })), { minLength: 1, maxLength: 12 });

it('lays values upon each other, as shares up to the whole', () => {
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 5 }), (series) => {
      const count = Math.max(...series.map(({ length }) => length));
      const layers = stack(series, count);
      for (let at = 0; at < count; at++) {
        const sum = series.reduce((all, each) => all + (each[at] ?? 0), 0);
        expect(Math.max(0, ...layers.map((layer) => layer[at]?.to ?? 0))).toBe(sum);
        const shares = stack(series, count, true).map((layer) => layer[at]?.to ?? 0);
        if (sum > 0) expect(Math.max(...shares)).toBeCloseTo(1);
      }
      expect(topOf(layers.map(mirrored))).toBe(0);
    }),
    { numRuns: 100 },
  );
});

it('sums points up, and means the last ones that are known', () => {
  expect(cumulated([1, null, 2, 0, 3])).toEqual([1, null, 3, 3, 6]);
  expect(smoothed([3, null, 5, 10], 3)).toEqual([3, null, 4, 7.5]);
});

it('draws one weekly heatmap until others are chosen, and then as many as can be', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ key }) as TrendsRow);
  const keysOf = (display: Parameters<typeof drawnRows>[1]) => drawnRows(rows, display).map(({ key }) => key);
  expect(keysOf({})).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(keysOf({ chart: 'heatmap' })).toEqual(['a']);
  expect(keysOf({ chart: 'heatmap', rows: ['b', 'c', 'd', 'e'] })).toEqual(['b', 'c', 'd']);
  expect([mostDrawn({ chart: 'heatmap' }), mostDrawn({})]).toEqual([3, MAX_DRAWN]);
});

it('has cells of periods that have begun, as shares of the cohort or of the period before', () => {
  const columns = [0, 1, 2].map((at) => ({ from: at, to: at }));
  const result = { starts: [0, 1, 2], columns, running: 2 };
  const cohort = { size: 4, returned: [4, 2, 1] };
  expect(cellsOf(cohort, 0, result, 'cohort').map(({ share }) => share)).toEqual([1, 0.5, 0.25]);
  expect(cellsOf(cohort, 0, result, 'previous').map(({ share }) => share)).toEqual([1, 0.5, 0.5]);
  expect(cellsOf(cohort, 1, result, 'people').map(({ isRunning }) => isRunning)).toEqual([false, true]);
  const bracketed = { ...result, columns: [columns[0], { from: 1, to: 2 }] as typeof columns };
  const cells = cellsOf({ size: 4, returned: [4, 3] }, 1, bracketed, 'people');
  expect(cells.map(({ isRunning }) => isRunning)).toEqual([false, true]);
  expect([readBrackets('0, 1-3, 4–7'), readBrackets('0-2'), readBrackets('1-3'), readBrackets('0, 2')]).toEqual([
    [0, 3, 7],
    [2],
    null,
    null,
  ]);
  expect(bracketsText([0, 3, 7])).toBe('0, 1-3, 4-7');
  expect([shadeOf(null, 1), shadeOf(0, 1), shadeOf(0.01, 1), shadeOf(1, 1)]).toEqual([0, 0, 1, 7]);
});

const name = fc.option(fc.constantFrom('/', '/a', '/b', '/c'));
const edge = fc.record({
  step: fc.integer({ min: 1, max: 5 }),
  from: name,
  to: name,
  count: fc.integer({ min: 1, max: 99 }),
  people: fc.constant(1),
  meanSeconds: fc.constant(1),
});
const edges = fc
  .array(edge, { minLength: 1, maxLength: 20 })
  .map((all) => [...new Map(all.map((each) => [`${each.step} ${each.from} ${each.to}`, each])).values()]);

it('draws transitions in the column of their step, with nothing lost on the way', () => {
  fc.assert(
    fc.property(edges, (all) => {
      const { nodes, links } = flowOf(all);
      const drawn = followed(all);
      expect(links.map(({ edge: each }) => each.count).sort()).toEqual(drawn.map(({ count }) => count).sort());
      const columns = new Map<number, Set<number>>();
      for (const { step, x } of nodes) columns.set(step, (columns.get(step) ?? new Set()).add(x));
      expect([...columns.values()].every(({ size }) => size === 1)).toBe(true);
      expect(new Set([...columns.values()].flatMap((places) => [...places])).size).toBe(columns.size);
    }),
    { numRuns: 200 },
  );
});
