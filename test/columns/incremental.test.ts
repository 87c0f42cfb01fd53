/** Funnels, paths, retention and activity counted onto what was kept, beside counting everything, while chunks come and people are merged and split. */

import { countIncrementally, type Piece, replaced } from '#src/columns/count/incremental.ts';
import { findActivity } from '#src/columns/kernels/activity.ts';
import type { TrendPart } from '#src/columns/kernels/count-trend.ts';
import { type FunnelFound, findFunnel } from '#src/columns/kernels/funnel.ts';
import { funnelWithout, joinFunnels } from '#src/columns/kernels/funnel-found.ts';
import type { StepsPart } from '#src/columns/kernels/list-steps.ts';
import { findPaths } from '#src/columns/kernels/paths.ts';
import { findRetention } from '#src/columns/kernels/retention.ts';
import { partsOfRow, type RetentionPiece, renewedRows } from '#src/columns/queries/retention-rows.ts';
import { createCache } from '#src/columns/storage/cache.ts';
import { tagImmutable } from '#src/columns/storage/immutable.ts';
import { createThreads } from '#src/columns/threads/threads.ts';
import fc from '#test/kit/fast-check.ts';

const PERSONS = 24;
const HIGHEST = PERSONS + 6;
const PERIOD = 10;
const PERIODS = 4;

interface Done {
  person: number;
  ts: number;
  bits: number;
  key: number;
}

const done: fc.Arbitrary<Done> = fc.record({
  person: fc.integer({ min: 1, max: PERSONS }),
  ts: fc.integer({ min: 0, max: PERIOD * PERIODS - 1 }),
  bits: fc.integer({ min: 1, max: 7 }),
  key: fc.integer({ min: 0, max: 2 }),
});
/** Into whom each was merged, without chains; some into persons who did nothing. */
const merges = fc
  .array(fc.tuple(fc.integer({ min: 1, max: PERSONS }), fc.integer({ min: 1, max: HIGHEST })), { maxLength: 4 })
  .map((pairs) => {
    const into = new Int32Array(HIGHEST + 1);
    for (const [person, other] of pairs) {
      if (person !== other && into[other] === 0 && !into.includes(person)) into[person] = other;
    }
    return into;
  });
/** Chunks that last, with merges as they are then; and chunks that are new each time. */
const round = fc.record({
  sealed: fc.array(fc.array(done, { maxLength: 6 }), { maxLength: 2 }),
  fresh: fc.array(fc.array(done, { maxLength: 4 }), { maxLength: 1 }),
  mergedInto: fc.option(merges),
});

function stepsOf(all: readonly Done[]): StepsPart {
  const inOrder = [...all].sort((one, other) => one.ts - other.ts);
  return {
    keys: [0, 'a', 'b'],
    keyed: Int32Array.from(inOrder, ({ key }) => key),
    actors: Int32Array.from(inOrder, ({ person }) => person),
    times: Uint32Array.from(inOrder, ({ ts }) => ts),
    base: 0,
    bits: Int32Array.from(inOrder, ({ bits }) => bits),
  };
}

/** A cell for each period and key. */
function trendOf(all: readonly Done[]): TrendPart {
  const cells = Array.from({ length: PERIODS * 3 }, (_, cell) => {
    const own = all.filter(({ ts, key }) => Math.floor(ts / PERIOD) * 3 + key === cell);
    return [...new Set(own.map(({ person }) => person))].map((person) => ({
      person,
      times: own.filter((each) => each.person === person).length,
    }));
  });
  let end = 0;
  return {
    keys: [0, 'a', 'b'],
    stretches: Int32Array.from(cells, (_, cell) => Math.floor(cell / 3)),
    keyed: Int32Array.from(cells, (_, cell) => cell % 3),
    counts: Int32Array.from(cells, (cell) => cell.reduce((sum, { times }) => sum + times, 0)),
    ignored: new Int32Array(PERIODS * 3),
    ends: Int32Array.from(cells, (cell) => {
      end += cell.length;
      return end;
    }),
    items: Float64Array.from(cells.flat(), ({ person }) => person),
    times: Int32Array.from(cells.flat(), ({ times }) => times),
  };
}

const attributions = fc.constantFrom('first' as const, 'last' as const, 'all' as const, { step: 2 });
const figures = { kept: 0, renewed: 0 };

function shownFunnel({ rows, whole, excluded, unconverted }: FunnelFound) {
  const sorted = (list: Iterable<number>) => [...list].sort((one, other) => one - other);
  const shown = ({ key, done: steps, intervals, took, totalMs, actors }: FunnelFound['rows'][number]) => ({
    key,
    attempts: [...actors].map((actor, at) => `${actor} ${steps[at]} ${intervals[at]}`).sort(),
    took: took.map(sorted),
    totalMs: sorted(totalMs),
  });
  return {
    rows: rows.map(shown).sort((one, other) => String(one.key).localeCompare(String(other.key))),
    whole: whole && shown(whole),
    excluded: sorted(excluded),
    began: [...unconverted.actors].map((actor, at) => `${actor} ${unconverted.began[at]}`).sort(),
  };
}

it('comes to the same as counting everything', async () => {
  const threads = createThreads(0);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(done, { minLength: 1, maxLength: 12 }), { minLength: 4, maxLength: 6 }),
      fc.array(round, { minLength: 1, maxLength: 4 }),
      attributions,
      fc.constantFrom('ordered' as const, 'any' as const),
      fc.constantFrom(0.25, 1),
      async (first, rounds, attribution, order, mostChanged) => {
        const parts = { cache: createCache(1_000_000), threads, mostChanged };
        const sealed = new Map<readonly Done[], { steps: StepsPart; trend: TrendPart }>();
        const piecesOf = (all: readonly Done[], lasts: boolean) => {
          const known = sealed.get(all) ?? { steps: stepsOf(all), trend: trendOf(all) };
          if (!lasts) return known;
          tagImmutable(known.steps);
          tagImmutable(known.trend);
          sealed.set(all, known);
          return known;
        };
        const lasting = [...first];
        for (const { sealed: more, fresh, mergedInto } of [{ sealed: [], fresh: [], mergedInto: null }, ...rounds]) {
          lasting.push(...more);
          const all = [...lasting.map((each) => piecesOf(each, true)), ...fresh.map((each) => piecesOf(each, false))];
          const steps = all.map((each): Piece<StepsPart> => ({ part: each.steps, as: '' }));
          const count = { pieces: steps, mergedInto, bytesOf: () => 100 };
          const isKept = parts.cache.get('funnel') !== undefined;
          if (isKept) figures.kept++;

          const plan = {
            steps: 3,
            order,
            windowMs: 15,
            attribution,
            edges: [0, 20],
            exclusions: [{ bit: 2, after: 1, before: order === 'any' ? 3 : 2 }],
          };
          const funnelOf = (own: readonly Piece<StepsPart>[], into: Int32Array | null) =>
            findFunnel(
              { ...plan, mergedInto: into },
              own.map(({ part }) => part),
            );
          const funnel = await countIncrementally(parts, {
            ...count,
            key: 'funnel',
            find: async (own, into) => funnelOf(own, into),
            renew: (base, _, now, chosen) => {
              figures.renewed++;
              return joinFunnels([funnelWithout(base, chosen), now]);
            },
          });
          expect(shownFunnel(funnel)).toEqual(shownFunnel(funnelOf(steps, mergedInto)));

          const pathsOf = (own: readonly Piece<StepsPart>[], into: Int32Array | null) => {
            const nodes = own.map(() => Int32Array.of(-1, 0, 1));
            const asked = { pauseMs: 8, most: 3, start: null, end: null, nodes: 3, gap: 2, mergedInto: into };
            return findPaths(
              asked,
              own.map(({ part }) => part),
              nodes,
            ).paths;
          };
          const paths = await countIncrementally(parts, {
            ...count,
            key: 'paths',
            find: async (own, into) => pathsOf(own, into),
            renew: (base, before, now) => base - before + now,
          });
          expect(paths).toBe(pathsOf(steps, mergedInto));

          // Recurring and first starts by row of a breakdown.
          for (const isRecurring of [true, false]) {
            const keyed = all.flatMap((each): RetentionPiece[] => [
              isRecurring
                ? { part: each.trend, of: 'starts', shift: 0, as: 's' }
                : { part: each.steps, of: 'firsts', as: '1' },
              { part: each.trend, of: 'returns', shift: 0, as: 'r' },
            ]);
            const retentionOf = (own: readonly RetentionPiece[], into: Int32Array | null) =>
              [0, 'a', null].map((key) =>
                findRetention(
                  {
                    periods: PERIODS,
                    least: 1,
                    isRolling: false,
                    mergedInto: into,
                    edges: Array.from({ length: PERIODS + 1 }, (_, at) => at * PERIOD),
                    columns: Array.from({ length: PERIODS }, (_, at) => ({ from: at, to: at })),
                  },
                  partsOfRow(own, isRecurring, key === null ? null : (each) => each === key),
                ),
              );
            const retention = await countIncrementally(parts, {
              key: `retention ${isRecurring}`,
              pieces: keyed,
              mergedInto,
              bytesOf: () => 100,
              find: async (own, into) => retentionOf(own, into),
              renew: renewedRows,
            });
            const wanted = retentionOf(keyed, mergedInto);
            expect(retention.map(({ sizes, returned }) => [[...sizes], [...returned]])).toEqual(
              wanted.map(({ sizes, returned }) => [[...sizes], [...returned]]),
            );
          }

          const activityOf = (own: readonly Piece[], into: Int32Array | null) =>
            findActivity(
              {
                periods: PERIODS,
                minCount: 2,
                mergedInto: into,
                edges: Array.from({ length: PERIODS + 1 }, (_, at) => at * PERIOD),
              },
              {
                firsts: own.flatMap(({ part }) => ('actors' in part ? part : [])),
                activity: own.flatMap(({ part }) => ('actors' in part ? [] : { part, shift: 0 })),
              },
            );
          const both = all.flatMap((each): Piece[] => [
            { part: each.steps, as: 'first ' },
            { part: each.trend, as: '' },
          ]);
          const activity = await countIncrementally(parts, {
            key: 'activity',
            pieces: both,
            mergedInto,
            bytesOf: () => 100,
            find: async (own, into) => activityOf(own, into),
            renew: (base, before, now) => ({
              active: replaced(base.active, before.active, now.active),
              new: replaced(base.new, before.new, now.new),
              returning: replaced(base.returning, before.returning, now.returning),
              byPeriods: replaced(base.byPeriods, before.byPeriods, now.byPeriods),
              picked: now.picked,
            }),
          });
          expect(activity).toEqual({ ...activityOf(both, mergedInto), picked: activity.picked });
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(figures.kept).toBeGreaterThan(300);
  expect(figures.renewed).toBeGreaterThan(300);
});
