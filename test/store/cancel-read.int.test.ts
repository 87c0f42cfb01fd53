/** Statements for whose rows nobody waits are cancelled; what is asked on the same connection afterwards never is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Cancelled } from '#src/kit/cancelled.ts';
import { copyOut } from '#src/store/copy-out.ts';
import { openDb } from '#src/store/db.ts';
import { inTurn, readSnapshot, readUntilEnd } from '#src/store/snapshot.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';

const database = useDatabase({ between: 'nothing' });
let deps: TestDeps;
/** Of one connection: whatever is asked next is asked on the one on which something was cancelled. */
let db: Knex;

beforeAll(() => {
  deps = testDeps(database.url);
  db = openDb(deps.config, deps.log, 1);
});
afterAll(() => Promise.all([db.destroy(), deps.close()]));

const LONG = sql`select 1 from pg_sleep(60)`;

async function running(): Promise<number> {
  const rows = await database.query(
    `select 1 from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'copy%pg_sleep%'`,
  );
  return rows.length;
}

async function backend(): Promise<number | undefined> {
  return (await query<{ pid: number }>(db, sql`select pg_backend_pid() as pid`))[0]?.pid;
}

/** Several statements at once in one snapshot. */
function read(signal: AbortSignal | undefined, ...statements: Sql[]) {
  const work = async (client: Parameters<typeof inTurn>[0]) => {
    const shared = inTurn(client);
    return Promise.allSettled(statements.map((each) => readUntilEnd(shared, (own) => copyOut(own, each))));
  };
  return readSnapshot(db, work, signal);
}

it('cancels what is under way and begins nothing more, and the connection goes on', async () => {
  const pid = await backend();
  const gone = new AbortController();
  // The connection is shared through two queues, as a query within another one does.
  const reading = readSnapshot(
    db,
    async (client) => {
      const shared = inTurn(inTurn(client));
      const reads = [LONG, LONG].map((each) => readUntilEnd(shared, (own) => copyOut(own, each)));
      const ends = await Promise.allSettled(reads);
      expect(ends.map((each) => each.status === 'rejected' && each.reason instanceof Cancelled)).toEqual([true, true]);
      throw new Cancelled();
    },
    gone.signal,
  );
  await until(async () => (await running()) === 1);
  gone.abort();
  await expect(reading).rejects.toBeInstanceOf(Cancelled);
  expect(await running()).toBe(0);
  expect(await backend()).toBe(pid);
});

it('asks for nothing when all had gone before', async () => {
  await expect(read(AbortSignal.abort(), LONG)).rejects.toBeInstanceOf(Cancelled);
});

it('never cancels what is asked on the connection afterwards', async () => {
  let cancelled = 0;
  for (let round = 0; round < 60; round++) {
    const gone = new AbortController();
    const reading = read(gone.signal, sql`select 1 from pg_sleep(0.003)`);
    // From before the statement begins to after it has ended.
    const leaving = sleep((round % 12) * 0.8).then(() => gone.abort());
    const after = reading.catch(() => undefined).then(() => query(db, sql`select 1 as one from pg_sleep(0.01)`));
    expect(await after).toEqual([{ one: 1 }]);
    await leaving;
    const [end] = await reading.catch(() => [{ status: 'rejected' }]);
    if (end?.status === 'rejected') cancelled++;
  }
  expect(cancelled).toBeGreaterThan(0);
  expect(cancelled).toBeLessThan(60);
});

it('reads to the end where it cannot be cancelled', async () => {
  const connection = db.client.config.connection as { connectionString: string };
  const { connectionString } = connection;
  const gone = new AbortController();
  const reading = read(gone.signal, sql`select 1 from pg_sleep(0.3)`);
  await until(async () => (await running()) === 1);
  try {
    connection.connectionString = 'postgres://nobody@127.0.0.1:1/nowhere';
    gone.abort();
    expect(await reading).toMatchObject([{ status: 'fulfilled' }]);
  } finally {
    connection.connectionString = connectionString;
  }
});
