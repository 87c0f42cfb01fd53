/** Timelines merged from chunks, with any actor numbers. */
import { forEachActor } from '#src/columns/kernels/by-actor.ts';
import type { TrendPart } from '#src/columns/kernels/count-trend.ts';
import { drawTrend } from '#src/columns/kernels/draw-trend.ts';
import type { StepsPart } from '#src/columns/kernels/list-steps.ts';

function part(...told: [actor: number, at: number, bit: number][]): StepsPart {
  return {
    ...{ keys: [0], keyed: null, actors: Float64Array.from(told, ([actor]) => actor) },
    ...{ base: 0, times: Uint32Array.from(told, ([, at]) => at), bits: Int32Array.from(told, ([, , bit]) => bit) },
  };
}

function coursesOf(
  parts: StepsPart[],
  mergedInto: Int32Array | null,
  some: Parameters<typeof forEachActor>[3] = {},
): string[] {
  const found: string[] = [];
  const told = parts.map((each) => ({ part: each, keyOf: null }));
  const note = ({ times, bits }: { times: Float64Array; bits: Int32Array }) => {
    found.push([...times].map((at, place) => `${at}:${bits[place]}`).join(' '));
  };
  forEachActor(told, mergedInto, note, some);
  return found.sort();
}

it('are in order of time, of one moment in the order of the parts, however many at once', () => {
  const mergedInto = Int32Array.from([0, 0, 0, 1]);
  const parts = [part([1, 10, 1], [2, 11, 2], [1, 20, 4]), part([3, 5, 8], [1, 20, 16], [7, 20, 32])];
  const wanted = ['11:2', '20:32', '5:8 10:1 20:4 20:16'];
  expect(coursesOf(parts, mergedInto)).toEqual(wanted);
  for (const most of [1, 2, 4]) expect(coursesOf(parts, mergedInto, { mostAtOnce: most })).toEqual(wanted);
  // In shares, each of them in one, and nobody in two.
  for (const of of [2, 3, 9]) {
    const shares = Array.from({ length: of }, (_, at) =>
      coursesOf(parts, mergedInto, { mostAtOnce: 2, share: { at, of } }),
    );
    expect(shares.flat().sort()).toEqual(wanted);
    expect(shares.filter((share) => share.length > 0).length).toBeGreaterThan(1);
  }
  expect(coursesOf([part([1, 10, 1]), part([4_000_000_000, 5, 2], [1, 2, 4])], null)).toEqual(['2:4 10:1', '5:2']);
  expect(coursesOf([], null)).toEqual([]);
});

function cells(...told: [stretch: number, visits: number[]][]): TrendPart {
  let end = 0;
  const ends = told.map(([, visits]) => {
    end += visits.length;
    return end;
  });
  const visits = told.flatMap(([, own]) => own);
  return {
    ...{ keys: [0], keyed: new Int32Array(told.length), ignored: new Int32Array(told.length) },
    ...{ stretches: Int32Array.from(told, ([stretch]) => stretch), ends: Int32Array.from(ends) },
    ...{ counts: Int32Array.from(told, ([, own]) => own.length), items: Float64Array.from(visits) },
    times: new Int32Array(visits.length).fill(1),
  };
}

it.each([[2], [4_000_000_000]])('counts visits of windows that overlap, lie apart or hold nothing, also %d', (far) => {
  const parts = [
    { part: cells([0, [1, far]], [1, [1]]), shift: 0 },
    { part: cells([0, [3]], [2, [far]]), shift: 3 },
  ];
  const [row] = drawTrend(
    {
      ...{ figure: 'distinct', mergedInto: null, rowOf: null, rows: 1, other: 1, total: [0, 6] },
      cells: { count: 3, cellOf: Int32Array.from([0, 1, -1, 0, -1, 1]) },
      windows: [
        ...([
          [0, 1],
          [0, 2],
          [1, 2],
          [2, 2],
        ] as const),
        ...([
          [3, 4],
          [3, 6],
          [5, 6],
        ] as const),
      ],
    },
    parts,
  );
  expect(row?.course).toEqual([2, 2, 1, 0, 1, 2, 1]);
  expect(row?.total).toBe(3);
  expect(row?.cells).toEqual([3, 2, 0]);
});
