/** Procedures of session replay. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { heatmapInput, heatmapPageInput } from './heatmaps/contract.ts';
import { watchingProcedures, watchProcedure } from './watching/router.ts';

export const replaysRouter = router({
  ...watchingProcedures,
  heatmap: projectProcedure
    .input(heatmapInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.replays.heatmap(ctx.project, asked)),
  heatmapRecording: watchProcedure
    .input(heatmapPageInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.replays.heatmapRecording(ctx.project, asked)),
  usage: projectProcedure.query(({ ctx }) => ctx.replays.usage(ctx.project)),
});
