import { MIN_GAP_MS, MIN_TIMES_AS_MANY, startOf } from '#src/columns/queries/first-events.ts';
import { dayMs } from '#src/kit/zone.ts';
import fc from '#test/kit/fast-check.ts';

const YEAR_2000 = Date.UTC(2000, 0, 1);

/** Gaps in days before each day on which something happened, and how many events it has. */
const days = fc
  .array(
    fc.record({
      gap: fc.oneof(
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 120 }),
        fc.integer({ min: 0, max: 3000 }),
      ),
      events: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5_000 })),
      length: fc.integer({ min: 0, max: dayMs - 1 }),
    }),
    { maxLength: 150 },
  )
  .map((given) => {
    let day = YEAR_2000;
    return given.map(({ gap, events, length }) => {
      day += gap * dayMs;
      return { events, first: day, last: day + length };
    });
  });

it('leaves out the most first events that a gap parts from a hundred times as many, and no others', () => {
  fc.assert(
    fc.property(days, (given) => {
      const sum = (some: typeof given) => some.reduce((all, { events }) => all + events, 0);
      const starts = given.filter((each, at) => {
        const before = given[at - 1];
        if (before === undefined || each.first - before.last <= MIN_GAP_MS) return false;
        return sum(given.slice(at)) >= sum(given.slice(0, at)) * MIN_TIMES_AS_MANY;
      });
      expect(startOf(given)).toBe(starts.at(-1)?.first ?? null);
    }),
    { numRuns: 500 },
  );
});
