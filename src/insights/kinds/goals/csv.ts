/** A line per goal, by name, with a column per currency. The header has the denominator of the rate. */
import * as z from 'zod/mini';
import { type Cell, defineFile, rounded, tableRows } from '../../query/file.ts';
import type { GoalFigures, GoalFiguresInput } from './contract.ts';

export const goalsFile = defineFile<GoalFiguresInput, GoalFigures, object>({
  options: z.strictObject({}),
  rows({ goals, per, visitors, comparison }) {
    const currencies = [...new Set(goals.flatMap(({ revenue }) => revenue.map(({ currency }) => currency)))].sort();
    const isCompared = comparison !== null && visitors.previous !== null;
    const head: Cell[] = [
      'goal',
      'kind',
      'conversions',
      'people',
      `${per}s_converted`,
      `${per}s`,
      'rate',
      ...currencies.map((currency) => (currency === '' ? 'revenue' : `revenue_${currency}`)),
      ...(isCompared ? ['conversions_previous', 'people_previous', 'rate_previous'] : []),
    ];
    const rows = goals.map(({ name, kind, conversions, people, conversionRate: rate, revenue }): Cell[] => {
      const { numerator = null, denominator = null } = rate.parts ?? {};
      const sums = new Map(revenue.map(({ currency, sum }) => [currency, sum.value]));
      return [
        name,
        kind,
        conversions.value,
        people.value,
        numerator,
        denominator,
        rounded(rate.value),
        ...currencies.map((currency) => sums.get(currency) ?? null),
        ...(isCompared ? [conversions.previous, people.previous, rounded(rate.previous)] : []),
      ];
    });
    return tableRows(head, rows);
  },
});
