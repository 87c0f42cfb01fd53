/** The SQL of the live screen: what arrived, whole rows for it, and who is here now. All of one project. */
import type { PageSource } from '#src/kit/reading/page.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { eventMarks, groupKinds, type PeopleAt } from './contract.ts';

/** How many minutes the live screen looks back, and how many of them are "now". */
export const minutesShown = 30;
export const minutesNow = 5;

export const minuteMs = 60_000;

/** Identifies an event, with its position in the order of receipt. */
export interface EventAddress {
  ts: number;
  uuid: string;
  receivedAt: number;
}

/** Events received since a time, newest first, without historical imports, which are not live. */
export function receivedSince(projectId: number, since: number, limit: number, before: number | null = null): Sql {
  return sql`
    select ts, uuid, received_at as "receivedAt"
    from events
    where project_id = ${projectId}
      and received_at >= ${time(since)}
      ${before === null ? sql.empty : sql`and received_at < ${time(before)}`}
      and marks & ${eventMarks.historical} <> ${eventMarks.historical}
    order by received_at desc
    limit ${limit}`;
}

/** The newest events by event time, for the initial screen when few were received lately. Recent imports may be included. */
export function newest(projectId: number, importedSince: number, limit: number): Sql {
  return sql`
    select ts, uuid, received_at as "receivedAt"
    from events
    where project_id = ${projectId}
      and (marks & ${eventMarks.historical} <> ${eventMarks.historical} or ts >= ${time(importedSince)})
    order by ts desc
    limit ${limit}`;
}

export interface LiveSource extends PageSource {
  ts: number;
  receivedAt: number;
  uuid: string;
  event: string;
  distinctId: string;
  marks: number;
  country: string | null;
  elementText: string | null;
  elementsChain: string | null;
  exceptionType: string | null;
  exceptionValue: string | null;
  /** The event's own plain properties: texts (cut), numbers, booleans. */
  own: Record<string, string | number | boolean> | null;
  person: string | null;
  identified: boolean | null;
  personName: string | null;
  personEmail: string | null;
}

/** The rows at these addresses, in no order. */
export function rowsAt(projectId: number, addresses: EventAddress[]): Sql {
  const group = (alias: string, kind: number): Sql => sql`
    left join property_groups as ${sql.id(alias)}
      on ${sql.id(alias)}.project_id = event.project_id
      and ${sql.id(alias)}.kind = ${kind}
      and ${sql.id(alias)}.number = event.${sql.id(alias)}`;
  return sql`
    select event.ts, event.received_at as "receivedAt", event.uuid, event.marks,
      names.name as event,
      distinct_ids.distinct_id as "distinctId",
      geo.properties ->> '$geoip_country_code' as country,
      page.properties ->> '$pathname' as pathname, page.properties ->> '$screen_name' as screen,
      page.properties ->> '$current_url' as address,
      left(coalesce(elements.properties ->> '$el_text', event.properties ->> '$el_text'), 200) as "elementText",
      left(elements.properties ->> '$elements_chain', 2000) as "elementsChain",
      left(coalesce(event.properties #>> '{$exception_list,0,type}', event.properties #>> '{$exception_types,0}',
        event.properties ->> '$exception_type'), 200) as "exceptionType",
      left(coalesce(event.properties #>> '{$exception_list,0,value}', event.properties #>> '{$exception_values,0}',
        event.properties ->> '$exception_message'), 200) as "exceptionValue",
      (
        select jsonb_object_agg(key, case jsonb_typeof(value) when 'string' then to_jsonb(left(value #>> '{}', 200)) else value end)
        from jsonb_each(event.properties)
        where jsonb_typeof(value) in ('string', 'number', 'boolean') and (key not like '$%' or key like '$web_vitals_%_value')
      ) as own,
      persons.uuid as person, persons.identified,
      left(persons.properties ->> 'name', 200) as "personName",
      left(persons.properties ->> 'email', 200) as "personEmail"
    from unnest(
      ${addresses.map(({ ts }) => iso(ts))}::timestamptz[], ${addresses.map(({ uuid }) => uuid)}::uuid[]
    ) as address (ts, uuid)
    join events as event
      on event.project_id = ${projectId} and event.ts = address.ts and event.uuid = address.uuid
    left join event_names as names on names.project_id = event.project_id and names.number = event.event
    left join distinct_ids on distinct_ids.project_id = event.project_id and distinct_ids.number = event.distinct_id
    left join person_overrides as merged on merged.project_id = event.project_id and merged.old_person = event.person
    left join persons
      on persons.project_id = event.project_id and persons.number = coalesce(merged.new_person, event.person)
    ${group('page', groupKinds.page)}
    ${group('geo', groupKinds.geo)}
    ${group('elements', groupKinds.elements)}`;
}

export interface SummaryRow {
  peopleNow: number;
  eventsPerMinute: number;
  delayMs: number | null;
  /** People by minute since `firstOfSummary`. */
  minutes: PeopleOfMinute[];
  /** Pages as sent, by the properties that identify them. */
  pages: PresentPage[];
  sources: PeopleAt[];
}

export interface PresentPage extends PageSource {
  people: number;
}

/** Distinct persons of a minute; minutes without any are absent. */
export interface PeopleOfMinute {
  /** Counted from the first one that was asked for. */
  minute: number;
  people: number;
}

/** The first minute that a summary reads: five full ones before the running one. */
export function firstOfSummary(now: number): number {
  return Math.floor(now / minuteMs) * minuteMs - minutesNow * minuteMs;
}

/** People by minute, as a summary has them, of minutes before those of a summary. @param from, until full minutes, ms */
export function earlierMinutes(projectId: number, from: number, until: number): Sql {
  return sql`
    with seen as (
      select date_bin('1 minute', ts, ${time(from)}) as minute, person
      from events
      where project_id = ${projectId} and ts >= ${time(from)} and ts < ${time(until)}
        and marks & ${eventMarks.bot} <> ${eventMarks.bot}
      group by 1, 2
    )
    select ${minuteSince(from)} as minute, ${personsOfMinute} as people
    from seen
    left join person_overrides as merged on merged.project_id = ${projectId} and merged.old_person = person
    group by 1`;
}

function minuteSince(first: number): Sql {
  return sql`(extract(epoch from minute - ${time(first)}) / 60)::int`;
}

const personsOfMinute = sql`count(distinct coalesce(merged.new_person, person))::int`;

/** Rows of the lists of pages and sources. */
export const placesShown = 8;
/** Pages that people are on and that a project's rules may make one, of which the commonest are read. */
const MAX_PAGES_READ = 5_000;

/**
 * Current visitors: persons after merges, without bots; the rate of all events, and the delay of non-imported ones.
 * By event time. A person's page is that of their newest event with one; their source is that of the visit of their
 * newest event.
 *
 * @param reader normalizes pages; pages that it may group are returned singly
 */
export function summary(projectId: number, now: number, reader: Reader): Sql {
  const first = firstOfSummary(now);
  const runningMinute = first + minutesNow * minuteMs;
  const isHashRouted = reader.besides('$pathname').length > 0;
  return sql`
    with recent as materialized (
      select event.ts, event.received_at, event.uuid, event.page, event.source, event.session_id,
        event.person,
        event.marks & ${eventMarks.bot} <> ${eventMarks.bot} as human,
        event.marks & ${eventMarks.historical} <> ${eventMarks.historical} as live
      from events as event
      where event.project_id = ${projectId} and event.ts >= ${time(first)} and event.ts <= ${time(now)}
    ), seen as (
      select date_bin('1 minute', ts, ${time(first)}) as minute, person
      from recent
      where human
      group by 1, 2
    ), minutes as (
      select ${minuteSince(first)} as minute, ${personsOfMinute} as people
      from seen
      left join person_overrides as merged on merged.project_id = ${projectId} and merged.old_person = person
      group by 1
    ), newest as (
      select person, max(ts) as seen_at, max(ts) filter (where page is not null) as paged_at
      from recent
      where human and ts > ${time(now - minutesNow * minuteMs)}
      group by 1
    ), present as (
      select coalesce(merged.new_person, person) as person,
        (array_agg(page order by ts desc, uuid desc) filter (where page is not null))[1] as page,
        (array_agg(session_id order by ts desc, uuid desc))[1] as session,
        (array_agg(source order by ts desc, uuid desc))[1] as source
      from recent
      left join person_overrides as merged on merged.project_id = ${projectId} and merged.old_person = person
      -- Two lists to look up in: joined, they would be compared one by one, as nothing is known yet of rows so new.
      where human
        and ((person, ts) in (select person, seen_at from newest) or (person, ts) in (select person, paged_at from newest))
      group by 1
    ), pages as (
      select its.pathname, its.screen, its.address, count(*)::int as people
      from present
      left join property_groups as page
        on page.project_id = ${projectId} and page.kind = ${groupKinds.page} and page.number = present.page
      cross join lateral (
        select page_spelling(page.properties ->> '$pathname') as pathname,
          case when page.properties ->> '$pathname' is null then page.properties ->> '$screen_name' end as screen,
          ${isHashRouted ? sql`page.properties ->> '$current_url'` : sql`null`} as address
      ) as its
      group by its.pathname, its.screen, its.address
      order by people desc, coalesce(its.pathname, its.screen, '') collate "C"
      limit ${reader.key === '' ? placesShown : MAX_PAGES_READ}
    ), sources as (
      select value, count(*)::int as people
      from present
      left join sessions on sessions.project_id = ${projectId} and sessions.id = present.session
      left join property_groups as source
        on source.project_id = ${projectId} and source.kind = ${groupKinds.source}
        and source.number = coalesce(sessions.source, present.source)
      cross join lateral (
        values (coalesce(lower(nullif(source.properties ->> '$session_entry_utm_source', '')),
          source.properties ->> '$session_entry_referring_domain', source.properties ->> '$referring_domain', ''))
      ) as its (value)
      group by value
      order by people desc, value collate "C"
      limit ${placesShown}
    )
    select
      (select count(person)::int from present) as "peopleNow",
      (count(*) filter (
        where ts < ${time(runningMinute)}
      ))::float8 / ${minutesNow} as "eventsPerMinute",
      extract(epoch from percentile_cont(0.5) within group (order by received_at - ts)
        filter (where live and ts > ${time(now - minutesNow * minuteMs)}))::float8 * 1000 as "delayMs",
      coalesce((select jsonb_agg(minutes) from minutes), '[]') as minutes,
      coalesce((select jsonb_agg(pages) from pages), '[]') as pages,
      coalesce((select jsonb_agg(sources) from sources), '[]') as sources
    from recent`;
}

function time(ms: number): Sql {
  return sql`${iso(ms)}::timestamptz`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
