/** Calls about one's own account. What is dangerous in a borrowed browser asks for a recent proof. */
import {
  provenProcedure,
  publicProcedure,
  requireRecentProof,
  router,
  signedInProcedure,
} from '#src/trpc/procedure.ts';
import {
  codeInput,
  emailInput,
  linkInput,
  type OwnAccount,
  passkeyName,
  passkeyRef,
  passwordInput,
  profileInput,
  registrationInput,
  sessionInput,
  sessionsInput,
} from './contract.ts';

export const ownRouter = router({
  get: signedInProcedure.query(({ ctx }): Promise<OwnAccount> => ctx.accounts.profile.get(ctx.reader, ctx.sid)),
  setProfile: signedInProcedure
    .input(profileInput)
    .mutation(({ ctx, input }) => ctx.accounts.profile.change(ctx.reader, input)),
  setPassword: signedInProcedure.input(passwordInput).mutation(async ({ ctx, input }) => {
    // Anyone who has a password gives it with the new one.
    if (!(await ctx.accounts.profile.hasPassword(ctx.reader.id))) requireRecentProof(ctx);
    await ctx.accounts.profile.changePassword(ctx.reader, input, { sid: ctx.sid, address: ctx.client.address });
  }),
  setEmail: provenProcedure
    .input(emailInput)
    .mutation(({ ctx, input }) => ctx.accounts.profile.askForEmail(ctx.reader, input.email, ctx.client.address)),
  /** The address that a link of `setEmail` leads to; null when it does not work. */
  emailOfLink: publicProcedure.input(linkInput).query(({ ctx, input }) => ctx.accounts.profile.emailOf(input.token)),
  confirmEmail: publicProcedure
    .input(linkInput)
    .mutation(({ ctx, input }) => ctx.accounts.profile.confirmEmail(input.token, ctx.client.address)),

  beginCodes: provenProcedure.mutation(({ ctx }) => ctx.accounts.secondStep.begin(ctx.reader)),
  confirmCodes: signedInProcedure
    .input(codeInput)
    .mutation(({ ctx, input }) => ctx.accounts.secondStep.confirm(ctx.reader, input.code, ctx.client.address)),
  renewRecoveryCodes: provenProcedure.mutation(({ ctx }) =>
    ctx.accounts.secondStep.renewCodes(ctx.reader, ctx.client.address),
  ),
  turnCodesOff: provenProcedure.mutation(({ ctx }) => ctx.accounts.secondStep.turnOff(ctx.reader, ctx.client.address)),

  askForPasskey: provenProcedure.mutation(({ ctx }) => ctx.accounts.passkeys.registration(ctx.reader)),
  addPasskey: provenProcedure
    .input(registrationInput)
    .mutation(({ ctx, input }) => ctx.accounts.passkeys.add(ctx.reader, input.name, input.answer, ctx.client.address)),
  renamePasskey: signedInProcedure
    .input(passkeyName)
    .mutation(({ ctx, input }) => ctx.accounts.passkeys.rename(ctx.reader, input.id, input.name)),
  removePasskey: provenProcedure
    .input(passkeyRef)
    .mutation(({ ctx, input }) => ctx.accounts.passkeys.remove(ctx.reader, input.id, ctx.client.address)),

  endSession: signedInProcedure
    .input(sessionInput)
    .mutation(({ ctx, input }) => ctx.accounts.sessions.end(ctx.reader, input.id, ctx.client.address)),
  /** All others, or with `keepThis` false really all. */
  endSessions: signedInProcedure
    .input(sessionsInput)
    .mutation(({ ctx, input }) =>
      ctx.accounts.sessions.endAll(ctx.reader, input.keepThis ? ctx.sid : '', ctx.client.address),
    ),
});
