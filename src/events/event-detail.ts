/** One whole event: its own properties and those of its groups in one list, and the person as known today. */
import type { Knex } from 'knex';
import { notFound } from '#src/kit/errors.ts';
import { isUuid } from '#src/kit/ids.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { type EventDetail, eventMarks, groupKinds } from './contract.ts';
import { labelOf } from './live-words.ts';

/** First time with a four-digit year in PostgreSQL and JavaScript. */
const firstTime = Date.parse('0001-01-01T00:00:00Z') - 1;
const lastTime = Date.UTC(10_000, 0);

/** A whole event, its properties in parts. */
export interface WholeEvent {
  ts: number;
  receivedAt: number;
  uuid: string;
  event: string;
  distinctId: string;
  session: string | null;
  marks: number;
  properties: JsonObject | null;
  groups: (JsonObject | null)[];
  person: string;
  identified: boolean;
  personProperties: JsonObject;
}

/** The event at `(ts, uuid)`. @throws AppError `not_found` */
export async function fetchEventDetail(
  db: Knex,
  projectId: ProjectId,
  { ts, uuid }: { ts: number; uuid: string },
): Promise<EventDetail> {
  if (!isUuid(uuid) || !(ts > firstTime && ts < lastTime)) throw notFound('event');
  const found = await fetchGivenDetail(db, rowAt(projectId, ts, uuid));
  if (found === null) throw notFound('event');
  return found;
}

/** The event of the only row that a query gives, with all columns of `events`. */
export async function fetchGivenDetail(db: Knex, rows: Sql): Promise<EventDetail | null> {
  const [row] = await query<WholeEvent>(db, wholeEvents(rows));
  if (row === undefined) return null;
  return {
    ts: row.ts,
    receivedAt: row.receivedAt,
    uuid: row.uuid,
    event: row.event,
    distinctId: row.distinctId,
    session: row.session,
    person: {
      uuid: row.person,
      identified: row.identified,
      label: labelOf(row.personProperties['name'], row.personProperties['email']),
      properties: row.personProperties,
    },
    properties: propertyList([row.properties, ...row.groups]),
    marks: marksOf(row.marks),
  };
}

function rowAt(projectId: number, ts: number, uuid: string): Sql {
  return sql`
    select *
      from events
     where project_id = ${projectId} and ts = ${sql.time(ts)} and uuid = ${uuid}::uuid
     limit 1`;
}

/** The events that `found` selects with all their columns, with all that belongs to them; in no order. */
export function wholeEvents(found: Sql): Sql {
  const kinds = Object.entries(groupKinds);
  const groups = kinds.map(
    ([name, kind]) => sql`(
      select properties from property_groups
      where project_id = event.project_id and kind = ${kind} and number = event.${sql.id(name)}
    )`,
  );
  const columns = sql`
    jsonb_strip_nulls(jsonb_build_object('$window_id', event.window_id, '$device_id', event.device_id))`;
  return sql`
    select event.ts, event.received_at as "receivedAt", event.uuid, event.marks, event.properties,
      names.name as event,
      distinct_ids.distinct_id as "distinctId",
      (select uuid from sessions where project_id = event.project_id and id = event.session_id) as session,
      jsonb_build_array(${sql.join([...groups, columns])}) as groups,
      persons.uuid as person, persons.identified, persons.properties as "personProperties"
    from (${found}) as event
    join event_names as names on names.project_id = event.project_id and names.number = event.event
    join distinct_ids on distinct_ids.project_id = event.project_id and distinct_ids.number = event.distinct_id
    left join person_overrides as merged on merged.project_id = event.project_id and merged.old_person = event.person
    join persons on persons.project_id = event.project_id and persons.number = coalesce(merged.new_person, event.person)`;
}

/** The names of the marks in a sum of them: internal traffic is no bot. */
export function marksOf(marks: number): string[] {
  return Object.entries(eventMarks)
    .filter(([name, bit]) => (marks & bit) !== 0 && (name !== 'bot' || (marks & eventMarks.internal) === 0))
    .map(([name]) => name);
}

/** Own properties first, then by group; a name that an earlier part holds is not repeated. */
function propertyList(parts: (JsonObject | null)[]): EventDetail['properties'] {
  const seen = new Map<string, JsonValue>();
  for (const part of parts) {
    for (const [name, value] of Object.entries(part ?? {})) if (!seen.has(name)) seen.set(name, value);
  }
  return [...seen].map(([name, value]) => ({ name, value, type: typeOf(value) }));
}

const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

function typeOf(value: JsonValue): EventDetail['properties'][number]['type'] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return /^https?:\/\//i.test(value) ? 'URL' : isoTime.test(value) ? 'time' : 'text';
  return typeof value as 'number' | 'boolean' | 'object';
}
