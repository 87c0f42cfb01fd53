/** Address of the list of people who are in a cohort. */
import { COHORT } from '#src/columns/values.ts';
import { peopleOf } from './addresses.ts';

export function cohortPeopleOf(project: string, name: string): string {
  return `${peopleOf(project)}?${new URLSearchParams({ property: COHORT, value: name, who: 'all' })}`;
}
