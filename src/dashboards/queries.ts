/** SQL of dashboards. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';

/** A dashboard without its tiles. */
export interface SummaryRow {
  id: number;
  owner: number;
  owner_name: string | null;
  name: string;
  description: string;
  tags: string[];
  created_at: number;
  changed_at: number;
  /** Of the account that asks. */
  favorite: boolean;
  viewed_at: number | null;
  /** How many. */
  tiles: number;
  /** Filters of the content; null: none. */
  filters: unknown;
}

export interface DashboardRow extends SummaryRow {
  content: unknown;
  revision: number;
}

/** In which project, and the account that asks. */
export interface DashboardScope {
  project: number;
  account: number;
}

const summary = sql`
  dashboards.id, dashboards.owner, users.name as owner_name, dashboards.name, dashboards.description, dashboards.tags,
  dashboards.created_at, dashboards.changed_at, coalesce(marks.favorite, false) as favorite, marks.viewed_at,
  jsonb_array_length(dashboards.content -> 'tiles') as tiles, dashboards.content -> 'filters' as filters`;

function rowsOf({ project, account }: DashboardScope, columns: Sql): Sql {
  return sql`
    select ${columns}
      from dashboards
      left join users on users.id = dashboards.owner
      left join dashboard_marks as marks on marks.dashboard = dashboards.id and marks.account = ${account}
     where dashboards.project_id = ${project}`;
}

/** Favorites first, then those that the account viewed last. */
export function dashboardsOf(on: Queryable, scope: DashboardScope): Promise<SummaryRow[]> {
  return query(
    on,
    sql`${rowsOf(scope, summary)}
         order by favorite desc, marks.viewed_at desc nulls last, dashboards.changed_at desc, dashboards.id desc`,
  );
}

export async function dashboardOf(on: Queryable, scope: DashboardScope, id: number): Promise<DashboardRow | null> {
  const columns = sql`${summary}, dashboards.content, dashboards.revision`;
  const rows = await query<DashboardRow>(on, sql`${rowsOf(scope, columns)} and dashboards.id = ${id}`);
  return rows[0] ?? null;
}

export interface NewDashboard {
  name: string;
  description: string;
  tags: readonly string[];
  content: object;
  now: number;
}

/** @returns its number; null when the project has `most` */
export async function insertDashboard(
  on: Queryable,
  { project, account }: DashboardScope,
  { name, description, tags, content, now }: NewDashboard,
  most: number,
): Promise<number | null> {
  const rows = await query<{ id: number }>(
    on,
    sql`insert into dashboards (project_id, owner, name, description, tags, content, revision, created_at, changed_at)
        select ${project}::int, ${account}::int, ${name}::text, ${description}::text, ${[...tags]}::text[],
               ${sql.json(content)}, 1, ${sql.time(now)}, ${sql.time(now)}
         where (select count(*) from dashboards where project_id = ${project}) < ${most}
        returning id`,
  );
  return rows[0]?.id ?? null;
}

export type LockedDashboard = Pick<DashboardRow, 'owner' | 'name' | 'description' | 'tags' | 'content' | 'revision'>;

/** As it is until the transaction ends; null: there is none. */
export async function lockDashboard(on: Queryable, project: number, id: number): Promise<LockedDashboard | null> {
  const rows = await query<LockedDashboard>(
    on,
    sql`select owner, name, description, tags, content, revision
          from dashboards where project_id = ${project} and id = ${id} for update`,
  );
  return rows[0] ?? null;
}

export async function updateDashboard(
  on: Queryable,
  project: number,
  id: number,
  { name, description, tags, content, now }: NewDashboard,
): Promise<void> {
  await query(
    on,
    sql`update dashboards
           set name = ${name}, description = ${description}, tags = ${[...tags]}::text[], content = ${sql.json(content)},
               revision = revision + 1, changed_at = ${sql.time(now)}
         where project_id = ${project} and id = ${id}`,
  );
}

/** With its marks. */
export async function deleteDashboard(on: Queryable, project: number, id: number): Promise<void> {
  await query(
    on,
    sql`with marks as (delete from dashboard_marks where project_id = ${project} and dashboard = ${id})
        delete from dashboards where project_id = ${project} and id = ${id}`,
  );
}

export async function markFavorite(
  on: Queryable,
  { project, account }: DashboardScope,
  id: number,
  favorite: boolean,
): Promise<void> {
  await query(
    on,
    sql`insert into dashboard_marks (dashboard, account, project_id, favorite)
        values (${id}, ${account}, ${project}, ${favorite})
        on conflict (dashboard, account) do update set favorite = excluded.favorite`,
  );
}

export async function markViewed(
  on: Queryable,
  { project, account }: DashboardScope,
  id: number,
  now: number,
): Promise<void> {
  await query(
    on,
    sql`insert into dashboard_marks (dashboard, account, project_id, favorite, viewed_at)
        values (${id}, ${account}, ${project}, false, ${sql.time(now)})
        on conflict (dashboard, account) do update set viewed_at = excluded.viewed_at`,
  );
}

/** Those of an account that leaves. */
export async function deleteMarksOf(on: Queryable, projects: readonly number[], account: number): Promise<void> {
  await query(
    on,
    sql`delete from dashboard_marks where project_id = any(${[...projects]}::int[]) and account = ${account}`,
  );
}
