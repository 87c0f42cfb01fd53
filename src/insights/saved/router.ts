/** Procedures of saved insights. The whole team can open them; members can save. */

import { noting } from '#src/accounts/note-change.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import {
  createInput,
  duplicateInput,
  favoriteInput,
  groupRef,
  insightRef,
  insightsQuery,
  revisionInput,
  updateInput,
} from './contract.ts';

export const savedRouter = router({
  list: projectProcedure.input(insightsQuery).query(({ ctx, input }) => ctx.insights.saved.list(ctx, input)),
  get: projectProcedure.input(insightRef).query(({ ctx, input }) => ctx.insights.saved.get(ctx, input.insight)),
  ofGroup: projectProcedure
    .input(groupRef)
    .query(({ ctx, input: { type, key } }) => ctx.insights.saved.ofGroup(ctx, { type, key })),
  preview: projectProcedure.input(insightRef).query(({ ctx, input }) => ctx.insights.saved.preview(ctx, input.insight)),
  templates: projectProcedure.query(({ ctx }) => ctx.insights.saved.templates(ctx)),
  create: projectProcedure
    .input(createInput)
    .mutation(({ ctx, input: { name, description, tags, definition } }) =>
      ctx.insights.saved.create(ctx, { name, description, tags, definition }, noting(ctx, 'insight.created')),
    ),
  update: projectProcedure
    .input(updateInput)
    .mutation(({ ctx, input }) =>
      ctx.insights.saved.update(ctx, input.insight, input.change, noting(ctx, 'insight.changed')),
    ),
  duplicate: projectProcedure
    .input(duplicateInput)
    .mutation(({ ctx, input }) =>
      ctx.insights.saved.duplicate(ctx, input.insight, input.name, noting(ctx, 'insight.created')),
    ),
  archive: projectProcedure
    .input(insightRef)
    .mutation(({ ctx, input }) => ctx.insights.saved.archive(ctx, input.insight, noting(ctx, 'insight.archived'))),
  restore: projectProcedure
    .input(insightRef)
    .mutation(({ ctx, input }) => ctx.insights.saved.restore(ctx, input.insight, noting(ctx, 'insight.restored'))),
  remove: projectProcedure
    .input(insightRef)
    .mutation(({ ctx, input }) => ctx.insights.saved.remove(ctx, input.insight, noting(ctx, 'insight.deleted'))),
  history: projectProcedure.input(insightRef).query(({ ctx, input }) => ctx.insights.saved.history(ctx, input.insight)),
  revision: projectProcedure
    .input(revisionInput)
    .query(({ ctx, input }) => ctx.insights.saved.revision(ctx, input.insight, input.revision)),
  revert: projectProcedure
    .input(revisionInput)
    .mutation(({ ctx, input }) =>
      ctx.insights.saved.revert(ctx, input.insight, input.revision, noting(ctx, 'insight.changed')),
    ),
  favorite: projectProcedure
    .input(favoriteInput)
    .mutation(({ ctx, input }) => ctx.insights.saved.favorite(ctx, input.insight, input.favorite)),
  viewed: projectProcedure
    .input(insightRef)
    .mutation(({ ctx, input }) => ctx.insights.saved.viewed(ctx, input.insight)),
});
