/** The SQL of how many events a project has stored. */
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';

/** Explains the number as it is at a moment. */
export function explainStored(projectId: ProjectId, at: number): ScreenExplanation<'stored'> {
  const statement = sql`
        select count(*) as events
        from events
        where project_id = ${projectId}`;
  return { at, parts: [{ of: 'stored', sql: sqlText(statement) }], left: [], elsewhere: [] };
}
