/** The SQL of what was handed out and erased for people, and of what retention deleted. */
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';

/** Explains the numbers as of `at`, ms. */
export function explainPrivacy(projectId: ProjectId, at: number): ScreenExplanation<'privacy'> {
  const receipts = sql`
        select id, kind, state, counted.key as name, counted.value as rows
        from privacy_requests
          cross join lateral jsonb_each(counts) as counted
        where project_id = ${projectId}
        order by id desc, counted.key collate "C"`;
  const retention = sql`
        select at, before, events, sessions, persons
        from retention_log
        where project_id = ${projectId}
        order by at desc`;
  return {
    at,
    parts: [
      { of: 'receipts', sql: sqlText(receipts) },
      { of: 'retention', sql: sqlText(retention) },
    ],
    left: [],
    elsewhere: [],
  };
}
