/** Calls about projects. */
import { projectProcedure, publicProcedure, router } from '#src/trpc/procedure.ts';
import { summaryOf } from './projects.ts';

export const projectsRouter = router({
  /** All projects, the built-in one first. */
  list: publicProcedure.query(async ({ ctx }) => (await ctx.projects.list()).map(summaryOf)),
  /** One project by number or token. */
  get: projectProcedure.query(({ ctx }) => summaryOf(ctx.project)),
});
