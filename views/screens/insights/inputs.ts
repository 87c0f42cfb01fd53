/** The Overview's question as input of the calls. Pure. */
import type { BreakdownInput, OverviewInput } from '#src/insights/contract.ts';
import type { ExplainInput } from '#src/insights/explain/contract.ts';
import type { HoursInput } from '#src/insights/hours/contract.ts';
import type { VitalsInput } from '#src/insights/vitals/contract.ts';
import { cardNames, isGoalMetric, metricNames, type Question } from './question.ts';

/** Rows of a table on the overview itself, and of one in full. */
export const FEW_ROWS = 8;
const ALL_ROWS = 1_000;

export function overviewInput(
  project: string,
  { range, compare, interval, filters, segment, goal }: Question,
): OverviewInput {
  return {
    ...{ project, range, compare },
    ...(interval && { interval }),
    ...within({ filters, segment }),
    ...(goal !== null && { goal }),
  };
}

export function breakdownInput(
  project: string,
  { range, compare, filters, segment }: Question,
  dimension: BreakdownInput['dimension'],
  limit: number,
): BreakdownInput {
  return { project, range, compare, dimension, limit, ...within({ filters, segment }) };
}

export function annotationsInput(project: string, { range }: Question) {
  return { project, range };
}

export function goalsInput(project: string, { range, compare, filters, segment }: Question) {
  return { project, range, compare, ...within({ filters, segment }) };
}

/** Null: nothing is explained, or what is not there. The chart's number is the one that it draws. */
export function explainInput(
  project: string,
  { range, filters, segment, explain, metric, tabs }: Question,
): ExplainInput | null {
  const of = metricNames.some((each) => each === explain)
    ? isGoalMetric(metric)
      ? null
      : metric
    : cardNames.map((card) => tabs[card]).find((table) => table === explain);
  return of == null || of === 'goal' ? null : { project, range, of, ...within({ filters, segment }) };
}

/** Of a table in full. */
export function detailsInput(
  project: string,
  question: Question,
  dimension: BreakdownInput['dimension'],
): BreakdownInput {
  return { ...breakdownInput(project, question, dimension, ALL_ROWS), more: true };
}

export function hoursInput(project: string, { range, filters, segment }: Question): HoursInput {
  return { project, range, ...within({ filters, segment }) };
}

export function vitalsInput(project: string, { range, filters, segment, vital }: Question): VitalsInput {
  return { project, range, vital, limit: FEW_ROWS, ...within({ filters, segment }) };
}

function within({ filters, segment }: Pick<Question, 'filters' | 'segment'>) {
  return { ...(filters && { filters }), ...(segment !== null && { segment }) };
}
