/** Calls about what people may ask about themselves. */
import type { Reader } from '#src/accounts/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Context } from '#src/trpc/context.ts';
import { projectProcedure, requireRecentProof, router } from '#src/trpc/procedure.ts';
import { findInput, personInput } from './contract.ts';
import { explainPrivacy } from './explain.ts';

export const privacyRouter = router({
  overview: projectProcedure.query(({ ctx }) => ctx.privacy.overview(ctx.project)),
  /** How its numbers are counted. */
  explain: projectProcedure.query(({ ctx }) => explainPrivacy(ctx.project.id, ctx.deps.clock.now())),
  /** A mutation, though it changes nothing: an address or id of a person is kept out of logs and caches. */
  find: projectProcedure.input(findInput).mutation(({ ctx, input }) => ctx.privacy.find(ctx.project.id, input.search)),
  /** Gives the number of the receipt, under which the file can be fetched for a day from `/api/exports/`. */
  export: projectProcedure.input(personInput).mutation(async ({ ctx, input }) => {
    const id = await ctx.privacy.export(ctx.project.id, input.person, ctx.reader);
    await note('data.exported', ctx, id);
    return { id };
  }),
  erase: projectProcedure.input(personInput).mutation(async ({ ctx, input }) => {
    requireRecentProof(ctx);
    const id = await ctx.privacy.erase(ctx.project.id, input.person, ctx.reader);
    await note('data.erased', ctx, id);
    await ctx.jobs.soon('privacy-requests').catch(() => undefined); // else within the minute
    return { id };
  }),
});

/** The log never has the person's identity; the receipt has a keyed hash. */
function note(
  action: 'data.exported' | 'data.erased',
  { accounts, deps, project, reader, client }: Context & { project: Project; reader: Reader },
  receipt: number,
): Promise<void> {
  const about = { actor: reader, action, details: { receipt }, address: client.address };
  return accounts.audit.note(deps.db, { ...about, teamId: project.teamId, projectId: project.id });
}
