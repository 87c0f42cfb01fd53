/** Cohorts used by conditions, by current and former names. Pure. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { COHORT } from '#src/columns/values.ts';
import { conditionsWithin, type PeopleQuery } from '../query/people/contract.ts';
import { segmentDefinition } from '../segments/contract.ts';
import { cohortDefinition } from './contract.ts';
import type { CohortRow } from './queries.ts';

export function definitionOf({ definition }: CohortRow): PeopleQuery | null {
  return definition === null ? null : cohortDefinition.parse(definition).people;
}

/** Names of the cohorts that conditions are about. */
export function namesIn({ of }: Filters): string[] {
  const leaves: FilterCondition[] = of.flatMap((item) => ('of' in item ? item.of : [item]));
  return leaves.flatMap(({ about, name, values }) => (about === 'person' && name === COHORT ? values.map(String) : []));
}

export function namesInSegment(definition: unknown): string[] {
  const { filters, people } = segmentDefinition.parse(definition);
  return [...namesIn(filters), ...(people === undefined ? [] : namesIn(conditionsWithin(people)))];
}

/** Names of cohorts wherever a stored query names them: conditions on persons, and what persons of a set have. */
export function namesInQuery(query: unknown): string[] {
  if (typeof query !== 'object' || query === null) return [];
  if (Array.isArray(query)) return query.flatMap(namesInQuery);
  const { name, values, ...rest } = query as { name?: unknown; values?: unknown };
  const own = name === COHORT && Array.isArray(values) ? values.map(String) : [];
  return [...own, ...Object.values(rest).flatMap(namesInQuery)];
}

export function usersAmong(rows: readonly CohortRow[]): { name: string; names: string[] }[] {
  return rows.map((row) => {
    const people = definitionOf(row);
    return { name: row.name, names: people === null ? [] : namesIn(conditionsWithin(people)) };
  });
}

/** True when one of the names refers to this cohort. */
export function meansOneOf({ name, formerNames }: CohortRow, names: readonly string[]): boolean {
  return names.some((each) => [name.toLowerCase(), ...formerNames].includes(each.toLowerCase()));
}

/** True when the conditions of these cohorts refer to this one, directly or indirectly. */
export function reaches(rows: readonly CohortRow[], names: readonly string[], id: number): boolean {
  const seen = new Set<number>();
  const visit = (asked: readonly string[]): boolean =>
    rows
      .filter((row) => meansOneOf(row, asked))
      .some((row) => {
        if (row.id === id) return true;
        if (seen.has(row.id)) return false;
        seen.add(row.id);
        const people = definitionOf(row);
        return people !== null && visit(namesIn(conditionsWithin(people)));
      });
  return visit(names);
}
