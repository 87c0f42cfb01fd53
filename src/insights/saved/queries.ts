/** SQL of saved insights. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { ResultSummary } from '../query/contract.ts';
import type { SavedKind } from './values.ts';

export interface InsightRow {
  id: number;
  owner: number;
  owner_name: string | null;
  kind: SavedKind;
  name: string;
  description: string;
  tags: string[];
  definition: unknown;
  revision: number;
  created_at: number;
  changed_at: number;
  archived_at: number | null;
  /** Favorite of the reader. */
  favorite: boolean;
  viewed_at: number | null;
}

/** In which project, and the account that asks. */
export interface InsightScope {
  project: number;
  account: number;
}

const columns = sql`
  insights.id, insights.owner, users.name as owner_name, insights.kind, insights.name, insights.description, insights.tags,
  insights.definition, insights.revision, insights.created_at, insights.changed_at, insights.archived_at,
  coalesce(marks.favorite, false) as favorite, marks.viewed_at`;

function rowsOf({ project, account }: InsightScope): Sql {
  return sql`
    select ${columns}
      from insights
      left join users on users.id = insights.owner
      left join insight_marks as marks on marks.insight = insights.id and marks.account = ${account}
     where insights.project_id = ${project}`;
}

/** Favorites first, then those that the account viewed last. */
export function insightsOf(on: Queryable, scope: InsightScope): Promise<InsightRow[]> {
  return query(
    on,
    sql`${rowsOf(scope)}
         order by favorite desc, marks.viewed_at desc nulls last, insights.changed_at desc, insights.id desc`,
  );
}

export async function insightOf(on: Queryable, scope: InsightScope, id: number): Promise<InsightRow | null> {
  const rows = await query<InsightRow>(on, sql`${rowsOf(scope)} and insights.id = ${id}`);
  return rows[0] ?? null;
}

export interface PreviewRow {
  id: number;
  preview: ResultSummary | null;
  previewed_at: number | null;
}

export function previewsOf(on: Queryable, project: number, ids: readonly number[]): Promise<PreviewRow[]> {
  return query(
    on,
    sql`select id, preview, previewed_at from insights where project_id = ${project} and id = any(${[...ids]}::int[])`,
  );
}

export interface NewInsight {
  kind: SavedKind;
  name: string;
  description: string;
  tags: readonly string[];
  definition: object;
  now: number;
}

/** @returns its number; null when the project has `most` */
export async function insertInsight(
  on: Queryable,
  { project, account }: InsightScope,
  { kind, name, description, tags, definition, now }: NewInsight,
  most: number,
): Promise<number | null> {
  const rows = await query<{ id: number }>(
    on,
    sql`insert into insights
          (project_id, owner, kind, name, description, tags, definition, revision, created_at, changed_at)
        select ${project}::int, ${account}::int, ${kind}::text, ${name}::text, ${description}::text,
               ${[...tags]}::text[], ${sql.json(definition)}, 1, ${sql.time(now)}, ${sql.time(now)}
         where (select count(*) from insights where project_id = ${project}) < ${most}
        returning id`,
  );
  return rows[0]?.id ?? null;
}

export interface LockedInsight extends Pick<InsightRow, 'kind' | 'name' | 'description' | 'tags' | 'definition'> {
  owner: number;
  revision: number;
  archived_at: number | null;
}

/** Locks an insight until the transaction ends; null when it does not exist. */
export async function lockInsight(on: Queryable, project: number, id: number): Promise<LockedInsight | null> {
  const rows = await query<LockedInsight>(
    on,
    sql`select owner, kind, name, description, tags, definition, revision, archived_at
          from insights where project_id = ${project} and id = ${id} for update`,
  );
  return rows[0] ?? null;
}

/** Another query has no preview until it is viewed. */
export async function updateInsight(
  on: Queryable,
  project: number,
  id: number,
  { kind, name, description, tags, definition, now }: NewInsight,
  { revision, keepsPreview }: { revision: number; keepsPreview: boolean },
): Promise<void> {
  const preview = keepsPreview ? sql.empty : sql`, preview = null, previewed_at = null`;
  await query(
    on,
    sql`update insights
           set kind = ${kind}, name = ${name}, description = ${description}, tags = ${[...tags]}::text[],
               definition = ${sql.json(definition)}, revision = ${revision}, changed_at = ${sql.time(now)} ${preview}
         where project_id = ${project} and id = ${id}`,
  );
}

export async function setArchived(
  on: Queryable,
  project: number,
  id: number,
  { archivedAt, revision }: { archivedAt: number | null; revision: number },
): Promise<void> {
  await query(
    on,
    sql`update insights
           set archived_at = ${archivedAt === null ? null : new Date(archivedAt)}::timestamptz, revision = ${revision}
         where project_id = ${project} and id = ${id}`,
  );
}

/** Deletes an insight with its marks and its history. */
export async function deleteInsight(on: Queryable, project: number, id: number): Promise<void> {
  await query(
    on,
    sql`with changes as (delete from insight_changes where project_id = ${project} and insight = ${id}),
             marks as (delete from insight_marks where project_id = ${project} and insight = ${id})
        delete from insights where project_id = ${project} and id = ${id}`,
  );
}

/** Insights in use that name a goal. */
export function insightsWithGoal(project: number, goal: number): Sql {
  return sql`
    select id, name from insights
     where project_id = ${project} and archived_at is null
       and jsonb_path_exists(definition, '$.query.**.goal ? (@ == $id)', ${sql.json({ id: goal })})`;
}

/** Insights in use that are within a segment. */
export function insightsWithSegment(project: number, segment: number): Sql {
  return sql`
    select id, name from insights
     where project_id = ${project} and archived_at is null and definition ->> 'segment' = ${String(segment)}`;
}

/** Active insights with this word in their definition. */
export function insightsNaming(
  on: Queryable,
  project: number,
  word: string,
): Promise<{ name: string; definition: unknown }[]> {
  return query(
    on,
    sql`select name, definition from insights
         where project_id = ${project} and archived_at is null and strpos(definition::text, ${word}) > 0
         order by lower(name)`,
  );
}

export async function savePreview(
  on: Queryable,
  project: number,
  id: number,
  { preview, revision, now }: { preview: ResultSummary; revision: number; now: number },
): Promise<void> {
  await query(
    on,
    sql`update insights set preview = ${sql.json(preview)}, previewed_at = ${sql.time(now)}
         where project_id = ${project} and id = ${id} and revision = ${revision}`,
  );
}

const MAX_PROPERTIES = 500;

/** Numeric properties, most recently seen first. */
export function numberProperties(on: Queryable, project: number): Promise<{ name: string }[]> {
  return query(
    on,
    sql`select name from property_names
         where project_id = ${project} and value_type = 'number'
         order by last_seen desc, name collate "C"
         limit ${MAX_PROPERTIES}`,
  );
}
