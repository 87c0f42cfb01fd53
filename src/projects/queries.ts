/** SQL of the projects room. */
import type { Knex } from 'knex';
import { notFound } from '#src/kit/errors.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { GroupTypeName } from './contract.ts';

export interface ProjectRow {
  id: number;
  team_id: number | null;
  deletes_at: number | null;
  name: string;
  time_zone: string;
  week_start: number;
  built_in: boolean;
  settings: unknown;
  outside_event_at: number | null;
  closed_until: number | null;
  /** Accepted now: the one we made last, then the oldest first. */
  tokens: string[];
}

export function byId(on: Queryable, id: number, now: number): Promise<ProjectRow[]> {
  return query(on, select(now, sql`p.id = ${id}`));
}

export function byToken(on: Queryable, token: string, now: number): Promise<ProjectRow[]> {
  return query(
    on,
    select(
      now,
      sql`p.id = (
    select project_id
      from project_tokens
     where token = ${token} and ${accepted(now)})`,
    ),
  );
}

export function all(on: Queryable, now: number): Promise<ProjectRow[]> {
  return query(on, select(now, sql`true`));
}

export function ofTeams(on: Queryable, teams: readonly number[], now: number): Promise<ProjectRow[]> {
  return query(on, select(now, sql`p.team_id = any(${[...teams]}::int[])`));
}

export async function adopt(on: Queryable, teamId: number): Promise<void> {
  await query(on, sql`update projects set team_id = ${teamId} where team_id is null`);
}

/** What projects call their group types, by number of the project. */
export async function groupTypesOf(on: Queryable, projects: readonly number[]): Promise<Map<number, GroupTypeName[]>> {
  const found = new Map<number, GroupTypeName[]>();
  if (projects.length === 0) return found;
  const rows = await query<GroupTypeName & { project: number }>(
    on,
    sql`select project_id as project, type_index as type, name, coalesce(singular, name) as singular, coalesce(plural, name) as plural
          from group_types where project_id = any(${[...projects]}::int[]) order by project_id, type_index`,
  );
  for (const { project, ...type } of rows) found.set(project, [...(found.get(project) ?? []), type]);
  return found;
}

function select(now: number, condition: Sql): Sql {
  return sql`
    select p.id, p.team_id, p.deletes_at, p.name, p.time_zone, p.week_start, p.built_in, p.settings, p.outside_event_at,
           (select (max(month) + interval '1 month') at time zone 'UTC' from dropped_months) as closed_until,
           array(select token
                   from project_tokens
                  where project_id = p.id and ${accepted(now)}
                  order by (ours and accepted_until is null) desc, created_at, token) as tokens
      from projects p
     where ${condition}
     order by p.built_in desc, p.name, p.id`;
}

function accepted(now: number): Sql {
  return sql`(accepted_until is null or accepted_until > ${new Date(now)})`;
}

/** Any fixed number: keeps two processes from making two built-in projects. */
const BUILT_IN_LOCK = 7_135_201_121;

export function ensureBuiltIn(
  db: Knex,
  wanted: { timeZone: string; token: string; extra: string | null },
  now: number,
): Promise<number> {
  return db.transaction(async (trx) => {
    await query(trx, sql`select pg_advisory_xact_lock(${BUILT_IN_LOCK})`);
    const [found] = await query<{ id: number }>(trx, sql`select id from projects where built_in order by id limit 1`);
    const id =
      found?.id ??
      (await insertProjectRow(
        trx,
        { name: 'Luneta', builtIn: true, weekStart: 1, settings: {}, teamId: null, ...wanted },
        now,
      ));
    if (!found) await insertToken(trx, id, wanted.token, true, now);
    if (wanted.extra !== null && (await isFree(trx, wanted.extra)))
      await insertToken(trx, id, wanted.extra, false, now);
    return id;
  });
}

export function insertProject(
  db: Knex,
  project: {
    name: string;
    timeZone: string;
    weekStart: number;
    settings: object;
    teamId: number | null;
    token: string;
    extraToken: string | null;
  },
  now: number,
): Promise<number> {
  return db.transaction(async (trx) => {
    const id = await insertProjectRow(trx, { ...project, builtIn: false }, now);
    await insertToken(trx, id, project.token, true, now);
    if (project.extraToken !== null) await insertToken(trx, id, project.extraToken, false, now);
    return id;
  });
}

export async function noteOutsideEvent(on: Queryable, id: number, at: number): Promise<void> {
  await query(
    on,
    sql`update projects set outside_event_at = ${new Date(at)} where id = ${id} and outside_event_at is null`,
  );
}

async function insertProjectRow(
  trx: Knex.Transaction,
  row: {
    name: string;
    timeZone: string;
    weekStart: number;
    builtIn: boolean;
    settings: object;
    teamId: number | null;
  },
  now: number,
): Promise<number> {
  const [made] = await query<{ id: number }>(
    trx,
    sql`insert into projects (name, time_zone, week_start, built_in, settings, team_id, created_at)
        values (${row.name}, ${row.timeZone}, ${row.weekStart}, ${row.builtIn}, ${sql.json(row.settings)},
                ${row.teamId}, ${new Date(now)})
        returning id`,
  );
  return (made as { id: number }).id;
}

async function isFree(trx: Knex.Transaction, token: string): Promise<boolean> {
  return (await query(trx, sql`select from project_tokens where token = ${token}`)).length === 0;
}

async function insertToken(
  trx: Knex.Transaction,
  projectId: number,
  token: string,
  ours: boolean,
  now: number,
): Promise<void> {
  await query(
    trx,
    sql`insert into project_tokens (token, project_id, ours, created_at)
        values (${token}, ${projectId}, ${ours}, ${new Date(now)})`,
  );
}

export interface TokenRow {
  token: string;
  /** We made it. */
  ours: boolean;
  created_at: number;
  accepted_until: number | null;
}

export function tokens(on: Queryable, projectId: number, now: number): Promise<TokenRow[]> {
  return query(
    on,
    sql`select token, ours, created_at, accepted_until
          from project_tokens
         where project_id = ${projectId} and ${accepted(now)}
         order by (ours and accepted_until is null) desc, ours desc, created_at desc, token`,
  );
}

/** Replaces the current token, which becomes invalid. */
export function rotate(
  db: Knex,
  projectId: number,
  { token, acceptedUntil }: { token: string; acceptedUntil: number },
  now: number,
): Promise<void> {
  return db.transaction(async (trx) => {
    await lockProject(trx, projectId);
    await query(
      trx,
      sql`update project_tokens set accepted_until = ${new Date(acceptedUntil)}
           where project_id = ${projectId} and ours and accepted_until is null`,
    );
    await insertToken(trx, projectId, token, true, now);
  });
}

/** False when a project has it, be it this one. */
export async function addToken(on: Queryable, projectId: number, token: string, now: number): Promise<boolean> {
  const added = await query(
    on,
    sql`insert into project_tokens (token, project_id, ours, created_at)
        values (${token}, ${projectId}, false, ${new Date(now)})
        on conflict (token) do nothing
        returning token`,
  );
  return added.length > 0;
}

/** One of ours keeps its row, so that no other project can ever take it; one that was brought along may go elsewhere. */
export async function endToken(on: Queryable, projectId: number, token: string, now: number): Promise<void> {
  await query(
    on,
    sql`update project_tokens set accepted_until = ${new Date(now)}
         where project_id = ${projectId} and token = ${token} and ours`,
  );
  await query(on, sql`delete from project_tokens where project_id = ${projectId} and token = ${token} and not ours`);
}

/** Locks the project's row until the transaction ends. */
export async function lockProject(
  trx: Queryable,
  id: number,
): Promise<Pick<ProjectRow, 'name' | 'time_zone' | 'week_start' | 'settings'>> {
  const [row] = await query<Pick<ProjectRow, 'name' | 'time_zone' | 'week_start' | 'settings'>>(
    trx,
    sql`select name, time_zone, week_start, settings from projects where id = ${id} for update`,
  );
  if (row === undefined) throw notFound('project');
  return row;
}

export async function updateProject(
  trx: Queryable,
  id: number,
  to: { name: string; timeZone: string; weekStart: number; settings: object },
): Promise<void> {
  await query(
    trx,
    sql`update projects
           set name = ${to.name}, time_zone = ${to.timeZone}, week_start = ${to.weekStart},
               settings = ${sql.json(to.settings)}
         where id = ${id}`,
  );
}
