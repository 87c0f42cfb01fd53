/** SQL of Live's current visitors, and other products' definitions. */
import type { Knex } from 'knex';
import { groupPathSql } from '#src/columns/filters/filter-sql.ts';
import { eventMarks, groupKinds } from '#src/events/contract.ts';
import { type ReadingRules, rulesIn } from '#src/kit/reading/reader.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { sqlText } from '#src/store/sql-text.ts';
import { eventPerson } from '../query/rows.ts';
import type { QueryProject } from '../query/scope.ts';
import type { ScreenExplanation } from './contract.ts';

const MINUTE_MS = 60_000;
const MINUTES = 5;
const MINUTES_SHOWN = 30;
const PLACES_SHOWN = 8;

const notBot = sql`events.marks & ${eventMarks.bot} = 0`;

/** Explains the numbers of Live at a time. */
export async function explainNow(
  db: Knex,
  { id: projectId, settings }: Pick<QueryProject, 'id' | 'settings'>,
  at: number,
): Promise<ScreenExplanation<'live'>> {
  const running = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const since = at - MINUTES * MINUTE_MS;
  const statements = {
    now: figures(projectId, { at, running, since }),
    minutes: minutes(projectId, { from: running - (MINUTES_SHOWN - 1) * MINUTE_MS, at }),
    pages: pages({ projectId, reading: rulesIn(settings) }, { since, at }),
    sources: sources(projectId, { since, at }),
  };
  const [others] = await query<{ bots: number; internal: number; people: number }>(
    db,
    sql`select count(*) filter (where ${isBot} and events.ts > ${sql.time(since)})::float8 as bots,
          count(*) filter (where events.marks & ${eventMarks.internal} <> 0 and events.ts > ${sql.time(since)})::float8 as internal,
          count(distinct ${eventPerson}) filter (where ${notBot})::float8 as people
        ${fromEvents(projectId, at - MINUTES_SHOWN * MINUTE_MS, at)}`,
  );
  const { bots = 0, internal = 0, people = 0 } = others ?? {};
  return {
    at,
    parts: (['now', 'minutes', 'pages', 'sources'] as const).map((of) => ({ of, sql: sqlText(statements[of]) })),
    left: [{ what: 'bots', count: bots }, ...(internal > 0 ? [{ what: 'internal' as const, count: internal }] : [])],
    elsewhere: [{ product: 'ga4', value: people }],
  };
}

const isBot = sql`events.marks & ${eventMarks.bot | eventMarks.internal} = ${eventMarks.bot}`;

function fromEvents(projectId: ProjectId, from: number, at: number): Sql {
  return sql`from events
          left join person_overrides as merged
          on merged.project_id = events.project_id and merged.old_person = events.person
        where events.project_id = ${projectId}
          and events.ts >= ${sql.time(from)}
          and events.ts <= ${sql.time(at)}`;
}

function figures(projectId: ProjectId, { at, running, since }: Record<'at' | 'running' | 'since', number>): Sql {
  const first = running - MINUTES * MINUTE_MS;
  return sql`
        select
          count(distinct ${eventPerson}) filter (
          where ${notBot} and events.ts > ${sql.time(since)}
          ) as people,
          count(*) filter (
          where events.ts >= ${sql.time(first)} and events.ts < ${sql.time(running)}
          )::float8 / ${MINUTES} as "eventsPerMinute",
          percentile_cont(0.5) within group (order by extract(epoch from events.received_at - events.ts)) filter (
          where events.marks & ${eventMarks.historical} = 0 and events.ts > ${sql.time(since)}
          ) * 1000 as "delayMs"
        ${fromEvents(projectId, first, at)}`;
}

function minutes(projectId: ProjectId, { from, at }: { from: number; at: number }): Sql {
  return sql`
        select date_trunc('minute', events.ts) as minute, count(distinct ${eventPerson}) as people
        ${fromEvents(projectId, from, at)}
          and ${notBot}
        group by 1
        order by 1`;
}

interface Present {
  since: number;
  at: number;
}

/** A row per current visitor, with the given columns. */
function present(projectId: ProjectId, { since, at }: Present, said: Sql): Sql {
  return sql`
        with present as (
        select ${eventPerson} as person, ${said}
        ${fromEvents(projectId, since, at)}
          and events.ts > ${sql.time(since)}
          and ${notBot}
        group by 1
        )`;
}

const mostFirst = sql`
        group by value
        order by people desc, value collate "C"
        limit ${PLACES_SHOWN}`;

function pages(rows: { projectId: ProjectId; reading: ReadingRules }, when: Present): Sql {
  const { projectId } = rows;
  const newest = sql`(array_agg(events.page order by events.ts desc, events.uuid desc) filter (where events.page is not null))[1] as page`;
  return sql`${present(projectId, when, newest)}
        select value, count(*) as people
        from present
          left join property_groups as page
          on page.project_id = ${projectId} and page.kind = ${groupKinds.page} and page.number = present.page
          cross join lateral (
          select coalesce(${groupPathSql(rows, sql`page.properties`)}, page.properties ->> '$screen_name', '') as value
          ) as its
        ${mostFirst}`;
}

function sources(projectId: ProjectId, when: Present): Sql {
  const newest = (column: Sql) => sql`(array_agg(${column} order by events.ts desc, events.uuid desc))[1]`;
  return sql`${present(projectId, when, sql`${newest(sql`events.session_id`)} as session, ${newest(sql`events.source`)} as source`)}
        select value, count(*) as people
        from present
          left join sessions as visit
          on visit.project_id = ${projectId} and visit.id = present.session
          left join property_groups as source
          on source.project_id = ${projectId} and source.kind = ${groupKinds.source} and source.number = coalesce(visit.source, present.source)
          cross join lateral (
          select coalesce(
          lower(nullif(source.properties ->> '$session_entry_utm_source', '')),
          source.properties ->> '$session_entry_referring_domain', source.properties ->> '$referring_domain', ''
          ) as value
          ) as its
        ${mostFirst}`;
}
