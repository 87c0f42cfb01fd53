/** How events of a selection, such as a goal's conversions, are counted beside the events of a question. */
import type { Conditions } from '../conditions/conditions.ts';
import type { Selected, Selection } from '../conditions/selections.ts';
import type { Filters, Traffic } from '../contract.ts';
import { trafficKey } from '../filters/traffic.ts';
import { readingsKey } from '../snapshot/gather.ts';
import type { CountParts } from './count-parts.ts';

/** Counts what was done, under the filters of the question. @param finds all that conditions of `views` and the selection name */
export function partsOfDone(
  views: CountParts,
  finds: Conditions['finds'],
  question: FilteredQuery,
  { rules }: Pick<Selection, 'rules'>,
  { names, where, isImmutable }: Selected,
): CountParts {
  const { conditions, gathered } = views;
  const isKept = isImmutable && conditions?.isImmutable !== false;
  return {
    ...views,
    names,
    personsKey: null,
    filterKey: isKept ? keyOfDone(gathered, question, rules) : null,
    conditions: {
      finds,
      isImmutable: isKept,
      where: conditions === null ? where : { all: [conditions.where, where] },
    },
  };
}

interface FilteredQuery {
  filters: Filters | null;
  include?: readonly Traffic[] | undefined;
}

/** Cache key of a partial result besides its chunk. */
export function keyOfDone(
  gathered: CountParts['gathered'],
  { filters, include = [] }: FilteredQuery,
  rules: Selection['rules'],
): string {
  return `${JSON.stringify([filters, rules, readingsKey(gathered)])}${trafficKey(include)}`;
}
