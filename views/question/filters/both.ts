/** Two lists of filters as one. Pure. */
import type { Filters } from '#src/columns/contract.ts';

type FilterItem = Filters['of'][number];

/** Filters that fulfil both; undefined where they would be lists within lists within lists. */
export function bothFilters(one: Filters | null, other: Filters | null): Filters | null | undefined {
  if (one === null || other === null) return one ?? other;
  const [first, second] = [asItems(one), asItems(other)];
  return first && second ? { match: 'all', of: [...first, ...second] } : undefined;
}

/** As conditions of which all have to be fulfilled; null where they cannot be. */
function asItems({ match, of }: Filters): FilterItem[] | null {
  if (match === 'all' || of.length === 1) return [...of];
  const conditions = of.flatMap((item) => ('of' in item ? [] : [item]));
  return conditions.length === of.length ? [{ match, of: conditions }] : null;
}
