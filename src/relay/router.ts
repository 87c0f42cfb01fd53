/** Calls about the upstream. */
import { publicProcedure, router } from '#src/trpc/procedure.ts';

export const relayRouter = router({
  /** Where events go, what failed last, what waits. */
  status: publicProcedure.query(({ ctx }) => ctx.relay.status()),

  /** Tries the upstream once; measures nothing there. */
  test: publicProcedure.mutation(({ ctx }) => ctx.relay.test()),
});
