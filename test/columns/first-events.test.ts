import { findPlausible, MAX_BEFORE_GAP, MIN_GAP_MS, MIN_TIMES_AS_MANY } from '#src/columns/queries/first-events.ts';
import { dayMs } from '#src/kit/zone.ts';
import fc from '#test/kit/fast-check.ts';

const YEAR_2000 = Date.UTC(2000, 0, 1);

it('leaves out the most first events that a gap parts from a thousand times as many, and no others', async () => {
  const days = (most: number) => fc.integer({ min: 0, max: most });
  await fc.assert(
    fc.asyncProperty(
      // Gaps between the first events in days, then how many others follow, one a minute.
      fc.array(fc.oneof(days(3), days(120), days(3000)), { maxLength: MAX_BEFORE_GAP + 20 }),
      fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 200_000 })),
      async (gaps, others) => {
        let last = YEAR_2000;
        const strays = gaps.map((gap) => (last += gap * dayMs));
        const begin = last + 100 * dayMs;
        const timeOf = (at: number) => strays[at] ?? begin + (at - strays.length) * 60_000;
        const total = strays.length + others;
        const times = Array.from({ length: Math.min(total, MAX_BEFORE_GAP + 1) }, (_, at) => timeOf(at));
        const found = await findPlausible(times, async (from, limit) => {
          const before = strays.filter((time) => time < from).length;
          return Math.min(limit, from > begin ? total - times.indexOf(from) : total - before);
        });

        const isStart = (at: number) =>
          at > 0 &&
          at <= MAX_BEFORE_GAP &&
          timeOf(at) - timeOf(at - 1) > MIN_GAP_MS &&
          total - at >= at * MIN_TIMES_AS_MANY;
        const start = Array.from({ length: times.length }, (_, at) => at).findLast(isStart);
        expect(found).toBe(total === 0 ? null : timeOf(start ?? 0));
      },
    ),
    { numRuns: 500 },
  );
});
