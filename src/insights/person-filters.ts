/** Viewers know nothing of persons, and by filters everything of them can be found out piece by piece. */
import { isAtLeast } from '#src/accounts/contract.ts';
import type { Filters } from '#src/columns/contract.ts';
import { forbidden } from '#src/kit/errors.ts';
import type { Role } from '#src/projects/contract.ts';
import { asksAboutPersons } from './contract.ts';

/** @throws AppError `forbidden` */
export function checkFilters(role: Role, filters: Filters | undefined): void {
  if (asksAboutPersons(filters) && !isAtLeast(role, 'member')) throw forbidden();
}
