/** Calls about proxies in front of Luneta. */
import { router, signedInProcedure } from '#src/trpc/procedure.ts';
import type { ProxyProblem } from './contract.ts';

export const proxiesRouter = router({
  /** What the operator has to set; null when all is well, and for others, who cannot set anything. */
  problem: signedInProcedure.query(
    async ({ ctx }): Promise<ProxyProblem | null> => (ctx.reader.operator ? ctx.proxies.problem() : null),
  ),
});
