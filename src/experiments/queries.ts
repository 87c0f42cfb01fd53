/** SQL of experiments. */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { ExperimentDefinition } from './contract.ts';

export interface ExperimentRow {
  id: number;
  flagId: number;
  /** Null: it was deleted. */
  flagKey: string | null;
  name: string;
  hypothesis: string;
  definition: unknown;
  startedAt: number;
  endedAt: number | null;
  shipped: string | null;
  decision: string;
  createdBy: string | null;
}

const columns = sql`
  id, flag as "flagId", (select f.key from flags f where f.project_id = e.project_id and f.id = e.flag) as "flagKey",
  name, hypothesis, definition, started_at as "startedAt", ended_at as "endedAt", shipped, decision,
  (select u.name from users u where u.id = e.created_by) as "createdBy"`;

/** Running ones first, then the last started. */
export function experimentsOf(on: Queryable, projectId: number): Promise<ExperimentRow[]> {
  return query(
    on,
    sql`select ${columns} from experiments e where project_id = ${projectId}
         order by ended_at is not null, started_at desc, id desc`,
  );
}

export async function experimentOf(on: Queryable, projectId: number, id: number): Promise<ExperimentRow | null> {
  const [row] = await query<ExperimentRow>(
    on,
    sql`select ${columns} from experiments e where project_id = ${projectId} and id = ${id}`,
  );
  return row ?? null;
}

export interface NewExperiment {
  flag: number;
  name: string;
  hypothesis: string;
  definition: ExperimentDefinition;
  createdBy: number;
  startedAt: number;
  now: number;
}

/** Null when there are too many. @throws a violation of a unique index when the flag has a running one */
export async function insertExperiment(
  on: Queryable,
  projectId: number,
  { flag, name, hypothesis, definition, createdBy, startedAt, now }: NewExperiment,
  max: number,
): Promise<number | null> {
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into experiments (project_id, flag, name, hypothesis, definition, started_at, created_by, changed_at)
        select ${projectId}::int, ${flag}::int, ${name}::text, ${hypothesis}::text, ${sql.json(definition)},
               ${sql.time(startedAt)}, ${createdBy}::int, ${sql.time(now)}
         where (select count(*) from experiments where project_id = ${projectId}) < ${max}
        returning id`,
  );
  return row?.id ?? null;
}

export async function changeExperiment(
  on: Queryable,
  projectId: number,
  id: number,
  { name, hypothesis, definition, now }: Pick<NewExperiment, 'name' | 'hypothesis' | 'definition' | 'now'>,
): Promise<void> {
  await query(
    on,
    sql`update experiments
           set name = ${name}, hypothesis = ${hypothesis}, definition = ${sql.json(definition)}, changed_at = ${sql.time(now)}
         where project_id = ${projectId} and id = ${id}`,
  );
}

/** @returns false when it had ended */
export async function endExperiment(
  on: Queryable,
  projectId: number,
  id: number,
  { shipped, decision, now }: { shipped: string | null; decision: string; now: number },
): Promise<boolean> {
  const rows = await query(
    on,
    sql`update experiments
           set ended_at = ${sql.time(now)}, shipped = ${shipped}::text, decision = ${decision}, changed_at = ${sql.time(now)}
         where project_id = ${projectId} and id = ${id} and ended_at is null
        returning 1`,
  );
  return rows.length > 0;
}

export async function deleteExperiment(on: Queryable, projectId: number, id: number): Promise<void> {
  await query(on, sql`delete from experiments where project_id = ${projectId} and id = ${id}`);
}
