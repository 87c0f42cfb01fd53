/** SQL of the Status screen: database size, size by project, and background jobs. */
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import { partSizes } from '#src/store/sizes.ts';
import { sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';
import { eventBytes, projectRows } from './queries.ts';

/** Explains the numbers as of `at`, ms. @param week the days of the growth figures */
export function explainStatus(at: number, week: { from: number; until: number }): ScreenExplanation<'status'> {
  const statements = {
    database: sql`
        select pg_database_size(current_database()) as bytes,
          (select count(*) from knex_migrations) as migrations`,
    sizes: partSizes,
    projects: sql`
        with counted as (
        ${projectRows(week.from, week.until)}
        )
        select id, name, events,
          round(events * ${eventBytes} / nullif(sum(events) over (), 0)) as bytes,
          round(recent / 7.0) as "eventsPerDay",
          round(recent / 7.0 * ${eventBytes} / nullif(sum(events) over (), 0)) as "bytesPerDay"
        from counted
        order by events desc, id`,
    jobs: sql`
        select name, failures, succeeded_at
        from job_runs
        order by name`,
  };
  return {
    at,
    parts: (['database', 'sizes', 'projects', 'jobs'] as const).map((of) => ({ of, sql: sqlText(statements[of]) })),
    left: [],
    elsewhere: [],
  };
}
