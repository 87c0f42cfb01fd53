/** Conditions on visits that the program itself adds to a query's filters. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';

export function ofVisit(name: string, operator: FilterCondition['operator'], ...values: number[]): FilterCondition {
  return { about: 'session', name, operator, values };
}

/** The conjunction of both. The engine accepts any nesting; only inputs are limited to one level. */
export function joined(one: Filters | null | undefined, other: Filters['of']): Filters {
  return { match: 'all', of: (one ? [one, ...other] : other) as Filters['of'] };
}
