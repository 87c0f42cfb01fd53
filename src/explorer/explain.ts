/** The SQL of how many events have a name or a property, of how many the list has, and of what files hold. */
import type { People } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import { filterSql, namesSql } from '#src/columns/filters/filter-sql.ts';
import { peopleSql } from '#src/columns/filters/people-sql.ts';
import { eventMarks, type GroupKind, groupKinds } from '#src/events/contract.ts';
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';
import type { DefinitionKind } from './contract.ts';

/** Explains the volumes of events or properties. @param firstDay the first of those that are counted: its number since 1970 (UTC) */
export function explainDefinitions(
  projectId: ProjectId,
  kind: DefinitionKind,
  firstDay: number,
  at: number,
): ScreenExplanation<'definitions'> {
  const first = firstDay * dayMs;
  const part =
    kind === 'event'
      ? { of: 'events' as const, sql: sqlText(byName(projectId, first)) }
      : { of: 'properties' as const, sql: sqlText(byProperty(projectId, first, at)) };
  return { at, parts: [part], left: [], elsewhere: [] };
}

function byName(projectId: ProjectId, first: number): Sql {
  return sql`
        select event_names.name, count(*) as events
        from events
          join event_names
          on event_names.project_id = events.project_id and event_names.number = events.event
        where events.project_id = ${projectId} and events.ts >= ${sql.time(first)}
        group by event_names.name
        order by events desc, event_names.name collate "C"`;
}

/** Events by property, from event columns and property groups. */
function byProperty(projectId: ProjectId, first: number, at: number): Sql {
  const until = (Math.floor(at / dayMs) + 1) * dayMs;
  const groups = (Object.keys(groupKinds) as GroupKind[]).map(
    (kind) => sql`
          union all
          select kind.properties from property_groups as kind
          where kind.project_id = events.project_id and kind.kind = ${groupKinds[kind]} and kind.number = events.${sql.id(kind)}`,
  );
  return sql`
        select property.key as name, count(*) as events
        from events
          cross join lateral (
          select events.properties${sql.join(groups, sql``)}
          ) as said
          cross join lateral jsonb_each(said.properties) as property
        where events.project_id = ${projectId} and events.ts >= ${sql.time(first)} and events.ts < ${sql.time(until)}
          and jsonb_typeof(property.value) <> 'null'
        group by property.key
        order by events desc, property.key collate "C"`;
}

export interface ListExplained {
  projectId: ProjectId;
  from: number;
  to: number;
  filters: Filters | null;
  people: People | null;
  /** None: of any. */
  names: readonly string[];
  reading: ReadingRules;
}

/** Explains how many events the list has. */
export function explainList(asked: ListExplained, at: number): ScreenExplanation<'list'> {
  const { projectId, reading, from, to, filters, people, names } = asked;
  const rows = { projectId, reading, from, until: to };
  const conditions = [
    sql`events.project_id = ${projectId}`,
    sql`events.ts >= ${sql.time(from)}`,
    sql`events.ts < ${sql.time(to)}`,
    ...(names.length > 0 ? [namesSql(rows, names)] : []),
    ...(filters === null ? [] : [filterSql(rows, filters)]),
    ...(people === null ? [] : [peopleSql(rows, people)]),
  ];
  const statement = sql`
        select count(*) as events,
          count(*) filter (where ${isBot}) as bots,
          count(*) filter (where events.marks & ${eventMarks.internal} <> 0) as team
        from events
        where ${sql.join(
          conditions,
          sql`
          and `,
        )}`;
  return { at, parts: [{ of: 'listed', sql: sqlText(statement) }], left: [], elsewhere: [] };
}

const isBot = sql`events.marks & ${eventMarks.bot | eventMarks.internal} = ${eventMarks.bot}`;

/** Explains what files hold. */
export function explainFiles(projectId: ProjectId, at: number): ScreenExplanation<'files'> {
  const statement = sql`
        select id, state, format, rows, bytes
        from event_exports
        where project_id = ${projectId}
        order by asked_at desc, id desc
        limit 100`;
  return { at, parts: [{ of: 'files', sql: sqlText(statement) }], left: [], elsewhere: [] };
}
