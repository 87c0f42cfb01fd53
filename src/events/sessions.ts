/**
 * Sessions of a batch: summed up here, then merged into the rows with one statement. Which event is first, entry or exit is
 * decided by event time with the uuid as tie-break, so that any order of arrival gives the same row.
 */
import type { ClientBase } from 'pg';
import { bools, ints, times, uuids } from '#src/store/binary.ts';
import type { CodedEvent } from './coding.ts';
import { eventMarks } from './contract.ts';

interface Summary {
  projectId: number;
  uuid: string;
  first: CodedEvent;
  lastTs: number;
  /** First and last view. */
  entry: CodedEvent | null;
  exit: CodedEvent | null;
  views: number;
  screens: number;
  autocaptures: number;
  events: number;
  bot: boolean;
  /** Known once it is written. */
  id: number;
}

/** Adds the events to their sessions' rows, making new ones, and notes the sessions' ids with the events. */
export async function upsertSessions(client: ClientBase, events: readonly CodedEvent[]): Promise<void> {
  const { sessions, ofEvents } = summarize(events);
  if (sessions.length === 0) return;
  const { rows } = await client.query<{ id: number }>({
    name: 'sessions-upsert',
    text: UPSERT,
    values: [
      ints(sessions, (session) => session.projectId),
      uuids(sessions, (session) => session.uuid),
      times(sessions, (session) => session.first.ts),
      uuids(sessions, (session) => session.first.event.uuid),
      times(sessions, (session) => session.lastTs),
      ints(sessions, (session) => session.first.person),
      ints(sessions, (session) => session.first.distinctId),
      ints(sessions, (session) => session.first.groups.device),
      ints(sessions, (session) => session.first.groups.geo),
      ints(sessions, (session) => session.first.groups.source),
      times(sessions, (session) => session.entry?.ts ?? null),
      uuids(sessions, (session) => session.entry?.event.uuid ?? null),
      ints(sessions, (session) => session.entry?.groups.page ?? null),
      times(sessions, (session) => session.exit?.ts ?? null),
      uuids(sessions, (session) => session.exit?.event.uuid ?? null),
      ints(sessions, (session) => session.exit?.groups.page ?? null),
      ints(sessions, (session) => session.views),
      ints(sessions, (session) => session.screens),
      ints(sessions, (session) => session.autocaptures),
      ints(sessions, (session) => session.events),
      bools(sessions, (session) => session.bot),
    ],
  });
  // An upsert gives its rows in the order in which it was given them.
  for (let place = 0; place < sessions.length; place++) {
    (sessions[place] as Summary).id = (rows[place] as { id: number }).id;
  }
  for (let index = 0; index < events.length; index++) {
    (events[index] as CodedEvent).sessionId = ofEvents[index]?.id ?? null;
  }
}

/** In the order of project and uuid, in which all batches lock them; and the session of each event. */
function summarize(events: readonly CodedEvent[]): { sessions: Summary[]; ofEvents: (Summary | null)[] } {
  const summaries = new Map<string, Summary>();
  const most = events[0]?.projectId;
  const ofEvents = events.map((coded) => {
    const { session: uuid } = coded.event;
    if (uuid === null) return null;
    // Mostly all are of one project: then the text that is there is the key.
    const key = coded.projectId === most ? uuid : `${uuid}${coded.projectId}`;
    let summary = summaries.get(key);
    if (summary === undefined) {
      summary = newSummary(coded, uuid);
      summaries.set(key, summary);
    }
    add(summary, coded);
    return summary;
  });
  const sessions = [...summaries.values()];
  sessions.sort((a, b) => a.projectId - b.projectId || (a.uuid < b.uuid ? -1 : 1));
  return { sessions, ofEvents };
}

function newSummary(first: CodedEvent, uuid: string): Summary {
  return {
    projectId: first.projectId,
    uuid,
    first,
    lastTs: first.ts,
    entry: null,
    exit: null,
    views: 0,
    screens: 0,
    autocaptures: 0,
    events: 0,
    bot: false,
    id: 0,
  };
}

function add(summary: Summary, coded: CodedEvent): void {
  const { event } = coded.event;
  summary.events++;
  if (coded.marks & eventMarks.bot) summary.bot = true;
  if (isBefore(coded, summary.first)) summary.first = coded;
  if (coded.ts > summary.lastTs) summary.lastTs = coded.ts;
  if (event === '$autocapture') summary.autocaptures++;
  else if (event === '$pageview') summary.views++;
  else if (event === '$screen') summary.screens++;
  if (event !== '$pageview' && event !== '$screen') return;
  if (summary.entry === null || isBefore(coded, summary.entry)) summary.entry = coded;
  if (summary.exit === null || isBefore(summary.exit, coded)) summary.exit = coded;
}

/** Chronological order, ties by uuid in PostgreSQL's order (bytes). */
function isBefore(one: CodedEvent, other: CodedEvent): boolean {
  return one.ts < other.ts || (one.ts === other.ts && one.event.uuid.toLowerCase() < other.event.uuid.toLowerCase());
}

const EARLIER = '(excluded.first_ts, excluded.first_uuid) < (s.first_ts, s.first_uuid)';
const ENTERS =
  'excluded.entry_ts is not null and (s.entry_ts is null or (excluded.entry_ts, excluded.entry_uuid) < (s.entry_ts, s.entry_uuid))';
const LEAVES =
  'excluded.exit_ts is not null and (s.exit_ts is null or (excluded.exit_ts, excluded.exit_uuid) > (s.exit_ts, s.exit_uuid))';
const ofFirst = (name: string): string => `${name} = case when ${EARLIER} then excluded.${name} else s.${name} end`;
const ofEntry = (name: string): string => `${name} = case when ${ENTERS} then excluded.${name} else s.${name} end`;
const ofExit = (name: string): string => `${name} = case when ${LEAVES} then excluded.${name} else s.${name} end`;

const UPSERT = `
  insert into sessions as s (
    project_id, uuid, first_ts, first_uuid, last_ts, person, distinct_id, device, geo, source,
    entry_ts, entry_uuid, entry_page, exit_ts, exit_uuid, exit_page, views, screens, autocaptures, events, bot
  )
  select * from unnest(
    $1::int[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::timestamptz[], $6::int[], $7::int[], $8::int[], $9::int[],
    $10::int[], $11::timestamptz[], $12::uuid[], $13::int[], $14::timestamptz[], $15::uuid[], $16::int[],
    $17::int[], $18::int[], $19::int[], $20::int[], $21::boolean[]
  )
  on conflict (project_id, uuid) do update set
    ${['first_ts', 'first_uuid', 'person', 'distinct_id', 'device', 'geo', 'source'].map(ofFirst).join(', ')},
    last_ts = greatest(s.last_ts, excluded.last_ts),
    ${['entry_ts', 'entry_uuid', 'entry_page'].map(ofEntry).join(', ')},
    ${['exit_ts', 'exit_uuid', 'exit_page'].map(ofExit).join(', ')},
    views = s.views + excluded.views,
    screens = s.screens + excluded.screens,
    autocaptures = s.autocaptures + excluded.autocaptures,
    events = s.events + excluded.events,
    bot = s.bot or excluded.bot
  returning id`;
