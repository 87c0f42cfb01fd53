/** SQL of what an account marked: favorites, and when it viewed an insight. */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { InsightScope } from './queries.ts';

export async function markFavorite(
  on: Queryable,
  { project, account }: InsightScope,
  id: number,
  favorite: boolean,
): Promise<void> {
  await query(
    on,
    sql`insert into insight_marks (insight, account, project_id, favorite)
        values (${id}, ${account}, ${project}, ${favorite})
        on conflict (insight, account) do update set favorite = excluded.favorite`,
  );
}

export async function markViewed(
  on: Queryable,
  { project, account }: InsightScope,
  id: number,
  now: number,
): Promise<void> {
  await query(
    on,
    sql`insert into insight_marks (insight, account, project_id, favorite, viewed_at)
        values (${id}, ${account}, ${project}, false, ${sql.time(now)})
        on conflict (insight, account) do update set viewed_at = excluded.viewed_at`,
  );
}

/** Deletes the marks of a leaving account. */
export async function deleteMarksOf(on: Queryable, projects: readonly number[], account: number): Promise<void> {
  await query(
    on,
    sql`delete from insight_marks where project_id = any(${[...projects]}::int[]) and account = ${account}`,
  );
}
