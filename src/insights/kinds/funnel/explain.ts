/** The SQL of a funnel: rows of the total and of each value by step, over all and by interval of entry; and the times to convert. */
import { MAX_TIMES, stepBefore, timeWidths } from '#src/columns/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../../define.ts';
import { lengthSql, periodSql } from '../../query/events-sql.ts';
import { attemptsSql, isBeyondSql } from './attempts-sql.ts';
import type { FunnelInput } from './contract.ts';
import { type FunnelShape, ofStep, shapeOf } from './funnel-shape.ts';
import { prepareFunnel } from './run.ts';

/** Null: funnels in any order with many steps that can be the same event. */
export async function explainFunnel(context: QueryContext, input: FunnelInput): Promise<Sql | null> {
  const { asked } = await prepareFunnel(context, input);
  const shape = shapeOf(asked);
  if (isBeyondSql(shape)) return null;
  const { steps, starts } = asked;
  const { hasComparison } = shape;
  const span = hasComparison ? sql`span, ` : sql.empty;
  const group = hasComparison ? sql`span, "row", value, step.number` : sql`"row", value, step.number`;
  const lines = steps.map((_, at) => {
    const before = Math.max(stepBefore(at + 1, asked.optional), 1);
    return sql`(${at + 1}, ${ofStep('ts', at + 1)}, ${ofStep('ts', before)})`;
  });
  const took = sql`extract(epoch from step.ts - step.before)`;
  const total = sql`extract(epoch from step.ts - ts_1)`;
  const later = (figure: Sql) => sql`case when step.number > 1 then ${figure} end`;
  return sql`
        with ${attemptsSql(context, shape)}
        ), ${answersSql(shape)}
        ), ${timesTables(shape)}
        )
        -- By step. Rows with an interval are of those who began in it.
        select ${span}"row", value, step.number as step, began.interval, count(step.ts) as people,
          count(step.ts)::numeric / nullif(count(step.before), 0) as "conversionFromPrevious",
          count(step.ts)::numeric / nullif(count(*), 0) as "conversionFromStart",
          ${later(sql`avg(${took})`)} as "meanSecondsToConvert",
          ${later(sql`percentile_cont(0.5) within group (order by ${took})`)} as "medianSecondsToConvert",
          ${later(sql`avg(${total})`)} as "meanSecondsFromStart",
          ${later(sql`percentile_cont(0.5) within group (order by ${total})`)} as "medianSecondsFromStart"
        from answers
          cross join lateral (values ${sql.join(lines)}) as step (number, ts, before)
          cross join lateral (select ${periodSql(sql`ts_1`, starts)} as interval) as began
        group by grouping sets ((${group}), (${group}, began.interval))
        ${hasComparison ? sql`having span = 'range' or grouping(began.interval) = 1` : sql.empty}
        union all
        select ${hasComparison ? sql`'range', ` : sql.empty}"row", null, null, interval, people, null, null, null, null, null, null
        from times
        ${hasComparison ? sql`order by 1, 2, 3, 5 nulls first, 4` : sql`order by 1, 2, 4 nulls first, 3`}`;
}

/** Tables up to `answers`: a row for each attempt that the total (`row`), or a value, is made of. */
export function answersSql(shape: FunnelShape): Sql {
  if (shape.asked.by !== null) return totalAndRows(shape);
  return sql`answers as (
        select 'total' as "row", null::text as value, ${columnsOf(shape)}
        from entered`;
}

/** Rows of the total, of the values with the most people who began, and of all others. */
function totalAndRows(shape: FunnelShape): Sql {
  const { asked, isByValue } = shape;
  const names = columnsOf(shape);
  const isNow = shape.hasComparison ? sql`where span = 'range'` : sql.empty;
  const values = isByValue
    ? byValue(shape)
    : sql`said as (
        select value, ${names}
        from entered`;
  return sql`${values}
        ), shown as (
        -- The values of most who began.
        select value
        from said
        ${isNow}
        group by value
        order by count(*) desc, value collate "C"
        limit ${asked.most}
        ), answers as (
        select 'total' as "row", null::text as value, ${names}
        from entered
        ${isByValue ? sql`where said is null` : sql.empty}
        union all
        select ${isByValue ? sql`'value'` : sql`case when shown.value is null then 'other' else 'value' end`}, shown.value, ${names}
        from said
          ${isByValue ? sql`join shown using (value)` : sql`left join shown using (value)`}`;
}

/** A row for each value that an attempt has; of a chosen step, without a value for who never did it. */
function byValue(shape: FunnelShape): Sql {
  const { attribution } = shape.asked;
  const names = columnsOf(shape);
  if (typeof attribution !== 'object') {
    return sql`said as (
        select said as value, ${names}
        from entered
        where said is not null`;
  }
  const chosen = ofStep('ts', attribution.step);
  const keys = shape.hasComparison ? sql`span, person` : sql`person`;
  return sql`said as (
        select said as value, ${names}
        from entered
        where said is not null and ${chosen} is not null
          and (${keys}) in (select ${keys} from entered where said is null and ${chosen} is not null)
        union all
        select '', ${names}
        from entered
        where said is null and ${chosen} is null`;
}

function columnsOf({ asked, hasComparison }: FunnelShape): Sql {
  const times = asked.steps.map((_, at) => ofStep('ts', at + 1));
  const who = asked.of === 'visits' ? sql`person, visitor` : sql`person`;
  return sql.join([...(hasComparison ? [sql`span`] : []), who, ...times]);
}

/** How many took how long, are excluded, or may still convert. */
function timesTables(shape: FunnelShape): Sql {
  const { asked, isByValue, hasComparison } = shape;
  const last = ofStep('ts', asked.steps.length);
  const isTotal = [...(hasComparison ? [sql`span = 'range'`] : []), ...(isByValue ? [sql`said is null`] : [])];
  const within = isTotal.length === 0 ? sql`true` : sql.join(isTotal, sql` and `);
  const until = sql.time(asked.span.until);
  const excluded =
    asked.exclusions.length === 0
      ? sql`select 0 as people`
      : sql`select count(*) as people from excluded${hasComparison ? sql` where span = 'range'` : sql.empty}`;
  return sql`converted as (
        select extract(epoch from ${last} - ts_1) as seconds
        from entered
        where ${within} and ${last} is not null
        ), width as (
        -- Intervals of one width, of which ${MAX_TIMES} hold nine of ten people.
        select coalesce(min(width), ${timeWidths.at(-1)}) as seconds
        from unnest(${timeWidths.map(String)}::float8[]) as width
        where (select percentile_cont(0.9) within group (order by seconds) from converted) < width * ${MAX_TIMES}
        ), times as (
        select 'seconds to convert' as "row", case when converted.seconds < width.seconds * ${MAX_TIMES} then floor(converted.seconds / width.seconds) * width.seconds end::int as interval, count(*) as people
        from converted
          cross join width
        group by 1, 2
        union all
        -- Window still open.
        select 'open', null, count(*)
        from entered
        where ${within} and finished is null and last_began + ${lengthSql(asked.windowMs)} > ${until}
        union all
        select 'excluded', null, people
        from (${excluded}) as own`;
}
