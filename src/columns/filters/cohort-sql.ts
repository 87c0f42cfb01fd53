/** Conditions about cohorts as SQL on rows of `persons`. */
import { invalid } from '#src/kit/errors.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { FilterCondition } from '../contract.ts';
import { textOf } from './condition-values.ts';
import { takesOf } from './operators.ts';

/** The names that a condition asks for, in lower case. @throws AppError `invalid` for another operator than `equals` and `notEquals` */
export function checkCohortCondition({ operator, values }: FilterCondition): string[] {
  if (takesOf(operator) !== 'value')
    throw invalid('filters', 'Cohorts can only be compared with "equals" and "notEquals".');
  return values.map((value) => textOf(value).toLowerCase().replaceAll('\0', ''));
}

/** True of the cohorts of a project that have, or had, one of these names. */
export function namedCohortsSql(projectId: Sql, names: readonly string[]): Sql {
  return sql`cohorts.project_id = ${projectId}
    and (lower(cohorts.name) = any(${[...names]}::text[]) or cohorts.former_names && ${[...names]}::text[])`;
}

/** True of a row of `persons` that is in one of the cohorts, before any negation. */
export function cohortFit(condition: FilterCondition): Sql {
  const named = namedCohortsSql(sql`persons.project_id`, checkCohortCondition(condition));
  return sql`persons.number in (
    select coalesce(past.new_person, member)
      from cohorts
     cross join unnest(cohorts.people) as member
      left join person_overrides as past on past.project_id = cohorts.project_id and past.old_person = member
     where ${named})`;
}
