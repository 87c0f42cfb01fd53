/** The SQL of weekdays by hours, and of web vitals. */
import { type Sql, sql } from '#src/store/sql.ts';
import { page } from '../../query/hosts.ts';
import { eventPerson, fromEvents, type Rows } from '../../query/rows.ts';
import { viewNames } from '../../query/scope.ts';
import { groupValue, hostValue, measured } from '../breakdown/explain.ts';
import type { VitalName, VitalPercentile } from './contract.ts';
import { vitalLimits } from './run.ts';

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

/** A row over all, where `page` is null, and one for each page, of each host. */
export function vitalSql(
  rows: Rows,
  { vital, percentile }: { vital: VitalName; percentile: VitalPercentile },
  byHost: boolean,
): Sql {
  const [good, fair] = vitalLimits[vital];
  const joined = sql`
          cross join lateral (
          select
            ${byHost ? sql`${hostValue(rows, sql`events.page`)} as host,` : sql.empty}
            ${groupValue(rows, page, sql`events.page`)} as page,
            ${measured(`$web_vitals_${vital}_value`)} as value
          ) as its`;
  return sql`
        select ${byHost ? sql`its.host, ` : sql.empty}its.page, percentile_cont(${percentile / 100}) within group (order by its.value) as ${sql.id(`p${percentile}`)}, count(*) as samples,
          count(*) filter (where its.value <= ${good}) as good, count(*) filter (where its.value > ${fair}) as poor
        ${fromEvents(rows, { names: ['$web_vitals'], joined, where: sql`its.value is not null` })}
        group by grouping sets ((), (${byHost ? sql`its.host, ` : sql.empty}its.page))
        order by grouping(its.page) desc, samples desc, its.page collate "C"${byHost ? sql`, its.host collate "C"` : sql.empty}`;
}
