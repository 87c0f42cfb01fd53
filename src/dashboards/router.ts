/** Procedures of dashboards. The whole team sees them; members change them. */
import { noting } from '#src/accounts/note-change.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { dashboardChange, dashboardCopy, dashboardFavorite, dashboardInput, dashboardRef } from './contract.ts';

export const dashboardsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.dashboards.list(ctx)),
  get: projectProcedure.input(dashboardRef).query(({ ctx, input }) => ctx.dashboards.get(ctx, input.dashboard)),
  create: projectProcedure
    .input(dashboardInput)
    .mutation(({ ctx, input: { name, description, tags, content } }) =>
      ctx.dashboards.create(ctx, { name, description, tags, content }, noting(ctx, 'dashboard.created')),
    ),
  update: projectProcedure
    .input(dashboardChange)
    .mutation(({ ctx, input: { dashboard, revision, name, description, tags, content } }) =>
      ctx.dashboards.update(
        ctx,
        dashboard,
        { revision, name, description, tags, content },
        noting(ctx, 'dashboard.changed'),
      ),
    ),
  duplicate: projectProcedure
    .input(dashboardCopy)
    .mutation(({ ctx, input }) =>
      ctx.dashboards.duplicate(ctx, input.dashboard, input.name, noting(ctx, 'dashboard.created')),
    ),
  remove: projectProcedure
    .input(dashboardRef)
    .mutation(({ ctx, input }) => ctx.dashboards.remove(ctx, input.dashboard, noting(ctx, 'dashboard.deleted'))),
  favorite: projectProcedure
    .input(dashboardFavorite)
    .mutation(({ ctx, input }) => ctx.dashboards.favorite(ctx, input.dashboard, input.favorite)),
  viewed: projectProcedure
    .input(dashboardRef)
    .mutation(({ ctx, input }) => ctx.dashboards.viewed(ctx, input.dashboard)),
});
