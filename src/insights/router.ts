/** Procedures of the overview. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { annotationsRouter } from './annotations/router.ts';
import { breakdownInput, overviewInput } from './contract.ts';
import { explainInput } from './explain/contract.ts';
import { goalsRouter } from './goals/router.ts';
import { hoursInput } from './hours/contract.ts';
import { checkFilters } from './person-filters.ts';
import { triedFilters, valuesInput } from './suggestions/contract.ts';
import { vitalsInput } from './vitals/contract.ts';

export const insightsRouter = router({
  annotations: annotationsRouter,
  goals: goalsRouter,
  overview: projectProcedure.input(overviewInput).query(({ ctx, input }) => {
    checkFilters(ctx.role, input.filters);
    return ctx.insights.overview(ctx.project, input);
  }),
  breakdown: projectProcedure.input(breakdownInput).query(({ ctx, input }) => {
    checkFilters(ctx.role, input.filters);
    return ctx.insights.breakdown(ctx.project, input);
  }),
  explain: projectProcedure.input(explainInput).query(({ ctx, input }) => {
    checkFilters(ctx.role, input.filters);
    return ctx.insights.explain(ctx.project, input);
  }),
  hours: projectProcedure.input(hoursInput).query(({ ctx, input }) => {
    checkFilters(ctx.role, input.filters);
    return ctx.insights.hours(ctx.project, input);
  }),
  properties: projectProcedure.query(({ ctx }) => ctx.insights.properties(ctx.project, ctx.role)),
  values: projectProcedure
    .input(valuesInput)
    .query(({ ctx, input }) => ctx.insights.values(ctx.project, ctx.role, input)),
  tryFilters: projectProcedure.input(triedFilters).mutation(({ ctx, input }) => {
    checkFilters(ctx.role, input.filters);
    return ctx.insights.tryFilters(input.filters);
  }),
  vitals: projectProcedure.input(vitalsInput).query(({ ctx, input }) => {
    checkFilters(ctx.role, input.filters);
    return ctx.insights.vitals(ctx.project, input);
  }),
});
