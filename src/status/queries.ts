/** SQL of the status room: reads only. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';

export interface DatabaseRow {
  version: string;
  bytes: number;
  /** Size of the tables that grow with events. */
  event_bytes: number;
  /** The server's data folder; null when not permitted. */
  folder: string | null;
  applied: number;
  last: string;
}

/** Bytes of the tables that grow with events, with their indexes. */
export const eventBytes = sql`(
          select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
          from pg_class c
            join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
          where c.relkind = 'r'
            and (c.relname like 'event%' or c.relname like 'chunk%'
              or c.relname in ('sessions', 'property_groups', 'persons', 'distinct_ids'))
          )`;

export async function database(on: Queryable): Promise<DatabaseRow> {
  const [row] = await query<DatabaseRow>(
    on,
    sql`
    select current_setting('server_version') as version,
           pg_database_size(current_database()) as bytes,
           ${eventBytes} as event_bytes,
           case when pg_has_role(current_user, 'pg_read_all_settings', 'member')
                then current_setting('data_directory', true) end as folder,
           (select count(*)::int from knex_migrations) as applied,
           coalesce((select name from knex_migrations order by id desc limit 1), '') as last`,
  );
  return row as DatabaseRow;
}

export interface ProjectRow {
  id: number;
  name: string;
  team: string | null;
  events: number;
  recent: number;
}

/** Stored events of each project, and those of the seven days before `until`. */
export function projects(on: Queryable, from: number, until: number): Promise<ProjectRow[]> {
  return query(on, sql`${projectRows(from, until)} order by events desc, projects.id`);
}

export function projectRows(from: number, until: number): Sql {
  const isRecent = sql`counts.quarter >= ${sql.time(from)} and counts.quarter < ${sql.time(until)}`;
  return sql`
        select projects.id, projects.name, teams.name as team,
          coalesce(sum(counts.events + counts.bots), 0)::bigint as events,
          coalesce(sum(counts.events + counts.bots) filter (where ${isRecent}), 0)::bigint as recent
        from projects
          left join teams on teams.id = projects.team_id
          left join event_counts as counts on counts.project_id = projects.id
        group by projects.id, teams.name`;
}
