/** Procedures of feature flags. The whole team sees them; members change them. */

import { type Caller, noting } from '#src/accounts/note-change.ts';
import type { AuditAction } from '#src/accounts/teams/values.ts';
import { notFound } from '#src/kit/errors.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Context } from '#src/trpc/context.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import {
  earlyAccessInput,
  flagChange,
  flagCopyInput,
  flagCopyRef,
  flagDraft,
  flagInput,
  flagRef,
  flagRevert,
  flagScheduleInput,
  flagScheduleRef,
  flagSwitch,
  flagTrial,
} from './contract.ts';
import type { Author } from './flags.ts';

export const flagsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.flags.list(ctx.project.id)),
  get: projectProcedure.input(flagRef).query(({ ctx, input }) => ctx.flags.get(ctx.project.id, input.flag)),
  history: projectProcedure.input(flagRef).query(({ ctx, input }) => ctx.flags.history(ctx.project.id, input.flag)),
  groupTypes: projectProcedure.query(({ ctx }) => ctx.flags.groupTypes(ctx.project.id)),
  preview: projectProcedure
    .input(flagDraft)
    .query(({ ctx, input: { key, definition } }) => ctx.flags.preview(ctx.project.id, { key, definition })),
  tryFor: projectProcedure
    .input(flagTrial)
    .query(({ ctx, input: { key, definition, distinctId } }) =>
      ctx.flags.tryFor(ctx.project.id, { key, definition, distinctId }),
    ),
  create: projectProcedure
    .input(flagInput)
    .mutation(({ ctx, input: { key, description, definition } }) =>
      ctx.flags.create(ctx.project.id, { key, description, definition }, authorOf(ctx, 'flag.created')),
    ),
  change: projectProcedure
    .input(flagChange)
    .mutation(({ ctx, input: { flag, version, description, definition, note } }) =>
      ctx.flags.change(ctx.project.id, flag, { version, description, definition, note }, authorOf(ctx, 'flag.changed')),
    ),
  setActive: projectProcedure
    .input(flagSwitch)
    .mutation(({ ctx, input: { flag, active } }) =>
      ctx.flags.setActive(ctx.project.id, flag, active, authorOf(ctx, active ? 'flag.turnedOn' : 'flag.turnedOff')),
    ),
  revert: projectProcedure
    .input(flagRevert)
    .mutation(({ ctx, input: { flag, version } }) =>
      ctx.flags.revert(ctx.project.id, flag, version, authorOf(ctx, 'flag.reverted')),
    ),
  planCopy: projectProcedure
    .input(flagCopyRef)
    .query(async ({ ctx, input: { flag, target } }) =>
      ctx.flags.copies.plan(ctx.project.id, flag, (await projectBeside(ctx, target)).id),
    ),
  copy: projectProcedure.input(flagCopyInput).mutation(async ({ ctx, input: { flag, target, replaces } }) => {
    const to = await projectBeside(ctx, target);
    const { id } = await ctx.flags.copies.copy(
      ctx.project.id,
      flag,
      to.id,
      replaces,
      authorOf({ ...ctx, project: to }, 'flag.copied'),
    );
    return { id };
  }),
  schedules: projectProcedure
    .input(flagRef)
    .query(({ ctx, input }) => ctx.flags.schedules.list(ctx.project.id, input.flag)),
  schedule: projectProcedure
    .input(flagScheduleInput)
    .mutation(({ ctx, input: { flag, at, change } }) =>
      ctx.flags.schedules.add(ctx.project.id, { flag, at, change }, authorOf(ctx, 'flag.scheduled')),
    ),
  cancelSchedule: projectProcedure
    .input(flagScheduleRef)
    .mutation(({ ctx, input: { flag, schedule } }) =>
      ctx.flags.schedules.cancel(ctx.project.id, flag, schedule, authorOf(ctx, 'flag.unscheduled')),
    ),
  earlyAccess: projectProcedure.query(({ ctx }) => ctx.flags.earlyAccess.list(ctx.project.id)),
  saveEarlyAccess: projectProcedure
    .input(earlyAccessInput)
    .mutation(({ ctx, input: { project: _, ...input } }) =>
      ctx.flags.earlyAccess.save(ctx.project.id, input, authorOf(ctx, 'flag.offered')),
    ),
  removeEarlyAccess: projectProcedure
    .input(flagRef)
    .mutation(({ ctx, input }) =>
      ctx.flags.earlyAccess.remove(ctx.project.id, input.flag, authorOf(ctx, 'flag.withdrawn')),
    ),
  remove: projectProcedure
    .input(flagRef)
    .mutation(({ ctx, input }) => ctx.flags.remove(ctx.project.id, input.flag, authorOf(ctx, 'flag.deleted'))),
});

/** Another project of the same team, where the caller has the same role. @throws AppError `not_found` */
async function projectBeside(ctx: Context & { project: Project }, id: number): Promise<Project> {
  const found = await ctx.projects.get(id);
  if (found === null || found.id === ctx.project.id || found.teamId !== ctx.project.teamId) {
    throw notFound('target project');
  }
  return found;
}

/** The author of a flag change, with the audit entry. */
function authorOf(caller: Caller, action: AuditAction): Author {
  return { id: caller.reader.id, name: caller.reader.name, note: noting(caller, action) };
}
