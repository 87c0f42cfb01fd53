/** What is much is merged by two threads, and comes to the same. */

import { mergeTallies } from '#src/columns/count/summing-up.ts';
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

it.each([
  [100, ['mergeBase']],
  [10_000, ['mergeBase', 'mergeBase']],
])('merges five tallies of %i persons in each group', async (persons, tasks) => {
  const own = createThreads(2);
  const asked: string[] = [];
  const threads: Threads = {
    ...own,
    run: (task, where) => {
      asked.push(task.task);
      return own.run(task, where);
    },
  };
  const mergedInto = null;
  const gathered = {
    windows: [],
    events: [],
    sessions: [],
    mergedInto,
    groupKinds: new Map(),
    groupVersions: new Map(),
    groupNumbers: new Map(),
  };
  const counted = talliesOf(persons);
  const parts = { threads, cache: createCache(64_000_000), gathered: { ...gathered, reader: plainReader } };
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
