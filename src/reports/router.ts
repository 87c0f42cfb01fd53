/** Procedures of reports. Everyone may get one; members choose other recipients. */
import { noting } from '#src/accounts/note-change.ts';
import { projectProcedure, router, signedInProcedure } from '#src/trpc/procedure.ts';
import { ownReport, reportChange, reportInput, reportRef } from './contract.ts';

export const reportsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.reports.list(ctx)),
  get: projectProcedure.input(reportRef).query(({ ctx, input }) => ctx.reports.get(ctx, input.report)),
  members: projectProcedure.query(({ ctx }) => ctx.reports.members(ctx)),
  create: projectProcedure
    .input(reportInput)
    .mutation(({ ctx, input: { subject, schedule, recipients } }) =>
      ctx.reports.create(ctx, { subject, schedule, recipients }, noting(ctx, 'report.created')),
    ),
  update: projectProcedure.input(reportChange).mutation(({ ctx, input }) => {
    const { report, revision, schedule, recipients, active } = input;
    return ctx.reports.update(ctx, report, { revision, schedule, recipients, active }, noting(ctx, 'report.changed'));
  }),
  remove: projectProcedure
    .input(reportRef)
    .mutation(({ ctx, input }) => ctx.reports.remove(ctx, input.report, noting(ctx, 'report.deleted'))),
  sendNow: projectProcedure.input(reportRef).mutation(({ ctx, input }) => ctx.reports.sendNow(ctx, input.report)),
  /** Turns the report on or off for the caller alone. */
  setOwn: projectProcedure
    .input(ownReport)
    .mutation(({ ctx, input }) => ctx.reports.setOwn(ctx, input.report, input.active)),
  /** Of all projects. */
  own: signedInProcedure.query(async ({ ctx }) => {
    const projects = await ctx.projects.ofTeams(ctx.reader.teams.map(({ id }) => id));
    return ctx.reports.own(Number(ctx.reader.id), projects);
  }),
});
