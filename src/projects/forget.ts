/**
 * The end of a project: waiting, closing (nothing is collected for it any more) and going. Everything else that a project has is deleted
 * by the rooms that own it, before the row of the project itself.
 */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { ProjectId } from './contract.ts';

/** Deletes a room's rows of a project. Can be interrupted and repeated. @throws the reason of `signal` */
export type Forget = (on: Queryable, projectId: ProjectId, signal: AbortSignal) => Promise<void>;

/** Lets it wait; one that waits already keeps its time. The built-in project never does. */
export async function requestDeletion(on: Queryable, id: ProjectId, deletesAt: number): Promise<boolean> {
  const rows = await query(
    on,
    sql`update projects
           set deletes_at = ${new Date(deletesAt)}
         where id = ${id} and deletes_at is null and not built_in
        returning id`,
  );
  return rows.length > 0;
}

/** False when no deletion is pending. */
export async function undoDeletion(on: Queryable, id: ProjectId, now: number): Promise<boolean> {
  const rows = await query(
    on,
    sql`update projects set deletes_at = null where id = ${id} and deletes_at > ${new Date(now)} returning id`,
  );
  return rows.length > 0;
}

/** The end of a team is the end of its projects. */
export async function endProjectsOf(on: Queryable, teamId: number, at: number): Promise<void> {
  await query(
    on,
    sql`update projects
           set deletes_at = least(coalesce(deletes_at, ${new Date(at)}), ${new Date(at)})
         where team_id = ${teamId} and not built_in`,
  );
}

/** Projects with a due deletion. */
export function dueProjects(
  on: Queryable,
  now: number,
): Promise<{ id: ProjectId; team_id: number | null; name: string }[]> {
  return query(
    on,
    sql`select id, team_id, name
          from projects
         where deletes_at <= ${new Date(now)} and not built_in
           and exists (select from project_tokens where project_tokens.project_id = projects.id)
         order by id`,
  );
}

/** Hides the project and stops ingestion for it. Every process follows within half a minute. */
export async function closeProject(on: Queryable, id: ProjectId): Promise<void> {
  await query(on, sql`delete from project_tokens where project_id = ${id}`);
  await query(on, sql`update projects set team_id = null where id = ${id}`);
}

/** The last step. */
export const forgetProject: Forget = async (on, projectId) => {
  await query(on, sql`delete from projects where id = ${projectId} and not built_in`);
};
