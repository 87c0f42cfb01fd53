/**
 * Event outcomes by minute, and warnings of a project. Written in the transaction of their batch,
 * so that the numbers stay exact when the process ends. Owner of `ingestion_minutes`, `ingestion_warnings` and `ingestion_kept`.
 */
import type { Knex } from 'knex';
import type { Pool, PoolClient } from 'pg';
import type { AppendOutcome, FinishedEvent } from '#src/events/contract.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { dayMs, hourMs } from '#src/kit/zone.ts';
import type { PreparedStatement } from '#src/store/message.ts';
import { query, sql } from '#src/store/sql.ts';
import type { IngestMinute, IngestProblem } from './contract.ts';
import type { Note, NoteSet } from './notes.ts';

const MINUTE_MS = 60_000;

/** Events of one project, minute and outcome. */
export interface Tally {
  projectId: number;
  /** Start of the minute, ms. */
  minute: number;
  outcome: string;
  events: number;
}

/** Sums up a batch: what was stored, what was there before, what was dropped. */
export function tallyOf(
  events: readonly FinishedEvent[],
  outcomes: readonly AppendOutcome[],
  notes: readonly Note[],
): Tally[] {
  const tallies = new Map<string, Tally>();
  let last: Tally | null = null;
  const count = (projectId: number, at: number, outcome: string, times: number) => {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    if (last?.projectId === projectId && last.minute === minute && last.outcome === outcome) {
      last.events += times;
      return;
    }
    const key = `${projectId} ${minute} ${outcome}`;
    last = tallies.get(key) ?? null;
    if (last === null) {
      last = { projectId, minute, outcome, events: 0 };
      tallies.set(key, last);
    }
    last.events += times;
  };
  for (let index = 0; index < events.length; index++) {
    const { projectId, receivedAt } = events[index] as FinishedEvent;
    count(projectId, receivedAt, outcomes[index] ?? 'stored', 1);
  }
  for (const { projectId, at, reason, isDrop, times } of notes) if (isDrop) count(projectId, at, reason, times);
  return [...tallies.values()];
}

/**
 * The statement that adds tallies, null for none. Every writer wants the row of the running minute, so it goes with the commit, in one
 * message: the row is locked while the commit is written, and no longer.
 */
export function talliesStatement(tallies: readonly Tally[]): PreparedStatement | null {
  if (tallies.length === 0) return null;
  const rows = [...tallies].sort(
    (one, other) =>
      one.projectId - other.projectId || one.minute - other.minute || (one.outcome < other.outcome ? -1 : 1),
  );
  return {
    name: 'ingestion-minutes-add',
    text: ADD_TALLIES,
    values: [
      rows.map((row) => row.projectId),
      rows.map((row) => new Date(row.minute).toISOString()),
      rows.map((row) => row.outcome),
      rows.map((row) => row.events),
    ],
  };
}

const ADD_TALLIES = `
  insert into ingestion_minutes as known (project_id, minute, outcome, events)
  select * from unnest($1::int[], $2::timestamptz[], $3::text[], $4::int[])
  on conflict (project_id, minute, outcome) do update set events = known.events + excluded.events`;

/** Adds notes to the warnings of their hour; the newest sample stays. */
export async function addWarnings(client: Pick<PoolClient, 'query'>, notes: readonly Note[]): Promise<void> {
  const rows = mergeByHour(notes);
  if (rows.length === 0) return;
  await client.query(
    `insert into ingestion_warnings as known (project_id, reason, hour, times, last_at, sample)
     select project_id, reason, to_timestamp(hour / 1000), times, to_timestamp(at / 1000), sample
     from unnest($1::int[], $2::text[], $3::float8[], $4::int[], $5::float8[], $6::jsonb[])
       as note (project_id, reason, hour, times, at, sample)
     on conflict (project_id, reason, hour) do update set
       times = known.times + excluded.times,
       last_at = greatest(known.last_at, excluded.last_at),
       sample = case when excluded.last_at >= known.last_at then excluded.sample else known.sample end`,
    [
      rows.map((row) => row.projectId),
      rows.map((row) => row.reason),
      rows.map((row) => Math.floor(row.at / hourMs) * hourMs),
      rows.map((row) => row.times),
      rows.map((row) => row.at),
      rows.map((row) => JSON.stringify(row.sample)),
    ],
  );
}

/** Counts notes, each set once: they may be read from a disk again, or written by a transaction that was given up. */
export async function countOnce(pool: Pool, sets: readonly NoteSet[], nowMs: number): Promise<void> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('begin');
    const { rows } = await enterSets(client, sets, nowMs);
    const fresh = new Set(rows.map(({ id }) => id));
    const notes = sets.flatMap((set) => (fresh.delete(set.id) ? set.notes : []));
    await addWarnings(client, notes);
    const tallies = talliesStatement(tallyOf([], [], notes));
    if (tallies !== null) await client.query(tallies);
    await client.query('commit');
    isBroken = false;
  } finally {
    client.release(isBroken);
  }
}

/** Marks sets as counted and returns those that were new; waits for another transaction with the same sets. */
export function enterSets(
  client: Pick<PoolClient, 'query'>,
  sets: readonly NoteSet[],
  nowMs: number,
): Promise<{ rows: { id: string }[] }> {
  return client.query<{ id: string }>(
    `insert into ingestion_kept (id, at) select id, $2 from unnest($1::uuid[]) as id order by id
     on conflict do nothing returning id`,
    [sets.map(({ id }) => id), new Date(nowMs)],
  );
}

/** One note per project, reason and hour, in the order in which every writer takes the rows. */
function mergeByHour(notes: readonly Note[]): Note[] {
  const merged = new Map<string, Note>();
  for (const note of notes) {
    const key = `${note.projectId} ${note.reason} ${Math.floor(note.at / hourMs)}`;
    const same = merged.get(key);
    if (same === undefined) merged.set(key, { ...note });
    else {
      same.times += note.times;
      if (note.at >= same.at) Object.assign(same, { at: note.at, sample: note.sample });
    }
  }
  return [...merged.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, note]) => note);
}

/** Notes as few as possible, for those that have to wait in memory. */
export function mergeNotes(notes: readonly Note[]): Note[] {
  const drops = mergeByHour(notes.filter((note) => note.isDrop));
  return [...drops, ...mergeByHour(notes.filter((note) => !note.isDrop))];
}

/** The minutes since `fromMs`, oldest first. */
export async function readMinutes(db: Knex, projectId: number, fromMs: number): Promise<IngestMinute[]> {
  const rows = await query<{ minute: number; outcome: string; events: number }>(
    db,
    sql`select minute, outcome, events from ingestion_minutes
      where project_id = ${projectId} and minute >= ${new Date(fromMs)}
      order by minute, outcome`,
  );
  const minutes: IngestMinute[] = [];
  for (const { minute, outcome, events } of rows) {
    let last = minutes.at(-1);
    if (last?.at !== minute) {
      last = { at: minute, outcomes: {} };
      minutes.push(last);
    }
    last.outcomes[outcome] = events;
  }
  return minutes;
}

/** Drops and warnings of hours from `fromMs` on, totaled by reason. */
export async function readProblems(
  db: Knex,
  projectId: number,
  fromMs: number,
  order: 'frequent' | 'newest',
): Promise<IngestProblem[]> {
  const rows = await query<{ reason: string; times: number; at: number; sample: JsonObject }>(
    db,
    sql`select reason, sum(times)::int as times, max(last_at) as at, (array_agg(sample order by last_at desc))[1] as sample
      from ingestion_warnings
      where project_id = ${projectId} and hour >= ${new Date(fromMs)}
      group by reason
      order by ${order === 'newest' ? sql`at desc` : sql`times desc, reason`}
      limit 50`,
  );
  return rows;
}

/** Minutes are for looking at the last days, warnings for the last months. */
export async function expireWarnings(db: Knex, nowMs: number): Promise<void> {
  await query(db, sql`delete from ingestion_minutes where minute < ${new Date(nowMs - 8 * dayMs)}`);
  await query(db, sql`delete from ingestion_warnings where hour < ${new Date(nowMs - 90 * dayMs)}`);
  await query(db, sql`delete from ingestion_kept where at < ${new Date(nowMs - 30 * dayMs)}`);
}
