/** Calls about teams: who is in them, invitations, the log, and their end. */
import { AppError } from '#src/kit/errors.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Context } from '#src/trpc/context.ts';
import {
  projectProcedure,
  publicProcedure,
  requireRecentProof,
  router,
  signedInProcedure,
  teamProcedure,
} from '#src/trpc/procedure.ts';
import type { Reader, TeamId } from '../contract.ts';
import {
  auditInput,
  deletionInput,
  invitationRef,
  invitationToken,
  inviteInput,
  memberRef,
  renewal,
  roleChange,
  teamName,
} from './contract.ts';
import type { Acting } from './teams.ts';

export const teamsRouter = router({
  create: signedInProcedure.input(teamName).mutation(async ({ ctx, input }) => ({
    id: await ctx.accounts.teams.create(ctx.reader, input.name, ctx.client.address),
  })),
  /** Its members and what waits. */
  view: teamProcedure.query(({ ctx }) => ctx.accounts.teams.view(actingOf(ctx))),
  rename: teamProcedure
    .input(teamName)
    .mutation(({ ctx, input }) => ctx.accounts.teams.rename(actingOf(ctx), input.name)),
  changeRole: teamProcedure.input(roleChange).mutation(({ ctx, input }) => {
    if (input.role === 'owner') requireRecentProof(ctx);
    return ctx.accounts.teams.changeRole(actingOf(ctx), input.user, input.role);
  }),
  remove: teamProcedure
    .input(memberRef)
    .mutation(({ ctx, input }) => ctx.accounts.teams.remove(actingOf(ctx), input.user)),
  leave: teamProcedure.mutation(({ ctx }) => ctx.accounts.teams.leave(actingOf(ctx))),
  transfer: teamProcedure.input(memberRef).mutation(({ ctx, input }) => {
    requireRecentProof(ctx);
    return ctx.accounts.teams.transfer(actingOf(ctx), input.user);
  }),
  invite: teamProcedure.input(inviteInput).mutation(async ({ ctx, input: { team: _, ...invited } }) => {
    if (invited.by === 'mail') await countMail(ctx, invited.email);
    return ctx.accounts.invitations.invite(actingOf(ctx), invited);
  }),
  /** A new link for an invitation that waits. */
  renewInvitation: teamProcedure.input(renewal).mutation(async ({ ctx, input }) => {
    if (input.by === 'mail') await countMail(ctx, `invitation ${input.invitation}`);
    return ctx.accounts.invitations.renew(actingOf(ctx), input.invitation, input.by);
  }),
  revokeInvitation: teamProcedure
    .input(invitationRef)
    .mutation(({ ctx, input }) => ctx.accounts.invitations.revoke(actingOf(ctx), input.invitation)),
  /** The invitation of a link. */
  invitation: publicProcedure
    .input(invitationToken)
    .query(({ ctx, input }) => ctx.accounts.invitations.look(input.token, ctx.reader)),
  join: signedInProcedure.input(invitationToken).mutation(async ({ ctx, input }) => ({
    team: await ctx.accounts.invitations.accept(input.token, ctx.reader, ctx.client.address),
  })),
  activity: teamProcedure.input(auditInput).query(({ ctx, input }) => ctx.accounts.audit.list(ctx.team, input)),
  /** Lets the team wait for its end. */
  askDeletion: teamProcedure.input(deletionInput).mutation(async ({ ctx, input }) => {
    requireRecentProof(ctx);
    return { deletesAt: await ctx.accounts.deletion.askTeam(actingOf(ctx), input.name) };
  }),
  undoDeletion: teamProcedure.mutation(({ ctx }) => ctx.accounts.deletion.undoTeam(actingOf(ctx))),
  askProjectDeletion: projectProcedure.input(deletionInput).mutation(async ({ ctx, input }) => {
    requireRecentProof(ctx);
    const by = actingOf({ ...ctx, team: ctx.project.teamId as TeamId });
    return { deletesAt: await ctx.accounts.deletion.askProject(by, ctx.project, input.name) };
  }),
  undoProjectDeletion: projectProcedure.mutation(({ ctx }) => {
    const by = actingOf({ ...ctx, team: ctx.project.teamId as TeamId });
    return ctx.accounts.deletion.undoProject(by, ctx.project);
  }),
});

function actingOf(ctx: { reader: Reader; team: TeamId; role: Role; client: Context['client'] }): Acting {
  return { reader: ctx.reader, team: ctx.team, role: ctx.role, address: ctx.client.address };
}

/** The inviting member sees this limit: they do not ask for themselves. @throws AppError `rate_limited` */
async function countMail({ limits, client }: Pick<Context, 'limits' | 'client'>, to: string): Promise<void> {
  if (await limits.mail(to, client.address)) return;
  throw new AppError('rate_limited', 'Too many invitation emails. Create a link instead or try again in an hour.', {
    retryAfterSec: 3_600,
  });
}
