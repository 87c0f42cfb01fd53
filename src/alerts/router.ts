/** Procedures of alerts. The whole team sees them; members change them. */
import { noting } from '#src/accounts/note-change.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { alertChange, alertInput, alertPreview, alertRef, alertSnooze, deliveryRef, targetRef } from './contract.ts';

export const alertsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.alerts.list(ctx)),
  get: projectProcedure.input(alertRef).query(({ ctx, input }) => ctx.alerts.get(ctx, input.alert)),
  chart: projectProcedure.input(alertRef).query(({ ctx, input }) => ctx.alerts.chart(ctx, input.alert)),
  preview: projectProcedure
    .input(alertPreview)
    .query(({ ctx, input: { subject, interval, condition } }) =>
      ctx.alerts.preview(ctx, { subject, interval, condition }),
    ),
  members: projectProcedure.query(({ ctx }) => ctx.alerts.members(ctx)),
  create: projectProcedure
    .input(alertInput)
    .mutation(({ ctx, input: { name, subject, interval, condition, targets } }) =>
      ctx.alerts.create(ctx, { name, subject, interval, condition, targets }, noting(ctx, 'alert.created')),
    ),
  update: projectProcedure.input(alertChange).mutation(({ ctx, input }) => {
    const { alert, revision, name, subject, interval, condition, targets, active } = input;
    const change = { revision, name, subject, interval, condition, targets, active };
    return ctx.alerts.update(ctx, alert, change, noting(ctx, 'alert.changed'));
  }),
  acknowledge: projectProcedure
    .input(alertRef)
    .mutation(({ ctx, input }) => ctx.alerts.acknowledge(ctx, input.alert, noting(ctx, 'alert.acknowledged'))),
  snooze: projectProcedure
    .input(alertSnooze)
    .mutation(({ ctx, input }) => ctx.alerts.snooze(ctx, input.alert, input.hours, noting(ctx, 'alert.snoozed'))),
  remove: projectProcedure
    .input(alertRef)
    .mutation(({ ctx, input }) => ctx.alerts.remove(ctx, input.alert, noting(ctx, 'alert.deleted'))),
  test: projectProcedure.input(targetRef).mutation(({ ctx, input }) => ctx.alerts.test(ctx, input.alert, input.target)),
  redeliver: projectProcedure
    .input(deliveryRef)
    .mutation(({ ctx, input }) => ctx.alerts.redeliver(ctx, input.alert, input.delivery)),
});
