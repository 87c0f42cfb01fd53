/** Procedures of watching recordings. Members always may; viewers where the project lets them. */

import { within } from '#src/insights/segments/within.ts';
import { forbidden, notFound } from '#src/kit/errors.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Context } from '#src/trpc/context.ts';
import { projectProcedure, requireRecentProof, type ScopedProject } from '#src/trpc/procedure.ts';
import { canWatchReplays } from '../values.ts';
import {
  recordedInput,
  recordedPeopleInput,
  replayCommentInput,
  replayCommentRef,
  replayListInput,
  replayRef,
} from './contract.ts';

interface Asking extends Pick<Context, 'accounts'> {
  client: { address: string | null };
  project: ScopedProject;
  role: Role;
  reader: NonNullable<Context['reader']>;
}

/** @throws AppError `forbidden` for viewers, unless the project lets them watch */
export function requireWatching({ accounts, client, project, role, reader }: Asking, what: string): void {
  if (canWatchReplays(role, project.settings.replay)) return;
  const about = { teamId: project.teamId, projectId: project.id, actor: reader, address: client.address };
  accounts.audit.refused(about, what);
  throw forbidden('You can’t watch recordings in this project. Ask an admin for access.');
}

export const watchProcedure = projectProcedure.use(({ ctx, path, next }) => {
  requireWatching(ctx, path);
  return next();
});

export const watchingProcedures = {
  list: watchProcedure.input(replayListInput).query(async ({ ctx, input: { project: _, ...input } }) => {
    const { range, event, search, person, minSeconds, maxSeconds, show, sort, page } = input;
    const which = await within(ctx, { filters: input.filters, people: input.people, segment: input.segment });
    if (person !== undefined && !ctx.project.seesPersons) throw notFound('person');
    const asked = { range, event, search, person, minSeconds, maxSeconds, show, sort, page, ...which };
    return ctx.replays.list(ctx.project, asked, ctx.reader.id);
  }),
  get: watchProcedure
    .input(replayRef)
    .query(({ ctx, input }) => ctx.replays.get(ctx.project, input.session, ctx.reader.id)),
  events: watchProcedure.input(replayRef).query(({ ctx, input }) => ctx.replays.events(ctx.project, input.session)),
  recorded: watchProcedure
    .input(recordedInput)
    .query(({ ctx, input }) => ctx.replays.recorded(ctx.project.id, input.sessions)),
  recordedPeople: watchProcedure
    .input(recordedPeopleInput)
    .query(({ ctx, input }) =>
      ctx.project.seesPersons ? ctx.replays.recordedPeople(ctx.project.id, input.persons) : [],
    ),
  view: watchProcedure.input(replayRef).mutation(async ({ ctx, input: { session } }) => {
    const { accounts, deps, project, reader, client, replays } = ctx;
    if (!(await replays.view(project.id, session, reader.id))) return;
    await accounts.audit.note(deps.db, {
      actor: reader,
      action: 'replay.viewed',
      details: { session },
      address: client.address,
      teamId: project.teamId,
      projectId: project.id,
    });
  }),
  comments: watchProcedure
    .input(replayRef)
    .query(({ ctx, input }) => ctx.replays.comments(ctx.project.id, input.session, ctx.reader.id)),
  comment: watchProcedure
    .input(replayCommentInput)
    .mutation(({ ctx, input: { session, at, text } }) =>
      ctx.replays.comment(ctx.project.id, { session, at, text }, ctx.reader.id),
    ),
  removeComment: watchProcedure
    .input(replayCommentRef)
    .mutation(({ ctx, input: { session, comment } }) =>
      ctx.replays.removeComment(ctx.project.id, { session, comment }, { id: ctx.reader.id, role: ctx.role }),
    ),
  remove: watchProcedure.input(replayRef).mutation(async ({ ctx, input: { session } }) => {
    requireRecentProof(ctx);
    const { accounts, deps, project, reader, client, replays } = ctx;
    if (!(await replays.removeSession(project.id, session))) throw notFound('recording');
    await accounts.audit.note(deps.db, {
      actor: reader,
      action: 'replay.deleted',
      details: { session },
      address: client.address,
      teamId: project.teamId,
      projectId: project.id,
    });
  }),
};
