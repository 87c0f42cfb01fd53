import { CopiedRows } from '#src/columns/storage/copied-rows.ts';
import { unavailable } from '#src/kit/errors.ts';
import { copyOut, copyOutSteps } from '#src/store/copy-out.ts';
import { openDb } from '#src/store/db.ts';
import { openSecondReader, readSnapshot } from '#src/store/snapshot.ts';
import { query, sql } from '#src/store/sql.ts';
import { startProxy } from '#test/faults/kit/tcp-proxy.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase({ between: 'nothing' });
let deps: TestDeps;
beforeAll(async () => {
  deps = testDeps(database.url);
  await database.query('create table things (id int, name text)');
});
afterAll(() => deps.close());

it('sees one moment in all its statements', async () => {
  await readSnapshot(deps.db, async (client) => {
    const count = () => query<{ count: number }>(client, sql`select count(*)::int as count from things`);
    const before = await count();
    await database.query("insert into things values (1, 'one')");
    expect(await count()).toEqual(before);
  });
  expect(await database.query('select id from things')).toEqual([{ id: 1 }]);
});

it('has a second connection that sees the same moment, while there are some to spare', async () => {
  await readSnapshot(deps.db, async (client) => {
    const before = await query<{ count: number }>(client, sql`select count(*)::int as count from things`);
    await database.query("insert into things values (2, 'two')");
    const opened = [];
    for (
      let beside = await openSecondReader(deps.db, client);
      beside !== null;
      beside = await openSecondReader(deps.db, client)
    ) {
      expect(await query(beside.client, sql`select count(*)::int as count from things`)).toEqual(before);
      opened.push(beside);
    }
    expect(opened.length).toBeGreaterThan(0);
    expect(opened.length).toBeLessThan(deps.db.client.pool.max - 1);
    for (const beside of opened) await beside.end();
  });
  expect(await readSnapshot(deps.db, (client) => query(client, sql`select id from things`))).toHaveLength(2);
  await database.query('delete from things where id = 2');
});

it('ends its transaction when the work gives up by itself', async () => {
  const refused = readSnapshot(deps.db, async (client) => {
    await query(client, sql`select id from things`);
    throw unavailable('It is not here.');
  });
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
  const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
  expect(await database.query(open)).toEqual([]);
});

it('does without a second connection when PostgreSQL has none to spare', async () => {
  const full = Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
  const count = await readSnapshot(deps.db, async (client) => {
    const acquire = jest.spyOn(deps.db.client, 'acquireConnection').mockRejectedValueOnce(full);
    expect(await openSecondReader(deps.db, client)).toBeNull();
    acquire.mockRestore();
    return query(client, sql`select count(*)::int as count from things`);
  });
  expect(count).toHaveLength(1);
});

it('copies every kind of value out, with what was put into the statement', async () => {
  const text = `O'Reilly \\ "quoted", $1 {é🚀}`;
  const bytes = await readSnapshot(deps.db, (client) =>
    copyOut(
      client,
      sql`select ${text}::text, ${-7}::int, ${2 ** 40}::bigint, true, null::int, '{"a": "é"}'::jsonb, '\\x00ff'::bytea,
                 timestamptz '2026-11-19T12:00:00.123Z', item
            from unnest(${[text, '']}::text[]) as item where ${[1, 2]}::int[] @> array[${1}::int]`,
    ),
  );
  const rows = new CopiedRows(bytes);
  for (const item of [text, '']) {
    expect(rows.next()).toBe(true);
    expect(rows.text()).toBe(text);
    expect([rows.number(), rows.number(), rows.number(), rows.number()]).toEqual([-7, 2 ** 40, 1, 0]);
    expect(rows.text(1)).toBe('{"a": "é"}');
    expect([...(rows.raw() ?? [])]).toEqual([0, 255]);
    expect(rows.time()).toBe(Date.UTC(2026, 10, 19, 12, 0, 0, 123));
    expect(rows.text()).toBe(item);
  }
  expect(rows.next()).toBe(false);
});

it('copies more than fits into one piece', async () => {
  const bytes = await readSnapshot(deps.db, (client) =>
    copyOut(client, sql`select n from generate_series(1, ${50_000}) as n`),
  );
  const rows = new CopiedRows(bytes);
  let sum = 0;
  while (rows.next()) sum += rows.number();
  expect(sum).toBe((50_000 * 50_001) / 2);
});

it('copies in steps of whole rows, and does not read on while steps wait', async () => {
  let sum = 0;
  let steps = 0;
  let isTaking = false;
  let hasHeader = true;
  await readSnapshot(deps.db, async (client) => {
    const rows = sql`select n, repeat('x', 10 + (n % 7) * 5000) from generate_series(1, ${10_000}) as n`;
    const take = async (pieces: readonly Uint8Array[]) => {
      expect(isTaking).toBe(false);
      isTaking = true;
      steps++;
      const bytes = Buffer.concat(pieces);
      // A step and the part of the next that arrived before backpressure.
      expect(bytes.length).toBeLessThan(400_000);
      const copied = new CopiedRows(bytes, hasHeader);
      hasHeader = false;
      while (copied.next()) {
        sum += copied.number();
        expect(copied.text()?.length).toBeGreaterThanOrEqual(10);
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
      isTaking = false;
    };
    await copyOutSteps(client, rows, take, 200_000);
    expect(await query(client, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
  expect(sum).toBe((10_000 * 10_001) / 2);
  expect(steps).toBeGreaterThan(100);
});

it('throws what a step threw, and leaves the connection as it was', async () => {
  await readSnapshot(deps.db, async (client) => {
    let steps = 0;
    const rows = sql`select repeat('x', 10000) from generate_series(1, ${2_000})`;
    const failing = copyOutSteps(
      client,
      rows,
      async () => {
        steps++;
        if (steps === 3) throw new Error('no more');
      },
      100_000,
    );
    await expect(failing).rejects.toThrow('no more');
    expect(steps).toBe(3);
    expect(await query(client, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

it('releases the connection unchanged after any failure', async () => {
  const one = openDb({ DATABASE_URL: database.url }, deps.log);
  one.client.pool.max = 1;
  try {
    await expect(readSnapshot(one, (client) => copyOut(client, sql`select 1 / 0`))).rejects.toMatchObject({
      code: 'internal',
    });
    await expect(
      readSnapshot(one, (client) => query(client, sql`insert into things values (2, 'two')`)),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await readSnapshot(one, (client) => query(client, sql`select 1 as one`))).toEqual([{ one: 1 }]);
    expect(await query(one, sql`select count(*)::int as count from things where id = 2`)).toEqual([{ count: 0 }]);
  } finally {
    await one.destroy();
  }
});

it('gives up soon when the server answers nobody, and asks on another connection next time', async () => {
  const server = new URL(database.url);
  const socket = server.searchParams.get('host');
  const port = Number(server.port || 5432);
  const path = `${socket}/.s.PGSQL.${server.searchParams.get('port') ?? port}`;
  const proxy = await startProxy(() => (socket ? { path } : { host: server.hostname, port }));
  server.searchParams.delete('host');
  server.searchParams.delete('port');
  server.hostname = '127.0.0.1';
  server.port = String(proxy.port);
  const db = openDb({ DATABASE_URL: server.href }, deps.log);
  const ask = () => readSnapshot(db, (client) => query(client, sql`select 1 as one`));
  try {
    expect(await ask()).toEqual([{ one: 1 }]);
    proxy.set({ kind: 'silent' });
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    proxy.set({ kind: 'pass' });
    expect(await ask()).toEqual([{ one: 1 }]);
  } finally {
    await db.destroy();
    await proxy.close();
  }
});
