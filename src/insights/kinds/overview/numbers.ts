/** The numbers of the overview one by one: figures, and those of a goal. */
import type { Goal } from '../../goals/contract.ts';
import { defineNumbers, type ExplainedNumber, type NumberOptions, ofViews } from '../../query/explained-numbers.ts';
import { conversionsSql, rateSql, revenueSql, visitRateSql } from '../goals/explain.ts';
import { type OverviewMetric, overviewMetrics } from './contract.ts';
import { bounceRates, conversionRates, convertedVisits, uniqueVisitors, visitDurations } from './elsewhere.ts';
import { figureSql } from './explain.ts';
import { goalNumbers } from './values.ts';

type GoalNumber = (typeof goalNumbers)[number];

export const overviewNumbers = defineNumbers([...overviewMetrics, ...goalNumbers], (name, options) => {
  if (!isOfGoal(name)) return figure(name);
  // Without the goal the chart draws visitors.
  return options.goal === null ? figure('visitors') : goalNumber(name, options.goal, options);
});

function isOfGoal(name: OverviewMetric | GoalNumber): name is GoalNumber {
  return goalNumbers.some((each) => each === name);
}

const elsewhere: Partial<Record<OverviewMetric, ExplainedNumber['elsewhere']>> = {
  visitors: uniqueVisitors,
  bounceRate: bounceRates,
  visitDuration: visitDurations,
};

function figure(metric: OverviewMetric): ExplainedNumber {
  const others = elsewhere[metric];
  const number = { ...ofViews(metric, (rows) => figureSql(metric, rows)), ...(others && { elsewhere: others }) };
  return metric === 'visitors' || metric === 'views' ? number : { ...number, events: null, ofVisits: true };
}

function goalNumber(name: GoalNumber, goal: Goal, { currency, decimal, per }: NumberOptions): ExplainedNumber {
  const { rule } = goal;
  const number = {
    of: name,
    counts: { goals: [goal] },
    events: rule.kind === 'event' && rule.filters.of.length === 0 ? [rule.event] : null,
    ofVisits: false,
  };
  switch (name) {
    case 'conversions':
      return {
        ...number,
        sql: (rows) => conversionsSql(rows, goal),
        elsewhere: (parts) => convertedVisits(parts, goal),
      };
    case 'revenue':
      return { ...number, sql: (rows) => revenueSql(rows, goal, currency, decimal) };
    case 'conversionRate': {
      const rate = { ...number, elsewhere: (parts) => conversionRates(parts, goal) } satisfies Partial<ExplainedNumber>;
      if (per !== 'visit') return { ...rate, sql: (rows) => rateSql(rows, goal) };
      return { ...rate, sql: (rows) => visitRateSql(rows, goal), events: null, ofVisits: true, per };
    }
  }
}
