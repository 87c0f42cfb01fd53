/** The SQL of weekdays by hours. */
import { type Sql, sql } from '#src/store/sql.ts';
import { eventPerson, fromEvents, type Rows } from '../../query/rows.ts';
import { viewNames } from '../../query/scope.ts';

/** A row for each hour of the week with a view: its weekday (0 Sunday), hour, visitors and views. */
export function hoursSql(rows: Rows, timeZone: string): Sql {
  const local = sql`events.ts at time zone ${timeZone}`;
  return sql`
        select extract(dow from ${local})::int as weekday, extract(hour from ${local})::int as hour,
          count(distinct ${eventPerson}) as visitors, count(*) as views
        ${fromEvents(rows, { names: viewNames })}
        group by 1, 2
        order by 1, 2`;
}
