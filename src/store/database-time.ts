import { type Queryable, query, sql } from './sql.ts';

/** The clock of the database, ms: what processes have in common when their own clocks differ. */
export async function databaseTime(on: Queryable): Promise<number> {
  const [row] = await query<{ time: number }>(on, sql`select clock_timestamp() as time`);
  return row?.time ?? 0;
}
