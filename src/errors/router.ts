/** Procedures of errors, for members: messages and stacks may hold personal data. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { issueChangeInput, issueListInput, issueRef, occurrenceRef } from './contract.ts';

export const errorsRouter = router({
  list: projectProcedure
    .input(issueListInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.errors.list(ctx.project, asked)),
  get: projectProcedure.input(issueRef).query(({ ctx, input }) => ctx.errors.get(ctx.project, input.issue)),
  occurrence: projectProcedure
    .input(occurrenceRef)
    .query(({ ctx, input }) => ctx.errors.occurrence(ctx.project, input.issue, input.at)),
  change: projectProcedure
    .input(issueChangeInput)
    .mutation(({ ctx, input }) => ctx.errors.change(ctx.project, input.issues, input.change, ctx.reader.id)),
});
