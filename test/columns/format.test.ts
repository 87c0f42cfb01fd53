import { cut, edgesOf, placesOf } from '#src/columns/count/edges.ts';
import { textOf } from '#src/columns/filters/condition-values.ts';
import { SessionListBuilder, SessionSet } from '#src/columns/kernels/session-set.ts';
import { NumberBuilder, PlainBuilder } from '#src/columns/storage/builders.ts';
import { entriesOf, numbersOf, openColumn, rowsOf } from '#src/columns/storage/format.ts';
import { PropertyBuilder } from '#src/columns/storage/property-builder.ts';
import { coversMoments, oddMoments, placesAt, QUARTERS, writeQuarters } from '#src/columns/storage/quarters.ts';
import { codesOfText, MANY_TEXTS, type Texts } from '#src/columns/storage/texts.ts';
import type { JsonValue } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';

describe('a column gives back what was put into it', () => {
  const numbers = fc.array(fc.oneof(fc.nat(5), fc.nat(), fc.maxSafeNat()), { minLength: 1, maxLength: 2_000 });

  it('as numbers', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const builder = new NumberBuilder();
        for (const value of values) builder.add(value);
        const bytes = builder.finish();
        const column = bytes && openColumn(bytes);
        expect(values.map((_, row) => column?.numbers?.[column.codes[row] as number] ?? 0)).toEqual(values);
      }),
    );
  });

  it('as plain numbers', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const builder = new PlainBuilder();
        for (const value of values) builder.add(value);
        const column = openColumn(builder.finish());
        expect(values.map((_, row) => (column.codes[row] as number) + column.base)).toEqual(values);
      }),
    );
  });

  it('as properties, some of which are not there', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.boolean(),
      fc.constant(undefined),
      fc.constant<JsonValue>({ a: [1] }),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 600 }), (values) => {
        const builder = new PropertyBuilder();
        values.forEach((each, row) => {
          if (each !== undefined) builder.add(row, each);
        });
        const column = openColumn(builder.finish(values.length));
        const entries = entriesOf(column);
        expect(values.map((_, row) => entries[column.codes[row] as number])).toEqual(values);
      }),
    );
  });

  it('as properties with many values, each of which is found without the others', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.boolean(),
      fc.constant<JsonValue>({ a: [1] }),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), fc.boolean(), (some, isRare) => {
        const values = [...some, ...Array.from({ length: MANY_TEXTS }, (_, at) => (at % 2 === 0 ? `${at}` : at - 1))];
        const rows = isRare ? values.length * 40 : values.length;
        const builder = new PropertyBuilder();
        values.forEach((each, row) => {
          builder.add(row, each);
        });
        const written = builder.finish(rows);
        const bytes = new Uint8Array(new SharedArrayBuffer(written.length + 8), 8, written.length);
        bytes.set(written);
        const column = openColumn(bytes);
        const entries = entriesOf(column);
        expect(values.map((_, row) => entries[column.codes[row] as number])).toEqual(values);
        for (const wanted of [...some, '17', '18', 'not there']) {
          const text = textOf(wanted);
          const found = codesOfText(column.texts as Texts, text).map((code) => entries[code] as JsonValue);
          expect(found.map(textOf)).toEqual(found.map(() => text));
          expect(found.length).toBe(
            new Set(values.filter((each) => textOf(each) === text).map((each) => typeof each)).size,
          );
        }
      }),
      { numRuns: 20 },
    );
  });

  it('as numbers most of which are the same', () => {
    const few = fc.array(fc.tuple(fc.nat(700), fc.nat()), { maxLength: 120 });
    fc.assert(
      fc.property(few, fc.integer({ min: 64, max: 700 }), fc.nat(2), (given, rows, usual) => {
        const values = new Array<number>(rows).fill(usual);
        for (const [row, value] of given) if (row < rows) values[row] = value;
        const builder = new NumberBuilder();
        for (const value of values) builder.add(value);
        const written = builder.finish();
        // Somewhere in a larger piece of memory, as columns lie that were read together.
        const bytes = written && new Uint8Array(new SharedArrayBuffer(written.length + 21), 16, written.length);
        bytes?.set(written as Uint8Array);
        const column = bytes && openColumn(bytes);
        expect(values.map((_, row) => column?.numbers?.[column.codes[row] as number] ?? 0)).toEqual(values);
        if (bytes) expect([rowsOf(bytes), numbersOf(bytes)]).toEqual([rows, column?.numbers]);
        if (bytes && given.length * 4 <= rows)
          expect(bytes.length).toBeLessThan(56 + Math.min(rows / 8, given.length * 4) + given.length * 6);
      }),
    );
  });

  it('with more values than two bytes tell apart', () => {
    const builder = new NumberBuilder();
    for (let row = 0; row < 70_000; row++) builder.add(row * 3);
    const column = openColumn(builder.finish() as Uint8Array<ArrayBuffer>);
    expect(column.codes).toBeInstanceOf(Uint32Array);
    expect(column.numbers?.[column.codes[69_999] as number]).toBe(69_999 * 3);
  });
});

it('a set of visits knows its members and no others', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat()), fc.array(fc.nat(200_000)), (far, near) => {
      const set = new SessionSet([far, near].map(listOf));
      const members = new Set([...far, ...near]);
      for (const id of members) expect(set.has(id)).toBe(true);
      for (const id of [...members].flatMap((member) => [member + 1, member + 65_536]))
        expect(set.has(id)).toBe(members.has(id));
    }),
  );
});

function listOf(ids: readonly number[]) {
  const builder = new SessionListBuilder();
  for (const id of ids) builder.add(id);
  return builder.finish();
}

it('a set of visits tells a stretch of numbers in bits, wherever it begins', () => {
  const near = fc.nat(9_000);
  const stretches = fc.array(near, { maxLength: 200, size: 'max' });
  fc.assert(
    fc.property(stretches, fc.constantFrom(0, 70_000, 2 ** 31 - 4_000, 2 ** 40), near, (added, base, from) => {
      const builder = new SessionListBuilder();
      for (const id of added) builder.add(base + id);
      const set = new SessionSet([builder.finish()]);
      const { words, at } = set.bitsFrom(base + from, 2_000);
      const told = Array.from({ length: 2_000 }, (_, place) => {
        const bit = at + place;
        return (((words[bit >> 5] as number) >>> (bit & 31)) & 1) === 1;
      });
      const members = new Set(added);
      expect(told).toEqual(Array.from({ length: 2_000 }, (_, place) => members.has(from + place)));
      for (const id of added) expect(set.has(base + id)).toBe(true);
    }),
  );
});

describe('a chunk cuts edges', () => {
  it('so that each moment of it is in the same stretch as before', () => {
    const moments = fc
      .uniqueArray(fc.nat(30), { minLength: 2, maxLength: 8 })
      .map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(moments, fc.nat(30), fc.nat(15), (edges, minTs, length) => {
        const maxTs = minTs + length;
        const local = cut(edges, minTs, maxTs);
        for (let moment = minTs; moment <= maxTs; moment++) {
          const [wanted, found] = [edges, local.edges].map((list) => list.findLastIndex((edge) => edge <= moment));
          const isIn = (list: number[], place: number) => place >= 0 && place < list.length - 1;
          expect(isIn(local.edges, found as number)).toBe(isIn(edges, wanted as number));
          if (isIn(edges, wanted as number)) expect((found as number) + local.first).toBe(wanted);
        }
      }),
    );
  });

  it('the same for two questions that divide its time in the same way', () => {
    expect(cut([0, 10, 20, 30], 12, 25)).toEqual({ edges: [12, 20, 26], first: 1 });
    expect(cut([5, 20, 40, 60, 80], 12, 25)).toEqual({ edges: [12, 20, 26], first: 0 });
  });

  it('and stretches that lie outside of their span are none', () => {
    const span = { from: 10, until: 30, starts: [0, 5, 20, 30, 40] };
    expect(edgesOf(span)).toEqual([10, 20, 30]);
    expect(placesOf(span)).toEqual([null, 0, 1, null, null]);
  });
});

describe('quarters of hours', () => {
  const DAY = 20_000 * 86_400_000;
  const moment = fc.oneof(
    fc.integer({ min: DAY - 5_000_000, max: DAY + 90_000_000 }),
    fc.integer({ min: -8, max: 104 }).map((quarter) => DAY + quarter * 900_000),
  );
  const times = fc
    .array(fc.oneof(fc.nat(86_399_999), fc.nat(3_000_000)), { minLength: 1, maxLength: 300 })
    .map((list) => list.sort((one, other) => one - other).map((at) => DAY + at));

  it('tell where they begin as the times of the rows do', () => {
    fc.assert(
      fc.property(times, fc.array(moment, { maxLength: 20 }), (rows, moments) => {
        const builder = new PlainBuilder();
        for (const at of rows) builder.add(at);
        const ts = builder.finish();
        const quarters = writeQuarters(openColumn(ts));
        const wanted = moments.map((each) => rows.filter((at) => at < each).length);
        expect(placesAt({ ts }, rows.length, moments)).toEqual(wanted);
        expect(placesAt({ ts, [QUARTERS]: quarters }, rows.length, moments)).toEqual(wanted);
        if (coversMoments(quarters, oddMoments(moments)))
          expect(placesAt({ [QUARTERS]: quarters }, rows.length, moments)).toEqual(wanted);
        else expect(() => placesAt({ [QUARTERS]: quarters }, rows.length, moments)).toThrow();
      }),
    );
  });
});
