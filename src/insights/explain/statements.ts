/**
 * Which statement gives a number of the overview from the rows: visits as they are noted with their events, views and other events one by one,
 * people after merges. Made for readers; what the program shows comes from the columns engine, and a test holds the two together.
 */
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import type { Sql } from '#src/store/sql.ts';
import type { BreakdownDimension, GoalPer, OverviewMetric } from '../contract.ts';
import type { Goal } from '../goals/contract.ts';
import { tableSql } from '../kinds/breakdown/explain.ts';
import { conversionsSql, goalsSql, rateSql, revenueSql, visitRateSql } from '../kinds/goals/explain.ts';
import { hoursSql } from '../kinds/heatmap/explain.ts';
import { figureSql } from '../kinds/overview/explain.ts';
import type { VitalName, VitalPercentile } from '../kinds/vitals/contract.ts';
import { vitalSql } from '../kinds/vitals/explain.ts';
import type { Rows } from '../query/rows.ts';
import type { goalNumbers } from './contract.ts';

/** A number, with all that it depends on besides the rows. `byHost`: pages are told apart by their hosts. `reaching`: tables in full tell of this goal too. */
export type ExplainedMetric = { byHost?: boolean } & (
  | { of: OverviewMetric | BreakdownDimension; inFull?: boolean; reaching?: Goal | null }
  | { of: (typeof goalNumbers)[number]; goal: Goal; currency: string; decimal: DecimalSeparator; per: GoalPer }
  | { of: 'goal'; goals: readonly Goal[]; per: GoalPer }
  | { of: 'hours'; timeZone: string }
  | { of: 'vitals'; vital: VitalName; percentile: VitalPercentile }
);

/** The statement of a number. A figure has the column `value`, and of ratios what was divided. */
export function statementOf(asked: ExplainedMetric, rows: Rows): Sql {
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
    case 'views':
    case 'visits':
    case 'viewsPerVisit':
    case 'bounceRate':
    case 'visitDuration':
      return figureSql(asked.of, rows);
    default:
      return tableSql(asked.of, rows, {
        inFull: asked.inFull === true,
        byHost: asked.byHost === true,
        reaching: asked.reaching ?? null,
      });
  }
}
