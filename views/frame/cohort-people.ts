/** Address of the list of people who are in a cohort. */
import { peopleOf } from './addresses.ts';

export function cohortPeopleOf(project: string, cohort: number): string {
  return `${peopleOf(project)}?${new URLSearchParams({ cohort: String(cohort), who: 'all' })}`;
}
