/** Queries beyond their limits fail as those of the engine do. */
import { openClickhouse } from '#src/clickhouse/connection.ts';
import { sql } from '#src/store/sql.ts';
import { useClickhouse } from '#test/kit/clickhouse.ts';

const server = useClickhouse();

it('ends queries that need more memory or rows than they may', async () => {
  const house = await openClickhouse({ CLICKHOUSE_URL: server.url, CLICKHOUSE_QUERY_MEMORY_MB: 100 });
  try {
    expect(await house.query(sql`select count() as count from numbers(10)`)).toEqual([{ count: 10 }]);
    const large = sql`select length(groupArray(number)) as count from numbers(50000000)`;
    await expect(house.query(large)).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/memory/),
    });
    const long = sql`select number from numbers(2000000)`;
    await expect(house.query(long)).rejects.toMatchObject({ code: 'timeout' });
  } finally {
    await house.close();
  }
});
