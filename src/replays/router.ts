/** Procedures of session replay. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { watchingProcedures } from './watching/router.ts';

export const replaysRouter = router({
  ...watchingProcedures,
  usage: projectProcedure.query(({ ctx }) => ctx.replays.usage(ctx.project)),
});
