/** SQL of flags. */
import type { JsonObject } from '#src/kit/json.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { EarlyAccessFeature, EarlyAccessInput, Flag, FlagDefinition } from './contract.ts';

/** Channel of the NOTIFY with the id of a project with changed flags. */
export const flagsChannel = 'luneta_flags';

export interface FlagRow extends Omit<Flag, 'definition'> {
  definition: unknown;
}

/** The author of a change, with its audit entry. */
export interface Change {
  by: { id: number | null; name: string };
  note: string | null;
  now: number;
}

export interface ChangeRow {
  version: number;
  at: number;
  userId: number | null;
  actor: string;
  note: string | null;
  description: string;
  definition: unknown;
}

const columns = sql`id, key, description, version, definition, created_at as "createdAt", changed_at as "changedAt",
  (select stage from early_access_features as f where f.project_id = flags.project_id and f.flag = flags.id) as "earlyAccess"`;

export function flagsOf(on: Queryable, projectId: number): Promise<FlagRow[]> {
  return query(on, sql`select ${columns} from flags where project_id = ${projectId} order by id`);
}

/** Locked to the end of the transaction, so that no two changes make a cycle together. */
export async function lockFlags(on: Queryable, projectId: number): Promise<FlagRow[]> {
  return query(on, sql`select ${columns} from flags where project_id = ${projectId} order by id for update`);
}

export async function flagOf(on: Queryable, projectId: number, id: number): Promise<FlagRow | null> {
  const rows = await query<FlagRow>(
    on,
    sql`select ${columns} from flags where project_id = ${projectId} and id = ${id}`,
  );
  return rows[0] ?? null;
}

/** Null when there are too many. @throws a violation of a unique key when another flag has it */
export async function insertFlag(
  on: Queryable,
  projectId: number,
  flag: { key: string; description: string; definition: FlagDefinition },
  now: number,
  max: number,
): Promise<FlagRow | null> {
  const rows = await query<FlagRow>(
    on,
    sql`insert into flags (project_id, key, description, version, definition, created_at, changed_at)
        select ${projectId}::int, ${flag.key}::text, ${flag.description}::text, 1, ${sql.json(flag.definition)},
               ${sql.time(now)}, ${sql.time(now)}
         where (select count(*) from flags where project_id = ${projectId}) < ${max}
        returning ${columns}`,
  );
  return rows[0] ?? null;
}

export async function updateFlag(
  on: Queryable,
  projectId: number,
  flag: { id: number; description: string; definition: FlagDefinition },
  now: number,
): Promise<FlagRow> {
  const rows = await query<FlagRow>(
    on,
    sql`update flags
           set description = ${flag.description}, definition = ${sql.json(flag.definition)}, version = version + 1,
               changed_at = ${sql.time(now)}
         where project_id = ${projectId} and id = ${flag.id}
        returning ${columns}`,
  );
  return rows[0] as FlagRow;
}

/** With all its versions and what is scheduled. */
export async function deleteFlag(on: Queryable, projectId: number, id: number): Promise<void> {
  await query(on, sql`delete from flag_schedules where project_id = ${projectId} and flag = ${id}`);
  await query(on, sql`delete from early_access_features where project_id = ${projectId} and flag = ${id}`);
  await query(on, sql`delete from flag_changes where project_id = ${projectId} and flag = ${id}`);
  await query(on, sql`delete from flags where project_id = ${projectId} and id = ${id}`);
}

/** Keeps the version that a flag has now. */
export async function noteVersion(on: Queryable, projectId: number, flag: FlagRow, change: Change): Promise<void> {
  await query(
    on,
    sql`insert into flag_changes (project_id, flag, version, at, user_id, actor, note, description, definition)
        values (${projectId}, ${flag.id}, ${flag.version}, ${sql.time(change.now)}, ${change.by.id}, ${change.by.name},
                ${change.note}, ${flag.description}, ${sql.json(flag.definition)})`,
  );
}

/** The newest first. */
export function changesOf(on: Queryable, projectId: number, id: number, limit: number): Promise<ChangeRow[]> {
  return query(
    on,
    sql`select version, at, user_id as "userId", actor, note, description, definition
          from flag_changes
         where project_id = ${projectId} and flag = ${id}
         order by version desc
         limit ${limit}`,
  );
}

export async function changeOf(
  on: Queryable,
  projectId: number,
  id: number,
  version: number,
): Promise<ChangeRow | null> {
  const rows = await query<ChangeRow>(
    on,
    sql`select version, at, user_id as "userId", actor, note, description, definition
          from flag_changes
         where project_id = ${projectId} and flag = ${id} and version = ${version}`,
  );
  return rows[0] ?? null;
}

export interface SampledPerson {
  total: number;
  person: number;
  distinctId: string;
  properties: JsonObject;
}

/** Some of the people with a visit since `from`, always the same ones, and how many there are. */
export function samplePeople(on: Queryable, projectId: number, from: number, limit: number): Promise<SampledPerson[]> {
  return query(
    on,
    sql`with seen as (
          select distinct coalesce(o.new_person, s.person) as person
            from sessions s
            left join person_overrides o on o.project_id = s.project_id and o.old_person = s.person
           where s.project_id = ${projectId} and s.first_ts >= ${sql.time(from)} and not s.bot
        ), sampled as (
          select person, (select count(*)::int from seen) as total from seen order by hashint4(person) limit ${limit}
        )
        select sampled.total, sampled.person, p.properties, d.distinct_id as "distinctId"
          from sampled
          join persons p on p.project_id = ${projectId} and p.number = sampled.person
         cross join lateral (
            select distinct_id from distinct_ids
             where project_id = ${projectId} and person = sampled.person
             order by joined_at is not null, number
             limit 1
          ) d`,
  );
}

export async function cohortIdsOf(on: Queryable, projectId: number): Promise<number[]> {
  const rows = await query<{ id: number }>(on, sql`select id from cohorts where project_id = ${projectId}`);
  return rows.map(({ id }) => id);
}

/** Names by id. */
export async function cohortNamesOf(on: Queryable, projectId: number): Promise<Map<number, string>> {
  const rows = await query<{ id: number; name: string }>(
    on,
    sql`select id, name from cohorts where project_id = ${projectId}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Versions of these cohorts: another one after every change of their rows. */
export function cohortVersions(
  on: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<{ id: number; version: string }[]> {
  return query(
    on,
    sql`select id, xmin::text as version from cohorts where project_id = ${projectId} and id = any(${[...ids]}::int[])`,
  );
}

/** Numbers of the people of a cohort as they are now, ascending, as 32-bit integers (big-endian). */
export async function cohortPeople(on: Queryable, projectId: number, id: number): Promise<Buffer> {
  const [row] = await query<{ people: Buffer | null }>(
    on,
    sql`select string_agg(int4send(number), '' order by number) as people
          from (
            select distinct coalesce(o.new_person, member) as number
              from cohorts c
             cross join unnest(c.people) as member
              left join person_overrides o on o.project_id = c.project_id and o.old_person = member
             where c.project_id = ${projectId} and c.id = ${id}
          ) as members`,
  );
  return row?.people ?? Buffer.alloc(0);
}

/** Features of flags, in the order in which they were made. */
export function earlyAccessOf(on: Queryable, projectId: number): Promise<EarlyAccessFeature[]> {
  return query(
    on,
    sql`select f.flag, flags.key as "flagKey", (flags.definition -> 'active')::boolean as active, f.name, f.description, f.stage,
               f.documentation_url as "documentationUrl"
          from early_access_features f
          join flags on flags.project_id = f.project_id and flags.id = f.flag
         where f.project_id = ${projectId}
         order by f.created_at, f.flag`,
  );
}

export async function saveEarlyAccess(
  on: Queryable,
  projectId: number,
  { flag, name, description, stage, documentationUrl }: EarlyAccessInput,
  now: number,
): Promise<void> {
  await query(
    on,
    sql`insert into early_access_features as f (project_id, flag, name, description, stage, documentation_url, created_at, changed_at)
        values (${projectId}, ${flag}, ${name}, ${description}, ${stage}, ${documentationUrl}, ${sql.time(now)}, ${sql.time(now)})
        on conflict (project_id, flag) do update
           set name = excluded.name, description = excluded.description, stage = excluded.stage,
               documentation_url = excluded.documentation_url, changed_at = excluded.changed_at`,
  );
}

export async function deleteEarlyAccess(on: Queryable, projectId: number, flag: number): Promise<boolean> {
  const rows = await query(
    on,
    sql`delete from early_access_features where project_id = ${projectId} and flag = ${flag} returning 1`,
  );
  return rows.length > 0;
}

/** People by what they chose, of these properties. */
export function enrollmentsOf(
  on: Queryable,
  projectId: number,
  properties: readonly string[],
): Promise<{ property: string; optedIn: number; optedOut: number }[]> {
  return query(
    on,
    sql`select name as property, count(*) filter (where lower(value) = 'true')::int as "optedIn",
               count(*) filter (where lower(value) = 'false')::int as "optedOut"
          from persons p
         cross join unnest(${[...properties]}::text[]) as name
         cross join lateral (select p.properties ->> name as value) as chosen
         where p.project_id = ${projectId} and not p.merged and p.properties ?| ${[...properties]}::text[]
         group by 1`,
  );
}

/** Notifies every process on commit. */
export async function notifyChange(on: Queryable, projectId: number): Promise<void> {
  await query(on, sql`select pg_notify(${flagsChannel}::text, ${String(projectId)}::text)`);
}

/** The first known id among those of the same person; null when none is stored. */
export async function firstIdOf(on: Queryable, projectId: number, distinctId: string): Promise<string | null> {
  const rows = await query<{ firstId: string }>(
    on,
    sql`select first_id as "firstId"
          from flag_first_ids
         where project_id = ${projectId}
           and distinct_id = any(array(
                 select other.distinct_id
                   from distinct_ids own
                   join distinct_ids other on other.project_id = own.project_id and other.person = own.person
                  where own.project_id = ${projectId} and own.distinct_id = ${distinctId}
                  limit 1000) || ${distinctId}::text)
         order by created_at, distinct_id
         limit 1`,
  );
  return rows[0]?.firstId ?? null;
}

/** Keeps the first: later ones change nothing. */
export async function insertFirstId(
  on: Queryable,
  projectId: number,
  ids: { distinctId: string; firstId: string },
  now: number,
): Promise<void> {
  await query(
    on,
    sql`insert into flag_first_ids (project_id, distinct_id, first_id, created_at)
        values (${projectId}, ${ids.distinctId}, ${ids.firstId}, ${sql.time(now)})
        on conflict do nothing`,
  );
}

/** @returns rows deleted */
export async function eraseFirstIds(on: Queryable, projectId: number, distinctIds: readonly string[]): Promise<number> {
  const rows = await query(
    on,
    sql`delete from flag_first_ids
         where project_id = ${projectId}
           and (distinct_id = any(${[...distinctIds]}::text[]) or first_id = any(${[...distinctIds]}::text[]))
        returning 1`,
  );
  return rows.length;
}
