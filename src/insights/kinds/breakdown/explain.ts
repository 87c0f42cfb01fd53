/** The SQL of tables, with the further columns that they have in full. */

import { ownTextSql, visitColumn } from '#src/columns/filters/filter-sql.ts';
import { type VisitProperty, visitProperties } from '#src/columns/filters/visit-fields.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { Goal } from '../../goals/contract.ts';
import { selectionOf } from '../../goals/selection.ts';
import { groupValue } from '../../query/group-value.ts';
import { HOST, page } from '../../query/hosts.ts';
import { endsOf, PATH_BEFORE } from '../../query/page-before.ts';
import { bounced, eventPerson, fromEvents, fromVisits, type Rows } from '../../query/rows.ts';
import { viewNames } from '../../query/scope.ts';
import { selectedSql } from '../goals/explain.ts';
import type { BreakdownDimension } from './contract.ts';
import { dimensions } from './run.ts';

/**
 * `inFull`: with the additional columns, named as in the result, and with conversions of a goal (`reaching`);
 * `byHost`: pages with their `host`.
 */
interface Shape {
  inFull: boolean;
  byHost: boolean;
  reaching: Goal | null;
}

/** Rows with `value`, `count` and `visitors`: of tables of visits, the people with a view in the range, in a visit with the value. */
export function tableSql(of: BreakdownDimension, rows: Rows, shape: Shape): Sql {
  if (shape.inFull && of === 'page') return pagesInFull(rows, shape);
  const dimension = dimensions[of];
  const body =
    dimension.of === 'sessions'
      ? visitsTable(rows, visitProperties[dimension.field], shape)
      : eventsTable(of, rows, { byHost: shape.byHost, reaching: shape.inFull ? shape.reaching : null });
  return sql`${body}
        order by ${inOrder(shape.byHost)}`;
}

function inOrder(byHost: boolean): Sql {
  return sql`count desc, value collate "C"${byHost ? sql`, host collate "C"` : sql.empty}`;
}

function eventsTable(of: BreakdownDimension, rows: Rows, { byHost, reaching }: Omit<Shape, 'inFull'>): Sql {
  const dimension = dimensions[of];
  if (dimension.of === 'sessions') throw new Error(`${of} is a table of visits`);
  const { reading, names = viewNames } = dimension;
  const value =
    reading.kind === 'event'
      ? sql`(select name from event_names where project_id = ${rows.projectId} and number = events.event)`
      : groupValue(rows, reading, sql`events.${sql.id(reading.kind)}`);
  return sql`
        select ${rowKey(byHost)}, count(*) as count, count(distinct ${eventPerson}) as visitors${reaching === null ? sql.empty : convertersSql(rows, reaching)}
        ${fromEvents(rows, { names, joined: lateral(value, byHost ? hostValue(rows, sql`events.page`) : null), ...(of === 'outbound' && { where: sql`its.value <> ''` }) })}
        group by ${rowKey(byHost)}`;
}

/** How many of a row's people reached the goal in the range, wherever that was. */
function convertersSql(rows: Rows, goal: Goal): Sql {
  return sql`,
          count(distinct ${eventPerson}) filter (where ${eventPerson} in (
            select ${eventPerson}
            ${fromEvents(rows, { names: null, where: selectedSql(rows, selectionOf(goal)) })})) as converters`;
}

function visitsTable(rows: Rows, property: VisitProperty, { inFull, byHost, reaching }: Shape): Sql {
  const column = sql`visit.${visitColumn(property)}`;
  const further = sql`,
          coalesce(begun.bounced, 0) as bounced,
          coalesce(begun.seconds, 0) as seconds${
            reaching === null
              ? sql.empty
              : sql`,
          coalesce(begun.converted, 0) as converted`
          }`;
  const key = byHost ? sql`host, value` : sql`value`;
  const said = groupValue(rows, property, column);
  // Views without a visit have no value, also where visits always have one.
  const value = property.missing === undefined ? said : sql`case when visit.id is null then '' else ${said} end`;
  const joined = sql`
          left join sessions as visit
            on visit.project_id = events.project_id and visit.id = events.session_id${lateral(value, byHost ? hostValue(rows, column) : null)}`;
  return sql`
        with begun as (${visitsByValue(rows, property, { inFull, byHost, reaching })}
        ), seen as (
        select ${rowKey(byHost)}, count(distinct ${eventPerson}) as visitors
        ${fromEvents(rows, { names: viewNames, joined })}
        group by ${rowKey(byHost)}
        )
        select ${key}, coalesce(begun.count, 0) as count, coalesce(seen.visitors, 0) as visitors${inFull ? further : sql.empty}
        from begun
          full join seen using (${key})`;
}

/** Visits that began in the range. */
function visitsByValue(rows: Rows, property: VisitProperty, { inFull, byHost, reaching }: Shape): Sql {
  const column = sql`visit.${visitColumn(property)}`;
  const further = sql`,
          count(*) filter (where ${bounced(rows)}) as bounced,
          extract(epoch from sum(visit.last_ts - visit.first_ts)) as seconds${reaching === null ? sql.empty : convertedSql(rows, reaching)}`;
  return sql`
        select ${rowKey(byHost)}, count(*) as count${inFull ? further : sql.empty}
        ${fromVisits(rows, lateral(groupValue(rows, property, column), byHost ? hostValue(rows, column) : null))}
        group by ${rowKey(byHost)}`;
}

/** Visits in which it was reached, whenever in the visit. */
function convertedSql(rows: Rows, goal: Goal): Sql {
  return sql`,
          count(*) filter (where visit.id in (
            select events.session_id
            ${fromEvents(rows, { names: null, where: selectedSql(rows, selectionOf(goal)), isOpen: true })})) as converted`;
}

/** Page ends (the next view of the window, or leaving it) have the reading time of the previous page, to which filters on pages apply. */
function pagesInFull(rows: Rows, { byHost, reaching }: Shape): Sql {
  const shape = { inFull: true, byHost, reaching: null };
  const key = byHost ? sql`host, value` : sql`value`;
  const { names, filters } = endsOf(rows.filters);
  const of = sql`(case when jsonb_typeof(events.properties -> ${PATH_BEFORE}) = 'string'
              then ${ownTextSql(rows, PATH_BEFORE)} end)`;
  return sql`
        with pages as (${eventsTable('page', rows, { byHost, reaching })}
        ), entered as (${visitsByValue(rows, visitProperties.entryPath, shape)}
        ), ended as (${visitsByValue(rows, visitProperties.exitPath, shape)}
        ), readings as (
        select ${rowKey(byHost)},
          avg(${measured('$prev_pageview_duration', 1800)}) as "timeOnPage",
          avg(${measured('$prev_pageview_max_scroll_percentage', 1)}) as "scrollDepth"
        ${fromEvents({ ...rows, filters }, { names, joined: lateral(of, byHost ? hostValue(rows, sql`events.page`) : null), where: sql`its.value <> ''` })}
        group by ${rowKey(byHost)}
        )${reaching === null ? sql.empty : reachedSql(rows, reaching, byHost)}
        select ${key}, pages.count, pages.visitors,
          coalesce(entered.count, 0) as entries, coalesce(entered.bounced, 0) as bounced,
          entered.bounced::numeric / entered.count as "bounceRate",
          coalesce(ended.count, 0) as exits, coalesce(ended.count, 0)::numeric / pages.count as "exitRate",
          readings."timeOnPage", readings."scrollDepth"${
            reaching === null
              ? sql.empty
              : sql`,
          coalesce(reached.conversions, 0) as conversions, pages.converters,
          pages.converters::numeric / pages.visitors as "conversionRate"`
          }
        from pages
          left join entered using (${key})
          left join ended using (${key})
          left join readings using (${key})${
            reaching === null
              ? sql.empty
              : sql`
          left join reached using (${key})`
          }
        order by ${inOrder(byHost)}`;
}

/** How often the goal was reached on each page. */
function reachedSql(rows: Rows, goal: Goal, byHost: boolean): Sql {
  const joined = lateral(groupValue(rows, page, sql`events.page`), byHost ? hostValue(rows, sql`events.page`) : null);
  return sql`, reached as (
        select ${rowKey(byHost)}, count(*) as conversions
        ${fromEvents(rows, { names: null, joined, where: selectedSql(rows, selectionOf(goal)) })}
        group by ${rowKey(byHost)}
        )`;
}

/** A non-negative number of an event's own property; null otherwise. @param most cap of larger numbers */
export function measured(property: string, most: number | null = null): Sql {
  const said = sql`(events.properties -> ${property})`;
  const number = most === null ? sql`${said}::float8` : sql`least(${said}::float8, ${most})`;
  return sql`case when jsonb_typeof${said} = 'number' and ${said}::numeric >= 0 then ${number} end`;
}

/** Key of a row. */
function rowKey(byHost: boolean): Sql {
  return byHost ? sql`its.host, its.value` : sql`its.value`;
}

/** The host that a page is of. */
export function hostValue(rows: Rows, page: Sql): Sql {
  return groupValue(rows, { kind: 'page', names: [HOST] }, page);
}

function lateral(value: Sql, host: Sql | null = null): Sql {
  return sql`
          cross join lateral (
          select ${host === null ? sql.empty : sql`${host} as host, `}${value} as value
          ) as its`;
}
