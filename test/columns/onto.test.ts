/** What is added to what was kept comes to the same as all of it at once. */
import type { Collected } from '#src/columns/kernels/collect.ts';
import type { TrendPart } from '#src/columns/kernels/count-trend.ts';
import { canDrawOnto, drawOnto, trendBase } from '#src/columns/kernels/draw-onto.ts';
import { type DrawPlan, drawTrend } from '#src/columns/kernels/draw-trend.ts';
import { type Merged, type MergePart, type MergePlan, merge } from '#src/columns/kernels/merge.ts';
import { joinShares, mergeBase, mergeOnto } from '#src/columns/kernels/merge-onto.ts';
import { summarize } from '#src/columns/kernels/summarize.ts';
import { summarizeOnto, summaryBase } from '#src/columns/kernels/summarize-onto.ts';
import { TallyBuilder } from '#src/columns/kernels/tally.ts';

/** Numbers below 1 that look like chance, the same each time. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const GROUPS = 40;
const PEOPLE = 300;

function tally(chance: () => number, groups: number): MergePart {
  const builder = new TallyBuilder();
  for (let group = 0; group < groups; group++) {
    if (chance() < 0.4) continue;
    const people = new Set(Array.from({ length: Math.floor(chance() * 20) }, () => 1 + Math.floor(chance() * PEOPLE)));
    builder.persons(Int32Array.from(people), 0, people.size);
    builder.end(group, people.size + Math.floor(chance() * 3), Math.floor(chance() * 4), Math.floor(chance() * 9), 1);
  }
  return { tally: builder.finish(), shift: Math.floor(chance() * (GROUPS - groups + 1)) };
}

it('merges onto an earlier result, with any options', () => {
  const chance = chances(7);
  const mergedInto = Int32Array.from({ length: PEOPLE + 1 }, (_, person) => (person % 7 === 3 ? person - 1 : 0));
  const into = Int32Array.from({ length: GROUPS }, (_, group) => (group % 5 === 4 ? -1 : group % 6));
  const plans: MergePlan[] = [
    { groups: GROUPS, mergedInto },
    { groups: GROUPS, mergedInto: null },
    { groups: 6, mergedInto, into },
    ...[0, 3, GROUPS].map((commonest) => ({ groups: GROUPS, mergedInto, commonest })),
    ...[[], [0, 7, 39]].map((only) => ({ groups: GROUPS, mergedInto, only })),
  ];
  for (let round = 0; round < 20; round++) {
    const kept = Array.from({ length: 6 }, () => tally(chance, 30));
    const fresh = Array.from({ length: round % 4 }, () => tally(chance, 1 + (round % 30)));
    for (const plan of plans) {
      const found = mergeOnto(plan, mergeBase(plan, kept), kept, fresh);
      expect(found).toEqual(merge(plan, [...kept, ...fresh]));
    }
  }
});

it('merges in shares what it merges at once', () => {
  const chance = chances(3);
  const mergedInto = Int32Array.from({ length: PEOPLE + 1 }, (_, person) => (person % 7 === 3 ? person - 1 : 0));
  for (let round = 0; round < 20; round++) {
    const kept = Array.from({ length: 6 }, () => tally(chance, 30));
    const fresh = Array.from({ length: round % 4 }, () => tally(chance, 1 + (round % 30)));
    for (const commonest of [undefined, 0, 3, GROUPS]) {
      const plan: MergePlan = { groups: GROUPS, mergedInto, commonest };
      for (const of of [1, 2, 3]) {
        const shares = Array.from({ length: of }, (_, at) => mergeBase({ ...plan, share: { at, of } }, kept));
        const counted = shares.map(({ merged }) => merged.persons.filter((persons) => persons > 0).length);
        if (commonest !== 0 && commonest !== 3) expect(Math.max(...counted)).toBeLessThan(GROUPS / of + 6);
        const joined = joinShares(shares);
        expect(plainOf(joined.merged)).toEqual(merge(plan, kept));
        expect(mergeOnto(plan, joined, kept, fresh)).toEqual(merge(plan, [...kept, ...fresh]));
      }
    }
  }
});

/** The same in memory of its own. */
function plainOf(merged: Merged): Merged {
  const lists = Object.entries(merged).map(([name, list]) => [name, typeof list === 'number' ? list : list.slice()]);
  return Object.fromEntries(lists) as Merged;
}

function collected(chance: () => number, keys: readonly string[], of: (chance: number) => number, most: number) {
  const lists = keys.map(() => Array.from({ length: Math.floor(chance() * most) }, () => of(chance())));
  const values = Float64Array.from(lists.flat());
  let end = 0;
  const ends = lists.map((list) => {
    end += list.length;
    return end;
  });
  return { keys: [...keys], ends, values: values as Float64Array<ArrayBufferLike> as Collected['values'] };
}

it('summarizes onto what was summarized before, also when the quantile is far from where it was', () => {
  const chance = chances(11);
  const ways = [(share: number) => Math.floor(share * 30), (share: number) => share * share * 5_000, () => 0];
  for (const of of ways) {
    for (const most of [3, 400, 9_000]) {
      const kept = Array.from({ length: 5 }, () => collected(chance, ['a', 'b', 'c'], of, most));
      for (const more of [
        [],
        [collected(chance, ['b', 'd'], of, 200)],
        [collected(chance, ['a'], () => 9e9, 60_000)],
      ]) {
        for (const quantile of [null, 0, 0.5, 0.75, 1]) {
          const plan = { quantile, limits: [10, 1_000], keys: true };
          const found = summarizeOnto(plan, summaryBase(plan, kept), kept, more);
          const wanted = summarize(plan, [...kept, ...more]);
          const rounded = (summary: (typeof wanted)['total']) => ({ ...summary, sum: Math.round(summary.sum) });
          expect(rounded(found.total)).toEqual(rounded(wanted.total));
          expect(found.byKey.map(rounded)).toEqual(wanted.byKey.map(rounded));
        }
      }
    }
  }
});

/** Cells of some stretches and keys, each with distinct persons. */
function trendPart(chance: () => number): TrendPart {
  const cells: { stretch: number; key: number; people: number[] }[] = [];
  for (let stretch = 0; stretch < 3; stretch++)
    for (let key = 0; key < 4; key++) {
      if (chance() < 0.5) continue;
      const people = Array.from({ length: 1 + Math.floor(chance() * 12) }, () => 1 + Math.floor(chance() * PEOPLE));
      cells.push({ stretch, key, people: [...new Set(people)] });
    }
  let end = 0;
  const items = cells.flatMap(({ people }) => people);
  return {
    keys: ['a', 'b', 'c', 'd'],
    stretches: Int32Array.from(cells, ({ stretch }) => stretch),
    keyed: Int32Array.from(cells, ({ key }) => key),
    counts: Int32Array.from(cells, ({ people }) => people.length + Math.floor(chance() * 3)),
    ignored: new Int32Array(cells.length),
    ends: Int32Array.from(cells, ({ people }) => {
      end += people.length;
      return end;
    }),
    items: Float64Array.from(items),
    times: new Int32Array(items.length).fill(1),
  };
}

it('draws a trend onto an earlier one', () => {
  const chance = chances(11);
  const mergedInto = Int32Array.from({ length: PEOPLE + 30 }, (_, person) => (person % 7 === 3 ? person - 1 : 0));
  const days = 20;
  const eachDay = Array.from({ length: days }, (_, day) => [day, day + 1] as const);
  const weeks = [
    [0, 3],
    [3, 10],
    [12, 12],
    [12, 19],
  ] as const;
  const sliding = eachDay.map(([day]) => [Math.max(0, day - 6), day + 1] as const);
  const rowOf = new Map([
    ['a', 0],
    ['c', 1],
  ]);
  let compared = 0;
  for (let round = 0; round < 60; round++) {
    const parts = Array.from({ length: 12 }, () => ({
      part: trendPart(chance),
      shift: Math.floor(chance() * (days - 2)),
    }));
    const lasting = parts.slice(0, 5 + Math.floor(chance() * 7));
    const fresh = parts.slice(lasting.length);
    for (const figure of ['count', 'distinct'] as const)
      for (const windows of [eachDay, weeks])
        for (const rows of [null, rowOf])
          for (const total of [
            [0, days],
            [2, 15],
          ] as const) {
            const plan: DrawPlan = {
              ...{ figure, windows, total, rowOf: rows, cells: null, other: rows === null ? 1 : 2 },
              ...{ rows: rows === null ? 1 : 3, mergedInto: round % 3 === 0 ? null : mergedInto },
            };
            expect(canDrawOnto(plan)).toBe(true);
            const base = trendBase(plan, lasting);
            expect(drawOnto(plan, base, lasting, fresh)).toEqual(drawTrend(plan, parts));
            compared++;
          }
    expect(canDrawOnto({ ...plainPlan(sliding, days), figure: 'distinct' })).toBe(false);
  }
  expect(compared).toBe(960);
});

function plainPlan(windows: DrawPlan['windows'], days: number): DrawPlan {
  return { figure: 'count', windows, total: [0, days], rowOf: null, rows: 1, other: 1, cells: null, mergedInto: null };
}

it('draws all again when there are too many people to keep', () => {
  const chance = chances(3);
  const parts = Array.from({ length: 6 }, () => ({ part: trendPart(chance), shift: 0 }));
  const far = trendPart(chance);
  far.items[0] = 9_000_000;
  const lasting = [...parts.slice(0, 4), { part: far, shift: 1 }];
  const plan: DrawPlan = {
    ...plainPlan(
      [
        [0, 2],
        [2, 4],
      ],
      4,
    ),
    figure: 'distinct',
  };
  const base = trendBase(plan, lasting);
  expect(base.bits).toBeNull();
  expect(drawOnto(plan, base, lasting, parts.slice(4))).toEqual(drawTrend(plan, [...lasting, ...parts.slice(4)]));
});
