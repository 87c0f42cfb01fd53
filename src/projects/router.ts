/** Calls about projects. */
import type { Reader } from '#src/accounts/contract.ts';
import { projectProcedure, router, signedInProcedure } from '#src/trpc/procedure.ts';
import { apiKeysRouter } from './api-keys/router.ts';
import type { GroupTypeName, ProjectSummary } from './contract.ts';
import { type Project, summaryOf } from './projects.ts';
import { groupTypesOf } from './queries.ts';
import { settingsProcedures } from './settings-router.ts';

export const projectsRouter = router({
  /** All projects of all teams of the caller, the built-in one first. */
  list: signedInProcedure.query(async ({ ctx }): Promise<ProjectSummary[]> => {
    const projects = await ctx.projects.ofTeams(ctx.reader.teams.map(({ id }) => id));
    const types = await groupTypesOf(
      ctx.deps.db,
      projects.map(({ id }) => id),
    );
    return projects.flatMap((project) => summaryFor(ctx.reader, project, types.get(project.id)) ?? []);
  }),
  /** One project by number or token. */
  apiKeys: apiKeysRouter,
  get: projectProcedure.query(async ({ ctx }) => {
    const types = await groupTypesOf(ctx.deps.db, [ctx.project.id]);
    return summaryFor(ctx.reader, ctx.project, types.get(ctx.project.id));
  }),
  ...settingsProcedures,
});

function summaryFor({ teams }: Reader, project: Project, groupTypes: GroupTypeName[] = []): ProjectSummary | null {
  const team = teams.find(({ id }) => id === project.teamId);
  if (team === undefined) return null;
  return { ...summaryOf(project), team: { id: team.id, name: team.name }, role: team.role, groupTypes };
}
