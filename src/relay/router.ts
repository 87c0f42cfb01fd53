/** Calls about the upstream. */

import { publicProcedure, router } from '#src/trpc/procedure.ts';
import { explainUpstream } from './explain.ts';

export const relayRouter = router({
  /** Destination of events, last failure, queue. */
  status: publicProcedure.query(({ ctx }) => ctx.relay.status()),

  /** How these numbers are counted. */
  explain: publicProcedure.query(({ ctx }) => explainUpstream(ctx.deps.clock.now(), ctx.relay.mirror !== null)),

  /** Lets the requests wait again that the upstream refused for good. */
  retryRefused: publicProcedure.mutation(async ({ ctx }) => ({
    requests: (await ctx.relay.mirror?.retryRefused()) ?? 0,
  })),

  /** Tries the upstream once; measures nothing there. */
  test: publicProcedure.mutation(({ ctx }) => ctx.relay.test()),
});
