/** The SQL of how many events a project has stored, and of how many of them are older than a retention. */
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import { dayMs, quarterMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';

/** Explains the numbers as of `at`, ms. */
export function explainStored(projectId: ProjectId, at: number, olderThanDays?: number): ScreenExplanation<'stored'> {
  const stored = sql`
        select count(*) as events
        from events
        where project_id = ${projectId}`;
  const parts: ScreenExplanation<'stored'>['parts'] = [{ of: 'stored', sql: sqlText(stored) }];
  if (olderThanDays !== undefined) {
    // They are counted by quarters of an hour: all of the one in which the limit lies.
    const before = Math.ceil((at - olderThanDays * dayMs) / quarterMs) * quarterMs;
    parts.push({ of: 'older', sql: sqlText(sql`${stored} and ts < ${sql.time(before)}`) });
  }
  return { at, parts, left: [], elsewhere: [] };
}
