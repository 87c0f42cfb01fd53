/** People for other rooms, by their current identity after merges; and their erasure. */
import type { Knex } from 'knex';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { eraseRows } from './erasure.ts';
import { type DescribedGroup, describedGroup, eraseGroup, nameGroupType } from './group-rows.ts';
import * as lookup from './lookup.ts';
import { decodeProperties } from './properties.ts';
import { readForSplit, splitPerson } from './split.ts';

export type { KnownPerson } from './lookup.ts';

/** A person after all merges. */
export interface Person {
  /** Internal number; never shown. */
  number: number;
  uuid: string;
  identified: boolean;
  createdAt: number;
  properties: JsonObject;
  /** The oldest first, at most `MAX_IDS`. */
  distinctIds: string[];
  /** Total number of distinct ids. */
  distinctIdCount: number;
}

/** All that a person is known by, which is what has to be looked for. */
export interface Identity {
  /** The person's own number, and those of the persons that became them. */
  persons: number[];
  distinctIds: string[];
}

/** Someone of a project, for rooms that keep something of people. */
export interface ProjectIdentity extends Identity {
  projectId: number;
}

/** A property with the event that it comes from. */
export interface StampedProperty {
  name: string;
  value: JsonValue;
  by: { ts: number; uuid: string };
}

/** A group of people, such as a company. */
export interface Group {
  type: string;
  key: string;
  properties: JsonObject;
}

export interface PeopleQuery {
  /** A distinct id, or an email address in any case; absent: all people with a profile. */
  search?: string | undefined;
  /** Only persons with a lower number: where the page before ended. */
  after?: number | undefined;
  limit: number;
}

export type { SplitDone, SplitEvents, SplitQuery, SplitRead } from './split.ts';

export interface People {
  /** The newest first. */
  page(projectId: ProjectId, asked: PeopleQuery): Promise<Person[]>;
  /** By uuid; that of a merged person gives the current one. Null when there is none. */
  get(projectId: ProjectId, uuid: string): Promise<Person | null>;
  /** The current person of these numbers, with every distinct id. Null when erased. */
  current(projectId: ProjectId, persons: readonly number[]): Promise<Person | null>;
  /** All current ids of these persons, merges included. */
  identityOf(projectId: number, persons: readonly number[], on?: Queryable): Promise<Identity>;
  /** Properties with what set them, by their names. */
  stamped(projectId: ProjectId, person: number): Promise<StampedProperty[]>;
  /** Distinct ids, their own before those that merges brought, with the times of the merges that brought them. */
  ids(projectId: ProjectId, person: number, limit: number): Promise<{ distinctId: string; joinedAt: number[] }[]>;
  /** The number of a distinct id and of its person; null when unknown. */
  ofDistinctId(projectId: ProjectId, distinctId: string): Promise<{ number: number; person: number } | null>;
  /** Properties of people and groups that requests name, and the names of group types. */
  lookup: typeof lookup;
  /** A group with what set its properties; null: it was never described. */
  group(projectId: ProjectId, type: number, key: string): Promise<DescribedGroup | null>;
  /** Deletes the properties of a group, in the transaction of `on`. False: it was never described. */
  eraseGroup: typeof eraseGroup;
  /** What the project calls the groups of a type. */
  nameGroupType(projectId: ProjectId, named: { type: number; singular: string; plural: string }): Promise<void>;
  /** Groups by the number of their type and their key. */
  groups(projectId: ProjectId, keys: readonly { type: number; key: string }[]): Promise<Group[]>;
  /**
   * Takes an id out of a person, in the transaction of `on`; it belongs to someone new from the commit on. Their events are still to be moved.
   * Null: what was read before does not hold any more.
   * @throws AppError `not_found`, `conflict` when it is their only id
   */
  split: typeof splitPerson;
  /** Reads most events of a person before a split, without locks. */
  readForSplit: typeof readForSplit;
  /** Deletes persons in the transaction of `on`, and has every process forget them with its commit. Gives rows by table. */
  erase(on: Queryable, projectId: number, persons: readonly number[]): Promise<Record<string, number>>;
}

const MAX_IDS = 1_000;

export function createPeople({ db }: { db: Knex }): People {
  return {
    page: (projectId, { search, after, limit }) => {
      const found = search === undefined ? sql`p.has_profile` : sql`p.number in (${matching(projectId, search)})`;
      const older = after === undefined ? sql.empty : sql`and p.number < ${after}`;
      return query<Person>(db, select(projectId, sql`${found} ${older} order by p.number desc limit ${limit}`));
    },
    async get(projectId, uuid) {
      const [person] = await query<Person>(
        db,
        select(
          projectId,
          sql`p.number = (
            select coalesce(o.new_person, own.number)
              from persons own
              left join person_overrides o on o.project_id = own.project_id and o.old_person = own.number
             where own.project_id = ${projectId} and own.uuid = ${uuid}::uuid)`,
        ),
      );
      return person ?? null;
    },
    async current(projectId, persons) {
      const [person] = await query<Person>(
        db,
        select(projectId, sql`p.number = any(${[...persons]}::int[]) order by p.number limit 1`, null),
      );
      return person ?? null;
    },
    async identityOf(projectId, persons, on = db) {
      const [row] = await query<Identity>(
        on,
        sql`
        with current as (
          select distinct coalesce(o.new_person, asked.number) as number
            from unnest(${[...persons]}::int[]) as asked (number)
            left join person_overrides o on o.project_id = ${projectId} and o.old_person = asked.number
        )
        select array(select number from current
                     union
                     select old_person from person_overrides
                      where project_id = ${projectId} and new_person in (select number from current)
                     order by 1) as persons,
               array(select distinct_id from distinct_ids
                      where project_id = ${projectId} and person in (select number from current)
                      order by number) as "distinctIds"`,
      );
      return row as Identity;
    },
    async stamped(projectId, person) {
      const [row] = await query<{ properties: JsonObject; stamps: unknown }>(
        db,
        sql`select properties, property_stamps as stamps from persons where project_id = ${projectId} and number = ${person}`,
      );
      if (row === undefined) return [];
      const held = [...decodeProperties(row.properties, row.stamps)];
      return held
        .flatMap(
          ([
            name,
            {
              value,
              stamp: { ts, uuid },
            },
          ]) => (value === undefined ? [] : [{ name, value, by: { ts: Math.floor(ts), uuid } }]),
        )
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async ids(projectId, person, limit) {
      const rows = await query<{ distinctId: string; joinedAt: Date[] | null }>(
        db,
        sql`select distinct_id as "distinctId", joined_at as "joinedAt" from distinct_ids
             where project_id = ${projectId} and person = ${person} order by joined_at is not null, number limit ${limit}`,
      );
      return rows.map(({ distinctId, joinedAt }) => ({ distinctId, joinedAt: (joinedAt ?? []).map(Number) }));
    },
    async ofDistinctId(projectId, distinctId) {
      const [row] = await query<{ number: number; person: number }>(
        db,
        sql`select number, person from distinct_ids where project_id = ${projectId} and distinct_id = ${distinctId}`,
      );
      return row ?? null;
    },
    group: (projectId, type, key) => describedGroup(db, projectId, type, key),
    nameGroupType: (projectId, named) => nameGroupType(db, projectId, named),
    eraseGroup,
    groups: (projectId, keys) =>
      query<Group>(
        db,
        sql`select t.name as type, g.key, g.properties
              from unnest(${keys.map(({ type }) => type)}::int[], ${keys.map(({ key }) => key)}::text[]) as asked (type, key)
              join groups g on g.project_id = ${projectId} and g.type_index = asked.type and g.key = asked.key
              join group_types t on t.project_id = g.project_id and t.type_index = g.type_index
             order by g.type_index, g.key`,
      ),
    lookup,
    split: splitPerson,
    readForSplit,
    erase: eraseRows,
  };
}

function select(projectId: number, rest: Sql, mostIds: number | null = MAX_IDS): Sql {
  return sql`
    select p.number, p.uuid, p.identified, p.created_at as "createdAt", p.properties,
           array(select distinct_id from distinct_ids
                  where project_id = ${projectId} and person = p.number
                  order by number limit ${mostIds}) as "distinctIds",
           (select count(*)::int from distinct_ids
             where project_id = ${projectId} and person = p.number) as "distinctIdCount"
      from persons p
     where p.project_id = ${projectId} and not p.merged and ${rest}`;
}

/** An address is the same in capitals, also where it was sent as the id; any other id is what it is. */
function matching(projectId: number, search: string): Sql {
  const ids = search.includes('@') ? [search, search.toLowerCase()] : [search];
  return sql`
    select person from distinct_ids where project_id = ${projectId} and distinct_id = any(${ids}::text[])
    union all
    select number from persons where project_id = ${projectId} and email_key = left(lower(${search}), 400)`;
}
