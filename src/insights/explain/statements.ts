/**
 * The SQL that gives a number of the overview from the rows: visits as they are noted with their events, views and other events one by one,
 * people after merges. Made for readers; what the program shows comes from the columns engine, and a test holds the two together.
 */
import type { Filters } from '#src/columns/contract.ts';
import { filterSql, namesSql, readingSql, visitColumn } from '#src/columns/filter-sql.ts';
import { type GroupProperty, type VisitProperty, visitProperties } from '#src/columns/visit-fields.ts';
import { eventMarks, groupKinds } from '#src/events/contract.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { viewNames } from '../asked.ts';
import { dimensions } from '../breakdown.ts';
import type { BreakdownDimension } from '../contract.ts';
import type { Explained } from './contract.ts';

export interface Rows {
  projectId: ProjectId;
  /** `[from, until)` in ms. */
  from: number;
  until: number;
  filters: Filters | null;
}

/** The statement of a number. A figure has the column `value`; a table `value`, `count` and `visitors`. */
export function statementOf(of: Explained, rows: Rows): Sql {
  switch (of) {
    case 'visitors':
      return sql`
        select count(distinct coalesce(merged.new_person, events.person)) as value
        ${fromEvents(rows, viewNames)}`;
    case 'views':
      return sql`
        select count(*) as value
        ${fromEvents(rows, viewNames)}`;
    case 'visits':
      return sql`
        select count(*) as value
        ${fromVisits(rows)}`;
    case 'viewsPerVisit':
      return sql`
        select sum(visit.views + visit.screens) as views, count(*) as visits,
          sum(visit.views + visit.screens)::numeric / nullif(count(*), 0) as value
        ${fromVisits(rows)}`;
    case 'bounceRate':
      return sql`
        select count(*) filter (where ${bounced}) as bounced, count(*) as visits,
          count(*) filter (where ${bounced})::numeric / nullif(count(*), 0) as value
        ${fromVisits(rows)}`;
    case 'visitDuration':
      return sql`
        select extract(epoch from sum(visit.last_ts - visit.first_ts)) as seconds, count(*) as visits,
          extract(epoch from sum(visit.last_ts - visit.first_ts)) / nullif(count(*), 0) as value
        ${fromVisits(rows)}`;
    default:
      return tableOf(of, rows);
  }
}

function tableOf(of: BreakdownDimension, rows: Rows): Sql {
  const dimension = dimensions[of];
  if (dimension.of === 'sessions') return visitsTable(rows, visitProperties[dimension.field]);
  const { reading, names = viewNames } = dimension;
  if (reading.kind !== 'event') {
    const value = groupValue(rows, reading, sql`events.${sql.id(reading.kind)}`);
    return eventsTable(rows, names, value, of === 'outbound');
  }
  const name = sql`(select name from event_names where project_id = ${rows.projectId} and number = events.event)`;
  return eventsTable(rows, names, name);
}

const bounced = sql`visit.views + visit.screens + visit.autocaptures = 1
            and visit.last_ts - visit.first_ts < interval '10 seconds'`;

/** @param isNamed what has no value is left out */
function eventsTable(rows: Rows, names: readonly string[] | null, value: Sql, isNamed = false): Sql {
  return sql`
        select its.value, count(*) as count, count(distinct coalesce(merged.new_person, events.person)) as visitors
        ${fromEvents(
          rows,
          names,
          sql`
          cross join lateral (select ${value} as value) as its`,
        )}
          ${isNamed ? sql`and its.value <> ''` : sql.empty}
        group by its.value
        order by count desc, its.value collate "C"`;
}

function visitsTable(rows: Rows, property: VisitProperty): Sql {
  return sql`
        select its.value, count(*) as count, count(distinct coalesce(merged.new_person, visit.person)) as visitors
        ${fromVisits(
          rows,
          sql`
          cross join lateral (select ${groupValue(rows, property, sql`visit.${visitColumn(property)}`)} as value) as its`,
        )}
        group by its.value
        order by count desc, its.value collate "C"`;
}

function groupValue({ projectId }: Rows, property: GroupProperty, number: Sql): Sql {
  return sql`coalesce((
            select ${readingSql(property)}
            from property_groups
            where project_id = ${projectId} and kind = ${groupKinds[property.kind]} and number = ${number}), ${property.missing ?? ''})`;
}

/** Events of these names (null: any) in the range that the filters keep, without those of bots and of the team. */
function fromEvents(rows: Rows, names: readonly string[] | null, joined: Sql = sql.empty): Sql {
  const { projectId, from, until } = rows;
  return sql`from events
          left join person_overrides as merged
            on merged.project_id = events.project_id and merged.old_person = events.person${joined}
        where events.project_id = ${projectId}
          and events.ts >= ${time(from)}
          and events.ts < ${time(until)}
          ${names === null ? sql.empty : sql`and ${namesSql(rows, names)}`}
          and events.marks & ${eventMarks.bot} = 0
          ${filtered(rows)}`;
}

/** Visits that began in the range and hold a view (that the filters keep), without those of bots and of the team. */
function fromVisits(rows: Rows, joined: Sql = sql.empty): Sql {
  const { projectId, from, until, filters } = rows;
  return sql`from sessions as visit
          left join person_overrides as merged
            on merged.project_id = visit.project_id and merged.old_person = visit.person${joined}
        where visit.project_id = ${projectId}
          and visit.first_ts >= ${time(from)}
          and visit.first_ts < ${time(until)}
          and visit.views + visit.screens > 0
          and not visit.bot
          ${
            filters === null
              ? sql.empty
              : sql`and visit.id in (
            select events.session_id from events
            where events.project_id = ${projectId} and events.ts >= ${time(from)}
              and ${namesSql(rows, viewNames)}
              ${filtered(rows)})`
          }`;
}

function filtered({ filters, ...rows }: Rows): Sql {
  return filters === null ? sql.empty : sql`and ${filterSql({ ...rows, asEngine: true }, filters)}`;
}

function time(ms: number): Sql {
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}
