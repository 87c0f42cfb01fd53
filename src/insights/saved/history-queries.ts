/** SQL of the history of saved insights. */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { InsightScope } from './queries.ts';
import type { InsightAction } from './values.ts';

/** An insight as it is from a revision on. Stored. */
export interface InsightState {
  name: string;
  description: string;
  tags: readonly string[];
  definition: unknown;
}

export interface ChangeRow {
  revision: number;
  account: number;
  account_name: string | null;
  action: InsightAction;
  at: number;
  state: InsightState;
}

/** Adds a revision, and deletes those beyond `most`. */
export async function insertChange(
  on: Queryable,
  { project, account }: InsightScope,
  id: number,
  { revision, action, at, state }: Pick<ChangeRow, 'revision' | 'action' | 'at' | 'state'>,
  most: number,
): Promise<void> {
  await query(
    on,
    sql`insert into insight_changes (insight, revision, project_id, account, action, at, state)
        values (${id}, ${revision}, ${project}, ${account}, ${action}, ${sql.time(at)}, ${sql.json(state)})`,
  );
  await query(on, sql`delete from insight_changes where insight = ${id} and revision <= ${revision - most}`);
}

/** The newest first. */
export function changesOf(on: Queryable, project: number, id: number): Promise<ChangeRow[]> {
  return query(
    on,
    sql`select revision, account, users.name as account_name, action, at, state
          from insight_changes left join users on users.id = account
         where project_id = ${project} and insight = ${id}
         order by revision desc`,
  );
}

/** Null when there is none, or it is not kept any more. */
export async function stateOf(
  on: Queryable,
  project: number,
  id: number,
  revision: number,
): Promise<InsightState | null> {
  const rows = await query<{ state: InsightState }>(
    on,
    sql`select state from insight_changes
         where project_id = ${project} and insight = ${id} and revision = ${revision}`,
  );
  return rows[0]?.state ?? null;
}
