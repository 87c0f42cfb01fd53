/** Procedures of session replay. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';

export const replaysRouter = router({
  usage: projectProcedure.query(({ ctx }) => ctx.replays.usage(ctx.project)),
});
