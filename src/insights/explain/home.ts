/** SQL of Home: last week and current visitors of all projects. */
import { eventMarks } from '#src/events/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';
import type { Overview } from '../contract.ts';
import { countedUntil } from '../query/ranges.ts';
import { eventPerson } from '../query/rows.ts';
import { type QueryProject, viewNames } from '../query/scope.ts';
import type { ScreenExplanation } from './contract.ts';

const PRESENT_MS = 5 * 60_000;

/** Query of the rows of Home, for visitors and exclusions. */
export const weekInput = { range: 'last_7_days', compare: 'none', interval: 'day' } as const;

export interface WeekOf {
  project: QueryProject;
  week: Pick<Overview, 'range' | 'excluded'>;
}

/** Explains the numbers of these projects as of `at`, ms. */
export function explainHome(weeks: readonly WeekOf[], at: number): ScreenExplanation<'home'> {
  const left = (what: 'bots' | 'internal') => weeks.reduce((sum, { week }) => sum + week.excluded[what], 0);
  const internal = left('internal');
  return {
    at,
    parts:
      weeks.length === 0
        ? []
        : [
            { of: 'week', sql: sqlText(weekSql(weeks)) },
            { of: 'present', sql: sqlText(presentSql(weeks, at)) },
          ],
    left: [
      { what: 'botViews', count: left('bots') },
      ...(internal > 0 ? [{ what: 'teamViews' as const, count: internal }] : []),
    ],
    elsewhere: [],
  };
}

/** A row for each day on which someone was there. */
function weekSql(weeks: readonly WeekOf[]): Sql {
  const asked = weeks.map(
    ({ project, week }) =>
      sql`(${project.id}, ${project.timeZone}, ${sql.time(week.range.from)}, ${sql.time(countedUntil(week.range))})`,
  );
  return sql`
        with asked (project, zone, since, until) as (
        values ${sql.join(asked, sql`,\n`)}
        )
        select asked.project, (events.ts at time zone asked.zone)::date as day, count(distinct ${eventPerson}) as visitors
        ${eventsOf(sql`events.ts >= asked.since and events.ts < asked.until`)}
          and event_names.name = any(${[...viewNames]}::text[])
        group by 1, 2
        order by 1, 2`;
}

function presentSql(weeks: readonly WeekOf[], at: number): Sql {
  const projects = weeks.map(({ project }) => sql`(${project.id})`);
  return sql`
        with asked (project) as (
        values ${sql.join(projects, sql`, `)}
        )
        select asked.project, count(distinct ${eventPerson}) as people
        ${eventsOf(sql`events.ts > ${sql.time(at - PRESENT_MS)} and events.ts <= ${sql.time(at)}`)}
        group by 1
        order by 1`;
}

/** Events of people, by project name. */
function eventsOf(within: Sql): Sql {
  return sql`from asked
          join events on events.project_id = asked.project
          join event_names
          on event_names.project_id = events.project_id and event_names.number = events.event
          left join person_overrides as merged
          on merged.project_id = events.project_id and merged.old_person = events.person
        where ${within}
          and events.marks & ${eventMarks.bot} = 0`;
}
