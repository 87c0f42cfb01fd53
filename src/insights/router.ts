/** Procedures of the overview. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { breakdownInput, overviewInput } from './contract.ts';

export const insightsRouter = router({
  overview: projectProcedure.input(overviewInput).query(({ ctx, input }) => ctx.insights.overview(ctx.project, input)),
  breakdown: projectProcedure
    .input(breakdownInput)
    .query(({ ctx, input }) => ctx.insights.breakdown(ctx.project, input)),
});
