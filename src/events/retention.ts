/**
 * Retention: deletes expired events on a separate connection, in short steps that do not block ingestion.
 * Months that no project keeps are dropped whole; other rows are deleted. Ingestion rejects events that old,
 * so nothing within a project's retention is touched. Persons without a profile are deleted with their last event, property
 * groups a week later. Names of events and properties stay: they are few, and contain neither times nor persons.
 */
import type { Client } from 'pg';
import { AppError } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Projects } from '#src/projects/projects.ts';
import { query, sql } from '#src/store/sql.ts';
import { eventsChannel } from './append.ts';
import { type DroppedEvents, forgetEmptyMonths, retireDropped } from './dropped.ts';
import { retireHeatmapPoints } from './heatmap-points.ts';
import { removeIdleGroups } from './idle-groups.ts';
import { removeIdlePersons } from './idle-persons.ts';
import { monthOf, type Partitions } from './partitions.ts';

/** Rows per statement: some ten milliseconds. */
const BATCH = 5_000;

/** Deletions of a project's retention. */
export interface Retired {
  projectId: number;
  /** Events that happened before this moment are gone, ms: the start of a day, UTC. */
  before: number;
  events: number;
  /** Visits that ended before it. */
  sessions: number;
  /** Deleted persons without a profile and without events. */
  persons: number;
}

export interface RetireOptions {
  /** Stops after the current statement; the next run continues. */
  signal?: AbortSignal;
  /** Called once per project with deletions, also when stopped early; its failure fails the run. */
  onRetired?: (retired: Retired) => Promise<void> | void;
  /** Rows per statement. */
  batch?: number;
}

export interface RetentionParts {
  /** A connection that is connected: statements may take long on it. */
  client: Client;
  projects: Pick<Projects, 'list'>;
  partitions: Partitions;
  dropped: Pick<DroppedEvents, 'groupsNamed'>;
  now: number;
}

/** Safe to run again, to end at any point, and while events are stored. One run at a time, by the job that it belongs to. */
export async function retire(parts: RetentionParts, options: RetireOptions = {}): Promise<Retired[]> {
  const { client, projects, partitions, dropped, now } = parts;
  const { signal, onRetired, batch = BATCH } = options;
  const all = await projects.list();
  const limited = all.flatMap(({ id, settings: { retentionDays } }) =>
    retentionDays === null ? [] : [nothingYet(id, retentionDays, now)],
  );
  // Nested loops over the keys, regardless of a partition's statistics.
  await client.query('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off');
  try {
    // First: what is left of those months then is nothing.
    for (const project of limited) {
      project.events += await retireDropped(client, project.projectId, project.before);
    }
    await forgetEmptyMonths(client);
    if (limited.length === all.length) await dropMonths(client, partitions, limited, signal);
    for (const { id, settings } of all) {
      const { retentionDays } = settings;
      await retireHeatmapPoints(client, { projectId: id, retentionDays, now }, { batch, signal });
    }
    for (const project of limited) {
      await retireOf(client, project, batch, signal);
      await removeIdleGroups(client, { projectId: project.projectId, now, dropped, signal }).catch(skipUnavailable);
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

/** While ClickHouse does not say what dropped events refer to, groups are left for the next run. */
function skipUnavailable(error: unknown): void {
  const isSkipped = error instanceof AppError && (error.code === 'unavailable' || error.code === 'timeout');
  if (!isSkipped) throw error;
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

/** Updates the project's figures after each step, so that they are right after an interruption. */
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

/** Skips locked visits, which are left for the next run, so that neither side waits. */
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
