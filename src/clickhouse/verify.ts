/** Holds what is copied against what is stored: events and persons by day and event name, visits by day. */
import type { Client } from 'pg';
import { formatDate } from '#src/kit/zone.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from './connection.ts';
import { keptEvents, otherDays } from './dropping/kept.ts';
import { plain } from './target.ts';

export interface ClickhouseVerification {
  events: number;
  visits: number;
  /** What differs, a sentence each; the first ones. */
  findings: string[];
}

interface DayRow {
  project: number;
  day: number;
  /** 0: visits. */
  event: number;
  count: number;
  persons: number;
  /** Adds up what events refer to: groups, visits, marks, ends of uuids and how many properties. */
  sum: number;
}

/** `[from, until)` in ms. */
type Span = { from: number; until: number };

const MAX_FINDINGS = 20;

/**
 * When nothing waits to be copied, and nobody copies. Of dropped events only their number is known here.
 * @param span ms; absent: all
 */
export async function verifyCopy(
  client: Client,
  house: ClickhouseConnection,
  shipped: number,
  span: Span | null = null,
): Promise<ClickhouseVerification> {
  const kept = await keptEvents(client);
  const [stored, copied] = await Promise.all([storedDays(client, shipped, span), copiedDays(house, kept, span)]);
  const keyOf = ({ project, day, event }: DayRow) => `${project} ${day} ${event}`;
  const others = new Map(copied.map((row) => [keyOf(row), row]));
  const findings: string[] = [];
  for (const row of stored) {
    const other = others.get(keyOf(row));
    others.delete(keyOf(row));
    const differs =
      other === undefined || (['count', 'persons', 'sum'] as const).some((name) => row[name] !== other[name]);
    if (differs) findings.push(finding(row, other));
  }
  for (const row of others.values()) findings.push(finding({ ...row, count: 0, persons: 0, sum: 0 }, row));
  for (const { project, day, rows } of span === null ? await otherDays(client, house) : [])
    findings.push(`Project ${project}, ${formatDate(day)} (UTC), dropped events: ClickHouse has ${rows}.`);
  const total = (isVisit: boolean) =>
    stored.reduce((sum, { event, count }) => sum + ((event === 0) === isVisit ? count : 0), 0);
  return { events: total(false), visits: total(true), findings: findings.slice(0, MAX_FINDINGS) };
}

function finding(stored: DayRow, copied: DayRow | undefined): string {
  const what = stored.event === 0 ? 'visits' : `events number ${stored.event}`;
  const both = `${stored.count} stored, ${copied?.count ?? 0} in ClickHouse`;
  const more = stored.count === copied?.count ? ', with other persons or properties' : '';
  return `Project ${stored.project}, ${formatDate(stored.day)} (UTC), ${what}: ${both}${more}.`;
}

/** The last digits of a uuid as a number; 0 for none. */
const storedTail = (column: string): Sql => sql`coalesce(('x' || right(${sql.id(column)}::text, 6))::bit(24)::int, 0)`;
const copiedTail = (column: string): Sql =>
  sql`reinterpretAsUInt32(reverse(unhex(substring(toString(${sql.id(column)}), 31, 6))))`;

function storedDays(client: Client, shipped: number, span: Span | null): Promise<DayRow[]> {
  const within = (column: string) =>
    span === null
      ? sql`true`
      : sql`${sql.id(column)} >= ${sql.time(span.from)} and ${sql.id(column)} < ${sql.time(span.until)}`;
  return query<DayRow>(
    client,
    sql`select events.project_id as project, floor(extract(epoch from ts) / 86400)::int as day, event, count(*)::float8 as count,
               count(distinct coalesce(merged.new_person, person))::float8 as persons,
               sum(coalesce(page, 0)::bigint + coalesce(device, 0) + coalesce(source, 0) + coalesce(geo, 0) + coalesce(flags, 0)
                   + coalesce(elements, 0) + coalesce(session_id, 0) + marks
                   + ${storedTail('window_id')} + ${storedTail('device_id')}
                   + case jsonb_typeof(properties) when 'object' then (select count(*) from jsonb_object_keys(properties)) else 0 end
               )::float8 as sum
          from events
          left join person_overrides as merged on merged.project_id = events.project_id and merged.old_person = events.person
         where epoch <= ${shipped} and ${within('ts')}
         group by 1, 2, 3
        union all
        select project_id, floor(extract(epoch from first_ts) / 86400)::int, 0, count(*)::float8, count(distinct person)::float8,
               sum(coalesce(device, 0)::bigint + coalesce(source, 0) + coalesce(geo, 0) + coalesce(entry_page, 0) + coalesce(exit_page, 0)
                   + views + screens + autocaptures + bot::int)::float8
          from sessions where ${within('first_ts')}
         group by 1, 2`,
  );
}

/** @param kept dropped events, which are not compared */
function copiedDays(house: ClickhouseConnection, kept: Sql | null, span: Span | null): Promise<DayRow[]> {
  const within = (column: string) =>
    span === null ? sql`1` : sql`${sql.id(column)} >= ${span.from} and ${sql.id(column)} < ${span.until}`;
  const table = (name: string) => plain(`${house.database}.${name}`);
  return house.query<DayRow>(
    sql`select events.project_id as project, toInt32(floor(ts / 86400000)) as day, event, count() as count,
               uniqExact(if(merged.new_person = 0, person, merged.new_person)) as persons,
               sum(toUInt64(page) + device + source + geo + flags + elements + session_id + marks + length(properties)
                   + ${copiedTail('window_id')} + ${copiedTail('device_id')}) as sum
          from ${table('events')} as events
          left join (select project_id, old_person, new_person from ${table('person_overrides')} final) as merged
            on merged.project_id = events.project_id and merged.old_person = events.person
         where ${within('ts')} and ${kept === null ? sql`1` : sql`not ${kept}`}
         group by 1, 2, 3
        union all
        select project_id, toInt32(floor(first_ts / 86400000)), 0, count(), uniqExact(person),
               sum(toUInt64(device) + source + geo + entry_page + exit_page + views + screens + autocaptures + bot)
          from ${table('sessions')} final where ${within('first_ts')}
         group by 1, 2`,
  );
}
