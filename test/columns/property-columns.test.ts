/** Properties of a chunk: what has a column is complete, what has none is said, and memory is bounded whatever is sent. */

import { entriesOf, openColumn } from '#src/columns/storage/format.ts';
import { PropertyColumns } from '#src/columns/storage/property-columns.ts';
import { countedProperties } from '#src/columns/values.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';

const MEGABYTE = 1024 * 1024;

it('keeps whole columns and names all others, however little memory there is', () => {
  const name = fc.oneof(
    { arbitrary: fc.constantFrom('a', 'b', 'c', ...countedProperties), weight: 3 },
    { arbitrary: fc.string(), weight: 2 },
  );
  const value = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }), fc.boolean(), fc.constant(null));
  const nested = fc.oneof(value, fc.array(value), fc.dictionary(fc.string(), value));
  const rows = fc.array(fc.dictionary(name, nested as fc.Arbitrary<JsonValue>), { maxLength: 300, size: 'max' });
  fc.assert(
    fc.property(rows, fc.constantFrom(2_000, 20_000, MEGABYTE), (given, maxMemory) => {
      const properties = new PropertyColumns(maxMemory);
      given.forEach((each, row) => {
        properties.add(row, each as JsonObject);
      });
      const { columns, rare, rows: counts } = properties.finish(given.length);
      const named = new Map<string, JsonValue[]>();
      given.forEach((each, row) => {
        for (const key of Object.keys(each)) {
          if (each[key] === null) continue;
          const values = named.get(key) ?? [];
          values[row] = each[key] as JsonValue;
          named.set(key, values);
        }
      });
      for (const [key, bytes] of columns) {
        const column = openColumn(bytes);
        const entries = entriesOf(column);
        const wanted = Array.from({ length: given.length }, (_, row) => named.get(key)?.[row]);
        expect(wanted.map((_, row) => entries[column.codes[row] as number])).toEqual(wanted);
      }
      const listed = [...columns.map(([key]) => key), ...(rare ?? [])].sort();
      if (rare !== null) expect(listed).toEqual([...named.keys()].sort());
      if (counts !== null)
        for (const [key, values] of named) expect(counts[key]).toBe(values.filter((each) => each !== undefined).length);
    }),
    { numRuns: 50 },
  );
});

/** What one row of a flood sends, besides a property that all rows have. */
const floods: Record<string, (row: number) => JsonObject> = {
  'a new name in each row': (row) => ({ [`name ${row}`]: row }),
  'new names of 400 characters': (row) => ({ [`${row} `.padEnd(400, 'x')]: row }),
  'new names of 5,000 characters': (row) => ({ [`${row} `.padEnd(5_000, 'x')]: row }),
  'many new names in each row': (row) => namesFrom(row * 30, 30),
  'the same 60,000 names again and again': (row) => namesFrom((row * 20) % 60_000, 20),
  'long values of many names': (row) => ({ [`name ${row % 500}`]: `${row} `.padEnd(2_000, 'y') }),
  'nested values of many names': (row) => ({ [`name ${row % 3_000}`]: Array.from({ length: 50 }, () => [row]) }),
};

function namesFrom(first: number, count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`name ${first + at}`, at]));
}

/** Adds so many rows of a flood, and looks at what is left of it. @returns the most bytes that it took meanwhile */
function endure(properties: PropertyColumns, rows: number, rowOf: (row: number) => JsonObject): number {
  let most = 0;
  for (let row = 0; row < rows; row++) {
    properties.add(row, { usual: row % 10, ...rowOf(row) });
    most = Math.max(most, properties.memoryBytes);
  }
  const { columns } = properties.finish(rows);
  expect(columns[0]?.[0]).toBe('usual');
  expect(columns.length).toBeLessThanOrEqual(200 + countedProperties.length);
  const codes = openColumn(columns[0]?.[1] as Uint8Array<ArrayBuffer>).codes;
  expect([...codes.subarray(0, 12)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2]);
  return most;
}

it.each(Object.entries(floods))(
  'a flood of %s stays within its memory, and common names keep their columns',
  (_, rowOf) => {
    expect(endure(new PropertyColumns(8 * MEGABYTE), 6_000, rowOf)).toBeLessThan(8.25 * MEGABYTE);
  },
);

it('stays within 66 MB where nothing else is said', () => {
  const rowOf = floods['many new names in each row'] as (row: number) => JsonObject;
  expect(endure(new PropertyColumns(), 3_500, rowOf)).toBeLessThan(66 * MEGABYTE);
});
