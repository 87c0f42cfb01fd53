/** Statements that go in one message: what each gives, and what becomes of the others when one fails. */
import type { PoolClient } from 'pg';
import { CopyRows, copyIn } from '#src/store/copy.ts';
import { isDataError, openWritePool, SkippedError, sqlState } from '#src/store/db.ts';
import { inMessages, together } from '#src/store/message.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase({ between: 'nothing' });
let deps: TestDeps;
beforeAll(async () => {
  deps = testDeps(database.url);
  await database.query('create table told (i int primary key, t timestamptz)');
});
afterAll(() => deps.close());
beforeEach(() => database.query('truncate told'));

const numbers = async () => (await database.query<{ i: number }>('select i from told order by i')).map(({ i }) => i);
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof SkippedError ? 'skipped' : sqlState(error)),
  );

function rowsOf(...values: number[]): CopyRows {
  const rows = new CopyRows(0);
  for (const value of values) {
    rows.row(1);
    rows.int(value);
  }
  return rows;
}
const loads = 'copy told (i) from stdin (format binary)';
const insert = (i: number) => ({ name: 'insert', text: 'insert into told (i) values ($1) returning i', values: [i] });

describe.each([
  ['in one message', 1],
  ['one by one behind a pooler', 5],
])('statements %s', (_, messages) => {
  let pool: TestDeps['write'];
  let raw: PoolClient;
  let client: PoolClient;
  beforeEach(async () => {
    const direct = new URL(database.url);
    direct.searchParams.set('application_name', 'direct');
    const addresses = { ...deps.config, ...(messages === 1 ? {} : { DIRECT_DATABASE_URL: direct.href }) };
    pool = openWritePool(addresses, deps.log);
    raw = await pool.connect();
    client = inMessages(raw);
  });
  afterEach(async () => {
    raw.release(true);
    await pool.end();
  });

  it('give what they would give alone', async () => {
    const sent = jest.spyOn(raw, 'query');
    const moment = Date.UTC(2026, 0, 1);
    const [, { rows }, , shown] = await together([
      client.query('begin'),
      client.query({
        text: 'select $1::bigint as many, $2::timestamptz as at, $3::int[] as list, null as none',
        values: ['7', new Date(moment), [1, 2]],
      }),
      copyIn(client, loads, rowsOf(1, 2, 3)),
      client.query<{ i: number }>('select i from told order by i'),
      client.query('commit'),
    ]);
    expect(sent).toHaveBeenCalledTimes(messages);
    expect(rows).toEqual([{ many: 7, at: moment, list: [1, 2], none: null }]);
    expect(shown.rows).toEqual([{ i: 1 }, { i: 2 }, { i: 3 }]);
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it.each([
    ['a statement', () => client.query(insert(1)), '23505'],
    ['a COPY', () => copyIn(client, loads, rowsOf(7, 1)), '23505'],
    ['what cannot be parsed', () => client.query('selct'), '42601'],
    ['a value', () => client.query({ name: 'odd', text: 'select $1::int', values: ['x'] }), '22P02'],
  ])('are not executed behind %s that failed, nor is a commit', async (_name, fail, state) => {
    const works = [
      client.query('begin'),
      client.query(insert(1)),
      fail(),
      copyIn(client, loads, rowsOf(4)),
      client.query('commit'),
    ];
    expect(await Promise.all(works.map(outcome))).toEqual(['done', 'done', state, 'skipped', 'skipped']);
    expect((await raw.query('rollback')).command).toBe('ROLLBACK');
    expect(await numbers()).toEqual([]);
    // The connection and what it keeps prepared are as good as before.
    for (const i of [5, 6]) expect((await client.query(insert(i))).rows).toEqual([{ i }]);
    expect(await numbers()).toEqual([5, 6]);
  });

  it('that fail reject with their own errors, once all are over', async () => {
    const works = [copyIn(client, loads, rowsOf(9)), client.query('select 1 / 0'), client.query('select 1')] as const;
    const thrown = await together([works[2], works[0], works[1]]).catch((error: unknown) => error);
    expect([sqlState(thrown), isDataError(thrown)]).toEqual(['22012', true]);
  });

  it('end with the connection', async () => {
    const works = [client.query('select 1'), client.query('select pg_terminate_backend(pg_backend_pid())')];
    raw.on('error', () => undefined);
    const [, last] = await Promise.allSettled(works);
    expect(last?.status).toBe('rejected');
  });
});

it('keeps named statements prepared on its connection', async () => {
  const raw = await deps.write.connect();
  const client = inMessages(raw);
  await client.query(insert(1));
  await client.query(insert(2));
  const { rows } = await raw.query(
    `select generic_plans + custom_plans as times from pg_prepared_statements where name = 'message insert'`,
  );
  raw.release();
  expect(rows).toEqual([{ times: 2 }]);
});

it('ends at the time limit of the driver', async () => {
  const blocker = await deps.write.connect();
  await blocker.query('begin; lock table told');
  const pool = openWritePool(deps.config, deps.log);
  const raw = await pool.connect();
  (raw as unknown as { connectionParameters: { query_timeout: number } }).connectionParameters.query_timeout = 100;
  const client = inMessages(raw);
  const works = [client.query('select 1'), client.query(insert(1)), client.query('select 2')];
  await expect(together(works)).rejects.toThrow('Query read timeout');
  raw.release(true);
  await blocker.query('rollback');
  blocker.release();
  await pool.end();
});
