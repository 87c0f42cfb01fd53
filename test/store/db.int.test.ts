import { createServer, type Socket } from 'node:net';
import { createLog } from '#src/kit/log.ts';
import {
  asAppError,
  isDataError,
  isOutage,
  migrate,
  openDb,
  openDirect,
  openWritePool,
  transactionSettings,
} from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import { createDatabase, useDatabase } from '#test/kit/database.ts';
import { testConfig, testDeps } from '#test/kit/deps.ts';

describe('migrate', () => {
  it('lets one of several processes migrate an empty database while the others wait', async () => {
    for (let round = 0; round < 3; round++) {
      const database = await createDatabase({ migrated: false });
      const lines: string[] = [];
      const log = createLog('info', { write: (line) => lines.push(JSON.parse(line).msg) });
      const config = testConfig(database.url);
      await Promise.all([migrate(config, log), migrate(config, log), migrate(config, log)]);
      expect(lines.filter((line) => line.includes('up to date'))).toHaveLength(1);
      expect(lines.filter((line) => line.includes('waiting'))).toHaveLength(2);
      await database.drop();
    }
  });

  it('goes on after a migrator that was killed', async () => {
    const database = await createDatabase({ migrated: true });
    const db = openDb(testConfig(database.url), createLog('silent'));
    await db('knex_migrations_lock').update({ is_locked: 1 });
    await db.destroy();
    await expect(migrate(testConfig(database.url), createLog('silent'))).resolves.toBeUndefined();
    await database.drop();
  });
});

describe('connections', () => {
  const database = useDatabase();
  const deps = () => testDeps(database.url);

  it('gives numbers for int8, milliseconds for timestamptz and text for date, in both pools', async () => {
    const { db, write, close } = deps();
    const times = sql`select count(*) as n, 1e15::int8 as big, '2026-11-20 20:29:28.756-03'::timestamptz as at,
      '0044-03-15 00:00:00+00'::timestamptz as early, '2026-11-20'::date as day, null::timestamptz as never`;
    const wanted = { n: 1, big: 1e15, at: Date.UTC(2026, 10, 20, 23, 29, 28, 756), day: '2026-11-20', never: null };
    for (const pool of [db, write]) {
      const [row] = await query<{ early: number }>(pool, times);
      expect(row).toMatchObject(wanted);
      expect(new Date(row?.early ?? 0).getUTCFullYear()).toBe(44);
    }
    await close();
  });

  it('binds values, arrays, jsonb and its operators', async () => {
    const { db, write, close } = deps();
    for (const pool of [db, write]) {
      const rows = await query(
        pool,
        sql`select ${sql.json(['a', "b'?"])} ? ${"b'?"} as held, ${[1, 2]}::int[] as list`,
      );
      expect(rows).toEqual([{ held: true, list: [1, 2] }]);
    }
    await close();
  });

  it('limits every statement on the server', async () => {
    const { db, write, close } = deps();
    const limit = sql`select current_setting('statement_timeout') as "limit"`;
    expect(await query(db, limit)).toEqual([{ limit: '10s' }]);
    expect(await query(write, limit)).toEqual([{ limit: '5s' }]);
    await close();
  });

  it('sends a pooler no parameters that it would refuse', async () => {
    const named = new URL(database.url);
    named.searchParams.set('application_name', 'direct');
    const config = { ...testConfig(database.url), DIRECT_DATABASE_URL: named.href };
    const pool = openWritePool(config, createLog('silent'));
    expect(await query(pool, sql`select current_setting('statement_timeout') as "limit"`)).toEqual([{ limit: '10s' }]);
    // The next transaction may run elsewhere: nothing is kept, and nothing is set that is not for all connections.
    await pool.query({ name: 'kept', text: 'select 1' });
    const kept = sql`select name from pg_prepared_statements union all select setting from pg_settings
      where name = 'enable_seqscan' and setting = 'off'`;
    expect(await query(pool, kept)).toEqual([]);
    expect(transactionSettings(config)).toContain('set local enable_seqscan = off');
    expect(transactionSettings(config)).toContain("set local synchronous_commit = 'on'");
    await pool.end();
    const direct = openDirect(config);
    await direct.connect();
    expect(await query(direct, sql`select current_setting('application_name') as name`)).toEqual([{ name: 'direct' }]);
    await direct.end();
  });

  it('keeps named statements prepared, and plans by indexes alone, where each connection is its own', async () => {
    const { write, config, close } = deps();
    await write.query({ name: 'kept', text: 'select 1' });
    const kept = sql`select name, current_setting('enable_seqscan') as scan from pg_prepared_statements`;
    expect(await query(write, kept)).toEqual([{ name: 'kept', scan: 'off' }]);
    expect(transactionSettings(config)).toBe('');
    await close();
  });

  it('outlives connections that the server ends', async () => {
    const { db, write, close } = deps();
    for (const pool of [db, write]) {
      const [row] = await query<{ pid: number }>(pool, sql`select pg_backend_pid() as pid`);
      await database.query('select pg_terminate_backend($1)', [row?.pid]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await query(pool, sql`select 1 as one`)).toEqual([{ one: 1 }]);
    }
    await close();
  });
});

describe('errors', () => {
  const database = useDatabase();

  const failure = (fragment: ReturnType<typeof sql>) => async (url: string) => {
    const deps = testDeps(url);
    const error = await query(deps.write, fragment).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    await deps.close();
    return error;
  };
  const project = sql`insert into projects (id, name, created_at) values (1, 'a', to_timestamp(0))`;

  it.each([
    ['a broken unique key', sql`with a as (${project} returning 1) ${project}`, 'conflict', true, false],
    [
      'a broken reference',
      sql`insert into project_tokens values ('t', 77, null, to_timestamp(0))`,
      'invalid',
      true,
      false,
    ],
    ['a NUL in a text', sql`select ${'a\u0000b'}::text`, 'invalid', true, false],
    ['a NUL in JSON', sql`select ${'"\\u0000"'}::jsonb`, 'invalid', true, false],
    ['half a character in JSON', sql`select ${'"\\ud800"'}::jsonb`, 'invalid', true, false],
    ['text that is no uuid', sql`select ${'x'}::uuid`, 'invalid', true, false],
    ['a number out of range', sql`select ${'99999999999'}::int`, 'invalid', true, false],
    ['a mistake of ours', sql`select nonsense`, 'internal', false, false],
    ['a server that stops', sql`select pg_terminate_backend(pg_backend_pid())`, 'unavailable', false, true],
  ] as const)('knows %s', async (_, fragment, code, data, outage) => {
    const error = await failure(fragment)(database.url);
    expect([asAppError(error).code, isDataError(error), isOutage(error)]).toEqual([code, data, outage]);
  });

  it('knows a statement over its limit', async () => {
    const deps = testDeps(database.url);
    const client = await deps.write.connect();
    await client.query('set statement_timeout = 20');
    const error = await query(client, sql`select pg_sleep(1)`).catch((thrown: unknown) => thrown);
    client.release(true);
    await deps.close();
    expect(asAppError(error)).toMatchObject({ code: 'timeout', status: 504 });
    expect([isDataError(error), isOutage(error)]).toEqual([false, true]);
  });

  /** With one connection in each pool. */
  const fewDeps = () => {
    const [config, log] = [testConfig(database.url), createLog('silent')];
    return testDeps(database.url, { db: openDb(config, log, 1), write: openWritePool(config, log, 1) });
  };

  it('tells a database that has to wait for others from one that is away', async () => {
    const { db, write, close } = fewDeps();
    const [held, client] = await Promise.all([db.client.acquireConnection(), write.connect()]);
    const failures = [db, write].map((pool) => query(pool, sql`select 1`).then(() => null, asAppError));
    for (const error of await Promise.all(failures)) expect(error).toMatchObject({ code: 'busy', retryAfterSec: 5 });
    await query(client, sql`set lock_timeout = 20`);
    await held.query('begin');
    await held.query('lock table projects');
    expect(await query(client, sql`select from projects`).catch(asAppError)).toMatchObject({ code: 'busy' });
    await held.query('rollback');
    client.release(true);
    await db.client.releaseConnection(held);
    await close();
  });

  it('knows a database that is away: refused, silent, unresolvable', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    for (const url of [
      `postgres://a@127.0.0.1:1/x`,
      `postgres://a@127.0.0.1:${port}/x`,
      'postgres://a@nowhere.invalid/x',
    ]) {
      const deps = testDeps(url);
      for (const pool of [deps.db, deps.write]) {
        const error = await query(pool, sql`select 1`).catch((thrown: unknown) => thrown);
        expect([url, asAppError(error).code, asAppError(error).retryAfterSec]).toEqual([url, 'unavailable', 5]);
      }
      await deps.close();
    }
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
