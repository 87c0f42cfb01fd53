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
    await note(ctx, input.projects, 'key.created', { name: input.name, scopes: input.scopes });
    return made;
  }),
  revoke: signedInProcedure.input(apiKeyRef).mutation(async ({ ctx, input }) => {
    const { name, projects } = await ctx.apiKeys.revoke(ctx.reader.id, input.id);
    await note(ctx, projects, 'key.revoked', { name });
  }),
});

/** In the log of every team that the key reads from, and of no other: anyone who answers for a team sees that someone made one. */
async function note(
  ctx: Context & { reader: Reader },
  projects: readonly number[] | null,
  action: 'key.created' | 'key.revoked',
  details: { name: string; scopes?: string[] },
): Promise<void> {
  const own = ctx.reader.teams.map(({ id }) => id);
  const reached = projects === null ? null : await ctx.projects.ofTeams(own);
  const isRead = (team: number) => reached?.some(({ id, teamId }) => teamId === team && projects?.includes(id)) ?? true;
  const about = { actor: ctx.reader, action, details, address: ctx.client.address };
  for (const teamId of own.filter(isRead)) await ctx.accounts.audit.note(ctx.deps.db, { ...about, teamId });
}
