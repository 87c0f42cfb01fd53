/** The Overview's question as input of the calls. Pure. */

import type { BreakdownInput, BreakdownOrder, InProject, OverviewInput } from '#src/insights/contract.ts';
import type { ExplainInput } from '#src/insights/explain/contract.ts';
import { MAX_FIND_LENGTH, MAX_ROWS } from '#src/insights/kinds/breakdown/values.ts';
import type { HeatmapInput } from '#src/insights/kinds/heatmap/contract.ts';
import type { MoversInput } from '#src/insights/kinds/movers/contract.ts';
import { overviewMetrics } from '#src/insights/kinds/overview/values.ts';
import type { VitalPercentile, VitalsInput, VitalsOrder } from '#src/insights/kinds/vitals/contract.ts';
import { cardNames, isGoalMetric, type Question } from './question.ts';

/** Rows of a table on the overview itself, and of one in full. */
export const FEW_ROWS = 8;
export const ALL_ROWS = MAX_ROWS;
/** Rows of each table of what changed. */
const MOVERS_SHOWN = 5;

export function overviewInput(project: string, question: Question): InProject<OverviewInput> {
  const { range, compare, interval } = question;
  return {
    project,
    range,
    compare,
    ...(interval && interval !== 'minute' ? { interval } : { firstDay: true }),
    ...within(question),
    ...rateOf(question),
  };
}

export function breakdownInput(
  project: string,
  question: Question,
  dimension: BreakdownInput['dimension'],
  limit: number,
): InProject<BreakdownInput> {
  const { range, compare } = question;
  return { project, range, compare, dimension, limit, ...within(question) };
}

export function annotationsInput(project: string, { range }: Question) {
  return { project, range };
}

export function goalsInput(project: string, question: Question) {
  const { range, compare, per } = question;
  return { project, range, compare, ...within(question), ...perOf(per) };
}

/** Null: nothing is explained, or what is not there. The chart's number is the one that it draws. */
export function explainInput(project: string, question: Question): ExplainInput | null {
  const { range, compare, explain, metric, goal, per, vital, details, tabs } = question;
  const asked = { project, range, ...within(question) };
  if (explain === null) return null;
  if (details !== null && explain !== details) return null;
  if (explain === 'vitals') return { ...asked, of: explain, vital, percentile: percentileOf(question) };
  if (details !== null) return { ...asked, compare, of: details, more: true, ...ofGoal(question) };
  if (explain === 'hours') return { ...asked, of: explain };
  const isChart = isGoalMetric(explain) || overviewMetrics.some((each) => each === explain);
  if (!isChart) {
    const of = cardNames.map((card) => tabs[card]).find((table) => table === explain);
    if (of === undefined) return null;
    return { ...asked, compare, of, ...(of === 'goal' && perOf(per)) };
  }
  if (!isGoalMetric(metric)) return { ...asked, compare, of: metric };
  if (goal === null) return { ...asked, compare, of: 'visitors' };
  if (metric === 'conversions') return { ...asked, compare, of: metric, goal };
  if (metric === 'conversionRate') return { ...asked, compare, of: metric, goal, ...perOf(per) };
  return { ...asked, compare, of: 'revenue', goal, currency: metric.slice(8) };
}

/** Goal and denominator of the conversion rate. */
export function rateOf({ goal, per }: Pick<Question, 'goal' | 'per'>) {
  return goal !== null && { goal, ...perOf(per) };
}

/** Unless it is what is meant without it. */
function perOf(per: Question['per']) {
  return per === 'visit' && { per };
}

function ofGoal({ goal }: Pick<Question, 'goal'>) {
  return goal !== null && { goal };
}

/** Input of a full table. */
export function detailsInput(
  project: string,
  question: Question,
  dimension: BreakdownInput['dimension'],
): InProject<BreakdownInput> {
  return { ...breakdownInput(project, question, dimension, ALL_ROWS), more: true, ...ofGoal(question) };
}

/** Order, search and page of a full table; null: the default. */
export function orderOf<Order extends BreakdownOrder | VitalsOrder>({
  sort,
  reversed,
  find,
  page,
}: Question): Order | null {
  if (sort === 'count' && !reversed && find.trim() === '' && page === 1) return null;
  return { sort, reversed, find: find.slice(0, MAX_FIND_LENGTH), page } as Order; // a question's sort is one of its table
}

/** Of the number that the chart draws, where its change can be decomposed; else of visitors. */
export function moversInput(project: string, question: Question): InProject<MoversInput> {
  const { range, compare, goal, metric } = question;
  const asked = { project, range, compare, limit: MOVERS_SHOWN, ...within(question) };
  if (goal === null || !isGoalMetric(metric)) return { ...asked, metric: 'visitors' };
  if (!metric.startsWith('revenue.')) return { ...asked, metric: 'conversions', goal };
  const currency = metric.slice(8);
  return { ...asked, metric: 'revenue', goal, ...(currency !== '' && { currency }) };
}

export function heatmapInput(project: string, question: Question): InProject<HeatmapInput> {
  return { project, range: question.range, ...within(question) };
}

function percentileOf({ percentile }: Question): VitalPercentile {
  return Number(percentile) as VitalPercentile;
}

export function vitalsInput(project: string, question: Question, limit = FEW_ROWS): InProject<VitalsInput> {
  const { range, vital } = question;
  return { project, range, vital, percentile: percentileOf(question), limit, ...within(question) };
}

/** Errors of the range. Bots are among them. */
export function issuesInput(project: string, { range, filters, people, segment }: Question) {
  return {
    project,
    range,
    ...(filters && { filters }),
    ...(people && { people }),
    ...(segment !== null && { segment }),
  };
}

function within({ filters, people, segment, include }: Pick<Question, 'filters' | 'people' | 'segment' | 'include'>) {
  return {
    ...(filters && { filters }),
    ...(people && { people }),
    ...(segment !== null && { segment }),
    ...(include.length > 0 && { include: [...include] }),
  };
}
