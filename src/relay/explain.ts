/** The SQL of what was passed on, and of what waits for it. */
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import { sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';

/** Explains the numbers as of `at`, ms. @param hasQueue a mirror has one */
export function explainUpstream(at: number, hasQueue: boolean): ScreenExplanation<'upstream'> {
  const passed = sql`
        select coalesce(sum(passed), 0) as passed, coalesce(sum(failed), 0) as failed,
          coalesce(sum(skipped), 0) as skipped, min(began_at) as since
        from relay_counts`;
  const queue = sql`
        select count(*) filter (where refused is null) as requests,
          count(*) filter (where refused is not null) as refused
        from relay_queue`;
  return {
    at,
    parts: [
      { of: 'passed', sql: sqlText(passed) },
      ...(hasQueue ? [{ of: 'queue' as const, sql: sqlText(queue) }] : []),
    ],
    left: [],
    elsewhere: [],
  };
}
