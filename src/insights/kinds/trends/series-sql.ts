/** SQL of a series of trends: its events, and the figure of each value and interval. */
import type { Measure, TrendsQuery } from '#src/columns/columns.ts';
import { numberSql } from '#src/columns/filters/number-sql.ts';
import { isGroupSubject } from '#src/columns/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../../define.ts';
import {
  actorSql,
  allOf,
  type CountedActor,
  hasActorSql,
  inOrder,
  rowsOfScope,
  rulesSql,
} from '../../query/events-sql.ts';
import { fromEvents, type Rows, visitsKept } from '../../query/rows.ts';
import { valueSql } from '../../query/value-sql.ts';

export interface SeriesRequest {
  context: QueryContext;
  asked: TrendsQuery;
  series: TrendsQuery['series'][number];
  /** Its place; the first is 0. */
  at: number;
  /** Tables of its figures, of its events, and of the values that have rows. */
  name: Sql;
  events: Sql;
  shown: Sql;
}

/** True for measures that come to 0 without events, and not to nothing. */
export function countsAsZero(measure: Measure): boolean {
  if (typeof measure !== 'object' || 'first' in measure) return true;
  return 'property' in measure && measure.as === 'sum';
}

/** True for measures of a property: values that are no numbers are ignored. */
export function ignoredOf({ measure }: TrendsQuery['series'][number]): boolean {
  return typeof measure === 'object' && 'property' in measure;
}

function actorOf(measure: Measure): CountedActor {
  if (typeof measure === 'object') return 'of' in measure ? measure.of : 'persons';
  return measure === 'events' ? 'persons' : measure;
}

/** Everything from the first moment of an interval to the last. */
function hullOf({ spans }: TrendsQuery['series'][number]) {
  const all = spans.flatMap(({ from, until, windows, total }) => [{ from, until }, total, ...windows]);
  const given = all.filter(({ from, until }) => until > from);
  const some = given.length === 0 ? all : given;
  return { from: Math.min(...some.map(({ from }) => from)), until: Math.max(...some.map(({ until }) => until)) };
}

/** Columns `person`, `ts` (the time by which it is counted), `happened`, and what the figures need. */
export function seriesEventsSql(request: SeriesRequest): Sql {
  const { context, asked, series } = request;
  const { measure } = series;
  const hull = hullOf(series);
  if (typeof measure === 'object' && 'first' in measure) return firstEventsSql(request, hull);
  const rows = rowsOfScope(context, asked, hull);
  const of = actorOf(measure);
  if (of === 'visits') return visitsSql(request, rows);
  const decimal = context.scope.settings.decimalSeparator ?? 'point';
  const said = ignoredOf(series) ? sql`, number, said is not null and number is null as is_ignored` : sql.empty;
  const joined =
    typeof measure === 'object' && 'property' in measure
      ? sql`
          cross join lateral (
          select nullif(events.properties -> ${measure.property}, 'null') as said
          ) as property
          cross join lateral (
          select ${numberSql(sql`said`, decimal)} as number
          ) as read`
      : sql.empty;
  const person = isGroupSubject(of) ? sql`nullif(${actorSql(of)}, '')` : actorSql(of);
  const where = rulesSql(rows, series.rules);
  return sql`
        -- The events of the series.
        select ${person} as person, events.ts, events.ts as happened${saidSql(request, rows)}${said}
        ${fromEvents(rows, { names: null, joined, where })}`;
}

/** Visits count when they began, if they have a view: whenever in the visit the event was. */
function visitsSql(request: SeriesRequest, rows: Rows): Sql {
  const joined = sql`
          left join sessions as visit
            on visit.project_id = events.project_id and visit.id = events.session_id
            and visit.views + visit.screens > 0 ${visitsKept(rows)}`;
  const where = rulesSql(rows, request.series.rules);
  return sql`
        -- The events of the series, with the time at which their visit began.
        select events.session_id as person, visit.first_ts as ts, events.ts as happened${saidSql(request, rows)}
        ${fromEvents(rows, { names: null, joined, where, isOpen: true })}`;
}

function firstEventsSql(request: SeriesRequest, { from, until }: { from: number; until: number }): Sql {
  const { context, asked, series } = request;
  const { measure, rules } = series;
  const rows = rowsOfScope(context, asked, { from: Math.min(from, asked.first ?? from), until });
  const of = actorOf(measure);
  const isEver = typeof measure === 'object' && 'first' in measure && measure.first === 'ever';
  const named = rules.map(({ names }) => ({ names, filters: [] }));
  const where = allOf(rulesSql(rows, isEver ? named : rules), hasActorSql(of));
  return sql`
        -- ${isEver ? sql`First event of that name by person, if it matches the conditions.` : sql`First matching event by person.`}
        select *
        from (
          select distinct on (1) ${actorSql(of)} as person, events.ts, events.ts as happened${saidSql(request, rows)}${
            isEver ? sql`, ${rulesSql(rows, rules)} as matches` : sql.empty
          }
          ${fromEvents(rows, { names: null, where })}
          order by 1, ${inOrder}
        ) as firsts
        ${isEver ? sql`where matches` : sql.empty}`;
}

function saidSql({ context, asked: { by } }: SeriesRequest, rows: Rows): Sql {
  if (by === null) return sql.empty;
  return sql`, ${valueSql(rows, by, context.scope.settings.decimalSeparator ?? 'point')} as value`;
}

/** @param shown table of the values that have rows; null: without a breakdown */
export function figuresSql({ events, series, context }: SeriesRequest, windows: Sql, shown: Sql | null): Sql {
  const { measure, spans } = series;
  const isWeekly = spans.some(({ cells }) => cells !== undefined);
  const value = shown === null ? sql.empty : sql`case when shown.is_shown then value end as value, `;
  const group = sql`${shown === null ? sql.empty : sql`1, `}each.span, each.interval${isWeekly ? sql`, each.weekday, each.hour` : sql.empty}`;
  const local = sql`(own.ts at time zone ${context.scope.timeZone})`;
  const source = sql`from ${windows} as each
          join ${events} as own
            on own.ts >= each.since and own.ts < each.until${
              isWeekly
                ? sql` and (each.hour is null or (extract(dow from ${local}) = each.weekday and extract(hour from ${local}) = each.hour))`
                : sql.empty
            }${
              shown === null
                ? sql.empty
                : sql`
          left join ${shown} as shown using (value)`
            }`;
  const keys = sql`${value}each.span, each.interval${isWeekly ? sql`, each.weekday, each.hour` : sql.empty}`;
  if (typeof measure === 'object' && 'eventsPerPerson' in measure) {
    const plain = sql`${shown === null ? sql.empty : sql`value, `}span, interval${isWeekly ? sql`, weekday, hour` : sql.empty}`;
    return sql`
        select ${plain}, ${summarySql(measure.eventsPerPerson, sql`number`)} as figure
        from (
          -- The events of each.
          select ${keys}, person, count(*) as number
          ${source}
          where person is not null
          group by ${group}, person
        ) as counted
        group by ${plain}`;
  }
  const ignored = ignoredOf(series) ? sql`, count(*) filter (where own.is_ignored) as ignored` : sql.empty;
  return sql`
        select ${keys}, ${figureSql(measure)}::float8 as figure${ignored}
        ${source}
        group by ${group}`;
}

function figureSql(measure: Exclude<Measure, { eventsPerPerson: unknown }>): Sql {
  if (measure === 'events') return sql`count(*)`;
  if (typeof measure === 'object' && 'property' in measure) return summarySql(measure.as, sql`number`);
  return sql`count(distinct person)`;
}

function summarySql(as: Extract<Measure, { property: string }>['as'], number: Sql): Sql {
  if (typeof as === 'object') return sql`percentile_cont(${as.quantile}) within group (order by ${number})`;
  switch (as) {
    case 'sum':
      return sql`sum(${number}::text::numeric)`;
    case 'mean':
      return sql`avg(${number}::text::numeric)`;
    case 'min':
      return sql`min(${number})`;
    case 'max':
      return sql`max(${number})`;
  }
}
