/** SQL of the Ingestion screen's numbers. */
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import { hourMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';

const MINUTE_MS = 60_000;

/** Explains the numbers as of `at`, ms. */
export function explainIngestion(projectId: ProjectId, at: number): ScreenExplanation<'ingestion'> {
  const running = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const statements = {
    outcomes: sql`
        select outcome, sum(events) as events
        from ingestion_minutes
        where project_id = ${projectId} and minute >= ${sql.time(at - hourMs)}
        group by outcome
        order by events desc, outcome collate "C"`,
    minutes: sql`
        select minute, events
        from ingestion_minutes
        where project_id = ${projectId} and minute >= ${sql.time(running - 59 * MINUTE_MS)} and outcome = 'stored'
        order by minute`,
    problems: sql`
        select reason, sum(times) as times, max(last_at) as last
        from ingestion_warnings
        where project_id = ${projectId} and hour >= ${sql.time(at - 24 * hourMs)}
        group by reason
        order by times desc, reason collate "C"`,
  };
  return {
    at,
    parts: (['outcomes', 'minutes', 'problems'] as const).map((of) => ({ of, sql: sqlText(statements[of]) })),
    left: [],
    elsewhere: [],
  };
}
