/** Conditions of filters of *Live*. Apart from the URL codec, which is loaded earlier. Pure. */
import type { FilterOperator } from '#src/columns/filters/operators.ts';
import type { LiveFilter } from '#src/events/contract.ts';

/** One condition of a filter, and the filter without it. */
export interface LiveCondition {
  about: 'names' | 'exceptNames' | 'page' | 'countries' | 'who' | 'bots';
  value: string;
  without: LiveFilter;
}

/** How a condition compares; those that are absent are states, which no operator says. */
export const operatorsOfConditions = {
  names: 'equals',
  exceptNames: 'notEquals',
  page: 'equals',
  countries: 'equals',
} as const satisfies Partial<Record<LiveCondition['about'], FilterOperator>>;

/** The conditions one by one, each with the way to take it off. */
export function conditionsOf(filter: LiveFilter): LiveCondition[] {
  const { names = [], exceptNames = [], page, countries, who, bots } = filter;
  const without = (changes: LiveFilter): LiveFilter => {
    const left = { ...filter, ...changes };
    return Object.fromEntries(Object.entries(left).filter(([, value]) => value?.length)) as LiveFilter;
  };
  return [
    ...names.map((value) => ({
      about: 'names' as const,
      value,
      without: without({ names: names.filter((each) => each !== value) }),
    })),
    ...exceptNames.map((value) => ({
      about: 'exceptNames' as const,
      value,
      without: without({ exceptNames: exceptNames.filter((each) => each !== value) }),
    })),
    ...(page === undefined ? [] : [{ about: 'page' as const, value: page, without: without({ page: undefined }) }]),
    ...(countries === undefined
      ? []
      : [
          {
            about: 'countries' as const,
            value: countries.join(', '),
            without: without({ countries: undefined }),
          },
        ]),
    ...(who === undefined ? [] : [{ about: 'who' as const, value: who, without: without({ who: undefined }) }]),
    ...(bots === undefined ? [] : [{ about: 'bots' as const, value: bots, without: without({ bots: undefined }) }]),
  ];
}
