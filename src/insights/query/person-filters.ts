/** Viewers know nothing of persons, and by filters everything of them can be found out piece by piece. */
import { isAtLeast } from '#src/accounts/contract.ts';
import type { Filters } from '#src/columns/contract.ts';
import { forbidden } from '#src/kit/errors.ts';
import type { Role } from '#src/projects/contract.ts';
import { tellsOfSome } from './follow/contract.ts';
import type { PeopleAsked } from './people/contract.ts';

interface Which {
  filters?: Filters | undefined;
  people?: PeopleAsked | undefined;
}

/** Whether answers about these events would tell something of persons. */
export function tellsOfThem({ filters, people }: Which): boolean {
  return tellsOfSome({ filters, people });
}

/** @throws AppError `forbidden` */
export function checkFilters(role: Role, which: Which): void {
  if (tellsOfThem(which) && !isAtLeast(role, 'member')) throw forbidden();
}
