/** Calls about the upstream. */

import { publicProcedure, router } from '#src/trpc/procedure.ts';
import { explainUpstream } from './explain.ts';

export const relayRouter = router({
  /** Where events go, what failed last, what waits. */
  status: publicProcedure.query(({ ctx }) => ctx.relay.status()),

  /** How these numbers are counted. */
  explain: publicProcedure.query(({ ctx }) => explainUpstream(ctx.deps.clock.now(), ctx.relay.mirror !== null)),

  /** Tries the upstream once; measures nothing there. */
  test: publicProcedure.mutation(({ ctx }) => ctx.relay.test()),
});
