/** Procedures of the overview. */
import { isAtLeast } from '#src/accounts/contract.ts';
import type { Filters } from '#src/columns/contract.ts';
import { forbidden } from '#src/kit/errors.ts';
import type { Role } from '#src/projects/contract.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { asksAboutPersons, breakdownInput, overviewInput } from './contract.ts';

export const insightsRouter = router({
  overview: projectProcedure.input(overviewInput).query(({ ctx, input }) => {
    checkFilters(ctx.role, input.filters);
    return ctx.insights.overview(ctx.project, input);
  }),
  breakdown: projectProcedure.input(breakdownInput).query(({ ctx, input }) => {
    checkFilters(ctx.role, input.filters);
    return ctx.insights.breakdown(ctx.project, input);
  }),
});

/** Viewers know nothing of persons. @throws AppError `forbidden` */
function checkFilters(role: Role, filters: Filters | undefined): void {
  if (asksAboutPersons(filters) && !isAtLeast(role, 'member')) throw forbidden();
}
