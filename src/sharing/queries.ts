/** SQL of links that share. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { SharedObject } from './contract.ts';
import { type SharedKind, type ShareFilter, type ShareTheme, VIEW_DAYS } from './values.ts';

/** A link as its readers need it. */
export interface OpenLinkRow {
  id: number;
  project_id: number;
  kind: SharedKind;
  object: number;
  token_hash: string;
  password: string | null;
  expires_at: number | null;
  open: boolean;
  filters: ShareFilter[];
  language: 'en' | 'pt-BR' | null;
  theme: ShareTheme;
  origins: string[];
}

export interface LinkRow extends OpenLinkRow {
  seed: string;
  created_by_name: string | null;
  created_at: number;
  views: number;
}

const DAY_MS = 86_400_000;

/** With the views of the last days. */
function linksAt(now: number, further: Sql = sql.empty): Sql {
  const since = new Date(now - (VIEW_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return sql`
    select links.id, links.project_id, links.kind, links.object, links.seed, links.token_hash, links.password,
           users.name as created_by_name, links.created_at, links.expires_at, links.open, links.filters, links.language, links.theme,
           links.origins,
           (select coalesce(sum(viewed.views), 0)::int from share_views as viewed
             where viewed.project_id = links.project_id and viewed.link = links.id and viewed.day >= ${since}::date) as views
           ${further}
      from share_links as links
      left join users on users.id = links.created_by`;
}

export async function linkOf(
  on: Queryable,
  project: number,
  { kind, id }: SharedObject,
  now: number,
): Promise<LinkRow | null> {
  const rows = await query<LinkRow>(
    on,
    sql`${linksAt(now)} where links.project_id = ${project} and links.kind = ${kind} and links.object = ${id}`,
  );
  return rows[0] ?? null;
}

export async function linkByHash(on: Queryable, hash: string): Promise<OpenLinkRow | null> {
  const rows = await query<OpenLinkRow>(
    on,
    sql`select id, project_id, kind, object, token_hash, password, expires_at, open, filters, language, theme, origins
          from share_links where token_hash = ${hash}`,
  );
  return rows[0] ?? null;
}

export interface NamedLinkRow extends LinkRow {
  name: string;
}

/** Links of projects to what still exists, the newest first. */
export function linksOf(on: Queryable, projects: readonly number[], now: number): Promise<NamedLinkRow[]> {
  return query(
    on,
    sql`${linksAt(now, sql`, coalesce(dashboards.name, insights.name) as name`)}
          left join dashboards
            on links.kind = 'dashboard' and dashboards.project_id = links.project_id and dashboards.id = links.object
          left join insights
            on links.kind = 'insight' and insights.project_id = links.project_id and insights.id = links.object
           and insights.archived_at is null
         where links.project_id = any(${[...projects]}::int[])
           and coalesce(dashboards.name, insights.name) is not null
         order by links.created_at desc, links.id desc`,
  );
}

export interface StoredSettings {
  expiresAt: number | null;
  open: boolean;
  filters: readonly ShareFilter[];
  language: string | null;
  theme: string;
  origins: readonly string[];
  /** Undefined: as before. */
  password: string | null | undefined;
}

export interface NewLink extends StoredSettings {
  seed: string;
  hash: string;
  account: number;
  now: number;
}

/** @returns false: there is one already */
export async function insertLink(
  on: Queryable,
  project: number,
  { kind, id }: SharedObject,
  { seed, hash, account, now, ...settings }: NewLink,
): Promise<boolean> {
  const rows = await query(
    on,
    sql`insert into share_links (project_id, kind, object, seed, token_hash, password, created_by, created_at, expires_at,
                                 open, filters, language, theme, origins)
        values (${project}, ${kind}, ${id}, ${seed}, ${hash}, ${settings.password ?? null}, ${account}, ${sql.time(now)},
                ${timeOrNull(settings.expiresAt)}, ${settings.open}, ${[...settings.filters]}::text[], ${settings.language}, ${settings.theme},
                ${[...settings.origins]}::text[])
        on conflict do nothing
        returning id`,
  );
  return rows.length > 0;
}

export async function updateLink(
  on: Queryable,
  project: number,
  { kind, id }: SharedObject,
  { expiresAt, open, filters, language, theme, origins, password }: StoredSettings,
): Promise<void> {
  const withPassword = password === undefined ? sql.empty : sql`, password = ${password}`;
  await query(
    on,
    sql`update share_links
           set expires_at = ${timeOrNull(expiresAt)}, open = ${open}, filters = ${[...filters]}::text[], language = ${language}, theme = ${theme},
               origins = ${[...origins]}::text[] ${withPassword}
         where project_id = ${project} and kind = ${kind} and object = ${id}`,
  );
}

export async function rotateLink(
  on: Queryable,
  project: number,
  { kind, id }: SharedObject,
  { seed, hash }: { seed: string; hash: string },
): Promise<void> {
  await query(
    on,
    sql`update share_links set seed = ${seed}, token_hash = ${hash}
         where project_id = ${project} and kind = ${kind} and object = ${id}`,
  );
}

/** With its views. */
export async function deleteLink(on: Queryable, project: number, { kind, id }: SharedObject): Promise<void> {
  await query(
    on,
    sql`with gone as (
          delete from share_links where project_id = ${project} and kind = ${kind} and object = ${id} returning id
        )
        delete from share_views where project_id = ${project} and link in (select id from gone)`,
  );
}

export interface CountedViews {
  link: number;
  project: number;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  views: number;
}

/** Adds views. Those of links that are gone are dropped. */
export async function addViews(on: Queryable, counted: readonly CountedViews[]): Promise<void> {
  await query(
    on,
    sql`insert into share_views (link, day, project_id, views)
        select given.link, given.day, given.project, given.views
          from unnest(${counted.map(({ link }) => link)}::int[], ${counted.map(({ day }) => day)}::date[],
                      ${counted.map(({ project }) => project)}::int[], ${counted.map(({ views }) => views)}::int[])
               as given (link, day, project, views)
          join share_links as links on links.id = given.link
         order by given.link, given.day
        on conflict (link, day) do update set views = share_views.views + excluded.views`,
  );
}

function timeOrNull(ms: number | null): Sql {
  return sql`${ms === null ? null : new Date(ms)}::timestamptz`;
}
