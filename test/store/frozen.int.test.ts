/** A server that goes silent, and one that is only slow. */
import { openDb } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import { startProxy } from '#test/faults/kit/tcp-proxy.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';

const database = useDatabase({ between: 'nothing' });

it('gives a question up soon when the server answers nobody, and lets a slow one end', async () => {
  const server = new URL(database.url);
  const socket = server.searchParams.get('host');
  const port = Number(server.port || 5432);
  const target = socket
    ? { path: `${socket}/.s.PGSQL.${server.searchParams.get('port') ?? port}` }
    : { host: server.hostname, port };
  const proxy = await startProxy(() => target);
  server.searchParams.delete('host');
  server.searchParams.delete('port');
  server.hostname = '127.0.0.1';
  server.port = String(proxy.port);
  const deps = testDeps(database.url);
  const db = openDb({ DATABASE_URL: server.href }, deps.log);
  try {
    expect(await query(db, sql`select 1 as one from pg_sleep(2.5)`)).toEqual([{ one: 1 }]);
    proxy.set({ kind: 'silent' });
    await expect(query(db, sql`select 1`)).rejects.toMatchObject({ code: 'unavailable' });
    proxy.set({ kind: 'pass' });
    expect(await query(db, sql`select 2 as two`)).toEqual([{ two: 2 }]);
  } finally {
    await db.destroy();
    await proxy.close();
    await deps.close();
  }
});
