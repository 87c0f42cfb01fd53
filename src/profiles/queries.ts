/** SQL of the profiles room about one person. `persons`: all numbers they ever had. */
import type { Knex } from 'knex';
import { groupSubjects, keyProperty } from '#src/columns/values.ts';
import { groupKinds } from '#src/events/contract.ts';
import type { DroppedEvents } from '#src/events/dropped.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { pageOfProperties } from '#src/kit/reading/page.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { PersonGroup, Source, Split, TimelineVisit, Touch } from './contract.ts';
import { MAX_COUNTED } from './values.ts';

const views = ['$pageview', '$screen'];
/** Events by which ids come to a person. */
export const mergeEvents = ['$identify', '$create_alias', '$merge_dangerously'];

export function labelOf(properties: JsonObject): { label: string | null; email: string | null } {
  const [name, email] = [properties['name'], properties['email']].map((each) =>
    typeof each === 'string' && each.trim() !== '' ? each.slice(0, 200) : null,
  );
  return { label: name ?? email ?? null, email: email ?? null };
}

export interface Figures {
  lastSeen: number | null;
  visits: number;
  views: number;
  events: number;
}

/** @param dropped counts events that are not stored here @throws AppError `unavailable` when these cannot be counted */
export async function figuresOf(
  db: Knex,
  projectId: number,
  persons: readonly number[],
  dropped: Pick<DroppedEvents, 'countOf'>,
): Promise<Figures> {
  const theirs = sql`project_id = ${projectId} and person = any(${[...persons]}::int[])`;
  const [row] = await query<Figures>(
    db,
    sql`with counted as (
          select count(*)::int as events,
                 (count(*) filter (where event in (
                   select number from event_names where project_id = ${projectId} and name = any(${views}::text[]))))::int as views
            from (select event from events where ${theirs} limit ${MAX_COUNTED + 1}) as done
        )
        select events, views,
               greatest(
                 (select max(own.ts)
                    from unnest(${[...persons]}::int[]) as known (number)
                   cross join lateral (
                     select ts from events where project_id = ${projectId} and person = known.number order by ts desc limit 1
                   ) as own),
                 (select max(last_ts) from dropped_persons where ${theirs})) as "lastSeen",
               (select count(*)::int
                  from (select from sessions where ${theirs} and views + screens > 0 limit ${MAX_COUNTED + 1}) as visit) as visits
          from counted`,
  );
  const found = row as Figures;
  const { events, views: seen } = await dropped.countOf(projectId, persons);
  return { ...found, events: found.events + events, views: found.views + seen };
}

/** A visit with what its groups say. */
interface VisitRow {
  uuid: string;
  firstTs: number;
  lastTs: number;
  views: number;
  events: number;
  page: JsonObject | null;
  source: JsonObject | null;
  device: JsonObject | null;
  geo: JsonObject | null;
}

function visits(projectId: number, which: Sql): Sql {
  const group = (kind: number, number: Sql) => sql`(
    select properties from property_groups where project_id = ${projectId} and kind = ${kind} and number = ${number})`;
  return sql`
    select v.uuid, v.first_ts as "firstTs", v.last_ts as "lastTs", v.views + v.screens as views, v.events,
           ${group(groupKinds.page, sql`v.entry_page`)} as page, ${group(groupKinds.source, sql`v.source`)} as source,
           ${group(groupKinds.device, sql`v.device`)} as device, ${group(groupKinds.geo, sql`v.geo`)} as geo
      from sessions v
     where v.project_id = ${projectId} and ${which}`;
}

/** Visits by uuid, in no order. @param reader how the project reads values */
export async function visitsAt(
  db: Knex,
  projectId: number,
  uuids: readonly string[],
  reader: Reader,
): Promise<TimelineVisit[]> {
  const rows = await query<VisitRow>(db, visits(projectId, sql`v.uuid = any(${[...uuids]}::uuid[])`));
  return rows.map(({ uuid, firstTs, lastTs, views, events, ...groups }) => ({
    uuid,
    firstTs,
    lastTs,
    views,
    events,
    entry: pageOfProperties(reader, groups.page),
    ...sourceOf(reader, groups.source),
    ...deviceOf(groups.device),
    city: textOf(groups.geo, '$geoip_city_name'),
    country: textOf(groups.geo, '$geoip_country_code'),
  }));
}

export interface Visited extends Touch {
  browser: string | null;
  os: string | null;
  device: string | null;
  language: string | null;
}

/** The first or the last visit that has a view in it. */
export async function endVisit(
  db: Knex,
  projectId: number,
  persons: readonly number[],
  { which, reader }: { which: 'first' | 'last'; reader: Reader },
): Promise<Visited | null> {
  const order = which === 'first' ? sql`v.first_ts, v.first_uuid` : sql`v.first_ts desc, v.first_uuid desc`;
  const [row] = await query<VisitRow>(
    db,
    sql`${visits(projectId, sql`v.person = any(${[...persons]}::int[]) and v.views + v.screens > 0`)}
         order by ${order} limit 1`,
  );
  if (row === undefined) return null;
  const { referrer, channel, campaign } = sourceOf(reader, row.source);
  return {
    at: row.firstTs,
    channel,
    referrer,
    campaign,
    page: pageOfProperties(reader, row.page),
    source: textOf(row.source, '$session_entry_utm_source'),
    medium: textOf(row.source, '$session_entry_utm_medium'),
    country: textOf(row.geo, '$geoip_country_code'),
    ...deviceOf(row.device),
    device: textOf(row.device, '$device_type'),
    language: textOf(row.device, '$browser_language'),
  };
}

function sourceOf(reader: Reader, group: JsonObject | null): Pick<Touch, 'channel' | 'referrer' | 'campaign'> {
  return {
    channel: channelOf(reader, group),
    referrer: textOf(group, '$session_entry_referring_domain'),
    campaign: textOf(group, '$session_entry_utm_campaign'),
  };
}

function deviceOf(group: JsonObject | null): { browser: string | null; os: string | null } {
  return {
    browser: textOf(group, '$webview_app') ?? textOf(group, '$browser'),
    os: textOf(group, '$os') ?? textOf(group, '$os_name'),
  };
}

function channelOf(reader: Reader, group: JsonObject | null): string | null {
  if (group === null) return null;
  const besides = reader.besides('$channel_type').map((name) => group[name]);
  return reader.value('$channel_type', textOf(group, '$channel_type'), besides);
}

function textOf(group: JsonObject | null, name: string): string | null {
  const value = group?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Events that set the current values, by uuid; absent when deleted. */
export async function eventsAt(
  db: Knex,
  projectId: number,
  persons: readonly number[],
  places: readonly { ts: number; uuid: string }[],
): Promise<Map<string, Source>> {
  const find = (some: typeof places, isOne: Sql) =>
    query<Source>(
      db,
      sql`select e.ts, e.uuid, n.name as event
            from unnest(${some.map(({ ts }) => new Date(ts).toISOString())}::timestamptz[],
                        ${some.map(({ uuid }) => uuid)}::uuid[]) as place (ts, uuid)
            join events e on e.project_id = ${projectId} and e.uuid = place.uuid and ${isOne}
            join event_names n on n.project_id = e.project_id and n.number = e.event`,
    );
  const known = places.filter(({ uuid, ts }) => uuid !== '' && ts > 0);
  const found = new Map((await find(known, sql`e.ts = place.ts`)).map((row) => [row.uuid, row]));
  const missing = [...new Map(known.map((each) => [each.uuid, each])).values()]
    .filter(({ uuid }) => !found.has(uuid))
    .slice(0, MAX_AHEAD);
  if (missing.length > 0) {
    for (const row of await find(missing, aheadOf(persons, sql`place.ts`))) found.set(row.uuid, row);
  }
  return found;
}

/** Events of clocks that were ahead are few; others that are not found are not stored any more. */
const MAX_AHEAD = 100;

/** Events of these persons from fast clocks, which count at their receipt. Clocks that are too far ahead are ignored. */
function aheadOf(persons: readonly number[], counts: Sql): Sql {
  return sql`e.person = any(${[...persons]}::int[]) and e.received_at = ${counts}
             and e.ts > ${counts} and e.ts < ${counts} + interval '1 day'`;
}

/** The events of these persons that merged someone into them, at these moments. */
export async function mergesAt(
  db: Knex,
  projectId: number,
  persons: readonly number[],
  moments: readonly number[],
): Promise<Merge[]> {
  if (moments.length === 0) return [];
  const find = (at: Sql, from: Sql) =>
    query<Merge>(
      db,
      sql`select ${at} as at, e.ts, e.uuid, n.name as event
            from ${from}
            join event_names n on n.project_id = e.project_id and n.number = e.event
           where n.name = any(${mergeEvents}::text[])
           order by e.ts, e.uuid`,
    );
  const times = (some: readonly number[]) => sql`${some.map((at) => new Date(at).toISOString())}::timestamptz[]`;
  const own = sql`(
    select * from events
     where project_id = ${projectId} and person = any(${[...persons]}::int[]) and ts = any(${times(moments)})) e`;
  const found = await find(sql`e.ts`, own);
  const known = new Set(found.map(({ at }) => at));
  const missing = moments.filter((moment) => !known.has(moment)).slice(0, MAX_AHEAD);
  if (missing.length === 0) return found;
  const ahead = sql`unnest(${times(missing)}) as moment (at)
    join events e on e.project_id = ${projectId} and ${aheadOf(persons, sql`moment.at`)}`;
  return [...found, ...(await find(sql`moment.at`, ahead))];
}

/** An event that merged someone, and when that counts. */
/** Latest events in which groups of a person are looked for, and groups that are listed. */
const EVENTS_WITH_GROUPS = 1_000;
const MAX_GROUPS = 20;

/** The groups of their latest events, those of most of them first. */
export function groupsOfPersons(db: Knex, projectId: number, persons: readonly number[]): Promise<PersonGroup[]> {
  const keys = groupSubjects.map((subject, type) => sql`(${type}::smallint, e.properties ->> ${keyProperty(subject)})`);
  return query(
    db,
    sql`select found.type::int as type, found.key,
               (select case jsonb_typeof(g.properties -> 'name') when 'string' then g.properties ->> 'name' end
                  from groups g
                 where g.project_id = ${projectId} and g.type_index = found.type and g.key = found.key) as label
          from (
            select own.type, own.key, count(*) as events
              from (
                select properties from events
                 where project_id = ${projectId} and person = any(${[...persons]}::int[])
                 order by ts desc
                 limit ${EVENTS_WITH_GROUPS}
              ) e
             cross join lateral (values ${sql.join(keys)}) as own (type, key)
             where own.key <> ''
             group by 1, 2
          ) found
         order by found.events desc, found.type, found.key
         limit ${MAX_GROUPS}`,
  );
}

export interface Merge extends Source {
  at: number;
}

/** Ids that were taken out of this person, or of which they were made. */
export function splitsOf(db: Knex, projectId: number, persons: readonly number[]): Promise<Split[]> {
  const list = sql`${[...persons]}::int[]`;
  const nowOf = (number: Sql) => sql`(
    select p.uuid from persons p
     where p.project_id = ${projectId} and not p.merged and p.number = coalesce(
       (select new_person from person_overrides where project_id = ${projectId} and old_person = ${number}), ${number}))`;
  return query<Split>(
    db,
    sql`select distinct_id as "distinctId", asked_at as at, asked_by_name as by, old_persons && ${list} as "isFrom",
               moved_at is null as "isMoving",
               case when old_persons && ${list} then ${nowOf(sql`s.new_person`)} else ${nowOf(sql`s.old_persons[1]`)} end as other
          from person_splits s
         where project_id = ${projectId} and (old_persons && ${list} or new_person = any(${list}))
         order by id desc limit 50`,
  );
}
