/**
 * The kernels of retention and paths beside the plain reference, on crowds that stored events seldom make: many persons merged into each
 * other, chunks that overlap in time, everything on boundaries, more periods than a word has bits.
 */

import type { TrendPart } from '#src/columns/kernels/count-trend.ts';
import type { StepsPart } from '#src/columns/kernels/list-steps.ts';
import { countEach, markPersons } from '#src/columns/kernels/mark-persons.ts';
import { findPaths } from '#src/columns/kernels/paths.ts';
import { findRetention } from '#src/columns/kernels/retention.ts';
import fc from '#test/kit/fast-check.ts';
import { cohortsOf, columnsOf, type PathsWish, transitionsOf } from '../insights/follow/reference-follow.ts';
import type { Happened, Reference } from '../insights/reference.ts';

const PERSONS = 9;
/** Whom each was merged into, also such as did nothing themselves and have higher numbers; 0: into nobody. */
const merges = fc
  .array(fc.constantFrom(0, 0, 1, 2, 3, PERSONS + 4, PERSONS + 40), { minLength: PERSONS, maxLength: PERSONS })
  .map((into) => Int32Array.from([0, 0, 0, 0, ...into]));
const person = fc.integer({ min: 1, max: PERSONS + 3 });

interface Told {
  name: string;
  person: number;
  ts: number;
  /** In which chunk it is stored. */
  chunk: number;
  plan: string;
}

function historyOf(told: readonly Told[]): Happened[] {
  return told.map(({ name, person: own, ts, plan }, at) => ({
    ...{ uuid: String(at), event: name, distinctId: String(own), ts, session: null, bot: false },
    ...{ path: null, referringDomain: null, plan },
  }));
}

/** A project in which everything counts, with weeks of ten. */
function plain(told: readonly Told[], mergedInto: Int32Array, now: number): Reference {
  const always = () => true;
  return {
    ...{ history: historyOf(told), isCounted: always, isWished: always, current: always, question: { now } },
    fulfils: ({ plan }: Happened) => plan === 'pro',
    personOf: (id: string) => String(mergedInto[Number(id)] || Number(id)),
    clock: (ts: number) => String(ts),
    key: (_: string, text: string) => String(Math.floor(Number(text) / WEEK)).padStart(4, '0'),
  } as never;
}

const WEEK = 10;
/** When the first period begins: something happened before it. */
const BEGIN = 10 * WEEK;
const CHUNKS = 4;

/** As they were stored: chunk by chunk. */
function stored(told: readonly Told[]): Told[] {
  return [...told].sort((one, other) => one.chunk - other.chunk);
}

function chunksOf(told: readonly Told[]): Told[][] {
  return Array.from({ length: CHUNKS }, (_, chunk) => told.filter((each) => each.chunk === chunk));
}

/** What a chunk says of each week and plan: who did it, and how often. Its weeks are numbered from `shift` on. */
function trendOf(told: readonly Told[], shift: number): { part: TrendPart; shift: number } {
  const keys = ['free', 'pro'];
  const cells = new Map<string, Map<number, number>>();
  const inOrder = [...told].sort((one, other) => one.ts - other.ts);
  for (const { ts, plan, person: own } of inOrder.filter((each) => each.ts >= BEGIN)) {
    const key = [Math.floor((ts - BEGIN) / WEEK) - shift, keys.indexOf(plan)].join();
    const people = cells.get(key) ?? new Map<number, number>();
    cells.set(key, people.set(own, (people.get(own) ?? 0) + 1));
  }
  const all = [...cells].map(([key, people]) => ({ at: key.split(',').map(Number) as [number, number], people }));
  let end = 0;
  const part: TrendPart = {
    keys,
    stretches: Int32Array.from(all, ({ at }) => at[0]),
    keyed: Int32Array.from(all, ({ at }) => at[1]),
    counts: Int32Array.from(all, ({ people }) => [...people.values()].reduce((sum, times) => sum + times, 0)),
    ignored: new Int32Array(all.length),
    ends: Int32Array.from(all, ({ people }) => {
      end += people.size;
      return end;
    }),
    items: Float64Array.from(all.flatMap(({ people }) => [...people.keys()])),
    times: Int32Array.from(all.flatMap(({ people }) => [...people.values()])),
  };
  return { part, shift };
}

/** In order of time, of one moment as they were stored. */
function stepsOf(told: readonly Told[], bitsOf: (each: Told) => number, keys: readonly string[] = ['']): StepsPart {
  const inOrder = told
    .map((each, at) => ({ each, at }))
    .sort((one, other) => one.each.ts - other.each.ts || one.at - other.at)
    .map(({ each }) => each);
  return {
    ...{ keys: [...keys], keyed: Int32Array.from(inOrder, ({ name }) => Math.max(0, keys.indexOf(name))), base: 0 },
    actors: Int32Array.from(inOrder, (each) => each.person),
    times: Uint32Array.from(inOrder, ({ ts }) => ts),
    bits: Int32Array.from(inOrder, bitsOf),
  };
}

function firstOfEach(told: readonly Told[]): Told[] {
  const inOrder = told
    .map((each, at) => ({ each, at }))
    .sort((one, other) => one.each.ts - other.each.ts || one.at - other.at);
  return inOrder
    .map(({ each }) => each)
    .filter((each, at, all) => all.findIndex((other) => other.person === each.person) === at);
}

it('retention is the same in the plainest way, over more periods than a word has bits', () => {
  let cameBack = 0;
  let late = 0;
  const periodsOf = fc.oneof(
    { arbitrary: fc.constantFrom(1, 2, 4, 6), weight: 7 },
    { arbitrary: fc.constantFrom(32, 33), weight: 2 },
  );
  const given = periodsOf.chain((periods) =>
    fc.tuple(
      fc.constant(periods),
      fc.array(
        fc.record({
          name: fc.constantFrom('start', 'back', 'else'),
          person,
          // Half of it in the last weeks, or of many periods hardly any had someone begin beyond a word.
          ts: fc.oneof(
            fc.integer({ min: BEGIN - 2 * WEEK, max: BEGIN + periods * WEEK - 1 }),
            fc.integer({ min: BEGIN + (periods - 2) * WEEK, max: BEGIN + periods * WEEK - 1 }),
          ),
          chunk: fc.nat({ max: CHUNKS - 1 }),
          plan: fc.constantFrom('free', 'pro'),
        }),
        { minLength: 1, maxLength: 60, size: 'max' },
      ),
    ),
  );
  fc.assert(
    fc.property(
      given,
      merges,
      fc.constantFrom('firstEver' as const, 'firstMatching' as const, 'recurring' as const),
      fc.boolean(),
      fc.integer({ min: 1, max: 2 }),
      fc.nat({ max: 2 }),
      fc.option(fc.constantFrom<number[]>([0], [0, 2], [1, 2, 40]), { nil: undefined }),
      ([periods, some], mergedInto, kind, isRolling, least, shift, brackets) => {
        const told = stored(some);
        const isStart = ({ name, plan }: Told) => name === 'start' && plan === 'pro';
        const starts = Array.from({ length: periods }, (_, at) => BEGIN + at * WEEK);
        const wanted = cohortsOf(
          plain(told, mergedInto, BEGIN + periods * WEEK),
          {
            ...{ start: [{ event: 'start', filters: {} as never }], back: [{ event: 'back' }], kind },
            ...{ least, rolling: isRolling, period: 'week', ...(brackets && { brackets }) },
          },
          ...([starts, () => true, null, ''] as const),
        );
        const chunks = chunksOf(told);
        const ofKind = (each: Told) => (kind === 'firstEver' ? each.name === 'start' : isStart(each));
        const columns = columnsOf({ ...(brackets && { brackets }) }, periods);
        const found = findRetention(
          { periods, columns, mergedInto, least, isRolling, edges: [...starts, BEGIN + periods * WEEK] },
          {
            starts: kind === 'recurring' ? chunks.map((own) => trendOf(own.filter(isStart), shift)) : null,
            firsts:
              kind === 'recurring'
                ? []
                : chunks.map((own) => stepsOf(firstOfEach(own.filter(ofKind)), (each) => (isStart(each) ? 3 : 1))),
            returns: chunks.map((own) =>
              trendOf(
                own.filter(({ name }) => name === 'back'),
                shift,
              ),
            ),
          },
        );
        expect([...found.sizes]).toEqual(wanted.map(({ size }) => size));
        const rows = wanted.map((_, at) => {
          const begun = columns.filter(({ from }) => at + from < periods).length;
          return [...found.returned.subarray(at * columns.length, at * columns.length + begun)];
        });
        expect(rows).toEqual(wanted.map(({ returned }) => returned));
        cameBack += rows.flat().reduce((sum, count) => sum + count, 0);
        late += wanted.slice(31).reduce((sum, { size }) => sum + size, 0);
      },
    ),
    { numRuns: 120 },
  );
  expect(cameBack).toBeGreaterThan(50);
  expect(late).toBeGreaterThan(0);
});

it('who did something so often is marked under every number that they ever had', () => {
  const doing = fc.record({
    ...{ name: fc.constant('did'), person, ts: fc.integer({ min: BEGIN, max: BEGIN + 3 * WEEK }) },
    ...{ chunk: fc.nat({ max: CHUNKS - 1 }), plan: fc.constantFrom('free', 'pro') },
  });
  fc.assert(
    fc.property(
      fc.array(doing, { maxLength: 20 }),
      merges,
      fc.integer({ min: 1, max: 3 }),
      (told, mergedInto, least) => {
        const parts = chunksOf(stored(told)).map((own) => trendOf(own, 0));
        const counts = [countEach(parts.slice(0, 1)), countEach(parts.slice(1))];
        const marks = markPersons({ mergedInto, least }, counts);
        const now = (number: number) => mergedInto[number] || number;
        const numbers = Array.from({ length: PERSONS + 50 }, (_, number) => number);
        const often = numbers.filter(
          (number) => told.filter((each) => now(each.person) === now(number)).length >= least && number > 0,
        );
        expect(numbers.filter((number) => marks[number] === 1)).toEqual(often);
      },
    ),
    { numRuns: 200 },
  );
});

const MINUTE = 60_000;

it('paths are the same in the plainest way, also where they break, begin, end or have too many steps', () => {
  let paths = 0;
  let gaps = 0;
  const node = fc.constantFrom('a', 'b', '/*');
  const nodes = ['a', 'b', '/*', 'null'];
  const keys = ['a', 'b', 'c', 'd', 'x'];
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          name: fc.constantFrom(...keys),
          person,
          ts: fc.nat({ max: 16 }).map((tens) => tens * 10 * MINUTE),
          chunk: fc.nat({ max: CHUNKS - 1 }),
          plan: fc.constant('free'),
        }),
        { minLength: 1, maxLength: 120, size: 'max' },
      ),
      merges,
      fc.record({ length: fc.integer({ min: 2, max: 6 }), start: fc.option(node), end: fc.option(node) }),
      fc.integer({ min: 1, max: 3 }),
      (some, mergedInto, { length, start, end }, of) => {
        const told = stored(some);
        const wish: PathsWish = {
          ...{ of: 'all', length, grouped: ['c', 'd'], excluded: ['x'] },
          ...(start !== null && { start }),
          ...(end !== null && { end }),
        };
        const wanted = transitionsOf(plain(told, mergedInto, 0), wish, () => true);
        const parts = chunksOf(told).map((own) => stepsOf(own, () => 1, keys));
        const plan = {
          ...{ mergedInto, pauseMs: 30 * MINUTE, most: length, nodes: nodes.length, gap: nodes.indexOf('null') },
          ...{ start: start === null ? null : nodes.indexOf(start), end: end === null ? null : nodes.indexOf(end) },
        };
        const shares = Array.from({ length: of }, (_, at) =>
          findPaths(
            { ...plan, share: { at, of } },
            parts,
            parts.map(() => Int32Array.from([0, 1, 2, 2, -1])),
          ),
        );
        const found = new Map<string, [count: number, ms: number]>();
        for (const { step, from, to, count, ms } of shares.flatMap(({ edges }) => edges)) {
          const key = [step, nodes[from], nodes[to]].join(' ');
          const [before, msBefore] = found.get(key) ?? [0, 0];
          found.set(key, [before + count, msBefore + ms]);
        }
        expect(found).toEqual(wanted.edges);
        expect(shares.reduce((sum, share) => sum + share.paths, 0)).toBe(wanted.paths);
        paths += wanted.paths;
        gaps += [...wanted.edges.keys()].filter((key) => key.endsWith(' null')).length;
      },
    ),
    { numRuns: 300 },
  );
  expect(paths).toBeGreaterThan(300);
  expect(gaps).toBeGreaterThan(0);
});

// What went through everything again for every few persons would take a minute.
it('paths of fifty thousand people are gone through once', () => {
  const times = Uint32Array.from({ length: 200_000 }, (_, at) => at);
  const part = {
    ...{ keys: ['a', 'b'], keyed: null, base: 0, times, bits: new Int32Array(times.length).fill(1) },
    actors: Float64Array.from(times, (at) => 1 + (at % 50_000)),
  };
  const plan = { mergedInto: null, pauseMs: 30 * MINUTE, most: 5, nodes: 2, gap: 1, start: null, end: null };
  expect(findPaths(plan, [part], [Int32Array.from([0, 1])]).paths).toBe(50_000);
});
