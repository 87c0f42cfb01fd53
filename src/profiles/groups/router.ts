/** Calls about groups such as companies. */
import { noting } from '#src/accounts/note-change.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { groupInput, groupsInput, groupTypeChange } from './contract.ts';

export const groupsRouter = router({
  types: projectProcedure.query(({ ctx }) => ctx.profiles.groups.types(ctx.project.id)),
  nameType: projectProcedure.input(groupTypeChange).mutation(async ({ ctx, input: { project: _, ...change } }) => {
    const { accounts, deps, project, reader, client } = ctx;
    const named = await ctx.profiles.groups.nameType(project.id, change);
    await accounts.audit.note(deps.db, {
      actor: reader,
      action: 'project.changed',
      details: { name: project.name, changed: ['groupTypes'] },
      address: client.address,
      teamId: project.teamId,
      projectId: project.id,
    });
    return named;
  }),
  list: projectProcedure
    .input(groupsInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.profiles.groups.list(ctx.project.id, asked)),
  get: projectProcedure
    .input(groupInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.profiles.groups.get(ctx.project.id, asked)),
  changes: projectProcedure
    .input(groupInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.profiles.groups.changes(ctx.project.id, asked)),
  /** Which group it was stands in no log: its key may say. */
  erase: projectProcedure.input(groupInput).mutation(async ({ ctx, input: { project: _, ...asked } }) => {
    await ctx.profiles.groups.erase(ctx.project.id, asked, noting(ctx, 'group.erased'));
  }),
});
