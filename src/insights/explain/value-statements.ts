/** The SQL of weekdays by hours, and of web vitals. */
import { type Sql, sql } from '#src/store/sql.ts';
import { viewNames } from '../asked.ts';
import type { VitalName } from '../vitals/contract.ts';
import { vitalLimits } from '../vitals/vitals.ts';
import { eventPerson, fromEvents, type Rows } from './rows.ts';
import { groupValue, measured } from './tables.ts';

/** A row for each hour of the week that somebody was there in: its weekday (0 Sunday), hour, visitors and views. */
export function hoursSql(rows: Rows, timeZone: string): Sql {
  const local = sql`events.ts at time zone ${timeZone}`;
  return sql`
        select extract(dow from ${local})::int as weekday, extract(hour from ${local})::int as hour,
          count(distinct ${eventPerson}) as visitors, count(*) as views
        ${fromEvents(rows, { names: viewNames })}
        group by 1, 2
        order by 1, 2`;
}

/** A row over all, where `page` is null, and one for each page. */
export function vitalSql(rows: Rows, vital: VitalName): Sql {
  const [good, fair] = vitalLimits[vital];
  const joined = sql`
          cross join lateral (
          select
            ${groupValue(rows, { kind: 'page', names: ['$pathname'] }, sql`events.page`)} as page,
            ${measured(`$web_vitals_${vital}_value`)} as value
          ) as its`;
  return sql`
        select its.page, percentile_cont(0.75) within group (order by its.value) as p75, count(*) as samples,
          count(*) filter (where its.value <= ${good}) as good, count(*) filter (where its.value > ${fair}) as poor
        ${fromEvents(rows, { names: ['$web_vitals'], joined, where: sql`its.value is not null` })}
        group by grouping sets ((), (its.page))
        order by grouping(its.page) desc, samples desc, its.page collate "C"`;
}
