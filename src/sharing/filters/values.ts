/** What a reader of a link filters by: values of the fields that the link allows, and nothing else of the address. Pure. */
import type { Filters } from '#src/columns/contract.ts';
import type { BreakdownDimension } from '#src/insights/contract.ts';
import { MAX_FILTER_VALUE, type ShareFilter } from '../values.ts';

export interface ReaderFilter {
  field: ShareFilter;
  /** '': of visits without one. */
  value: string;
}

/** The table whose rows are values of the field. */
export function dimensionOf(field: ShareFilter): BreakdownDimension {
  return field === 'entryPath' ? 'entryPage' : field;
}

/** Before the name of the field in the address. */
const WHERE = 'where.';

export function nameOfFilter(field: ShareFilter): string {
  return `${WHERE}${field}`;
}

/** Value in the address of visits that have none; an empty one is no filter. */
export const NOT_SET = '(none)';

/** @param allowed fields of the link */
export function readerFilters(search: URLSearchParams, allowed: readonly ShareFilter[]): ReaderFilter[] {
  return allowed.flatMap((field) => {
    const value = search.get(nameOfFilter(field)) ?? '';
    if (value === '' || value.length > MAX_FILTER_VALUE) return [];
    return [{ field, value: value === NOT_SET ? '' : value }];
  });
}

/** Null: all visits. */
export function conditionsOfReader(chosen: readonly ReaderFilter[]): Filters | null {
  if (chosen.length === 0) return null;
  return {
    match: 'all',
    of: chosen.map(({ field, value }) => ({
      about: 'session' as const,
      name: field,
      ...(value === ''
        ? { operator: 'isNotSet' as const, values: [] }
        : { operator: 'equals' as const, values: [value] }),
    })),
  };
}
