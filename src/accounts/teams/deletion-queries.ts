/** SQL of teams that wait to be deleted, and of projects that are gone. */
import type { ProjectId } from '#src/projects/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { TeamId } from '../contract.ts';

export async function setDeletion(on: Queryable, teamId: TeamId, at: number | null): Promise<void> {
  await query(on, sql`update teams set deletes_at = ${at === null ? null : new Date(at)} where id = ${teamId}`);
}

export function dueTeams(on: Queryable, now: number): Promise<{ id: TeamId; name: string }[]> {
  return query(on, sql`select id, name from teams where deletes_at <= ${new Date(now)} order by id`);
}

/** Members, invitations, the log and mails go with it. */
export async function deleteTeam(on: Queryable, teamId: TeamId, now: number): Promise<void> {
  await query(
    on,
    sql`delete from teams
         where id = ${teamId} and deletes_at <= ${new Date(now)}
           and not exists (select from projects where projects.team_id = teams.id)`,
  );
}

export async function noteClosed(on: Queryable, id: ProjectId, now: number): Promise<void> {
  await query(
    on,
    sql`insert into gone_projects (id, closed_at) values (${id}, ${new Date(now)}) on conflict (id) do nothing`,
  );
}

/** Closed before `closedBefore` and not erased yet; or erased, with the last look for late arrivals before `sweptBefore`. */
export function toErase(
  on: Queryable,
  { closedBefore, sweptBefore }: { closedBefore: number; sweptBefore: number },
): Promise<{ id: ProjectId; erased_at: number | null }[]> {
  return query(
    on,
    sql`select id, erased_at
          from gone_projects
         where (erased_at is null and closed_at <= ${new Date(closedBefore)})
            or coalesce(swept_at, erased_at) <= ${new Date(sweptBefore)}
         order by erased_at is not null, id`,
  );
}

export async function noteErased(on: Queryable, id: ProjectId, now: number): Promise<void> {
  const at = new Date(now);
  await query(
    on,
    sql`update gone_projects set erased_at = coalesce(erased_at, ${at}), swept_at = ${at} where id = ${id}`,
  );
}

export async function forgetGone(on: Queryable, erasedBefore: number): Promise<void> {
  await query(on, sql`delete from gone_projects where erased_at <= ${new Date(erasedBefore)}`);
}

/** Entries stay in the team's log, without the project's id. */
export async function unlinkAudit(on: Queryable, id: ProjectId): Promise<void> {
  await query(on, sql`update audit set project_id = null where project_id = ${id}`);
}
