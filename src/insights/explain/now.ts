/** The SQL of who is here now, as Live says it. */
import { eventMarks } from '#src/events/contract.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { NowExplanation } from './contract.ts';
import { eventPerson } from './rows.ts';
import { sqlText } from './text.ts';

const MINUTE_MS = 60_000;
const MINUTES = 5;

/** Explains the numbers of Live as they are at a moment. */
export function explainNow(projectId: ProjectId, at: number): NowExplanation {
  const running = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const [since, first] = [at - MINUTES * MINUTE_MS, running - MINUTES * MINUTE_MS];
  const statement = sql`
        select
          count(distinct ${eventPerson}) filter (
          where events.marks & ${eventMarks.bot} = 0 and events.ts > ${time(since)}
          ) as people,
          count(*) filter (
          where events.ts >= ${time(first)} and events.ts < ${time(running)}
          )::float8 / ${MINUTES} as "eventsPerMinute",
          percentile_cont(0.5) within group (order by extract(epoch from events.received_at - events.ts)) filter (
          where events.marks & ${eventMarks.historical} = 0 and events.ts > ${time(since)}
          ) * 1000 as "delayMs"
        from events
          left join person_overrides as merged
          on merged.project_id = events.project_id and merged.old_person = events.person
        where events.project_id = ${projectId}
          and events.ts >= ${time(first)}
          and events.ts <= ${time(at)}`;
  return { at, sql: sqlText(statement) };
}

function time(ms: number): Sql {
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}
