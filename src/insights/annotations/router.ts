/** Procedures of annotations. The whole team can read them; members can write. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { annotationChange, annotationInput, annotationRef, annotationsInput } from './contract.ts';

export const annotationsRouter = router({
  list: projectProcedure
    .input(annotationsInput)
    .query(async ({ ctx, input }) =>
      ctx.insights.annotations.list(ctx.project, await ctx.insights.range(ctx.project, input.range)),
    ),
  create: projectProcedure
    .input(annotationInput)
    .mutation(({ ctx, input: { when, text, url } }) =>
      ctx.insights.annotations.create(ctx.project, { when, text, url }),
    ),
  change: projectProcedure
    .input(annotationChange)
    .mutation(({ ctx, input: { annotation, when, text, url } }) =>
      ctx.insights.annotations.change(ctx.project, annotation, { when, text, url }),
    ),
  remove: projectProcedure
    .input(annotationRef)
    .mutation(({ ctx, input }) => ctx.insights.annotations.remove(ctx.project, input.annotation)),
});
