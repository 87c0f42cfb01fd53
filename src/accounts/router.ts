/** Calls about people and teams. Signing in and out is in endpoint.ts, because it sets cookies. */
import { router, signedInProcedure } from '#src/trpc/procedure.ts';
import type { Me } from './contract.ts';
import { ownRouter } from './own/router.ts';
import { signInProcedures } from './sign-in-router.ts';
import { teamsRouter } from './teams/router.ts';

export const accountsRouter = router({
  ...signInProcedures,
  teams: teamsRouter,
  own: ownRouter,
  /** The signed-in user. */
  me: signedInProcedure.query(({ ctx }): Me => {
    const { id: _, teams, ...rest } = ctx.reader;
    return { ...rest, teams: teams.map((team) => ({ ...team })) };
  }),
});
