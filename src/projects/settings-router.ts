/** Calls about the settings of a project, and the making of one. Each change stands in the team's log. */
import type { Reader } from '#src/accounts/contract.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Context } from '#src/trpc/context.ts';
import { projectProcedure, requireRecentProof, teamProcedure } from '#src/trpc/procedure.ts';
import {
  newProjectInput,
  type ProjectConfiguration,
  type ProjectToken,
  projectChange,
  rotateInput,
  secretRef,
  tokenInput,
} from './contract.ts';
import { requestDeletion } from './forget.ts';
import type { Project } from './projects.ts';

export const settingsProcedures = {
  create: teamProcedure.input(newProjectInput).mutation(async ({ ctx, input }) => {
    const { name, timeZone, weekStart, decimalSeparator } = input;
    const settings = decimalSeparator && { decimalSeparator };
    const project = await ctx.projects.create({
      name,
      timeZone,
      weekStart,
      teamId: ctx.team,
      ...(settings && { settings }),
    });
    await note({ ...ctx, project }, 'project.created', { name });
    return { id: project.id as number };
  }),
  settings: projectProcedure.query(({ ctx }) => configurationOf(ctx.project, ctx.projects)),
  update: projectProcedure.input(projectChange).mutation(async ({ ctx, input: { project: _, ...change } }) => {
    const changed = await ctx.projects.update(ctx.project.id, change);
    if (changed.length > 0) await note(ctx, 'project.changed', { name: ctx.project.name, changed });
    return { changed };
  }),
  /** Deletes the project of `--demo` with the next run of the deletions job, without the grace period of a week. */
  removeDemo: projectProcedure.mutation(async ({ ctx }) => {
    const { id, name, settings } = ctx.project;
    if (!settings.demo) throw new AppError('conflict', 'Only the sample project can be removed this way.');
    await requestDeletion(ctx.deps.db, id, ctx.deps.clock.now());
    await note(ctx, 'project.deletionAsked', { name });
  }),
  rotateToken: projectProcedure.input(rotateInput).mutation(async ({ ctx, input }): Promise<ProjectToken[]> => {
    const tokens = await ctx.projects.rotateToken(ctx.project.id, input.graceHours);
    await note(ctx, 'project.tokenRotated', { name: ctx.project.name, graceHours: input.graceHours });
    return tokens;
  }),
  addToken: projectProcedure.input(tokenInput).mutation(async ({ ctx, input }): Promise<ProjectToken[]> => {
    const tokens = await ctx.projects.addToken(ctx.project.id, input.token);
    await note(ctx, 'project.changed', { name: ctx.project.name, changed: ['tokens'] });
    return tokens;
  }),
  removeToken: projectProcedure.input(tokenInput).mutation(async ({ ctx, input }): Promise<ProjectToken[]> => {
    const tokens = await ctx.projects.removeToken(ctx.project.id, input.token);
    await note(ctx, 'project.changed', { name: ctx.project.name, changed: ['tokens'] });
    return tokens;
  }),
  /** The key itself is in this answer and nowhere else. */
  rotateSecret: projectProcedure.input(rotateInput).mutation(async ({ ctx, input }) => {
    requireRecentProof(ctx);
    const { key, hint } = await ctx.projects.secrets.rotate(ctx.project.id, input.graceHours);
    await note(ctx, 'project.secretRotated', { name: ctx.project.name, hint, graceHours: input.graceHours });
    return { key };
  }),
  revokeSecret: projectProcedure.input(secretRef).mutation(async ({ ctx, input }) => {
    const { hint } = await ctx.projects.secrets.revoke(ctx.project.id, input.secret);
    await note(ctx, 'project.secretRevoked', { name: ctx.project.name, hint });
  }),
};

async function configurationOf(project: Project, projects: Context['projects']): Promise<ProjectConfiguration> {
  // The project at hand may be remembered from half a minute ago; a form must show what is stored.
  const { id, name, timeZone, weekStart, builtIn, deletesAt, settings } = (await projects.get(project.id)) ?? project;
  const [tokens, secretKeys] = await Promise.all([projects.tokens(id), projects.secrets.list(id)]);
  return { id, name, timeZone, weekStart, builtIn, deletesAt, settings, tokens, secretKeys };
}

function note(
  { deps, accounts, reader, client, project }: Context & { reader: Reader; project: Project },
  action:
    | 'project.created'
    | 'project.changed'
    | 'project.tokenRotated'
    | 'project.secretRotated'
    | 'project.secretRevoked'
    | 'project.deletionAsked',
  details: { name: string; changed?: string[]; graceHours?: number; hint?: string },
): Promise<void> {
  const about = { teamId: project.teamId, projectId: project.id, actor: reader, address: client.address };
  return accounts.audit.note(deps.db, { ...about, action, details });
}
