/** Funnel attempts: the kernel compared with the plain reference, on dense timelines, which stored events rarely have. */

import { type FunnelRow, findFunnel } from '#src/columns/kernels/funnel.ts';
import { joinFunnels } from '#src/columns/kernels/funnel-found.ts';
import type { StepsPart } from '#src/columns/kernels/list-steps.ts';
import fc from '#test/kit/fast-check.ts';
import { type Attempt, attemptsOf, type FunnelWish, valuedAttempts } from '../insights/follow/reference-follow.ts';
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

/** What an event says of the breakdown. */
const said = ({ uuid }: Happened) => 'xyz'[Number(uuid) % 3] as string;

/** What a chunk tells: in order of time, of one moment as it was stored. */
function partOf(some: Happened[], kinds: string[][]): StepsPart {
  const inOrder = some
    .map((each, at) => ({ each, at }))
    .sort((one, other) => one.each.ts - other.each.ts || one.at - other.at);
  const events = inOrder.map(({ each }) => each);
  const bitsOf = ({ event }: Happened) =>
    kinds.reduce((bits, names, kind) => bits | (names.includes(event) ? 1 << kind : 0), 0);
  const keys = [...new Set(events.map(said))];
  return {
    ...{ keys: [0, ...keys], keyed: Int32Array.from(events, (each) => 1 + keys.indexOf(said(each))) },
    ...{ base: 0, actors: Int32Array.from(events, ({ distinctId }) => Number(distinctId)) },
    ...{ times: Uint32Array.from(events, ({ ts }) => ts), bits: Int32Array.from(events, bitsOf) },
  };
}

const names = fc.constantFrom<string>('A', 'B', 'C', 'X');
const step: fc.Arbitrary<string[]> = fc.oneof(
  { arbitrary: names.map((name) => [name]), weight: 5 },
  fc.constant<string[]>(['A', 'B']),
);

const attributions = fc.oneof(
  fc.constantFrom('first' as const, 'last' as const, 'all' as const),
  fc.record({ step: fc.integer({ min: 1, max: 4 }) }),
);

/** Moments at which intervals of entry begin, and at which the last ends. */
const edges = [0, 7, 7, 20, END];

interface Listed {
  value: string;
  times: number[];
  interval: number;
}

function listed(value: string, attempt: Attempt): Listed {
  const times = attempt.map((each) => each?.ts ?? -1);
  return { value, times, interval: edges.slice(0, -1).findLastIndex((edge) => edge <= (times[0] as number)) };
}

function listedIn({ key, people }: FunnelRow): Listed[] {
  return people.map(({ times, interval }) => ({ value: key === 0 ? '' : `${key}`, times, interval }));
}

function inOrder(all: readonly Listed[]): string[] {
  return all.map((each) => JSON.stringify(each)).sort();
}

it('is the same in the plainest way, in any order, with optional steps and with what must not lie between', () => {
  const counts = { converted: 0, left: 0, skipped: 0, several: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: END - 1 })), {
        minLength: 1,
        maxLength: 14,
        size: 'max',
      }),
      fc.array(step, { minLength: 2, maxLength: 4 }),
      fc.constantFrom('ordered' as const, 'ordered' as const, 'strict' as const, 'any' as const),
      fc.record({
        windowMs: fc.integer({ min: 1, max: END }),
        optional: fc.constantFrom<number[]>([2], [2, 3], []),
        attribution: attributions,
        exclusion: fc.option(
          fc.record({ excluded: step, after: fc.integer({ min: 1, max: 3 }), more: fc.integer({ min: 1, max: 3 }) }),
        ),
      }),
      fc.nat({ max: 14 }),
      fc.integer({ min: 1, max: 3 }),
      (told, steps, order, { windowMs, exclusion, ...given }, cut, of) => {
        const history = told.map(([event, person, ts], at) => happened(event, person, ts, at));
        const last = steps.length;
        const optional = order === 'ordered' ? given.optional.filter((each) => each < last) : [];
        const attribution =
          typeof given.attribution === 'string' || (order !== 'any' && given.attribution.step <= last)
            ? given.attribution
            : 'all';
        const needed = steps.map((_, at) => at + 1).filter((each) => !optional.includes(each));
        const place = order === 'any' ? 0 : Math.min((exclusion?.after ?? 1) - 1, needed.length - 2);
        const [after, before] = [needed[place] as number, needed[place + (exclusion?.more ?? 1)] ?? last];
        const between = order === 'any' ? { after: 1, before: last } : { after, before };
        const excluded = exclusion === null ? [] : [exclusion.excluded];
        const rulesOf = (some: string[]) => some.map((event) => ({ event }));
        const wish: FunnelWish = {
          ...{ order, windowMs, optional, per: 'persons', steps: steps.map(rulesOf) },
          exclusions: excluded.map((some) => ({ rules: rulesOf(some), ...between })),
        };
        const all = () => true;
        const wanted = attemptsOf(plain(history), wish, all, END);
        const valued = valuedAttempts(plain(history), wish, all, attribution, said);
        const parts = [history.slice(0, cut), history.slice(cut)].map((some) => partOf(some, [...steps, ...excluded]));
        const plan = {
          ...{ steps: last, optional, order, windowMs, attribution, edges, listsPeople: true },
          exclusions: excluded.map((_, at) => ({ bit: last + at, ...between })),
          mergedInto: null,
        };
        const shares = Array.from({ length: of }, (_, at) => findFunnel({ ...plan, share: { at, of } }, parts));
        const found = joinFunnels(shares);
        expect({
          excluded: found.excluded.length,
          open: found.unconverted.began.filter((began) => began + windowMs > END).length,
        }).toEqual({ excluded: wanted.excluded, open: wanted.open });
        const rows = shares.flatMap((share) => share.rows);
        expect(inOrder(rows.flatMap(listedIn))).toEqual(
          inOrder(valued.map(({ value, attempt }) => listed(value, attempt))),
        );
        const wholes = shares.flatMap((share) => share.whole ?? share.rows);
        expect(inOrder(wholes.flatMap(listedIn).map((each) => ({ ...each, value: '' })))).toEqual(
          inOrder(wanted.attempts.map((attempt) => listed('', attempt))),
        );
        const took = valued.flatMap(({ attempt }) =>
          attempt.flatMap((each, at) => {
            const earlier = needed.filter((one) => one <= at).at(-1);
            return each === null || earlier === undefined ? [] : each.ts - (attempt[earlier - 1] as Happened).ts;
          }),
        );
        expect(rows.flatMap((row) => row.took.flatMap((each) => [...each])).sort()).toEqual(took.sort());
        counts.converted += wanted.attempts.filter((each) => each[last - 1] !== null).length;
        counts.skipped += wanted.attempts.filter((each) => each[1] === null && each[2]).length;
        counts.left += wanted.excluded;
        counts.several += valued.length > wanted.attempts.length ? 1 : 0;
      },
    ),
    { numRuns: 500 },
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
});
