/**
 * The SQL of the overview and its tables. Every statement counts within one span of time of one project, persons after
 * merges, bots apart. Words: docs/architecture.md; what each number means: views/words, "Explain".
 */
import { eventMarks, groupKinds } from '#src/events/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';

/** What is counted: `[from, until)` in ms. */
export interface Span {
  from: number;
  until: number;
}

/** Visits with one thing done and shorter than this are bounces. */
export const bounceSeconds = 10;

const botMark = eventMarks.bot;
const internalMark = eventMarks.internal;
const viewNames = ['$pageview', '$screen'];

/** One row per slot, and one with slot null for the whole span. */
export interface ViewRow {
  slot: number | null;
  visitors: number;
  views: number;
  botViews: number;
  /** Of the team's own traffic. */
  internalViews: number;
}

/** Page views and distinct persons with one, per slot and over the span. Slot n begins at `starts[n]`. */
export function countViews(projectId: number, span: Span, starts: number[]): Sql {
  return sql`
    with seen as (
      select width_bucket(ts, ${times(starts)}) - 1 as slot, person, human, internal, count(*) as views
      from (${viewsIn(projectId, span)}) as view
      group by 1, 2, 3, 4
    )
    select slot,
      (count(*) filter (where human))::int as visitors,
      coalesce(sum(views) filter (where human), 0)::float8 as views,
      coalesce(sum(views) filter (where not human and not internal), 0)::float8 as "botViews",
      coalesce(sum(views) filter (where internal), 0)::float8 as "internalViews"
    from seen
    group by slot
    union all
    select null,
      (select count(*) from (select person from seen where human group by person) as people)::int,
      coalesce(sum(views) filter (where human), 0)::float8,
      coalesce(sum(views) filter (where not human and not internal), 0)::float8,
      coalesce(sum(views) filter (where internal), 0)::float8
    from seen`;
}

export interface VisitRow {
  slot: number;
  visits: number;
  bounced: number;
  /** Sum of the durations. */
  seconds: number;
}

/** Visits that began in the span and hold a view, per slot; a visit's length and bounce are those of the whole visit. */
export function countVisits(projectId: number, span: Span, starts: number[]): Sql {
  return sql`
    select width_bucket(first_ts, ${times(starts)}) - 1 as slot,
      count(*)::int as visits,
      (count(*) filter (
        where views + screens + autocaptures = 1
        and last_ts - first_ts < make_interval(secs => ${bounceSeconds})
      ))::int as bounced,
      coalesce(sum(extract(epoch from last_ts - first_ts)), 0)::float8 as seconds
    from sessions
    where ${visitIn(projectId, span)}
    group by 1`;
}

/** Time of the first event that the project ever received, in ms. */
export function firstEvent(projectId: number): Sql {
  return sql`
    select ts
    from events
    where project_id = ${projectId}
    order by ts
    limit 1`;
}

/** A row of a table: also carries the sums over all values, so that one statement answers. */
export interface BreakdownRow {
  value: string;
  visitors: number;
  count: number;
  before: number;
  total: number;
  values: number;
}

/**
 * Views and visitors by path. Many pages share a path (query strings differ), and each path is counted under the number
 * of its first page: integers are grouped in two thirds of the time that texts take.
 */
export function viewsByPage(projectId: number, span: Span, before: Span | null, limit: number): Sql {
  const paths = sql`
    select number, value, case value when '' then 0 else min(number) over (partition by value collate "C") end as path
    from (
      select number, coalesce(properties ->> '$pathname', '') as value
      from property_groups
      where project_id = ${projectId} and kind = ${groupKinds.page}
    ) as pages`;
  const views = (part: Span): Sql => sql`
    select coalesce(paths.path, 0) as path, view.person
    from (${viewsIn(projectId, part)}) as view
    left join paths on paths.number = view.page
    where view.human`;
  const current = sql`
    select path, count(*) as visitors, sum(views) as count
    from (select path, person, count(*) as views from (${views(span)}) as view group by 1, 2) as seen
    group by 1`;
  const earlier = before && sql`select path, count(*) as count from (${views(before)}) as view group by 1`;
  const named = (counts: Sql, columns: Sql): Sql => sql`
    select coalesce(paths.value, '') as value, ${columns}
    from (${counts}) as counts
    left join paths on paths.number = counts.path`;
  return sql`
    with paths as materialized (${paths}),
    ${topValues(named(current, sql`visitors, count`), earlier && named(earlier, sql`count`), limit)}`;
}

/**
 * Visits and visitors by referring domain: of the address that the visit was entered with, as the collector derived it (one's
 * own pages are `$direct`).
 */
export function visitsByReferringDomain(projectId: number, span: Span, before: Span | null, limit: number): Sql {
  const byDomain = (part: Span): Sql => sql`
    select coalesce(
        sources.properties ->> '$session_entry_referring_domain',
        sources.properties ->> '$referring_domain',
        ''
      ) as value,
      coalesce(merged.new_person, seen.person) as person,
      sum(seen.visits) as count
    from (
      select source, person, count(*) as visits
      from sessions
      where ${visitIn(projectId, part)}
      group by 1, 2
    ) as seen
    left join person_overrides as merged on merged.project_id = ${projectId} and merged.old_person = seen.person
    left join property_groups as sources
      on sources.project_id = ${projectId} and sources.kind = ${groupKinds.source} and sources.number = seen.source
    group by 1, 2`;
  const current = sql`
    select value, count(*) as visitors, sum(count) as count from (${byDomain(span)}) as by_person group by 1`;
  const earlier = before && sql`select value, sum(count) as count from (${byDomain(before)}) as by_person group by 1`;
  return sql`with ${topValues(current, earlier, limit)}`;
}

/** The commonest of `(value, visitors, count)` rows, each with its count among the earlier `(value, count)` rows. */
function topValues(current: Sql, earlier: Sql | null, limit: number): Sql {
  return sql`current_values as (
      ${current}
    ), earlier_values as (
      ${earlier ?? sql`select null::text as value, 0 as count where false`}
    )
    select value, visitors::int as visitors, current_values.count::float8 as count,
      coalesce(earlier_values.count, 0)::float8 as before,
      (sum(current_values.count) over ())::float8 as total,
      (count(*) over ())::int as values
    from current_values
    left join earlier_values using (value)
    order by current_values.count desc, value collate "C"
    limit ${limit}`;
}

/**
 * Every view of the span: `ts, page, person, human, internal`; the person is the one it was merged into. PostgreSQL takes an
 * inequality for common and an equality for rare: with `= 0` it expects one row in 200 and sorts instead of hashing.
 */
function viewsIn(projectId: number, { from, until }: Span): Sql {
  return sql`
    select event.ts, event.page, coalesce(merged.new_person, event.person) as person,
      event.marks & ${botMark} <> ${botMark} as human,
      event.marks & ${internalMark} = ${internalMark} as internal
    from events as event
    left join person_overrides as merged
      on merged.project_id = event.project_id and merged.old_person = event.person
    where event.project_id = ${projectId}
      and event.ts >= ${time(from)}
      and event.ts < ${time(until)}
      and event.event = any(array(
        select number from event_names where project_id = ${projectId} and name = any(${viewNames}::text[])
      ))`;
}

/** Condition on sessions: began in the span, holds a view, is no bot's. */
function visitIn(projectId: number, { from, until }: Span): Sql {
  return sql`project_id = ${projectId}
      and first_ts >= ${time(from)}
      and first_ts < ${time(until)}
      and views + screens > 0
      and not bot`;
}

function time(ms: number): Sql {
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}

function times(ms: number[]): Sql {
  return sql`${ms.map((each) => new Date(each).toISOString())}::timestamptz[]`;
}
