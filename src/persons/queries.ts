/**
 * SQL of the persons room. All of it runs on a connection of the driver, inside the write transaction or just before it. Rows
 * are claimed and locked in the order of their keys, ids before persons, so that two batches never deadlock.
 */
import type { ClientBase, Pool } from 'pg';
import type { JsonObject } from '#src/kit/json.ts';
import { ints, texts } from '#src/store/binary.ts';
import { CopyRows, copyIn } from '#src/store/copy.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { changesSql } from './changes.ts';

export type Connection = ClientBase | Pool;

export interface IdRow {
  distinct_id: string;
  number: number;
  person: number;
  joined_at: Date[] | null;
  created_at: number;
  identified: boolean;
  has_profile: boolean;
  splits: number;
}

/** The stored ones among these distinct ids. */
export function loadIds(on: Connection, projectId: number, distinctIds: string[]): Promise<IdRow[]> {
  return run(
    on,
    // One after the other, each by its whole key: without fresh statistics the planner might begin with every id of the project, or every person.
    sql`select d.distinct_id, d.number, d.person, d.joined_at, p.created_at, p.identified, p.has_profile, p.splits
          from unnest(${texts(distinctIds, (distinctId) => distinctId)}::text[]) as asked (distinct_id)
         cross join lateral (
            select distinct_id, number, person, joined_at
              from distinct_ids
             where project_id = ${projectId} and distinct_id = asked.distinct_id
             limit 1
          ) d
         cross join lateral (
            select created_at, identified, has_profile, splits
              from persons
             where project_id = ${projectId} and number = d.person
             limit 1
          ) p`,
    'persons-load-ids',
  );
}

export interface Claim {
  distinctId: string;
  number: number;
  /** Its expected person. */
  person: number;
  joinedAt: readonly number[];
}

/** Claims new distinct ids and returns those that were free. Waits for batches that claim the same ones. */
export async function claimIds(on: Connection, projectId: number, claims: Claim[]): Promise<string[]> {
  const rows = await run<{ distinct_id: string }>(
    on,
    sql`insert into distinct_ids (project_id, distinct_id, number, person, joined_at)
        select ${projectId}::int, distinct_id, number, person, nullif(joined_at, '{}')::timestamptz[]
          from unnest(${texts(claims, (claim) => claim.distinctId)}::text[], ${ints(claims, (claim) => claim.number)}::int[],
                      ${ints(claims, (claim) => claim.person)}::int[], ${texts(claims, (claim) => timesLiteral(claim.joinedAt))}::text[])
               as claim (distinct_id, number, person, joined_at)
         order by distinct_id collate "C"
        on conflict (project_id, distinct_id) do nothing
        returning distinct_id`,
    'persons-claim-ids',
  );
  return rows.map((row) => row.distinct_id);
}

export interface PersonRow {
  number: number;
  properties: JsonObject;
  property_stamps: unknown;
  merged: boolean;
  identified: boolean;
  has_profile: boolean;
  created_at: number;
  splits: number;
}

/** Locks persons, lowest number first, and reads them as they are now. */
export function lockPersons(on: Connection, projectId: number, numbers: number[]): Promise<PersonRow[]> {
  return run(
    on,
    sql`select number, properties, property_stamps, merged, identified, has_profile, created_at, splits
          from persons
         where project_id = ${projectId} and number = any(${numbers}::int[])
         order by number
           for no key update`,
    'persons-lock',
  );
}

/** Keeps persons from being deleted to the end of the transaction, without holding up who changes them; gives those that are there. */
export async function keepPersons(on: Connection, projectId: number, numbers: readonly number[]): Promise<number[]> {
  const rows = await run<{ number: number }>(
    on,
    sql`select number from persons
         where project_id = ${projectId} and number = any(${ints(numbers, (number) => number)}::int[])
         order by number
           for key share`,
    'persons-keep',
  );
  return rows.map(({ number }) => number);
}

export interface WrittenPerson {
  number: number;
  properties: JsonObject;
  property_stamps: unknown;
  identified: boolean;
  has_profile: boolean;
  /** ms. */
  created_at: number;
}

export async function insertPersons(
  client: ClientBase,
  projectId: number,
  persons: (WrittenPerson & { uuid: string })[],
): Promise<void> {
  const rows = new CopyRows(persons.length * 200);
  for (const person of persons) {
    rows.row(8);
    rows.int(projectId);
    rows.int(person.number);
    rows.uuid(person.uuid);
    rows.json(JSON.stringify(person.properties));
    rows.json(JSON.stringify(person.property_stamps));
    rows.bool(person.identified);
    rows.bool(person.has_profile);
    rows.time(person.created_at);
  }
  const columns = 'project_id, number, uuid, properties, property_stamps, identified, has_profile, created_at';
  await copyIn(client, `copy persons (${columns}) from stdin (format binary)`, rows, 'copy persons');
}

export async function updatePersons(on: Connection, projectId: number, persons: WrittenPerson[]): Promise<void> {
  const rows = persons.map((person) => ({ ...person, created_at: new Date(person.created_at).toISOString() }));
  await run(
    on,
    // The list of numbers bounds the work for either join order; also in the updates below.
    sql`update persons p
           set properties = u.properties, property_stamps = u.property_stamps, identified = u.identified,
               has_profile = u.has_profile, created_at = u.created_at
          from jsonb_to_recordset(${sql.json(rows)})
               as u (number int, properties jsonb, property_stamps jsonb, identified boolean, has_profile boolean,
                     created_at timestamptz)
         where p.project_id = ${projectId} and p.number = u.number
           and p.number = any(${rows.map((row) => row.number)}::int[])`,
    'persons-update',
  );
}

/** Notes the persons that a batch wrote. */
export async function noteChanges(on: Connection, projectId: number, numbers: readonly number[]): Promise<void> {
  await run(on, changesSql(projectId, numbers), 'persons-note-changes');
}

/** Stored ids of `person` belong to `to` from now on, brought by merges at these times. */
export interface Move {
  person: number;
  to: number;
  joins: readonly number[];
}

export async function moveIds(on: Connection, projectId: number, moves: Move[]): Promise<void> {
  await run(
    on,
    sql`update distinct_ids d
           set person = move.new_person,
               joined_at = d.joined_at || array(
                 select t from unnest(move.joins) as t
                  where t > coalesce(d.joined_at[cardinality(d.joined_at)], '-infinity')
                  order by t)
          from ${asMoves(moves)}
         where d.project_id = ${projectId} and d.person = move.old_person
           and d.person = any(${moves.map((move) => move.person)}::int[])`,
  );
}

/** A claimed id that belongs to another person after all. */
export interface Settlement {
  distinctId: string;
  person: number;
  joinedAt: readonly number[];
}

export async function settleIds(on: Connection, projectId: number, ids: Settlement[]): Promise<void> {
  await run(
    on,
    sql`update distinct_ids d
           set person = id.person, joined_at = nullif(id.joined_at, '{}')::timestamptz[]
          from unnest(${ids.map((id) => id.distinctId)}::text[], ${ids.map((id) => id.person)}::int[],
                      ${ids.map((id) => timesLiteral(id.joinedAt))}::text[]) as id (distinct_id, person, joined_at)
         where d.project_id = ${projectId} and d.distinct_id = id.distinct_id
           and d.distinct_id = any(${ids.map((id) => id.distinctId)}::text[])`,
  );
}

/** Events of the old persons count for the new ones; what pointed to an old one points on, so that every chain is one step. */
export async function overridePersons(on: Connection, projectId: number, moves: Move[]): Promise<void> {
  await run(
    on,
    sql`with redirected as (
          update person_overrides o
             set new_person = (select move.new_person from ${asMoves(moves)} where move.old_person = o.new_person)
           where o.project_id = ${projectId} and o.new_person = any(${moves.map((move) => move.person)}::int[])
        ), emptied as (
          update persons p
             set merged = true, properties = '{}', property_stamps = '[]', has_profile = false
            from ${asMoves(moves)}
           where p.project_id = ${projectId} and p.number = move.old_person
             and p.number = any(${moves.map((move) => move.person)}::int[])
        )
        insert into person_overrides (project_id, old_person, new_person, merged_at)
        select ${projectId}::int, old_person, new_person, joins[1]
          from ${asMoves(moves)}`,
  );
}

function asMoves(moves: Move[]): Sql {
  return sql`(
    select old_person, new_person, joins::timestamptz[] as joins
      from unnest(${moves.map((move) => move.person)}::int[], ${moves.map((move) => move.to)}::int[],
                  ${moves.map((move) => timesLiteral(move.joins))}::text[]) as given (old_person, new_person, joins)
  ) as move`;
}

/** A list of times as PostgreSQL writes an array: lists of lists of unequal length cannot be bound otherwise. */
function timesLiteral(times: readonly number[]): string {
  return `{${times.map((ms) => new Date(ms).toISOString()).join(',')}}`;
}

export function loadGroupTypes(on: Connection, projectId: number): Promise<{ name: string; type_index: number }[]> {
  return run(on, sql`select name, type_index from group_types where project_id = ${projectId}`);
}

/** Gives a type the next free number, unless another process was quicker or the project has `most` types. */
export async function addGroupType(on: Connection, projectId: number, name: string, most: number): Promise<void> {
  await run(
    on,
    sql`insert into group_types (project_id, type_index, name)
        select ${projectId}::int, coalesce(max(type_index) + 1, 0), ${name}::text
          from group_types
         where project_id = ${projectId}
        having coalesce(max(type_index) + 1, 0) < ${most}::int
        on conflict do nothing`,
  );
}

export interface GroupKey {
  type_index: number;
  key: string;
}

export interface GroupRow extends GroupKey {
  properties: JsonObject;
  property_stamps: unknown;
  created_at: number;
}

/** Makes the groups that do not exist yet, empty, and locks them all in the order of their keys. */
export async function lockGroups(
  on: Connection,
  projectId: number,
  groups: (GroupKey & { created_at: string })[],
): Promise<GroupRow[]> {
  const wanted = sql`jsonb_to_recordset(${sql.json(groups)}) as wanted (type_index smallint, key text, created_at timestamptz)`;
  await run(
    on,
    sql`insert into groups (project_id, type_index, key, created_at)
        select ${projectId}::int, type_index, key, created_at
          from ${wanted}
         order by type_index, key collate "C"
        on conflict (project_id, type_index, key) do nothing`,
  );
  return run(
    on,
    sql`select g.type_index, g.key, g.properties, g.property_stamps, g.created_at
          from groups g
          join ${wanted} on g.type_index = wanted.type_index and g.key = wanted.key
         where g.project_id = ${projectId} and g.key = any(${groups.map(({ key }) => key)}::text[])
         order by g.type_index, g.key collate "C"
           for no key update of g`,
  );
}

export async function updateGroups(
  on: Connection,
  projectId: number,
  groups: (GroupKey & { properties: JsonObject; property_stamps: unknown; created_at: string })[],
): Promise<void> {
  await run(
    on,
    sql`update groups g
           set properties = u.properties, property_stamps = u.property_stamps, created_at = u.created_at
          from jsonb_to_recordset(${sql.json(groups)})
               as u (type_index smallint, key text, properties jsonb, property_stamps jsonb, created_at timestamptz)
         where g.project_id = ${projectId} and g.type_index = u.type_index and g.key = u.key
           and g.key = any(${groups.map(({ key }) => key)}::text[])`,
  );
}

/**
 * The driver's errors pass through: by them the caller distinguishes bad data from an outage.
 * @param name prepares the statement; for the most frequent ones
 */
async function run<Row extends object>(on: Connection, fragment: Sql, name?: string): Promise<Row[]> {
  const result = await on.query({ ...fragment.toPg(), ...(name === undefined ? {} : { name }) });
  return result.rows as Row[];
}
