/** Procedures of links that share. Their readers need none: `web/shared-pages.tsx`. */
import { noting } from '#src/accounts/note-change.ts';
import { projectProcedure, router, teamProcedure } from '#src/trpc/procedure.ts';
import { shareInput, shareRef } from './contract.ts';

export const sharingRouter = router({
  get: projectProcedure.input(shareRef).query(({ ctx, input }) => ctx.sharing.get(ctx, input.of)),
  create: projectProcedure
    .input(shareInput)
    .mutation(({ ctx, input }) => ctx.sharing.create(ctx, input.of, input.settings, noting(ctx, 'link.created'))),
  update: projectProcedure
    .input(shareInput)
    .mutation(({ ctx, input }) => ctx.sharing.update(ctx, input.of, input.settings, noting(ctx, 'link.changed'))),
  rotate: projectProcedure
    .input(shareRef)
    .mutation(({ ctx, input }) => ctx.sharing.rotate(ctx, input.of, noting(ctx, 'link.rotated'))),
  revoke: projectProcedure
    .input(shareRef)
    .mutation(({ ctx, input }) => ctx.sharing.revoke(ctx, input.of, noting(ctx, 'link.revoked'))),
  list: teamProcedure.query(async ({ ctx }) => ctx.sharing.list(await ctx.projects.ofTeams([ctx.team]))),
});
