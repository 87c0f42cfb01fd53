/** The questions of the bench as plain SQL on the rows, and for DuckDB on the same data with everything in columns of two tables. */
import { type Sql, sql } from '#src/store/sql.ts';

export interface Span {
  from: number;
  until: number;
}

/** What a question keeps: a condition on events `e` of PostgreSQL, and on DuckDB's `events`. */
export interface Kept {
  postgres: Sql;
  duckdb: string;
}

/** By what a table is made: a property of a group of events or visits. DuckDB has it as a column of that name. */
export interface By {
  of: 'events' | 'sessions';
  /** Columns of `events` or `sessions` of PostgreSQL, and of DuckDB. */
  column: string;
  duckdb: string;
  kind: number;
  property: string;
  /** Names of the events that count, of those that have the property; absent: views. */
  names?: readonly string[];
  /** What the property says, of a group `p`; absent: the property. */
  value?: Sql;
}

const viewNames = ['$pageview', '$screen'];

function within(projectId: number, { from, until }: Span, names: readonly string[] | null = viewNames): Sql {
  const named = names
    ? sql`and event in (select number from event_names n where n.project_id = e.project_id and n.name = any (${[...names]}::text[]))`
    : sql.empty;
  return sql`e.project_id = ${projectId} and ts >= ${iso(from)}::timestamptz and ts < ${iso(until)}::timestamptz ${named} and marks & 1 <> 1`;
}

const views = sql`event in (select number from event_names n where n.project_id = e.project_id and n.name in ('$pageview', '$screen'))`;
const survivor = sql`left join person_overrides o on o.project_id = e.project_id and o.old_person = e.person`;

/** `visitors, views` of the span, with daily rows of the same, which are not fetched. */
export function viewsSql(projectId: number, span: Span, kept: Kept | null): Sql {
  return sql`
    with seen as (
      select floor(extract(epoch from ts) / 86400) as day, coalesce(o.new_person, e.person) as person, count(*) as views
        from events e left join person_overrides o on o.project_id = e.project_id and o.old_person = e.person
       where ${within(projectId, span)} ${kept ? sql`and ${kept.postgres}` : sql.empty}
       group by 1, 2
    ), days as (select day, count(*) as visitors, sum(views) as views from seen group by 1)
    select (select count(distinct person) from seen)::int as visitors, sum(views)::int as views, count(*)::int as days from days`;
}

/** Visits `s` of the span, those of which a view is kept. */
function visitsWithin(projectId: number, { from, until }: Span, kept: Kept | null): Sql {
  const joined = kept
    ? sql`join (select distinct e.session_id as id from events e where e.project_id = ${projectId}
                 and ts >= ${iso(from)}::timestamptz and ts < ${iso(until + 86_400_000)}::timestamptz and ${views} and ${kept.postgres}) as k using (id)`
    : sql.empty;
  return sql`sessions s ${joined}
     where s.project_id = ${projectId} and first_ts >= ${iso(from)}::timestamptz and first_ts < ${iso(until)}::timestamptz
       and views + screens > 0 and not bot`;
}

/** `visits, bounced, seconds` of the span. */
export function visitsSql(projectId: number, span: Span, kept: Kept | null): Sql {
  return sql`
    select count(*)::int as visits,
      (count(*) filter (where views + screens + autocaptures = 1 and last_ts - first_ts < interval '10 s'))::int as bounced,
      sum(extract(epoch from last_ts - first_ts))::float8 as seconds
      from ${visitsWithin(projectId, span, kept)}`;
}

/** `value, visitors, count`, eight of them. */
export function tableSql(projectId: number, span: Span, by: By, kept: Kept | null): Sql {
  const column = sql.id(by.column);
  const rows =
    by.of === 'events'
      ? sql`select ${column} as number, coalesce(o.new_person, e.person) as person, count(*) as count
              from events e left join person_overrides o on o.project_id = e.project_id and o.old_person = e.person
             where ${within(projectId, span, by.names)} ${kept ? sql`and ${kept.postgres}` : sql.empty} group by 1, 2`
      : sql`select ${column} as number, null::int as person, count(*) as count from ${visitsWithin(projectId, span, kept)} group by 1
             union all
            select v.${column}, seen.person, 0
              from (select e.session_id, coalesce(o.new_person, e.person) as person from events e ${survivor}
                     where ${within(projectId, span)} ${kept ? sql`and ${kept.postgres}` : sql.empty}) as seen
              left join sessions v on v.project_id = ${projectId} and v.id = seen.session_id
             group by 1, 2`;
  return sql`
    select coalesce(${by.value ?? sql`p.properties ->> ${by.property}`}, '') as value, count(distinct person)::int as visitors, sum(count)::int as count
      from (${rows}) as seen
      left join property_groups p on p.project_id = ${projectId} and p.kind = ${by.kind}::smallint and p.number = seen.number
     ${by.names ? sql`where p.properties ? ${by.property}` : sql.empty}
     group by 1 order by 3 desc, 1 limit 8`;
}

/** `value, visitors, count`: events of every name, the eight commonest. */
export function namesSql(projectId: number, span: Span, kept: Kept | null): Sql {
  return sql`
    select n.name as value, count(distinct person)::int as visitors, sum(count)::int as count
      from (select event, coalesce(o.new_person, e.person) as person, count(*) as count from events e ${survivor}
             where ${within(projectId, span, null)} ${kept ? sql`and ${kept.postgres}` : sql.empty} group by 1, 2) as seen
      join event_names n on n.project_id = ${projectId} and n.number = seen.event
     group by 1 order by 3 desc, 1 limit 8`;
}

/** `cell, visitors, views`: hours of the week from Sunday on, those in which anybody came. */
export function hoursSql(projectId: number, span: Span, timeZone: string, kept: Kept | null): Sql {
  return sql`
    select (extract(dow from local) * 24 + extract(hour from local))::int as cell, count(distinct person)::int as visitors, count(*)::int as views
      from (select ts at time zone ${timeZone} as local, coalesce(o.new_person, e.person) as person from events e ${survivor}
             where ${within(projectId, span)} ${kept ? sql`and ${kept.postgres}` : sql.empty}) as seen
     group by 1 order by 1`;
}

const vitals = ['LCP', 'INP', 'CLS', 'FCP'] as const;

/** `value` (null: of all pages), the third quartile and the number of each vital; pages with most of the first, eight and all. */
export function vitalsSql(projectId: number, span: Span, kept: Kept | null): Sql {
  const values = vitals.map(
    (vital) => sql`(e.properties ->> ${`$web_vitals_${vital}_value`})::float8 as ${sql.id(vital)}`,
  );
  const figures = vitals.map(
    (vital) =>
      sql`percentile_cont(0.75) within group (order by ${sql.id(vital)}) as ${sql.id(`${vital}_p75`)}, count(${sql.id(vital)})::int as ${sql.id(`${vital}_count`)}`,
  );
  return sql`
    with seen as (
      select coalesce(p.properties ->> '$pathname', '') as path, ${sql.join(values)}
        from events e left join property_groups p on p.project_id = e.project_id and p.kind = 1 and p.number = e.page
       where ${within(projectId, span, ['$web_vitals'])} ${kept ? sql`and ${kept.postgres}` : sql.empty}
    )
    (select null as value, ${sql.join(figures)} from seen)
    union all
    (select path, ${sql.join(figures)} from seen where "LCP" is not null group by 1 order by "LCP_count" desc, 1 limit 8)`;
}

const deviceFields = sql`d.properties ->> '$browser' as browser, d.properties ->> '$os' as os, d.properties ->> '$device_type' as device_type,
  d.properties ->> '$browser_language' as language, d.properties ->> '$timezone' as time_zone`;

const vitalFields = sql`e.properties ->> '$web_vitals_LCP_value' as "LCP", e.properties ->> '$web_vitals_INP_value' as "INP",
  e.properties ->> '$web_vitals_CLS_value' as "CLS", e.properties ->> '$web_vitals_FCP_value' as "FCP"`;

/** What DuckDB is filled with: events with what questions ask for, written out. */
export function exportSql(projectId: number): Sql {
  return sql`
    select ts, e.session_id, coalesce(o.new_person, e.person) as person, n.name, e.marks & 1 = 1 as bot,
           g.properties ->> '$pathname' as path, ${deviceFields}, l.properties ->> '$geoip_country_code' as country,
           e.properties ->> 'experiment' as experiment, e.properties ->> 'order_ref' as order_ref, e.properties ->> 'rare' as rare, c.properties ->> '$external_click_url' as outbound,
           ${vitalFields}
      from events e
      join event_names n on n.project_id = e.project_id and n.number = e.event
      left join person_overrides o on o.project_id = e.project_id and o.old_person = e.person
      left join property_groups g on g.project_id = e.project_id and g.kind = 1 and g.number = e.page
      left join property_groups d on d.project_id = e.project_id and d.kind = 2 and d.number = e.device
      left join property_groups l on l.project_id = e.project_id and l.kind = 4 and l.number = e.geo
      left join property_groups c on c.project_id = e.project_id and c.kind = 6 and c.number = e.elements
     where e.project_id = ${projectId}
     order by ts`;
}

export function exportSessionsSql(projectId: number): Sql {
  return sql`
    select s.id, first_ts, last_ts, views + screens as views, autocaptures, bot, coalesce(o.new_person, s.person) as person,
           r.properties ->> '$channel_type' as channel, r.properties ->> '$session_entry_referring_domain' as domain,
           r.properties ->> '$session_entry_utm_source' as utm_source, r.properties ->> '$session_entry_utm_campaign' as utm_campaign,
           r.properties ->> '$session_entry_utm_medium' as utm_medium, r.properties ->> '$session_entry_utm_term' as utm_term,
           r.properties ->> '$session_entry_utm_content' as utm_content, ${widthOf(sql`d`)} as screen,
           n.properties ->> '$pathname' as entry_path, x.properties ->> '$pathname' as exit_path, ${deviceFields},
           l.properties ->> '$geoip_country_code' as country
      from sessions s
      left join person_overrides o on o.project_id = s.project_id and o.old_person = s.person
      left join property_groups r on r.project_id = s.project_id and r.kind = 3 and r.number = s.source
      left join property_groups n on n.project_id = s.project_id and n.kind = 1 and n.number = s.entry_page
      left join property_groups x on x.project_id = s.project_id and x.kind = 1 and x.number = s.exit_page
      left join property_groups d on d.project_id = s.project_id and d.kind = 2 and d.number = s.device
      left join property_groups l on l.project_id = s.project_id and l.kind = 4 and l.number = s.geo
     where s.project_id = ${projectId}
     order by first_ts`;
}

export function exportPersonsSql(projectId: number): Sql {
  return sql`select number, properties ->> 'plan' as plan from persons where project_id = ${projectId} and not merged`;
}

/** The class of the width of a device's window. */
export function widthOf(group: Sql): Sql {
  const width = sql`coalesce(${group}.properties ->> '$viewport_width', ${group}.properties ->> '$screen_width')::float8`;
  return sql`case when ${width} >= 1440 then '1440+' when ${width} >= 992 then '992-1439' when ${width} >= 576 then '576-991' when ${width} >= 0 then '0-575' end`;
}

const duckViews = `name in ('$pageview', '$screen') and not bot`;

function duckWithin({ from, until }: Span, which = duckViews): string {
  return `ts >= '${iso(from)}' and ts < '${iso(until)}' and ${which}`;
}

function duckAnd(kept: Kept | null): string {
  return kept ? `and ${kept.duckdb}` : '';
}

export function duckViewsSql(span: Span, kept: Kept | null): string {
  const where = `${duckWithin(span)} ${kept ? `and ${kept.duckdb}` : ''}`;
  return `
    with seen as (select date_trunc('day', ts) as day, person, count(*) as views from events where ${where} group by 1, 2),
      days as (select day, count(*) as visitors, sum(views) as views from seen group by 1)
    select (select count(distinct person) from seen)::int as visitors, sum(views)::int as views, count(*)::int as days from days`;
}

function duckVisits({ from, until }: Span, kept: Kept | null): string {
  const some = kept
    ? `and id in (select session_id from events where ts >= '${iso(from)}' and ts < '${iso(until + 86_400_000)}' and ${duckViews} and ${kept.duckdb})`
    : '';
  return `sessions where first_ts >= '${iso(from)}' and first_ts < '${iso(until)}' and views > 0 and not bot ${some}`;
}

export function duckVisitsSql(span: Span, kept: Kept | null): string {
  return `
    select count(*)::int as visits,
      (count(*) filter (where views + autocaptures = 1 and last_ts - first_ts < interval '10 seconds'))::int as bounced,
      sum(epoch(last_ts - first_ts))::double as seconds
    from ${duckVisits(span, kept)}`;
}

export function duckTableSql(span: Span, by: By, kept: Kept | null): string {
  const rows =
    by.of === 'events'
      ? `events where ${by.names ? `${duckWithin(span, duckNamed(by.names))} and ${by.duckdb} is not null` : duckWithin(span)} ${duckAnd(kept)}`
      : null;
  if (rows === null) return duckVisitsTableSql(span, by, kept);
  return `
    select coalesce(${by.duckdb}, '') as value, count(distinct person)::int as visitors, count(*)::int as count
    from ${rows} group by 1 order by 3 desc, 1 limit 8`;
}

/** Visitors are those who have a view in the span, whenever their visit began. */
function duckVisitsTableSql(span: Span, by: By, kept: Kept | null): string {
  return `
    select coalesce(value, '') as value, count(distinct person)::int as visitors, sum(count)::int as count
    from (select ${by.duckdb} as value, null as person, 1 as count from ${duckVisits(span, kept)}
          union all
          select s.${by.duckdb}, seen.person, 0
          from (select session_id, person from events where ${duckWithin(span)} ${duckAnd(kept)}) as seen
          left join sessions s on s.id = seen.session_id)
    group by 1 order by 3 desc, 1 limit 8`;
}

function duckNamed(names: readonly string[]): string {
  return `name in (${names.map((name) => `'${name}'`).join(', ')}) and not bot`;
}

export function duckNamesSql(span: Span, kept: Kept | null): string {
  return `
    select name as value, count(distinct person)::int as visitors, count(*)::int as count
    from events where ${duckWithin(span, 'not bot')} ${duckAnd(kept)} group by 1 order by 3 desc, 1 limit 8`;
}

export function duckHoursSql(span: Span, timeZone: string, kept: Kept | null): string {
  return `
    with seen as (select ts at time zone '${timeZone}' as local, person from events where ${duckWithin(span)} ${duckAnd(kept)})
    select (extract(dow from local) * 24 + extract(hour from local))::int as cell, count(distinct person)::int as visitors, count(*)::int as views
    from seen group by 1 order by 1`;
}

export function duckVitalsSql(span: Span, kept: Kept | null): string {
  const figures = vitals
    .map((vital) => `quantile_cont(${vital}, 0.75) as ${vital}_p75, count(${vital})::int as ${vital}_count`)
    .join(', ');
  return `
    with seen as (select coalesce(path, '') as path, ${vitals.join(', ')} from events where ${duckWithin(span, duckNamed(['$web_vitals']))} ${duckAnd(kept)})
    (select null as value, ${figures} from seen)
    union all
    (select path, ${figures} from seen where LCP is not null group by 1 order by LCP_count desc, 1 limit 8)`;
}

/** By day; of a breakdown with the five commonest values. */
export function duckTrendSql(
  span: Span,
  { name, measure, by }: { name: string; measure: 'events' | 'persons'; by: string | null },
  kept: Kept | null,
): string {
  const seen = `select date_trunc('day', ts) as day, ${by ?? "''"} as value, person from events where ${duckWithin(span, duckNamed([name]))} ${duckAnd(kept)}`;
  const most = by === null ? '' : 'where value in (select value from seen group by 1 order by count(*) desc limit 5)';
  return `
    with seen as (${seen})
    select day, value, ${measure === 'events' ? 'count(*)' : 'count(distinct person)'}::int as figure from seen ${most} group by 1, 2 order by 1, 2`;
}

/** How many persons did the first step, the second within two weeks, the third. */
export function duckFunnelSql(span: Span, names: readonly [string, string, string], kept: Kept | null): string {
  const [one, two, three] = names.map(
    (name) => `select person, ts from events where ${duckWithin(span, duckNamed([name]))} ${duckAnd(kept)}`,
  );
  return `
    with one as (${one}), two as (${two}), three as (${three})
    select count(distinct one.person)::int as first,
      count(distinct case when two.ts - one.ts <= interval '14 days' then one.person end)::int as second,
      count(distinct case when three.ts - one.ts <= interval '14 days' then one.person end)::int as third
    from one asof left join two on two.person = one.person and two.ts > one.ts
      asof left join three on three.person = one.person and three.ts > two.ts`;
}

/** Of those who did the one in a week, how many did the other in each week after. */
export function duckRetentionSql(span: Span, names: readonly [string, string], kept: Kept | null): string {
  const [start, back] = names.map(
    (name) =>
      `select distinct date_trunc('week', ts) as week, person from events where ${duckWithin(span, duckNamed([name]))} ${duckAnd(kept)}`,
  );
  return `
    with start as (${start}), back as (${back})
    select start.week, date_diff('week', start.week, back.week) as later, count(distinct start.person)::int as people
    from start join back on back.person = start.person and back.week >= start.week group by 1, 2 order by 1, 2`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
