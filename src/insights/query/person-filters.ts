/** Viewers know nothing of persons, and by filters everything of them can be found out piece by piece. */
import { isAtLeast } from '#src/accounts/contract.ts';
import type { Filters } from '#src/columns/contract.ts';
import { forbidden } from '#src/kit/errors.ts';
import type { Role } from '#src/projects/contract.ts';
import type { PeopleQuery } from './people/contract.ts';
import { revealsPersons } from './run-query.ts';

interface Selection {
  filters?: Filters | undefined;
  people?: PeopleQuery | undefined;
}

/** True when results for these events would reveal personal data. */
export function selectionRevealsPersons({ filters, people }: Selection): boolean {
  return revealsPersons({}, { range: 'all_time', filters, people });
}

/** @throws AppError `forbidden` */
export function checkFilters(role: Role, selection: Selection): void {
  if (selectionRevealsPersons(selection) && !isAtLeast(role, 'member')) throw forbidden();
}
