/** SQL of what goes with people, retention, projects and accounts. */
import { type Queryable, query, sql } from '#src/store/sql.ts';

/** Occurrences of ids that are deleted. @returns how many rows went */
export async function deleteOfMissingIds(on: Queryable, projectId: number): Promise<number> {
  const rows = await query(
    on,
    sql`delete from issue_hours as hours
         where hours.project_id = ${projectId}
           and not exists (select from distinct_ids as ids
                            where ids.project_id = hours.project_id and ids.number = hours.distinct_id)
        returning 1`,
  );
  return rows.length;
}

/** Messages of issues that came from ids that are deleted. */
export function messagesOfMissingIds(on: Queryable, projectId: number): Promise<{ id: number; message: string }[]> {
  return query(
    on,
    sql`select id, message from issues
         where project_id = ${projectId} and message_from is not null
           and not exists (select from distinct_ids as ids
                            where ids.project_id = ${projectId} and ids.number = issues.message_from)`,
  );
}

export async function replaceMessage(on: Queryable, projectId: number, id: number, message: string): Promise<void> {
  await query(
    on,
    sql`update issues set message = ${message}, message_from = null where project_id = ${projectId} and id = ${id}`,
  );
}

/** Up to `limit` rows of hours before a time. @returns how many went */
export async function deleteHoursBefore(
  on: Queryable,
  projectId: number,
  before: number,
  limit: number,
): Promise<number> {
  const rows = await query(
    on,
    sql`delete from issue_hours
         where ctid = any(array(select ctid from issue_hours
                                 where project_id = ${projectId} and hour < ${sql.time(before)} limit ${limit}))
        returning 1`,
  );
  return rows.length;
}

/** Issues without any occurrence left, with all that belongs to them; those that were merged go with the one that has theirs. @returns how many went */
export async function deleteEmptyIssues(on: Queryable, projectId: number): Promise<number> {
  const rows = await query(
    on,
    sql`with recursive kept as (
          select id from issues
           where project_id = ${projectId}
             and exists (select from issue_hours where issue_hours.project_id = ${projectId} and issue_hours.issue = issues.id)
          union
          select merged.id from kept join issues as merged on merged.project_id = ${projectId} and merged.merged_into = kept.id),
        gone as (
          delete from issues where project_id = ${projectId} and id not in (select id from kept) returning id),
        moves as (
          delete from issue_moves
           where project_id = ${projectId} and (source in (select id from gone) or target in (select id from gone))),
        fingerprints as (
          delete from issue_fingerprints where project_id = ${projectId} and issue in (select id from gone)),
        notes as (
          delete from issue_notes where project_id = ${projectId} and issue in (select id from gone)),
        signals as (
          delete from issue_signals where project_id = ${projectId} and issue in (select id from gone))
        select id from gone`,
  );
  return rows.length;
}

/** Issues of an account that leaves are of nobody. */
export async function unassign(on: Queryable, projects: readonly number[], account: number): Promise<void> {
  await query(
    on,
    sql`update issues set assignee = null where project_id = any(${[...projects]}::int[]) and assignee = ${account}`,
  );
}
