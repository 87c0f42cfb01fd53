import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { mapsFromJson } from '#src/clickhouse/map-text.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';

const database = useDatabase();

/** Maps as PostgreSQL writes them, member by member. */
const MAP = `coalesce((select '{' || string_agg('''' || replace(key, '''', '''''') || ''':''' || replace(value::text, '''', '''''') || '''', ',') || '}'
                         from jsonb_each(value)), '{}')`;

it('writes the maps that PostgreSQL writes, wherever chunks are cut', async () => {
  const piece = fc.constantFrom(
    'a',
    "'",
    '"',
    '\\',
    '\n',
    '\t',
    '\r',
    '\v',
    '\b',
    '\u0001',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    'é',
    '💶',
    '\\N',
    ' ',
  );
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(text, tie('json'), { maxKeys: 3 }),
    ),
  }));
  const objects = fc.array(fc.dictionary(text, json, { maxKeys: 5 }), { minLength: 1, maxLength: 40 });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('create temporary table objects (number int, value jsonb)');
    const copied = (column: string) =>
      buffer(client.query(copyTo(`copy (select number, 'a''b', ${column} from objects order by number) to stdout`)));
    await fc.assert(
      fc.asyncProperty(objects, fc.integer({ min: 1, max: 200 }), async (values, size) => {
        await client.query('truncate objects');
        await client.query(
          'insert into objects select ordinality, value from jsonb_array_elements($1::jsonb) with ordinality',
          [JSON.stringify(values)],
        );
        const rows = await copied('value');
        const map = mapsFromJson();
        const chunks = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
          rows.subarray(at * size, (at + 1) * size),
        );
        const written = await buffer(Readable.from(chunks.map(map)));
        expect(written.toString()).toBe((await copied(MAP)).toString());
      }),
      { numRuns: 200 },
    );
  } finally {
    await client.end();
  }
});

it('refuses an object without an end', () => {
  expect(() => mapsFromJson()(Buffer.from('1\t{"a": "b\n'))).toThrow(SyntaxError);
  expect(() => mapsFromJson()(Buffer.from('1\t{"a": [1\n'))).toThrow(SyntaxError);
});
