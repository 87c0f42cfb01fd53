/** Procedures of the overview. */
import { projectProcedure, router, signedInProcedure } from '#src/trpc/procedure.ts';
import { annotationsRouter } from './annotations/router.ts';
import { breakdownInput, overviewInput } from './contract.ts';
import { explainInput } from './explain/contract.ts';
import { goalsRouter } from './goals/router.ts';
import { hoursInput } from './kinds/heatmap/contract.ts';
import { vitalsInput } from './kinds/vitals/contract.ts';
import { checkFilters } from './query/person-filters.ts';
import { segmentsRouter } from './segments/router.ts';
import { within } from './segments/within.ts';
import { triedFilters, valuesInput } from './suggestions/contract.ts';

export const insightsRouter = router({
  annotations: annotationsRouter,
  goals: goalsRouter,
  segments: segmentsRouter,
  overview: projectProcedure
    .input(overviewInput)
    .query(async ({ ctx, input }) => ctx.insights.overview(ctx.project, await within(ctx, input))),
  breakdown: projectProcedure
    .input(breakdownInput)
    .query(async ({ ctx, input }) => ctx.insights.breakdown(ctx.project, await within(ctx, input))),
  explain: projectProcedure
    .input(explainInput)
    .query(async ({ ctx, input }) => ctx.insights.explain(ctx.project, await within(ctx, input))),
  /** Of all projects of all teams of whoever asks, as Home shows them. */
  explainHome: signedInProcedure.query(async ({ ctx }) =>
    ctx.insights.explainHome(await ctx.projects.ofTeams(ctx.reader.teams.map(({ id }) => id))),
  ),
  explainNow: projectProcedure.query(({ ctx }) => ctx.insights.explainNow(ctx.project)),
  hours: projectProcedure
    .input(hoursInput)
    .query(async ({ ctx, input }) => ctx.insights.hours(ctx.project, await within(ctx, input))),
  properties: projectProcedure.query(({ ctx }) => ctx.insights.properties(ctx.project, ctx.role)),
  values: projectProcedure
    .input(valuesInput)
    .query(({ ctx, input }) => ctx.insights.values(ctx.project, ctx.role, input)),
  tryFilters: projectProcedure.input(triedFilters).mutation(({ ctx, input }) => {
    checkFilters(ctx.role, input);
    return ctx.insights.tryFilters(input.filters);
  }),
  vitals: projectProcedure
    .input(vitalsInput)
    .query(async ({ ctx, input }) => ctx.insights.vitals(ctx.project, await within(ctx, input))),
});
