/** Calls about mails. */
import type { Reader as Person, TeamId } from '#src/accounts/contract.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Context } from '#src/trpc/context.ts';
import { router, signedInProcedure, teamProcedure } from '#src/trpc/procedure.ts';
import { mailRef, outboxInput } from './contract.ts';
import type { MailAbout, Reader } from './mail.ts';

export const mailRouter = router({
  /** Whether mails are sent, and the sender. */
  status: signedInProcedure.query(({ ctx }) => ctx.mail.status()),
  /** The team's mails, newest first; all mails for the server's administrator. */
  outbox: teamProcedure
    .input(outboxInput)
    .query(({ ctx, input }) => ctx.mail.outbox(readerOf(ctx), input.before ?? null)),
  /** The link of a mail that was not sent, to be passed on by hand. A mutation: what it answers is kept nowhere. */
  link: teamProcedure.input(mailRef).mutation(async ({ ctx, input }) => {
    const link = await ctx.mail.link(readerOf(ctx), input.id);
    await note(ctx, 'mail.linkShown', await ctx.mail.about(readerOf(ctx), input.id));
    return link;
  }),
  resend: teamProcedure.input(mailRef).mutation(async ({ ctx, input }) => {
    await note(ctx, 'mail.resent', await ctx.mail.resend(readerOf(ctx), input.id));
  }),
  /** Sends only to the caller. */
  sendTest: teamProcedure.mutation(({ ctx }) =>
    ctx.mail.test({ address: ctx.reader.email, name: ctx.reader.name, language: ctx.language, teamId: ctx.team }),
  ),
});

type Noting = Pick<Context, 'deps' | 'accounts' | 'client'> & { team: TeamId; reader: Person };

/** In the log of the team that the mail belongs to; what belongs to none, in the log of the one that it was looked at from. */
async function note(ctx: Noting, action: 'mail.linkShown' | 'mail.resent', about: MailAbout): Promise<void> {
  const { kind, to, teamId } = about;
  const { address } = ctx.client;
  const entry = { teamId: teamId ?? ctx.team, actor: ctx.reader, action, details: { kind, to }, address };
  await ctx.accounts.audit.note(ctx.deps.db, entry);
}

interface Asking {
  team: TeamId;
  role: Role;
  reader: { operator: boolean };
}

/** Operators have the database anyway. Owners do not get `all`, because anyone can create a team. */
function readerOf({ team, role, reader }: Asking): Reader {
  return { team, role, all: reader.operator };
}
