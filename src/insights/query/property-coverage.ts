/** How many of the counted events lack a property: what a breakdown or a sum by it leaves out. */
import type { Columns, Rules, Scope } from '#src/columns/columns.ts';
import type { FilterSubject, Filters } from '#src/columns/contract.ts';
import type { BreakdownBy, PropertyCoverage } from './contract.ts';

export interface CoveredProperty {
  about: FilterSubject;
  name: string;
  /** Events that are broken down or measured by it. */
  rules: Rules;
}

/** @param span of the events, ms */
export async function queryCoverage(
  columns: Pick<Columns, 'trends'>,
  { projectId, filters, people, include }: Scope,
  span: { from: number; until: number },
  properties: readonly CoveredProperty[],
): Promise<PropertyCoverage[]> {
  if (properties.length === 0) return [];
  const series = properties.flatMap(({ about, name, rules }) => {
    const isNotSet: Filters = { match: 'all', of: [{ about, name, operator: 'isNotSet', values: [] }] };
    const unset = rules.map((rule) => ({ ...rule, filters: [...rule.filters, isNotSet] }));
    return [rules, unset].map((each) => ({
      rules: each,
      measure: 'events' as const,
      spans: [{ ...span, windows: [], total: span }],
    }));
  });
  const found = await columns.trends({ projectId, filters, people, include, series, by: null, most: 1 });
  const countOf = (at: number): number => found[at]?.[0]?.rows[0]?.total ?? 0;
  return properties.map(({ about, name }, at) => ({
    about,
    name,
    events: countOf(2 * at),
    without: countOf(2 * at + 1),
  }));
}

/** The property of a breakdown; none of one by name. */
export function coveredBy(breakdown: BreakdownBy | undefined, rules: Rules): CoveredProperty[] {
  return breakdown === undefined || breakdown.about === 'name' ? [] : [{ ...breakdown, rules }];
}
