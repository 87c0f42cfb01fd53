/** The SQL of trends: for each series, value and interval its figure; `interval` is null for the whole range. */
import type { TrendsQuery } from '#src/columns/columns.ts';
import type { Formula } from '#src/kit/formula/values.ts';
import { letterOf } from '#src/kit/formula/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../../define.ts';
import { countedUntil } from '../../query/ranges.ts';
import type { TrendsInput } from './contract.ts';
import { prepareTrends } from './run.ts';
import { countsAsZero, figuresSql, ignoredOf, type SeriesRequest, seriesEventsSql } from './series-sql.ts';
import { windowsOf, windowsSql } from './windows-sql.ts';

/** Intervals count from 1. */
export async function explainTrends(context: QueryContext, input: TrendsInput): Promise<Sql> {
  const { asked, formulas, periods } = await prepareTrends(context, input);
  const isTogether = asked.by !== null && asked.together === true;
  const series = asked.series.map((each, at) => requestOf(context, asked, each, at));
  const begun = periods.map(({ range, buckets }) => buckets.filter(({ from }) => from <= countedUntil(range)).length);
  const windows = windowsOf(asked, begun);
  const tables = series.flatMap((each, at) => [
    sql`${each.events} as (${seriesEventsSql(each)}`,
    ...(asked.by === null || (isTogether && at < series.length - 1)
      ? []
      : [shownSql(asked, isTogether ? series : [each], isTogether ? sql.id('shown') : each.shown)]),
  ]);
  const figures = series.map(
    (each, at) => sql`${each.name} as (${figuresSql(each, windows.nameOf(at), shownOf(each, asked, isTogether))}`,
  );
  const hasWeekly = input.weeklyHeatmap === true;
  const shown = series.filter((_, at) => input.series[at]?.hidden !== true);
  const answers = [
    ...shown.map((each) => answerSql(each, { asked, isTogether, hasWeekly, windows: windows.nameOf(each.at) })),
    ...formulas.map((each) => formulaSql(each, series, { asked, isTogether, hasWeekly, windows: windows.nameOf(0) })),
  ];
  return sql`
        with ${windowsSql(windows)}
        ), ${sql.join([...tables, ...figures], BETWEEN)}
        )
        ${sql.join(
          answers,
          sql`
        union all
        `,
        )}
        order by ${sql.join(Array.from({ length: asked.by === null ? 3 : 4 }, (_, at) => ORDER[at] as Sql))}${hasWeekly ? (asked.by === null ? sql`, 4, 5` : sql`, 5, 6`) : sql.empty}`;
}

const BETWEEN = sql`
        ), `;
const ORDER = [sql`1`, sql`2`, sql`3 nulls first`, sql`4 nulls first`];

function requestOf(
  context: QueryContext,
  asked: TrendsQuery,
  series: TrendsQuery['series'][number],
  at: number,
): SeriesRequest {
  const letter = letterOf(at).toLowerCase();
  return {
    context,
    asked,
    series,
    at,
    name: sql.id(letter),
    events: sql.id(`${letter}_events`),
    shown: sql.id(`${letter}_shown`),
  };
}

/** The table with the values that have rows; null: without a breakdown. */
function shownOf({ shown }: SeriesRequest, { by }: TrendsQuery, isTogether: boolean): Sql | null {
  if (by === null) return null;
  return isTogether ? sql.id('shown') : shown;
}

/** The values of most events in the range. */
function shownSql({ most }: TrendsQuery, series: readonly SeriesRequest[], name: Sql): Sql {
  const all = series.map((each) => {
    const [span] = each.series.spans;
    return sql`
          select value
          from ${each.events}
          where happened >= ${sql.time(span?.from ?? 0)} and happened < ${sql.time(span?.until ?? 0)}`;
  });
  return sql`${name} as (
        -- The values of most events in the range.
        select value, row_number() over (order by count(*) desc, value collate "C") <= ${most} as is_shown
        from (${sql.join(
          all,
          sql`
          union all`,
        )}
        ) as own
        group by value`;
}

interface AnswerShape {
  asked: TrendsQuery;
  isTogether: boolean;
  hasWeekly: boolean;
  /** Table of the intervals. */
  windows: Sql;
}

/** A row for each value (null: all others together) and interval. */
function gridSql(each: SeriesRequest, { asked, isTogether, windows }: AnswerShape): Sql {
  const shown = shownOf(each, asked, isTogether);
  if (shown === null) return sql`from ${windows}`;
  return sql`from (select distinct case when is_shown then value end as value from ${shown}) as own
          cross join ${windows}`;
}

function joinSql({ name }: SeriesRequest, { asked, hasWeekly, windows }: AnswerShape): Sql {
  return sql`left join ${name} on ${name}.span = ${windows}.span and ${name}.interval is not distinct from ${windows}.interval${
    hasWeekly
      ? sql` and ${name}.weekday is not distinct from ${windows}.weekday and ${name}.hour is not distinct from ${windows}.hour`
      : sql.empty
  }${asked.by === null ? sql.empty : sql` and ${name}.value is not distinct from own.value`}`;
}

function columnsSql({ asked, hasWeekly, windows }: AnswerShape): Sql {
  return sql`${asked.by === null ? sql.empty : sql`own.value, `}${windows}.span, ${windows}.interval, ${
    hasWeekly ? sql`${windows}.weekday, ${windows}.hour, ` : sql.empty
  }`;
}

function answerSql(each: SeriesRequest, shape: AnswerShape): Sql {
  const { asked } = shape;
  const ignored = asked.series.some(ignoredOf)
    ? sql`, ${ignoredOf(each.series) ? sql`coalesce(${each.name}.ignored, 0)` : sql`0`} as ignored`
    : sql.empty;
  return sql`select ${letterOf(each.at)} as series, ${columnsSql(shape)}${figureOf(each)} as figure${ignored}
        ${gridSql(each, shape)}
          ${joinSql(each, shape)}`;
}

function figureOf({ name, series }: SeriesRequest): Sql {
  return countsAsZero(series.measure) ? sql`coalesce(${name}.figure, 0)` : sql`${name}.figure`;
}

function formulaSql(
  { name, formula }: { name: string; formula: Formula },
  series: readonly SeriesRequest[],
  shape: AnswerShape,
): Sql {
  const [first] = series as [SeriesRequest];
  const joins = series.map((each) => joinSql(each, shape));
  return sql`select ${name} as series, ${columnsSql(shape)}${termSql(formula, series)} as figure${
    shape.asked.series.some(ignoredOf) ? sql`, 0` : sql.empty
  }
        ${gridSql(first, shape)}
          ${sql.join(
            joins,
            sql`
          `,
          )}`;
}

/** A formula; null where it divides by zero. */
function termSql(formula: Formula, series: readonly SeriesRequest[]): Sql {
  if ('number' in formula) return sql`${String(formula.number)}::float8`;
  if ('series' in formula) return figureOf(series[formula.series] as SeriesRequest);
  if ('negated' in formula) return sql`(- ${termSql(formula.negated, series)})`;
  const [left, right] = [termSql(formula.left, series), termSql(formula.right, series)];
  switch (formula.operator) {
    case '+':
      return sql`(${left} + ${right})`;
    case '-':
      return sql`(${left} - ${right})`;
    case '*':
      return sql`(${left} * ${right})`;
    case '/':
      return sql`(${left} / nullif(${right}, 0))`;
  }
}
