/** Filters of one row of a table: those of the query, and the row's own conditions. Pure. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { RowCondition } from '#src/insights/kinds/breakdown/filters/values.ts';

/** Filters nest one level: where the query joins by OR, each of its parts gets the row's conditions. */
export function withinRow(filters: Filters | null, row: readonly RowCondition[]): Filters {
  const conditions = row.map(
    ({ about, name, value }): FilterCondition =>
      value === null
        ? { about, name, operator: 'isNotSet', values: [] }
        : { about, name, operator: 'equals', values: [value] },
  );
  if (filters === null || filters.of.length === 0) return { match: 'all', of: conditions };
  if (filters.match === 'all') return { match: 'all', of: [...filters.of, ...conditions] };
  const alone = filters.of.flatMap((item) => ('of' in item && item.match === 'any' ? item.of : [item]));
  if (alone.every((item) => !('of' in item))) {
    return { match: 'all', of: [{ match: 'any', of: alone as FilterCondition[] }, ...conditions] };
  }
  const parts = alone.map((item) => ({
    match: 'all' as const,
    of: [...('of' in item ? item.of : [item]), ...conditions] as FilterCondition[],
  }));
  return { match: 'any', of: parts };
}
