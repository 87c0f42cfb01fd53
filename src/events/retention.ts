/**
 * Retention: what projects do not keep is deleted, on a connection of its own, in steps so short that intake never waits for
 * one. Months that nobody keeps are dropped whole; the rest goes row by row. What is deleted lies further back than anything that
 * intake accepts, so nothing inside a project's retention is touched. Persons without a profile go with their last event. Property
 * groups follow a week later. Names of events and properties stay: they are few, and say nothing about when or who.
 */
import type { Client } from 'pg';
import { dayMs } from '#src/kit/zone.ts';
import type { Projects } from '#src/projects/projects.ts';
import { query, sql } from '#src/store/sql.ts';
import { eventsChannel } from './append.ts';
import { removeIdleGroups } from './idle-groups.ts';
import { removeIdlePersons } from './idle-persons.ts';
import { monthOf, type Partitions } from './partitions.ts';

/** Rows per statement: some ten milliseconds. */
const BATCH = 5_000;

/** What a project lost to its retention. */
export interface Retired {
  projectId: number;
  /** Events that happened before this moment are gone, ms: the start of a day, UTC. */
  before: number;
  events: number;
  /** Visits that ended before it. */
  sessions: number;
  /** Persons without a profile of whom nothing was left. */
  persons: number;
}

export interface RetireOptions {
  /** Ends the work after the statement under way; the next run goes on. */
  signal?: AbortSignal;
  /** Told once per project that lost something, also when the work ends early; its failure fails the run. */
  onRetired?: (retired: Retired) => Promise<void> | void;
  /** Rows per statement. */
  batch?: number;
}

export interface RetentionParts {
  /** A connection that is connected: statements may take long on it. */
  client: Client;
  projects: Pick<Projects, 'list'>;
  partitions: Partitions;
  now: number;
}

/** Safe to run again, to end at any point, and while events are stored. One run at a time, by the job that it belongs to. */
export async function retire(parts: RetentionParts, options: RetireOptions = {}): Promise<Retired[]> {
  const { client, projects, partitions, now } = parts;
  const { signal, onRetired, batch = BATCH } = options;
  const all = await projects.list();
  const limited = all.flatMap(({ id, settings: { retentionDays } }) =>
    retentionDays === null ? [] : [nothingYet(id, retentionDays, now)],
  );
  // Nested loops over the keys, whatever the statistics of a partition say.
  await client.query('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off');
  try {
    if (limited.length === all.length) await dropMonths(client, partitions, limited, signal);
    for (const project of limited) {
      await retireOf(client, project, batch, signal);
      await removeIdleGroups(client, { projectId: project.projectId, now, signal });
    }
  } finally {
    const touched = limited.filter(({ events, sessions, persons }) => events + sessions + persons > 0);
    for (const project of touched) await onRetired?.({ ...project });
    if (touched.length > 0) {
      // Caches of answers about these projects are emptied.
      await query(client, sql`select pg_notify(${eventsChannel}, ${touched.map((each) => each.projectId).join(',')})`);
    }
  }
  return limited;
}

/** Whole days, because everything that is derived from events is kept by the day or finer. */
function nothingYet(projectId: number, retentionDays: number, now: number): Retired {
  const before = Math.floor((now - retentionDays * dayMs) / dayMs) * dayMs;
  return { projectId, before, events: 0, sessions: 0, persons: 0 };
}

/** Months that lie wholly beyond the longest retention: a file that is unlinked, instead of rows that are looked for. */
async function dropMonths(
  client: Client,
  partitions: Partitions,
  projects: readonly Retired[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (projects.length === 0) return;
  const kept = monthOf(Math.min(...projects.map(({ before }) => before)));
  for (const name of await partitions.monthsBefore(kept)) {
    if (signal?.aborted) return;
    const rows = await query<{ project_id: number; events: number }>(
      client,
      sql`select project_id, count(*) as events from ${sql.id(name)} group by project_id`,
    );
    await partitions.dropMonth(name);
    for (const { project_id, events } of rows) {
      const project = projects.find(({ projectId }) => projectId === project_id);
      if (project) project.events += events;
    }
  }
}

/** Adds to the project's figures as it goes, so that they are right wherever it ends. */
async function retireOf(
  client: Client,
  project: Retired,
  batch: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { projectId } = project;
  const before = new Date(project.before).toISOString();
  const repeat = async (step: () => Promise<number>, count: (rows: number) => void) => {
    for (let rows = batch; rows === batch && !signal?.aborted; ) {
      rows = await step();
      count(rows);
    }
  };
  await repeat(
    () => deleteEvents(client, projectId, before, batch),
    (rows) => {
      project.events += rows;
    },
  );
  await repeat(
    () => deleteSessions(client, projectId, before, batch),
    (rows) => {
      project.sessions += rows;
    },
  );
  await repeat(
    () => deleteCounts(client, projectId, before, batch),
    () => undefined,
  );
  await removeIdlePersons(client, {
    projectId,
    before: project.before,
    signal,
    onRemoved: (persons) => {
      project.persons += persons;
    },
  });
}

/** The oldest first. Found and deleted by two statements, so that the second names its span and looks into few partitions. */
async function deleteEvents(client: Client, projectId: number, before: string, batch: number): Promise<number> {
  const doomed = await query<{ from: number; to: number; uuids: string[] }>(
    client,
    sql`select min(ts) as from, max(ts) as to, array_agg(uuid) as uuids
          from (select ts, uuid from events where project_id = ${projectId} and ts < ${before}::timestamptz
                 order by ts limit ${batch}) as oldest
        having count(*) > 0`,
  );
  const [span] = doomed;
  if (!span) return 0;
  await query(
    client,
    sql`delete from events
         where project_id = ${projectId} and ts >= ${new Date(span.from).toISOString()}::timestamptz
           and ts <= ${new Date(span.to).toISOString()}::timestamptz and uuid = any(${span.uuids}::uuid[])`,
  );
  return span.uuids.length;
}

/** Those under an event that is being stored are left for the next run: they are not waited for, and not waited against. */
async function deleteSessions(client: Client, projectId: number, before: string, batch: number): Promise<number> {
  const gone = await query(
    client,
    sql`delete from sessions s
         using (select uuid from sessions
                 where project_id = ${projectId} and first_ts < ${before}::timestamptz and last_ts < ${before}::timestamptz
                 order by first_ts limit ${batch} for update skip locked) as ended
         where s.project_id = ${projectId} and s.uuid = ended.uuid
        returning s.id`,
  );
  return gone.length;
}

async function deleteCounts(client: Client, projectId: number, before: string, batch: number): Promise<number> {
  const gone = await query(
    client,
    sql`delete from event_counts c
         using (select event, quarter from event_counts
                 where project_id = ${projectId} and quarter < ${before}::timestamptz
                 limit ${batch} for update skip locked) as past
         where c.project_id = ${projectId} and c.event = past.event and c.quarter = past.quarter
        returning c.event`,
  );
  return gone.length;
}
