import { summarize } from '#src/columns/kernels/summarize.ts';

it('leaves the numbers that are kept as they are, and adds them up by key over all chunks', () => {
  const values = new Float64Array(new SharedArrayBuffer(4 * 8));
  values.set([30, 10, 20, 5]);
  const chunk = { keys: ['/a', '/b'], ends: [3, 4], values };
  const { total, byKey } = summarize({ quantile: 0.5, limits: [10, 20], keys: true }, [chunk, chunk]);
  expect(total).toEqual({ key: 0, count: 8, sum: 130, within: [4, 6], quantile: 15 });
  expect(byKey).toEqual([
    { key: '/a', count: 6, sum: 120, within: [2, 4], quantile: 20 },
    { key: '/b', count: 2, sum: 10, within: [2, 2], quantile: 5 },
  ]);
  expect([...values]).toEqual([30, 10, 20, 5]);
  expect(summarize({ quantile: 0.5, limits: [], keys: false }, [])).toEqual({
    ...{ total: { key: 0, count: 0, sum: 0, within: [], quantile: null }, byKey: [] },
  });
});
