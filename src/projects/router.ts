/** Calls about projects. */
import type { Reader } from '#src/accounts/contract.ts';
import { projectProcedure, router, signedInProcedure } from '#src/trpc/procedure.ts';
import { apiKeysRouter } from './api-keys/router.ts';
import type { ProjectSummary } from './contract.ts';
import { type Project, summaryOf } from './projects.ts';
import { settingsProcedures } from './settings-router.ts';

export const projectsRouter = router({
  /** All projects of all teams of the caller, the built-in one first. */
  list: signedInProcedure.query(async ({ ctx }): Promise<ProjectSummary[]> => {
    const projects = await ctx.projects.ofTeams(ctx.reader.teams.map(({ id }) => id));
    return projects.flatMap((project) => summaryFor(ctx.reader, project) ?? []);
  }),
  /** One project by number or token. */
  apiKeys: apiKeysRouter,
  get: projectProcedure.query(({ ctx }) => summaryFor(ctx.reader, ctx.project)),
  ...settingsProcedures,
});

function summaryFor({ teams }: Reader, project: Project): ProjectSummary | null {
  const team = teams.find(({ id }) => id === project.teamId);
  if (team === undefined) return null;
  return { ...summaryOf(project), team: { id: team.id, name: team.name }, role: team.role };
}
