/** Procedures of goals. Everybody of the team sees them; members make them. */
import * as z from 'zod/mini';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { within } from '../segments/within.ts';
import { goalChange, goalDraft, goalFiguresInput, goalInput, goalRef } from './contract.ts';

export const goalsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.insights.goals.list(ctx.project.id)),
  figures: projectProcedure
    .input(goalFiguresInput)
    .query(async ({ ctx, input }) => ctx.insights.goalFigures(ctx.project, await within(ctx, input))),
  known: projectProcedure.query(({ ctx }) => ctx.insights.goals.known(ctx.project.id)),
  preview: projectProcedure
    .input(z.object({ draft: goalDraft }))
    .query(({ ctx, input }) => ctx.insights.goalPreview(ctx.project, input.draft)),
  create: projectProcedure
    .input(goalInput)
    .mutation(({ ctx, input: { name, rule, amount } }) =>
      ctx.insights.goals.create(ctx.project.id, { name, rule, amount }),
    ),
  change: projectProcedure
    .input(goalChange)
    .mutation(({ ctx, input: { goal, name, rule, amount } }) =>
      ctx.insights.goals.change(ctx.project.id, goal, { name, rule, amount }),
    ),
  remove: projectProcedure
    .input(goalRef)
    .mutation(({ ctx, input }) => ctx.insights.goals.remove(ctx.project.id, input.goal)),
});
