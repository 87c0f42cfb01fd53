/** The SQL of each figure of the overview, with the column `value`, and of ratios what was divided. */
import { type Sql, sql } from '#src/store/sql.ts';
import { bounced, eventPerson, fromEvents, fromVisits, type Rows } from '../../query/rows.ts';
import { viewNames } from '../../query/scope.ts';
import type { OverviewMetric } from './contract.ts';

export function figureSql(metric: OverviewMetric, rows: Rows): Sql {
  switch (metric) {
    case 'visitors':
      return sql`
        select count(distinct ${eventPerson}) as value
        ${fromEvents(rows, { names: viewNames })}`;
    case 'views':
      return sql`
        select count(*) as value
        ${fromEvents(rows, { names: viewNames })}`;
    case 'visits':
      return sql`
        select count(*) as value
        ${fromVisits(rows)}`;
    case 'viewsPerVisit':
      return sql`
        select sum(visit.views + visit.screens) as views, count(*) as visits,
          sum(visit.views + visit.screens)::numeric / nullif(count(*), 0) as value
        ${fromVisits(rows)}`;
    case 'bounceRate':
      return sql`
        select count(*) filter (where ${bounced(rows)}) as bounced, count(*) as visits,
          count(*) filter (where ${bounced(rows)})::numeric / nullif(count(*), 0) as value
        ${fromVisits(rows)}`;
    case 'visitDuration':
      return sql`
        select extract(epoch from sum(visit.last_ts - visit.first_ts)) as seconds, count(*) as visits,
          extract(epoch from sum(visit.last_ts - visit.first_ts)) / nullif(count(*), 0) as value,
          extract(epoch from percentile_cont(0.5) within group (order by visit.last_ts - visit.first_ts)) as median
        ${fromVisits(rows)}`;
  }
}
