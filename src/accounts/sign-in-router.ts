/** Calls of anyone who is not signed in yet. */
import { provenProcedure, publicProcedure, signedInProcedure } from '#src/trpc/procedure.ts';
import { connectionRef, linkLookInput } from './contract.ts';

/** Part of `accounts`. */
export const signInProcedures = {
  /** Available sign-in methods. */
  ways: publicProcedure.query(({ ctx }) => ctx.accounts.signIn.ways(ctx.client.address)),
  /** The address that a link was sent to; null when it is invalid. */
  link: publicProcedure
    .input(linkLookInput)
    .query(({ ctx, input }) => ctx.accounts.recovery.look(input.token, input.purpose)),
  /** Accounts of other services that sign in to one's own. */
  connections: signedInProcedure.query(({ ctx }) => ctx.accounts.identities.view(ctx.reader.id)),
  disconnect: provenProcedure
    .input(connectionRef)
    .mutation(({ ctx, input }) => ctx.accounts.identities.disconnect(ctx.reader, input, ctx.client.address)),
  /** Another mail to confirm one's own address. */
  askForVerification: signedInProcedure.mutation(async ({ ctx }) => {
    if (await ctx.limits.mail(ctx.reader.email, ctx.client.address)) {
      await ctx.accounts.recovery.askForVerification(ctx.reader);
    }
  }),
};
