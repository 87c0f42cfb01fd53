/** Properties of a chunk: all are complete, in separate columns or packed, and memory is bounded for any input. */

import { entriesOf, openColumn } from '#src/columns/storage/format.ts';
import { hashOf, packedColumnOf, unpack, unpackAll } from '#src/columns/storage/packed.ts';
import { type FinishedProperties, PropertyColumns } from '#src/columns/storage/property-columns.ts';
import { PropertyLog } from '#src/columns/storage/property-log.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';

const MEGABYTE = 1024 * 1024;

/** What each row says of a property, as a question reads it. */
function valuesOf({ columns, packed, packedBits, rare }: FinishedProperties, name: string, rows: number) {
  const own = columns.find(([column]) => column === name)?.[1];
  const isPacked = own === undefined && (rare === null || rare.includes(name));
  const together = isPacked ? packed.find(([column]) => column === packedColumnOf(name, packedBits))?.[1] : undefined;
  const bytes = own ?? (together === undefined ? null : unpack(together, name, rows));
  if (bytes === null) return Array.from({ length: rows }, () => undefined);
  const column = openColumn(bytes);
  const entries = entriesOf(column);
  return Array.from({ length: rows }, (_, row) => entries[column.codes[row] as number]);
}

it('keeps all properties, with any memory limit', () => {
  const name = fc.oneof(
    { arbitrary: fc.constantFrom('a', 'b', 'c', '__proto__', 'é'.repeat(401)), weight: 3 },
    { arbitrary: fc.string({ unit: 'grapheme' }), weight: 2 },
  );
  const value = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }), fc.boolean(), fc.constant(null));
  const nested = fc.oneof(value, fc.array(value), fc.dictionary(fc.string(), value));
  const rows = fc.array(fc.dictionary(name, nested as fc.Arbitrary<JsonValue>), { maxLength: 150, size: 'max' });
  fc.assert(
    fc.property(rows, fc.constantFrom(500, 4_000, 40_000, MEGABYTE), (given, maxMemory) => {
      const properties = new PropertyColumns(maxMemory);
      given.forEach((each, row) => {
        properties.add(row, each as JsonObject);
      });
      const finished = properties.finish(given.length);
      const named = new Map<string, (JsonValue | undefined)[]>();
      given.forEach((each, row) => {
        for (const key of Object.keys(each)) {
          if (each[key] === null) continue;
          const values = named.get(key) ?? Array.from({ length: given.length }, () => undefined);
          values[row] = each[key] as JsonValue;
          named.set(key, values);
        }
      });
      for (const [key, values] of named) {
        expect(valuesOf(finished, key, given.length)).toEqual(values);
        expect(finished.rows?.[key]).toBe(values.filter((each) => each !== undefined).length);
      }
      const unpacked = finished.packed.flatMap(([, bytes]) => [...unpackAll(bytes, given.length)].map(([key]) => key));
      expect([...finished.columns.map(([key]) => key), ...unpacked].sort()).toEqual([...named.keys()].sort());
      expect(unpacked.sort()).toEqual(finished.rare?.sort());
    }),
    { numRuns: 20 },
  );
});

it('packs many rare properties into few columns, and finds each', () => {
  const properties = new PropertyColumns();
  const ROWS = 5_000;
  for (let row = 0; row < ROWS; row++)
    properties.add(row, {
      ...namesFrom(row % 20, 20),
      [`rare ${row % 2_500}`]: `${row}`,
      token: `${'x'.repeat(30)}${row}`,
    });
  const finished = properties.finish(ROWS);
  expect(finished.rare).toBeNull();
  expect(finished.columns.map(([name]) => name)).toContain('token');
  expect(finished.packed.length).toBeLessThanOrEqual(2 ** finished.packedBits);
  expect(Math.max(...finished.packed.map(([, bytes]) => bytes.length))).toBeLessThan(80_000);
  expect(valuesOf(finished, 'rare 2211', ROWS).flatMap((value, row) => (value === undefined ? [] : [row]))).toEqual([
    2_211, 4_711,
  ]);
  expect(valuesOf(finished, 'token', ROWS)[17]).toBe(`${'x'.repeat(30)}17`);
});

it('tells names of one hash apart', () => {
  const log = new PropertyLog();
  // FNV-1a of these two is the same.
  const names = ['costarring', 'liquid'];
  expect(new Set(names.map((name) => hashOf(Buffer.from(name)))).size).toBe(1);
  for (let row = 0; row < 6; row++) log.add(names[row % 2] as string, row, `${row}`);
  const found = [...log.properties()].map(({ name, rows }) => [Buffer.from(name).toString(), [...rows()]]);
  expect(found).toEqual([
    ['costarring', [0, 2, 4].map((row) => ({ row, json: `${row}` }))],
    ['liquid', [1, 3, 5].map((row) => ({ row, json: `${row}` }))],
  ]);
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

/** Adds so many rows of a flood, in as many chunks as it takes. @returns the most bytes that it took meanwhile */
function endure(maxMemory: number | undefined, rows: number, rowOf: (row: number) => JsonObject): number {
  let most = 0;
  let properties = new PropertyColumns(maxMemory);
  let first = 0;
  const finish = (end: number) => {
    const finished = properties.finish(end - first);
    expect(finished.columns.length + finished.packed.length).toBeLessThan(2_500);
    for (const row of [first, end - 1]) {
      const [name, value] = Object.entries(rowOf(row))[0] as [string, JsonValue];
      expect(valuesOf(finished, name, end - first)[row - first]).toEqual(value);
      expect(valuesOf(finished, 'usual', end - first)[row - first]).toBe(row % 10);
    }
    properties = new PropertyColumns(maxMemory);
    first = end;
  };
  for (let row = 0; row < rows; row++) {
    properties.add(row - first, { usual: row % 10, ...rowOf(row) });
    most = Math.max(most, properties.memoryBytes);
    if (properties.isFull || row === rows - 1) finish(row + 1);
  }
  return most;
}

it.each(Object.entries(floods))('a flood of %s stays within its memory, and nothing is lost', (_, rowOf) => {
  expect(endure(2 * MEGABYTE, 2_000, rowOf)).toBeLessThan(2.25 * MEGABYTE);
});

it('stays within 66 MB where nothing else is said', () => {
  const rowOf = floods['many new names in each row'] as (row: number) => JsonObject;
  expect(endure(undefined, 4_000, rowOf)).toBeLessThan(66 * MEGABYTE);
});
