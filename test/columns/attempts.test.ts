/** How far somebody came: the kernel of funnels beside the plain reference, on crowded courses, which stored events seldom make. */

import { findFunnel } from '#src/columns/kernels/funnel.ts';
import type { StepsPart } from '#src/columns/kernels/list-steps.ts';
import fc from '#test/kit/fast-check.ts';
import { attemptsOf, type FunnelWish } from '../insights/follow/reference-follow.ts';
import type { Happened, Reference } from '../insights/reference.ts';

const END = 30;

function happened(event: string, person: number, ts: number, at: number): Happened {
  return {
    ...{ uuid: String(at), event, distinctId: String(person), ts, session: null, bot: false },
    ...{ path: null, referringDomain: null },
  };
}

/** A project in which everything counts, and everybody is who they are. */
function plain(history: Happened[]): Reference {
  const always = () => true;
  const personOf = (id: string) => id;
  return { history, personOf, isCounted: always, isWished: always, fulfils: always, current: always } as never;
}

/** What a chunk tells: in order of time, of one moment as it was stored. */
function partOf(some: Happened[], kinds: string[][]): StepsPart {
  const inOrder = some
    .map((each, at) => ({ each, at }))
    .sort((one, other) => one.each.ts - other.each.ts || one.at - other.at);
  const events = inOrder.map(({ each }) => each);
  const bitsOf = ({ event }: Happened) =>
    kinds.reduce((bits, names, kind) => bits | (names.includes(event) ? 1 << kind : 0), 0);
  return {
    ...{ keys: [0], keyed: null, base: 0, actors: Int32Array.from(events, ({ distinctId }) => Number(distinctId)) },
    ...{ times: Uint32Array.from(events, ({ ts }) => ts), bits: Int32Array.from(events, bitsOf) },
  };
}

const names = fc.constantFrom<string>('A', 'B', 'C', 'X');
const step: fc.Arbitrary<string[]> = fc.oneof(
  { arbitrary: names.map((name) => [name]), weight: 5 },
  fc.constant<string[]>(['A', 'B']),
);

it('is the same in the plainest way, in any order, with what must not lie between', () => {
  let converted = 0;
  let left = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: END - 1 })), {
        minLength: 1,
        maxLength: 14,
        size: 'max',
      }),
      fc.array(step, { minLength: 2, maxLength: 4 }),
      fc.constantFrom('ordered' as const, 'strict' as const, 'any' as const),
      fc.integer({ min: 1, max: END }),
      fc.option(
        fc.record({ excluded: step, after: fc.integer({ min: 1, max: 3 }), more: fc.integer({ min: 1, max: 3 }) }),
      ),
      fc.nat({ max: 14 }),
      fc.integer({ min: 1, max: 3 }),
      (told, steps, order, windowMs, exclusion, cut, of) => {
        const history = told.map(([event, person, ts], at) => happened(event, person, ts, at));
        const last = steps.length;
        const after = order === 'any' ? 1 : Math.min(exclusion?.after ?? 1, last - 1);
        const before = order === 'any' ? last : Math.min(after + (exclusion?.more ?? 1), last);
        const excluded = exclusion === null ? [] : [exclusion.excluded];
        const rulesOf = (some: string[]) => some.map((event) => ({ event }));
        const wish: FunnelWish = {
          ...{ order, windowMs, per: 'persons', steps: steps.map(rulesOf) },
          exclusions: excluded.map((some) => ({ rules: rulesOf(some), after, before })),
        };
        const wanted = attemptsOf(plain(history), wish, () => true, END);
        const parts = [history.slice(0, cut), history.slice(cut)].map((some) => partOf(some, [...steps, ...excluded]));
        const exclusions = excluded.map((_, at) => ({ bit: last + at, after, before }));
        const plan = { steps: last, order, windowMs, exclusions, mergedInto: null, until: END };
        const shares = Array.from({ length: of }, (_, at) => findFunnel({ ...plan, share: { at, of } }, parts));
        const sumOf = (what: 'excluded' | 'open') => shares.reduce((sum, share) => sum + share[what], 0);
        const found = {
          rows: shares.flatMap(({ rows }) => rows),
          excluded: sumOf('excluded'),
          open: sumOf('open'),
        };
        const ended = steps.map((_, at) => wanted.attempts.filter(({ length }) => length === at + 1).length);
        const took = wanted.attempts.flatMap((each) =>
          each.slice(1).map(({ ts }, at) => ts - (each[at] as Happened).ts),
        );
        expect(steps.map((_, at) => found.rows.reduce((sum, row) => sum + (row.ended[at] as number), 0))).toEqual(
          ended,
        );
        expect({ excluded: found.excluded, open: found.open }).toEqual({
          excluded: wanted.excluded,
          open: wanted.open,
        });
        expect(found.rows.flatMap((row) => row.took.flatMap((each) => [...each])).sort()).toEqual(took.sort());
        converted += ended[last - 1] as number;
        left += wanted.excluded;
      },
    ),
    { numRuns: 500 },
  );
  expect(converted).toBeGreaterThan(20);
  expect(left).toBeGreaterThan(20);
});
