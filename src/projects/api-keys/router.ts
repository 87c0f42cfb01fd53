/** Calls about one's own keys. */
import type { Reader } from '#src/accounts/contract.ts';
import type { Context } from '#src/trpc/context.ts';
import { provenProcedure, router, signedInProcedure } from '#src/trpc/procedure.ts';
import { apiKeyRef, newApiKey } from './contract.ts';

export const apiKeysRouter = router({
  list: signedInProcedure.query(({ ctx }) => ctx.apiKeys.list(ctx.reader.id)),
  /** The key itself is in this answer and nowhere else. */
  create: provenProcedure.input(newApiKey).mutation(async ({ ctx, input }) => {
    const projects = await ctx.projects.ofTeams(ctx.reader.teams.map(({ id }) => id));
    const allowed = projects.map(({ id }) => id);
    const made = await ctx.apiKeys.create(ctx.reader.id, input, allowed);
    await note(ctx, 'key.created', { name: input.name, scopes: input.scopes });
    return made;
  }),
  revoke: signedInProcedure.input(apiKeyRef).mutation(async ({ ctx, input }) => {
    const name = await ctx.apiKeys.revoke(ctx.reader.id, input.id);
    await note(ctx, 'key.revoked', { name });
  }),
});

/** In the log of every team that the key reads from: whoever answers for a team sees that somebody made one. */
async function note(
  ctx: Context & { reader: Reader },
  action: 'key.created' | 'key.revoked',
  details: { name: string; scopes?: string[] },
): Promise<void> {
  const about = { actor: ctx.reader, action, details, address: ctx.client.address };
  for (const { id } of ctx.reader.teams) await ctx.accounts.audit.note(ctx.deps.db, { ...about, teamId: id });
}
