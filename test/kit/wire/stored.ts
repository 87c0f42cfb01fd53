/** What the database holds of one project, read with plain SQL that knows the schema and nothing of the code that wrote it. */
import { eventMarks } from '#src/events/contract.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { TestDatabase } from '#test/kit/database.ts';

export interface StoredEvent {
  event: string;
  distinctId: string;
  uuid: string;
  session: string | null;
  /** ms */
  ts: number;
  receivedAt: number;
  marks: string[];
  /** Property groups, ids in columns of their own and the event's own, together. */
  properties: JsonObject;
  /** Number of the person that the event belongs to now. */
  person: number;
}

export interface StoredPerson {
  number: number;
  distinctIds: string[];
  identified: boolean;
  hasProfile: boolean;
  properties: JsonObject;
}

export interface StoredSession {
  session: string;
  events: number;
  views: number;
  autocaptures: number;
  bot: boolean;
  entryPath: string | null;
  exitPath: string | null;
}

export interface Stored {
  events: StoredEvent[];
  persons: StoredPerson[];
  sessions: StoredSession[];
  groups: { type: string; key: string; properties: JsonObject }[];
  /** Events by outcome that was no success, summed over time. */
  drops: Record<string, number>;
  /** Sum of the counts per event name and quarter. */
  counted: number;
}

const EVENTS = `
  select n.name as event, d.distinct_id as "distinctId", e.uuid, s.uuid as session,
         extract(epoch from e.ts)::float8 * 1000 as ts, extract(epoch from e.received_at)::float8 * 1000 as "receivedAt",
         e.marks, coalesce(o.new_person, e.person) as person,
         (select coalesce(jsonb_object_agg(each.key, each.value), '{}')
            from property_groups g cross join lateral jsonb_each(g.properties) each
           where g.project_id = e.project_id
             and (g.kind, g.number) in ((1, e.page), (2, e.device), (3, e.source), (4, e.geo), (5, e.flags), (6, e.elements)))
         || jsonb_strip_nulls(jsonb_build_object('$window_id', e.window_id, '$device_id', e.device_id))
         || coalesce(e.properties, '{}') as properties
    from events e
    join event_names n on n.project_id = e.project_id and n.number = e.event
    join distinct_ids d on d.project_id = e.project_id and d.number = e.distinct_id
    left join sessions s on s.project_id = e.project_id and s.id = e.session_id
    left join person_overrides o on o.project_id = e.project_id and o.old_person = e.person
   where e.project_id = $1
   order by e.ts, e.uuid`;

const PERSONS = `
  select p.number, p.identified, p.has_profile as "hasProfile", p.properties, array_agg(d.distinct_id order by d.number) as "distinctIds"
    from distinct_ids d join persons p on p.project_id = d.project_id and p.number = d.person
   where d.project_id = $1
   group by p.project_id, p.number order by p.number`;

const SESSIONS = `
  select s.uuid as session, s.events, s.views, s.autocaptures, s.bot,
         entry.properties->>'$pathname' as "entryPath", exit.properties->>'$pathname' as "exitPath"
    from sessions s
    left join property_groups entry on entry.project_id = s.project_id and entry.kind = 1 and entry.number = s.entry_page
    left join property_groups exit on exit.project_id = s.project_id and exit.kind = 1 and exit.number = s.exit_page
   where s.project_id = $1 order by s.id`;

const GROUPS = `
  select t.name as type, g.key, g.properties
    from groups g join group_types t on t.project_id = g.project_id and t.type_index = g.type_index
   where g.project_id = $1 order by 1, 2`;

const DROPS = `
  select outcome, sum(events)::int as times from ingestion_minutes
   where project_id = $1 and outcome not in ('stored', 'duplicate') group by 1`;

export async function readStored(database: TestDatabase, projectId: number): Promise<Stored> {
  const events = await database.query<StoredEvent & { marks: never }>(EVENTS, [projectId]);
  const drops = await database.query<{ outcome: string; times: number }>(DROPS, [projectId]);
  const [counted] = await database.query<{ sum: number }>(
    'select coalesce(sum(events + bots), 0)::int as sum from event_counts where project_id = $1',
    [projectId],
  );
  return {
    events: events.map((row) => ({ ...row, marks: marksIn(row.marks) })),
    persons: await database.query<StoredPerson>(PERSONS, [projectId]),
    sessions: await database.query<StoredSession>(SESSIONS, [projectId]),
    groups: await database.query(GROUPS, [projectId]),
    drops: Object.fromEntries(drops.map(({ outcome, times }) => [outcome, times])),
    counted: counted?.sum ?? 0,
  };
}

export function marksIn(bits: number): string[] {
  return Object.entries(eventMarks).flatMap(([mark, bit]) => (bits & bit ? [mark] : []));
}
