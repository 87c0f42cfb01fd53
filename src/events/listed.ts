/**
 * Reads events for lists and files, many at a time: shared property groups are read once, and unused ones
 * are skipped.
 */
import type { Knex } from 'knex';
import { type JsonObject, type JsonValue, putProperty } from '#src/kit/json.ts';
import { plainReader, type Reader } from '#src/kit/reading/reader.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { type GroupKind, groupKinds } from './contract.ts';
import { marksOf } from './event-detail.ts';
import { detailOfProperties, labelOf } from './live-words.ts';

/** An event with everything that belongs to it, in one object. */
export interface HistoryEvent {
  uuid: string;
  event: string;
  ts: number;
  receivedAt: number;
  distinctId: string;
  /** Uuid of the person as known today. */
  person: string;
  session: string | null;
  properties: JsonObject;
  marks: string[];
}

/** An event as lists show it. */
export interface ListedEvent extends HistoryEvent {
  /** Short summary from its data, such as the path; may be ''. */
  detail: string;
  identified: boolean;
  /** A name or e-mail address of the person, else null. */
  label: string | null;
  personProperties: JsonObject;
}

export interface ListedOptions {
  /** False: `person`, `identified`, `label` and `personProperties` are empty. */
  persons?: boolean;
  /** False: `label` and `personProperties` are empty. */
  profiles?: boolean;
  /** False: `detail` is ''. */
  details?: boolean;
  /** How `detail` reads pages; absent: in the one spelling. */
  reader?: Reader;
  /** Groups that are known from pages before. */
  groups?: KnownGroups;
}

/** Properties of groups by kind and number. To be forgotten soon: groups may be emptied. */
export type KnownGroups = Map<string, JsonObject>;

const kinds = Object.keys(groupKinds) as GroupKind[];
/** The event's own properties are the ones that count, then those of the first kind. */
const weakestFirst = [...kinds].reverse();

type Row = Record<GroupKind, number | null> & {
  ts: number;
  receivedAt: number;
  uuid: string;
  event: string;
  distinctId: string;
  session: string | null;
  windowId: string | null;
  deviceId: string | null;
  marks: number;
  properties: JsonObject | null;
  person?: string;
  identified?: boolean;
  personProperties?: JsonObject;
};

/** @param found rows of `events` with all their columns. The newest first */
export async function listEvents(
  db: Knex,
  projectId: ProjectId,
  found: Sql,
  { persons = true, profiles = persons, details = true, reader = plainReader, groups = new Map() }: ListedOptions = {},
): Promise<ListedEvent[]> {
  const rows = await query<Row>(db, rowsSql(found, persons, profiles));
  await learn(db, projectId, rows, groups);
  return rows.map((row) => {
    const properties = allProperties(row, groups);
    const { ts, receivedAt, uuid, event, distinctId, session, marks, personProperties = {} } = row;
    return {
      uuid,
      event,
      ts,
      receivedAt,
      distinctId,
      session,
      properties,
      marks: marksOf(marks),
      person: row.person ?? '',
      identified: row.identified ?? false,
      personProperties,
      label: labelOf(personProperties['name'], personProperties['email']),
      detail: details ? detailOfProperties(event, properties, row.properties ?? {}, reader) : '',
    };
  });
}

function rowsSql(found: Sql, persons: boolean, profiles: boolean): Sql {
  const profile = profiles ? sql`, persons.properties as "personProperties"` : sql.empty;
  const known = persons ? sql`, persons.uuid as person, persons.identified ${profile}` : sql.empty;
  const join = persons
    ? sql`
      left join person_overrides as merged on merged.project_id = event.project_id and merged.old_person = event.person
      join persons on persons.project_id = event.project_id and persons.number = coalesce(merged.new_person, event.person)`
    : sql.empty;
  return sql`
    select event.ts, event.received_at as "receivedAt", event.uuid, event.marks, event.properties,
           event.window_id as "windowId", event.device_id as "deviceId",
           ${sql.join(kinds.map((kind) => sql`event.${sql.id(kind)}`))},
           names.name as event, distinct_ids.distinct_id as "distinctId",
           (select uuid from sessions where project_id = event.project_id and id = event.session_id) as session ${known}
      from (${found}) as event
      join event_names as names on names.project_id = event.project_id and names.number = event.event
      join distinct_ids on distinct_ids.project_id = event.project_id and distinct_ids.number = event.distinct_id
      ${join}
     order by event.ts desc, event.uuid desc`;
}

async function learn(db: Knex, projectId: number, rows: readonly Row[], groups: KnownGroups): Promise<void> {
  for (const kind of kinds) {
    const missing = new Set<number>();
    for (const { [kind]: number } of rows) if (number !== null && !groups.has(`${kind} ${number}`)) missing.add(number);
    if (missing.size === 0) continue;
    const read = await query<{ number: number; properties: JsonObject }>(
      db,
      sql`select number, properties from property_groups
           where project_id = ${projectId} and kind = ${groupKinds[kind]}::smallint and number = any(${[...missing]}::int[])`,
    );
    for (const { number, properties } of read) groups.set(`${kind} ${number}`, properties);
  }
}

function allProperties(row: Row, groups: KnownGroups): JsonObject {
  const all: JsonObject = {};
  if (row.windowId !== null) all['$window_id'] = row.windowId;
  if (row.deviceId !== null) all['$device_id'] = row.deviceId;
  for (const kind of weakestFirst) {
    const number = row[kind];
    if (number !== null) put(all, groups.get(`${kind} ${number}`));
  }
  put(all, row.properties);
  if (row.session !== null) all['$session_id'] = row.session;
  return all;
}

function put(all: JsonObject, part: JsonObject | null | undefined): void {
  for (const name in part) putProperty(all, name, part[name] as JsonValue);
}
