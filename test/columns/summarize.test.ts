import { quantileOf, summarize } from '#src/columns/kernels/summarize.ts';

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

it('finds the quantile among so many that only a part of them is put into order', () => {
  // Close together, far apart, and thousands that are the same.
  const make = [
    (at: number) => at % 97,
    (at: number) => (at * 7_919) % 65_537,
    (at: number) => 2_400 + (at % 13) / 64,
    () => 0,
  ];
  for (const [number, of] of make.entries()) {
    const lists = [30_000, 1, 9_999].map((length) => Array.from({ length }, (_, at) => of(at)));
    const inOrder = lists.flat().sort((one, other) => one - other);
    for (const share of [0, 0.5, 0.75, 0.999, 1]) {
      const place = share * (inOrder.length - 1);
      const [below, above] = [inOrder[Math.floor(place)] as number, inOrder[Math.ceil(place)] as number];
      const found = quantileOf(
        lists.map((list) => Float64Array.from(list)),
        share,
      );
      expect([number, share, found]).toEqual([number, share, below + (above - below) * (place % 1)]);
    }
  }
});
