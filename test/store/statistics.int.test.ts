/** Statistics follow rows that come faster than autovacuum looks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { createStatistics } from '#src/store/statistics.ts';
import { useDatabase } from '#test/kit/database.ts';

const database = useDatabase();

async function knownRows(): Promise<number> {
  const [row] = await database.query<{ known: number }>(
    "select reltuples::int as known from pg_class where oid = 'property_groups'::regclass",
  );
  return row?.known ?? 0;
}

async function add(from: number, rows: number): Promise<void> {
  await database.query(
    `insert into property_groups (project_id, kind, number, hash, properties)
     select 1, 1, number, decode(md5(number::text), 'hex'), '{}' from generate_series($1::int, $2::int) as number`,
    [from, from + rows - 1],
  );
}

it('renews them after a thousand rows, and then after as many as there were', async () => {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  const statistics = createStatistics(pool, 'property_groups');
  const seen: number[] = [];
  for (let at = 0; at < 8; at++) {
    await add(at * 500 + 1, 500);
    statistics.added(500);
    await pool.query('select 1'); // behind what it does on the same connection
    await sleep(1);
    seen.push(await knownRows());
  }
  await pool.end();
  expect(seen.slice(1)).toEqual([1_000, 1_000, 2_000, 2_000, 2_000, 2_000, 4_000]);
});

it('never fails', async () => {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  await pool.end();
  expect(() => createStatistics(pool, 'property_groups').added(5_000)).not.toThrow();
});
