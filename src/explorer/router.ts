/** Procedures about raw events. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { exploredInput, pageInput } from './contract.ts';

export const explorerRouter = router({
  names: projectProcedure.query(({ ctx }) => ctx.explorer.names(ctx.project.id)),
  page: projectProcedure.input(pageInput).query(({ ctx, input }) => ctx.explorer.page(ctx.project, input)),
  count: projectProcedure.input(exploredInput).query(({ ctx, input }) => ctx.explorer.count(ctx.project, input)),
});
