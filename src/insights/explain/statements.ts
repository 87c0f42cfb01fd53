/**
 * The SQL that gives a number of the overview from the rows: visits as they are noted with their events, views and other events one by one,
 * people after merges. Made for readers; what the program shows comes from the columns engine, and a test holds the two together.
 */

import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { BreakdownDimension, GoalPer, OverviewMetric } from '../contract.ts';
import type { Goal } from '../goals/contract.ts';
import { tableSql } from '../kinds/breakdown/explain.ts';
import { conversionsSql, goalsSql, rateSql, revenueSql, visitRateSql } from '../kinds/goals/explain.ts';
import type { VitalName, VitalPercentile } from '../kinds/vitals/contract.ts';
import { hoursSql, vitalSql } from '../kinds/vitals/explain.ts';
import { bounced, eventPerson, fromEvents, fromVisits, type Rows } from '../query/rows.ts';
import { viewNames } from '../query/scope.ts';
import type { goalNumbers } from './contract.ts';

/** A number, with all that it depends on besides the rows. `byHost`: pages are told apart by their hosts. `reaching`: tables in full tell of this goal too. */
export type AskedNumber = { byHost?: boolean } & (
  | { of: OverviewMetric | BreakdownDimension; inFull?: boolean; reaching?: Goal | null }
  | { of: (typeof goalNumbers)[number]; goal: Goal; currency: string; decimal: DecimalSeparator; per: GoalPer }
  | { of: 'goal'; goals: readonly Goal[]; per: GoalPer }
  | { of: 'hours'; timeZone: string }
  | { of: 'vitals'; vital: VitalName; percentile: VitalPercentile }
);

/** The statement of a number. A figure has the column `value`, and of ratios what was divided. */
export function statementOf(asked: AskedNumber, rows: Rows): Sql {
  switch (asked.of) {
    case 'conversions':
      return conversionsSql(rows, asked.goal);
    case 'conversionRate':
      return asked.per === 'visit' ? visitRateSql(rows, asked.goal) : rateSql(rows, asked.goal);
    case 'revenue':
      return revenueSql(rows, asked.goal, asked.currency, asked.decimal);
    case 'goal':
      return goalsSql(rows, asked.goals, asked.per);
    case 'hours':
      return hoursSql(rows, asked.timeZone);
    case 'vitals':
      return vitalSql(rows, asked, asked.byHost === true);
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
    default:
      return tableSql(asked.of, rows, {
        inFull: asked.inFull === true,
        byHost: asked.byHost === true,
        reaching: asked.reaching ?? null,
      });
  }
}
