/** What is much is merged by two threads, and comes to the same. */

import { drawCounted, drawVisits, markCounted, mergeTallies } from '#src/columns/count/summing-up.ts';
import type { TrendPart } from '#src/columns/kernels/count-trend.ts';
import type { DrawPlan } from '#src/columns/kernels/draw-trend.ts';
import { merge } from '#src/columns/kernels/merge.ts';
import { TallyBuilder } from '#src/columns/kernels/tally.ts';
import { createCache } from '#src/columns/storage/cache.ts';
import { tagImmutable } from '#src/columns/storage/immutable.ts';
import { createThreads, type Threads } from '#src/columns/threads/threads.ts';
import { plainReader } from '#src/kit/reading/reader.ts';

const GROUPS = 8;

/** Tallies that tell of so many persons in each group; who they are differs by group, and overlaps. */
function talliesOf(persons: number) {
  return Array.from({ length: 5 }, (_, at) => {
    const builder = new TallyBuilder();
    for (let group = 0; group < GROUPS; group++) {
      const people = Int32Array.from({ length: persons }, (_, place) => 1 + place * (group + 1) + at);
      builder.persons(people, 0, persons);
      builder.end(group, persons, group);
    }
    const tally = builder.finish();
    tagImmutable(tally);
    return { tally, shift: 0 };
  });
}

/** What sums are made with, and the tasks that threads were given. */
function partsOver(own: Threads) {
  const asked: string[] = [];
  const threads: Threads = {
    ...own,
    run: (task, where) => {
      asked.push(task.task);
      return own.run(task, where);
    },
  };
  const gathered = {
    windows: [],
    events: [],
    sessions: [],
    mergedInto: null,
    groupKinds: new Map(),
    groupVersions: new Map(),
    groupNumbers: new Map(),
  };
  return { asked, parts: { threads, cache: createCache(64_000_000), gathered: { ...gathered, reader: plainReader } } };
}

it.each([
  [100, ['mergeBase']],
  [10_000, ['mergeBase', 'mergeBase']],
])('merges five tallies of %i persons in each group', async (persons, tasks) => {
  const own = createThreads(2);
  const { asked, parts } = partsOver(own);
  const mergedInto = null;
  const counted = talliesOf(persons);
  const wanted = merge({ groups: GROUPS, mergedInto }, counted);
  const figuresOf = ({ counts, others, persons, people }: typeof wanted) => [
    [...counts],
    [...others],
    [...persons],
    people,
  ];
  for (let round = 0; round < 2; round++)
    expect(figuresOf(await mergeTallies(parts, GROUPS, counted))).toEqual(figuresOf(wanted));
  expect(asked).toEqual(tasks);
  await own.stop();
});

/** Twenty persons or visits with an event in a day. */
function dayPart(day: number): { part: TrendPart; shift: number } {
  const one = Int32Array.of(0);
  const part = {
    ...{ keys: [0], stretches: one, keyed: one, ignored: one, counts: Int32Array.of(20), ends: Int32Array.of(20) },
    items: Float64Array.from({ length: 20 }, (_, at) => 1 + at + day),
    times: new Int32Array(20).fill(2),
  };
  return { part, shift: day };
}

it('counts again what is asked again only where there is something new', async () => {
  const own = createThreads(0);
  const { asked, parts } = partsOver(own);
  const lasting = [0, 1, 2, 3, 4].map(dayPart);
  for (const { part } of lasting) tagImmutable(part);
  const plan: DrawPlan = {
    ...{ figure: 'distinct', mergedInto: null, cells: null, rowOf: null, rows: 1, other: 1, total: [0, 6] },
    windows: [0, 1, 2, 3, 4, 5].map((day) => [Math.max(0, day - 1), day + 1]),
  };
  const begun = [0, 1].map((block) => ({
    part: { ids: Float64Array.from([1, 2, 21], (id) => id + block * 3), stretches: Int32Array.of(0, 1, 4) },
    shift: 0,
  }));
  for (const { part } of begun) tagImmutable(part);
  const mark = { mergedInto: null, least: 8 };
  const tasksOf = async (ask: () => Promise<unknown>) => {
    asked.length = 0;
    const found = await ask();
    return { found, asked: [...asked] };
  };
  for (const all of [lasting, lasting, [...lasting, dayPart(5)]]) {
    const isNew = all.length > lasting.length;
    const drawn = await tasksOf(() => drawCounted(parts, plan, all));
    const visits = await tasksOf(() => drawVisits(parts, plan, { parts: all, begun }));
    const marked = await tasksOf(() => markCounted(parts, mark, all));
    expect(drawn.found).toMatchObject([{ total: isNew ? 25 : 24, course: [20, 21, 21, 21, 21, isNew ? 21 : 20] }]);
    expect(visits.found).toMatchObject([{ total: 6, course: [2, 4, 2, 0, 2, 2] }]);
    expect(Array.from(marked.found as Uint8Array).filter((each) => each === 1)).toHaveLength(isNew ? 19 : 18);
    if (isNew) {
      expect(drawn.asked).toEqual(['drawOnto']);
      expect(visits.asked).toEqual(['addVisits']);
      expect(marked.asked).toEqual(['countEach', 'markPersons']);
    } else if (all === lasting && drawn.asked.length === 0) {
      expect([visits.asked, marked.asked]).toEqual([[], ['markPersons']]);
    } else expect([drawn.asked, visits.asked]).toEqual([['trendBase'], ['countVisits']]);
  }
  await own.stop();
});
