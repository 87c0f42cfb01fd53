/** Calls about mails. */
import type { TeamId } from '#src/accounts/contract.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Context } from '#src/trpc/context.ts';
import { router, signedInProcedure, teamProcedure } from '#src/trpc/procedure.ts';
import { mailRef, outboxInput } from './contract.ts';
import type { Reader } from './mail.ts';

export const mailRouter = router({
  /** Whether mails leave, and as whom. */
  status: signedInProcedure.query(({ ctx }) => ctx.mail.status()),
  /** What was written for the team, newest first; for whoever runs the installation all of it. */
  outbox: teamProcedure
    .input(outboxInput)
    .query(({ ctx, input }) => ctx.mail.outbox(readerOf(ctx), input.before ?? null)),
  /** The link of a mail that was not sent, to be passed on by hand. A mutation: what it answers is kept nowhere. */
  link: teamProcedure.input(mailRef).mutation(({ ctx, input }) => ctx.mail.link(readerOf(ctx), input.id)),
  resend: teamProcedure.input(mailRef).mutation(({ ctx, input }) => ctx.mail.resend(readerOf(ctx), input.id)),
  /** Writes to whoever asks, and to nobody else. */
  sendTest: teamProcedure.mutation(({ ctx }) =>
    ctx.mail.test({ address: ctx.reader.email, name: ctx.reader.name, language: ctx.language, teamId: ctx.team }),
  ),
});

interface Asking extends Pick<Context, 'deps'> {
  team: TeamId;
  role: Role;
  reader: { operator: boolean };
}

/** Whoever runs the installation could look into the database as well; so may an owner on a developer's machine. */
function readerOf({ deps, team, role, reader }: Asking): Reader {
  const isDevelopment = deps.config.NODE_ENV === 'development' && role === 'owner';
  return { team, role, all: reader.operator || isDevelopment };
}
