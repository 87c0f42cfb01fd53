/** Events by a value of their visits: the same whether the numbers of the visits lie close together or far apart. */
import { openTally } from '#src/columns/kernels/tally.ts';
import { countViewers } from '#src/columns/kernels/viewers.ts';
import { VisitValues } from '#src/columns/kernels/visit-values.ts';
import { NumberBuilder, PlainBuilder } from '#src/columns/storage/builders.ts';
import fc from '#test/kit/fast-check.ts';

const NEAR = 8_192;
const FAR = 10_000_000;

const cases = fc.record({
  /** Blocks of visits: where each begins, and its visits with their values. */
  pieces: fc.uniqueArray(
    fc.record({
      block: fc.constantFrom(0, 1, 2, 900),
      visits: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.nat(6)), {
        minLength: 1,
        maxLength: 60,
        selector: ([visit]) => visit,
      }),
      except: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 3 }),
    }),
    { selector: ({ block }) => block, maxLength: 4 },
  ),
  /** 0: no visit. */
  views: fc.array(fc.tuple(fc.constantFrom(0, 1, 2, 900, null), fc.nat(450), fc.nat(30)), { maxLength: 200 }),
  meaning: fc.array(fc.nat(5), { minLength: 4, maxLength: 7 }),
  none: fc.constantFrom(0, 6),
});

it.each([
  ['close together', NEAR],
  ['far apart', FAR],
])('are counted one by one: numbers %s', (_, size) => {
  fc.assert(
    fc.property(cases, ({ pieces, views, meaning, none }) => {
      const wanted = new Map<number, number>();
      const built = pieces.map(({ block, visits, except }) => {
        const [ids, values] = [new PlainBuilder(), new NumberBuilder()];
        for (const [visit, value] of visits) {
          ids.add(block * size + visit);
          values.add(value);
          if (!except.includes(visit)) wanted.set(block * size + visit, meaning[value] ?? 0);
        }
        return {
          ids: ids.finish(),
          values: values.finish() ?? undefined,
          except: except.map((visit) => block * size + visit),
        };
      });
      const pairs = views.map(([block, visit, person]) => [block === null ? 0 : block * size + visit, person] as const);
      const tally = countViewers(
        {
          visits: Float64Array.from(pairs, ([visit]) => visit),
          persons: Int32Array.from(pairs, ([, person]) => person),
        },
        new VisitValues({ pieces: built, meaning: Int32Array.from(meaning), none }),
      );
      const found = new Map<number, number[]>();
      const { ids, ends, counts, persons } = openTally(tally);
      ids.forEach((id, at) => {
        found.set(id, [...persons.subarray(at === 0 ? 0 : ends[at - 1], ends[at])]);
        expect(counts[at]).toBe(found.get(id)?.length);
      });
      const told = Map.groupBy(pairs, ([visit]) => wanted.get(visit) ?? none);
      expect(found).toEqual(new Map([...told].map(([value, own]) => [value, own.map(([, person]) => person)])));
    }),
    { numRuns: 60 },
  );
});
