/** SQL of what is entered before a batch: names and groups, and what is known of events and properties; and of rewriting groups. */
import type { Pool } from 'pg';
import { query, sql } from '#src/store/sql.ts';

export interface NumberedName {
  name: string;
  number: number;
}

export function findNames(pool: Pool, projectId: number, names: string[]): Promise<NumberedName[]> {
  return query(
    pool,
    sql`select name, number from event_names where project_id = ${projectId} and name = any(${names}::text[])`,
  );
}

/** Gives those that were not there. */
export function enterNames(
  pool: Pool,
  projectId: number,
  names: { name: string; number: number; at: number }[],
): Promise<NumberedName[]> {
  return query(
    pool,
    sql`insert into event_names (project_id, number, name, first_seen, last_seen)
        select ${projectId}::int, number, name, at, at
          from unnest(${names.map((each) => each.number)}::int[], ${names.map((each) => each.name)}::text[],
                      ${names.map((each) => iso(each.at))}::timestamptz[]) as wanted (number, name, at)
         order by name collate "C"
        on conflict (project_id, name) do nothing
        returning name, number`,
  );
}

export interface NumberedGroup {
  /** Hexadecimal. */
  hash: string;
  number: number;
}

/** The limit keeps the planner from turning this round and reading every group of the kind. */
export function findGroups(pool: Pool, projectId: number, kind: number, hashes: string[]): Promise<NumberedGroup[]> {
  return query(
    pool,
    sql`select encode(g.hash, 'hex') as hash, g.number
          from unnest(${hashes}::text[]) as wanted (hash),
               lateral (select hash, number
                          from property_groups
                         where project_id = ${projectId} and kind = ${kind}::smallint and hash = decode(wanted.hash, 'hex')
                         limit 1) as g`,
  );
}

/** Gives those that were not there. */
export function enterGroups(
  pool: Pool,
  projectId: number,
  kind: number,
  groups: { hash: string; text: string; number: number }[],
): Promise<NumberedGroup[]> {
  return query(
    pool,
    sql`insert into property_groups (project_id, kind, number, hash, properties)
        select ${projectId}::int, ${kind}::smallint, number, decode(hash, 'hex'), properties::jsonb
          from unnest(${groups.map((each) => each.number)}::int[], ${groups.map((each) => each.hash)}::text[],
                      ${groups.map((each) => each.text)}::text[]) as wanted (number, hash, properties)
         order by hash
        on conflict (project_id, kind, hash) do nothing
        returning encode(hash, 'hex') as hash, number`,
  );
}

/** The next project that has groups. */
export async function nextProject(pool: Pool, after: number): Promise<number | null> {
  const rows = await query<{ id: number }>(
    pool,
    sql`select project_id as id from property_groups where project_id > ${after} order by project_id limit 1`,
  );
  return rows[0]?.id ?? null;
}

export function readGroups(
  pool: Pool,
  projectId: number,
  kind: number,
  after: number,
  limit: number,
): Promise<{ number: number; text: string }[]> {
  return query(
    pool,
    sql`select number, properties::text as text
          from property_groups
         where project_id = ${projectId} and kind = ${kind}::smallint and number > ${after}
         order by number
         limit ${limit}`,
  );
}

/** Replaces derived properties where the group is still as it was read. Gives how many were. */
export async function rewriteGroups(
  pool: Pool,
  projectId: number,
  kind: number,
  groups: { number: number; text: string; derived: string }[],
): Promise<number> {
  // Objects by number and no join: without fresh statistics the planner might compare each group with each.
  const before = `{${groups.map(({ number, text }) => `"${number}":${text}`).join(',')}}`;
  const derived = `{${groups.map((each) => `"${each.number}":${each.derived}`).join(',')}}`;
  const rows = await query(
    pool,
    sql`update property_groups g
           set properties = g.properties || (asked.derived -> g.number::text)
          from (select ${before}::jsonb as before, ${derived}::jsonb as derived) as asked
         where g.project_id = ${projectId} and g.kind = ${kind}::smallint
           and g.number = any(${groups.map(({ number }) => number)}::int[])
           and g.properties = asked.before -> g.number::text
        returning g.number`,
  );
  return rows.length;
}

export interface Seen {
  name: string;
  /** ms. */
  at: number;
}

/** An object by name and no join: of a project that is new to its statistics, the planner might compare each name with each. */
export async function noteEvents(pool: Pool, projectId: number, seen: Seen[]): Promise<void> {
  const times = sql.json(Object.fromEntries(seen.map(({ name, at }) => [name, iso(at)])));
  await query(
    pool,
    sql`update event_names n
           set first_seen = least(n.first_seen, (${times}::jsonb ->> n.name)::timestamptz),
               last_seen = greatest(n.last_seen, (${times}::jsonb ->> n.name)::timestamptz)
         where n.project_id = ${projectId}
           and n.number = any(array(
                 select number from event_names
                  where project_id = ${projectId} and name = any(${seen.map(({ name }) => name)}::text[])
                  order by number
                    for no key update))`,
  );
}

/** A property's type is that of its latest value that is not null. */
export async function noteProperties(pool: Pool, projectId: number, seen: (Seen & { type: string })[]): Promise<void> {
  await query(
    pool,
    sql`insert into property_names as known (project_id, name, value_type, first_seen, last_seen)
        select ${projectId}::int, name, value_type, at, at
          from unnest(${seen.map((each) => each.name)}::text[], ${seen.map((each) => each.type)}::text[],
                      ${seen.map((each) => iso(each.at))}::timestamptz[]) as asked (name, value_type, at)
         order by name collate "C"
        on conflict (project_id, name) do update set
          value_type = excluded.value_type,
          first_seen = least(known.first_seen, excluded.first_seen),
          last_seen = greatest(known.last_seen, excluded.last_seen)`,
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
