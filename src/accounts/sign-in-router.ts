/** Calls of whoever is not signed in yet. */
import { publicProcedure } from '#src/trpc/procedure.ts';

/** Part of `accounts`. */
export const signInProcedures = {
  /** What the screens before sign-in may offer. */
  ways: publicProcedure.query(({ ctx }) => ctx.accounts.signIn.ways(ctx.client.address)),
};
