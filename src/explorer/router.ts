/** Procedures about raw events. */
import { within } from '#src/insights/segments/within.ts';
import { projectProcedure, requireRecentProof, router } from '#src/trpc/procedure.ts';
import {
  definitionsInput,
  deleteEarlyInput,
  describeInput,
  explainDefinitionsInput,
  exploredInput,
  exportIdInput,
  exportInput,
  pageInput,
  peopleExportInput,
} from './contract.ts';

export const explorerRouter = router({
  names: projectProcedure.query(({ ctx }) => ctx.explorer.names(ctx.project.id)),
  page: projectProcedure
    .input(pageInput)
    .query(async ({ ctx, input }) => ctx.explorer.page(ctx.project, await within(ctx, input))),
  count: projectProcedure
    .input(exploredInput)
    .query(async ({ ctx, input }) => ctx.explorer.count(ctx.project, await within(ctx, input))),
  explainList: projectProcedure
    .input(exploredInput)
    .query(async ({ ctx, input }) => ctx.explorer.explainList(ctx.project, await within(ctx, input))),
  explainFiles: projectProcedure.query(({ ctx }) => ctx.explorer.explainFiles(ctx.project.id)),
  exports: projectProcedure.query(({ ctx }) => ctx.explorer.exports.list(ctx.project.id)),
  askExport: projectProcedure.input(exportInput).mutation(async ({ ctx, input }) => {
    const asked = await ctx.explorer.askExport(ctx.project, await within(ctx, input), ctx.reader);
    await ctx.jobs.soon('event-exports').catch(() => undefined); // else within the minute
    return asked;
  }),
  askPeopleExport: projectProcedure.input(peopleExportInput).mutation(async ({ ctx, input }) => {
    const { project: _, ...people } = input;
    const asked = await ctx.explorer.askPeopleExport(ctx.project, people, ctx.reader);
    await ctx.jobs.soon('event-exports').catch(() => undefined); // else within the minute
    return asked;
  }),
  removeExport: projectProcedure
    .input(exportIdInput)
    .mutation(({ ctx, input }) => ctx.explorer.exports.remove(ctx.project.id, input.id)),
  early: projectProcedure.query(({ ctx }) => ctx.explorer.early.find(ctx.project.id)),
  deleteEarly: projectProcedure.input(deleteEarlyInput).mutation(async ({ ctx, input: { before } }) => {
    requireRecentProof(ctx);
    const { accounts, deps, project, reader, client, explorer } = ctx;
    const deleted = await explorer.early.remove(project.id, before);
    if (deleted.events > 0) {
      await accounts.audit.note(deps.db, {
        actor: reader,
        action: 'events.deleted',
        details: { events: deleted.events },
        address: client.address,
        teamId: project.teamId,
        projectId: project.id,
      });
    }
    return deleted;
  }),
  definitions: projectProcedure
    .input(definitionsInput)
    .query(({ ctx, input }) => ctx.explorer.catalogue.list(ctx.project, input)),
  explain: projectProcedure
    .input(explainDefinitionsInput)
    .query(({ ctx, input }) => ctx.explorer.catalogue.explain(ctx.project, input.kind)),
  describe: projectProcedure.input(describeInput).mutation(({ ctx, input }) => {
    const { accounts, project, reader, client, explorer } = ctx;
    const { kind, name } = input;
    return explorer.catalogue.describe(project, input, reader, (on) =>
      accounts.audit.note(on, {
        actor: reader,
        action: 'definition.changed',
        details: { kind, name },
        address: client.address,
        teamId: project.teamId,
        projectId: project.id,
      }),
    );
  }),
});
