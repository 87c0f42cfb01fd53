/** Rows to columns in steps: the same however they are divided, and bounded in memory. */

import { EventEncoder } from '#src/columns/storage/encode.ts';
import { dayMs } from '#src/kit/zone.ts';
import { CopyRows } from '#src/store/copy.ts';
import fc from '#test/kit/fast-check.ts';

interface Row {
  ts: number;
  numbers: number[];
  properties: Record<string, unknown> | null;
}

/** Around the rows, what goes with a COPY into PostgreSQL but not with one out of it. */
const [MESSAGE_HEADER, COPY_DONE, COPY_HEADER, TRAILER] = [5, 5, 19, 2];
const NUMBERS = 10;

/** The bytes of a COPY of these rows, and where each of them ends. */
function copyOf(rows: readonly Row[]): { bytes: Uint8Array; ends: number[] } {
  const lengthOf = (some: readonly Row[]) => copied(some).length;
  return { bytes: copied(rows), ends: rows.map((_, at) => lengthOf(rows.slice(0, at + 1)) - TRAILER) };
}

function copied(rows: readonly Row[]): Uint8Array {
  const copy = new CopyRows(1_024);
  for (const { ts, numbers, properties } of rows) {
    copy.row(2 + NUMBERS);
    copy.time(ts);
    for (let at = 0; at < NUMBERS; at++) copy.int(numbers[at] ?? null);
    copy.json(properties === null ? null : JSON.stringify(properties));
  }
  return copy.finish().subarray(MESSAGE_HEADER, -COPY_DONE);
}

const rowArbitrary: fc.Arbitrary<Omit<Row, 'ts'> & { after: number }> = fc.record({
  after: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 2 * dayMs })),
  numbers: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: NUMBERS }),
  properties: fc.option(
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.oneof(fc.string(), fc.integer(), fc.constant(null))),
  ),
});

it('gives the same chunks with any steps', () => {
  const only = fc.option(fc.subarray(['a', 'b', 'never']), { nil: undefined });
  const cuts = fc.array(fc.nat());
  fc.assert(
    fc.property(fc.array(rowArbitrary), only, cuts, (given, wanted, places) => {
      let ts = 20_000 * dayMs;
      const rows = given.map(({ after, ...row }) => {
        ts += after;
        return { ...row, ts };
      });
      const { bytes, ends } = copyOf(rows);
      const whole = new EventEncoder(wanted);
      whole.add(bytes);
      const inSteps = new EventEncoder(wanted);
      const rowEnds = [COPY_HEADER, ...ends];
      const at = [...new Set(places.map((place) => rowEnds[place % rowEnds.length] as number))].sort((a, b) => a - b);
      for (const [step, end] of [...at, bytes.length].entries()) inSteps.add(bytes.subarray(at[step - 1] ?? 0, end));
      expect(inSteps.finish()).toEqual(whole.finish());
    }),
  );
});

it('refuses values of wanted properties that take too much memory, over all days, and no others', () => {
  const rows = Array.from({ length: 200 }, (_, at): Row => {
    return { ts: at * dayMs, numbers: [], properties: { long: `${at}`.padEnd(1_000, 'x'), short: at % 3 } };
  });
  const { bytes } = copyOf(rows);
  const encode = (only: string[] | undefined, maxBytes: number) => {
    const encoder = new EventEncoder(only, maxBytes);
    encoder.add(bytes);
    return encoder.finish().length;
  };
  expect(() => encode(['short', 'long'], 300_000)).toThrow(/"short", "long" are too long or too many/);
  expect(encode(['long'], 3_000_000)).toBe(200);
  expect(encode(['short'], 300_000)).toBe(200);
  expect(encode(undefined, 0)).toBe(200);
});
