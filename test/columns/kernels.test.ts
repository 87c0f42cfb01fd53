/** What the kernels are quick about is the same as counting one by one. */

import { collect } from '#src/columns/kernels/collect.ts';
import { merge } from '#src/columns/kernels/merge.ts';
import { SCRATCH } from '#src/columns/kernels/scratch.ts';
import { keepMarked } from '#src/columns/kernels/select.ts';
import { quantileOf } from '#src/columns/kernels/summarize.ts';
import { TallyBuilder } from '#src/columns/kernels/tally.ts';
import { wideCodes } from '#src/columns/kernels/wide.ts';
import { NumberBuilder, PlainBuilder } from '#src/columns/storage/builders.ts';
import { numbersOf } from '#src/columns/storage/format.ts';
import { PropertyBuilder } from '#src/columns/storage/property-builder.ts';
import fc from '#test/kit/fast-check.ts';

describe('a merge', () => {
  const person = fc.nat(5_000);
  const few = fc.uniqueArray(person, { maxLength: 300 });
  // So many that each has a mark of their own, among them some with numbers far beyond the others.
  const many = fc
    .record({ from: fc.nat(90_000), length: fc.nat(4_000), step: fc.integer({ min: 1, max: 9 }) })
    .map(({ from, length, step }) => Array.from({ length }, (_, at) => from + at * step));
  const told = fc.array(fc.tuple(fc.nat(4), fc.oneof(few, many)), { maxLength: 6 });

  it('counts everybody once in each group and once in all, as who they are now', () => {
    void fc.assert(
      fc.property(fc.array(told, { maxLength: 6 }), fc.dictionary(person.map(String), person), (tallies, merges) => {
        const mergedInto = new Int32Array(4_000);
        for (const [old, now] of Object.entries(merges)) mergedInto[Number(old)] = now;
        const nowOf = (number: number) => mergedInto[number] || number;
        const groups = Array.from({ length: 5 }, () => ({ count: 0, people: new Set<number>() }));
        const parts = tallies.map((groupsTold) => {
          const builder = new TallyBuilder();
          for (const [group, people] of groupsTold) {
            builder.persons(Int32Array.from(people), 0, people.length);
            builder.end(group, people.length);
            const own = groups[group] as (typeof groups)[number];
            own.count += people.length;
            for (const one of people) own.people.add(nowOf(one));
          }
          return { tally: builder.finish(), shift: 0 };
        });
        const merged = merge({ groups: 5, mergedInto }, parts);
        expect([...merged.counts]).toEqual(groups.map(({ count }) => count));
        expect([...merged.persons]).toEqual(groups.map(({ people }) => people.size));
        expect(merged.people).toBe(new Set(groups.flatMap(({ people }) => [...people])).size);
        const [most] = groups.toSorted((one, other) => other.count - one.count);
        const some = merge({ groups: 5, mergedInto, commonest: 1 }, parts);
        expect([...some.counts]).toEqual([...merged.counts]);
        expect([...some.persons]).toEqual(groups.map(({ count, people }) => (count === most?.count ? people.size : 0)));
      }),
    );
  });
});

describe('a quantile', () => {
  it('of many numbers is what it would be if they were put into order', () => {
    const number = fc.oneof(fc.nat(5), fc.nat(), fc.double({ min: 0, max: 1e12, noNaN: true }));
    void fc.assert(
      fc.property(
        fc.array(fc.array(number, { maxLength: 400, size: 'max' }), { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (lists, share) => {
          const all = lists.flat().sort((one, other) => one - other);
          if (all.length === 0) return;
          const place = share * (all.length - 1);
          const [lower, upper] = [all[Math.floor(place)], all[Math.ceil(place)]] as [number, number];
          const wanted = lower + (upper - lower) * (place - Math.floor(place));
          const numbers = lists.map((list) => Float64Array.from(list));
          for (const few of [0, 1e9]) expect(quantileOf(numbers, share, few)).toBe(wanted);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a column of which most rows say the same', () => {
  // Each said by few rows, by many, or by most.
  const said = fc.array(fc.nat(5), { minLength: 1, maxLength: 40, size: 'max' });
  const lists = fc.record({
    said,
    usual: fc.nat(5),
    times: fc.nat(12),
    mask: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  });

  it('keeps the rows that it should, and has the code of each', () => {
    void fc.assert(
      fc.property(lists, fc.nat(6), ({ said, usual, times, mask }, every) => {
        const values = said.flatMap((value) => [value, ...new Array<number>(times).fill(usual)]);
        const builder = new NumberBuilder();
        for (const value of values) builder.add(value);
        const bytes = builder.finish();
        if (bytes === null) return;
        const numbers = numbersOf(bytes) as Int32Array;
        const meant = Array.from(wideCodes(bytes, SCRATCH.codes).subarray(0, values.length), (code) => numbers[code]);
        expect(meant).toEqual(values);
        const asked = values.flatMap((_, row) => (row % (every + 1) === 0 ? [row] : []));
        const rows = Int32Array.from(asked);
        const isKept = Uint8Array.from(numbers, (number) => (mask[number] ? 1 : 0));
        const count = keepMarked(bytes, rows, rows.length, isKept);
        expect([...rows.subarray(0, count)]).toEqual(asked.filter((row) => mask[values[row] as number]));
      }),
      { numRuns: 300 },
    );
  });
});

describe('collecting', () => {
  it('finds what a property says, whether few rows say something or most do', () => {
    const row = fc.record({
      said: fc.option(fc.oneof(fc.nat(9), fc.constantFrom(-1, 'text')), { freq: 3 }),
      event: fc.constantFrom(1, 2),
      page: fc.nat(3),
      isBot: fc.boolean(),
    });
    const rows = fc.tuple(fc.array(row, { minLength: 1, maxLength: 120, size: 'max' }), fc.nat(300), fc.boolean());
    void fc.assert(
      fc.property(rows, fc.nat(400), fc.nat(400), fc.boolean(), ([some, silent, isFirst], one, other, filters) => {
        const nothing = Array.from({ length: silent }, () => ({ said: null, event: 1, page: 1, isBot: false }));
        const all = isFirst ? [...some, ...nothing] : [...nothing, ...some];
        const [ts, said] = [new PlainBuilder(), new PropertyBuilder()];
        const [event, page, marks] = [new NumberBuilder(), new NumberBuilder(), new NumberBuilder()];
        for (const [at, each] of all.entries()) {
          ts.add(at);
          event.add(each.event);
          page.add(each.page);
          marks.add(each.isBot ? 1 : 0);
          if (each.said !== null) said.add(at, each.said);
        }
        const finished = { ts: ts.finish(), event: event.finish(), page: page.finish(), marks: marks.finish() };
        const columns = { ...finished, 'p:said': said.finish(all.length) };
        const present = Object.fromEntries(Object.entries(columns).filter(([, bytes]) => bytes !== null));
        const [from, until] = [Math.min(one, other), Math.max(one, other)];
        const values = Int32Array.from([0, 1, 2, 1]);
        const where = filters ? { column: 'page', mask: Uint8Array.from([0, 1, 1, 0]) } : null;
        const found = collect(
          {
            names: [1],
            where,
            botMark: 1,
            internalMark: 2,
            include: [],
            column: 'p:said',
            most: 7,
            by: { column: 'page', values },
          },
          { columns: present as never, edges: [from, until] },
          [],
        );
        const wanted = new Map<number, number[]>();
        for (const { said: value, event: name, page: number, isBot } of all.slice(from, until)) {
          if (typeof value !== 'number' || value < 0 || name !== 1 || isBot) continue;
          if (filters && number !== 1 && number !== 2) continue;
          const key = values[number] as number;
          wanted.set(key, [...(wanted.get(key) ?? []), Math.min(value, 7)]);
        }
        const told = found.keys.map((key, at) => [
          key,
          [...found.values.subarray(found.ends[at - 1] ?? 0, found.ends[at])],
        ]);
        expect(new Map(told as [number, number[]][])).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });
});
