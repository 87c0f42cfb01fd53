/** Values ranked in shares are those that a map of all of them gives, however many there are and however they are divided into chunks. */

import { textOf } from '#src/columns/filters/condition-values.ts';
import { type CountedCodes, rankValues } from '#src/columns/kernels/rank-values.ts';
import { keysOfRows } from '#src/columns/kernels/row-keys.ts';
import { openColumn } from '#src/columns/storage/format.ts';
import { PropertyBuilder } from '#src/columns/storage/property-builder.ts';
import { MANY_TEXTS } from '#src/columns/storage/texts.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { byBytes } from '#src/kit/order.ts';
import fc from '#test/kit/fast-check.ts';

type Said = readonly (JsonValue | undefined)[];

function columnOf(said: Said): Uint8Array<ArrayBuffer> | undefined {
  const builder = new PropertyBuilder();
  for (const [row, value] of said.entries()) if (value !== undefined) builder.add(row, value);
  return builder.count === 0 ? undefined : builder.finish(said.length);
}

function counted(said: Said): CountedCodes {
  const column = columnOf(said);
  if (column === undefined) return { column, counts: Int32Array.of(said.length) };
  const { codes, entries } = openColumn(column);
  const counts = new Int32Array(entries);
  for (const code of codes) counts[code] = (counts[code] as number) + 1;
  return { column, counts };
}

function reference(chunks: readonly Said[]) {
  const counts = new Map<string, number>();
  let none = 0;
  for (const value of chunks.flat()) {
    const text = value === undefined ? '' : textOf(value);
    if (text === '') none++;
    else counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const ordered = [...counts].sort(([one, count], [other, more]) => more - count || byBytes(one, other));
  return { ordered: ordered.map(([text, count]) => ({ text, count })), none };
}

const value = fc.oneof(
  fc.constantFrom<JsonValue | undefined>('a', 'b', 'é', '', 5, '5', true, undefined),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.integer({ min: 0, max: 30 }),
);
/** So many values that they are found by their hashes; with a number they differ from chunk to chunk. */
const many = (from: number): Said => Array.from({ length: MANY_TEXTS }, (_, at) => `value ${from + at}`);
const chunk = fc
  .tuple(fc.array(value, { minLength: 1, maxLength: 40 }), fc.option(fc.constantFrom(0, 2_000, 9_000)))
  .map(([some, from]): Said => (from === null ? some : [...some, ...many(from), ...some]));

it('ranks as a map of all values does', () => {
  fc.assert(
    fc.property(
      fc.array(chunk, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(1, 3, 25),
      fc.constantFrom(1, 2, 3),
      (chunks, most, of) => {
        const { ordered, none } = reference(chunks);
        const shares = Array.from({ length: of }, (_, at) =>
          rankValues({ most, share: { at, of } }, chunks.map(counted)),
        );
        const top = shares.flatMap((share) => share.top);
        top.sort((one, other) => other.count - one.count || byBytes(one.text, other.text));
        expect(top.slice(0, most)).toEqual(ordered.slice(0, most));
        expect(shares.reduce((sum, share) => sum + share.values, 0)).toBe(ordered.length);
        expect(shares.reduce((sum, share) => sum + share.none, 0)).toBe(none);
      },
    ),
    { numRuns: 40 },
  );
});

it('divides rows by the texts that have rows, and takes all others together', () => {
  fc.assert(
    fc.property(
      chunk,
      fc.uniqueArray(fc.constantFrom<string>('a', 'é', '5', '', 'value 3', 'nowhere'), { maxLength: 4 }),
      (said, of) => {
        const column = columnOf(said);
        const rows = Int32Array.from(said.keys());
        const { keys, places } = keysOfRows(column === undefined ? {} : { p: column }, rows, [{ property: 'p', of }]);
        const found = Array.from(rows, (row) => keys[places[row] as number]);
        const wanted = said.map((each) => {
          const text = each === undefined ? '' : textOf(each);
          if (text === '') return 0;
          return of.includes(text) ? of.indexOf(text) + 1 : of.length + 1;
        });
        expect(found).toEqual(wanted);
      },
    ),
    { numRuns: 40 },
  );
});
