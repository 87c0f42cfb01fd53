/** Calls about proxies in front of Luneta. */
import { router, signedInProcedure } from '#src/trpc/procedure.ts';
import type { ProxyProblem } from './contract.ts';

export const proxiesRouter = router({
  /** The misconfiguration, for operators; null without one, and for others, who cannot change settings. */
  problem: signedInProcedure.query(
    async ({ ctx }): Promise<ProxyProblem | null> => (ctx.reader.operator ? ctx.proxies.problem() : null),
  ),
});
