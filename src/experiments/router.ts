/** Procedures of experiments. The whole team sees them; members change them. */
import { type Caller, noting } from '#src/accounts/note-change.ts';
import type { AuditAction } from '#src/accounts/teams/values.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { experimentChange, experimentEnd, experimentInput, experimentRef, experimentResultRef } from './contract.ts';
import type { Decider } from './experiments.ts';

export const experimentsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.experiments.list(ctx.project)),
  get: projectProcedure
    .input(experimentRef)
    .query(({ ctx, input }) => ctx.experiments.get(ctx.project, input.experiment)),
  result: projectProcedure
    .input(experimentResultRef)
    .query(({ ctx, input }) => ctx.experiments.result(ctx.project, input.experiment, input.breakdown)),
  create: projectProcedure
    .input(experimentInput)
    .mutation(({ ctx, input: { project: _, ...input } }) =>
      ctx.experiments.create(ctx.project, input, deciderOf(ctx, 'experiment.started')),
    ),
  change: projectProcedure
    .input(experimentChange)
    .mutation(({ ctx, input: { project: _, experiment, ...change } }) =>
      ctx.experiments.change(ctx.project, experiment, change, deciderOf(ctx, 'experiment.changed')),
    ),
  end: projectProcedure
    .input(experimentEnd)
    .mutation(({ ctx, input: { project: _, experiment, ...end } }) =>
      ctx.experiments.end(ctx.project, experiment, end, deciderOf(ctx, 'experiment.ended')),
    ),
  remove: projectProcedure
    .input(experimentRef)
    .mutation(({ ctx, input }) =>
      ctx.experiments.remove(ctx.project, input.experiment, deciderOf(ctx, 'experiment.deleted')),
    ),
});

function deciderOf(caller: Caller, action: AuditAction): Decider {
  const { id, name } = caller.reader;
  return { id, name, note: noting(caller, action), noteFlag: noting(caller, 'flag.changed') };
}
