/** SQL of the intervals of trends: tables with a row for the whole range (`interval` is null), for each interval, and for each hour of the week. */
import type { TrendSpan, TrendsQuery } from '#src/columns/columns.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { timesSql } from '../../query/events-sql.ts';

export interface WindowTables {
  /** How many intervals of each span have begun. */
  begun: readonly number[];
  /** Series with the same intervals share a table. */
  tables: { name: Sql; spans: readonly TrendSpan[] }[];
  nameOf(series: number): Sql;
}

/** @param begun how many intervals of each span have begun */
export function windowsOf({ series }: TrendsQuery, begun: readonly number[]): WindowTables {
  const known = new Map<string, { name: Sql; spans: readonly TrendSpan[] }>();
  const names = series.map(({ spans }) => {
    const key = JSON.stringify(spans.map(({ windows, total }) => [windows, total]));
    const name = sql.id(known.size === 0 ? 'intervals' : `intervals_${known.size + 1}`);
    const own = known.get(key) ?? { name, spans };
    known.set(key, own);
    return own.name;
  });
  return { begun, tables: [...known.values()], nameOf: (at) => names[at] as Sql };
}

/** Without the first `with` and the last bracket. */
export function windowsSql({ tables, begun }: WindowTables): Sql {
  const all = tables.map(
    ({ name, spans }) => sql`${name} as (
        -- The whole range, and its intervals.
        ${sql.join(
          spans.flatMap((span, at) => {
            const windows = span.windows.slice(0, begun[at]);
            return spanSql({ ...span, windows }, at === 0 ? 'range' : 'comparison', hasHours(spans));
          }),
          sql`
        union all
        `,
        )}`,
  );
  return sql.join(
    all,
    sql`
        ), `,
  );
}

function hasHours(spans: readonly TrendSpan[]): boolean {
  return spans.some(({ cells }) => cells !== undefined);
}

function spanSql({ windows, total, cells }: TrendSpan, span: 'range' | 'comparison', isWeekly: boolean): Sql[] {
  const hours = isWeekly ? sql`, null::int as weekday, null::int as hour` : sql.empty;
  const whole = sql`select ${span}::text as span, null::int as interval${hours}, ${sql.time(total.from)} as since, ${sql.time(total.until)} as until`;
  const each = sql`select ${span}, interval${isWeekly ? sql`, null, null` : sql.empty}, since, until
        from unnest(${windows.map((_, at) => at + 1)}::int[], ${timesSql(windows.map(({ from }) => from))}, ${timesSql(windows.map(({ until }) => until))}) as each (interval, since, until)`;
  const weekly = sql`select ${span}, null, weekday, hour, ${sql.time(total.from)}, ${sql.time(total.until)}
        from generate_series(0, 6) as weekday
          cross join generate_series(0, 23) as hour`;
  return [whole, ...(windows.length > 0 ? [each] : []), ...(cells === undefined ? [] : [weekly])];
}
