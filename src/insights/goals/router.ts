/** Procedures of goals. The whole team can read them; members can write. */
import * as z from 'zod/mini';
import { noting } from '#src/accounts/note-change.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { goalChange, goalDraft, goalInput, goalRef } from './contract.ts';

export const goalsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.insights.goals.list(ctx.project)),
  known: projectProcedure.query(({ ctx }) => ctx.insights.goals.known(ctx.project.id)),
  preview: projectProcedure
    .input(z.object({ draft: goalDraft }))
    .query(({ ctx, input }) => ctx.insights.goalPreview(ctx.project, input.draft)),
  explainPreview: projectProcedure
    .input(z.object({ draft: goalDraft }))
    .query(({ ctx, input }) => ctx.insights.explainPreview(ctx.project, input.draft)),
  reached: projectProcedure.query(({ ctx }) => ctx.insights.goalsReached(ctx.project)),
  uses: projectProcedure
    .input(goalRef)
    .query(({ ctx, input }) => ctx.insights.goals.uses(ctx.project.id, input.goal, ctx.reader.id)),
  create: projectProcedure
    .input(goalInput)
    .mutation(({ ctx, input: { name, rule, amount } }) =>
      ctx.insights.goals.create(ctx.project.id, { name, rule, amount }, noting(ctx, 'goal.created')),
    ),
  change: projectProcedure
    .input(goalChange)
    .mutation(({ ctx, input: { goal, name, rule, amount } }) =>
      ctx.insights.goals.change(ctx.project.id, goal, { name, rule, amount }, noting(ctx, 'goal.changed')),
    ),
  remove: projectProcedure
    .input(goalRef)
    .mutation(({ ctx, input }) => ctx.insights.goals.remove(ctx.project.id, input.goal, noting(ctx, 'goal.deleted'))),
});
