import type { PoolClient } from 'pg';
import { bools, ints, texts, times, uuids } from '#src/store/binary.ts';
import { CopyRows, copyIn } from '#src/store/copy.ts';
import { isDataError, openWritePool, sqlState, UnstorableError } from '#src/store/db.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase({ between: 'nothing' });
let deps: TestDeps;
beforeAll(() => {
  deps = testDeps(database.url);
});
afterAll(() => deps.close());

const UUID = '019aa000-0000-7abc-8def-0123456789ab';
const first = Date.UTC(0, 0, 1) - 1900 * 365.2425 * 86_400_000;
const moments = [0, 946_684_800_000, 1_763_672_968_756, -62_135_596_800_000, 253_402_300_799_999, Math.round(first)];

describe('binary arrays', () => {
  it.each<[string, string, (items: unknown[]) => Buffer, unknown[]]>([
    ['ints', 'int[]', (items) => ints(items, (item) => item as number), [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), null]],
    ['bools', 'boolean[]', (items) => bools(items, (item) => item as boolean), [true, false, null]],
    ['uuids', 'uuid[]', (items) => uuids(items, (item) => item as string), [UUID, null]],
    ['texts', 'text[]', (items) => texts(items, (item) => item as string), ['', 'a', 'é🚀', '{"\',\\}', 'NULL']],
    ['nothing', 'int[]', (items) => ints(items, (item) => item as number), []],
    ['no texts', 'text[]', (items) => texts(items, (item) => item as string), []],
  ])('carry %s', async (_, type, encode, values) => {
    const { rows } = await deps.write.query(`select to_jsonb($1::${type}) as values`, [encode(values)]);
    expect(rows).toEqual([{ values }]);
  });

  it('carry times to the millisecond', async () => {
    const { rows } = await deps.write.query(
      'select (extract(epoch from t) * 1000)::float8 as ms from unnest($1::timestamptz[]) as t',
      [times(moments, (ms) => ms)],
    );
    expect(rows.map(({ ms }) => ms)).toEqual(moments);
  });

  it.each([
    '',
    'no uuid',
    UUID.slice(1),
    `${UUID}0`,
    UUID.replace('a', 'g'),
    UUID.replace('-', '0'),
    UUID.replace('0', 'é'),
  ])('refuse %j as a uuid', (text) => expect(() => uuids([text], (item) => item)).toThrow(UnstorableError));

  it('refuse a time that is none', () => expect(() => times([Number.NaN], (ms) => ms)).toThrow(UnstorableError));
});

describe('COPY', () => {
  const table =
    'create temp table loaded (i int, s smallint, b bigint, f boolean, t timestamptz, u uuid, j jsonb) on commit drop';
  const statement = 'copy loaded from stdin (format binary)';

  async function inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await deps.write.connect();
    try {
      await client.query(`begin; ${table}`);
      return await work(client);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  it('loads rows as they are, however long', async () => {
    const long = JSON.stringify({ text: 'é🚀"\\'.repeat(40_000) });
    const rows = new CopyRows(0);
    for (const json of [long, '{}', null]) {
      rows.row(7);
      rows.int(-5);
      rows.smallint(-7);
      rows.bigint(json === null ? null : Number.MAX_SAFE_INTEGER);
      rows.bool(true);
      rows.time(1_763_672_968_756);
      rows.uuid(json === null ? null : UUID);
      rows.json(json);
    }
    const loaded = await inTransaction(async (client) => {
      await copyIn(client, statement, rows);
      return (await client.query('select * from loaded')).rows;
    });
    const usual = { i: -5, s: -7, f: true, t: 1_763_672_968_756 };
    expect(loaded).toEqual([
      { ...usual, b: Number.MAX_SAFE_INTEGER, u: UUID, j: JSON.parse(long) },
      { ...usual, b: Number.MAX_SAFE_INTEGER, u: UUID, j: {} },
      { ...usual, b: null, u: null, j: null },
    ]);
  });

  it.each([
    ['what jsonb refuses', statement, '"\\u0000"', true],
    ['a table that is not there', 'copy nothing from stdin (format binary)', '1', false],
  ])('tells of %s, and leaves the connection usable', async (_, text, json, isData) => {
    await inTransaction(async (client) => {
      const rows = new CopyRows(0);
      for (let row = 0; row < 3_000; row++) {
        rows.row(7);
        rows.int(row);
        rows.smallint(0);
        rows.bigint(0);
        rows.bool(false);
        rows.time(0);
        rows.uuid(UUID);
        rows.json(json);
      }
      const error = await copyIn(client, text, rows).catch((thrown: unknown) => thrown);
      expect([sqlState(error) !== null, isDataError(error)]).toEqual([true, isData]);
      expect((await client.query('rollback')).command).toBe('ROLLBACK');
    });
  });

  it('ends at the time limit of the driver', async () => {
    const blocker = await deps.write.connect();
    await blocker.query('begin; create table slow (i int); commit; begin; lock table slow');
    const pool = openWritePool(deps.config, deps.log);
    const client = await pool.connect();
    (client as unknown as { connectionParameters: { query_timeout: number } }).connectionParameters.query_timeout = 100;
    const rows = new CopyRows(0);
    rows.row(1);
    rows.int(1);
    await expect(copyIn(client, 'copy slow from stdin (format binary)', rows)).rejects.toThrow('Query read timeout');
    client.release(true);
    await blocker.query('rollback; drop table slow');
    blocker.release();
    await pool.end();
  });
});
