/** The SQL of tables, with the further columns that they have in full. */
import { readingSql, visitColumn } from '#src/columns/filter-sql.ts';
import { type GroupProperty, type VisitProperty, visitProperties } from '#src/columns/visit-fields.ts';
import { groupKinds } from '#src/events/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { viewNames } from '../asked.ts';
import { dimensions } from '../breakdown.ts';
import type { BreakdownDimension } from '../contract.ts';
import { bounced, eventPerson, fromEvents, fromVisits, type Rows, visitPerson } from './rows.ts';

/** Rows with `value`, `count` and `visitors`. @param inFull with the further columns, by the names that the answer has for them */
export function tableSql(of: BreakdownDimension, rows: Rows, inFull: boolean): Sql {
  if (inFull && of === 'page') return pagesInFull(rows);
  const dimension = dimensions[of];
  const body =
    dimension.of === 'sessions' ? visitsTable(rows, visitProperties[dimension.field], inFull) : eventsTable(of, rows);
  return sql`${body}
        order by count desc, value collate "C"`;
}

function eventsTable(of: BreakdownDimension, rows: Rows): Sql {
  const dimension = dimensions[of];
  if (dimension.of === 'sessions') throw new Error(`${of} is a table of visits`);
  const { reading, names = viewNames } = dimension;
  const value =
    reading.kind === 'event'
      ? sql`(select name from event_names where project_id = ${rows.projectId} and number = events.event)`
      : groupValue(rows, reading, sql`events.${sql.id(reading.kind)}`);
  return sql`
        select its.value, count(*) as count, count(distinct ${eventPerson}) as visitors
        ${fromEvents(rows, { names, joined: lateral(value), ...(of === 'outbound' && { where: sql`its.value <> ''` }) })}
        group by its.value`;
}

function visitsTable(rows: Rows, property: VisitProperty, inFull: boolean): Sql {
  const further = sql`,
          count(*) filter (where ${bounced}) as bounced,
          extract(epoch from sum(visit.last_ts - visit.first_ts)) as seconds`;
  return sql`
        select its.value, count(*) as count, count(distinct ${visitPerson}) as visitors${inFull ? further : sql.empty}
        ${fromVisits(rows, lateral(groupValue(rows, property, sql`visit.${visitColumn(property)}`)))}
        group by its.value`;
}

/** Ends tell how the page before was read: the next view of a window, or leaving it. */
function pagesInFull(rows: Rows): Sql {
  const names = [...viewNames, '$pageleave'];
  const of = sql`(case when jsonb_typeof(events.properties -> '$prev_pageview_pathname') = 'string'
              then events.properties ->> '$prev_pageview_pathname' end)`;
  return sql`
        with pages as (${eventsTable('page', rows)}
        ), entered as (${visitsTable(rows, visitProperties.entryPath, true)}
        ), ended as (${visitsTable(rows, visitProperties.exitPath, true)}
        ), readings as (
        select its.value,
          avg(${measured('$prev_pageview_duration', 1800)}) as "timeOnPage",
          avg(${measured('$prev_pageview_max_scroll_percentage', 1)}) as "scrollDepth"
        ${fromEvents(rows, { names, joined: lateral(of), where: sql`its.value <> ''` })}
        group by its.value
        )
        select value, pages.count, pages.visitors,
          coalesce(entered.count, 0) as entries, coalesce(entered.bounced, 0) as bounced,
          entered.bounced::numeric / entered.count as "bounceRate",
          coalesce(ended.count, 0) as exits, coalesce(ended.count, 0)::numeric / pages.count as "exitRate",
          readings."timeOnPage", readings."scrollDepth"
        from pages
          left join entered using (value)
          left join ended using (value)
          left join readings using (value)
        order by count desc, value collate "C"`;
}

/** A number that the event says itself, not below zero; null for anything else. @param most what is more counts as this */
export function measured(property: string, most: number | null = null): Sql {
  const said = sql`(events.properties -> ${property})`;
  const number = most === null ? sql`${said}::float8` : sql`least(${said}::float8, ${most})`;
  return sql`case when jsonb_typeof${said} = 'number' and ${said}::numeric >= 0 then ${number} end`;
}

function lateral(value: Sql): Sql {
  return sql`
          cross join lateral (
          select ${value} as value
          ) as its`;
}

/** What a group says, as text. */
export function groupValue({ projectId }: Rows, property: GroupProperty, number: Sql): Sql {
  return sql`coalesce((
            select ${readingSql(property)}
            from property_groups
            where project_id = ${projectId} and kind = ${groupKinds[property.kind]} and number = ${number}), ${property.missing ?? ''})`;
}
