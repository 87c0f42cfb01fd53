/** The SQL of web vitals. */
import { type Sql, sql } from '#src/store/sql.ts';
import { groupValue } from '../../query/group-value.ts';
import { page } from '../../query/hosts.ts';
import { fromEvents, type Rows } from '../../query/rows.ts';
import { hostValue, measured } from '../breakdown/explain.ts';
import type { VitalName, VitalPercentile } from './contract.ts';
import { vitalLimits } from './run.ts';
import { vitalProperty } from './values.ts';

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
            ${measured(vitalProperty(vital))} as value
          ) as its`;
  return sql`
        select ${byHost ? sql`its.host, ` : sql.empty}its.page, percentile_cont(${percentile / 100}) within group (order by its.value) as ${sql.id(`p${percentile}`)}, count(*) as samples,
          count(*) filter (where its.value <= ${good}) as good, count(*) filter (where its.value > ${fair}) as poor
        ${fromEvents(rows, { names: ['$web_vitals'], joined, where: sql`its.value is not null` })}
        group by grouping sets ((), (${byHost ? sql`its.host, ` : sql.empty}its.page))
        order by grouping(its.page) desc, samples desc, its.page collate "C"${byHost ? sql`, its.host collate "C"` : sql.empty}`;
}
