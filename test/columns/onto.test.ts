/** What is added to what was kept comes to the same as all of it at once. */
import type { BegunVisits } from '#src/columns/kernels/begun-visits.ts';
import type { Collected } from '#src/columns/kernels/collect.ts';
import type { TrendPart } from '#src/columns/kernels/count-trend.ts';
import { drawOnto, trendBase } from '#src/columns/kernels/draw-onto.ts';
import { type DrawPlan, drawTrend, type Figure } from '#src/columns/kernels/draw-trend.ts';
import { addVisits, countVisits, rowsOfVisits, type VisitParts } from '#src/columns/kernels/draw-visits.ts';
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

/** Cells of some stretches and keys, each with distinct persons or visits. @param far added to their numbers */
function trendPart(chance: () => number, far = 0): TrendPart {
  const cells: { stretch: number; key: number; people: number[] }[] = [];
  for (let stretch = 0; stretch < 3; stretch++)
    for (let key = 0; key < 4; key++) {
      if (chance() < 0.5) continue;
      const people = Array.from({ length: 1 + Math.floor(chance() * 12) }, () => 1 + Math.floor(chance() * PEOPLE));
      cells.push({ stretch, key, people: [...new Set(people)] });
    }
  let end = 0;
  const items = cells.flatMap(({ people }) => people.map((person) => person + far));
  return {
    keys: ['a', 'b', 'c', 'd'],
    stretches: Int32Array.from(cells, ({ stretch }) => stretch),
    keyed: Int32Array.from(cells, ({ key }) => key),
    counts: Int32Array.from(cells, ({ people }) => people.length + Math.floor(chance() * 3)),
    ignored: Int32Array.from(cells, () => Math.floor(chance() * 2)),
    ends: Int32Array.from(cells, ({ people }) => {
      end += people.length;
      return end;
    }),
    items: Float64Array.from(items),
    times: Int32Array.from(items, () => 1 + Math.floor(chance() * 4)),
  };
}

const DAYS = 20;
const eachDay = Array.from({ length: DAYS }, (_, day) => [day, day + 1] as const);
const weeks = [
  [0, 3],
  [3, 10],
  [12, 12],
  [12, 19],
] as const;
const sliding = eachDay.map(([day]) => [Math.max(0, day - 6), day + 1] as const);
/** Weekdays, of which one is not asked for. */
const weekdays = { count: 6, cellOf: Int32Array.from(eachDay, ([day]) => (day % 7 === 6 ? -1 : day % 7)) };
const rowOf = new Map([
  ['a', 0],
  ['c', 1],
]);

/** A plan of each sort. */
function plansOf(figures: readonly Figure[], mergedInto: Int32Array | null): DrawPlan[] {
  const plans: DrawPlan[] = [];
  for (const figure of figures)
    for (const windows of [eachDay, weeks, sliding])
      for (const own of [null, rowOf])
        for (const [total, cells] of [
          [[0, DAYS], null],
          [[2, 15], weekdays],
        ] as const) {
          const rows = own === null ? { rows: 1, other: 1 } : { rows: 3, other: 2 };
          plans.push({ figure, windows, total, cells, rowOf: own, mergedInto, ...rows });
        }
  return plans;
}

const FIGURES: readonly Figure[] = [
  'count',
  'distinct',
  { each: { quantile: 0.9 } },
  { each: 'mean' },
  { said: 'sum' },
  { said: { quantile: 0.5 } },
];

/** Only values can be ignored. */
function withoutIgnored({ part, shift }: { part: TrendPart; shift: number }) {
  return { part: { ...part, ignored: part.ignored.map(() => 0) }, shift };
}

it('draws a trend onto an earlier one', () => {
  const chance = chances(11);
  const merges = Int32Array.from({ length: PEOPLE + 30 }, (_, person) => (person % 7 === 3 ? person - 1 : 0));
  let compared = 0;
  for (let round = 0; round < 30; round++) {
    const parts = Array.from({ length: 12 }, (_, at) => ({
      // Some new persons have higher numbers than all before.
      part: trendPart(chance, at > 9 ? 40 : 0),
      shift: Math.floor(chance() * (DAYS - 2)),
    }));
    const kept = 5 + Math.floor(chance() * 8);
    for (const plan of plansOf(FIGURES, round % 3 === 0 ? null : merges)) {
      const isOfValues = typeof plan.figure === 'object' && 'said' in plan.figure;
      const own = isOfValues ? parts : parts.map(withoutIgnored);
      const lasting = own.slice(0, kept);
      const base = trendBase(plan, lasting);
      expect(drawOnto(plan, base, lasting, own.slice(kept))).toEqual(drawTrend(plan, own));
      compared++;
    }
  }
  expect(compared).toBe(30 * 72);
});

it('draws the total again when there are too many people to keep', () => {
  const chance = chances(3);
  const parts = Array.from({ length: 6 }, () => ({ part: trendPart(chance), shift: 0 }));
  const far = trendPart(chance);
  far.items[0] = 40_000_000;
  const lasting = [...parts.slice(0, 4), { part: far, shift: 1 }];
  for (const figure of ['distinct', { each: 'mean' }] as const) {
    const plan: DrawPlan = { ...(plansOf([figure], null)[0] as DrawPlan), total: [0, 4] };
    const base = trendBase(plan, lasting);
    expect(base.known).toBeNull();
    expect(drawOnto(plan, base, lasting, parts.slice(4))).toEqual(drawTrend(plan, [...lasting, ...parts.slice(4)]));
  }
});

/** Where visits of a block began, and those of which that is not known here. */
function begunPart(visits: readonly number[], chance: () => number): { part: BegunVisits; shift: number } {
  return {
    part: {
      ids: Float64Array.from(visits),
      stretches: Int32Array.from(visits, () => Math.floor(chance() * 6)),
    },
    shift: Math.floor(chance() * (DAYS - 4)),
  };
}

/** What a row has in a stretch, in the plainest way. */
function visitsIn({ parts, begun }: VisitParts, isOfRow: (key: string) => boolean, stretch: number): number {
  const there = new Set<number>();
  for (const { part, shift } of begun) {
    for (const [at, visit] of part.ids.entries())
      if ((part.stretches[at] as number) + shift === stretch) there.add(visit);
  }
  const found = new Set<number>();
  for (const { part } of parts) {
    for (const [cell, end] of part.ends.entries()) {
      if (!isOfRow(part.keys[part.keyed[cell] as number] as string)) continue;
      for (const visit of part.items.subarray(cell === 0 ? 0 : part.ends[cell - 1], end))
        if (there.has(visit)) found.add(visit);
    }
  }
  return found.size;
}

it.each([[0], [5_000_000_000]])('adds visits to those that were counted before, with numbers from %d on', (far) => {
  const chance = chances(5);
  let changed = 0;
  for (let round = 0; round < 40; round++) {
    const parts = Array.from({ length: 8 }, () => ({ part: trendPart(chance, far), shift: 0 }));
    // Each visit began once; of some it is not known.
    const visits = Array.from({ length: PEOPLE }, (_, at) => at + 1 + far).filter(() => chance() < 0.9);
    const blocks = Array.from({ length: 6 }, (_, block) => visits.filter((visit) => visit % 6 === block));
    const begun = blocks.map((own) => begunPart(own, chance));
    const [someParts, someBegun] = [3 + Math.floor(chance() * 6), 3 + Math.floor(chance() * 4)];
    const lasting = { parts: parts.slice(0, someParts), begun: begun.slice(0, someBegun) };
    const fresh = { parts: parts.slice(someParts), begun: begun.slice(someBegun) };
    for (const plan of plansOf(['distinct'], null)) {
      const all = countVisits(plan, { parts, begun });
      const base = countVisits(plan, lasting);
      expect(addVisits(plan, base, lasting, fresh)).toEqual(all);
      if (base.join() !== all.join()) changed++;
      const isOfRow = (row: number) => (key: string) =>
        plan.rowOf === null || (plan.rowOf.get(key) ?? plan.other) === row;
      const rows = Array.from({ length: plan.rows }, (_, row) =>
        eachDay.map(([day]) => visitsIn({ parts, begun }, isOfRow(row), day)),
      );
      const sum = (days: readonly number[], isIn: (day: number) => boolean) =>
        days.reduce((total, count, day) => total + (isIn(day) ? count : 0), 0);
      const within = (days: readonly number[], [from, until]: readonly [number, number]) =>
        sum(days, (day) => day >= from && day < until);
      expect(rowsOfVisits(plan, all)).toEqual(
        rows.map((days) => ({
          course: plan.windows.map((window) => within(days, window)),
          cells:
            plan.cells &&
            Array.from({ length: weekdays.count }, (_, cell) => sum(days, (day) => weekdays.cellOf[day] === cell)),
          total: within(days, plan.total),
          ignored: 0,
        })),
      );
    }
  }
  expect(changed).toBeGreaterThan(100);
});
