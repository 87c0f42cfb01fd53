/** What intake kept of people: examples of warnings, visits of cookieless visitors. Their own end comes soon; somebody may not wait for it. */
import { type Queryable, query, sql } from '#src/store/sql.ts';

/** Takes these ids out of everything that intake keeps; the warnings themselves still count. Gives rows by table. */
export async function eraseTraces(
  on: Queryable,
  projectId: number,
  distinctIds: readonly string[],
): Promise<Record<'ingestion_warnings' | 'cookieless_sessions', number>> {
  const ids = sql`any(${[...distinctIds]}::text[])`;
  const warnings = await query(
    on,
    sql`update ingestion_warnings set sample = '{}'
         where project_id = ${projectId} and (sample ->> 'distinct_id' = ${ids} or sample ->> 'detail' = ${ids})
        returning reason`,
  );
  const visits = await query(
    on,
    sql`delete from cookieless_sessions where project_id = ${projectId} and visitor = ${ids} returning session`,
  );
  return { ingestion_warnings: warnings.length, cookieless_sessions: visits.length };
}
