/** SQL of scheduled changes. */
import type { ProjectId } from '#src/projects/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { FlagSchedule, ScheduledChange } from './contract.ts';

interface ScheduleRow extends Omit<FlagSchedule, 'by'> {
  userId: number | null;
  actor: string;
}

const columns = sql`id, at, change, user_id as "userId", actor, problem`;

/** Not made yet, the earliest first; those that could not be made stand first. */
export async function schedulesOf(on: Queryable, projectId: number, flag: number): Promise<FlagSchedule[]> {
  const rows = await query<ScheduleRow>(
    on,
    sql`select ${columns} from flag_schedules
         where project_id = ${projectId} and flag = ${flag} and (done_at is null or problem is not null)
         order by done_at nulls last, at, id`,
  );
  return rows.map(asSchedule);
}

/** Null when there are too many. */
export async function insertSchedule(
  on: Queryable,
  projectId: number,
  given: { flag: number; at: number; change: ScheduledChange; by: { id: number | null; name: string }; now: number },
  max: number,
): Promise<FlagSchedule | null> {
  const { flag, at, change, by, now } = given;
  const [row] = await query<ScheduleRow>(
    on,
    sql`insert into flag_schedules (project_id, flag, at, change, user_id, actor, created_at)
        select ${projectId}::int, ${flag}::int, ${sql.time(at)}, ${sql.json(change)}, ${by.id}::int, ${by.name}::text, ${sql.time(now)}
         where (select count(*) from flag_schedules
                 where project_id = ${projectId} and flag = ${flag} and (done_at is null or problem is not null)) < ${max}
        returning ${columns}`,
  );
  return row === undefined ? null : asSchedule(row);
}

/** Also one that could not be made. @returns whether it was there */
export async function deleteSchedule(on: Queryable, projectId: number, flag: number, id: number): Promise<boolean> {
  const rows = await query(
    on,
    sql`delete from flag_schedules
         where project_id = ${projectId} and flag = ${flag} and id = ${id} and (done_at is null or problem is not null)
        returning 1`,
  );
  return rows.length > 0;
}

export interface DueSchedule extends FlagSchedule {
  projectId: ProjectId;
  flag: number;
}

/** Of all projects, the earliest first. */
export async function dueSchedules(on: Queryable, now: number): Promise<DueSchedule[]> {
  const rows = await query<ScheduleRow & { projectId: ProjectId; flag: number }>(
    on,
    sql`select ${columns}, project_id as "projectId", flag from flag_schedules
         where done_at is null and at <= ${sql.time(now)} order by at, id limit 1000`,
  );
  return rows.map(({ projectId, flag, ...row }) => ({ ...asSchedule(row), projectId, flag }));
}

/** Marks it as made. @returns false when it was, or is gone */
export async function takeSchedule(on: Queryable, id: number, now: number): Promise<boolean> {
  const rows = await query(
    on,
    sql`update flag_schedules set done_at = ${sql.time(now)} where id = ${id} and done_at is null returning 1`,
  );
  return rows.length > 0;
}

export async function noteProblem(on: Queryable, id: number, problem: string, now: number): Promise<void> {
  await query(
    on,
    sql`update flag_schedules set done_at = ${sql.time(now)}, problem = ${problem} where id = ${id} and done_at is null`,
  );
}

function asSchedule({ userId, actor, ...row }: ScheduleRow): FlagSchedule {
  return { ...row, by: { id: userId, name: actor } };
}
