/**
 * Conversion rate of each row's visitors or visits: equal to the Overview filtered by the row. It is
 * computed in the same way, row by row, so only for the few rows of a card.
 */
import type { Columns, Question } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { Goal } from '../../goals/contract.ts';
import { selectionOf } from '../../goals/selection.ts';
import type { GoalPer } from '../../query/contract.ts';
import { withinBoth } from '../../segments/segments.ts';
import { sharesOf } from '../goals/run.ts';
import type { BreakdownDimension } from './contract.ts';
import { conditionsOf } from './filters/values.ts';

/** A row, by what it stands for. */
export interface RatedRow {
  value: string;
  /** Absent: rows are not by host. */
  host?: string | undefined;
}

/**
 * True for dimensions whose rows are filters on visits. A filter on events would also apply to the goal's
 * events, and nearly all goals convert on another page, so such tables count converted people themselves.
 */
export function haveRates(dimension: BreakdownDimension): boolean {
  return conditionsOf(dimension, '')?.every(({ about }) => about === 'session') ?? false;
}

/** Converted and total by row. @param question its first span is used */
export function queryRates(
  columns: Pick<Columns, 'conversions'>,
  question: Question,
  { goal, per, dimension }: { goal: Goal; per: GoalPer; dimension: BreakdownDimension },
  rows: readonly RatedRow[],
): Promise<[reached: number, of: number][]> {
  const selection = { ...selectionOf(goal), amount: null };
  return Promise.all(
    rows.map(async ({ value, host }) => {
      const filters = bothOf(question.filters, conditionsOf(dimension, value, host) ?? []);
      const asked = { ...question, filters, spans: question.spans.slice(0, 1) };
      const [found] = await columns.conversions(asked, [selection], { byVisit: per === 'visit' });
      const { some, all } = found?.[0] === undefined ? { some: 0, all: 0 } : sharesOf(per, found[0]);
      return [some, all];
    }),
  );
}

/** The filters, and those of a row. */
export function bothOf(filters: Filters | null, conditions: NonNullable<ReturnType<typeof conditionsOf>>): Filters {
  const own: Filters = {
    match: 'all',
    of: conditions.map(
      ({ about, name, value }): FilterCondition => ({
        about,
        name,
        ...(value === null ? { operator: 'isNotSet', values: [] } : { operator: 'equals', values: [value] }),
      }),
    ),
  };
  return withinBoth({ filters: own }, { filters: filters ?? undefined }).filters ?? own;
}
